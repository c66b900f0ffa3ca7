"""The pattern language of lexicons and grammars, compiled to bounded regular expressions.

A pattern is a sequence of words (English) or characters (Chinese) in the canonical form of
`evidial_rules.pipeline.text`:

======== =====================================================================================
`a b`    the words a and b, one after the other (Chinese: blanks are ignored)
`sleep*` a word that begins with "sleep" (English only)
`(a|b)`  one of the alternatives
`[a|b]`  one of the alternatives, or nothing
`{name}` a macro from the grammar's `macros.yaml` (its alternatives)
`~3`     up to three words (Chinese: characters), never across punctuation, a negation or the start of
         another clause (`GAP_STOPS`)
`~!3`    the same, but a negation may stand in it, and then counts as negating the match
`~~3`    up to three words of any kind, never across punctuation
`^` `$`  the pattern begins after, ends before punctuation or the end of a turn
`!(a|b)` what follows is not one of these
`#` `#.#` a number in digits, a day and month in digits (10.10, 3/14)
`<!(a|b)` what stands right before is not one of these (plain words only)
======== =====================================================================================

Nothing repeats without a bound, so a match costs at most a constant per start position and a turn is
searched in time linear in its length. The constant is bounded too: two gaps in a row, and gaps and optional parts
that multiply to too many ways (`MAX_LOOSE`, `MAX_WAYS`), are refused. Every pattern also knows its `keys`: a set of
words (English), or of characters and pairs of characters (Chinese), of which a matching text holds at least one;
further sets of which it holds one each; and what a match can begin with. The index tries a pattern only where all of
that occurs, and only at the places where it can begin.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import product
from math import prod

from ..errors import RuleError
from .store import Tape

_BRACKETS = frozenset(["(", ")", "[", "]", "{", "}", "!(", "<!("])
_TOKEN = re.compile(r"#\.#|#|~[!~]?\d+|<!\(|!\(|[()\[\]{}|^$]|[^\s()\[\]{}|^$~!<#]+|\s+|.")
PUNCT_EN = ",.;?!:"
PUNCT_ZH = "，。；？！：、"
GAP_STOPS = {
    "en": (
        "or",
        "but",
        "except",
        "although",
        "though",
        "because",
        "if",
        "unless",
        "i",
        "he",
        "she",
        "they",
        "we",
        "who",
        "then",
        "when",
        "while",
    ),
    "zh": "但我你他她",
}
GAP_NEGATORS = {
    "en": ("not", "no", "never", "nothing", "nobody", "without", "neither", "nor", "hardly", "barely", "none"),
    "zh": "不没无未别非",
}
PREFIX, SHORT = 4, 3  # length of the prefix key of a word ending in *, and the least that makes one


MAX_GAP = 12
MAX_DEPTH = 40  # of brackets, macros included
MAX_LOOSE = 30_000  # ways in which gaps and optional parts in a row, or all gaps, can match
MAX_WAYS = 10_000_000  # ways in which a pattern can match from one place on
NUMBER = "#"  # the unit that stands for any number in digits
EDGE = "^"  # the unit that stands for the place after punctuation
_AT_EDGE = 0.3  # the share of a unit's occurrences that stand right after punctuation, roughly
_NEEDS = 3  # how many sets beside the keys are worth a look


class Alternative:
    """One way in which a pattern can match. `keys`, `needs`: sets of units of each of which a matching text holds
    one (no keys: always tried). `first`: the units that a match can begin with, None for any; up to `back` units may
    stand before. `edge`: it begins right after punctuation. `reach`: within how many units from where it begins a match
    has had one of each set."""

    __slots__ = ("_regex", "back", "edge", "first", "keys", "needs", "reach", "source")

    def __init__(
        self,
        source: str,
        keys: frozenset[str],
        needs: tuple[frozenset[str], ...],
        first: frozenset[str] | None,
        back: int = 0,
        edge: bool = False,
        reach: int = 0,
    ):
        self.source, self.keys, self.needs = source, keys, needs
        self.first, self.back, self.edge, self.reach = first, back, edge, reach
        self._regex: re.Pattern[str] | None = None

    def row(self) -> tuple[object, ...]:
        """What it is made from."""
        return self.source, self.keys, self.needs, self.first, self.back, self.edge, self.reach

    @property
    def regex(self) -> re.Pattern[str]:
        """Compiled on first use: most of the wordings that the lexicons provide for never come up."""
        if self._regex is None:
            self._regex = re.compile(self.source)
        return self._regex


class Compiled:
    """A compiled pattern: `regex` over canonical text, its `keys` (empty: always tried), and its `alternatives` in the
    order in which the regex tries them."""

    __slots__ = ("_head", "_regex", "alternatives", "keys")

    def __init__(self, alternatives: Iterable[Alternative], head: str = ""):
        self.alternatives = tuple(alternatives)
        self.keys: frozenset[str] = (
            frozenset()
            if not all(a.keys for a in self.alternatives)
            else frozenset().union(*(a.keys for a in self.alternatives))
        )
        self._head = head
        self._regex: re.Pattern[str] | None = None

    @property
    def regex(self) -> re.Pattern[str]:
        """All alternatives as one regex, compiled on first use."""
        if self._regex is None:
            self._regex = re.compile(self._head + "(?:" + "|".join(a.source for a in self.alternatives) + ")")
        return self._regex


@dataclass(frozen=True, slots=True)
class _Node:
    regex: str
    keys: frozenset[str] | None  # None: matches without any fixed word
    empty: bool = False  # may match nothing
    first: frozenset[str] | None = None  # what it can begin with; None: anything
    alone: frozenset[str] = frozenset()  # of these, the Chinese characters that can be all of it
    back: int = 0  # how many units of any kind can stand before one of `first`
    edge: bool = False  # whether it begins right after punctuation
    needs: tuple[frozenset[str], ...] = ()  # further sets of which it takes one each
    options: tuple[_Node, ...] = ()  # the alternatives, where it is nothing else
    ways: int = 1  # in how many ways it can match from one place on, about and at most: what a failing search tries
    gap: bool = False
    texts: frozenset[str] = frozenset()  # all that it matches, where that is a few fixed texts
    reach: int = 0  # how many units it takes at most, with those that it only looks ahead for
    refused: _Node | None = None  # what must not follow, where it is nothing else


def _said_of(person: Mapping[str, str], words: Sequence[str]) -> Iterable[str]:
    """The words with those of a person put for the speaker's; two that go together ("i am") are one."""
    k = 0
    while k < len(words):
        pair = " ".join(words[k : k + 2])
        if pair in person and k + 1 < len(words):
            yield from person[pair].split()
            k += 2
        else:
            yield person.get(words[k], words[k])
            k += 1


