"""Wordings: named vocabulary that a component's logic asks about at a place which it has already found.

A cue is searched over every turn; a wording is not. Which words open a list, or turn a question into advice, matters
only where the logic has come to a list or a question. A wording stands beside the cues, in `wordings:` of
`grammars/<language>/<component>.yaml`, and the component's `rules.py` says what each name is for (`WORDINGS`), so that
one line of logic serves both languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..errors import RuleError
from .patterns import PatternCompiler
from .text import Canonical

NEVER = re.compile(r"(?!)")
"""What a name stands for in a language that does not need it."""
KINDS = ("regex", "any", "words")
_BOUNDS = re.compile(r"\{(\d*)(,?)(\d*)\}")


class Wording(BaseModel):
    """One wording, by one of: `regex`, a regular expression over canonical text (English: each word followed by a
    blank); `any`, patterns; `words`, words (Chinese: words or characters) that the logic can also ask for as a set.

    whole: the logic asks whether it is all that stands there. spoken: it asks about the words as they were said, which
    canonical text no longer tells apart ("nope" is "no" there). `yes` and `no`: texts that hold it (whole: that are it)
    and that do not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str = Field(min_length=3)
    name: str = Field(min_length=2)
    what: str = ""
    regex: str | None = Field(default=None, min_length=1)
    any: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    whole: bool = False
    spoken: bool = False
    yes: tuple[str, ...] | str
    no: tuple[str, ...] | str

    @model_validator(mode="after")
    def _one_kind(self) -> Wording:
        if sum(bool(getattr(self, kind)) for kind in KINDS) != 1:
            raise ValueError(f"exactly one of {', '.join(KINDS)}")
        return self

    def found(self, pattern: re.Pattern[str], canonical: Canonical, said: str = "") -> bool:
        """Whether a text holds the wording, tried as the logic would ask: in the turn, or in a piece cut out of it.
        said: the text itself, for what is asked of that."""
        if self.spoken:
            return pattern.search(f"{said.lower()} ") is not None
        text = canonical.text
        pieces = (text, text[2:-2], text[3:-2], text[3:-3]) if canonical.word_level else (text, text[1:-1])
        if self.whole:
            return any(pattern.fullmatch(piece) is not None for piece in pieces[1:])
        return any(pattern.search(piece) is not None for piece in pieces)


class Wordings(Mapping[str, re.Pattern[str]]):
    """The wordings of one component in one language: a compiled pattern for every name of its `WORDINGS`.

    A name that the language does not need gives a pattern that never matches. Raises RuleError for another one.

    >>> says = Wordings("answers", {"advice": "advises"}, {})
    >>> says["advice"].search(" you could try . ") is None
    True
    """

    def __init__(self, component: str, names: Mapping[str, str], rules: Mapping[str, tuple[Wording, re.Pattern[str]]]):
        self.component = component
        self.rules = {name: rule for name, (rule, _) in rules.items()}
        self._patterns = {name: rules[name][1] if name in rules else NEVER for name in names}
        self._words = {name: frozenset(self.rules[name].words if name in rules else ()) for name in names}

    def __getitem__(self, name: str) -> re.Pattern[str]:
        try:
            return self._patterns[name]
        except KeyError:
            raise self._unknown(name) from None

    def words(self, name: str) -> frozenset[str]:
        """The words themselves, of a wording that is written as words."""
        try:
            return self._words[name]
        except KeyError:
            raise self._unknown(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._patterns)

    def __len__(self) -> int:
        return len(self._patterns)

    def _unknown(self, name: str) -> RuleError:
        return RuleError(source=self.component, rule=name, expected=f"a wording out of {', '.join(self._patterns)}")


def compiled(
    wordings: Iterable[tuple[str, Wording]],
    component: str,
    names: Mapping[str, str],
    compiler: PatternCompiler,
    taken: set[str],
) -> Wordings:
    """The wordings (file, rule) of a component. taken: the ids of other rules, to which those of these are added.

    Raises RuleError (file, rule, what was expected).
    """
    found: dict[str, tuple[Wording, re.Pattern[str]]] = {}
    for source, rule in wordings:
        if rule.id in taken:
            raise RuleError(source=source, rule=rule.id, expected="an id that no other rule has")
        taken.add(rule.id)
        if rule.name not in names:
            raise RuleError(source=source, rule=rule.id, expected=f"name to be one of {', '.join(sorted(names))}")
        if rule.name in found:
            raise RuleError(
                source=source, rule=rule.id, expected=f"a name that {found[rule.name][0].id} has not already"
            )
        found[rule.name] = rule, pattern(rule, compiler, source)
    return Wordings(component, names, found)


def pattern(rule: Wording, compiler: PatternCompiler, source: str) -> re.Pattern[str]:
    """The wording as one regular expression. Raises RuleError."""
    if rule.any:
        return compiler.compile(rule.any, rule=rule.id, source=source).regex
    if rule.words:
        either = "|".join(re.escape(word) for word in sorted(rule.words, key=lambda w: (-len(w), w)))
        return re.compile(f"(?<![^ ])(?:{either}) " if compiler.word_level else f"(?:{either})")
    assert rule.regex is not None
    try:
        out = re.compile(rule.regex)
    except (re.error, OverflowError, RecursionError) as exc:
        raise RuleError(
            source=source, rule=rule.id, expected=f"a regular expression ({getattr(exc, 'msg', 'too large')})"
        ) from None
    if runs_away(rule.regex):
        raise RuleError(
            source=source, rule=rule.id, expected="a bound on what repeats inside of something that repeats"
        )
    return out


def runs_away(regex: str) -> bool:
    """Whether something without a bound repeats without a bound: a search can then take time beyond all measure.

    >>> runs_away("(?:a|b+)*c"), runs_away("(?:a|b{1,3})*c"), runs_away("(?:a|b)*c+")
    (True, False, False)
    """
    open_: list[bool] = []  # of each open bracket: whether anything inside repeats without a bound
    inside = last = False  # the same for the level at hand, and for what was read last
    i, n = 0, len(regex)
    while i < n:
        c = regex[i]
        bounds = _BOUNDS.match(regex, i) if c == "{" else None
        if c == "\\":
            i, last = i + 2, False
        elif c == "[":
            i += 2 if regex.startswith("[^", i) else 1
            i += regex.startswith("]", i)  # a bracket that stands first is one of the characters
            while i < n and regex[i] != "]":
                i += 2 if regex[i] == "\\" else 1
            i, last = i + 1, False
        elif c == "(":
            open_.append(inside)
            inside = last = False
            i += 1
            if regex.startswith("?", i):
                i += 1
        elif c == ")":
            last = inside
            inside = (open_.pop() if open_ else False) or last
            i += 1
        elif c in "*+" or bounds is not None and bounds[2] and not bounds[3]:
            if last:
                return True
            inside, last = True, False
            i = i + 1 if bounds is None else bounds.end()
            if regex.startswith(("?", "+"), i):
                i += 1
        elif bounds is not None:
            i, last = bounds.end(), False
        else:
            i, last = i + 1, False
    return False
