"""The linter of the rule files: form, names, reach and examples, all in one pass (`evidial lint`).

It reads what `evidial_rules.pipeline.language` reads, but goes on where that stops: a broken file or rule is one
finding, and the rest is checked without it. An error is something that the engine refuses, never reaches or does
otherwise than the rule's own example says; a warning is something that a maintainer should look at.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from ..contract import ALL, COMPONENTS, DIMENSIONS
from ..errors import EvidialError
from ..resources import instruments, label, load_instrument, resource
from .clauses.rules import CONNECTIVES, ChineseClauses, EnglishClauses
from .cues import CueFile, CueMatcher, CueRule
from .index import PatternIndex
from .language import COMPONENTS as CUE_COMPONENTS
from .language import NOTES, WORDINGS
from .patterns import _TOKEN, Compiled, PatternCompiler, _Syntax
from .rulefiles import parse
from .terms.logic import TermMatcher
from .terms.rules import Compose, Entry, Lexicon, Target, Template, Topic
from .text import Canonical, ChineseNormaliser, EnglishNormaliser
from .wordings import Wording
from .wordings import pattern as wording_pattern

LANGUAGES: tuple[str, ...] = ("en", "zh")
WHOLE_FILE = "the file itself"
MAX_WORDINGS = 300  # a pattern with more wordings is not listed
_SHOWN = 5  # wordings named in one finding
_OPERATORS = frozenset("()[]{}|^$") | {"~", "#", "!(", "<!("}
# What other pattern languages mean by these, this one does not. Inside a word ("ctrl+z") they are the word's own.
_FOREIGN = re.compile(r"[?+]$|[\\｜［］｛｝]|\*.|\.\*")
_TAKES_INTERVAL = ("interval", "last_week")
_TAKES_REACH: dict[str, tuple[str | None, ...]] = {
    "history": ("list", "heading", "noun", "before", "before_list", "before_with", "inside"),
    "negation": (None, "list"),
}

M = TypeVar("M", bound=BaseModel)
P = TypeVar("P", bound=Entry | Topic | Template | CueRule)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or worth a look.

    file: relative to the resources, with the line where YAML itself is broken. rule: a rule's id, a macro in braces,
    or "the file itself". severity: "error" or "warning".
    """

    file: str
    rule: str
    problem: str
    severity: str


class Macros(BaseModel):
    """`grammars/<language>/*macros.yaml`: names for alternatives."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    macros: dict[str, tuple[str, ...]]


class Concord(BaseModel):
    """`concord` of the English `normalise.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    negators: tuple[str, ...]
    verbs: tuple[str, ...]
    between: tuple[str, ...]
    words: dict[str, str]


class EnglishTables(BaseModel):
    """`grammars/en/normalise.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    words: dict[str, str] = {}
    phrases: dict[str, str] = {}
    fillers: tuple[str, ...] = ()
    concord: Concord | None = None


class ChineseTables(BaseModel):
    """`grammars/zh/normalise.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    words: dict[str, str] = {}
    fillers: tuple[str, ...] = ()
    finals: dict[str, str] = {}


class Traditional(BaseModel):
    """`grammars/zh/traditional.yaml`: characters one to one, in the same order."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    traditional: str
    simplified: str


def lint(lexicons: Path | None = None, *, corpus: Iterable[str] | None = None) -> list[Finding]:
    """Findings on all rule files, in the order of the files; an empty list if there is nothing to say.

    lexicons: a folder with somebody's own lexicon files, checked instead of those that ship (the grammars are checked
    all the same). corpus: texts, of either language, over which each rule should fire more than once. Never raises
    for a broken file.
    """
    report = _Report()
    texts = list(corpus) if corpus is not None else None
    own = _own_lexicons(Path(lexicons), report) if lexicons is not None else None
    for name in LANGUAGES:
        _Linter(name, report, None if own is None else own[name]).run(texts)
    _check_instruments(report)
    return report.findings


@dataclass(slots=True)
class _Report:
    findings: list[Finding] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)  # rule id -> the file that has it

    def add(self, file: str, rule: str, problem: str, severity: str = "error") -> None:
        finding = Finding(file, rule, problem, severity)
        if finding not in self.findings:
            self.findings.append(finding)

    def warn(self, file: str, rule: str, problem: str) -> None:
        self.add(file, rule, problem, "warning")

    def caught(self, error: Exception, file: str) -> None:
        """A file that could not be read, as one finding."""
        details = error.details if isinstance(error, EvidialError) else {}
        self.add(
            str(details.get("source") or details.get("where") or file),
            str(details.get("rule") or WHOLE_FILE),
            f"expected {details.get('expected') or 'a rule file'}",
        )

    def read(self, model: type[M], path: Path) -> M | None:
        try:
            return parse(model, path)
        except (EvidialError, RecursionError) as error:
            self.caught(error, label(path))
            return None

    def identify(self, file: str, rule: str, language: str, *, own: bool) -> None:
        if rule in self.ids:
            self.add(file, rule, f"expected an id that no other rule has, {self.ids[rule]} has it already")
        self.ids.setdefault(rule, file)
        if not rule.startswith(f"{language}."):
            self.add(file, rule, f"expected an id that starts with {language}.", "warning" if own else "error")


