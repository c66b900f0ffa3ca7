"""Cells and votes that were written: JSON Lines or Parquet (interface, "A cell" and "vote")."""
from __future__ import annotations

import functools
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ..contract import Cell, PlannedCell, Prediction, Reference, Vote
from ..errors import DuplicateCell, EvidialError, FrameError, shown
from ..resources import instruments, load_instrument
from .files import Reject, Rejected, Row, name_of, read_rows
from .folders import expand
from .seen import Seen

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
T = TypeVar("T", Cell, Vote, Reference, PlannedCell, Prediction, Cell | Vote)


def read_cells(path: Paths, *, reject: Reject | None = None) -> Iterator[Cell]:
    """The cells of one or several files, one at a time; nothing is judged anew.

    A line without `frames` (states only) gives a cell without frames. With `reject`, a bad line is handed to it and
    the rest goes on. A dialogue's dimension may come once over all the files together.

    Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and line.
    """
    for _, cell in read_cell_rows(path, reject=reject):
        yield cell


def read_cell_rows(path: Paths, *, reject: Reject | None = None) -> Iterator[tuple[Row, Cell]]:
    """Like :func:`read_cells`, with the row beside each cell: it tells a cell without `frames` from one with none."""
    return _read(path, _cell, reject)


def read_votes(
    path: Paths, *, reject: Reject | None = None, frames: bool = True, cells: bool = False,
) -> Iterator[Vote]:
    """The votes of one or several files or folders of Parquet files, one at a time, of one or several raters.

    With `reject`, a bad line is handed to it and the rest goes on. A rater may vote once on a dialogue's dimension,
    over all the files together. Without `frames` those of Parquet are not loaded, and its votes have none. With
    `cells`, a cell is read as the vote of the rules that judged it: of `rules`, or of the name of their rule set if
    they are others.

    Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and line.
    """
    for _, vote in _read(path, _vote_or_cell if cells else _vote, reject, without=() if frames else ("frames",)):
        yield vote


def read_vote_rows(path: Paths, *, reject: Reject | None = None) -> Iterator[tuple[Row, Vote]]:
    """Like :func:`read_votes`, with the row beside each vote."""
    return _read(path, _vote, reject)


def read_judged_rows(path: Paths, *, reject: Reject | None = None) -> Iterator[tuple[Row, Cell | Vote]]:
    """Cells or votes, whichever the files hold: the first line tells (a vote has a `rater`), the others follow it.

    Otherwise like :func:`read_cells` and :func:`read_votes`.
    """
    kind: Callable[[Row], Cell | Vote] | None = None

    def judged(row: Row) -> Cell | Vote:
        nonlocal kind
        if kind is None:
            kind = _cell if row.data.get("rater") is None else _vote
        return kind(row)

    return _read(path, judged, reject)


def read_references(path: Paths, *, reject: Reject | None = None, cells: bool = False) -> Iterator[Reference]:
    """The references of one or several files, one at a time; a cell may come once a method over all the files together.

    With `cells`, a cell that rules judged is a reference by the method `rules`, as in :func:`read_votes`.

    Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and line.
    """
    for _, reference in read_reference_rows(path, reject=reject, cells=cells):
        yield reference


def read_reference_rows(
    path: Paths, *, reject: Reject | None = None, cells: bool = False,
) -> Iterator[tuple[Row, Reference]]:
    """Like :func:`read_references`, with the row beside each reference; of Parquet without its frames."""
    return _read(path, _reference_or_cell if cells else _reference, reject, without=("frames",))


def read_plan(path: Paths, *, reject: Reject | None = None) -> Iterator[PlannedCell]:
    """The planned cells of one or several files; a cell may come once.

    Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and line.
    """
    for _, planned in _read(path, _planned, reject):
        yield planned


def read_predictions(path: Paths, *, reject: Reject | None = None) -> Iterator[Prediction]:
    """The predictions of one or several files; a cell may come once a model and method.

    Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and line.
    """
    for _, prediction in _read(path, _prediction, reject):
        yield prediction


