"""Words for an edit: phrases drawn from the grammar, the least used first, put into patterns and written out."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

from .grammar import SLOT, AnchorGrammar, Person, TimePhrase
from .numbers import count, day, weekday

T = TypeVar("T")

_END = {"en": ".?!", "zh": "。？！"}
_INNER = {"en": ",;: ", "zh": "，、；："}


class Wording:
    """Draws wording for one language. The same seed draws the same words.

    Of each list the phrases that were used least come first, so that a list is used up before anything comes twice.
    """

    def __init__(self, grammar: AnchorGrammar, language: str, seed: int) -> None:
        self.grammar, self.language = grammar, language
        self._random = random.Random(f"{language}/{seed}")
        self._used: Counter[tuple[str, str]] = Counter()

    def pick(self, place: str, options: Sequence[T]) -> T:
        """One of the options that were drawn least at this place. Raises IndexError if there are none."""
        fewest = min((self._used[place, repr(option)] for option in options), default=0)
        one = self._random.choice([option for option in options if self._used[place, repr(option)] == fewest])
        self._used[place, repr(one)] += 1
        return one

    def flip(self, probability: float = 0.5) -> bool:
        """True with this probability."""
        return self._random.random() < probability

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return self._random.randrange(n)

    def choices(self, options: Sequence[T], k: int) -> list[T]:
        """`k` of the options, any of them again."""
        return self._random.choices(options, k=k)

    def pattern(self, name: str, **filled: str) -> str:
        """A pattern of that list with its places filled."""
        return self.fill(self.pick(f"pattern {name}", self.grammar.patterns[name]), **filled)

    def fill(self, text: str, **filled: str) -> str:
        """The text with every place filled: by `filled`, else by one of the symbol's alternatives.

        What is filled in may have places of its own, which are filled in the same way.
        """
        for _ in range(8):
            if not SLOT.search(text):
                break
            text = SLOT.sub(lambda place: self._filling(place[1], filled), text)
        return text

    def _filling(self, name: str, filled: Mapping[str, str]) -> str:
        if name in filled:
            return filled[name]
        if name == "covering":
            return self.pick("covering", self.grammar.times.covering).text
        return self.pick(f"symbol {name}", self.grammar.symbols[name])

    def person(self) -> Person:
        """Somebody else."""
        return self.pick("person", self.grammar.people)

    def time(self, phrase: TimePhrase, days: int, today: datetime.date | None) -> str:
        """A time phrase for a day `days` before `today`."""
        if phrase.unit is None:
            return phrase.text
        if phrase.unit in (1, 7):
            return self.fill(phrase.text, n=count(days // int(phrase.unit), self.language))
        assert today is not None
        then = today - datetime.timedelta(days=days)
        said = day(then, self.language) if phrase.unit == "date" else weekday(then, self.language)
        return self.fill(phrase.text, **{phrase.unit: said})

    def sentence(self, *parts: str) -> str:
        """The parts as sentences: a capital at the start and a stop at the end of each."""
        written = []
        for part in parts:
            part = part.strip().strip(_INNER[self.language])
            if not part:
                continue
            part = part[0].upper() + part[1:]
            written.append(part if part[-1] in _END[self.language] else part + _END[self.language][0])
        return ("" if self.language == "zh" else " ").join(written)

    def transcribed(self, text: str) -> str:
        """The text as speech recognition writes English: lower case without punctuation."""
        kept = "".join(c if c.isalnum() or c in "'’-" else " " for c in text.lower())
        return " ".join(kept.split())
