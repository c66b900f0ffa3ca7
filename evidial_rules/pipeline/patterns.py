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
searched in time linear in its length. Every pattern also knows its `keys`: a set of words (English), or
of characters and pairs of characters (Chinese), of which a matching text holds at least one; further sets of
which it holds one each; and what a match can begin with. The index tries a pattern only where all of
that occurs, and only at the places where it can begin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Generic, Protocol, TypeVar

from ..errors import RuleError

_TOKEN = re.compile(r"#\.#|#|~[!~]?\d+|<!\(|!\(|[()\[\]{}|^$]|[^\s()\[\]{}|^$~!<#]+|\s+|.")
PUNCT_EN = ",.;?!:"
PUNCT_ZH = "，。；？！：、"
GAP_STOPS = {"en": ("or", "but", "except", "although", "though", "because", "if", "unless", "i", "he", "she", "they", "we", "who", "then", "when", "while"),
             "zh": "但我你他她"}
GAP_NEGATORS = {"en": ("not", "no", "never", "nothing", "nobody", "without", "neither", "nor", "hardly", "barely", "none"), "zh": "不没无未别非"}
PREFIX = 4  # length of the prefix key of a word ending in *


NUMBER = "#"  # the unit that stands for any number in digits
_NEEDS = 3  # how many sets beside the keys are worth a look


class Alternative:
    """One way in which a pattern can match. `keys`, `needs`: sets of units of each of which a matching text holds
    one (no keys: always tried). `first`: the units that a match can begin with, None for any."""

    __slots__ = ("_regex", "first", "keys", "needs", "source")

    def __init__(self, source: str, keys: frozenset[str], needs: tuple[frozenset[str], ...], first: frozenset[str] | None):
        self.source, self.keys, self.needs, self.first = source, keys, needs, first
        self._regex: re.Pattern[str] | None = None

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
        self.keys: frozenset[str] = frozenset() if not all(a.keys for a in self.alternatives) else \
            frozenset().union(*(a.keys for a in self.alternatives))
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
    needs: tuple[frozenset[str], ...] = ()  # further sets of which it takes one each
    options: tuple[_Node, ...] = ()  # the alternatives, where it is nothing else