def _read(
    path: Paths, parse: Callable[[Row], T], reject: Reject | None, *, without: Collection[str] = (),
) -> Iterator[tuple[Row, T]]:
    seen = Seen()
    for one in expand(path):
        for row in read_rows(one, reject=reject, without=without):
            try:
                value = parse(row)
                by = _by(value)
                first = seen.first(repr((value.dialogue_id, value.dimension, by)), row.where)
                if first is not None:
                    new = "a new cell" if by is None else "a cell that is new to its rater or method"
                    raise DuplicateCell(where=row.where, first=first, expected=new)
            except EvidialError as error:
                if reject is None:
                    raise
                reject(Rejected(name_of(one), row.line, str(error)))
                continue
            yield row, value


def _by(value: Cell | Vote | Reference | PlannedCell | Prediction) -> str | tuple[str, str] | None:
    """Whose word it is: a cell may have one of each."""
    if isinstance(value, Vote):
        return value.rater
    if isinstance(value, Prediction):
        return value.model, value.method
    return value.method if isinstance(value, Reference) else None


def _cell(row: Row) -> Cell:
    if row.data.get("rater") is not None:
        raise FrameError(where=row.where, expected="a cell, found a vote (it has a rater)")
    return Cell.from_dict(_unfold(row), inventory=_inventory(), where=f"{row.where}: cell")


def _reference(row: Row) -> Reference:
    data = _unfold(row)
    posterior = data.get("posterior")
    if isinstance(posterior, Mapping):  # Parquet has every key in every row
        data["posterior"] = {state: value for state, value in posterior.items() if value is not None}
    return Reference.from_dict(data, where=f"{row.where}: reference")


def _planned(row: Row) -> PlannedCell:
    return PlannedCell.from_dict(_unfold(row), where=f"{row.where}: plan")


def _prediction(row: Row) -> Prediction:
    return Prediction.from_dict(_unfold(row), where=f"{row.where}: prediction")


def _vote(row: Row) -> Vote:
    return Vote.from_dict(_unfold(row), inventory=_inventory(), where=f"{row.where}: vote")


def _vote_or_cell(row: Row) -> Vote:
    if not _is_cell(row):
        return _vote(row)
    cell = _cell(row)
    return Vote(cell.dialogue_id, cell.dimension, _judge(cell), cell.state, frames=cell.frames, contract=cell.contract,
                ruleset=cell.ruleset)


def _reference_or_cell(row: Row) -> Reference:
    if not _is_cell(row):
        return _reference(row)
    cell = _cell(row)
    return Reference.from_dict({"dialogue_id": cell.dialogue_id, "dimension": cell.dimension, "state": cell.state,
                                "method": _judge(cell), "contract": cell.contract}, where=f"{row.where}: reference")


def _is_cell(row: Row) -> bool:
    return "k" in row.data and "rater" not in row.data and "method" not in row.data


def _judge(cell: Cell) -> str:
    return "rules" if cell.ruleset is None or cell.ruleset["name"] == "evidial" else cell.ruleset["name"]


_OPTIONAL = ("k", "frames", "contract", "ruleset", "choices", "valid", "stated", "reason", "invalid_frames",
             "posterior", "entropy", "raters")


def _unfold(row: Row) -> dict[str, Any]:
    """The row with Parquet's nulls for what is not there left out, and its id as text."""
    data = {key: value for key, value in row.data.items() if value is not None or key not in _OPTIONAL}
    ident = data.get("dialogue_id")
    if isinstance(ident, int) and not isinstance(ident, bool):
        ident = data["dialogue_id"] = str(ident)  # as in a dialogue: 300 and "300" are the same
    for key, value in (("dialogue_id", ident), ("rater", data.get("rater", "-"))):
        if not isinstance(value, str) or not value.strip():
            raise FrameError(where=f"{row.where}: {key}", expected=f"text that is not empty, found {shown(value)}")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise FrameError(where=f"{row.where}: {key}", expected="text without lone surrogates") from None
    return data


@functools.lru_cache(maxsize=1)
def _inventory() -> Mapping[str, tuple[str, ...]]:
    """What a frame may name under any of the instruments that ship: a cell does not say which it was judged under."""
    names: dict[str, dict[str, None]] = {}
    for name in instruments():
        for dimension, components in load_instrument(name).inventory().items():
            names.setdefault(dimension, {}).update(dict.fromkeys(components))
    return {dimension: tuple(components) for dimension, components in names.items()}
