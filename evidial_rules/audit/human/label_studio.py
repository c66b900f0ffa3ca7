"""Label Studio: tasks and a labelling configuration out, its JSON export in (one project an annotator).

The dialogue is a `Paragraphs` object, the state and polarity are `Choices`, the quotes `ParagraphLabels`. A region of a
`Paragraphs` object has the number of the paragraph, as text, in `start` and `end`, and in `startOffset` and `endOffset`
offsets as a browser counts them, in UTF-16 units: a character outside the Basic Multilingual Plane takes two of them.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from ...errors import shown
from .questions import Question, Words, load_words
from .values import FIRST, FOUR_STATES, SIDES, HumanError

DIALOGUE, STATE, POLARITY, QUOTES = "dialogue", "state", "polarity", "quotes"
"""The names of the configuration's tags."""
EVIDENCE = "evidence"
"""The label of a quote."""

_DIGITS = re.compile(r"[0-9]{1,9}", re.ASCII)


def labelling_config(language: str, *, third: bool = False) -> str:
    """The configuration (XML) of a project: the same for all its tasks. With `third`, both answers are shown."""
    words = load_words(language)
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Style").text = ".evidial-text { white-space: pre-wrap; }"
    ElementTree.SubElement(view, "Header", value="$question", size="4")
    for name in ("guide", *(["answers"] if third else [])):
        box = ElementTree.SubElement(view, "View", className="evidial-text")
        ElementTree.SubElement(box, "Text", name=name, value=f"${name}", selectionEnabled="false")
    labels = ElementTree.SubElement(view, "ParagraphLabels", name=QUOTES, toName=DIALOGUE)
    ElementTree.SubElement(labels, "Label", value=EVIDENCE, alias=EVIDENCE, background="#ffe58f", hotkey="q")
    ElementTree.SubElement(view, "Paragraphs", name=DIALOGUE, value="$dialogue", layout="dialogue", nameKey="speaker",
                           textKey="text")
    _choices(view, STATE, words.state_legend, {name: words.states[name].label for name in FOUR_STATES},
             words.states, required="true", requiredMessage=words.state_legend)
    _choices(view, POLARITY, words.polarity_legend, {name: words.polarities[name].label for name in SIDES},
             words.polarities, required="true", requiredMessage=words.polarity_legend, visibleWhen="choice-selected",
             whenTagName=STATE, whenChoiceValue="SUFFICIENT")
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def _choices(
    view: ElementTree.Element, name: str, title: str, choices: Mapping[str, str], about: Mapping[str, Any],
    **more: str,
) -> None:
    # A box of its own is what `visibleWhen` hides, with the header in it.
    hidden = {key: more.pop(key) for key in ("visibleWhen", "whenTagName", "whenChoiceValue") if key in more}
    box = ElementTree.SubElement(view, "View", **hidden)
    ElementTree.SubElement(box, "Header", value=title, size="5")
    group = ElementTree.SubElement(box, "Choices", name=name, toName=DIALOGUE, choice="single-radio", **more)
    for value, text in choices.items():
        # The values are the states themselves: what a condition refers to and what is exported is the value, and
        # which of alias and value it is differs between versions.
        ElementTree.SubElement(group, "Choice", value=value, html=f"{text}: {about[value].help}")


def tasks(
    questions: Sequence[Question], *, study: str, annotator: str, language: str, round: int = FIRST,
) -> list[dict[str, Any]]:
    """The tasks of one annotator's project, in their order."""
    words = load_words(language)
    out = []
    for one in questions:
        data: dict[str, Any] = {
            "item": one.item, "study": study, "annotator": annotator, "round": round,
            "question": f"{words.dimension}: {one.dimension}", "guide": _guide(one, words),
            "dialogue": [{"speaker": speaker, "text": text} for speaker, text in one.turns],
        }
        if one.answers:
            data["answers"] = "\n".join([words.answers_title, words.answers_intro, *(
                f"{words.answer} {number}: {words.states[choice].label}"
                + (f": {words.polarities[side].label}" if side else "") + "".join(f"\n  “{quote}”" for quote in quotes)
                for number, (choice, side, quotes) in enumerate(one.answers, 1))])
        out.append({"data": data})
    return out


def _guide(one: Question, words: Words) -> str:
    lines = [one.window, one.today, words.components, *(f"- {line}" for line in one.components)]
    for title, more in ((words.others, one.others), (words.notes, one.notes), (words.rules_title, words.rules)):
        if more:
            lines += [title, *(f"- {line}" for line in more)]
    return "\n".join(lines)


