"""The trace of one cell, and the table of states, as web pages of one file each.

The marked dialogue is made with displaCy's entity renderer, fed by hand. Everything that comes from a dialogue or a
rule file is escaped, and the page's own policy forbids scripts and anything from elsewhere.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from .. import __version__
from . import NOTICE
from .opinions import Beside
from .rulelines import RuleLines
from .states import StateRow
from .tables import SHORT
from .trace import MEANINGS, Piece, Trace, counts, cue_says, cue_words, pieces, reason, role, said, visible

COLORS: Mapping[str, str] = {"affirm": "#ffc069", "deny": "#91caff", "indicator": "#ffe58f", "excluded": "#e4e4e4",
                             "cue": "#f5f5f5"}
_MARK = ('<mark class="{role}" style="background: {bg}" title="{title}">{text}<small>{label}</small></mark>')
CSS = """
.page, body { font: 15px/1.5 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; }
body { color: #1f1f1f; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; } .page { color: #1f1f1f; }
h1 { font-size: 1.4rem; margin-bottom: .2rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
.turn { display: grid; grid-template-columns: 2rem 6.5rem 1fr; margin: .15rem 0; }
.turn .n, .turn .who { color: #767676; } .turn .entities { line-height: 1.9 !important; overflow-wrap: anywhere; }
.interviewer { color: #555; }
mark { padding: .1em .3em; border-radius: .3em; } mark.excluded { text-decoration: line-through; color: #666; }
mark.cue { border-bottom: 2px dotted #888; border-radius: 0; } mark.indicator { border: 1px dashed #b08d00; }
mark small { display: inline-block; text-decoration: none; font-weight: 600; margin-left: .35em; opacity: .75; }
.state { display: inline-block; font-weight: 700; padding: .15em .6em; border-radius: .4em; color: #1f1f1f; }
.ABSENT { background: #e4e4e4; } .PARTIAL { background: #ffe58f; } .CONFLICTING { background: #efb8f0; }
.SUFFICIENT_POS { background: #ffc069; } .SUFFICIENT_NEG { background: #91caff; }
.UNRESOLVED { border: 1px dashed #767676; }
.frame { border-left: 4px solid #ddd; padding: .1rem 0 .1rem .8rem; margin: .9rem 0; } .frame p { margin: .15rem 0; }
.frame.affirm { border-color: #ffc069; } .frame.deny { border-color: #91caff; }
.frame.indicator { border-color: #ffe58f; }
.no { color: #b42318; } .yes { color: #18794e; } code { font-size: .88em; } .dim, footer { color: #666; }
table.states { font-size: .72rem; } table.states td, table.states th { padding: .15rem .35rem .15rem 0; }
table.states th[scope] { white-space: nowrap; font-weight: 400; } body:has(table.states) { max-width: 90rem; }
.differs { outline: 2px solid #b42318; } .notice { font-style: italic; } .legend mark { margin-right: .8em; }
details.rule { margin: .25rem 0; } summary { cursor: pointer; } .at { color: #555; font-size: .85em; }
details.rule pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; background: #f5f5f5; margin: 0;
  padding: .3rem .5rem; }
table.states .note { font-size: .9em; } .faded { opacity: .55; } code { overflow-wrap: anywhere; }
.wide:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid #0b57d0; outline-offset: 1px; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; padding: 0 .6rem; } td, th { padding-right: .5rem; }
  .turn { display: block; margin: .5rem 0; } .turn .n, .turn .who { display: inline-block; margin-right: .5rem; }
  table.verdicts, table.verdicts tbody, table.verdicts tr { display: block; }
  table.states, table.states tbody, table.states tr, table.states th[scope] { display: block; }
  table.states tr.head, table.states td:empty { display: none; } table.states tr { margin: .8rem 0; }
  table.states th[scope] { font-weight: 700; font-size: 1rem; } table.states td { display: inline-block; }
  table.states td[data-of]::before { content: attr(data-of); display: block; font-size: .75rem; color: #555; }
  table.verdicts td { display: inline-block; } table.verdicts td:last-child { display: block; margin-bottom: .4rem; }
}
"""


def cell_page(trace: Trace, beside: Beside | None = None, rules: RuleLines | None = None) -> str:
    """The page of one cell. The same cell gives the same bytes."""
    return page(_cell_title(trace), cell_body(trace, beside, rules), trace.provenance)


def _cell_title(trace: Trace) -> str:
    return f"{visible(trace.cell.dialogue_id)} · {trace.cell.dimension}"


def cell_body(trace: Trace, beside: Beside | None = None, rules: RuleLines | None = None) -> list[str]:
    """What the page of one cell says, as parts of HTML that are escaped already.

    beside: what others say of the cell. rules: where the rules stand; without, ids stand alone.
    """
    cell = trace.cell
    body = [
        f"<h1>{escape(_cell_title(trace))}</h1>",
        f'<p>{badge(cell.state)} K(u) = {escape(trace.k)} · {escape(MEANINGS[cell.state])} '
        f'<span class="dim">({escape(trace.window)})</span></p>',
        f'<p class="notice">{NOTICE}</p>',
    ]
    if beside:
        body += ["<h2>Others on this cell</h2>", _others(beside)]
    body += [
        "<h2>Dialogue</h2>", _legend(), *_turns(trace),
        "<h2>Candidates and verdicts</h2>", *(_frames(trace, rules) or ["<p>none</p>"]),
        "<h2>Component coverage</h2>", _coverage(trace),
    ]
    return body if rules is None else [*body, "<h2>Lines of the rule files</h2>", _rule_lines(trace, rules)]


def page(title: str, body: Iterable[str], provenance: str, *, css: str = "") -> str:
    """A whole page around a body that is escaped already; `css` is added to the style of all pages. Images may be in
    the page itself only (data:)."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{CSS}{css}</style></head><body>\n" + "\n".join(body)
        + f'\n<footer><hr><p>{escape(provenance)} · evidial-rules {escape(__version__)}</p>'
        f'<p class="notice">{NOTICE}</p></footer>\n</body></html>\n'
    )


def badge(state: str, *, short: bool = False) -> str:
    """A state as a coloured word, in its short form if asked for."""
    return f'<span class="state {escape(state)}">{escape(SHORT.get(state, state) if short else state)}</span>'


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
            ents.append({"start": position, "end": end, "label": escape(part.says),
                         "params": {"role": part.role, "bg": COLORS[part.role], "title": escape(titles)}})
        position = end
    if not ents:
        # displaCy warns of a text without entities, and would do nothing but escape it.
        return f'<div class="entities">{escape(text)}</div>'
    return displacy.render({"text": text, "ents": ents, "title": None}, style="ent", manual=True, jupyter=False,
                           options={"template": _MARK})


def _frames(trace: Trace, rules: RuleLines | None) -> list[str]:
    out = []
    for bound in trace.cell.frames:
        frame = bound.frame
        verdicts = _rows((
            (escape(v.operation), _sign(v.kept), escape(reason(v.reason)), _rule(v.rule, rules))
            for v in bound.verdicts), str, kind="verdicts")
        cues = "".join(
            f'<div class="dim">{escape(cue_says(cue))} by {_rule(cue.rule, rules)}, turn {cue.turn}: '
            f"\u201c{escape(visible(cue_words(cue, trace.dialogue)))}\u201d"
            + (f" (lost to {_rule(cue.lost_to, rules)})" if cue.lost_to else "") + "</div>"
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


def _rule(rule: str, rules: RuleLines | None) -> str:
    """A rule's id with the file and line of each of its parts."""
    places = () if rules is None else rules.of(rule)
    return f"<code>{escape(rule)}</code>" + "".join(f' <span class="at">{escape(one.where)}</span>' for one in places)


def _rule_lines(trace: Trace, rules: RuleLines) -> str:
    """The lines of the rule files behind the cell, each rule once, folded."""
    names = [name for bound in trace.cell.frames
             for name in (*(v.rule for v in bound.verdicts), *(cue.rule for cue in bound.frame.cues))]
    places = dict.fromkeys(place for name in names for place in rules.of(name))
    return "".join(
        f'<details class="rule"><summary><code>{escape(one.rule)}</code> <span class="at">{escape(one.where)}</span>'
        f"</summary><pre>{escape(visible_lines(one.text))}</pre></details>" for one in places) or "<p>none</p>"


def visible_lines(text: str) -> str:
    """Like :func:`~evidial_rules.report.trace.visible`, but a line's end stays one."""
    return "\n".join(map(visible, text.split("\n")))


def _others(beside: Beside) -> str:
    """Each rater's vote, each reference, gold and label, one a row."""
    rows = []
    for vote in beside.votes:
        says = badge(vote.state) if vote.valid and vote.state is not None else "no valid vote"
        more = [] if vote.reason is None else [f"reason: {visible(vote.reason)}"]
        if vote.stated is not None and vote.stated != vote.state:
            more.append(f"itself said {vote.stated}")
        if vote.frames:
            more.append(f"{sum(bound.kept for bound in vote.frames)} of {len(vote.frames)} frames kept")
        if vote.invalid_frames:
            more.append(f"{vote.invalid_frames} quotes that are not in the dialogue")
        rows.append((f"rater {escape(visible(vote.rater))}", says, escape("; ".join(more))))
    for one in beside.references:
        more = [*(f"{state} {p:.2f}" for state, p in one.posterior.items() if p >= 0.005),
                f"entropy {one.entropy:.2f} nats", f"{one.raters} raters"]
        rows.append((f"reference {escape(visible(one.method))}", badge(one.state), escape("; ".join(more))))
    if beside.gold is not None:
        rows.append(("gold", badge(beside.gold), ""))
    if beside.score is not None:
        rows.append(("label of the dialogue", escape(f"{beside.score:g}"), "sum of the native items"))
    note = "<p>The raters disagree.</p>" if beside.disagree else ""
    return note + _rows(rows, str, ("whose", "state", ""))


def _rows(
    rows: Iterable[Sequence[str]], clean: Callable[[str], str], head: Sequence[str] = (), *, kind: str = "",
) -> str:
    top = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>" if head else ""
    opening = f'<table class="{kind}">' if kind else "<table>"
    return '<div class="wide">' + opening + top + "".join(
        "<tr>" + "".join(f"<td>{clean(value)}</td>" for value in row) + "</tr>" for row in rows) + "</table></div>"


def states_table(
    rows: Iterable[StateRow], dimensions: Sequence[str], *, link: Callable[[str, str], str] | None = None,
    note: Callable[[str, str], str] | None = None, faded: Callable[[str, str], bool] | None = None,
    short: bool = False,
) -> str:
    """The table of states of many dialogues beside gold, as HTML.

    Each of the functions takes a dialogue's id and a dimension. link: the page of a cell. note: a word below its state.
    faded: whether it is to stand back.
    """
    heads = {d: escape(d.replace("_", " ") if short else d) for d in dimensions}
    head = '<tr class="head"><th>dialogue</th><th>instrument</th>' + "".join(
        f"<th>{words}</th>" for words in heads.values()) + "</tr>"
    lines = []
    for row in rows:
        places = []
        for dimension in dimensions:
            state, gold = row.states.get(dimension), row.gold.get(dimension)
            if state is None:
                places.append("<td></td>")
                continue
            text = badge(state, short=short)
            if link is not None:
                name = f"{row.dialogue_id}, {dimension}: {state}"
                text = (f'<a href="{escape(link(row.dialogue_id, dimension))}" title="{escape(visible(name))}">'
                        f"{text}</a>")
            if gold is not None and gold != state:
                gold_name = SHORT[gold] if short else gold
                text = f'<span class="differs">{text}</span><br>gold {escape(gold_name)}'
            if note is not None and (words := note(row.dialogue_id, dimension)):
                text += f'<br><span class="note">{escape(words)}</span>'
            back = faded is not None and faded(row.dialogue_id, dimension)
            kind = ' class="faded"' if back else ""
            places.append(f'<td{kind} data-of="{heads[dimension]}">{text}</td>')  # where there is no room for heads
        lines.append(f'<tr><th scope="row">{escape(visible(row.dialogue_id))}</th><td>{escape(row.instrument)}</td>'
                     + "".join(places) + "</tr>")
    return f'<div class="wide" tabindex="0"><table class="states">{head}{"".join(lines)}</table></div>'


def states_page(
    rows: Sequence[StateRow], dimensions: Sequence[str], provenance: str, *,
    link: Callable[[str, str], str] | None = None, title: str = "Evidence states",
) -> str:
    """The table of states of many dialogues beside gold. `link` gives the page of a cell."""
    meanings = "".join(f"<tr><td>{badge(state)}</td><td>{escape(text)}</td></tr>" for state, text in MEANINGS.items())
    judged = [(row.states[d], row.gold[d]) for row in rows for d in row.states if d in row.gold]
    same = sum(state == gold for state, gold in judged)
    body = [f"<h1>{escape(title)}</h1>", f'<p class="notice">{NOTICE}</p>',
            f"<p>{same} of {len(judged)} cells have the gold state; the others are framed.</p>" if judged else "",
            states_table(rows, dimensions, link=link),
            "<h2>What the states say</h2>", f"<table>{meanings}</table>"]
    return page(title, body, provenance)
