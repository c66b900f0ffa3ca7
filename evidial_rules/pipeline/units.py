"""Finds in many texts at once where the units of patterns stand.

A unit is a word, or the first letters of one with "*" ("slee*") in English, a character or a pair of characters in
Chinese; "#" is a number in digits, "^" the place after punctuation, and "^slee*" a unit that stands there. Each has a
number. A place is the number of a word or character, counted on through all of the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .patterns import EDGE, NUMBER, PREFIX, PUNCT_EN, PUNCT_ZH, SHORT

Numbers = NDArray[np.intp]

ANY = ""  # the unit that stands at every place
_CODES = 0x110000  # code points that there are
_DIGIT = re.compile(r"\d")
_ENDS = tuple(PUNCT_EN)


class Searchable(Protocol):
    """What is read of a `Canonical`: its text, and its words or characters with where they start."""

    text: str
    word_level: bool
    words: Sequence[str]
    starts: Sequence[int]


@dataclass(slots=True)
class Places:
    """Which units stand where. Of each place: its text, where in that it starts, and the place of the last edge up to
    it, or of the text's beginning."""

    units: Numbers
    places: Numbers  # of these units
    texts: Numbers
    starts: Numbers
    edges: Numbers


def spread(starts: Numbers, counts: Numbers) -> Numbers:
    """The numbers from each start on, as many as its count says.

    >>> spread(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = counts.cumsum()
    return np.repeat(starts - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0)


def _numbers(items: Iterable[int], count: int) -> Numbers:
    return np.fromiter(items, np.intp, count)


class _Units:
    def __init__(self, numbers: Mapping[str, int]):
        self._marks = [numbers.get(unit, 0) for unit in (ANY, EDGE, NUMBER)]

    def _places(
        self,
        found: list[tuple[Numbers, Numbers]],
        behind: Numbers,
        digits: Numbers,
        of: tuple[Numbers, Numbers, Numbers],
    ) -> Places:
        """found: units (0 for those that are not looked for) and their places; to these come the marks, of which
        `behind` are the places after punctuation, and `digits` those of numbers. of: text, start in it and the
        text's first place, of each place."""
        texts, starts, begins = of
        for unit, where in zip(self._marks, (np.arange(len(texts)), behind, digits), strict=True):
            if unit:
                found.append((np.full(len(where), unit), where))
        units = np.concatenate([units for units, _ in found])
        (known,) = units.nonzero()
        edges = begins.copy()
        edges[behind] = behind
        places = np.concatenate([places for _, places in found])
        return Places(units[known], places[known], texts, starts, np.maximum.accumulate(edges))


class ChineseUnits(_Units):
    """numbers: those of the units to be found, from 1 on.

    >>> from evidial_rules.pipeline.text import ChineseNormaliser
    >>> found = ChineseUnits({"睡": 1, "睡着": 2, "^没": 3}).find([ChineseNormaliser({}, {}, [])("没睡着")])
    >>> list(zip(found.units.tolist(), found.starts[found.places].tolist()))
    [(1, 2), (2, 2), (3, 1)]
    """

    def __init__(self, numbers: Mapping[str, int]):
        super().__init__(numbers)
        units = [unit for unit in numbers if unit]
        characters = {c: n for n, c in enumerate(dict.fromkeys(chain(PUNCT_ZH, *units)), 1)}  # punctuation first
        size = len(characters) + 1
        self._characters = np.zeros(_CODES, np.intp)  # their numbers, by code point
        for c, n in characters.items():
            self._characters[ord(c)] = n
        codes = {u[-2:]: characters[u[-2]] * size + characters[u[-1]] for u in units if len(u) > 1}
        self._size, self._pairs = size, np.array([-1, *sorted(codes.values())])
        # of each character and pair its number as a unit, and that with "^" before it
        self._one, self._one_at_edge = np.zeros((2, size), np.intp)
        self._two, self._two_at_edge = np.zeros((2, len(self._pairs)), np.intp)
        for unit in units:
            if len(unit) == 1:
                self._one[characters[unit]] = numbers[unit]
                continue
            pair = self._pairs.searchsorted(codes[unit[-2:]])
            if len(unit) > 2:
                self._two_at_edge[pair] = numbers[unit]
                continue
            self._two[pair] = numbers[unit]
            if unit[0] == EDGE:
                self._one_at_edge[characters[unit[1]]] = numbers[unit]

    def find(self, canonicals: Sequence[Searchable]) -> Places:
        """The units of the texts."""
        joined = "".join([canonical.text for canonical in canonicals])
        lengths = _numbers((len(canonical.text) for canonical in canonicals), len(canonicals))
        ends = lengths.cumsum()
        every = np.arange(len(joined))
        texts = np.repeat(np.arange(len(canonicals)), lengths)
        begins = (ends - lengths)[texts]
        characters = self._characters[np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)]
        codes = characters * self._size
        codes[:-1] += characters[1:]
        codes[ends - 1] = 0  # the last character of a text is no pair with the first of the next
        pairs = self._pairs.searchsorted(codes)
        pairs[pairs == len(self._pairs)] = 0
        pairs[self._pairs[pairs] != codes] = 0
        behind = ((characters > 0) & (characters <= len(PUNCT_ZH))).nonzero()[0] + 1
        behind = behind[behind < len(joined)]
        behind = behind[begins[behind] < behind]
        digits = [m.start() for m in _DIGIT.finditer(joined)]
        found = [
            (self._one[characters], every),
            (self._two[pairs], every),
            (self._one_at_edge[characters[behind]], behind),
            (self._two_at_edge[pairs[behind]], behind),
        ]
        return self._places(found, behind, _numbers(digits, len(digits)), (texts, every - begins, begins))


