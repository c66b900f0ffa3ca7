"""Votes that were written, served as a rater."""
from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ..contract import Dialogue, Vote
from ..corpora import read_votes
from ..corpora.files import name_of
from ..errors import shown
from ..resources import load_instrument
from . import RaterError

__all__ = ["RecordedRater"]

_NAME = re.compile(r"[A-Za-z0-9_.+:@/\-]{1,80}", re.ASCII)


def _named(name: str) -> str:
    """A rater's name for a message: as it is if it looks like one (`provider/model`), else described."""
    return repr(name) if _NAME.fullmatch(name) else shown(name)


class RecordedRater:
    """The votes of one rater out of a file (JSON Lines or Parquet), cell by cell.

    name: whose votes; it may be left out where the file has one rater. A cell without a vote there gets an invalid one,
    with the reason `missing`. Nothing is judged anew. It is pickled by how it was constructed.

    Raises RaterError for a file without votes of that name, or of several raters without one, and what
    :func:`~evidial_rules.corpora.read_votes` raises.
    """

    def __init__(
        self, path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], name: str | None = None,
    ) -> None:
        self.path = path
        held: dict[str, dict[tuple[str, str], Vote]] = {}
        for vote in read_votes(path):
            held.setdefault(vote.rater, {})[vote.dialogue_id, vote.dimension] = vote
        label = name_of(path) if isinstance(path, (str, os.PathLike)) else ", ".join(map(name_of, path))
        known = ", ".join(map(_named, sorted(held))) or "none"
        if name is None:
            if len(held) != 1:
                raise RaterError(where=label, expected=f"votes of one rater, or a name; it has {known}")
            name = next(iter(held))
        if name not in held:
            raise RaterError(where=label, expected=f"votes of the rater {_named(name)}; it has {known}")
        self.name = name
        self._votes = held[name]

    @classmethod
    def each(cls, path: str | os.PathLike[str]) -> list[RecordedRater]:
        """A rater for everybody who has votes in a file, in order of their names. Raises as the constructor does."""
        names = sorted({vote.rater for vote in read_votes(path)})
        if not names:
            raise RaterError(where=name_of(path), expected="votes, found none")
        return [cls(path, name) for name in names]

    def __reduce__(self) -> tuple[object, ...]:
        return RecordedRater, (self.path, self.name)

    def votes(self, dialogue: Dialogue) -> tuple[Vote, ...]:
        """One vote for each dimension that the dialogue's instrument has, in the contract's order."""
        return tuple(
            self._votes.get((dialogue.dialogue_id, dimension))
            or Vote(dialogue.dialogue_id, dimension, self.name, None, False, "missing")
            for dimension in load_instrument(dialogue.instrument).ordered)
