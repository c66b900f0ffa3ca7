"""Answers in: forms' JSON and Label Studio's exports, checked against the key and the text; nothing of a bad file is
taken.

Whatever is wrong is an error before anything is merged. Error messages hold ids and numbers, and nobody's words.
"""
from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...contract import Dialogue
from ...corpora.files import Twice, name_of, once, open_binary
from ...errors import FileFormatError, shown
from .consensus import by_item, differing, settled
from .form import FORM
from .label_studio import answers_of, code_points
from .values import (
    FIRST,
    THIRD,
    Annotation,
    HumanError,
    Key,
    Quote,
    annotator_name,
    check_quotes,
    enter,
    is_round,
    quotes_of,
    state_of,
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What one annotator handed in. items: how many they were asked; missing: those without an answer; without_quote:
    answers other than ABSENT that no words were chosen for."""

    annotator: str
    round: int
    items: int
    answered: int
    without_quote: int

    @property
    def missing(self) -> int:
        """Items without an answer."""
        return self.items - self.answered


def read_answers(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The answers of a file, or of standard input ("-"), in the form's own shape, whichever of the two it is.

    Raises :class:`~evidial_rules.errors.FileFormatError` for a file that is no JSON, :class:`HumanError` for one that
    is neither a form's nor a Label Studio export.
    """
    label = name_of(path)
    try:
        with open_binary(path, label) as stream:
            data = json.loads(stream.read().decode("utf-8-sig"), object_pairs_hook=once)
    except OSError as error:
        raise FileFormatError(where=label, expected=f"a file that can be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise FileFormatError(where=label, expected="UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise FileFormatError(where=f"{label}:{error.lineno}", expected="JSON, found it broken") from None
    except Twice:
        raise FileFormatError(where=label, expected="JSON objects with each key once") from None
    except (RecursionError, ValueError):
        raise FileFormatError(where=label, expected="JSON") from None
    if isinstance(data, list):
        return answers_of(data, label)
    if isinstance(data, Mapping) and "form" in data:
        if type(data["form"]) is not int or data["form"] != FORM:
            raise HumanError(where=f"{label}: form", expected=f"{FORM}, found {shown(data['form'])}")
        if not isinstance(data.get("answers"), list):
            raise HumanError(where=f"{label}: answers", expected="a list")
        answers = []
        for number, one in enumerate(data["answers"], 1):
            where = f"{label}: answer {number}"
            if not isinstance(one, Mapping):
                raise HumanError(where=where, expected=f"an object, found {shown(one)}")
            answers.append(dict(one) | {"where": where})
        return [dict(data) | {"units": False, "answers": answers}]
    raise HumanError(where=label, expected="the answers of a form, or a Label Studio export (JSON)")


def import_answers(
    paths: Iterable[str | os.PathLike[str]], key: Key, dialogues: Mapping[str, Dialogue],
    earlier: Sequence[Annotation] = (),
) -> tuple[tuple[Annotation, ...], tuple[Imported, ...]]:
    """The annotations of all files together with earlier ones, in the key's order by annotator, and what each file's
    annotator handed in.

    dialogues: those of the key, by id. An answer of the third round has to be on an item that the first round left
    differing.

    Raises :class:`HumanError` for answers of another study or on other items, an unknown state, two labels of one
    annotator on an item (in one file, over the files, or in an earlier import), a third rater who has annotated before,
    names that differ by case alone, and quotes that the dialogue does not have.
    """
    held: dict[tuple[str, str], Annotation] = {(one.annotator, one.item): one for one in earlier}
    annotators: dict[str, tuple[str, int]] = {}
    for one in earlier:
        enter(annotators, one.annotator, one.round, "earlier annotations")
    new: list[Annotation] = []
    handed: dict[str, int] = {}
    for path in paths:
        label = name_of(path)
        for file in read_answers(path):
            if file.get("study") != key.study:
                raise HumanError(where=f"{label}: study", expected="the key's study: these are answers on other cells")
            name = annotator_name(file.get("annotator"), f"{label}: annotator")
            round = file.get("round")
            if not is_round(round):
                raise HumanError(where=f"{label}: round", expected=f"{FIRST} or {THIRD}, found {shown(round)}")
            enter(annotators, name, round, f"{label}: annotator")
            handed.setdefault(name, round)
            for answer in file["answers"]:
                one = _annotation(answer, key, dialogues, name, round, file["units"])
                if (name, one.item) in held:
                    raise HumanError(where=answer["where"],
                                     expected=f"one label of {name} on {one.item}, found two")
                held[name, one.item] = one
                new.append(one)
    if not handed:
        raise HumanError(where="files", expected="answers, found none")
    asked = differing([one for one in held.values() if one.round == FIRST])
    for one in new:
        if one.round == THIRD and one.item not in asked:
            raise HumanError(where=f"third rater {one.annotator}",
                             expected=f"items on which the annotators differ, found {one.item} (the earlier "
                                      "annotations have to be given)")
    counted = Counter(one.annotator for one in new)
    bare = Counter(one.annotator for one in new if one.state != "ABSENT" and not one.quotes)
    before = by_item(earlier)
    order = {item: place for place, item in enumerate(key.items)}
    merged = sorted(held.values(), key=lambda one: (one.round, one.annotator, order[one.item]))
    return tuple(merged), tuple(
        Imported(name, round, len(key.items) if round == FIRST else _asked(name, asked, before, held), counted[name],
                 bare[name])
        for name, round in handed.items())


def _asked(
    name: str, differ: Iterable[str], before: Mapping[str, Sequence[Annotation]],
    held: Mapping[tuple[str, str], Annotation],
) -> int:
    """How many items a third rater has or had to judge: what differs, less what others had settled before."""
    return sum((name, item) in held or not settled(before.get(item, ())) for item in differ)


def _annotation(
    answer: Mapping[str, Any], key: Key, dialogues: Mapping[str, Dialogue], name: str, round: int, units: bool,
) -> Annotation:
    where = answer["where"]
    item = key.items.get(answer["item"]) if isinstance(answer.get("item"), str) else None
    if item is None:
        raise HumanError(where=where, expected=f"an item of the key, found {shown(answer.get('item'))}")
    where = f"{where} ({item.item})"
    state = state_of(answer.get("state"), answer.get("polarity"), where)
    given = answer.get("quotes", [])
    talk = dialogues[item.dialogue_id]
    if units:
        quotes = tuple(quote for number, one in enumerate(given, 1)
                       for quote in _from_units(one, talk, f"{where}: quote {number}"))
    else:
        quotes = quotes_of(given, f"{where}: quotes")
    check_quotes(quotes, talk, where)
    return Annotation(key.study, item.item, *item.cell, name, state, quotes, round)


def _from_units(region: Mapping[str, Any], talk: Dialogue, where: str) -> list[Quote]:
    """A region in UTF-16 units as quotes in code points, one a turn. What it shows as selected has to be there."""
    first, last = region["turn"], region["last"]
    if not first <= last < len(talk.turns):
        raise HumanError(where=where, expected=f"turns of the dialogue, found {first} to {last}")
    parts = []
    for turn in range(first, last + 1):
        text = talk.turns[turn].text
        start = code_points(text, region["start"]) if turn == first else 0
        end = code_points(text, region["end"]) if turn == last else len(text)
        if start is None or end is None or start > end:
            raise HumanError(where=where, expected=f"offsets in UTF-16 units inside turn {turn}")
        if start < end:
            parts.append(Quote(turn, start, end, text[start:end]))
    # A browser's selection may show white space otherwise than the text has it.
    if region["quote"] is not None and _letters(region["quote"]) != _letters("".join(one.quote for one in parts)):
        raise HumanError(where=where, expected=f"the words of turn {first} from {region['start']} (in UTF-16 units)")
    return parts


def _letters(text: str) -> str:
    return "".join(text.split())