class PatternCompiler:
    """Compiles patterns of one language.

    macros: name -> alternatives, each a pattern. words: turns a literal into canonical words
    (English "can't" -> ["can", "not"]); for Chinese, None. frequency: the share of turns that hold a unit, of the
    common ones; it decides only by which of its units a pattern is looked up. tape: what was compiled before, to be
    played back, or where to record it.
    """

    def __init__(
        self,
        language: str,
        macros: Mapping[str, Iterable[str]] | None = None,
        words: Callable[[str], list[str]] | None = None,
        canonical: Callable[[str], str] | None = None,
        frequency: Mapping[str, float] | None = None,
        tape: Tape | None = None,
    ):
        self.language = language
        self.tape = tape
        self.macros = {name: tuple(patterns) for name, patterns in (macros or {}).items()}
        self.words = words
        self.canonical = canonical
        self._macro_nodes: dict[str, _Node] = {}
        self._nodes: dict[tuple[str, ...], _Node] = {}  # of literals and brackets: what is written once is read once
        self._shares: dict[frozenset[str], float] = {}
        self._open: list[str] = []
        self._depth = 0
        self._frequency = frequency or {}
        self._persons: tuple[Mapping[str, str], ...] = ()
        self.word_level = language == "en"
        self._head = "(?<= )" if self.word_level else ""

    def hearing(self, *persons: Mapping[str, str]) -> PatternCompiler:
        """A compiler of the same macros for which each of these words stands for those that it is mapped to as well."""
        other = copy(self)
        other._persons, other._macro_nodes, other._nodes, other._open = persons, {}, {}, []
        return other

    def compile(
        self,
        patterns: str | Iterable[str],
        *,
        rule: str = "?",
        source: str = "?",
        bindings: Mapping[str, _Node] | None = None,
    ) -> Compiled:
        """One regex for several alternatives. Raises RuleError (file, rule, what was expected)."""
        return self._taped(rule, lambda: self._compile(patterns, rule, source, bindings or {}))

    def _taped(self, rule: str, make: Callable[[], Iterable[Alternative]]) -> Compiled:
        if self.tape is None:
            return Compiled(make(), self._head)
        rows = self.tape(rule, lambda: [alternative.row() for alternative in make()])
        return Compiled((Alternative(*row) for row in rows), self._head)

    def _compile(
        self, patterns: str | Iterable[str], rule: str, source: str, bindings: Mapping[str, _Node]
    ) -> Iterable[Alternative]:
        if isinstance(patterns, str):
            patterns = [patterns]
        # of two alternatives that begin alike the longer must be tried first: a regex takes the first that fits
        patterns = sorted(patterns, key=lambda p: -len(p))
        try:
            node = self._either([self._parse(p, bindings) for p in patterns])
        except _Syntax as exc:
            raise RuleError(source=source, rule=rule, expected=str(exc)) from None
        if node.empty:
            raise RuleError(source=source, rule=rule, expected="a pattern that cannot match nothing")
        return map(self._alternative, node.options or (node,))

    def _alternative(self, node: _Node) -> Alternative:
        first = node.first
        if node.edge and first and not node.back and not first & _MARKS:
            first = frozenset(EDGE + unit for unit in first)  # so that it is tried at those places alone
        sets = [x for x in (node.keys, first, *node.needs) if x]
        keys, needs = self._rarest(sets) if node.keys or first else (None, ())
        return Alternative(
            node.regex,
            keys or _NOTHING,
            tuple(need for need in needs if need != first),
            first,
            node.back,
            node.edge,
            node.reach,
        )

    def _share(self, units: frozenset[str]) -> float:
        """The share of turns in which one of the units occurs, at most."""
        if units not in self._shares:
            self._shares[units] = self._share_of(units)
        return self._shares[units]

    def _share_of(self, units: frozenset[str]) -> float:
        if EDGE in units:
            return 1.0
        get = self._frequency.get
        # a guess for what is not in the table: long words are rare, and pairs of characters much rarer than characters
        guess = (lambda u: 0.3 / len(u) ** 2) if self.word_level else (lambda u: 0.004 if len(u) > 1 else 0.05)
        shares = ((u.lstrip(EDGE), _AT_EDGE if u[0] == EDGE else 1) for u in units)
        return sum(weight * (get(u) or guess(u)) for u, weight in shares)

    def _rarest(self, sets: Iterable[frozenset[str]]) -> tuple[frozenset[str] | None, tuple[frozenset[str], ...]]:
        """The set by which a pattern is best looked up, and the next best ones."""
        ordered = sorted(set(sets), key=lambda units: (self._share(units), sorted(units)))
        return (ordered[0], tuple(ordered[1 : _NEEDS + 1])) if ordered else (None, ())

    def verbatim(self, texts: Iterable[str]) -> Compiled:
        """Canonical texts as they are, with nothing of the pattern language: somebody's own terms.

        >>> bool(PatternCompiler("en").verbatim(["fev1 [l]"]).regex.search(" . fev1 [l] . "))
        True
        """
        ordered = sorted(set(texts), key=lambda t: (-len(t), t))
        nodes = (self._units(text.split() if self.word_level else text) for text in ordered)
        return self._taped("verbatim", lambda: map(self._alternative, nodes))

    def node(self, patterns: Iterable[str], *, rule: str = "?", source: str = "?") -> _Node:
        """A node to bind to a name in other patterns (the TOPIC of a template)."""
        if self.tape is not None and self.tape.plays:
            return _Node("", None)  # what it would be bound in is compiled
        try:
            return self._either([self._parse(p, {}) for p in patterns])
        except _Syntax as exc:
            raise RuleError(source=source, rule=rule, expected=str(exc)) from None

    # parsing ---------------------------------------------------------------------------------

    def _parse(self, pattern: str, bindings: Mapping[str, _Node]) -> _Node:
        tokens = [t for t in _TOKEN.findall(pattern) if not t.isspace()]
        node, rest = self._sequence(tokens, 0, bindings)
        if rest != len(tokens):
            raise _Syntax(f"balanced brackets (at {tokens[rest]!r})")
        return node

    def _sequence(self, tokens: list[str], i: int, bindings: Mapping[str, _Node]) -> tuple[_Node, int]:
        parts: list[_Node] = []
        while i < len(tokens) and tokens[i] not in ")]|":
            token = tokens[i]
            if token == "(" or token == "[":
                inner, i = self._alternatives(tokens, i + 1, ")" if token == "(" else "]", bindings)
                if token == "[":
                    inner = _Node(
                        f"(?:{inner.regex})?",
                        None,
                        True,
                        inner.first,
                        inner.alone,
                        inner.back,
                        ways=inner.ways + 1,
                        reach=inner.reach,
                    )
                parts.append(inner)
            elif token == "{":
                if i + 2 >= len(tokens) or tokens[i + 2] != "}":
                    raise _Syntax("{name}")
                parts.append(self._macro(tokens[i + 1], bindings))
                i += 3
            elif token[0] == "~":
                number = token.lstrip("~!")
                if not number or len(number) > 4 or int(number) > MAX_GAP:
                    raise _Syntax(f"a gap of at most {MAX_GAP}" if number else "operators with their numbers (~3)")
                limit = int(number)
                if parts and parts[-1].gap:
                    raise _Syntax("one gap instead of two in a row (~3 ~2 is ~5)")
                kind = token[1] if token[1] in "!~" else ""
                gap = f"{self._gap_unit(kind)}{{0,{limit}}}?"
                gap = f"({gap})" if kind == "!" else gap
                parts.append(_Node(gap, None, True, _NOTHING, back=limit, ways=limit + 1, gap=True, reach=limit))
                i += 1
            elif token in ("#", "#.#"):
                number = r"\d{1,4}" if token == "#" else r"\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?"
                end = r"(?:st|nd|rd|th)? " if self.word_level else ""
                longest = 1 if self.word_level else len("1234" if token == "#" else "12.12.1234")
                parts.append(_Node(number + end, _NUMBERS, first=_NUMBERS, reach=longest))
                i += 1
            elif token == "^":
                behind = f"(?<=[{PUNCT_EN}] )" if self.word_level else f"(?<=[{PUNCT_ZH}])"
                parts.append(_Node(behind, None, True, _EDGE, edge=True))
                i += 1
            elif token == "$":
                parts.append(_Node(f"(?=[{PUNCT_EN if self.word_level else PUNCT_ZH}])", None, True, _NOTHING))
                i += 1
            elif token == "!(":
                inner, i = self._alternatives(tokens, i + 1, ")", bindings)
                ahead = inner.refused  # !(!(x)): x follows, so that the text holds what x takes
                keys, needs, reach = (None, (), 0) if ahead is None else (ahead.keys, ahead.needs, ahead.reach)
                parts.append(
                    _Node(f"(?!{inner.regex})", keys, True, _NOTHING, needs=needs, reach=reach, refused=inner)
                )
            elif token == "<!(":
                j = tokens.index(")", i) if ")" in tokens[i:] else -1
                if j < 0:
                    raise _Syntax("<!(plain words)")
                literals = next(t.split("|") for t in [" ".join(tokens[i + 1 : j])])
                behind = "".join(f"(?<!{self._behind(x.strip())})" for x in literals)
                parts.append(_Node(behind, None, True, _NOTHING))
                i = j + 1
            elif token in "}<!~":
                raise _Syntax(f"no lone {token!r}")
            else:
                if (token,) not in self._nodes:
                    self._nodes[token,] = self._literal(token)
                parts.append(self._nodes[token,])
                i += 1
        if not parts:
            raise _Syntax("words between the brackets")
        if len(parts) == 1:
            return parts[0], i
        self._bounded(parts)
        best, needs = self._rarest(x for p in parts for x in (*p.needs, *([p.keys] if p.keys else ())))
        first, alone, back = _beginning(parts)
        empty = all(p.empty for p in parts)
        regex, ways, texts = "".join(p.regex for p in parts), prod(p.ways for p in parts), _NOTHING
        if all(p.texts for p in parts) and prod(len(p.texts) for p in parts) <= _FEW:
            texts = frozenset(map("".join, product(*(p.texts for p in parts))))
        reach = sum(p.reach for p in parts)
        return _Node(regex, best, empty, first, alone, back, parts[0].edge, needs, (), ways, False, texts, reach), i

    @staticmethod
    def _bounded(parts: list[_Node]) -> None:
        """Refuses what a search could try in so many ways that it does not come to an end."""
        loose = 1
        for part in parts:
            loose = loose * part.ways if part.empty else 1
            if loose > MAX_LOOSE:
                raise _Syntax("fewer gaps and optional words in a row, which can be left out in too many ways")
        # what comes last is tried once for each way to get there, and then the search is over
        if prod(p.ways for p in parts if p.gap) > MAX_LOOSE or prod(p.ways for p in parts[:-1]) > MAX_WAYS:
            raise _Syntax("fewer gaps and optional words, which together match in too many ways")

    def _alternatives(self, tokens: list[str], i: int, close: str, bindings: Mapping[str, _Node]) -> tuple[_Node, int]:
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise _Syntax(f"brackets inside brackets at most {MAX_DEPTH} times")
            end = next((j for j in range(i, len(tokens)) if tokens[j] in _BRACKETS), i)
            if tokens[i : end + 1][-1:] != [close]:  # brackets inside
                return self._options(tokens, i, close, bindings)
            plain = tuple(tokens[i - 1 : end + 1])
            if plain not in self._nodes:
                self._nodes[plain], _ = self._options(tokens, i, close, bindings)
            return self._nodes[plain], end + 1
        finally:
            self._depth -= 1

    def _options(self, tokens: list[str], i: int, close: str, bindings: Mapping[str, _Node]) -> tuple[_Node, int]:
        nodes = []
        while True:
            node, i = self._sequence(tokens, i, bindings)
            nodes.append(node)
            if i >= len(tokens):
                raise _Syntax(f"a closing {close!r}")
            if tokens[i] == "|":
                i += 1
                continue
            if tokens[i] != close:
                raise _Syntax(f"a closing {close!r}")
            return self._either(nodes), i + 1

    def _either(self, nodes: list[_Node]) -> _Node:
        if len(nodes) == 1:
            return nodes[0]
        keys = None if any(n.keys is None for n in nodes) else frozenset().union(*(n.keys for n in nodes))
        first = None
        if all(n.first is not None and (n.first or not n.back) for n in nodes):
            first = frozenset().union(*(n.first for n in nodes if n.first is not None))
        alone = frozenset().union(*(n.alone for n in nodes))
        options = tuple(option for n in nodes for option in n.options or (n,))
        return _Node(
            "(?:" + "|".join(n.regex for n in nodes) + ")",
            keys,
            any(n.empty for n in nodes),
            first,
            alone,
            max(n.back for n in nodes),
            all(n.edge for n in nodes),
            options=options,
            ways=self._ways(options),
            texts=frozenset().union(*(n.texts for n in options)) if all(n.texts for n in options) else _NOTHING,
            reach=max(n.reach for n in nodes),
        )

    def _ways(self, options: Iterable[_Node]) -> int:
        """Of alternatives only those count together that can match at one place."""
        any_place, by_head, texts = 0, Counter[str](), set[str]()
        for node in options:
            if node.texts:
                texts |= node.texts
            elif not node.first or node.empty:
                any_place += node.ways
            else:
                for head in node.first:
                    by_head[head] += node.ways
        lengths = sorted({len(t) for t in texts})
        nested = max((sum(t[:k] in texts for k in lengths if k <= len(t)) for t in texts), default=0)
        return any_place + max(by_head.values(), default=0) + nested

    def _macro(self, name: str, bindings: Mapping[str, _Node]) -> _Node:
        if name in bindings:
            return bindings[name]
        if name not in self._macro_nodes:
            if name not in self.macros:
                raise _Syntax(f"a known macro, not {{{name}}}")
            if name in self._open:
                raise _Syntax(f"macros without a circle ({{{name}}})")
            self._open.append(name)
            try:
                # the longer first, as in `compile`: 二十 before 二
                patterns = sorted(self.macros[name], key=lambda p: -len(p))
                self._macro_nodes[name] = self._either([self._parse(p, {}) for p in patterns])
            finally:
                self._open.pop()
        return self._macro_nodes[name]

    def _gap_unit(self, kind: str) -> str:
        stops, negators = GAP_STOPS[self.language], GAP_NEGATORS[self.language]
        if self.word_level:
            words = () if kind == "~" else stops if kind == "!" else (*stops, *negators)
            ahead = "(?!(?:" + "|".join(words) + ") )" if words else ""
            return f"(?:{ahead}[^ {PUNCT_EN}]+ )"
        return "[^" + PUNCT_ZH + ("" if kind == "~" else stops if kind == "!" else stops + negators) + "]"

    def _behind(self, text: str) -> str:
        if self.word_level:
            return " " + "".join(re.escape(w) + " " for w in self._canonical_words(text))
        return re.escape(self.canonical(text) if self.canonical else text)

    def _canonical_words(self, text: str) -> list[str]:
        return self.words(text) if self.words else text.split()

    def _literal(self, token: str) -> _Node:
        if not self.word_level:
            text = self.canonical(token) if self.canonical else token
            if not text:
                raise _Syntax(f"a literal that the clean-up leaves, not {token!r}")
            return self._units(text)
        if "*" in token:
            stem = token.rstrip("*")
            if "*" in stem or not stem:
                raise _Syntax("a * at the end of a word only")
            keys = frozenset([stem[:PREFIX] + "*"]) if len(stem) >= SHORT else None
            return _Node(re.escape(stem) + "[^ ]* ", keys, first=keys, reach=1)
        words = self._canonical_words(token)
        if not words:
            raise _Syntax("a word that the clean-up leaves")
        forms = {tuple(words): None} | {tuple(_said_of(p, words)): None for p in self._persons}
        return self._units(words) if len(forms) == 1 else self._either([self._units(list(form)) for form in forms])

    def _units(self, text: list[str] | str) -> _Node:
        """Canonical words (English), or a stretch of canonical text (Chinese), as they are."""
        if self.word_level:
            units, regex = list(text), "".join(re.escape(w) + " " for w in text)
        else:
            units, regex = [text[k : k + 2] for k in range(len(text) - 1)] or [text], re.escape(text)
        keys, needs = self._rarest(frozenset([u]) for u in units)
        first = frozenset(units[:1])
        alone = first if not self.word_level and len(text) == 1 else _NOTHING
        return _Node(regex, keys, False, first, alone, needs=needs, texts=frozenset([regex]), reach=len(text))


