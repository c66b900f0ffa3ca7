"""Two runs compared, for a terminal (rich). No words of a dialogue unless asked for."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..contract import Interval
from .diff import OPERATIONS, CellChange, Change, Diff, FrameChange, Key, Run
from .terminal import STATE_STYLES
from .trace import time, visible

TOP_RULES = 20
"""Rules shown, the most frequent first."""
TOP_DIALOGUES = 20
"""Dialogues shown whose cells only one of the runs has, unless every cell is asked for."""
_INVALID = "(no valid vote)"


def diff_view(found: Diff, *, cells: bool = False, quotes: bool = False) -> Iterator[RenderableType]:
    """The summary in parts: versions, states of A by states of B, counts by operation and by rule, lone cells.

    With `cells` each changed cell follows in a line of its own, and every lone cell is listed.
    """
    yield from _heads(found)
    yield Text()
    yield _states(found)
    yield Text()
    share = found.share
    yield Text(f"changed: {len(found.changed)} of {found.compared} cells"
               + ("" if share is None else f" ({share:.1%})"), style="bold")
    if found.changed:
        yield Text()
        yield _operations(found)
        rules = found.rules()
        if rules:
            yield Text()
            yield _rules(found)
            if len(rules) > TOP_RULES:
                yield Text(f"and {len(rules) - TOP_RULES} more", style="dim")
    for name, keys in (("A", found.only_a), ("B", found.only_b)):
        if keys:
            yield Text()
            yield from _lone(name, keys, every=cells)
    if cells and found.changed:
        yield Text()
        for one in found.changed:
            yield cell_line(one, quotes=quotes)


def _heads(found: Diff) -> Iterator[Text]:
    yield _head("A", found.a)
    yield _head("B", found.b)
    for what, one, other in (("contract", found.a.contracts, found.b.contracts),
                             ("rule set", found.a.rulesets, found.b.rulesets),
                             ("choice of the contract's decisions", found.a.choices, found.b.choices)):
        if set(map(str, one)) != set(map(str, other)):
            yield Text(f"the {what} differs", style="bold yellow")
    if found.versions is not None:
        compared = {ident for ident, _ in found.a.cells}.intersection(ident for ident, _ in found.b.cells)
        shares = [one.share or 0.0 for ident, one in found.versions.items() if ident in compared]
        yield Text(f"two versions of {len(shares)} of {len(compared)} dialogues; A has "
                   f"{sum(shares) / len(shares):.1%} of B's words, in the mean" if shares else "no version is aligned")


def _head(letter: str, run: Run) -> Text:
    rules = ", ".join(run.rulesets) or "not stated"
    contracts = ", ".join(map(str, run.contracts)) or "not stated"
    rater = "" if run.rater is None else f" · rater {visible(run.rater)}"
    choices = "".join(f" · {one}" for one in run.choices)
    versions = f" · contract {contracts}{choices} · rule set {visible(rules)} · {len(run.cells)} cells"
    return Text.assemble((f"{letter}  ", "bold"), visible(run.name), rater, (versions, "dim"))


def _table(names: Sequence[str], *, numbers: int) -> Table:
    """A plain table whose last columns hold numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for at, name in enumerate(names):
        table.add_column(name, justify="right" if at >= len(names) - numbers else "left", overflow="fold")
    return table


def _states(found: Diff) -> RenderableType:
    states = found.states()
    table = _table(["A \\ B", *(_INVALID if state is None else state for state in states)], numbers=len(states))
    for a in states:
        places = []
        for b in states:
            count = found.table.get((a, b), 0)
            style = "dim" if a == b or not count else "bold"
            places.append(Text(str(count) if count else "-", style=style))
        table.add_row(_state(a), *places)
    return table


def _state(state: str | None) -> Text:
    return Text(_INVALID) if state is None else Text(state, style=STATE_STYLES[state])


def _operations(found: Diff) -> RenderableType:
    table = _table(["operation", "what differs", "cells", "alone"], numbers=2)
    for one in found.operations():
        frames = one.operation not in ("projection", "unknown", "invalid")
        table.add_row(one.operation, Text(OPERATIONS[one.operation], style="dim"), str(one.cells),
                      str(one.alone) if frames else "")
    return Group(table, Text("alone: by itself it leads from the state in A to that in B", style="dim"))


def _rules(found: Diff) -> RenderableType:
    table = _table(["rule", "cells", "in A", "in B"], numbers=3)
    for one in found.rules()[:TOP_RULES]:
        table.add_row(Text(visible(one.rule)), str(one.cells), str(one.a), str(one.b))
    return table


def _lone(name: str, keys: Sequence[Key], *, every: bool) -> Iterator[Text]:
    dialogues: dict[str, list[str]] = {}
    for ident, dimension in keys:
        dialogues.setdefault(ident, []).append(dimension)
    yield Text(f"only in {name}: {len(keys)} cells of {len(dialogues)} dialogues", style="bold")
    for ident in list(dialogues)[:None if every else TOP_DIALOGUES]:
        yield Text(f"  {visible(ident)}: {', '.join(dialogues[ident])}")
    if not every and len(dialogues) > TOP_DIALOGUES:
        yield Text(f"  and {len(dialogues) - TOP_DIALOGUES} more (--cells lists them)", style="dim")


def cell_line(one: CellChange, *, quotes: bool = False) -> Text:
    """A changed cell in a line: states, operations, and the differences that count."""
    together = " (together)" if one.alone is False and len(one.operations) > 1 else ""
    line = Text.assemble((visible(one.dialogue_id), "bold"), f" {one.dimension}: ", _state(one.a), " -> ",
                         _state(one.b), f"  {' + '.join(one.operations)}{together}")
    said = [words for frame in one.frames for words in _differences(frame, quotes=quotes)]
    return line.append("  ").append("; ".join(said), style="dim") if said else line


def _differences(one: FrameChange, *, quotes: bool) -> Iterable[str]:
    frame = one.frame
    place = f"turn {frame.turn} [{frame.start}:{frame.end}]"
    if quotes:
        place += f" \u201c{visible(frame.quote)}\u201d"
    if one.kind != "changed":
        if one.decisive:
            run = "A" if one.kind == "removed" else "B"
            yield (f"{place} only in {run}: {frame.polarity} {', '.join(frame.components)}, {frame.strength} "
                   f"({_name(one.rule)})")
        return
    for change in one.changes:
        if change.decisive:
            a, b = (_value(change, value, quotes=quotes) for value in (change.a, change.b))
            yield f"{place} {change.attribute} {a} ({_name(change.rule_a)}) -> {b} ({_name(change.rule_b)})"
    if not one.changes:
        for a, b in one.verdicts:
            was, is_now = (f"{visible(verdict.reason)} ({_name(verdict.rule)})" for verdict in (a, b))
            yield f"{place} {a.operation} {was} -> {is_now}"


def _name(rule: str | None) -> str:
    return "no rule" if rule is None else visible(rule)


def _value(change: Change, value: object, *, quotes: bool) -> str:
    if change.attribute == "object":
        return "none" if value is None else f"\u201c{visible(str(value))}\u201d" if quotes else "restricted"
    if isinstance(value, dict):
        return time(Interval(value["from"], value["to"], value["stated"]))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if change.attribute == "withdrawn_by":
        return "standing" if value is None else f"taken back by {'turn ' * isinstance(value, int)}{visible(str(value))}"
    return str(value)