def _check_instruments(report: _Report) -> None:
    for name in instruments():
        try:
            load_instrument(name)
        except EvidialError as error:
            report.caught(error, f"grammars/instruments/{name}.yaml")


def _own_lexicons(folder: Path, report: _Report) -> dict[str, list[tuple[Path, Lexicon]]]:
    """Somebody's own lexicon files by language: a file with Chinese characters in its patterns is Chinese."""
    found: dict[str, list[tuple[Path, Lexicon]]] = {name: [] for name in LANGUAGES}
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        report.add(label(folder), WHOLE_FILE, "expected a folder with lexicon files (*.yaml)")
    for path in paths:
        lexicon = report.read(Lexicon, path)
        if lexicon is not None:
            patterns = [p for entry in lexicon.entries for p in entry.any]
            patterns += [p for topic in lexicon.topics for p in topic.words]
            patterns += [term for target in lexicon.targets for term in target.terms]
            found["zh" if _chinese("".join(patterns)) else "en"].append((path, lexicon))
    return found


def _chinese(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" for c in text)


def _several(texts: tuple[str, ...] | str) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else texts


def _tokens(pattern: str) -> list[str]:
    return [token for token in _TOKEN.findall(pattern) if not token.isspace()]


class _Compiler(PatternCompiler):
    """Compiles a list of patterns once; the matchers ask for the same ones again."""

    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        self._done: dict[tuple[str, ...], Compiled] = {}

    def compile(
        self,
        patterns: str | Iterable[str],
        *,
        rule: str = "?",
        source: str = "?",
        bindings: Mapping[str, Any] | None = None,
    ) -> Compiled:
        listed = (patterns,) if isinstance(patterns, str) else tuple(patterns)
        if bindings:
            return super().compile(listed, rule=rule, source=source, bindings=bindings)
        if listed not in self._done:
            self._done[listed] = super().compile(listed, rule=rule, source=source)
        return self._done[listed]


class _TooMany(Exception):
    """The pattern has a gap, an open word or too many wordings."""


class _Wordings:
    """The wordings of a pattern in canonical text, where they can be listed."""

    def __init__(self, compiler: PatternCompiler):
        self.compiler = compiler
        self._macros: dict[str, list[str] | None] = {}

    def __call__(self, pattern: str) -> list[str] | None:
        """All wordings, or None if the pattern has a gap, an open word, or more than `MAX_WORDINGS`."""
        try:
            return self._sequence(_tokens(pattern), 0)[0]
        except _TooMany:
            return None

    def _sequence(self, tokens: list[str], i: int) -> tuple[list[str], int]:
        out = [""]
        while i < len(tokens) and tokens[i] not in ")]|":
            token = tokens[i]
            if token in ("(", "[", "!("):
                inner, i = self._alternatives(tokens, i + 1)
                if token == "!(":
                    continue  # looks on, and takes nothing
                out = self._times(out, [*inner, ""] if token == "[" else inner)
            elif token == "{":
                out = self._times(out, self._macro(tokens[i + 1]))
                i += 3
            elif token == "<!(":
                i = tokens.index(")", i) + 1
            elif token in ("^", "$"):
                i += 1
            elif token[0] == "~" or "*" in token or token == "#.#":
                raise _TooMany
            else:
                out = self._times(out, [self._literal("7" if token == "#" else token)])
                i += 1
        return out, i

    def _alternatives(self, tokens: list[str], i: int) -> tuple[list[str], int]:
        out: list[str] = []
        while True:
            some, i = self._sequence(tokens, i)
            out += some
            if len(out) > MAX_WORDINGS:
                raise _TooMany
            if tokens[i] != "|":
                return out, i + 1
            i += 1

    def _times(self, left: list[str], right: list[str]) -> list[str]:
        if len(left) * len(right) > MAX_WORDINGS:
            raise _TooMany
        return [a + b for a in left for b in right]

    def _macro(self, name: str) -> list[str]:
        if name not in self._macros:
            self._macros[name] = None  # a circle ends here
            parts = [self(pattern) for pattern in self.compiler.macros.get(name, ())]
            if parts and all(part is not None for part in parts):
                self._macros[name] = [wording for part in parts for wording in part or ()]
        wordings = self._macros[name]
        if wordings is None:
            raise _TooMany
        return wordings

    def _literal(self, token: str) -> str:
        if self.compiler.word_level:
            return "".join(word + " " for word in (self.compiler.words or str.split)(token))
        return self.compiler.canonical(token) if self.compiler.canonical else token


class _Linter:
    """Checks the files of one language."""

    def __init__(self, name: str, report: _Report, own: list[tuple[Path, Lexicon]] | None):
        self.name = name
        self.report = report
        self.own = own
        self.normalise: EnglishNormaliser | ChineseNormaliser | None = None
        self.compiler: _Compiler | None = None
        self.broken: set[str] = set()  # macros that do not compile
        self.used: set[str] = set()
        self.where: dict[str, str] = {}  # macro -> its file

    def run(self, corpus: Sequence[str] | None) -> None:
        folder = resource("grammars", self.name)
        cues = [
            (component, path, cue_file)
            for component in CUE_COMPONENTS
            for path in sorted(folder.glob(f"{component}*.yaml"))
            if not path.stem.endswith("macros")
            if (cue_file := self.report.read(CueFile, path)) is not None
        ]
        compose_path = folder / "compose.yaml"
        compose = self.report.read(Compose, compose_path)
        shipped = self._shipped_lexicons()
        checked = shipped if self.own is None else self.own
        self._clean_up(folder)
        clauses = folder / "clauses.yaml"
        wordings = [(component, label(path), rule) for component, path, file in cues for rule in file.wordings]
        wordings += [("clauses", label(clauses), rule) for rule in self._clauses(clauses)]
        macros = self._macros(folder)
        self._forms(checked, compose, compose_path, cues)
        self._wording_forms(wordings)
        if self.normalise is None or macros is None:
            return  # nothing compiles without them, and they are reported
        words = self.normalise.phrase
        self.compiler = _Compiler(self.name, macros, *((words, None) if self.name == "en" else (None, words)))
        self._check_macros(macros)
        templates = [
            template
            for template in (compose.templates if compose else ())
            if self._compiles(template, template.any, label(compose_path), template=True)
        ]
        good = Compose(version=1, templates=tuple(templates))
        lexicons = self._compiled(checked)
        if self.own is None:
            terms = both = TermMatcher(self.compiler, lexicons, good, self._plain)
        else:
            terms = TermMatcher(self.compiler, lexicons, good, self._plain)
            quiet = _Linter(self.name, _Report(), None)  # what ships is not reported, but templates need its topics
            quiet.normalise, quiet.compiler = self.normalise, self.compiler
            quiet.broken, quiet.used = self.broken, self.used
            both = TermMatcher(self.compiler, quiet._compiled(shipped), good, self._plain)
        written = [(component, path, cue_file) for component, path, cue_file in cues if path.stem.endswith(NOTES)]
        matcher, rules = self._matcher([file for file in cues if file not in written])
        in_notes, of_both = self._matcher(cues)  # the cues for written notes are read beside those for talk
        of_notes = [rule for rule in of_both if rule not in rules]
        self._wordings(wordings)
        self._unused_macros()
        self._term_examples(checked, terms)
        self._template_examples(templates, label(compose_path), both)
        self._cue_examples(rules, matcher)
        self._cue_examples(of_notes, in_notes)
        self._reach_of_terms(checked, terms)
        self._reach_of_cues(rules, matcher)
        self._reach_of_cues(of_notes, in_notes)
        if corpus is not None:
            texts = [text for text in corpus if _chinese(text) == (self.name == "zh")]
            self._corpus(texts, checked, templates, label(compose_path), terms, rules, matcher)

    # the tables -------------------------------------------------------------------------------------------------------

    def _clean_up(self, folder: Path) -> None:
        path = folder / "normalise.yaml"
        where = label(path)
        if self.name == "en":
            english = self.report.read(EnglishTables, path)
            if english is None:
                return
            concord = english.concord.model_dump() if english.concord else None
            self.normalise = EnglishNormaliser(english.words, english.phrases, list(english.fillers), concord)
            split = self.normalise.split
            for key in (*english.words, *english.phrases):
                if key != key.lower():
                    self.report.add(where, key, "expected lower case, as the text has when it is looked up")
            for key in english.words:
                if " " in key:
                    self.report.add(where, key, "expected one word; several belong to phrases")
            self._chains(where, english.words, lambda value: " ".join(x for word in value.split() for x in split(word)))
            return
        chinese = self.report.read(ChineseTables, path)
        characters = self.report.read(Traditional, folder / "traditional.yaml")
        if characters is not None and len(characters.traditional) != len(characters.simplified):
            self.report.add(
                label(folder / "traditional.yaml"), WHOLE_FILE, "expected as many simplified as traditional characters"
            )
            characters = None
        if chinese is None or characters is None:
            return
        pairs = dict(zip(characters.traditional, characters.simplified, strict=True))
        self.normalise = ChineseNormaliser(pairs, chinese.words, list(chinese.fillers), chinese.finals)
        for key in chinese.words:
            clean = self.normalise.clean(key)
            if clean != key:
                self.report.warn(where, key, f"no text can hold it: it is {clean} by the time that it is looked up")
        for key in chinese.finals:
            if len(key) != 1:
                self.report.add(where, key, "expected one character: a particle at the end of a clause")
        self._chains(where, chinese.words, self.normalise.phrase)

    def _chains(self, where: str, words: Mapping[str, str], again: Any) -> None:
        """A form that the tables would change again is one that no pattern can name."""
        for key, value in words.items():
            if again(value) != value and value != key:
                self.report.warn(where, key, f"{value!r} would itself become {again(value)!r}: no pattern can name it")

    def _clauses(self, path: Path) -> tuple[Wording, ...]:
        """Checks the word lists, and gives the wordings beside them."""
        rules = self.report.read(EnglishClauses if self.name == "en" else ChineseClauses, path)
        if rules is None:
            return ()
        classes: dict[str, str] = {}
        for kind, words in rules.connectives.items():
            if kind not in CONNECTIVES:
                self.report.add(label(path), kind, f"expected a class out of {', '.join(CONNECTIVES)}")
            for word in words:
                if classes.setdefault(word, kind) != kind:
                    self.report.warn(label(path), word, f"stands in {classes[word]} and in {kind}, one of them counts")
        if isinstance(rules, EnglishClauses):
            for word, kind in rules.clausal.items():
                if kind not in CONNECTIVES:
                    self.report.add(label(path), word, f"expected a class out of {', '.join(CONNECTIVES)}, not {kind}")
        return rules.wordings

    def _macros(self, folder: Path) -> dict[str, tuple[str, ...]] | None:
        out: dict[str, tuple[str, ...]] = {}
        complete = True
        for path in sorted(folder.glob("*macros.yaml")):
            found = self.report.read(Macros, path)
            if found is None:
                complete = False
                continue
            for name, patterns in found.macros.items():
                if name in out:
                    self.report.add(label(path), f"{{{name}}}", f"expected a new name, {self.where[name]} has it")
                if not patterns:
                    self.report.add(label(path), f"{{{name}}}", "expected an alternative")
                out[name] = patterns
                self.where[name] = label(path)
        return out if complete else None

    def _check_macros(self, macros: Mapping[str, tuple[str, ...]]) -> None:
        for name, patterns in macros.items():
            if not self._parses(self.where[name], f"{{{name}}}", patterns):
                self.broken.add(name)
        spread = True
        while spread:  # a macro of a broken one is broken with it
            more = {name for name, patterns in macros.items() if self._names(patterns) & self.broken} - self.broken
            self.broken |= more
            spread = bool(more)
        for name, patterns in macros.items():
            if name not in self.broken:
                self._twice(self.where[name], f"{{{name}}}", patterns)
                self._unreachable(self.where[name], f"{{{name}}}", patterns)

    def _unused_macros(self) -> None:
        assert self.compiler is not None
        used = set(self.used)
        while True:
            more = {n for name in used for n in self._names(self.compiler.macros.get(name, ()))} - used
            if not more:
                break
            used |= more
        for name in self.compiler.macros:
            if name not in used:
                self.report.warn(self.where[name], f"{{{name}}}", "no rule uses this macro")

    @staticmethod
    def _names(patterns: Iterable[str]) -> set[str]:
        return {name for pattern in patterns for name in re.findall(r"\{([^{}]*)\}", pattern)}

    # the lexicons -----------------------------------------------------------------------------------------------------

    def _shipped_lexicons(self) -> list[tuple[Path, Lexicon]]:
        folder = resource("lexicons", self.name)
        report = self.report if self.own is None else _Report()
        out = [
            (path, lexicon)
            for path in sorted(folder.glob("*.yaml"))
            if (lexicon := report.read(Lexicon, path)) is not None
        ]
        for path, lexicon in out:
            if path.stem != lexicon.dimension or lexicon.dimension not in DIMENSIONS:
                report.add(
                    label(path),
                    WHOLE_FILE,
                    f"expected the dimension that the file's name has, out of {', '.join(DIMENSIONS)}",
                )
        for dimension in DIMENSIONS:
            if not (folder / f"{dimension}.yaml").exists():
                report.add(f"{label(folder)}/{dimension}.yaml", WHOLE_FILE, "expected a lexicon of every dimension")
        return out

    def _forms(
        self,
        lexicons: list[tuple[Path, Lexicon]],
        compose: Compose | None,
        compose_path: Path,
        cues: list[tuple[str, Path, CueFile]],
    ) -> None:
        """Ids, dimensions, components and categories: what needs no compiling."""
        kinds = {"thing", *(template.kind for template in compose.templates)} if compose else set()
        present = {kind for _, lexicon in lexicons for topic in lexicon.topics for kind in topic.kinds}
        own = self.own is not None
        for path, lexicon in lexicons:
            where = label(path)
            for topic in lexicon.topics:
                self.report.identify(where, topic.id, self.name, own=own)
                self._components(where, topic.id, lexicon.dimension, topic.components)
                self._components(where, topic.id, lexicon.dimension, topic.if_negated)
                if compose and not kinds.issuperset(topic.kinds):
                    self.report.add(where, topic.id, f"expected kinds that a template has ({', '.join(sorted(kinds))})")
                if self.name == "en" and "ability" not in topic.kinds and (topic.ing or topic.past):
                    self.report.warn(where, topic.id, "only an ability has ing and past forms")
            for entry in lexicon.entries:
                self.report.identify(where, entry.id, self.name, own=own)
                self._entry(where, entry, lexicon)
            for target in lexicon.targets:
                self.report.identify(where, target.id, self.name, own=own)
                self._components(where, target.id, lexicon.dimension, target.components)
        for template in compose.templates if compose else ():
            self.report.identify(label(compose_path), template.id, self.name, own=False)
            if not own and template.kind not in present:
                self.report.add(label(compose_path), template.id, f"expected a topic of kind {template.kind} somewhere")
            if "{T}" not in "".join(template.any) and not re.search(r"\{(?:ING|PAST)\}", "".join(template.any)):
                self.report.add(label(compose_path), template.id, "expected {T}, {ING} or {PAST} in the patterns")
        for component, path, cue_file in cues:
            for rule in cue_file.rules:
                self.report.identify(label(path), rule.id, self.name, own=False)
                self._cue(label(path), rule, CUE_COMPONENTS[component])

    def _entry(self, where: str, entry: Entry, lexicon: Lexicon) -> None:
        dimension = entry.dimension or lexicon.dimension
        if dimension == "any":
            if entry.sense != "mask":
                self.report.add(where, entry.id, "expected a dimension; only a mask may be of any")
        elif dimension not in DIMENSIONS and dimension != lexicon.dimension:
            self.report.add(where, entry.id, f"expected a dimension out of {', '.join(DIMENSIONS)}")
        if entry.sense != "mask" and not entry.components:
            self.report.add(where, entry.id, "expected components, or ALL")
        self._components(where, entry.id, dimension, entry.components)
        self._components(where, entry.id, dimension, entry.if_negated)
        if entry.negated and entry.sense != "symptom":
            self.report.warn(where, entry.id, f"negated: weak says nothing of sense {entry.sense}")
        if entry.ground and entry.sense != "weak_health" and not entry.negated:
            self.report.warn(where, entry.id, f"ground: {entry.ground} says nothing of what is definite")

    def _components(self, where: str, rule: str, dimension: str, names: tuple[str, ...]) -> None:
        known = COMPONENTS.get(dimension)
        if ALL in names and len(names) > 1:
            self.report.add(where, rule, "expected ALL to stand alone among the components")
        if known is None:
            return  # a target class of somebody's own, or a mask
        for name in names:
            if name != ALL and name not in known:
                expected = f"expected components of {dimension} ({', '.join(known)}) or ALL"
                self.report.add(where, rule, f"{expected}, not {name!r}")

    def _cue(self, where: str, rule: CueRule, categories: Mapping[str, str]) -> None:
        if rule.set not in categories:
            self.report.add(where, rule.id, f"expected set to be one of {', '.join(sorted(categories))}")
        value = rule.value
        if rule.set in _TAKES_INTERVAL:
            whole = isinstance(value, list) and len(value) == 2 and all(type(day) is int for day in value)
            if not whole or not value[0] > value[1] >= 0:
                self.report.add(where, rule.id, "expected value to be [older end, nearer end] in whole days before now")
        elif rule.set in _TAKES_REACH:
            if value not in (reaches := _TAKES_REACH[rule.set]):
                self.report.add(where, rule.id, f"expected value to be one of {', '.join(x for x in reaches if x)}")
        elif value is not None:
            self.report.warn(where, rule.id, f"{rule.set} takes no value")

    def _wording_forms(self, wordings: list[tuple[str, str, Wording]]) -> None:
        named: dict[tuple[str, str], str] = {}
        for component, where, rule in wordings:
            self.report.identify(where, rule.id, self.name, own=False)
            if rule.name not in (names := WORDINGS[component]):
                self.report.add(where, rule.id, f"expected name to be one of {', '.join(sorted(names))}")
            elif (first := named.setdefault((component, rule.name), rule.id)) != rule.id:
                self.report.add(where, rule.id, f"expected a name that {first} has not already")

    # the patterns -----------------------------------------------------------------------------------------------------

    def _parses(self, where: str, rule: str, patterns: Iterable[str], *, template: bool = False) -> bool:
        """Whether every alternative can be read; what cannot is reported, unless a broken macro is why."""
        assert self.compiler is not None
        topic = self.compiler.node(["x" if self.name == "en" else "甲"])
        bindings = dict.fromkeys(("T", "ING", "PAST"), topic) if template else {}
        good = True
        for pattern in patterns:
            habit = self._foreign(pattern)
            if habit is not None:
                self.report.add(where, rule, f"expected no {habit} in {pattern!r}")
                good = False
                continue
            try:
                self.compiler._parse(pattern, bindings)
            except (ValueError, IndexError, RecursionError) as error:
                self.compiler._open.clear()
                if not self._names([pattern]) & self.broken:
                    expected = str(error) if isinstance(error, _Syntax) else "operators with their numbers and brackets"
                    self.report.add(where, rule, f"expected {expected} in {pattern!r}")
                good = False
        return good

    def _foreign(self, pattern: str) -> str | None:
        """An operator of another pattern language, in words, or None."""
        tokens = _tokens(pattern)
        stuck = re.search(r"[)\]}][?+*]", pattern)
        if stuck:
            return f"{stuck.group()[1]!r} after a bracket (optional is [...])"
        for token in tokens:
            if token in _OPERATORS or token[0] in "~#" or len(token) == 1 and token not in "*\\｜［］｛｝":
                continue  # a mark by itself is a word of its own
            found = _FOREIGN.search(token)
            if found:
                return f"{found.group()!r}"
            if "*" in token and (self.name == "zh" or token != token.lower() or "'" in token or token == "*"):
                return f"{token!r} (* ends a plain English word in lower case)"
        for i, token in enumerate(tokens):
            if token == "<!(":
                inside = tokens[i + 1 : tokens.index(")", i)] if ")" in tokens[i:] else tokens[i + 1 :]
                if any(t in "([{^$!(<!(" or t[0] in "~#" or "*" in t for t in inside):
                    return "operator inside <!(...), which takes plain words"
        return None

    def _compiles(self, rule: P, patterns: Iterable[str], where: str, *, template: bool = False) -> bool:
        assert self.compiler is not None
        listed = tuple(patterns)
        self.used |= self._names(listed)
        if not self._parses(where, rule.id, listed, template=template):
            return False
        if not template:
            try:
                self.compiler.compile(listed, rule=rule.id, source=where)
            except EvidialError as error:
                self.report.add(where, rule.id, f"expected {error.details.get('expected')}")
                return False
            except (re.error, OverflowError, RecursionError):
                self.report.add(where, rule.id, "expected patterns that can be compiled")
                return False
        self._twice(where, rule.id, listed)
        return True

    def _compiled(self, lexicons: list[tuple[Path, Lexicon]]) -> list[tuple[str, Lexicon]]:
        """The lexicons without the rules that do not compile."""
        out = []
        for path, lexicon in lexicons:
            where = label(path)
            topics = tuple(t for t in lexicon.topics if self._compiles(t, (*t.words, *t.ing, *t.past), where))
            entries = tuple(e for e in lexicon.entries if self._compiles(e, e.any, where))
            targets = tuple(t for t in lexicon.targets if self._leaves(t, where))
            update = {"topics": topics, "entries": entries, "targets": targets}
            out.append((where, lexicon.model_copy(update=update)))
        return out

    def _leaves(self, target: Target, where: str) -> bool:
        """Whether the clean-up leaves something of every term."""
        left = all(self._plain(term) for term in target.terms)
        if not left:
            self.report.add(where, target.id, "expected terms that the clean-up leaves")
        return left

    def _plain(self, text: str) -> str:
        return self._read(text).text.strip(" ,.;?!:，。；？！：、")

    def _matcher(self, files: list[tuple[str, Path, CueFile]]) -> tuple[CueMatcher, list[tuple[str, str, CueRule]]]:
        """A matcher of the cue rules that compile, and those rules with component and file."""
        assert self.compiler is not None
        rules = [
            (component, label(path), rule)
            for component, path, cue_file in files
            for rule in cue_file.rules
            if self._compiles(rule, rule.any, label(path))
        ]
        matcher = CueMatcher(self.compiler, [])
        matcher.rules = {rule.id: rule for _, _, rule in rules}
        items = [((component, rule), self.compiler.compile(rule.any)) for component, _, rule in rules]
        matcher.index = PatternIndex(items)
        return matcher, rules

    def _twice(self, where: str, rule: str, patterns: Iterable[str]) -> None:
        counts = Counter(self._canonical(pattern) for pattern in patterns)
        again = [pattern for pattern, n in counts.items() if n > 1]
        if again:
            self.report.warn(where, rule, f"alternatives that occur twice: {_list(again)}")

    def _canonical(self, pattern: str) -> str:
        """The pattern with its literals cleaned up, so that two spellings of one pattern are equal."""
        assert self.compiler is not None
        out = []
        for token in _tokens(pattern):
            if token not in _OPERATORS and token[0] not in "~#" and "*" not in token:
                token = _Wordings(self.compiler)._literal(token).strip()
            out.append(token)
        return " ".join(out) if self.name == "en" else "".join(out)

    # the examples -----------------------------------------------------------------------------------------------------

    def _examples(self, where: str, rule: Entry | Template | CueRule | Wording, found: Any) -> None:
        """found(text) -> what is found of the rule, and what stands there instead."""
        if not any(text.strip() for text in _several(rule.yes)):
            self.report.add(where, rule.id, "expected an example in yes")
        for text in _several(rule.yes):
            hit, instead = found(text)
            if not hit:
                by = f"; found there: {', '.join(instead)}" if instead else ""
                self.report.add(where, rule.id, f"expected to be found in its example yes: {text!r}{by}")
        for text in _several(rule.no):
            if found(text)[0]:
                self.report.add(where, rule.id, f"expected not to be found in its example no: {text!r}")

    def _term_examples(self, lexicons: list[tuple[Path, Lexicon]], terms: TermMatcher) -> None:
        known = set(terms.rules)
        for path, lexicon in lexicons:
            for entry in lexicon.entries:
                if entry.id not in known:
                    continue

                def found(text: str, entry: Entry = entry, own: str = lexicon.dimension) -> tuple[bool, list[str]]:
                    canonical = self._read(text)
                    if entry.sense == "mask":  # a mask leaves nothing behind
                        return self._matches(terms, canonical, entry.id), []
                    asked = {(entry.dimension or own, c) for c in entry.asked}
                    rules = [mention.rule for mention in terms.find(canonical, asked)]
                    return entry.id in rules, rules

                self._examples(label(path), entry, found)

    def _template_examples(self, templates: list[Template], where: str, terms: TermMatcher) -> None:
        for template in templates:

            def found(text: str, template: Template = template) -> tuple[bool, list[str]]:
                """Also where it gave way to a rule that says the same: its topics belong to other rules as well."""
                mentions = terms.find(self._read(text))
                here = [m for m in mentions if m.sense == template.sense for m in (m, *m.lost)]
                return any(m.rule.startswith(f"{template.id}+") for m in here), [m.rule for m in mentions]

            self._examples(where, template, found)

    def _cue_examples(self, rules: list[tuple[str, str, CueRule]], matcher: CueMatcher) -> None:
        for component, where, rule in rules:

            def found(text: str, component: str = component, rule: CueRule = rule) -> tuple[bool, list[str]]:
                hits = [hit.rule for hit in matcher.find(self._read(text)).get(component, ())]
                return rule.id in hits, hits

            self._examples(where, rule, found)

    def _wordings(self, wordings: list[tuple[str, str, Wording]]) -> None:
        """Whether each wording compiles, and its examples."""
        assert self.compiler is not None
        for _, where, rule in wordings:
            self.used |= self._names(rule.any)
            if rule.any and not self._parses(where, rule.id, rule.any):
                continue
            try:
                regex = wording_pattern(rule, self.compiler, where)
            except EvidialError as error:
                self.report.caught(error, where)
                continue

            def found(text: str, rule: Wording = rule, regex: re.Pattern[str] = regex) -> tuple[bool, list[str]]:
                return rule.found(regex, self._read(text), text), []

            self._twice(where, rule.id, rule.any)
            self._examples(where, rule, found)

    def _read(self, text: str) -> Canonical:
        assert self.normalise is not None
        return self.normalise(text)

    @staticmethod
    def _matches(terms: TermMatcher, canonical: Canonical, rule: str) -> bool:
        return any(
            getattr(payload, "rule", None) == rule and regex.search(canonical.text) is not None
            for payload, regex in terms.index.candidates(canonical.keys)
        )

    # reach ------------------------------------------------------------------------------------------------------------

    def _surface(self, wording: str) -> str:
        """A canonical wording as somebody would say it."""
        if self.name == "zh":
            return wording
        return wording.strip().replace(" 's", "'s").replace("@inaudible", "[inaudible]")

    def _texts(self, wording: str) -> Iterator[Canonical]:
        """The wording by itself and among other words, if the clean-up lets it stand."""
        surface = self._surface(wording)
        for text in (surface, f"qqq {surface} qqq" if self.name == "en" else f"甲{surface}乙"):
            canonical = self._read(text)
            if (f" {wording}" if self.name == "en" else wording) in canonical.text:
                yield canonical

    def _unreachable(self, where: str, rule: str, patterns: Iterable[str]) -> None:
        """Alternatives that the clean-up leaves no text for."""
        assert self.compiler is not None
        listed = _Wordings(self.compiler)
        dead = []
        for pattern in patterns:
            wordings = listed(pattern)
            if wordings and not any(True for wording in wordings for _ in self._texts(wording)):
                dead.append(pattern)
        if dead:
            self.report.warn(where, rule, f"the clean-up leaves no text for {_list(dead)}")

    def _reach_of_terms(self, lexicons: list[tuple[Path, Lexicon]], terms: TermMatcher) -> None:
        """Alternatives that another rule of the dimension, or a mask, always wins over."""
        entries = {
            entry.id: (entry, entry.dimension or lexicon.dimension)
            for _, lexicon in lexicons
            for entry in lexicon.entries
        }
        same: dict[tuple[str, str], str] = {}

        def alive(canonical: Canonical, rule: str) -> tuple[bool, str | None]:
            winner = None
            for mention in terms.find(canonical, {(entries[rule][1], c) for c in entries[rule][0].asked}):
                if mention.rule == rule:
                    return True, None
                if any(lost.rule == rule for lost in mention.lost):
                    winner = mention.rule
            if winner is None:
                dimension = entries[rule][1]
                winner = next(
                    (
                        e.id
                        for e, d in entries.values()
                        if e.sense == "mask" and d in ("any", dimension) and self._matches(terms, canonical, e.id)
                    ),
                    None,
                )
            return False, winner

        assert self.compiler is not None
        known, listed = set(terms.rules), _Wordings(self.compiler)
        for path, lexicon in lexicons:
            for entry in lexicon.entries:
                if entry.id not in known:
                    continue
                where, dimension = label(path), entry.dimension or lexicon.dimension
                self._unreachable(where, entry.id, entry.any)
                if entry.sense == "mask":
                    continue
                for pattern in entry.any:
                    first = same.setdefault((dimension, self._canonical(pattern)), entry.id)
                    if first != entry.id and listed(pattern) is None:  # those that can be listed are tried below
                        self._shadowed(where, entry, [pattern], entries[first][0], first)
                self._shadows(where, entry, alive, lambda winner, entry=entry: entries.get(winner, (None,))[0])

    def _reach_of_cues(self, rules: list[tuple[str, str, CueRule]], matcher: CueMatcher) -> None:
        by_id = {rule.id: rule for _, _, rule in rules}
        for component, where, rule in rules:

            def alive(canonical: Canonical, name: str, component: str = component) -> tuple[bool, str | None]:
                hits = [hit.rule for hit in matcher.find(canonical).get(component, ())]
                return name in hits, hits[0] if hits else None

            self._unreachable(where, rule.id, rule.any)
            self._shadows(where, rule, alive, by_id.get)

    def _shadows(self, where: str, rule: Entry | CueRule, alive: Any, rule_of: Any) -> None:
        """Reports the alternatives of which no wording survives its rivals."""
        assert self.compiler is not None
        listed = _Wordings(self.compiler)
        dead: dict[str, list[str]] = defaultdict(list)
        for pattern in rule.any:
            wordings = listed(pattern)
            if not wordings:
                continue
            regex = self.compiler.compile([pattern]).regex
            winner: str | None = None
            for wording in wordings:
                for canonical in self._texts(wording):
                    if regex.search(canonical.text) is None:
                        continue  # a condition of its own keeps it out
                    lives, by = alive(canonical, rule.id)
                    if lives:
                        winner = None
                        break
                    winner = winner or by
                else:
                    continue
                break
            if winner is not None:
                dead[winner].append(pattern)
        if sum(map(len, dead.values())) == len(rule.any):
            self.report.add(where, rule.id, f"expected a rule that others do not always win over ({', '.join(dead)})")
            return
        for winner, patterns in dead.items():
            self._shadowed(where, rule, patterns, rule_of(winner), winner)

    def _shadowed(self, where: str, rule: Entry | CueRule, patterns: list[str], winner: Any, name: str) -> None:
        agree = isinstance(winner, type(rule)) and _says(winner) == _says(rule)
        says = "which says the same" if agree else "which says something else"
        self.report.warn(where, rule.id, f"alternatives that always give way to {name}, {says}: {_list(patterns)}")

    # a corpus ---------------------------------------------------------------------------------------------------------

    def _corpus(
        self,
        texts: list[str],
        lexicons: list[tuple[Path, Lexicon]],
        templates: list[Template],
        compose: str,
        terms: TermMatcher,
        rules: list[tuple[str, str, CueRule]],
        matcher: CueMatcher,
    ) -> None:
        fired: Counter[str] = Counter()
        everything = {
            (entry.dimension or lexicon.dimension, c)
            for _, lexicon in lexicons
            for entry in lexicon.entries
            for c in entry.asked
        }
        for text in texts:
            canonical = self._read(text)
            for mention in terms.find(canonical, everything):
                fired[mention.rule.split("+")[0]] += 1
            for hits in matcher.find(canonical).values():
                fired.update(hit.rule for hit in hits)
            for payload, regex in terms.index.candidates(canonical.keys):
                if getattr(payload, "sense", None) == "mask" and regex.search(canonical.text):
                    fired[payload.rule] += 1  # type: ignore[attr-defined]
        named = [(label(path), entry.id) for path, lexicon in lexicons for entry in lexicon.entries]
        named += [(compose, template.id) for template in templates] + [(where, rule.id) for _, where, rule in rules]
        for where, rule in named:
            if fired[rule] < 2:
                times = "once" if fired[rule] else "never"
                self.report.warn(where, rule, f"fires {times} over the {len(texts)} texts of the corpus")


def _says(rule: Any) -> tuple[Any, ...]:
    if isinstance(rule, CueRule):
        return rule.set, str(rule.value)
    return rule.sense, rule.components, rule.negated, rule.if_negated, getattr(rule, "ground", None)


def _list(patterns: Sequence[str]) -> str:
    more = f" and {len(patterns) - _SHOWN} more" if len(patterns) > _SHOWN else ""
    return ", ".join(repr(pattern) for pattern in patterns[:_SHOWN]) + more