def _beginning(parts: list[_Node]) -> tuple[frozenset[str] | None, frozenset[str], int]:
    """(first, alone, back) of parts one after the other. A single Chinese character is joined to what can follow it."""
    first: frozenset[str] | None = _NOTHING
    alone: frozenset[str] = _NOTHING
    back, last, may_end = 0, True, True  # of the parts from here on; may_end: they can match nothing
    for part in reversed(parts):
        own, own_alone, own_back = part.first, part.alone, part.back
        if own == _EDGE:
            if first is None or may_end:
                first, back = own, 0
            alone = _NOTHING
        elif own_back and not own:  # a gap
            if may_end:
                first = None
            alone, back = _NOTHING, back + own_back
        else:
            if own and own_alone and not last:
                if first and not may_end and not back and not first & _MARKS and len(own_alone) * len(first) <= _MOST:
                    own = (own - own_alone) | {a + b[0] for a in own_alone for b in first}
                own_alone = _NOTHING
            if part.empty:
                first = None if own is None or first is None else own | first
                alone, back = own_alone | alone if last else _NOTHING, max(own_back, back)
            else:
                first, alone, back = own, own_alone, own_back
        may_end = may_end and part.empty
        last = False
    return first, alone, 0 if first is None else back


_NOTHING: frozenset[str] = frozenset()
_EDGE = frozenset([EDGE])
_NUMBERS = frozenset([NUMBER])
_FEW = 500  # texts
_MARKS = frozenset([EDGE, NUMBER])
_MOST = 400  # pairs of characters that a pattern may begin with; beyond, its first characters will do


class _Syntax(ValueError):
    pass