def answers_of(exported: Sequence[Any], where: str) -> list[dict[str, Any]]:
    """The answers of a project's export (JSON, not JSON-MIN), in the form's own shape, one file an annotator:
    `[{"study", "annotator", "round", "units", "answers": [{"item", "state", "polarity", "quotes", "where"}]}]`.

    `units` says that the offsets of the quotes are UTF-16 units, to be turned into code points with the turns at hand.
    A quote's `quote` is what the browser showed as selected, in which white space may differ from the
    dialogue's; None where the project stores no text. Cancelled (skipped) annotations are left out.

    Raises :class:`HumanError` for tasks and results that are not of such a project, two annotations of one task,
    several choices.
    """
    files: dict[tuple[Any, Any, Any], list[dict[str, Any]]] = {}
    for number, task in enumerate(exported, 1):
        place = f"{where}: task {number}"
        data = task.get("data") if isinstance(task, Mapping) else None
        if not isinstance(data, Mapping) or not {"item", "study", "annotator", "round"} <= data.keys():
            raise HumanError(where=place, expected="a task of `evidial human export`, with its data")
        if not isinstance(task.get("annotations"), list):
            raise HumanError(where=place, expected="a list of annotations (the export format JSON, not JSON-MIN)")
        if not all(isinstance(one, Mapping) for one in task["annotations"]):
            raise HumanError(where=place, expected="annotations that are objects")
        given = [one for one in task["annotations"] if not one.get("was_cancelled")]
        if len(given) > 1:
            raise HumanError(where=place, expected=f"one annotation, found {len(given)}: a project has one annotator")
        held = files.setdefault(tuple(_plain(data[name]) for name in ("study", "annotator", "round")), [])
        if given:
            held.append({"item": data["item"], "where": place} | _answer(given[0].get("result"), place))
    return [{"study": study, "annotator": name, "round": number, "units": True, "answers": answers}
            for (study, name, number), answers in files.items()]


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int)) else None


def _answer(result: Any, where: str) -> dict[str, Any]:
    if not isinstance(result, list) or not all(isinstance(one, Mapping) for one in result):
        raise HumanError(where=where, expected="a list of results in the annotation")
    found: dict[str, Any] = {STATE: None, POLARITY: None}
    quotes: list[dict[str, Any]] = []
    for one in result:
        name, value = one.get("from_name"), one.get("value")
        value = value if isinstance(value, Mapping) else {}
        if not isinstance(name, str):
            raise HumanError(where=where, expected=f"the name of a tag in from_name, found {shown(name)}")
        if name in found:
            choices = value.get("choices")
            if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], str) or \
                    found[name] is not None:
                raise HumanError(where=f"{where}: {name}", expected="one choice")
            found[name] = choices[0]
        elif name == QUOTES:
            quotes.append(_region(value, f"{where}: {QUOTES}"))
    if found[STATE] != "SUFFICIENT" and found[POLARITY] in SIDES:
        found[POLARITY] = None  # chosen first, and hidden when the state was changed
    return found | {"quotes": quotes}


def _region(value: Mapping[str, Any], where: str) -> dict[str, Any]:
    numbers = []
    for name in ("start", "end", "startOffset", "endOffset"):
        one = value.get(name)
        if isinstance(one, str) and name in ("start", "end") and _DIGITS.fullmatch(one):
            one = int(one)
        if isinstance(one, bool) or not isinstance(one, int) or one < 0:
            raise HumanError(where=where, expected="start, end, startOffset and endOffset in a region as whole "
                                                   f"numbers, found {name} {shown(one)}")
        numbers.append(one)
    first, last, start, end = numbers
    text = value.get("text")
    return {"turn": first, "last": last, "start": start, "end": end,
            "quote": text if isinstance(text, str) else None}


def code_points(text: str, units: int) -> int | None:
    """The place in code points that an offset in UTF-16 units falls on; None beyond the text and inside a character.

    >>> code_points("a😀b", 3), code_points("a😀b", 2), code_points("ab", 3)
    (2, None, None)
    """
    raw = text.encode("utf-16-le")
    if 2 * units > len(raw):
        return None
    try:
        return len(raw[:2 * units].decode("utf-16-le"))
    except UnicodeDecodeError:
        return None
