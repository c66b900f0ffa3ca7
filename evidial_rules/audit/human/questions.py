"""What an annotator is shown: the text, the dimension, its components and the window, and nothing else.

This is the only way from the key to what leaves for an annotator. Not shown: reference, labels, votes, scores, ids of
dialogue and participant, source, the instrument's name (sources and instruments go together), the class of an anchor,
and who else annotates.
"""
from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from ...contract import LANGUAGES, Dialogue
from ...errors import shown
from ...raters.llm.prompt import component_line, load_prompt, names, note_lines, today_line
from ...resources import label, load_instrument, load_yaml, resource
from .values import FOUR_STATES, SIDES, Annotation, HumanError, Item, Key, choice_of


class Choice(BaseModel):
    """The words for one answer that can be given."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    label: str
    help: str


class Words(BaseModel):
    """`forms/<language>.yaml`: what a form says in one language."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int
    title: str
    annotator: str
    intro: str
    state_legend: str
    states: dict[str, Choice]
    polarity_legend: str
    polarities: dict[str, Choice]
    rules_title: str
    rules: list[str]
    question_title: str
    dimension: str
    window: str
    components: str
    others: str
    notes: str
    dialogue: str
    turns_help: str
    quotes: str
    no_quotes: str
    add: str
    remove: str
    turn: str
    previous: str
    next: str
    next_open: str
    download: str
    load: str
    item: str
    of: str
    answered: str
    go: str
    is_open: str
    is_done: str
    kept: str
    lost: str
    need_side: str
    done: str
    bad_file: str
    load_differs: str
    answers_title: str
    answers_intro: str
    answer: str
    no_words: str


@functools.lru_cache(maxsize=len(LANGUAGES))
def load_words(language: str) -> Words:
    """The words of a language. Raises :class:`HumanError` for a language without any, or a file that breaks the form.

    >>> load_words("en").states["ABSENT"].label
    'Absent'
    """
    if language not in LANGUAGES:
        raise HumanError(where="language", expected=f"{' or '.join(LANGUAGES)}, found {shown(language)}")
    path = resource("forms", f"{language}.yaml")
    try:
        words = Words.model_validate(load_yaml(path))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise HumanError(where=f"{label(path)}: {'.'.join(map(str, first['loc']))}", expected=first["msg"]) from None
    if tuple(words.states) != FOUR_STATES or tuple(words.polarities) != tuple(SIDES):
        raise HumanError(where=label(path), expected=f"words for {', '.join((*FOUR_STATES, *SIDES))}, in this order")
    return words


@dataclass(frozen=True, slots=True)
class Question:
    """One item as an annotator sees it.

    turns: (who speaks, what is said), in the dialogue's language; everything else is in the form's. answers: of a third
    rater's item the answers that differ, each as (choice, polarity, quotes), in random order.
    """

    item: str
    dimension: str
    window: str
    today: str
    components: tuple[str, ...]
    others: tuple[str, ...]
    notes: tuple[str, ...]
    language: str
    turns: tuple[tuple[str, str], ...]
    answers: tuple[tuple[str, str | None, tuple[str, ...]], ...] = ()


def question(item: Item, dialogue: Dialogue, language: str) -> Question:
    """An item as a question in a language (of the form; the dialogue keeps its own).

    Raises :class:`HumanError` for a dimension that the dialogue's instrument lacks.
    """
    instrument = load_instrument(dialogue.instrument)
    if not instrument.has(item.dimension):
        raise HumanError(where=f"item {item.item}", expected="a dimension that its dialogue's instrument has")
    words, terms = load_words(language), load_prompt(language).terms
    own = instrument.components(item.dimension)
    lines = {name: component_line(name, item.dimension, instrument, terms).removeprefix("- ")
             for name in names(instrument, item.dimension)}
    return Question(
        item.item, terms.dimensions[item.dimension].title,
        words.window.format(days=instrument.window_days, outside=instrument.window_days + 1),
        today_line(dialogue, terms), tuple(lines[name] for name in own),
        tuple(line for name, line in lines.items() if name not in own),
        note_lines(instrument, item.dimension, terms), dialogue.language,
        tuple((terms.speakers[turn.speaker], turn.text) for turn in dialogue.turns))


def dialogues_of(key: Key, dialogues: Iterable[Dialogue]) -> Mapping[str, Dialogue]:
    """The dialogues of a key by id. Raises :class:`HumanError` for one that is not there."""
    wanted = {one.dialogue_id for one in key.items.values()}
    found = {one.dialogue_id: one for one in dialogues if one.dialogue_id in wanted}
    missing = len(wanted) - len(found)
    if missing:
        raise HumanError(where="dialogues", expected=f"every dialogue of the key, {missing} of {len(wanted)} are not "
                                                     "there")
    return found


def language_of(key: Key, dialogues: Mapping[str, Dialogue]) -> str:
    """The language that all dialogues of a key share, else English."""
    found = {dialogues[one.dialogue_id].language for one in key.items.values()}
    return found.pop() if len(found) == 1 else "en"


def questions(
    key: Key, dialogues: Mapping[str, Dialogue], annotator: str, language: str, *,
    differing: Mapping[str, Sequence[Annotation]] | None = None,
) -> tuple[Question, ...]:
    """An annotator's items in an order of their own, which follows from the study and the name.

    differing: for a third rater, the annotations of each item in question; only these items are asked, and both
    answers come with them, without names and shuffled anew for each item.
    """
    load_words(language)
    rng = np.random.default_rng(_seed(key, annotator))
    items = [one for one in key.items.values() if differing is None or one.item in differing]
    out = []
    for place in rng.permutation(len(items)):
        item = items[int(place)]
        asked = question(item, dialogues[item.dialogue_id], language)
        if differing is not None:
            given = differing[item.item]
            shuffled = [given[int(i)] for i in rng.permutation(len(given))]
            asked = Question(*(getattr(asked, name) for name in asked.__slots__[:-1]), answers=tuple(
                (*choice_of(one.state), tuple(quote.quote for quote in one.quotes)) for one in shuffled))
        out.append(asked)
    return tuple(out)


def _seed(key: Key, annotator: str) -> int:
    # The cells go in too: the study's id and the name stand in the form, and an order that these two give could be
    # computed by whoever has it.
    parts = (key.study, annotator, *(part for one in key.items.values() for part in one.cell))
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big")


def words_dict(words: Words) -> dict[str, Any]:
    """The words that a form's script needs."""
    return words.model_dump(exclude={"version", "intro", "rules"})
