"""Builds what the components of one language share: normaliser, macros, compiler, term matcher."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..contract import ALL, DIMENSIONS
from ..contract import COMPONENTS as KNOWN
from ..errors import RuleError
from ..resources import label, load_yaml, own_lexicons, resource
from . import store
from .answers.rules import CATEGORIES as ANSWERS
from .answers.rules import WORDINGS as ANSWERS_SAY
from .assertion.rules import CATEGORIES as ASSERTION
from .assertion.rules import WORDINGS as ASSERTION_SAYS
from .clauses.logic import ChineseClauser, EnglishClauser
from .clauses.rules import WORDINGS as CLAUSES_SAY
from .clauses.rules import ChineseClauses, EnglishClauses
from .cues import CueMatcher
from .patterns import PatternCompiler
from .questions.rules import CATEGORIES as QUESTIONS
from .questions.rules import WORDINGS as QUESTIONS_SAY
from .rulefiles import parse
from .store import Tape
from .subject.rules import CATEGORIES as SUBJECT
from .subject.rules import WORDINGS as SUBJECT_SAYS
from .terms.logic import TermMatcher
from .terms.rules import Compose, Entry, Lexicon, Target
from .text import Canonical, ChineseNormaliser, EnglishNormaliser
from .time.rules import CATEGORIES as TIME
from .time.rules import WORDINGS as TIME_SAYS
from .withdrawal.rules import CATEGORIES as WITHDRAWAL
from .withdrawal.rules import WORDINGS as WITHDRAWAL_SAYS
from .wordings import Wordings, compiled

COMPONENTS: dict[str, dict[str, str]] = {
    "assertion": ASSERTION,
    "subject": SUBJECT,
    "time": TIME,
    "answers": ANSWERS,
    "questions": QUESTIONS,
    "withdrawal": WITHDRAWAL,
}
"""The cue files of `grammars/<language>/`, by component, with their categories."""

WORDINGS: dict[str, dict[str, str]] = {
    "assertion": ASSERTION_SAYS,
    "subject": SUBJECT_SAYS,
    "time": TIME_SAYS,
    "answers": ANSWERS_SAY,
    "questions": QUESTIONS_SAY,
    "withdrawal": WITHDRAWAL_SAYS,
    "clauses": CLAUSES_SAY,
}
"""The names of the wordings of each component, and what each is for."""

NOTES = "_clinical"
"""How the names of cue files end that are for written notes only."""


class Language:
    """Normaliser, pattern compiler and term matcher of "en" or "zh".

    lexicons: a folder of lexicon files, instead of those that ship. tape: records what is read and compiled, or plays
    back what was recorded of the same files.
    """

    def __init__(self, name: str, lexicons: Path | str | None = None, tape: Tape | None = None):
        self.name = name

        def read(path: Path) -> Any:
            return load_yaml(path) if tape is None else tape(path.name, lambda: load_yaml(path))

        def grammar(file: str) -> Any:
            return read(resource("grammars", name, file))

        table = grammar("normalise.yaml")
        if name == "en":
            self.normalise: EnglishNormaliser | ChineseNormaliser = EnglishNormaliser(
                table.get("words", {}),
                table.get("phrases", {}),
                table.get("fillers", []),
                table.get("concord"),
            )
            words, canonical = self.normalise.phrase, None
        else:
            traditional = grammar("traditional.yaml")
            pairs = dict(zip(traditional["traditional"], traditional["simplified"], strict=True))
            self.normalise = ChineseNormaliser(
                pairs, table.get("words", {}), table.get("fillers", []), table.get("finals", {})
            )
            words, canonical = None, self.normalise.phrase
        macros: dict[str, list[str]] = {}
        for path in sorted(resource("grammars", name).glob("*macros.yaml")):
            macros.update(read(path)["macros"])
        frequency = _frequency(grammar("frequency.yaml"))
        self.compiler = PatternCompiler(name, macros, words, canonical, frequency, tape)
        paths = own_lexicons(lexicons) if lexicons else sorted(resource("lexicons", name).glob("*.yaml"))
        self.lexicons = [(str(path), parse(Lexicon, path, read)) for path in paths]
        check(self.lexicons)
        self.terms = TermMatcher(
            self.compiler, self.lexicons, parse(Compose, resource("grammars", name, "compose.yaml"), read), self._plain
        )
        notes = any(lexicon.genre == "notes" for _, lexicon in self.lexicons)

        self.cues = CueMatcher(
            self.compiler,
            [
                (component, path, categories)
                for component, categories in COMPONENTS.items()
                for path in sorted(resource("grammars", name).glob(f"{component}*.yaml"))
                if not path.stem.endswith("macros") and (notes or not path.stem.endswith(NOTES))
            ],
            read,
        )
        path = resource("grammars", name, "clauses.yaml")
        clauses = parse(EnglishClauses if name == "en" else ChineseClauses, path, read)
        wordings = {**self.cues.wordings, "clauses": [(str(path), wording) for wording in clauses.wordings]}
        taken = set(self.cues.rules)
        self.says: dict[str, Wordings] = {
            component: compiled(wordings.get(component, ()), component, names, self.compiler, taken)
            for component, names in WORDINGS.items()
        }
        self.clauser: EnglishClauser | ChineseClauser = (
            EnglishClauser(clauses, self.says["clauses"])
            if isinstance(clauses, EnglishClauses)
            else ChineseClauser(clauses, self.says["clauses"])
        )
        self.compiler.tape = None  # what is compiled from here on is not of the rules

    def _plain(self, text: str) -> str:
        """Canonical text without the punctuation at its edges."""
        return self.read(text).text.strip(" ,.;?!:，。；？！：、")

    def read(self, text: str) -> Canonical:
        return self.normalise(text)


def check(lexicons: Iterable[tuple[str, Lexicon]]) -> None:
    """Refuses names that nothing would ever look for. A lexicon may be of a dimension of its own, with components of
    its own; those of the contract's dimensions are the contract's.

    Raises :class:`~evidial_rules.errors.RuleError`.
    """
    ids: dict[str, str] = {}
    for source, lexicon in lexicons:
        where = label(source)
        for rule in (*lexicon.topics, *lexicon.entries, *lexicon.targets):
            if rule.id in ids:
                raise RuleError(source=where, rule=rule.id,
                                expected=f"an id that no other rule has, {ids[rule.id]} has it already")
            ids[rule.id] = where
            dimension, names = lexicon.dimension, rule.components
            if isinstance(rule, Entry):
                dimension = rule.dimension or dimension
                if rule.sense == "mask":
                    continue
                if not names:
                    raise RuleError(source=where, rule=rule.id, expected="components, or ALL")
                if dimension not in (*DIMENSIONS, lexicon.dimension):
                    raise RuleError(source=where, rule=rule.id, expected=f"a dimension out of {', '.join(DIMENSIONS)}")
            known = KNOWN.get(dimension)
            more = () if isinstance(rule, Target) else rule.if_negated
            if not names or known is not None and not {*names, *more} <= {*known, ALL}:
                of = f" of {dimension} ({', '.join(known)})" if known is not None else ""
                raise RuleError(source=where, rule=rule.id, expected=f"components{of} or ALL")


def check_dimensions(lexicons: Iterable[tuple[str, Lexicon]]) -> None:
    """Refuses lexicons whose mentions would be in no cell. Raises RuleError."""
    for source, lexicon in lexicons:
        if lexicon.dimension not in DIMENSIONS:
            raise RuleError(source=label(source), rule="the file itself", expected=(
                f"a dimension out of {', '.join(DIMENSIONS)}: cells have no other (frames may)"))


def _frequency(table: dict[str, Any]) -> dict[str, float]:
    """The share of turns that hold a unit, from `grammars/<language>/frequency.yaml` (percent -> units)."""
    return {unit: percent / 100 for percent, units in table["percent"].items() for unit in units.split()}


def language(name: str, lexicons: str | None = None) -> Language:
    """The language's rules, read and compiled once a process, or taken from the user's cache."""
    return _language(name, lexicons)


@lru_cache(maxsize=8)
def _language(name: str, lexicons: str | None) -> Language:
    key = None
    if store.folder() is not None:
        with suppress(OSError):  # the rules say better what cannot be read
            key = store.key(name, lexicons)
    if key is None:
        return Language(name, lexicons)
    recorded = store.read(key)
    if recorded is not None:
        # Whatever is wrong with what was kept, the rules themselves say what is true.
        with suppress(Exception):
            return Language(name, lexicons, Tape(recorded))
    tape = Tape()
    made = Language(name, lexicons, tape)
    if store.key(name, lexicons) == key:  # nobody changed a file meanwhile
        store.write(key, tape.results)
    return made
