"""The votes of a panel as one table: a row a cell, a column a rater.

What comes after the votes (fusion, the panel's psychometrics, the audit) reads this table and knows nothing of where
a vote came from.
"""
from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..contract import DIMENSION_GROUPS, STATES, Dialogue, Vote
from ..errors import DuplicateCell, EvidialError, shown
from ..resources import load_instrument

MISSING = -1
"""The code of a cell on which a rater has no valid vote; the others index `STATES`."""

CellKey = tuple[str, str]
"""(dialogue_id, dimension)."""


class VotesError(EvidialError):
    """Votes that cannot be set side by side: of a cell that is not asked, by a rater without any, by too few raters."""

    code = "E231"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
    """Votes of J raters on n cells.

    cells: n pairs (dialogue_id, dimension). raters: J names. votes: (n, J), int8, an index into `STATES` or `MISSING`.
    invalid: (n, J), bool, where a vote was given and cannot be used. participants, sources, languages: n strings,
    "" where nobody said; a participant that is not named is its dialogue. The arrays are not to be written to.
    """

    cells: tuple[CellKey, ...]
    raters: tuple[str, ...]
    votes: npt.NDArray[np.int8]
    invalid: npt.NDArray[np.bool_]
    participants: tuple[str, ...]
    sources: tuple[str, ...]
    languages: tuple[str, ...]

    def __post_init__(self) -> None:
        for array in (self.votes, self.invalid):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimension of each cell, n strings."""
        return tuple(dimension for _, dimension in self.cells)

    @property
    def groups(self) -> tuple[str, ...]:
        """The dimension group of each cell, n strings (`contract.DIMENSION_GROUPS`)."""
        return tuple(DIMENSION_GROUPS[dimension] for _, dimension in self.cells)

    @property
    def clusters(self) -> npt.NDArray[np.int64]:
        """(n,): the participant of each cell as a number from 0, for resampling. Equal names in two sources are two."""
        return _numbered(zip(self.sources, self.participants, strict=True))

    @property
    def strata(self) -> npt.NDArray[np.int64]:
        """(n,): the source of each cell as a number from 0, in order of first appearance."""
        return _numbered(self.sources)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """(n, 5): how many valid votes each cell has for each state.

        >>> table = vote_table([Vote("d", "sleep", "a", "PARTIAL"), Vote("d", "sleep", "b", "PARTIAL")])
        >>> table.counts.tolist()
        [[0, 2, 0, 0, 0]]
        """
        return np.stack([(self.votes == code).sum(axis=1) for code in range(len(STATES))], axis=1)

    def column(self, rater: str) -> int:
        """The column of a rater. Raises :class:`VotesError` if it has none."""
        if rater not in self.raters:
            raise VotesError(where="rater", expected=f"one of {', '.join(self.raters)}, found {shown(rater)}")
        return self.raters.index(rater)

    def only(self, raters: Sequence[str]) -> VoteTable:
        """The same cells with the columns of these raters, in this order."""
        columns = [self.column(rater) for rater in raters]
        return replace(self, raters=tuple(raters), votes=self.votes[:, columns], invalid=self.invalid[:, columns])

    def without(self, *raters: str) -> VoteTable:
        """The same cells without the columns of these raters."""
        gone = {self.column(rater) for rater in raters}
        return self.only([rater for column, rater in enumerate(self.raters) if column not in gone])

    def blank(self, rater: str, chosen: npt.ArrayLike) -> VoteTable:
        """The same without a rater's votes on the rows that a mask or a list of row numbers chooses; without the column
        where no vote of it is left.

        Raises :class:`VotesError` where no vote of anybody is left.
        """
        votes, column = self.votes.copy(), self.column(rater)
        votes[np.asarray(chosen), column] = MISSING
        if (votes == MISSING).all():
            raise VotesError(where="votes", expected=f"votes beside those of {shown(rater)} that are left out")
        if (votes[:, column] == MISSING).all():
            return self.without(rater)
        return replace(self, votes=votes, invalid=self.invalid.copy())

    def rows(self, chosen: npt.ArrayLike) -> VoteTable:
        """The rows that a mask or a list of row numbers chooses, in its order."""
        index = np.arange(len(self))[np.asarray(chosen)]
        return VoteTable(
            tuple(self.cells[i] for i in index), self.raters, self.votes[index], self.invalid[index],
            tuple(self.participants[i] for i in index), tuple(self.sources[i] for i in index),
            tuple(self.languages[i] for i in index),
        )


def vote_table(
    votes: Iterable[Vote], dialogues: Iterable[Dialogue] | None = None, *, raters: Collection[str] | None = None,
) -> VoteTable:
    """Sets votes side by side.

    With `dialogues` the rows are all cells of their instruments, in their order, voted on or not, with participant,
    source and language. Without, they are the cells that have a vote, valid or not, in order of first appearance, and
    each dialogue counts as a participant. The columns are the raters in order of first appearance; `raters`, if
    given, says which are read.

    Raises :class:`VotesError` for a vote on a cell that the dialogues do not have, for a rater without a valid vote
    (name the others in `raters` to leave it out), and where there are no votes;
    :class:`~evidial_rules.errors.DuplicateCell` for a second vote of a rater on a cell.
    """
    held: dict[CellKey, tuple[str, str, str]] = {}
    closed = dialogues is not None
    for dialogue in dialogues or ():
        instrument = load_instrument(dialogue.instrument)
        person = dialogue.participant_id or dialogue.dialogue_id
        for dimension in instrument.ordered:
            held[dialogue.dialogue_id, dimension] = (person, dialogue.source or "", dialogue.language)
    rows = {key: row for row, key in enumerate(held)}
    columns: dict[str, int] = {}
    given: dict[tuple[int, int], int] = {}
    for vote in votes:
        if raters is not None and vote.rater not in raters:
            continue
        key = (vote.dialogue_id, vote.dimension)
        if key not in rows:
            if closed:
                raise VotesError(where=f"vote of {shown(vote.rater)}",
                                 expected=f"a cell of the dialogues, found {shown(key[0])} {key[1]}")
            held[key] = (vote.dialogue_id, "", "")
            rows[key] = len(rows)
        place = (rows[key], columns.setdefault(vote.rater, len(columns)))
        if place in given:
            raise DuplicateCell(where=f"vote of {shown(vote.rater)}", first="an earlier vote",
                                expected=f"one vote on {shown(key[0])} {key[1]}")
        given[place] = STATES.index(vote.state) if vote.valid and vote.state is not None else MISSING
    if not given:
        raise VotesError(where="votes", expected="at least one vote")
    table = np.full((len(held), len(columns)), MISSING, dtype=np.int8)
    invalid = np.zeros_like(table, dtype=bool)
    places = np.array(list(given), dtype=np.intp)
    codes = np.fromiter(given.values(), dtype=np.int8, count=len(given))
    table[places[:, 0], places[:, 1]] = codes
    invalid[places[:, 0], places[:, 1]] = codes == MISSING
    for rater, column in columns.items():
        if (table[:, column] == MISSING).all():
            raise VotesError(where=f"rater {shown(rater)}", expected="at least one valid vote, found none")
    about = list(held.values())
    return VoteTable(tuple(held), tuple(columns), table, invalid, tuple(one[0] for one in about),
                     tuple(one[1] for one in about), tuple(one[2] for one in about))


def _numbered(keys: Iterable[Hashable]) -> npt.NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
