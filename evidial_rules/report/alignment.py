"""Two versions of one transcript, raw and reformatted: where a passage of one stands in the other.

Pure. Versions differ in punctuation, case, cuts between turns and speakers; what they share are the words in their
order. Those are aligned (:class:`difflib.SequenceMatcher`, from the standard library), and spans follow them.
"""
from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ..contract import Dialogue

Span = tuple[int, int, int]
"""Turn from 0, start and end in code points of its text."""

# A run of letters and digits; characters that are written without spaces stand alone.
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a transcript in order, each with its place."""

    keys: tuple[str, ...]
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Words:
        found = [(match.group(), (turn, match.start(), match.end()))
                 for turn, text in enumerate(texts) for match in _TOKEN.finditer(text)]
        return cls(tuple(unicodedata.normalize("NFKC", word).casefold() for word, _ in found),
                   tuple(span for _, span in found))

    def touched(self, span: Span) -> range:
        """The numbers of the words that a span touches."""
        turn, start, end = span
        first = bisect_left(self.spans, (turn, start + 1), key=lambda one: (one[0], one[2]))
        last = bisect_left(self.spans, (turn, max(end, start + 1)), key=lambda one: (one[0], one[1]))
        return range(first, max(first, last))


@dataclass(frozen=True, slots=True)
class Alignment:
    """From places in transcript B to places in transcript A.

    >>> from evidial_rules.contract import Dialogue
    >>> def talk(*texts):
    ...     turns = [{"speaker": "participant", "text": text} for text in texts]
    ...     return Dialogue.model_validate({"dialogue_id": "d", "participant_id": "p", "source": "demo",
    ...                                     "language": "en", "instrument": "PHQ-8", "turns": turns})
    >>> Alignment.of(talk("well i can't sleep", "at all"), talk("Well. I can't sleep at all.")).place((0, 6, 26))
    (0, 5, 18)
    """

    _a: _Words
    _b: _Words
    _pairs: dict[int, int] = field(repr=False)

    @classmethod
    def of(cls, a: Dialogue, b: Dialogue) -> Alignment:
        """The alignment of two versions of one dialogue."""
        one, other = (_Words.of([turn.text for turn in talk.turns]) for talk in (a, b))
        # In long transcripts the commonest words find no place of their own but beside rarer ones (autojunk), or the
        # cost would grow with the square of the length.
        blocks = SequenceMatcher(None, one.keys, other.keys).get_matching_blocks()
        return cls(one, other, {block.b + n: block.a + n for block in blocks for n in range(block.size)})

    @property
    def share(self) -> float | None:
        """The share of B's words that A has too, in the same order; None if B has no words."""
        return len(self._pairs) / len(self._b.keys) if self._b.keys else None

    def place(self, span: Span) -> Span | None:
        """Where B's span stands in A: from its first word that A has to the last, in the turn that has most of them;
        None if A has none of its words."""
        words = [self._a.spans[self._pairs[number]] for number in self._b.touched(span) if number in self._pairs]
        if not words:
            return None
        turns = [turn for turn, _, _ in words]
        turn = max(dict.fromkeys(turns), key=turns.count)
        inside = [(start, end) for where, start, end in words if where == turn]
        return turn, min(start for start, _ in inside), max(end for _, end in inside)
