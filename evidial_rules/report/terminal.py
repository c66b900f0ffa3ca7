"""The trace of one cell, and the table of states, for a terminal (rich).

Dialogue text goes through :class:`rich.text.Text` and :func:`~evidial_rules.report.trace.visible`: neither rich's
mark-up nor a terminal's control sequences in it have any effect.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from . import NOTICE
from .states import StateRow
from .trace import MEANINGS, Trace, counts, cue_says, cue_words, pieces, reason, role, said, visible

STYLES: Mapping[str, str] = {
    "affirm": "bold black on orange1", "deny": "bold black on sky_blue1", "indicator": "black on khaki1",
    "excluded": "strike grey50", "cue": "underline",
}
STATE_STYLES: Mapping[str, str] = {
    "ABSENT": "grey62", "PARTIAL": "yellow", "CONFLICTING": "bold magenta", "SUFFICIENT_POS": "bold orange1",
    "SUFFICIENT_NEG": "bold sky_blue1",
}


def cell_view(trace: Trace) -> RenderableType:
    """The dialogue with marked quotes, the candidates with their verdicts, component coverage, K(u) and state."""
    cell = trace.cell
    head = Text.assemble((visible(cell.dialogue_id), "bold"), " · ", (cell.dimension, "bold"), f" · {trace.window}")
    state = Text.assemble("state ", (cell.state, STATE_STYLES[cell.state]), f"   K(u) = {trace.k}   ",
                          (MEANINGS[cell.state], "italic"))
    return Group(head, Text(), _dialogue(trace), Text(), _title("Candidates and verdicts"), *_candidates(trace), Text(),
                 _title("Component coverage"), _coverage(trace), Text(), state, Text(),
                 Text(trace.provenance, style="dim"), Text(NOTICE, style="italic"))


def _title(words: str) -> Text:
    return Text(words, style="bold underline")


def _dialogue(trace: Trace) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    marks = trace.marks()
    for number, turn in enumerate(trace.dialogue.turns):
        line = Text()
        for piece in pieces(turn.text, marks.get(number, ())):
            words = visible(piece.text)
            if piece.role is None:
                line.append(words)
            else:
                # Brackets as well as colour, so that a mark survives a pipe and a colour-blind reader.
                line.append("[", style="dim").append(words, style=STYLES[piece.role])
                line.append(f"|{piece.label}]", style="dim")
        table.add_row(str(number), turn.speaker, line)
    return table


def _candidates(trace: Trace) -> Iterable[RenderableType]:
    if not trace.cell.frames:
        yield Text("none", style="dim")
    for bound in trace.cell.frames:
        frame = bound.frame
        yield Text.assemble(
            (frame.id, "bold"), f" turn {frame.turn} [{frame.start}:{frame.end}] ",
            (f"\u201c{visible(frame.quote)}\u201d", STYLES[role(bound)]), f" {frame.speaker}")
        yield Padding(Text(said(bound)), (0, 0, 0, 3))
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column()
        table.add_column(style="cyan", overflow="fold")
        for verdict in bound.verdicts:
            sign = Text("kept", style="green") if verdict.kept else Text("excluded", style="red")
            table.add_row(verdict.operation, sign, Text(reason(verdict.reason)), Text(verdict.rule))
        yield Padding(table, (0, 0, 0, 3))
        for cue in frame.cues:
            words = visible(cue_words(cue, trace.dialogue))
            lost = f" (lost to {cue.lost_to})" if cue.lost_to else ""
            line = f"{cue_says(cue)} by {cue.rule}, turn {cue.turn}: \u201c{words}\u201d{lost}"
            yield Padding(Text(line, style="dim"), (0, 0, 0, 3))
        yield Padding(Text(counts(bound), style="italic"), (0, 0, 1, 3))


def _coverage(trace: Trace) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("component", "affirmed", "denied", "indicators"):
        table.add_column(name)
    for row in trace.coverage():
        table.add_row(row.component, *(" ".join(ids) or "-" for ids in (row.affirmed, row.denied, row.indicated)))
    return table


SHORT: Mapping[str, str] = {"ABSENT": "-", "PARTIAL": "PART", "CONFLICTING": "CONF", "SUFFICIENT_POS": "POS",
                            "SUFFICIENT_NEG": "NEG"}
"""Short names of the states, for a table that fits a terminal."""
_HEADS = {"depressed_mood": "mood", "anhedonia": "anhed", "sleep": "sleep", "fatigue": "fatig",
          "appetite_weight": "appet", "psychomotor": "motor", "guilt_worthlessness": "guilt",
          "concentration": "conc", "suicidal_ideation": "suic"}


def states_table(rows: Sequence[StateRow], dimensions: Sequence[str]) -> RenderableType:
    """The states of each dialogue; a cell that differs from gold shows gold after "/"."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("dialogue", no_wrap=True)
    table.add_column("instrument", no_wrap=True)
    for dimension in dimensions:
        table.add_column(_HEADS.get(dimension, dimension), no_wrap=True)
    for row in rows:
        places = []
        for dimension in dimensions:
            state, gold = row.states.get(dimension), row.gold.get(dimension)
            text = Text("" if state is None else SHORT[state], style="" if state is None else STATE_STYLES[state])
            if state is not None and gold is not None and gold != state:
                text.append(f"/{SHORT[gold]}", style="red")
            places.append(text)
        table.add_row(Text(visible(row.dialogue_id)), row.instrument, *places)
    legend = ", ".join(f"{short} {state}" for state, short in SHORT.items())
    legend += "; STATE/GOLD where the two differ; blank: the instrument lacks the dimension"
    parts: list[RenderableType] = [table, Text(), Text(legend, style="dim")]
    judged = [(row.states[d], row.gold[d]) for row in rows for d in row.states if d in row.gold]
    if judged:
        same = sum(state == gold for state, gold in judged)
        parts.append(Text(f"{same} of {len(judged)} cells have the gold state"))
    return Group(*parts)


def console(*, stderr: bool = False) -> Console:
    """A console that is as wide as the terminal, or 120 columns where there is none."""
    import sys

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False,
                   width=None if stream.isatty() else 120)
