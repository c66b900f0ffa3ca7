"""Finds in many texts at once which of thousands of compiled patterns match, and where.

A pattern's alternatives say what a text must hold for them to match (`Alternative.keys`, `needs`) and what a match
begins with (`first`). Both are answered for a whole dialogue in a few array operations: the turns that hold a unit are
the bits of one number, and only the alternatives that begin with a unit of the dialogue are looked at, so that what a
pattern costs hardly depends on how many patterns there are. What is left is tried with Python's `re`, at the places
where it can begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from operator import itemgetter
from re import Match, Pattern
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .patterns import EDGE, Alternative, Compiled
from .units import ANY, ChineseUnits, EnglishUnits, Numbers, Places, Searchable, spread

P = TypeVar("P")
_PLACE = itemgetter(0, 1, 2)
_BLOCK = 64  # texts whose bits fit into one number
_BITS = np.uint64(1) << np.arange(_BLOCK, dtype=np.uint64)
_ALL = np.uint64(2**64 - 1)
_ASKED = 2  # sets of which the places are compared: what they leave is tried sooner than asked further
FEW = 200  # places to try that are tried sooner than compared
_ANYWHERE, _AFTER_PUNCTUATION = frozenset([ANY]), frozenset([EDGE])


class _Table:
    """Of each key, a number less than `size`, the values that it is paired with."""

    def __init__(self, keys: Sequence[int] | Numbers, values: Sequence[int] | Numbers, size: int):
        by_key = np.asarray(keys, np.intp)
        self.values = np.asarray(values, np.intp)[by_key.argsort(kind="stable")]
        self.counts = np.bincount(by_key, minlength=size)
        self.starts = self.counts.cumsum() - self.counts

    def of(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        """The values of these keys, one after the other, and how many each key has."""
        counts = self.counts[keys]
        return self.values[spread(self.starts[keys], counts)], counts


class Requirements:
    """Of each of many things the sets of units of which a text must hold one each. numbers: those of the units.

    >>> lookup = Requirements([[frozenset({"no", "not"}), frozenset({"hope"})], []], {"no": 1, "not": 2, "hope": 3})
    >>> no_and_hope, hope = np.array([1, 3]), np.array([3])
    >>> [lookup.met(lookup.sets(units), np.arange(2)).nonzero()[0].tolist() for units in (no_and_hope, hope)]
    [[0, 1], [1]]
    """

    def __init__(self, required: Iterable[Iterable[AbstractSet[str]]], numbers: Mapping[str, int]):
        known: dict[AbstractSet[str], int] = {}  # the number of each set; 0 is the one that every text meets
        rows = [[known.setdefault(units, len(known) + 1) for units in sets] for sets in required]
        width = max(map(len, rows), default=0) or 1
        # of each thing its first set, its second, and so on
        self._rows = np.array([[*row, *[0] * (width - len(row))] for row in rows], dtype=np.intp).reshape(-1, width).T
        self._size = len(known) + 1
        units = [numbers[unit] for units in known for unit in units]
        sets = [number for units, number in known.items() for _ in units]
        self._sets = _Table(units, sets, len(numbers) + 1)  # by unit
        self._units = _Table(sets, units, self._size)  # by set

    def sets(self, units: Numbers, texts: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
        """Of each set the texts that hold one of its units, as the bits of a number. texts: those of each of these
        units, each of which is given once; if not given, there is one."""
        numbers, counts = self._sets.of(units)
        bits = np.zeros(self._size, np.uint64)
        bits[0] = _ALL
        np.bitwise_or.at(bits, numbers, _ALL if texts is None else np.repeat(texts, counts))
        return bits

    def met(self, sets: NDArray[np.uint64], things: Numbers) -> NDArray[np.uint64]:
        """Of each of these things the texts that meet all its sets."""
        met = sets[self._rows[0][things]]
        for row in self._rows[1:]:
            met &= sets[row[things]]
        return met

    def near(self, places: _Table, things: Numbers, starts: Numbers, ends: Numbers, last: int) -> Numbers:
        """Which of these things find a unit of each of their sets in the places from a start up to an end. Only the
        first two sets are asked for: they are the rarest. places: those of each unit; `last` is greater than all.

        >>> places = _Table([1, 3], [4, 7], 4)
        >>> lookup = Requirements([[frozenset({"no", "not"}), frozenset({"hope"})]], {"no": 1, "not": 2, "hope": 3})
        >>> lookup.near(places, np.array([0, 0, 0]), np.array([4, 4, 5]), np.array([8, 7, 9]), 9).tolist()
        [0]
        """
        starts, ends = np.maximum(starts, 0), np.minimum(ends, last)
        left = np.arange(len(things))
        for row in self._rows[:_ASKED]:
            sets = row[things[left]]
            asked = np.zeros(self._size, bool)
            asked[sets] = True
            (numbers,) = asked.nonzero()
            units, counts = self._units.of(numbers)
            spots, each = places.of(units)
            # a set and a place are one number: what a set has from a place on is the next one in order
            spots += np.repeat(np.repeat(numbers, counts), each) * last
            spots = np.append(np.sort(spots), self._size * last)
            nearest = spots[spots.searchsorted(sets * last + starts[left])]
            left = left[(sets == 0) | (nearest < sets * last + ends[left])]
        return left


class PatternIndex(Generic[P]):
    """Finds, for the units of texts, the patterns worth trying.

    >>> from evidial_rules.pipeline.patterns import PatternCompiler
    >>> compiler = PatternCompiler("en", words=str.split)
    >>> index = PatternIndex([("r1", compiler.compile("no appetite"))])
    >>> [payload for payload, _ in index.candidates({"no", "appetite"})]
    ['r1']
    """

    def __init__(self, items: Iterable[tuple[P, Compiled]]):
        self.items: list[tuple[P, Compiled]] = list(items)
        self._alternatives: list[Alternative] = [a for _, compiled in self.items for a in compiled.alternatives]
        self._orders = [n for n, (_, compiled) in enumerate(self.items) for _ in compiled.alternatives]
        self._matchers: list[Callable[[str, int], Match[str] | None] | None] = [None] * len(self._alternatives)
        firsts = [
            (_AFTER_PUNCTUATION if alternative.edge else _ANYWHERE) if alternative.first is None else alternative.first
            for alternative in self._alternatives
        ]
        required = [
            [units for units in (alternative.keys, *alternative.needs) if units and units != first]
            for alternative, first in zip(self._alternatives, firsts, strict=True)
        ]
        units = chain.from_iterable({*firsts, *chain.from_iterable(required)})
        self._numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units), 1)}
        self._requirements = Requirements(required, self._numbers)
        # by unit the alternatives that begin with it; some begin up to so many places before it
        self._begun = _Table(
            [self._numbers[unit] for first in firsts for unit in first],
            [number for number, first in enumerate(firsts) for _ in first],
            len(self._numbers) + 1,
        )
        self._back = np.array([alternative.back for alternative in self._alternatives], np.intp)
        self._reach = np.array([alternative.reach for alternative in self._alternatives], np.intp)
        self._edge = np.array([alternative.edge for alternative in self._alternatives], bool)
        self._finder: ChineseUnits | EnglishUnits | None = None

    def candidates(self, keys: Iterable[str]) -> list[tuple[P, Pattern[str]]]:
        """(payload, regex) pairs worth a search, in rule order; `keys` as made by `Canonical.keys`."""
        units = np.array([self._numbers[unit] for unit in {*keys, ANY} if unit in self._numbers], np.intp)
        begun = np.unique(self._begun.of(units)[0])
        met = self._requirements.met(self._requirements.sets(units), begun)
        orders = dict.fromkeys(self._orders[number] for number in begun[met.nonzero()].tolist())
        return [(self.items[order][0], self.items[order][1].regex) for order in orders]

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
        for start in range(0, len(canonicals), _BLOCK):
            for tried in self._tried(canonicals[start : start + _BLOCK]):
                yield self._leftmost(tried)

    def _tried(self, canonicals: Sequence[Searchable]) -> list[list[tuple[int, int, int, Match[str]]]]:
        """Of each text (order of the item, start, number of the alternative, match) of the alternatives that match."""
        if self._finder is None:
            self._finder = (EnglishUnits if canonicals[0].word_level else ChineseUnits)(self._numbers)
        found = self._finder.find(canonicals)
        alternatives, places = self._starts(found)
        texts = [canonical.text for canonical in canonicals]
        matches: list[list[tuple[int, int, int, Match[str]]]] = [[] for _ in texts]
        orders, matchers = self._orders, self._matchers
        for number, text, start in zip(
            alternatives.tolist(), found.texts[places].tolist(), found.starts[places].tolist(), strict=True
        ):
            match = matchers[number]
            if match is None:
                match = matchers[number] = self._alternatives[number].regex.match
            m = match(texts[text], start)
            if m is not None:
                matches[text].append((orders[number], start, number, m))
        return matches

    def _starts(self, found: Places) -> tuple[Numbers, Numbers]:
        """The alternatives to be tried, each with a place where it can begin: in a text that meets all its
        requirements, and near enough to what meets them."""
        where = _Table(found.units, found.places, len(self._numbers) + 1)
        (units,) = where.counts.nonzero()
        held = np.bitwise_or.reduceat(_BITS[found.texts[where.values]], where.starts[units])  # the texts of each unit
        sets = self._requirements.sets(units, held)
        alternatives, counts = self._begun.of(units)
        unit = np.repeat(np.arange(len(units)), counts)
        met = self._requirements.met(sets, alternatives) & held[unit]
        (some,) = met.nonzero()
        places, counts = where.of(units[unit[some]])
        (here,) = (np.repeat(met[some], counts) & _BITS[found.texts[places]]).nonzero()
        alternatives, places = np.repeat(alternatives[some], counts)[here], places[here]
        if len(places) > FEW:
            start, end = places - self._back[alternatives], places + self._reach[alternatives]
            near = self._requirements.near(where, alternatives, start, end, len(found.texts))
            alternatives, places = alternatives[near], places[near]
        return self._before(found, alternatives, places)

    def _before(self, found: Places, alternatives: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
        """Puts for the places of what an alternative begins with those where a gap before it can begin."""
        back = self._back[alternatives]
        (gapped,) = back.nonzero()
        if not len(gapped):
            return alternatives, places
        back, numbers, at = back[gapped], alternatives[gapped], places[gapped]
        # A gap holds no punctuation, so that of the edges only the nearest counts.
        edge, nearest = self._edge[numbers], found.edges[at]
        near = edge & (at - nearest <= back)
        free = ~edge
        counts = back[free] + 1
        starts = spread(at[free] - back[free], counts)
        own = (starts >= 0) & (found.texts[starts] == np.repeat(found.texts[at[free]], counts))
        kept = np.ones(len(alternatives), bool)
        kept[gapped] = False
        return (
            np.concatenate([alternatives[kept], numbers[near], np.repeat(numbers[free], counts)[own]]),
            np.concatenate([places[kept], nearest[near], starts[own]]),
        )

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
