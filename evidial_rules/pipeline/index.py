"""Finds in many texts at once which of thousands of compiled patterns match, and where.

A pattern's alternatives say what a text must hold for them to match (`Alternative.keys`, `needs`) and what a match
begins with (`first`). `Requirements` answers the first for a whole dialogue in a few array operations: each unit that
a turn holds is a bit in one number, so that what a pattern costs there hardly depends on how many patterns there are.
What is left is tried with Python's `re`, at the places where it can begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from operator import itemgetter
from re import Match, Pattern
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .patterns import EDGE, Alternative, Compiled

P = TypeVar("P")
_PLACE = itemgetter(0, 1, 2)
_BLOCK = 64  # texts whose bits fit into one number


class Searchable(Protocol):
    """What the index reads of a `Canonical`: text, units that occur (`keys`), and where units begin (`known`: as far
    as asked)."""

    text: str
    keys: set[str]
    starts: Sequence[int]
    known: dict[str, list[int]]

    def places(self, unit: str) -> list[int]: ...

    def before(self, units: AbstractSet[str], back: int) -> list[int]: ...

    def edges_before(self, units: AbstractSet[str], back: int) -> list[int]: ...


class Requirements:
    """Of each of many things the sets of units of which a text must hold one each.

    >>> lookup = Requirements([[frozenset({"no", "not"}), frozenset({"hope"})], []])
    >>> [list(met) for met in lookup.met([{"no", "hope"}, {"hope"}])]
    [[0, 1], [1]]
    """

    def __init__(self, required: Iterable[Iterable[AbstractSet[str]]]):
        numbers: dict[AbstractSet[str], int] = {}  # of each set; 0 is the one that every text meets
        rows = [[numbers.setdefault(units, len(numbers) + 1) for units in sets] for sets in required]
        width = max(map(len, rows), default=0) or 1
        self._rows = np.array([[*row, *[0] * (width - len(row))] for row in rows], dtype=np.intp).reshape(-1, width).T
        self._size = len(numbers) + 1
        holds: dict[str, list[int]] = {}
        for units, number in numbers.items():
            for unit in units:
                holds.setdefault(unit, []).append(number)
        self._holds = holds
        self._units = frozenset(holds)

    def met(self, texts: Sequence[AbstractSet[str]]) -> Iterator[list[int]]:
        """For each text, given as its units, the numbers of the things all of whose sets it meets, in order."""
        for start in range(0, len(texts), _BLOCK):
            yield from self._met(texts[start : start + _BLOCK])

    def _met(self, texts: Sequence[AbstractSet[str]]) -> Iterator[list[int]]:
        masks: dict[str, int] = {}  # of each unit the texts that hold it
        for number, units in enumerate(texts):
            bit = 1 << number
            for unit in self._units & units:
                masks[unit] = masks.get(unit, 0) | bit
        sets = list(map(self._holds.__getitem__, masks))
        counts = np.fromiter(map(len, sets), np.intp, len(sets))
        bits = np.zeros(self._size, np.uint64)
        bits[0] = 2**64 - 1
        np.bitwise_or.at(
            bits,
            np.fromiter(chain.from_iterable(sets), np.intp, int(counts.sum())),
            np.repeat(np.fromiter(masks.values(), np.uint64, len(masks)), counts),
        )
        met: NDArray[np.uint64] = bits[self._rows[0]]
        for row in self._rows[1:]:
            met &= bits[row]
        (some,) = met.nonzero()
        met = met[some]
        for number in range(len(texts)):
            yield some[(met & np.uint64(1 << number)) != 0].tolist()


class PatternIndex(Generic[P]):
    """Finds, for the keys of one text, the patterns worth trying.

    >>> from evidial_rules.pipeline.patterns import PatternCompiler
    >>> compiler = PatternCompiler("en", words=str.split)
    >>> index = PatternIndex([("r1", compiler.compile("no appetite"))])
    >>> [payload for payload, _ in index.candidates({"no", "appetite"})]
    ['r1']
    """

    def __init__(self, items: Iterable[tuple[P, Compiled]]):
        self.items: list[tuple[P, Compiled]] = list(items)
        self._alternatives: list[tuple[int, Alternative]] = [  # with the number of the item
            (order, alternative)
            for order, (_, compiled) in enumerate(self.items)
            for alternative in compiled.alternatives
        ]
        self._requirements = Requirements(
            filter(None, (alternative.keys, *alternative.needs)) for _, alternative in self._alternatives
        )
        # of each alternative the units that it begins with, if it is to be tried only where one of them is
        self._firsts = [None if alternative.back else alternative.first for _, alternative in self._alternatives]
        self._matchers: list[Callable[[str, int], Match[str] | None] | None] = [None] * len(self._alternatives)

    def candidates(self, keys: Iterable[str]) -> list[tuple[P, Pattern[str]]]:
        """(payload, regex) pairs worth a search, in rule order; `keys` as made by `Canonical.keys`."""
        (numbers,) = self._requirements.met([frozenset(keys)])
        orders = dict.fromkeys(self._alternatives[number][0] for number in numbers)
        return [(self.items[order][0], self.items[order][1].regex) for order in orders]

    @staticmethod
    def _starts(alternative: Alternative, canonical: Searchable) -> Iterable[int]:
        """Where a pattern can begin that begins with anything, or with a gap."""
        if alternative.first is None:
            if not alternative.edge:
                return canonical.starts
            return [at for at in canonical.places(EDGE) if at < len(canonical.text)]
        before = canonical.edges_before if alternative.edge else canonical.before
        return before(alternative.first & canonical.keys, alternative.back)

    def matches(self, canonical: Searchable) -> list[tuple[P, Match[str]]]:
        """What `regex.finditer` finds for each item, in order of the items and then of the text.

        >>> from evidial_rules.pipeline.patterns import PatternCompiler
        >>> from evidial_rules.pipeline.text import EnglishNormaliser
        >>> index = PatternIndex([("r1", PatternCompiler("en").compile(["no appetite", "no hope"]))])
        >>> [(name, m.group()) for name, m in index.matches(EnglishNormaliser({}, {}, [])("no hope, no appetite"))]
        [('r1', 'no hope '), ('r1', 'no appetite ')]
        """
        (found,) = self.matches_each([canonical])
        return found

    def matches_each(self, canonicals: Sequence[Searchable]) -> Iterator[list[tuple[P, Match[str]]]]:
        """`matches` of each text. All texts of a dialogue together cost less than one by one."""
        for canonical, numbers in zip(
            canonicals, self._requirements.met([canonical.keys for canonical in canonicals]), strict=True
        ):
            yield self._leftmost(self._tried(canonical, numbers))

    def _tried(self, canonical: Searchable, numbers: list[int]) -> list[tuple[int, int, int, Match[str]]]:
        """(order of the item, start, number of the alternative, match) of the alternatives that match."""
        text, keys, places, known = canonical.text, canonical.keys, canonical.places, canonical.known
        alternatives, firsts, matchers = self._alternatives, self._firsts, self._matchers
        matches = []
        for number in numbers:
            match = matchers[number]
            if match is None:
                match = matchers[number] = alternatives[number][1].regex.match
            first = firsts[number]
            if first is None:
                for start in self._starts(alternatives[number][1], canonical):
                    m = match(text, start)
                    if m is not None:
                        matches.append((alternatives[number][0], start, number, m))
                continue
            for unit in first & keys if len(first) > 1 else first:
                for start in known.get(unit) or places(unit):  # asked here, for it is asked most
                    m = match(text, start)
                    if m is not None:
                        matches.append((alternatives[number][0], start, number, m))
        return matches

    def _leftmost(self, matches: list[tuple[int, int, int, Match[str]]]) -> list[tuple[P, Match[str]]]:
        """As a regex of all the item's alternatives would: the leftmost match, of the first alternative that fits
        there, and on from its end."""
        if len(matches) > 1:
            matches.sort(key=_PLACE)
        found: list[tuple[P, Match[str]]] = []
        current, position = -1, 0
        for order, start, _, m in matches:
            if order != current:
                current, position = order, 0
            if start >= position:
                found.append((self.items[order][0], m))
                position = m.end()
        return found
