"""The figures of a report, drawn with matplotlib from the tables of `sheets` (the extra `report`).

They are narrow, so that a page shows them on a phone at the size of its text. Colours are those of the other pages,
and every one goes with a hatch or a marker of its own. The same table gives the same bytes: no date, no version, ids
salted alike.
"""
from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from ...contract import STATES, UNRESOLVED
from ..tables import SHORT
from ..trace import visible
from .values import WORD, Chart, ReportError, Sheet, Value

WIDTH = 4.7
"""Inches."""
DPI = 200
FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei",
         "SimHei", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Noto Serif CJK SC", "Arial Unicode MS")
"""Tried for each character in this order, those that are installed: names may be Chinese."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a state's bars are filled."""

    color: str
    hatch: str


STATE_LOOKS: Mapping[str, Look] = {
    "ABSENT": Look("#e4e4e4", ""), "PARTIAL": Look("#ffe58f", "//"), "CONFLICTING": Look("#efb8f0", "xx"),
    "SUFFICIENT_POS": Look("#ffa940", ""), "SUFFICIENT_NEG": Look("#91caff", ".."), UNRESOLVED: Look("#ffffff", "--"),
}
_COLORS = ("#0072b2", "#e69f00", "#cccccc", "#009e73", "#f0e442", "#cc79a7")
"""Of series, from the palette of Okabe and Ito (2008)."""
_HATCHES = ("", "//", "..", "xx", "--", "\\\\")


def series_look(number: int) -> Look:
    """How the bars of a series are filled: colour and hatch differ between any two of the first 36.

    >>> series_look(0) == series_look(6)
    False
    """
    turns, place = divmod(number, len(_COLORS))
    return Look(_COLORS[place], _HATCHES[(place + turns) % len(_HATCHES)])


def check_matplotlib() -> None:
    """Raises :class:`ReportError`, which names the extra, where matplotlib is not installed."""
    try:
        with _quiet():
            import matplotlib  # noqa: F401
    except ImportError:
        raise ReportError(where="figures", expected="matplotlib, which is not installed: "
                                                    "pip install 'evidial-rules[report]'") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """matplotlib logs that it looks for fonts the first time, and where it keeps what it found: of no use here."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


@contextmanager
def _settings() -> Iterator[None]:
    """matplotlib as it comes, whatever the user's own file says, and the same on every run."""
    with _quiet():
        import matplotlib
        from matplotlib import font_manager

    installed = {one.name for one in font_manager.fontManager.ttflist}
    with matplotlib.rc_context(), warnings.catch_warnings(), _quiet():
        warnings.simplefilter("ignore")  # a glyph that no font has is drawn as a box
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({
            "font.family": [name for name in FONTS if name in installed] or ["sans-serif"], "font.size": 9,
            "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#666666", "hatch.linewidth": 0.5,
            "svg.hashsalt": "evidial", "svg.fonttype": "path", "axes.axisbelow": True, "axes.grid": True,
            "grid.color": "#dddddd", "grid.linewidth": 0.6, "text.parse_math": False, "ytick.major.size": 0,
        })
        yield


def _chart(sheet: Sheet, alt: str, height: float, draw: Callable[[Any], None]) -> Chart:
    from matplotlib.figure import Figure

    with _settings():
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        if sheet.simulated:
            axes.set_title(f"{WORD} data", loc="left", fontsize=9, fontweight="bold", color="#a8071a")
        found = []
        for form, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {"Software": None})):
            stream = io.BytesIO()
            figure.savefig(stream, format=form, metadata=metadata, dpi=DPI)
            found.append(stream.getvalue())
    return Chart(sheet, alt, found[0], found[1])


def _wrapped(name: str) -> str:
    """A name as lines that leave room for the bars."""
    return "\n".join(wrap(visible(name), 20, break_on_hyphens=False)) or "-"


