"""States of many cells beside gold."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..contract import DIMENSIONS, STATES, Cell, Dialogue
from ..corpora.files import read_rows
from ..errors import EvidialError, shown


class GoldError(EvidialError):
    """A gold file that breaks the form."""

    code = "E301"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class StateRow:
    """The states of one dialogue, by dimension, and the gold ones where there are any."""

    dialogue_id: str
    instrument: str
    states: Mapping[str, str]
    gold: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, dialogue: Dialogue, cells: Iterable[Cell], gold: Mapping[str, str] | None = None) -> StateRow:
        """The row of one judged dialogue."""
        states = {cell.dimension: cell.state for cell in cells}
        return cls(dialogue.dialogue_id, dialogue.instrument, states, gold or {})


def read_gold(path: Path | str) -> dict[str, dict[str, str]]:
    """Gold states by dialogue: lines of `{"dialogue_id", "gold": {dimension: state}}`.

    Raises :class:`GoldError` with file and line.
    """
    out: dict[str, dict[str, str]] = {}
    for row in read_rows(path):
        name, gold = row.data.get("dialogue_id"), row.data.get("gold")
        if not isinstance(name, str) or not isinstance(gold, dict):
            raise GoldError(where=row.where, expected="the keys dialogue_id and gold")
        for dimension, state in gold.items():
            if dimension not in DIMENSIONS:
                raise GoldError(where=row.where, expected=f"a dimension out of {', '.join(DIMENSIONS)}, "
                                                          f"found {shown(dimension)}")
            if state not in STATES:
                raise GoldError(where=row.where, expected=f"a state out of {', '.join(STATES)}, found {shown(state)}")
        out[name] = gold
    return out