class EnglishUnits(_Units):
    """numbers: those of the units to be found, from 1 on.

    >>> from evidial_rules.pipeline.text import EnglishNormaliser
    >>> found = EnglishUnits({"not": 1, "slee*": 2, "^not": 3}).find([EnglishNormaliser({}, {}, [])("not sleeping")])
    >>> list(zip(found.units.tolist(), found.starts[found.places].tolist()))
    [(1, 3), (2, 7), (3, 3)]
    """

    def __init__(self, numbers: Mapping[str, int]):
        super().__init__(numbers)
        # by words, and by so many first letters
        self._plain: dict[int | None, dict[str, int]] = {None: {}, SHORT: {}, PREFIX: {}}
        self._at_edge: dict[int | None, dict[str, int]] = {None: {}, SHORT: {}, PREFIX: {}}
        for unit, number in numbers.items():
            _enter(self._plain, unit, number)
            if unit.startswith(EDGE):
                _enter(self._at_edge, unit[len(EDGE) :], number)

    def find(self, canonicals: Sequence[Searchable]) -> Places:
        """The units of the texts."""
        words = list(chain.from_iterable([canonical.words for canonical in canonicals]))
        lengths = _numbers((len(canonical.words) for canonical in canonicals), len(canonicals))
        texts = np.repeat(np.arange(len(canonicals)), lengths)
        begins = (lengths.cumsum() - lengths)[texts]
        starts = _numbers(chain.from_iterable([canonical.starts for canonical in canonicals]), len(words))
        ends = [k for k, word in enumerate(words[:-1], 1) if word.endswith(_ENDS)]
        behind = _numbers(ends, len(ends))
        behind = behind[begins[behind] < behind]
        digits = [k for k, word in enumerate(words) if word[:1].isdecimal()]
        every = np.arange(len(words))
        found = [(units, every) for units in _named(self._plain, words)]
        found += [(units, behind) for units in _named(self._at_edge, [words[k] for k in behind.tolist()])]
        return self._places(found, behind, _numbers(digits, len(digits)), (texts, starts, begins))


def _enter(tables: dict[int | None, dict[str, int]], unit: str, number: int) -> None:
    tables[None][unit] = number
    letters = unit.removesuffix("*")
    if letters != unit and len(letters) in tables:
        tables[len(letters)][letters] = number


def _named(tables: dict[int | None, dict[str, int]], words: list[str]) -> Iterator[Numbers]:
    """The numbers of the words, and of their first letters."""
    for length, table in tables.items():
        heads = words if length is None else [word[:length] for word in words]
        yield _numbers(map(table.get, heads, repeat(0)), len(words))
