"""Scores on perturbation anchors for a terminal: the paper's Table 4 and Table 6, and how the votes spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..anchors.classes import CLASSES, GATE_BOUND, GATE_RATE, MODES, TOO_FEW
from ..anchors.score import AnchorScores, Condition
from ..contract import STATES

GATE = (f"Gate: at least {GATE_RATE:.0%} of a condition's anchors recovered and a 5th percentile of Beta(1 + hits, 1 + "
        f"misses) of at least {GATE_BOUND}, over both languages; under {TOO_FEW} anchors it says \"too few\". An "
        "invalid or missing vote is no hit. P8 counts in F2 and in F6, so the modes are not independent.")


MANY = 3
"""With more raters than this a table has no room for bounds and languages, nor for what a class or mode is."""


MARKS = {True: "✓", False: "-", None: "?"}
"""The gate's word where there is no room: passed, not passed, too few anchors."""


def anchor_view(scores: AnchorScores) -> list[RenderableType]:
    """The tables, in order: modes (Table 4), classes (Table 6), the spread of the votes, and what the gate is."""
    return [mode_table(scores), class_table(scores), spread_table(scores), Text(GATE)]


def verdict(condition: Condition) -> str:
    """The gate's word on a condition."""
    return "too few" if condition.passed is None else "passed" if condition.passed else "-"


def mode_table(scores: AnchorScores) -> Table:
    """Failure modes by rater: hits of anchors, and each language beside them; the last line counts gates passed."""
    table = _table(scores, "Failure modes", ("mode", "failure mode", "classes"))
    for name, mode in MODES.items():
        table.add_row(*_head(scores, name, mode.title, ", ".join(mode.classes)),
                      *(_figures(scores, scores.modes, name, rater) for rater in scores.raters))
    table.add_section()
    table.add_row(*_head(scores, "passed", "modes that pass", ""),
                  *(f"{len(scores.passed(rater))} of {len(MODES)}" for rater in scores.raters))
    table.add_row(*_head(scores, "all", "each anchor once", ""),
                  *("/".join(map(str, scores.total(rater))) for rater in scores.raters))
    return table


def class_table(scores: AnchorScores) -> Table:
    """Classes by rater, with what is changed and the state that must follow."""
    table = _table(scores, "Classes", ("class", "change", "expected", "mode"))
    for name, one in CLASSES.items():
        modes = ", ".join(mode.name for mode in MODES.values() if name in mode.classes)
        table.add_row(*_head(scores, name, one.change, one.expected, modes),
                      *(_figures(scores, scores.classes, name, rater) for rater in scores.raters))
    return table


def _table(scores: AnchorScores, title: str, head: Sequence[str]) -> Table:
    many = len(scores.raters) > MANY
    shown = "hits/anchors, ✓ passed, ? too few" if many else "hits/anchors, lower bound, gate"
    table = Table(title=f"{title} ({shown})", title_justify="left")
    for name in _head(scores, *head):
        table.add_column(name, no_wrap=name == "expected", min_width=6)
    for rater in scores.raters:
        table.add_column(rater, justify="right", no_wrap=many)
    return table


def _head(scores: AnchorScores, name: str, *words: str) -> tuple[str, ...]:
    return (name,) if len(scores.raters) > MANY else (name, *words)


def spread_table(scores: AnchorScores) -> Table:
    """How the valid votes of each class spread over the states, by rater; the expected state is marked with *."""
    table = Table(title="Votes by state (* expected; invalid: no usable vote)", title_justify="left")
    for name in ("class", "rater"):
        table.add_column(name)
    for name in (*STATES, "invalid"):
        table.add_column(name, justify="right")
    for name, one in CLASSES.items():
        for rater in scores.raters:
            condition = scores.classes[name, rater, "all"]
            if condition.n:
                counts = (f"{condition.states[state]}{'*' if state == one.expected else ''}" for state in STATES)
                table.add_row(name, rater, *counts, str(condition.n - condition.valid))
    return table


def _figures(
    scores: AnchorScores, held: Mapping[tuple[str, str, str], Condition], name: str, rater: str,
) -> str:
    whole = held[name, rater, "all"]
    if not whole.n:
        return "-"
    if len(scores.raters) > MANY:
        return f"{whole.hits}/{whole.n} {MARKS[whole.passed]}"
    lines = [f"{whole.hits}/{whole.n} {whole.lower:.2f} {verdict(whole)}"]
    if len(scores.languages) > 2:
        parts = (held[name, rater, language] for language in scores.languages[1:])
        lines.append(", ".join(f"{part.language} {part.hits}/{part.n}" for part in parts if part.n))
    return "\n".join(lines)


def refusals(counted: Iterable[tuple[str, int]]) -> list[str]:
    """One line for each reason why views were not made, the most frequent first."""
    return [f"{n} views not made: {reason}" for reason, n in sorted(counted, key=lambda pair: (-pair[1], pair[0]))]