class PatternCompiler:
    """Compiles patterns of one language.

    macros: name -> alternatives, each a pattern. words: turns a literal into canonical words
    (English "can't" -> ["can", "not"]); for Chinese, None.
    """

    def __init__(self, language: str, macros: Mapping[str, Iterable[str]] | None = None,
                 words: Callable[[str], list[str]] | None = None, canonical: Callable[[str], str] | None = None):
        self.language = language
        self.macros = {name: tuple(patterns) for name, patterns in (macros or {}).items()}
        self.words = words
        self.canonical = canonical
        self._macro_nodes: dict[str, _Node] = {}
        self._open: list[str] = []
        self.word_level = language == "en"
        self._head = "(?<= )" if self.word_level else ""

    def compile(self, patterns: str | Iterable[str], *, rule: str = "?", source: str = "?",
                bindings: Mapping[str, _Node] | None = None) -> Compiled:
        """One regex for several alternatives. Raises RuleError (file, rule, what was expected)."""
        if isinstance(patterns, str):
            patterns = [patterns]
        # of two alternatives that begin alike the longer must be tried first: a regular expression takes the first that fits
        patterns = sorted(patterns, key=lambda p: -len(p))
        try:
            node = self._either([self._parse(p, bindings or {}) for p in patterns])
        except _Syntax as exc:
            raise RuleError(source=source, rule=rule, expected=str(exc)) from None
        if node.empty:
            raise RuleError(source=source, rule=rule, expected="a pattern that cannot match nothing")
        return Compiled((Alternative(n.regex, n.keys or frozenset(), n.needs, n.first) for n in node.options or (node,)), self._head)

    def verbatim(self, texts: Iterable[str]) -> Compiled:
        """Canonical texts as they are, with nothing of the pattern language: somebody's own terms.

        >>> bool(PatternCompiler("en").verbatim(["fev1 [l]"]).regex.search(" . fev1 [l] . "))
        True
        """
        nodes = [self._units(t.split() if self.word_level else t) for t in sorted(set(texts), key=lambda t: (-len(t), t))]
        return Compiled((Alternative(n.regex, n.keys or frozenset(), n.needs, n.first) for n in nodes), self._head)

    def node(self, patterns: Iterable[str], *, rule: str = "?", source: str = "?") -> _Node:
        """A node to bind to a name in other patterns (the TOPIC of a template)."""
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
                    inner = _Node(f"(?:{inner.regex})?", None, True, inner.first)
                parts.append(inner)
            elif token == "{":
                if i + 2 >= len(tokens) or tokens[i + 2] != "}":
                    raise _Syntax("{name}")
                parts.append(self._macro(tokens[i + 1], bindings))
                i += 3
            elif token[0] == "~":
                limit = int(token.lstrip("~!"))
                if limit > 12:
                    raise _Syntax("a gap of at most 12")
                kind = token[1] if token[1] in "!~" else ""
                gap = f"{self._gap_unit(kind)}{{0,{limit}}}?"
                parts.append(_Node(f"({gap})" if kind == "!" else gap, None, True))
                i += 1
            elif token in ("#", "#.#"):
                number = r"\d{1,4}" if token == "#" else r"\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?"
                parts.append(_Node(number + (r"(?:st|nd|rd|th)? " if self.word_level else ""), None, first=frozenset([NUMBER])))
                i += 1
            elif token == "^":
                behind = f"(?<=[{PUNCT_EN}] )" if self.word_level else f"(?<=[{PUNCT_ZH}])"
                parts.append(_Node(behind, None, True, _NOTHING))
                i += 1
            elif token == "$":
                parts.append(_Node(f"(?=[{PUNCT_EN if self.word_level else PUNCT_ZH}])", None, True, _NOTHING))
                i += 1
            elif token == "!(":
                inner, i = self._alternatives(tokens, i + 1, ")", bindings)
                parts.append(_Node(f"(?!{inner.regex})", None, True, _NOTHING))
            elif token == "<!(":
                j = tokens.index(")", i) if ")" in tokens[i:] else -1
                if j < 0:
                    raise _Syntax("<!(plain words)")
                literals = [t.split("|") for t in [" ".join(tokens[i + 1:j])]][0]
                behind = "".join(f"(?<!{self._behind(x.strip())})" for x in literals)
                parts.append(_Node(behind, None, True, _NOTHING))
                i = j + 1
            elif token in "}<!~":
                raise _Syntax(f"no lone {token!r}")
            else:
                parts.append(self._literal(token))
                i += 1
        if not parts:
            raise _Syntax("words between the brackets")
        if len(parts) == 1:
            return parts[0], i
        best, needs = _rarest([p.keys for p in parts if p.keys], [need for p in parts for need in p.needs])
        first: frozenset[str] | None = _NOTHING
        for part in parts:
            first = None if part.first is None else first | part.first
            if first is None or not part.empty:
                break
        return _Node("".join(p.regex for p in parts), best, all(p.empty for p in parts), first, needs), i

    def _alternatives(self, tokens: list[str], i: int, close: str, bindings: Mapping[str, _Node]) -> tuple[_Node, int]:
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
        first = None if any(n.first is None for n in nodes) else frozenset().union(*(n.first for n in nodes))
        options = tuple(option for n in nodes for option in n.options or (n,))
        return _Node("(?:" + "|".join(n.regex for n in nodes) + ")", keys, any(n.empty for n in nodes), first, options=options)

    def _macro(self, name: str, bindings: Mapping[str, _Node]) -> _Node:
        if name in bindings:
            return bindings[name]
        if name not in self._macro_nodes:
            if name not in self.macros:
                raise _Syntax(f"a known macro, not {{{name}}}")
            if name in self._open:
                raise _Syntax(f"macros without a circle ({{{name}}})")
            self._open.append(name)
            self._macro_nodes[name] = self._either([self._parse(p, {}) for p in self.macros[name]])
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
            keys = frozenset([stem[:PREFIX] + "*"]) if len(stem) >= PREFIX else None
            return _Node(re.escape(stem) + "[^ ]* ", keys, first=keys)
        words = self._canonical_words(token)
        if not words:
            raise _Syntax("a word that the clean-up leaves")
        return self._units(words)

    def _units(self, text: list[str] | str) -> _Node:
        """Canonical words (English), or a stretch of canonical text (Chinese), as they are."""
        if self.word_level:
            units, regex = list(text), "".join(re.escape(w) + " " for w in text)
        else:
            units, regex = [text[k:k + 2] for k in range(len(text) - 1)] or [text], re.escape(text)
        keys, needs = _rarest([frozenset([u]) for u in units], [])
        return _Node(regex, keys, first=frozenset(units[:1]), needs=needs)


_NOTHING: frozenset[str] = frozenset()


def _rarest(keys: list[frozenset[str]], needs: list[frozenset[str]]) -> tuple[frozenset[str] | None, tuple[frozenset[str], ...]]:
    """The set by which a pattern is best found, and the next best ones."""
    if not keys:
        return None, tuple(needs[:_NEEDS])
    best = min(keys, key=lambda k: (max(_weight(x) for x in k) * len(k), len(k)))
    others = {need for need in (*keys, *needs) if need != best}
    return best, tuple(sorted(others, key=lambda k: (max(_weight(x) for x in k) * len(k), sorted(k)))[:_NEEDS])


class _Syntax(ValueError):
    pass


_COMMON = {w: 40 for w in (
    "i a the to and of it is was am are be in that my me not do so for on with have had has but at this you he she they "
    "we just like all up out no get got really can could would about as if what when there been one did does know").split()}
_COMMON.update({w: 12 for w in (
    "feel feeling felt time day days any more much lot go going back down well good think even too very some thing things "
    "never still always now than or from by over off want make made take keep kind life work people make nothing").split()})
