"""Where a quote stands in a dialogue: exactly, with another spelling, or nearly (rapidfuzz, the extra `llm`).

A judge is asked for the dialogue's own words, and gives them with a turn's number. Both can be off: the number by a
few, the words by a comma or a letter. A quote that is found nowhere is nobody's, and its frame is no evidence.
"""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ...contract import Dialogue

THRESHOLD = 90.0
"""Least similarity of a near match, 0 to 100: rapidfuzz's normalised indel similarity of the quote and the best aligned
part of a turn. At 90 about one letter in ten may be another; below it, other sentences begin to match."""
SLACK = 8.0
"""So much lower may the similarity be before the edges of the aligned part are set right."""
SHORTEST = 8
"""Shortest quote that is looked for nearly, in compared characters (a Chinese character counts twice): in a shorter one
a letter more makes another word."""
SHORT_REACH = 2
"""So many turns around the named one are searched for a quote that short ("No."), which stands in many a turn."""

_SAME = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u300c": '"', "\u300d": '"',
    "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-", "\u2026": ".", "\u3002": ".", "\uff61": ".",
    "\u3001": ",",
})
_EDGES = " \t\r\n'\".,;:!?-"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands: turn, and code points in its text, half-open. `how` is `exact`, `spelling` (width, case,
    quotation marks, white space) or `near`; `moved` says that it is another turn than the judge named; `score` is the
    similarity, 0 to 100."""

    turn: int
    start: int
    end: int
    how: str
    moved: bool
    score: float


def locate(quote: str, turn: int, dialogue: Dialogue, *, threshold: float = THRESHOLD) -> Place | None:
    """Where the quote stands; None if it is nowhere.

    First the named turn, whoever speaks there; then the others, the nearer before the farther, exact before another
    spelling before a near match. Other turns of an interviewer are looked at last: their words are no evidence.

    Raises ModuleNotFoundError without rapidfuzz, and only when nothing but a near match is left.

    >>> from evidial_rules.contract import Turn
    >>> talk = Dialogue(dialogue_id="d", language="en", instrument="PHQ-8", turns=(
    ...     Turn(speaker="interviewer", text="Sleep?"), Turn(speaker="participant", text="I wake at  four, always.")))
    >>> locate("wake at four", 0, talk)
    Place(turn=1, start=2, end=15, how='spelling', moved=True, score=100.0)
    """
    if not _plain(quote)[0].strip(_EDGES):
        return None
    order = sorted(range(len(dialogue.turns)), key=lambda n: (abs(n - turn), n))
    if 0 <= turn < len(order):
        text = dialogue.turns[turn].text
        if (place := _literal(quote, turn, [turn], dialogue)) is not None:
            return place
        if (start := text.find(quote)) >= 0:  # a word that the judge cut, in the turn that it named
            return Place(turn, start, start + len(quote), "exact", False, 100.0)
    if _size(quote) < SHORTEST:
        order = [number for number in order if abs(number - turn) <= SHORT_REACH]
    for asks in (False, True):
        numbers = [n for n in order if (dialogue.turns[n].speaker == "interviewer") is asks]
        place = _literal(quote, turn, numbers, dialogue) or _near(quote, turn, numbers, dialogue, threshold)
        if place is not None:
            return place
    return None


def _size(quote: str) -> int:
    """Compared characters; a Chinese one counts twice."""
    return sum(1 if char.isascii() else 2 for char in _plain(quote)[0].strip(_EDGES))


def _literal(quote: str, turn: int, numbers: list[int], dialogue: Dialogue) -> Place | None:
    for how, find in (("exact", _exact), ("spelling", _spelling)):
        for number in numbers:
            if (found := find(quote, dialogue.turns[number].text)) is not None:
                return Place(number, *found, how, number != turn, 100.0)
    return None


def _exact(quote: str, text: str) -> tuple[int, int] | None:
    for at in _occurrences(quote, text):
        # A word that is cut is another word ("ate" in "late"); Chinese has no such edges.
        if _edge(text, at) and _edge(text, at + len(quote)):
            return at, at + len(quote)
    return None


def _spelling(quote: str, text: str) -> tuple[int, int] | None:
    wanted, _ = _plain(quote)
    wanted = wanted.strip(_EDGES)
    have, places = _plain(text)
    for at in _occurrences(wanted, have):
        if _edge(have, at) and _edge(have, at + len(wanted)):
            return places[at], places[at + len(wanted) - 1] + 1
    return None


def _occurrences(wanted: str, have: str) -> Iterator[int]:
    at = have.find(wanted)
    while at >= 0:
        yield at
        at = have.find(wanted, at + 1)


def _edge(text: str, at: int) -> bool:
    if at == 0 or at == len(text):
        return True
    one, other = text[at - 1], text[at]
    return not (one.isascii() and other.isascii() and one.isalnum() and other.isalnum())


def _near(quote: str, turn: int, numbers: list[int], dialogue: Dialogue, threshold: float) -> Place | None:
    if _size(quote) < SHORTEST:
        return None
    wanted = _plain(quote)[0].strip(_EDGES)
    from rapidfuzz import fuzz

    best: Place | None = None
    for number in numbers:
        have, places = _plain(dialogue.turns[number].text)
        if not have:
            continue
        if len(have) <= len(wanted):
            # The best aligned part would be of the quote, and "No." would be a part of anything that holds it.
            score, start, end = fuzz.ratio(wanted, have, score_cutoff=threshold), 0, len(have)
        else:
            found = fuzz.partial_ratio_alignment(wanted, have, score_cutoff=max(0.0, threshold - SLACK))
            if found is None:
                continue
            # The aligned part is as long as the quote: where the quote has a letter too many, one too many is in it.
            score, start, end = max((fuzz.ratio(wanted, have[a:b]), a, b)
                                    for a in range(found.dest_start, found.dest_start + 3)
                                    for b in range(found.dest_end, found.dest_end - 3, -1) if a < b)
        if score < threshold or start >= end or _negations(wanted) != _negations(have[start:end]):
            continue
        if best is None or score > best.score:  # of equals the nearest, which came first
            best = Place(number, places[start], places[end - 1] + 1, "near", number != turn, round(float(score), 1))
    return best


_NEGATION = re.compile(r"n't\b|\b(?:not|no|never|none|nothing|nobody|without|cannot|hardly)\b|[不没无未别]")


def _negations(text: str) -> int:
    """How often a text negates: "I can sleep" is three letters from "I can't sleep", and is not those words."""
    return len(_NEGATION.findall(text))


@lru_cache(maxsize=4096)
def _plain(text: str) -> tuple[str, tuple[int, ...]]:
    """The text as it is compared, and for each of its characters the code point of the text that it came from."""
    out: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        for plain in unicodedata.normalize("NFKC", char).casefold().translate(_SAME):
            if plain.isspace():
                if not out or out[-1] == " ":
                    continue
                plain = " "
            out.append(plain)
            places.append(at)
    return "".join(out), tuple(places)
