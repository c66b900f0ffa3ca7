"""What a study's report consists of: tables with intervals, charts with the table they were drawn from, and what is
missing. A page shows them, and files beside it hold them."""
from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...errors import EvidialError

WORD = "simulated"


class ReportError(EvidialError):
    """A folder that no report can be made of."""

    code = "E311"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Value:
    """A figure and its 95% interval, both in the unit of their column; None where undefined or not asked for."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, value: float | None, ends: Sequence[float] | None = None) -> Value:
        """From a figure and a pair of ends, as the JSON objects of this project have them.

        >>> Value.of(0.5, [0.4, 0.6])
        Value(value=0.5, low=0.4, high=0.6)
        """
        return cls(value) if ends is None else cls(value, ends[0], ends[1])

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Value:
        """From `{"value", "ci"}`."""
        return cls.of(row["value"], row.get("ci"))


Entry = str | int | Value | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name and how its entries are shown: words, whole numbers, or figures (as they are, or in percent),
    which take two more columns of a CSV file for their interval if they have one."""

    name: str
    form: Literal["word", "count", "figure", "percent"] = "word"
    interval: bool = True

    def shown(self, entry: Entry) -> str:
        """An entry as text; "-" for what is undefined.

        >>> Column("share", "percent").shown(Value(0.125, 0.1, 0.15)), Column("n", "count").shown(2744)
        ('12.5% [10.0, 15.0]', '2,744')
        """
        if entry is None:
            return "-"
        if isinstance(entry, Value):
            if entry.value is None:
                return "-"
            percent = self.form == "percent"
            one = f"{entry.value:.1%}" if percent else f"{entry.value:.3f}"
            if entry.low is None or entry.high is None:
                return one
            ends = f"{entry.low * 100:.1f}, {entry.high * 100:.1f}" if percent else f"{entry.low:.2f}, {entry.high:.2f}"
            return f"{one} [{ends}]"
        return f"{entry:,}" if isinstance(entry, int) else entry


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: `key` names its file, `title` says which of the paper's it is, `caption` what it shows and of how much.

    simulated: what it is made of and says nothing of anybody; empty if all is real.
    """

    key: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Entry, ...], ...]
    notes: tuple[str, ...] = ()
    simulated: tuple[str, ...] = ()

    def column(self, name: str) -> list[Any]:
        """The entries of a column."""
        place = [one.name for one in self.columns].index(name)
        return [row[place] for row in self.rows]

    def csv(self) -> str:
        """As a CSV file with a header, figures in full, undefined ones empty. What is made of simulated data says so in
        a last column of its own, since the file may travel alone."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        figures = {one.name for one in self.columns if one.form in ("figure", "percent")}
        with_ends = {one.name for one in self.columns if one.name in figures and one.interval}
        head: list[str] = []
        for one in self.columns:
            head += [one.name, f"{one.name} low", f"{one.name} high"] if one.name in with_ends else [one.name]
        writer.writerow(head + (["data"] if self.simulated else []))
        for row in self.rows:
            line: list[Any] = []
            for one, entry in zip(self.columns, row, strict=True):
                if one.name not in figures:
                    line.append("" if entry is None else _harmless(entry) if isinstance(entry, str) else entry)
                    continue
                value = entry if isinstance(entry, Value) else Value(None)
                line += [_plain(value.value)]
                if one.name in with_ends:
                    line += [_plain(value.low), _plain(value.high)]
            writer.writerow(line + ([WORD] if self.simulated else []))
        return stream.getvalue()


def _harmless(words: str) -> str:
    """Names are anybody's: what a spreadsheet would take for a formula gets an apostrophe."""
    return f"'{words}" if words[:1] in tuple("=+@\t\r") or (words[:1] == "-" and len(words) > 1) else words


def _plain(value: float | None) -> str:
    return "" if value is None else f"{round(value, 6) + 0.0:g}" if abs(value) < 1e-4 else f"{value:.6f}"


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure of the paper, drawn from a table. `alt` says in words what it shows."""

    sheet: Sheet
    alt: str
    svg: bytes
    png: bytes


@dataclass(frozen=True, slots=True)
class Missing:
    """A table or figure that cannot be made, and what it needs."""

    key: str
    title: str
    needs: tuple[str, ...]


Item = Sheet | Chart | Missing


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page. items: in order."""

    key: str
    title: str
    items: tuple[Item, ...]
    words: tuple[str, ...] = ()
