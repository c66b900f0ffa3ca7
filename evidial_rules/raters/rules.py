"""The rule judge as a rater."""
from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..contract import Cell, Dialogue
from ..corpora.files import encode, json_columns, to_json
from ..pipeline.annotator import Annotator
from . import Vote

__all__ = ["CellLines", "CellRows", "RulesRater"]


class RulesRater:
    """Votes of the rules that ship with the project, or of a folder of somebody's own (`lexicons`).

    without: components to leave out, and name: what the votes are then called (see
    `evidial_rules.raters.ablations.ABLATIONS`). It is pickled by how it was constructed.
    """

    def __init__(self, lexicons: Path | None = None, without: Iterable[str] = (), name: str = "rules") -> None:
        self.name = name
        self.annotator = Annotator(lexicons, without)

    def __reduce__(self) -> tuple[object, ...]:
        return RulesRater, (self.annotator.lexicons, self.annotator.without, self.name)

    def votes(self, dialogue: Dialogue) -> tuple[Vote, ...]:
        """One vote a cell; the rules always have an answer, so every vote is valid."""
        return tuple(
            Vote(cell.dialogue_id, cell.dimension, self.name, cell.state, frames=cell.frames, contract=cell.contract,
                 ruleset=cell.ruleset)
            for cell in self.annotator.cells(dialogue)
        )


class CellLines:
    """The cells of a dialogue as lines of JSON, UTF-8, for `evidial annotate`.

    Worker processes do the writing out as well, so that the parent only joins bytes. It is pickled by how it was
    constructed.
    """

    def __init__(self, lexicons: Path | None = None, *, trace: bool = True) -> None:
        self.lexicons, self.trace = lexicons, trace
        self.annotator = Annotator(lexicons)

    def __reduce__(self) -> tuple[object, ...]:
        return _lines, (self.lexicons, self.trace)

    def __call__(self, dialogue: Dialogue) -> bytes:
        """One line a cell, in the contract's order."""
        return b"".join(cell_line(cell, trace=self.trace) for cell in self.annotator.cells(dialogue))


def _lines(lexicons: Path | None, trace: bool) -> CellLines:
    return CellLines(lexicons, trace=trace)


class CellRows:
    """The cells of a dialogue as rows for a Parquet file, what is nested being JSON text already, so that the parent
    reads none of it. It is pickled by how it was constructed."""

    def __init__(self, lexicons: Path | None = None, *, trace: bool = True) -> None:
        self.lexicons, self.trace = lexicons, trace
        self.annotator = Annotator(lexicons)
        self.columns = json_columns(cell_keys(trace=trace))

    def __reduce__(self) -> tuple[object, ...]:
        return _rows, (self.lexicons, self.trace)

    def __call__(self, dialogue: Dialogue) -> tuple[dict[str, Any], ...]:
        """One row a cell, in the contract's order."""
        return tuple(encode(cell.to_dict(trace=self.trace), self.columns) for cell in self.annotator.cells(dialogue))


def _rows(lexicons: Path | None, trace: bool) -> CellRows:
    return CellRows(lexicons, trace=trace)


def cell_keys(*, trace: bool = True) -> tuple[str, ...]:
    """The keys of a cell that the rules judged, in the order in which it is written.

    >>> cell_keys(trace=False)
    ('dialogue_id', 'dimension', 'state', 'k', 'contract', 'ruleset')
    """
    return ("dialogue_id", "dimension", "state", "k", *(["frames"] if trace else []), "contract", "ruleset")


def cell_line(cell: Cell, *, trace: bool = True) -> bytes:
    """One cell as a line of JSON with its end."""
    return to_json(cell.to_dict(trace=trace)).encode("utf-8") + b"\n"