_COMMON.update({c: 60 for c in "的了是不我有一在就这也都没么个好到说来去得上人会"})
_COMMON.update({c: 25 for c in "大心过还很能想时点天那里多样觉对看什事做着吃自己生话"})
_COMMON.update({p: 10 for p in ("没有", "不是", "就是", "觉得", "什么", "自己", "我的", "有时", "时候", "感觉", "一个", "最近")})


def _weight(key: str) -> int:
    """How common a key is, roughly: rarer keys let the index skip more."""
    known = _COMMON.get(key)
    if known is not None:
        return known
    return 3 if len(key) > 1 else 8


class Searchable(Protocol):
    """What the index reads of a `Canonical`: text, units that occur (`keys`), where units begin, and where a given one does."""

    text: str
    keys: set[str]
    starts: list[int]

    def places(self, unit: str) -> list[int]: ...


P = TypeVar("P")
_PLACE = itemgetter(0, 1)


class PatternIndex(Generic[P]):
    """Finds, for the keys of one text, the patterns worth trying.

    >>> compiler = PatternCompiler("en", words=str.split)
    >>> index = PatternIndex([("r1", compiler.compile("no appetite"))])
    >>> [payload for payload, _ in index.candidates({"no", "appetite"})]
    ['r1']
    """

    def __init__(self, items: Iterable[tuple[P, Compiled]]):
        self.items: list[tuple[P, Compiled]] = list(items)
        self._alternatives: list[tuple[int, Alternative]] = []  # with the number of the item, in order
        self._always: list[int] = []
        by_key: dict[str, list[int]] = {}
        for order, (_, compiled) in enumerate(self.items):
            for alternative in compiled.alternatives:
                number = len(self._alternatives)
                self._alternatives.append((order, alternative))
                if not alternative.keys:
                    self._always.append(number)
                for key in alternative.keys:
                    by_key.setdefault(key, []).append(number)
        self._by_key = by_key
        self._keys = frozenset(by_key)

    @property
    def by_key(self) -> dict[str, list[tuple[int, P, re.Pattern[str]]]]:
        """The items (number, payload, regex) under each key: what `candidates` goes by."""
        return {key: self._entries(numbers) for key, numbers in self._by_key.items()}

    @property
    def always(self) -> list[tuple[int, P, re.Pattern[str]]]:
        """The items that no key can rule out."""
        return self._entries(self._always)

    def _entries(self, numbers: Iterable[int]) -> list[tuple[int, P, re.Pattern[str]]]:
        orders = dict.fromkeys(self._alternatives[n][0] for n in numbers)
        return [(order, self.items[order][0], self.items[order][1].regex) for order in orders]

    def _numbers(self, keys: AbstractSet[str]) -> list[int]:
        found = set(self._always)
        for key in self._keys & keys:
            found.update(self._by_key[key])
        return sorted(found)

    def candidates(self, keys: Iterable[str]) -> list[tuple[P, re.Pattern[str]]]:
        """(payload, regex) pairs worth a search, in rule order; `keys` as made by `Canonical.keys`."""
        return [(payload, regex) for _, payload, regex in self._entries(self._numbers(frozenset(keys)))]

    def matches(self, canonical: Searchable) -> list[tuple[P, re.Match[str]]]:
        """What `regex.finditer` finds for each item, in order of the items and then of the text.

        >>> from evidial_rules.pipeline.text import EnglishNormaliser
        >>> index = PatternIndex([("r1", PatternCompiler("en").compile(["no appetite", "no hope"]))])
        >>> [(name, m.group()) for name, m in index.matches(EnglishNormaliser({}, {}, [])("no hope, no appetite"))]
        [('r1', 'no hope '), ('r1', 'no appetite ')]
        """
        text, keys = canonical.text, canonical.keys
        found: list[tuple[P, re.Match[str]]] = []
        current, tries = -1, []
        for number in self._numbers(keys):
            order, alternative = self._alternatives[number]
            first = alternative.first
            starts: Iterable[int]
            if first is None:
                starts = canonical.starts
            else:
                first = first & keys
                if not first:
                    continue
                starts = chain.from_iterable(map(canonical.places, first)) if len(first) > 1 else canonical.places(*first)
            if any(map(keys.isdisjoint, alternative.needs)):
                continue
            if order != current:
                if tries:
                    self._run(current, tries, text, found)
                current, tries = order, []
            match = alternative.regex.match
            tries += [(start, number, match) for start in starts]
        if tries:
            self._run(current, tries, text, found)
        return found

    def _run(self, order: int, tries: list[tuple[int, int, Callable[[str, int], re.Match[str] | None]]], text: str,
             found: list[tuple[P, re.Match[str]]]) -> None:
        """As a regex of all alternatives would: the leftmost match, of the first alternative that fits there, and on
        from its end."""
        if len(tries) > 1:
            tries.sort(key=_PLACE)
        position = 0
        payload = self.items[order][0]
        for start, _, match in tries:
            if start >= position:
                m = match(text, start)
                if m is not None:
                    found.append((payload, m))
                    position = m.end()
