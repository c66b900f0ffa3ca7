"""Predictions of an audit for a terminal: what they will cost, what became of them, and what they cost."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..contract import STATUSES, Prediction
from ..raters.llm import Forecast
from ..raters.validity import REASONS
from .validity import Spent, usage_table

COUNTED = ("input tokens are estimated: one for four characters of ASCII, one for each other character; answers are "
           "counted at their longest (--max-tokens)")


class Outcomes:
    """Counts predictions by model and method as they are written."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], tuple[Counter[str], Counter[str]]] = {}

    def add(self, prediction: Prediction) -> None:
        """Counts one."""
        statuses, reasons = self._counts.setdefault((prediction.model, prediction.method), (Counter(), Counter()))
        statuses[prediction.status] += 1
        if prediction.status == "failed":
            # A reason is one of a closed list; whatever else there is may hold what was said.
            reasons[prediction.reason if prediction.reason in REASONS else "other"] += 1

    def table(self) -> Table:
        """One line for each model and method: how many cells, and what became of them."""
        table = _table("Predictions", "cells", *STATUSES)
        table.add_column("failed, by reason")
        for (model, method), (statuses, reasons) in self._counts.items():
            table.add_row(Text(model), method, str(statuses.total()), *(str(statuses[name]) for name in STATUSES),
                          ", ".join(f"{name} {n}" for name, n in reasons.most_common()) or "-")
        return table

    def reasons(self) -> tuple[str, ...]:
        """The reasons of failures that came up."""
        found = {name for _, reasons in self._counts.values() for name in reasons}
        return tuple(name for name in (*REASONS, "other") if name in found)


def forecast_view(found: Iterable[Forecast]) -> list[RenderableType]:
    """What will be asked, by model and method, with a sum, and how tokens are counted."""
    rows = list(found)
    table = _table("To be asked", "cells", "kept", "requests", "input tokens", "output tokens")
    for one in rows:
        table.add_row(Text(one.model), one.method, str(one.cells), str(one.answered), str(one.requests),
                      f"~{one.tokens}", f"<={one.output}")
    if len(rows) > 1:
        table.add_section()
        table.add_row("all", "", *(str(sum(getattr(one, name) for one in rows))
                                   for name in ("cells", "answered", "requests")),
                      f"~{sum(one.tokens for one in rows)}", f"<={sum(one.output for one in rows)}")
    return [table, Text(COUNTED)]


def outcome_view(found: Outcomes, usage: Mapping[str, Spent]) -> list[RenderableType]:
    """What became of the predictions, what answers cost (usage: by model and method), and what reasons mean."""
    parts: list[RenderableType] = [found.table()]
    if usage:
        parts.append(usage_table(usage, "model and method"))
    lines: Sequence[str] = [f"{name}: {REASONS.get(name, 'another reason')}" for name in found.reasons()]
    if lines:
        parts.append(Text("\n".join(lines)))
    return parts


def _table(title: str, *figures: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("model", overflow="fold")
    table.add_column("method")
    for name in figures:
        table.add_column(name, justify="right")
    return table
