"""Bytes to text for transcripts and tables of unknown origin."""
from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import FileFormatError
from .files import marked


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file: UTF-8, UTF-16 with a mark, or GB18030 (as a Chinese Excel saves it).

    Line ends become LF. Raises :class:`~evidial_rules.errors.FileFormatError`.
    """
    label = os.fspath(path)
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise FileFormatError(where=label, expected=f"a file that can be read ({error.strerror})") from None
    return decode(raw, label).replace("\r\n", "\n").replace("\r", "\n")


def decode(raw: bytes, label: str) -> str:
    """Bytes to text, with the line of the first bad byte in the error."""
    if (found := marked(raw)) == "UTF-32":
        raise FileFormatError(where=label, expected="UTF-8 or UTF-16 text, found UTF-32")
    if found is not None:
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError:
            raise FileFormatError(where=label, expected="whole UTF-16 text") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = _gb18030(raw)
        if text is None:
            line = raw.count(b"\n", 0, error.start) + 1
            raise FileFormatError(where=f"{label}:{line}", expected="UTF-8 text") from None
        return text


def _gb18030(raw: bytes) -> str | None:
    """The text if it is plausibly GB18030: almost any bytes decode, so its characters must be everyday ones."""
    try:
        text = raw.decode("gb18030")
    except UnicodeDecodeError:
        return None
    foreign = [char for char in text if ord(char) > 127]
    everyday = sum(_in_gb2312(char) for char in foreign)
    return text if everyday >= 0.9 * len(foreign) else None


def _in_gb2312(char: str) -> bool:
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def is_chinese(text: str) -> bool:
    """Whether Chinese characters outnumber Latin letters by words (about four letters a word).

    >>> is_chinese("我睡不着 ok"), is_chinese("I can't sleep")
    (True, False)
    """
    chinese = sum("\u3400" <= char <= "\u9fff" for char in text)
    latin = sum(char.isascii() and char.isalpha() for char in text)
    return chinese * 4 > latin


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text: column names as they stand, and its rows with the line that each starts on."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]

    def column(self, *names: str) -> str | None:
        """The column that has one of the names, whatever its case."""
        return next((column for name in names for column in self.header if column.strip().casefold() == name), None)


def read_table(path: str | os.PathLike[str], delimiter: str | None = None) -> Table:
    """A CSV file with a header; without a delimiter the header says which (comma, tab or semicolon).

    Raises :class:`~evidial_rules.errors.FileFormatError` with file and line.
    """
    label = os.fspath(path)
    text = read_text(path)
    if not text.strip():
        raise FileFormatError(where=label, expected="a header and rows, found an empty file")
    if delimiter is None:
        first = text.lstrip("\n").split("\n", 1)[0]
        delimiter = max(",\t;", key=first.count)
    rows = list(_records(text, delimiter, label))
    header = tuple(name.strip() for name in rows[0][1])
    if len({name for name in header if name}) < sum(bool(name) for name in header):
        raise FileFormatError(where=f"{label}:{rows[0][0]}", expected="column names that differ")
    body = []
    for line, cells in rows[1:]:
        if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header):]):
            raise FileFormatError(where=f"{label}:{line}",
                                  expected=f"{len(header)} columns, found {len(cells)} (quote text that holds the "
                                           f"delimiter)")
        body.append((line, dict(zip(header, [*cells, *[""] * (len(header) - len(cells))], strict=False))))
    return Table(header, tuple(body))


def _records(text: str, delimiter: str, label: str) -> Iterator[tuple[int, list[str]]]:
    limit = csv.field_size_limit(max(len(text) + 1, 131072))
    try:
        # Tab-separated transcripts do not quote; a stray quotation mark there is speech.
        quoting = csv.QUOTE_NONE if delimiter == "\t" and '"' in text and not _quoted(text) else csv.QUOTE_MINIMAL
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True)
        start = 1
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield start, cells
                start = reader.line_num + 1
        except csv.Error:
            raise FileFormatError(where=f"{label}:{start}", expected="a row of CSV (a quotation mark is left open or "
                                                                     "followed by text)") from None
    finally:
        csv.field_size_limit(limit)


def _quoted(text: str) -> bool:
    """Whether every cell that opens with a quotation mark closes with one: then the marks are the table's."""
    cells = [cell for line in text.split("\n") for cell in line.split("\t") if cell.startswith('"')]
    return bool(cells) and all(len(cell) > 1 and cell.endswith('"') for cell in cells)
