"""Labels: native items, one row a dialogue or participant, in CSV or xlsx."""
from __future__ import annotations

import datetime
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..contract import Instrument, dimension_scores
from ..errors import FileFormatError, LabelError, described
from .decode import read_table

# AVEC's names for the PHQ-8 items.
_AVEC = {name: number for number, name in enumerate(
    ("nointerest", "depressed", "sleep", "tired", "appetite", "failure", "concentrating", "moving"), 1)}
_ID_COLUMNS = ("dialogue_id", "serial", "participant_id", "participant", "id", "编号", "序号")
_PREFIX = r"(?:phq[\s_-]?8|phq|hamd[\s_-]?17|hamd|hdrs|ham-d|bdi[\s_-]?ii|bdi[\s_-]?2|bdi)"
_ITEM = re.compile(
    rf"^(?:{_PREFIX}[\s_.-]+)?(?:item|question|q|i|条目|题目|题|第)?[\s_.#-]*0*(\d{{1,2}})(?:\.0|[题项])?$")
_AVEC_ITEM = re.compile(r"^phq[\s_-]?8[\s_-]+([a-z]+)$")
# "PHQ-8" and "HAMD-17" head a total, unless there is a "PHQ-1" or "HAMD-1" beside them.
_TOTAL = re.compile(rf"^{_PREFIX}$")
_EITHER = re.compile(r"^((?:phq|hamd|bdi)[\s_-])(8|17|2)$")


@dataclass(frozen=True, slots=True)
class Labels:
    """Items by id: `rows[id]` is where the row stands and its native items by number."""

    file: str
    rows: dict[str, tuple[str, dict[str, float | None]]]

    def scores(self, idents: Iterable[str | None], instrument: Instrument) -> dict[str, float | int | None] | None:
        """The dimension scores of the first id that has a row; None if none has.

        Raises :class:`~evidial_rules.errors.InstrumentError` for a value that the instrument does not allow.
        """
        for ident in idents:
            if ident is not None and (row := self.rows.get(_ident(ident))) is not None:
                return dimension_scores(row[1], instrument, where=row[0])
        return None


def read_labels(path: str | os.PathLike[str]) -> Labels:
    """The native items of a labels file (CSV, tab-separated, or xlsx, first sheet).

    An id column (dialogue_id, Serial or Participant_ID) and item columns: "1", "item 1", "HAMD_1", or AVEC's
    "PHQ8_Sleep". Other columns are ignored; an empty cell is no value.

    Raises :class:`~evidial_rules.errors.LabelError` with file and row.
    """
    label = os.fspath(path)
    header, rows = _xlsx(Path(path)) if label.lower().endswith((".xlsx", ".xlsm")) else _csv(Path(path))
    folded = [name.strip().casefold() for name in header]
    ident_at = next((folded.index(name) for name in _ID_COLUMNS if name in folded), None)
    if ident_at is None:
        raise LabelError(where=f"{label}:1", expected="an id column (dialogue_id, Serial or Participant_ID)")
    items: dict[str, int] = {}
    for at, name in enumerate(folded):
        number = _item(name, folded)
        if number is None or at == ident_at:
            continue
        if number in items:
            raise LabelError(where=f"{label}:1", expected=f"one column for item {number}, found two")
        items[number] = at
    if not items:
        raise LabelError(where=f"{label}:1", expected="native item columns (1, item1, HAMD_1 or PHQ8_Sleep); a total "
                                                      "alone gives no dimension its score")
    found: dict[str, tuple[str, dict[str, float | None]]] = {}
    for line, cells in rows:
        where = f"{label}:{line}"
        ident = _ident(cells[ident_at])
        if not ident:
            continue
        if ident in found:
            raise LabelError(where=where, expected="one row an id, found a second")
        found[ident] = (where, {item: _value(cells[at], f"{where}, item {item}") for item, at in items.items()})
    return Labels(label, found)


def _item(name: str, names: list[str]) -> str | None:
    """The item that a column gives, or None; `names` are all columns, which settle a doubtful one."""
    if (either := _EITHER.match(name)) and not {either[1] + "1", either[1] + "01"}.isdisjoint(names):
        return either[2]
    if _TOTAL.match(name):
        return None
    if avec := _AVEC_ITEM.match(name):
        return str(_AVEC[avec[1]]) if avec[1] in _AVEC else None
    match = _ITEM.match(name)
    return match[1] if match else None


def _ident(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value).strip()


def _value(cell: Any, where: str) -> float | None:
    if cell is None or (isinstance(cell, str) and cell.strip().casefold() in ("", "na", "n/a", "nan", "null", "none")):
        return None
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return cell
    if isinstance(cell, str):
        try:
            return float(cell)
        except ValueError:
            pass
    raise LabelError(where=where, expected=f"a number or an empty cell, found {described(cell)}")


def _csv(path: Path) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    table = read_table(path)
    return list(table.header), ((line, [row[name] for name in table.header]) for line, row in table.rows)


def _xlsx(path: Path) -> tuple[list[str], list[tuple[int, list[Any]]]]:
    try:
        import openpyxl
    except ImportError:
        raise LabelError(where=str(path), expected="the package openpyxl to read xlsx, or a CSV file") from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheet = book[book.sheetnames[0]]
        cells = [list(row) for row in sheet.iter_rows(values_only=True)]
        book.close()
    except OSError as error:
        raise FileFormatError(where=str(path), expected=f"a file that can be read ({error.strerror or 'damaged'})"
                              ) from None
    except (zipfile.BadZipFile, LookupError, ValueError, ArithmeticError, TypeError, SyntaxError, AttributeError):
        raise FileFormatError(where=str(path), expected="an xlsx workbook (this one is damaged or no xlsx)") from None
    if not cells:
        raise LabelError(where=str(path), expected="a header and rows, found an empty sheet")
    header = ["" if cell is None else _ident(cell) for cell in cells[0]]
    width = len(header)
    rows = []
    for line, row in enumerate(cells[1:], 2):
        row = [*row, *[None] * (width - len(row))]
        rows.append((line, [cell.isoformat() if isinstance(cell, datetime.date) else cell for cell in row[:width]]))
    return header, rows
