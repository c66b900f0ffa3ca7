"""What others say of a cell: raters' votes, references, gold and the dialogue's own label, beside the rule judge."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..contract import Dialogue, Reference, Vote
from ..corpora import VotesError, read_reference_rows, read_vote_rows
from ..errors import shown
from ..resources import load_instrument
from .states import GoldError, read_gold

Key = tuple[str, str]
"""(dialogue_id, dimension)."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside one cell. `score` is the dialogue's label of the dimension (sum of native items), or None."""

    votes: tuple[Vote, ...] = ()
    references: tuple[Reference, ...] = ()
    gold: str | None = None
    score: float | None = None

    def __bool__(self) -> bool:
        return bool(self.votes or self.references) or self.gold is not None or self.score is not None

    @property
    def states(self) -> frozenset[str]:
        """The states that the valid votes name."""
        return frozenset(vote.state for vote in self.votes if vote.valid and vote.state is not None)

    @property
    def disagree(self) -> bool:
        """Whether two valid votes name different states."""
        return len(self.states) > 1


@dataclass(frozen=True, slots=True)
class Opinions:
    """Votes, references and gold of the cells of some dialogues, by cell."""

    votes: Mapping[Key, tuple[Vote, ...]] = field(default_factory=dict)
    references: Mapping[Key, tuple[Reference, ...]] = field(default_factory=dict)
    gold: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def read(
        cls, dialogues: Iterable[Dialogue], *, votes: Sequence[str] = (), reference: Sequence[str] = (),
        gold: str | None = None,
    ) -> Opinions:
        """Reads the files and checks that every line is of a cell of the dialogues.

        Raises :class:`~evidial_rules.corpora.VotesError` for a vote or reference on another cell,
        :class:`~evidial_rules.report.states.GoldError` for gold of one, each with the file (and
        line), and what the readers raise for lines that break the form.
        """
        known = {(one.dialogue_id, dimension) for one in dialogues
                 for dimension in load_instrument(one.instrument).ordered}
        given: dict[Key, list[Vote]] = {}
        for row, vote in read_vote_rows(votes):
            _check(known, vote.dialogue_id, vote.dimension, row.where)
            given.setdefault((vote.dialogue_id, vote.dimension), []).append(vote)
        decided: dict[Key, list[Reference]] = {}
        for row, one in read_reference_rows(reference):
            _check(known, one.dialogue_id, one.dimension, row.where)
            decided.setdefault((one.dialogue_id, one.dimension), []).append(one)
        states = {} if gold is None else read_gold(gold)
        for name, by_dimension in states.items():
            for dimension in by_dimension:
                if (name, dimension) not in known:
                    raise GoldError(where=str(gold),
                                    expected=f"cells of the dialogues, found {shown(name)} {dimension}")
        return cls({key: tuple(many) for key, many in given.items()},
                   {key: tuple(many) for key, many in decided.items()}, states)

    def of(self, dialogue: Dialogue, dimension: str) -> Beside:
        """What stands beside one cell."""
        key = (dialogue.dialogue_id, dimension)
        return Beside(self.votes.get(key, ()), self.references.get(key, ()),
                      self.gold.get(dialogue.dialogue_id, {}).get(dimension), (dialogue.scores or {}).get(dimension))


def _check(known: set[Key], dialogue_id: str, dimension: str, where: str) -> None:
    if (dialogue_id, dimension) not in known:
        raise VotesError(where=where, expected=f"a cell of the dialogues, found {shown(dialogue_id)} {dimension}")
