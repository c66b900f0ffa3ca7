"""Two small components: HTML whose links stay inside the session, and a text box that tells what is typed at once.

Streamlit's own table cannot hold links that open in the same session, and its text area tells nothing before the
focus leaves it. Both run in a shadow root, so that the page of a cell looks as `evidial explain --html` writes it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from ..report.html import CSS

_PANE = """
export default function({ parentElement, data }) {
  const root = parentElement.querySelector(".page");
  if (root.dataset.shown !== data.html) {
    root.innerHTML = data.html;
    root.dataset.shown = data.html;
  }
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", data.label);
  root.onclick = (event) => {
    const link = event.target.closest("a[href^='?']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    const address = new URL(link.getAttribute("href"), window.location.href);
    window.history.pushState(null, "", address.search ? address : address.pathname);
    window.dispatchEvent(new PopStateEvent("popstate"));
  };
}
"""
_TYPING = """
export default function({ parentElement, data, setStateValue }) {
  const label = parentElement.querySelector("label");
  const box = parentElement.querySelector("textarea");
  label.children[0].textContent = data.label;
  box.lang = data.lang;
  box.rows = data.rows;
  if (parentElement.activeElement !== box && box.value !== data.value) box.value = data.value;
  let waiting = null;
  const tell = () => { clearTimeout(waiting); waiting = null; setStateValue("text", box.value); };
  box.oninput = () => { clearTimeout(waiting); waiting = setTimeout(tell, 200); };
  box.onblur = () => { if (waiting !== null) tell(); };
}
"""
_TYPING_CSS = """
label { display: block; font: 14px/1.4 system-ui, sans-serif; color: #1f1f1f; }
textarea { display: block; width: 100%; box-sizing: border-box; margin-top: .3rem; padding: .5rem; resize: vertical;
  font: 15px/1.5 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; color: #1f1f1f;
  background: #fff; border: 1px solid #767676; border-radius: .4rem; }
textarea:focus-visible { outline: 2px solid #0b57d0; outline-offset: 1px; }
"""
_PANE_CSS = CSS + """
h1 { margin-top: 0; } nav a { display: inline-block; padding: .35rem .6rem .35rem 0; } a { color: #0b57d0; }
table.states { font-size: .85rem; } table.states a { text-decoration: none; display: inline-block; }
table.states [aria-current] { outline: 3px solid #1f1f1f; border-radius: .4em; }
"""

_pane = st.components.v2.component("evidial_rules.pane", html='<div class="page"></div>', css=_PANE_CSS, js=_PANE)
_typing = st.components.v2.component("evidial_rules.typing", html="<label><span></span><textarea></textarea></label>",
                                     css=_TYPING_CSS, js=_TYPING)


def pane(key: str, html: str, label: str) -> None:
    """Shows HTML, escaped already. A link to another query of this page changes the address inside the session, as the
    browser's own back and forward do; opened in a new tab it is a plain link."""
    # Not through the component's state: a click on a page that is being replaced would be lost with the component.
    _pane(key=key, data={"html": html, "label": label})


def typing_box(
    key: str, label: str, value: str, *, language: str, rows: int, on_change: Callable[[str], Any],
) -> None:
    """A text box. `on_change` gets the words while they are typed, a fifth of a second after the last key."""

    def told() -> None:
        text = (st.session_state.get(key) or {}).get("text")  # nothing where the page was left meanwhile
        if isinstance(text, str):
            on_change(text)

    _typing(key=key, data={"label": label, "value": value, "lang": language, "rows": rows}, on_text_change=told)
