"""Validity of raters' votes for a terminal: by rater and language, with the gate, reasons and what answers cost."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..raters.validity import REASONS, Validity


class Spent(Protocol):
    """What a rater's answers cost; see :class:`evidial_rules.raters.llm.Usage`."""

    asked: int
    attempts: int
    tokens: dict[str, int]


def validity_view(found: Sequence[Validity], usage: Mapping[str, Spent] | None = None) -> list[RenderableType]:
    """The table by rater and language, a table of what the answers cost if that is known, and what the words mean."""
    parts: list[RenderableType] = [validity_table(found)]
    if usage:
        parts.append(usage_table(usage))
    named = {reason: REASONS.get(reason, "a reason of the file's own") for one in found for reason in one.reasons}
    lines = [f"Gate: at least {found[0].threshold:.0%} of a rater's answers valid; timeout, transport and missing are "
             "no answers. contradicts: valid votes in which the judge's own state is not the one that the contract "
             "projects from its frames."] if found else []
    lines += [f"{reason}: {meaning}" for reason, meaning in named.items()]
    parts.append(Text("\n".join(lines)))
    return parts


def validity_table(found: Sequence[Validity]) -> Table:
    """One line for each rater and language."""
    table = Table(title="Validity of votes", title_justify="left")
    table.add_column("rater", overflow="fold")
    table.add_column("language")
    for name in ("votes", "answers", "valid", "share"):
        table.add_column(name, justify="right")
    table.add_column("gate")
    table.add_column("not valid, by reason")
    table.add_column("contradicts", justify="right")
    table.add_column("quotes not found", justify="right")
    before = ""
    for one in found:
        if before and one.rater != before:
            table.add_section()
        reasons = ", ".join(f"{name} {n}" for name, n in one.reasons.items())
        contradicts = "-" if one.contradiction_rate is None else \
            f"{one.contradictions}/{one.stated} {one.contradiction_rate:.1%}"
        table.add_row(
            Text(one.rater if one.rater != before else ""), one.language, str(one.votes), str(one.answers),
            str(one.valid), "-" if one.share is None else f"{one.share:.1%}", "excluded" if one.excluded else "passed",
            reasons or "-", contradicts, f"{one.invalid_frames}/{one.frames + one.invalid_frames}")
        before = one.rater
    return table


def usage_table(usage: Mapping[str, Spent]) -> Table:
    """Requests of this run, and attempts and tokens of every answer that the votes rest on."""
    table = Table(title="Requests and tokens", title_justify="left")
    table.add_column("rater", overflow="fold")
    for name in ("asked now", "attempts", "input tokens", "output tokens"):
        table.add_column(name, justify="right")
    for name, spent in usage.items():
        table.add_row(Text(name), str(spent.asked), str(spent.attempts),
                      *(str(spent.tokens.get(kind, "-")) for kind in ("input", "output")))
    return table
