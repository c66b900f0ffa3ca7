"""Small dialogues for the tests of the pipeline, and two short ways to say what is expected of them.

A dialogue is a list of turns, each with its speaker's letter: "I: Any trouble sleeping?", "P: No.", "F: He sleeps
badly." (interviewer, participant, informant).

In a marked sentence a stretch in brackets is followed by what must be found there: "I'm not [sad]{deny}, but
[tired]{affirm}". In the braces stand a polarity, and if it is so `weak`, `other` or `generic`; or `none` if nothing
may be asserted there.
"""
from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from evidial_rules.contract import Cell, Dialogue, Frame, Turn
from evidial_rules.pipeline.annotator import Annotator

SPEAKERS = {"I": "interviewer", "P": "participant", "F": "informant"}
SHORT = {"POS": "SUFFICIENT_POS", "NEG": "SUFFICIENT_NEG", "PART": "PARTIAL", "CONF": "CONFLICTING", "ABS": "ABSENT"}
_MARK = re.compile(r"\[([^\[\]]*)\]\{([^{}]*)\}")


@lru_cache(maxsize=1)
def annotator() -> Annotator:
    """One judge for all tests: a language's rules are compiled once."""
    return Annotator()


def language_of(turns: list[str]) -> str:
    return "zh" if re.search("[\u4e00-\u9fff]", "".join(turns)) else "en"


def dialogue(*turns: str, instrument: str | None = None, now: date | None = None,
             language: str | None = None) -> Dialogue:
    """PHQ-8 if the turns are English, HAMD-17 if they are Chinese."""
    language = language or language_of(list(turns))
    return Dialogue(
        dialogue_id="d", language=language, instrument=instrument or {"en": "PHQ-8", "zh": "HAMD-17"}[language],
        turns=tuple(Turn(speaker=SPEAKERS[turn[0]], text=turn[2:].strip()) for turn in turns), date=now)


def frames(*turns: str, **more: object) -> tuple[Frame, ...]:
    return annotator().frames(dialogue(*turns, **more))


def cells(*turns: str, **more: object) -> dict[str, Cell]:
    return {cell.dimension: cell for cell in annotator().cells(dialogue(*turns, **more))}


def state(dimension: str, *turns: str, **more: object) -> str:
    return cells(*turns, **more)[dimension].state


def asserted(*turns: str, **more: object) -> list[Frame]:
    """The frames that assert something and were not taken back."""
    return [f for f in frames(*turns, **more) if f.modality == "asserted" and f.withdrawn_by is None]


def said(frame: Frame) -> str:
    """A frame in the words of the braces: "deny", "affirm weak", "affirm other"."""
    weak = ["weak"] if frame.strength == "indicator" else []
    return " ".join([frame.polarity, *weak, *([] if frame.subject == "participant" else [frame.subject])])


def marked(sentence: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The sentence without its marks, and (start, end, what is expected) for each."""
    text, marks, last = "", [], 0
    for m in _MARK.finditer(sentence):
        text += sentence[last:m.start()]
        marks.append((len(text), len(text) + len(m.group(1)), m.group(2)))
        text += m.group(1)
        last = m.end()
    return text + sentence[last:], marks


def found(sentence: str, *, before: tuple[str, ...] = (), **more: object) -> tuple[list[str], list[str]]:
    """(what is expected, what is found) at the marks of a participant's sentence."""
    text, marks = marked(sentence)
    turn = len(before)
    spoken = [f for f in asserted(*before, f"P: {text}", **more) if f.turn == turn]
    expected = [what for *_, what in marks]
    got = []
    for start, end, _ in marks:
        here = {said(f) for f in spoken if f.start < end and start < f.end}
        got.append(", ".join(sorted(here)) or "none")
    return expected, got
