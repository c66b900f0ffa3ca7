"""An annotator's form: one HTML file that works offline, keeps answers in the browser and hands them out as JSON.

The page's own policy forbids everything from elsewhere, and names the one style and the one script that it has by their
hashes. What a dialogue says reaches the page as data only.
"""
from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from ...resources import resource
from .questions import Question, load_words, words_dict
from .values import FIRST

FORM = 1
"""The version of the answers that a form hands out."""

_PLACE = re.compile(r"\{\{([a-z_]+)\}\}", re.ASCII)


@functools.lru_cache(maxsize=4)
def _file(name: str) -> str:
    return resource("forms", name).read_text(encoding="utf-8").replace("\r\n", "\n")


def form_page(
    questions: Sequence[Question], *, study: str, annotator: str, language: str, round: int = FIRST,
) -> str:
    """The page of one annotator. The same questions give the same bytes."""
    words = load_words(language)
    style, script = _file("form.css"), _file("form.js")
    values = {
        "language": language, "title": escape(f"{words.title} – {words.annotator} {annotator}"),
        "intro": escape(words.intro), "rules_title": escape(words.rules_title),
        "rules": "".join(f"<li>{escape(rule)}</li>" for rule in words.rules),
        "style": style, "script": script, "style_hash": _hash(style), "script_hash": _hash(script),
        "data": _json(_data(questions, study, annotator, language, round)),
    }
    # In one pass: what is put in is not looked through again.
    return _PLACE.sub(lambda found: values[found[1]], _file("form.html"))


def _data(questions: Sequence[Question], study: str, annotator: str, language: str, round: int) -> dict[str, Any]:
    texts: dict[tuple[tuple[str, str], ...], int] = {}
    items = []
    for one in questions:
        row = asdict(one)
        del row["turns"]
        items.append(row | {"text": texts.setdefault(one.turns, len(texts))})
    return {"study": study, "annotator": annotator, "round": round, "words": words_dict(load_words(language)),
            "texts": list(texts), "items": items}


def _json(value: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
