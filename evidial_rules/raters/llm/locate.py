"""Where a quote stands in a dialogue: exactly, with another spelling, or nearly (rapidfuzz, the extra `llm`).

A judge is asked for the dialogue's own words, and gives them with a turn's number. Both can be off: the number by a
few, the words by a comma or a letter. A quote that is found nowhere is nobody's, and its frame is no evidence.
"""
from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ...contract import Dialogue

THRESHOLD = 90.0
"""Least similarity of a near match, 0 to 100: rapidfuzz's normalised indel similarity of the quote and the best aligned
part of a turn. At 90 one letter in ten may be missing or added; below it, other sentences begin to match."""
SHORTEST = 8
"""Shortest quote that is looked for nearly, in compared characters (a Chinese character counts twice): in a shorter one
a letter more makes another word."""

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

    The named turn goes before its neighbours, the nearer before the farther, exact before another spelling before a
    near match. An interviewer's words are looked at last: they are no evidence, and the same words may be an answer.

    Raises ModuleNotFoundError without rapidfuzz, and only when nothing but a near match is left.

    >>> from evidial_rules.contract import Turn
    >>> talk = Dialogue(dialogue_id="d", language="en", instrument="PHQ-8", turns=(
    ...     Turn(speaker="interviewer", text="Sleep?"), Turn(speaker="participant", text="I wake at  four, always.")))
    >>> locate("wake at four", 0, talk)
    Place(turn=1, start=2, end=15, how='spelling', moved=True, score=100.0)
    """
    order = sorted(range(len(dialogue.turns)), key=lambda n: (abs(n - turn), n))
    eligible = [n for n in order if dialogue.turns[n].speaker != "interviewer"]
    asked = [n for n in order if dialogue.turns[n].speaker == "interviewer"]
    for numbers in (eligible, asked):
        for find in (_exact, _spelling):
            for number in numbers:
                if (place := find(quote, dialogue.turns[number].text)) is not None:
                    start, end = place
                    return Place(number, start, end, find.__name__[1:], number != turn, 100.0)
        if (near := _near(quote, turn, numbers, dialogue, threshold)) is not None:
            return near
    return None


def _exact(quote: str, text: str) -> tuple[int, int] | None:
    start = text.find(quote)
    return (start, start + len(quote)) if quote.strip() and start >= 0 else None


def _spelling(quote: str, text: str) -> tuple[int, int] | None:
    wanted, _ = _plain(quote)
    wanted = wanted.strip(_EDGES)
    if not wanted:
        return None
    have, places = _plain(text)
    for at in _occurrences(wanted, have):
        # A word that is cut is another word ("ate" in "late"); Chinese has no such edges.
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
    wanted, _ = _plain(quote)
    wanted = wanted.strip(_EDGES)
    if sum(1 if char.isascii() else 2 for char in wanted) < SHORTEST:
        return None
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
            found = fuzz.partial_ratio_alignment(wanted, have, score_cutoff=threshold)
            if found is None:
                continue
            score, start, end = found.score, found.dest_start, found.dest_end
        if score < threshold or start >= end:
            continue
        if best is None or score > best.score:  # of equals the nearest, which came first
            best = Place(number, places[start], places[end - 1] + 1, "near", number != turn, round(float(score), 1))
    return best


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