def _rows(axes: Any, names: Sequence[str]) -> range:
    """Rows from the top down, with their names (see `_wrapped`)."""
    places = range(len(names))
    axes.set_yticks(list(places), list(names))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    return places


def _shares(axes: Any, name: str) -> None:
    from matplotlib.ticker import PercentFormatter

    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel(name)


def _whiskers(axes: Any, place: float, one: Value, cap: float = 0.12) -> None:
    if one.value is not None and one.low is not None and one.high is not None:
        axes.plot([one.low, one.high], [place, place], color="#1f1f1f", linewidth=1, solid_capstyle="butt", zorder=4,
                  clip_on=False)
        for end in (one.low, one.high):
            axes.plot([end, end], [place - cap, place + cap], color="#1f1f1f", linewidth=1, zorder=4,
                      clip_on=False)


def _legend(axes: Any, rows: int, **options: Any) -> None:
    """Under the axis, clear of its name, however tall the figure is."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), frameon=False, fontsize=8, handlelength=1.8,
                borderaxespad=3.8, columnspacing=1.2, **options)


def stacked(sheet: Sheet) -> Chart:
    """Figures 2 and 3: states of each row as one bar, its shares written where there is room."""
    states = [state for state in (*STATES, UNRESOLVED) if any(one.value for one in sheet.column(SHORT[state]))]
    names = [f"{_wrapped(row[0])}\nn = {row[1]:,}" for row in sheet.rows]

    def draw(axes: Any) -> None:
        places = _rows(axes, names)
        left = [0.0] * len(names)
        for state in states:
            look = STATE_LOOKS[state]
            values = [one.value or 0.0 for one in sheet.column(SHORT[state])]
            axes.barh(places, values, left=left, height=0.62, color=look.color, hatch=look.hatch, edgecolor="#444444",
                      linewidth=0.6, label=_WORDS[state])
            for place, start, value in zip(places, left, values, strict=True):
                if value >= 0.09:
                    axes.text(start + value / 2, place, f"{value:.0%}", ha="center", va="center", fontsize=8,
                              bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none",
                                    "alpha": 0.85})
            left = [start + value for start, value in zip(left, values, strict=True)]
        for place, one in zip(places, sheet.column("not sufficient"), strict=True):
            if one.value is not None:
                # The states that are not sufficient are the first three, so their share ends where the bars do.
                _whiskers(axes, place + 0.4, one)
                axes.plot([one.value], [place + 0.4], marker="^", color="#1f1f1f", markersize=4, zorder=5,
                          linestyle="none", label="not sufficient, 95%" if place == 0 else None)
        _shares(axes, "share of the cells")
        _legend(axes, len(names), ncols=2)

    found = "; ".join(
        f"{row[0]}: " + ", ".join(f"{_WORDS[state]} {value.value:.1%}" for state in states
                                  if (value := sheet.column(SHORT[state])[place]).value is not None)
        for place, row in enumerate(sheet.rows))
    return _chart(sheet, f"{sheet.title}. Stacked bars. {found}.", 1.6 + 0.52 * len(names), draw)


_WORDS = {"ABSENT": "absent", "PARTIAL": "partial", "CONFLICTING": "conflicting",
          "SUFFICIENT_POS": "sufficient, positive", "SUFFICIENT_NEG": "sufficient, negative", UNRESOLVED: "unresolved"}


def _points(
    sheet: Sheet, names: Sequence[str], series: Sequence[tuple[str, str, str]], axis: str,
    line: tuple[float, str] | None = None,
) -> Chart:
    """Rows of points with intervals: (column, marker, colour) a series, each a little lower than the one before."""
    def draw(axes: Any) -> None:
        places = _rows(axes, names)
        step = 0.5 / max(len(series), 1)
        for number, (column, marker, color) in enumerate(series):
            shift = step * (number - (len(series) - 1) / 2)
            for place, one in zip(places, sheet.column(column), strict=True):
                _whiskers(axes, place + shift, one)
                if one.value is not None:
                    axes.plot([one.value], [place + shift], marker=marker, markersize=6, linestyle="none",
                              markerfacecolor=color, markeredgecolor="#1f1f1f", zorder=5, clip_on=False)
            axes.plot([], [], marker=marker, markersize=6, linestyle="none", markerfacecolor=color,
                      markeredgecolor="#1f1f1f", label=column)
        for place in places:
            if all(sheet.column(column)[place].value is None for column, _, _ in series):
                axes.text(0.01, place, "undefined", fontsize=8, style="italic", va="center")
        if line is not None:
            axes.axvline(line[0], color="#444444", linestyle="--", linewidth=1, label=line[1])
        axes.set_xlim(0, 1)
        axes.set_xlabel(axis)
        _legend(axes, len(names), ncols=2)

    found = "; ".join(
        f"{name.replace(chr(10), ' ')}: " + ", ".join(
            f"{column} {value.value:.3f}" for column, _, _ in series
            if (value := sheet.column(column)[place]).value is not None)
        for place, name in enumerate(names))
    return _chart(sheet, f"{sheet.title}. Points with intervals. {found}.", 1.5 + 0.42 * len(names), draw)


def _conditions(sheet: Sheet) -> list[str]:
    pairs = zip(sheet.column("model"), sheet.column("method"), strict=True)
    return [_wrapped(f"{model} {method}") for model, method in pairs]


def audit_points(sheet: Sheet, share: float | None) -> Chart:
    """Figure 4: UCR and hit caliber by condition; the line is the share of cells that lack sufficient evidence."""
    return _points(sheet, _conditions(sheet), (("UCR", "o", "#0072b2"), ("hit caliber", "D", "#ffffff")), "share",
                   None if share is None else (share, "cells without sufficient evidence"))


def rescored_points(sheet: Sheet) -> Chart:
    """Figure 5 (c): hit caliber by the reference and by people."""
    series = (("by the reference", "o", "#0072b2"), ("by people", "s", "#ffffff"))
    return _points(sheet, _conditions(sheet), series, "hit caliber")


def grouped(sheet: Sheet, rows: str, series: str, share: str, count: str = "cells") -> Chart:
    """Figures 5 (a) and (b): a group of bars a row, one a series, with intervals; the number of cells at its foot."""
    names = list(dict.fromkeys(sheet.column(rows)))
    kinds = list(dict.fromkeys(sheet.column(series)))
    from matplotlib.patches import Rectangle

    held = {(row, kind): (value, n) for row, kind, value, n in zip(
        *(sheet.column(name) for name in (rows, series, share, count)), strict=True)}
    step = 0.8 / len(kinds)

    def draw(axes: Any) -> None:
        _rows(axes, [_WORDS.get(name, _wrapped(name)) for name in names])
        for number, kind in enumerate(kinds):
            look = series_look(number)
            shift = step * (number - (len(kinds) - 1) / 2)
            for place, name in enumerate(names):
                value, n = held.get((name, kind), (Value(None), 0))
                if value.value is not None:
                    axes.barh(place + shift, value.value, height=step * 0.9, color=look.color, hatch=look.hatch,
                              edgecolor="#444444", linewidth=0.6)
                    _whiskers(axes, place + shift, value, step / 4)
                    axes.text(1.02, place + shift, f"n = {n:,}", va="center", fontsize=7, clip_on=False)
            axes.add_patch(Rectangle((0, 0), 0, 0, facecolor=look.color, hatch=look.hatch, edgecolor="#444444",
                                     linewidth=0.6, label=visible(kind)))
        _shares(axes, share)
        _legend(axes, len(names), ncols=2)

    found = "; ".join(f"{row}, {kind}: {value.value:.1%} of {n:,}" for (row, kind), (value, n) in held.items()
                      if value.value is not None)
    height = 1.5 + max(0.42, 0.24 * len(kinds)) * len(names)
    return _chart(sheet, f"{sheet.title}. Bars with intervals. {found}.", height, draw)
