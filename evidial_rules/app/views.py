"""The pages: the grid, a cell, a dialogue that is typed. The address says which, so that each can be linked.

`?state=PARTIAL&page=2` is the grid, `?dialogue=ID&dimension=DIM` a cell, `?view=new&dimension=DIM` a typed dialogue.
Words of a dialogue are never part of an address.
"""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from ..contract import DIMENSIONS, LANGUAGES, OPERATIONS, STATES, Cell, Dialogue
from ..errors import EvidialError
from ..report import NOTICE
from ..report.html import badge, cell_body, cell_page, states_table
from ..report.states import StateRow
from ..report.trace import MEANINGS, Trace, visible
from ..resources import instruments
from . import cases
from .editing import LABELS, as_text, edited, moves, typed
from .filters import (
    DISAGREEMENTS,
    NO_SOURCE,
    Filters,
    Found,
    cell_address,
    disagreements,
    find,
    neighbours,
    on_page,
)
from .pane import pane, typing_box
from .serve import FIRST_PAGE
from .workspace import Workspace

_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding: 2.5rem 1.2rem 2rem; }
@media (max-width: 40rem) { [data-testid="stMainBlockContainer"] { padding: 2.5rem .7rem 2rem; } }
@media (min-width: 40.01rem) {
  [data-testid="stColumn"]:has(.st-key-beside) { position: sticky; top: 1rem; align-self: flex-start; }
  .st-key-beside { max-height: 96vh; overflow-y: auto; }
}
</style>"""
_SIGNS = {"raters": "raters", "rules": "votes", "reference": "ref."}
_EXAMPLE = "Interviewer: Any trouble sleeping?\nParticipant: I fall asleep fine, but I wake at three."


def show(workspace: Workspace) -> None:
    """Draws the page that the address names."""
    st.set_page_config(page_title="EviDial cells", layout="wide", initial_sidebar_state="collapsed")
    st.html(_STYLE)
    address = {key: st.query_params.get_all(key) for key in st.query_params}
    filters = Filters.of(address)
    try:
        if "dialogue" in address:
            _cell(workspace, filters, address["dialogue"][0], next(iter(address.get("dimension", ())), ""))
        elif address.get("view") == ["new"]:
            _new(workspace, next(iter(address.get("dimension", ())), "sleep"))
        else:
            _grid(workspace, filters)
    except EvidialError as error:
        st.error(str(error))
    except Exception as error:  # an exception's own text may hold what was said, and Streamlit would log it
        if os.environ.get("EVIDIAL_DEBUG"):
            raise
        st.error(f"unexpected {type(error).__name__}; this is a bug (EVIDIAL_DEBUG=1 shows where)")


def _go(address: Mapping[str, Sequence[str]]) -> None:
    st.query_params.from_dict({key: list(values) for key, values in address.items()})


def _link(address: Mapping[str, Sequence[str]], words: str) -> str:
    return f'<a href="{escape("?" + urlencode(address, doseq=True))}">{escape(words)}</a>'


# -- The grid ----------------------------------------------------------------------------------------------------------


def _grid(workspace: Workspace, filters: Filters) -> None:
    st.header("Evidence states")
    st.caption(NOTICE)
    _ahead(workspace)
    _choose(workspace, filters)
    found = _found(workspace, filters)
    rows, page, pages = on_page(found, filters.page, FIRST_PAGE)
    shown = {row.dialogue.dialogue_id: row for row in rows}
    states = []
    for name, row in shown.items():
        cells = workspace.cells(name)
        states.append(StateRow(name, _about(row.dialogue), {cell.dimension: cell.state for cell in cells},
                               workspace.opinions.gold.get(name, {})))
    dimensions = [one for one in DIMENSIONS if any(one in row.states for row in states)]
    parts = [f"<p>{_summary(workspace, found, filters)}</p>"]
    if rows:
        parts += [
            _pager(filters, page, pages),
            states_table(
                states, dimensions, short=True, link=lambda name, one: cell_address(name, one, filters),
                note=lambda name, one: _note(workspace, shown[name].dialogue, one),
                faded=lambda name, one: one not in shown[name].dimensions),
            _pager(filters, page, pages)]
    parts += ["<h2>What the states say</h2>", _legend()]
    pane("grid", "\n".join(parts), "The cells")


def _found(workspace: Workspace, filters: Filters) -> Found:
    """What passes; kept until other filters are set or more is judged."""
    key = (replace(filters, page=1), workspace.judged)
    held = st.session_state.get("found")
    if held is None or held[0] != key:
        held = st.session_state["found"] = (key, find(workspace, filters))
    return held[1]


def _about(dialogue: Dialogue) -> str:
    return " · ".join(filter(None, (dialogue.instrument, dialogue.source and visible(dialogue.source))))


def _note(workspace: Workspace, dialogue: Dialogue, dimension: str) -> str:
    who = set(disagreements(workspace, dialogue, dimension, workspace.facts(dialogue.dialogue_id)))
    signs = [sign for name, sign in _SIGNS.items() if name in who]
    return f"≠ {', '.join(signs)}" if signs else ""


def _summary(workspace: Workspace, found: Found, filters: Filters) -> str:
    words = f"{_count(found.cells, 'cell')} of {_count(len(found.rows), 'dialogue')}"
    if filters.words:
        words += f", filtered: {'; '.join(filters.words)}"
    if found.waiting:
        words += f" (not judged yet: {_count(found.waiting, 'dialogue')})"
    links = [_link({"view": ["new"]}, "Type a new dialogue")]
    if filters.words:
        links.insert(0, _link({}, "Show all cells"))
    return f"{escape(words)}</p><p>{' · '.join(links)}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _pager(filters: Filters, page: int, pages: int) -> str:
    if pages == 1:
        return ""
    links = [_link(replace(filters, page=number).address(), words) for number, words in
             ((page - 1, "← previous page"), (page + 1, "next page →")) if 1 <= number <= pages]
    return f'<nav aria-label="Pages">page {page} of {pages} {" · ".join(links)}</nav>'


def _legend() -> str:
    rows = "".join(f"<tr><td>{badge(state, short=True)}</td><td>{escape(state)}: {escape(text)}</td></tr>"
                   for state, text in MEANINGS.items())
    signs = ("≠ raters: two raters name different states; ≠ votes: a rater and the rules do; ≠ ref.: a reference and "
             "the rules do; framed, with gold below: gold and the rules do. Faded: the cell does not pass the "
             "filters. Blank: the instrument lacks the dimension.")
    return f'<div class="wide"><table>{rows}</table></div><p>{signs}</p>'


def _choose(workspace: Workspace, filters: Filters) -> None:
    """The widgets of the filters. The address is what holds; they are set to it at each run."""
    many: dict[str, tuple[str, Sequence[str]]] = {
        "state": ("State of the rules", STATES),
        "only": ("Dimension", DIMENSIONS),
        "source": ("Source", sorted({one.source or NO_SOURCE for one in workspace.dialogues.values()})),
        "disagree": ("Who disagrees", tuple(DISAGREEMENTS)),
        "operation": ("Operation that excluded a frame", OPERATIONS),
    }
    single = {"rule": "Rule id, or its beginning", "find": "Part of a dialogue's id"}

    def changed() -> None:
        # Called as well, without a touch, where a click ends the drawing of the page that follows the grid: what is
        # shown next must not be lost for that.
        now = {key: st.query_params.get_all(key) for key in st.query_params}
        chosen = {name: list(st.session_state[f"filter.{name}"]) for name in many}
        wanted = Filters.of(chosen | {name: [st.session_state[f"filter.{name}"]] for name in single})
        if not {"dialogue", "view"} & set(now) and wanted != replace(Filters.of(now), page=1):
            _go(wanted.address())

    with st.expander("Filters"):
        columns = st.columns(3)
        for place, (name, (words, options)) in enumerate(many.items()):
            st.session_state[f"filter.{name}"] = [one for one in getattr(filters, name) if one in options]
            columns[place % 3].multiselect(
                words, options, key=f"filter.{name}", on_change=changed,
                format_func=lambda one, name=name: DISAGREEMENTS[one] if name == "disagree" else visible(one))
        for place, (name, words) in enumerate(single.items()):
            st.session_state[f"filter.{name}"] = getattr(filters, name)
            columns[(place + 2) % 3].text_input(words, key=f"filter.{name}", on_change=changed)


def _ahead(workspace: Workspace) -> None:
    if workspace.failure is not None:
        st.warning(f"Dialogues are judged only when they are looked at: {workspace.failure}")
    elif workspace.ahead:
        _progress(workspace)


@st.fragment(run_every=2)
def _progress(workspace: Workspace) -> None:
    if not workspace.ahead:
        st.rerun(scope="app")
    st.progress(workspace.judged / len(workspace.dialogues),
                f"{workspace.judged} of {len(workspace.dialogues)} dialogues judged; the others can be looked at, and "
                "are not found by filters yet")


# -- A cell ------------------------------------------------------------------------------------------------------------


def _cell(workspace: Workspace, filters: Filters, name: str, dimension: str) -> None:
    dialogue = workspace.dialogues.get(name)
    if dialogue is None or dimension not in workspace.dimensions(dialogue):
        st.error("This address names a cell that the open dialogues do not have.")
        pane("back", _link(filters.address(), "← all cells"), "Navigation")
        return
    texts: dict[int, str] = _edits(name)
    now = edited(dialogue, texts)
    before = workspace.cells(name)
    cells = before if now is dialogue else _judged(workspace, now)
    trace = workspace.trace(now, cells, dimension)
    beside = workspace.opinions.of(dialogue, dimension)
    pane("cell.nav", _navigation(workspace, filters, dialogue, cells, dimension), "Navigation")
    left, right = st.columns([5, 3], gap="large")
    with right, st.container(key="beside"):  # stays in sight beside a long dialogue
        st.subheader("Edit a turn")
        _edit(trace, dialogue, now)
        if now is not dialogue:
            _moved(workspace, dialogue, cells, dimension)
            st.button("Undo all edits", on_click=_undo, args=(name,))
        st.button("Edit the whole dialogue as text", on_click=_as_new, args=(now, dimension))
        _save(now, dimension, trace.cell.state)
        st.download_button("Download this cell as one HTML file", cell_page(trace, beside, workspace.rules),
                           file_name=f"cell.{dimension}.html", mime="text/html", on_click="ignore")
    with left:
        body = cell_body(trace, beside, workspace.rules)
        if now is not dialogue:
            turns = ", ".join(str(number) for number, turn in enumerate(now.turns) if turn != dialogue.turns[number])
            body.insert(1, f"<p><b>Edited: turn {turns}.</b> What others say is of the dialogue as it was.</p>")
        pane("cell", "\n".join([*body, f'<p class="dim">{escape(trace.provenance)}</p>']), "The cell")


def _navigation(
    workspace: Workspace, filters: Filters, dialogue: Dialogue, cells: Sequence[Cell], dimension: str,
) -> str:
    """Links: back, to the cells before and after, to the other cells of the dialogue with their states."""
    name = dialogue.dialogue_id
    found = _found(workspace, filters)
    links = [_link(filters.address(), "← all cells")]
    for key, words in zip(neighbours(found, name, dimension), ("‹ previous cell", "next cell ›"), strict=True):
        if key is not None:
            links.append(f'<a href="{escape(cell_address(*key, filters))}">{words}</a>')
    table = states_table([StateRow.of(dialogue, cells)], [cell.dimension for cell in cells], short=True,
                         link=lambda ident, one: cell_address(ident, one, filters))
    current = f'<a href="{escape(cell_address(name, dimension, filters))}"'
    return f"<nav>{' · '.join(links)}</nav>" + table.replace(current, f'{current} aria-current="page"')


def _edits(name: str) -> dict[int, str]:
    """The edited turns of a dialogue, by number, in this session."""
    return st.session_state.setdefault("edits", {}).setdefault(name, {})


def _undo(name: str) -> None:
    _edits(name).clear()
    st.session_state["undone"] = st.session_state.get("undone", 0) + 1


def _judged(workspace: Workspace, dialogue: Dialogue) -> tuple[Cell, ...]:
    """The cells of an edited or typed dialogue; those of the last one are kept, for the next touch of a widget."""
    held = st.session_state.get("judged")
    if held is None or held[0] != dialogue:
        held = st.session_state["judged"] = (dialogue, workspace.judge(dialogue))
    return held[1]


def _edit(trace: Trace, dialogue: Dialogue, now: Dialogue) -> None:
    name = dialogue.dialogue_id
    if not now.turns:
        st.caption("The dialogue has no turns.")
        return
    # An edit changes which frame is the first, and the words by which the widget knows its choice: neither moves it.
    chosen: dict[str, int] = st.session_state.setdefault("turns", {})
    key = f"turn.{name}.{trace.cell.dimension}"
    turn = chosen.setdefault(key, next((bound.frame.turn for bound in trace.cell.frames), 0))
    st.session_state[key] = turn
    st.selectbox("Turn", range(len(now.turns)), key=key, format_func=lambda number: _turn_words(now, number),
                 on_change=lambda: chosen.update({key: st.session_state[key]}))
    texts = _edits(name)
    # The number of undos is in the key, so that a box that is undone is another box.
    typing_box(f"text.{name}.{turn}.{st.session_state.get('undone', 0)}",
               f"What the {now.turns[turn].speaker} says in turn {turn}", now.turns[turn].text,
               language=dialogue.language, rows=4, on_change=lambda text: texts.update({turn: text}))


def _turn_words(dialogue: Dialogue, number: int) -> str:
    turn = dialogue.turns[number]
    text = visible(turn.text)
    return f"{number} {turn.speaker}: {text if len(text) <= 40 else text[:40] + '…'}"


def _moved(workspace: Workspace, dialogue: Dialogue, cells: Sequence[Cell], dimension: str) -> None:
    """What an edit changed, this cell first."""
    # Cells of a file may be of other rules: both sides are judged by those of today.
    found = moves(dialogue.instrument, _original(workspace, dialogue), cells)
    parts = []
    for move in sorted(found, key=lambda one: one.dimension != dimension):
        frames = ", ".join(f"{_count(count, 'frame')} {kind}" for kind, count in move.frames.items())
        words = f"{badge(move.before)} → {badge(move.after)}" if move.before != move.after else \
            f"{badge(move.after)} as before"
        parts.append(f"<p><b>{escape(move.dimension)}</b> {words}<br>{escape(frames)}"
                     + (f'<br><span class="dim">{escape(move.why)}</span>' if move.why else "") + "</p>")
    if not any(move.dimension == dimension for move in found):
        parts.insert(0, f"<p><b>{escape(dimension)}</b> state and frames as before</p>")
    pane("moved", '<div role="status">' + "".join(parts) + "</div>", "What the edit changed")


def _original(workspace: Workspace, dialogue: Dialogue) -> tuple[Cell, ...]:
    cells = workspace.cells(dialogue.dialogue_id)
    if all(cell.ruleset == workspace.annotator.ruleset for cell in cells):
        return cells
    held = st.session_state.get("original")
    if held is None or held[0] != dialogue:
        held = st.session_state["original"] = (dialogue, workspace.judge(dialogue))
    return held[1]


def _save(dialogue: Dialogue, dimension: str, state: str) -> None:
    st.subheader("Save as a regression case")
    path = st.text_input("File (JSON Lines; made if it is not there)", st.session_state.get("case.file", ""),
                         placeholder="cases.jsonl", key="case.path")
    st.session_state["case.file"] = path
    expected = st.selectbox("State that it must have", STATES, index=STATES.index(state),
                            key=f"case.state.{dialogue.dialogue_id}.{dimension}.{state}")
    if st.button("Save this cell", disabled=not path.strip()):
        try:
            saved = cases.save(path.strip(), dialogue, dimension, expected)
        except EvidialError as error:
            st.error(str(error))
        else:
            what = "Saved" if saved.new else "It was there already"
            st.success(f"{what}: line {saved.line} of {saved.path}, as {saved.case_id}")


# -- A dialogue that is typed ------------------------------------------------------------------------------------------


def _as_new(dialogue: Dialogue, dimension: str) -> None:
    st.session_state["typed"] = {
        "text": as_text(dialogue), "language": dialogue.language, "instrument": dialogue.instrument,
        "date": dialogue.date.isoformat() if dialogue.date else "", "name": dialogue.dialogue_id}
    st.session_state["undone"] = st.session_state.get("undone", 0) + 1
    _go({"view": ["new"], "dimension": [dimension]})


def _new(workspace: Workspace, dimension: str) -> None:
    held: dict[str, Any] = st.session_state.setdefault(
        "typed", {"text": _EXAMPLE, "language": "en", "instrument": instruments()[0], "date": "", "name": "typed"})
    pane("new.nav", f"<nav>{_link({}, '← all cells')}</nav>", "Navigation")
    left, right = st.columns([3, 5], gap="large")
    with left:
        st.subheader("A dialogue of your own")
        known = {"language": LANGUAGES, "instrument": instruments()}
        for name, options in known.items():
            held[name] = st.selectbox(name.capitalize(), options, index=options.index(held[name]))
        held["date"] = st.text_input("Date of the interview (YYYY-MM-DD, may be empty)", held["date"]).strip()
        typing_box(f"typed.{st.session_state.get('undone', 0)}",
                   f"Turns, one a line, each after who speaks ({', '.join(LABELS.values())}) and a colon",
                   held["text"], language=held["language"], rows=14, on_change=lambda text: held.update(text=text))
    with right:
        try:
            dialogue = typed(held["text"], language=held["language"], instrument=held["instrument"],
                             dialogue_id=held["name"], date=held["date"] or None)
        except EvidialError as error:
            st.error(str(error))
            return
        cells = _judged(workspace, dialogue)
        if dimension not in [cell.dimension for cell in cells]:
            dimension = cells[0].dimension
        trace = workspace.trace(dialogue, cells, dimension)
        table = states_table([StateRow.of(dialogue, cells)], [cell.dimension for cell in cells], short=True,
                             link=lambda _, one: "?" + urlencode({"view": "new", "dimension": one}))
        pane("new", "\n".join([table, *cell_body(trace, rules=workspace.rules),
                               f'<p class="dim">{escape(trace.provenance)}</p>']), "The cell")
    with left:
        base = workspace.dialogues.get(held["name"])
        if base is not None and base.instrument == dialogue.instrument:
            st.subheader("Against the dialogue as it was")
            _moved(workspace, base, cells, dimension)
        _save(dialogue, dimension, trace.cell.state)
