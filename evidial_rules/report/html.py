"""The trace of one cell, and the table of states, as web pages of one file each.

The marked dialogue is made with displaCy's entity renderer, fed by hand. Everything that comes from a dialogue or a
rule file is escaped, and the page's own policy forbids scripts and anything from elsewhere.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from .. import __version__
from . import NOTICE
from .states import StateRow
from .trace import MEANINGS, Piece, Trace, counts, cue_says, cue_words, pieces, reason, role, said, visible

COLORS: Mapping[str, str] = {"affirm": "#ffc069", "deny": "#91caff", "indicator": "#ffe58f", "excluded": "#e4e4e4",
                             "cue": "#f5f5f5"}
_MARK = ('<mark class="{role}" style="background: {bg}" title="{title}">{text}<small>{label}</small></mark>')
_CSS = """
body { font: 15px/1.5 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; color: #1f1f1f;
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin-bottom: .2rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
.turn { display: grid; grid-template-columns: 2rem 6.5rem 1fr; margin: .15rem 0; }
.turn .n, .turn .who { color: #767676; } .turn .entities { line-height: 1.9 !important; overflow-wrap: anywhere; }
.interviewer { color: #555; }
mark { padding: .1em .3em; border-radius: .3em; } mark.excluded { text-decoration: line-through; color: #666; }
mark.cue { border-bottom: 2px dotted #888; border-radius: 0; } mark.indicator { border: 1px dashed #b08d00; }
mark small { display: inline-block; text-decoration: none; font-weight: 600; margin-left: .35em; opacity: .75; }
.state { display: inline-block; font-weight: 700; padding: .15em .6em; border-radius: .4em; color: #1f1f1f; }
.ABSENT { background: #e4e4e4; } .PARTIAL { background: #ffe58f; } .CONFLICTING { background: #efb8f0; }
.SUFFICIENT_POS { background: #ffc069; } .SUFFICIENT_NEG { background: #91caff; }
.frame { border-left: 4px solid #ddd; padding: .1rem 0 .1rem .8rem; margin: .9rem 0; } .frame p { margin: .15rem 0; }
.frame.affirm { border-color: #ffc069; } .frame.deny { border-color: #91caff; }
.frame.indicator { border-color: #ffe58f; }
.no { color: #b42318; } .yes { color: #18794e; } code { font-size: .88em; } .dim, footer { color: #666; }
table.states { font-size: .72rem; } table.states td, table.states th { padding: .15rem .35rem .15rem 0; }
table.states td:first-child { white-space: nowrap; } body:has(table.states) { max-width: 90rem; }
.differs { outline: 2px solid #b42318; } .notice { font-style: italic; } .legend mark { margin-right: .8em; }
"""


def cell_page(trace: Trace) -> str:
    """The page of one cell. The same cell gives the same bytes."""
    cell = trace.cell
    title = f"{visible(cell.dialogue_id)} · {cell.dimension}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p>{_badge(cell.state)} K(u) = {escape(trace.k)} · {escape(MEANINGS[cell.state])} '
        f'<span class="dim">({escape(trace.window)})</span></p>',
        f'<p class="notice">{NOTICE}</p>',
        "<h2>Dialogue</h2>", _legend(), *_turns(trace),
        "<h2>Candidates and verdicts</h2>", *(_frames(trace) or ["<p>none</p>"]),
        "<h2>Component coverage</h2>", _coverage(trace),
    ]
    return page(title, body, trace.provenance)


def page(title: str, body: Iterable[str], provenance: str, *, css: str = "") -> str:
    """A whole page around a body that is escaped already; `css` is added to the style of all pages. Images may be in
    the page itself only (data:)."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_CSS}{css}</style></head><body>\n" + "\n".join(body)
        + f'\n<footer><hr><p>{escape(provenance)} · evidial-rules {escape(__version__)}</p>'
        f'<p class="notice">{NOTICE}</p></footer>\n</body></html>\n'
    )


def _badge(state: str) -> str:
    return f'<span class="state {escape(state)}">{escape(state)}</span>'


def _legend() -> str:
    words = {"affirm": "affirms", "deny": "denies", "indicator": "indicator", "excluded": "excluded",
             "cue": "a cue elsewhere"}
    return '<p class="legend">' + "".join(
        f'<mark class="{name}" style="background: {COLORS[name]}">{text}</mark>'
        for name, text in words.items()) + "</p>"


def _turns(trace: Trace) -> list[str]:
    marks = trace.marks()
    language = trace.dialogue.language
    return [
        f'<div class="turn {turn.speaker}"><span class="n">{number}</span><span class="who">{turn.speaker}</span>'
        f'<div lang="{language}">{marked(pieces(turn.text, marks.get(number, ())))}</div></div>'
        for number, turn in enumerate(trace.dialogue.turns)
    ]


def marked(parts: Sequence[Piece]) -> str:
    """One turn through displaCy, its marks as entities; pieces do not overlap, so none hides another."""
    from spacy import displacy

    text = "".join(visible(part.text) for part in parts)
    ents, position = [], 0
    for part in parts:
        end = position + len(part.text)
        if part.role is not None:
            titles = "; ".join(f"{mark.label} {mark.role}" for mark in part.marks)
            ents.append({"start": position, "end": end, "label": escape(part.label),
                         "params": {"role": part.role, "bg": COLORS[part.role], "title": escape(titles)}})
        position = end
    if not ents:
        # displaCy warns of a text without entities, and would do nothing but escape it.
        return f'<div class="entities">{escape(text)}</div>'
    return displacy.render({"text": text, "ents": ents, "title": None}, style="ent", manual=True, jupyter=False,
                           options={"template": _MARK})


def _frames(trace: Trace) -> list[str]:
    out = []
    for bound in trace.cell.frames:
        frame = bound.frame
        verdicts = _rows((
            (escape(v.operation), _sign(v.kept), escape(reason(v.reason)), f"<code>{escape(v.rule)}</code>")
            for v in bound.verdicts), str)
        cues = "".join(
            f'<p class="dim">{escape(cue_says(cue))} by <code>{escape(cue.rule)}</code>, turn {cue.turn}: '
            f"\u201c{escape(visible(cue_words(cue, trace.dialogue)))}\u201d"
            + (f" (lost to <code>{escape(cue.lost_to)}</code>)" if cue.lost_to else "") + "</p>"
            for cue in frame.cues)
        out.append(
            f'<div class="frame {role(bound)}"><p><b>{escape(frame.id)}</b> turn {frame.turn} '
            f"[{frame.start}:{frame.end}] \u201c{escape(visible(frame.quote))}\u201d "
            f'<span class="dim">{escape(frame.speaker)}</span></p><p>{escape(said(bound))}</p>'
            f"{verdicts}{cues}<p><i>{escape(counts(bound))}</i></p></div>")
    return out


def _sign(kept: bool) -> str:
    return '<span class="yes">kept</span>' if kept else '<span class="no">excluded</span>'


def _coverage(trace: Trace) -> str:
    return _rows(((row.component, *(" ".join(ids) or "-" for ids in (row.affirmed, row.denied, row.indicated)))
                  for row in trace.coverage()), escape, ("component", "affirmed", "denied", "indicators"))


def _rows(rows: Iterable[Sequence[str]], clean: Callable[[str], str], head: Sequence[str] = ()) -> str:
    top = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>" if head else ""
    return "<table>" + top + "".join(
        "<tr>" + "".join(f"<td>{clean(value)}</td>" for value in row) + "</tr>" for row in rows) + "</table>"


def states_page(
    rows: Sequence[StateRow], dimensions: Sequence[str], provenance: str, *,
    link: Callable[[str, str], str] | None = None, title: str = "Evidence states",
) -> str:
    """The table of states of many dialogues beside gold. `link` gives the page of a cell."""
    head = "<tr><th>dialogue</th><th>instrument</th>" + "".join(f"<th>{escape(d)}</th>" for d in dimensions) + "</tr>"
    lines = []
    for row in rows:
        places = []
        for dimension in dimensions:
            state, gold = row.states.get(dimension), row.gold.get(dimension)
            if state is None:
                places.append("<td></td>")
                continue
            text = _badge(state)
            if link is not None:
                text = f'<a href="{escape(link(row.dialogue_id, dimension))}">{text}</a>'
            if gold is not None and gold != state:
                text = f'<span class="differs">{text}</span><br>gold {escape(gold)}'
            places.append(f"<td>{text}</td>")
        lines.append(f"<tr><td>{escape(visible(row.dialogue_id))}</td><td>{escape(row.instrument)}</td>"
                     + "".join(places) + "</tr>")
    meanings = "".join(f"<tr><td>{_badge(state)}</td><td>{escape(text)}</td></tr>" for state, text in MEANINGS.items())
    judged = [(row.states[d], row.gold[d]) for row in rows for d in row.states if d in row.gold]
    same = sum(state == gold for state, gold in judged)
    body = [f"<h1>{escape(title)}</h1>", f'<p class="notice">{NOTICE}</p>',
            f"<p>{same} of {len(judged)} cells have the gold state; the others are framed.</p>" if judged else "",
            f'<table class="states">{head}{"".join(lines)}</table>',
            "<h2>What the states say</h2>", f"<table>{meanings}</table>"]
    return page(title, body, provenance)
