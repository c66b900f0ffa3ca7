"""What the raters by negspaCy and medspaCy share: setting these packages up, marking mentions for them, votes.

Both are optional (the extra `raters`). Nothing here is imported from them until a pipeline is asked for.
"""
from __future__ import annotations

import hashlib
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby, pairwise
from typing import Any, ClassVar, Literal

import spacy
from pydantic import BaseModel, ConfigDict, Field, model_validator
from spacy.tokens import Doc, Span

from ..contract import Cue, Dialogue, Frame, Instrument, judge
from ..pipeline import OPTIONAL
from ..pipeline.annotator import Annotator, Candidate
from ..pipeline.rulefiles import parse
from ..pipeline.tokenizer import JiebaTokenizer
from ..resources import load_instrument, load_yaml, resource
from . import RaterError, Vote

Place = tuple[int, int]
"""Code points of one target in its text, half-open."""

_PLAIN = str.maketrans("\u2019\u2018\u02bc\u201c\u201d", "'''\"\"")  # as the engines' own terms are written
MAX_LENGTH = 50_000_000


class Directions(BaseModel):
    """Terms of one of ConText's categories: those that stand before what they modify, and those behind it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()


class Terms(BaseModel):
    """`grammars/<language>/negex.yaml`, for languages that the packages bring no terms of.

    pseudo, preceding, following, termination: as in NegEx; they are the negations of ConText as well. punctuation: ends
    the reach of a negation, and of nothing else. context: the other categories of ConText.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: Literal[1]
    pseudo: tuple[str, ...]
    preceding: tuple[str, ...] = Field(min_length=1)
    following: tuple[str, ...]
    termination: tuple[str, ...]
    punctuation: tuple[str, ...] = ()
    context: dict[Literal["possible", "historical", "hypothetical", "family"], Directions] = {}

    @model_validator(mode="after")
    def _once(self) -> Terms:
        groups = {"pseudo": self.pseudo, "preceding": self.preceding, "following": self.following,
                  "termination": (*self.termination, *self.punctuation)}
        for name, directions in self.context.items():
            groups[f"{name}.forward"], groups[f"{name}.backward"] = directions.forward, directions.backward
        for name, terms in groups.items():
            again = [term for i, term in enumerate(terms) if not term.strip() or term in terms[:i]]
            if again:
                raise ValueError(f"each term of {name} once and not empty, found {again[0]!r}")
        return self


def terms(language: str) -> Terms:
    """The term set of a language. Raises RuleError for a file that breaks the form."""
    return parse(Terms, resource("grammars", language, "negex.yaml"))


def needs(package: str, rater: str) -> str:
    """The version of an optional package. Raises RaterError, which names the extra, if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        raise RaterError(where=f"rater {rater}", expected=(
            f"{package}, which is not installed: pip install 'evidial-rules[raters]'")) from None


@contextmanager
def quiet() -> Iterator[None]:
    """Importing and building the packages warns, switches all warnings off, and PyRuSH writes every token of the text
    to stderr through loguru. Nothing of that outlives this; the application's own sinks and filters stay."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from loguru import logger
        except ImportError:
            pass
        else:
            for name in ("medspacy", "PyRuSH", "PyFastNER", "quickumls"):
                logger.disable(name)
        yield


def negspacy(language: str = "en") -> Any:
    """A pipeline of spaCy's sentencizer and negspaCy: with its clinical terms in English, with ours in Chinese.

    Raises ImportError if negspaCy is not installed.
    """
    with quiet():
        import negspacy.negation  # noqa: F401 - registers the factory

        if language == "en":
            from negspacy.termsets import termset

            found = termset("en_clinical").get_patterns()
        else:
            own = terms(language)
            found = {"pseudo_negations": list(own.pseudo), "preceding_negations": list(own.preceding),
                     "following_negations": list(own.following), "termination": [*own.termination, *own.punctuation]}
        nlp = _blank(language)
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("negex", config={"neg_termset": found})
    return nlp


def medspacy(language: str = "en") -> Any:
    """In English medspaCy's tokenizer, sentences (PyRuSH) and ConText with the rules that it ships; in Chinese our
    tokenizer, spaCy's sentencizer and ConText with rules of our terms.

    Raises ImportError if medspaCy is not installed.
    """
    with quiet():
        import medspacy

        if language == "en":
            nlp = medspacy.load(medspacy_enable=["medspacy_tokenizer", "medspacy_pyrush", "medspacy_context"])
            nlp.max_length = MAX_LENGTH
        else:
            nlp = _blank(language)
            nlp.add_pipe("sentencizer")
            nlp.add_pipe("medspacy_context", config={"rules": None}).add(_context_rules(terms(language)))
    return nlp


def _blank(language: str) -> Any:
    nlp = spacy.blank(language)
    if language == "zh":
        nlp.tokenizer = JiebaTokenizer(nlp.vocab)
    nlp.max_length = MAX_LENGTH
    return nlp


CATEGORIES: Mapping[str, str] = {
    "possible": "POSSIBLE_EXISTENCE", "historical": "HISTORICAL", "hypothetical": "HYPOTHETICAL", "family": "FAMILY",
}
"""The categories of a term set, and medspaCy's names for them."""


def _context_rules(own: Terms) -> list[Any]:
    from medspacy.context import ConTextRule

    def rule(term: str, category: str, direction: str, *ends: str) -> Any:
        # What ends it, ends its reach only: medspaCy's TERMINATE would end that of every category.
        return ConTextRule(term, category, direction=direction, terminated_by=set(ends) or None)

    rules = [rule(term, "PSEUDO", "PSEUDO") for term in own.pseudo
             if not any(term in d.forward + d.backward for d in own.context.values())]
    rules += [rule(term, "NEGATED_EXISTENCE", "FORWARD", "PUNCTUATION") for term in own.preceding]
    rules += [rule(term, "NEGATED_EXISTENCE", "BACKWARD", "PUNCTUATION") for term in own.following
              if term not in own.preceding]
    rules += [rule(term, "TERMINATE", "TERMINATE") for term in own.termination]
    rules += [rule(term, "PUNCTUATION", "PSEUDO") for term in own.punctuation]
    for name, directions in own.context.items():
        rules += [rule(term, CATEGORIES[name], "FORWARD") for term in directions.forward]
        rules += [rule(term, CATEGORIES[name], "BACKWARD") for term in directions.backward]
    return rules


def entities(nlp: Any, text: str, places: Sequence[Place]) -> list[Span]:
    """The text through all pipes of an engine with the places as entities; the entity of each place.

    A place is one token, so that no cue is found inside of it or runs into it: a negation that the lexicon has in a
    mention is the mention's own ("can't sleep", 没胃口), and in "not feel guilty" the verb that the lexicon takes is
    not the engine's. Entities of a Doc must not overlap; places that do are one entity.
    """
    merged: list[Place] = []
    for start, end in sorted(set(places)):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    doc = _doc(nlp, text, merged)
    doc.ents = [doc.char_span(start, end, label="CONDITION") for start, end in merged]
    with warnings.catch_warnings():  # medspaCy's matchers warn of each kind of pattern that its rules have none of
        warnings.simplefilter("ignore")
        for _, pipe in nlp.pipeline:
            doc = pipe(doc)
    starts = [start for start, _ in merged]
    return [doc.ents[bisect_right(starts, start) - 1] for start, _ in places]


def _doc(nlp: Any, text: str, places: Sequence[Place]) -> Doc:
    """The tokens of a text, each place one of them, whatever the tokenizer makes of its words and its edges."""
    doc = nlp.make_doc(text)
    cuts = {0, len(text), *(t.idx for t in doc), *(t.idx + len(t) for t in doc)}
    for start, end in places:
        cuts = {cut for cut in cuts if not start < cut < end} | {start, end}
    words: list[str] = []
    spaces: list[bool] = []
    for start, end in pairwise(sorted(cuts)):
        word = text[start:end]
        if word == " " and words and not spaces[-1] and not words[-1].isspace():
            spaces[-1] = True
        else:
            words.append(word)
            spaces.append(False)
    return Doc(nlp.vocab, words=words, spaces=spaces)


class EngineRater:
    """Votes of an engine that binds the mentions of our lexicons by its own rules (contract, sections 3 and 4).

    A candidate comes with the components and the polarity that the lexicon gives it; the engine reads the turn around
    it, and what it says is written on the frame. It reads one turn at a time: questions give its answers no content,
    and it knows no retraction. Everything after that is the contract's, as for every rater. It is pickled by how it was
    constructed. Raises RaterError, which names the extra, if its package is not installed.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    make: ClassVar[Callable[[str], Any]]

    def __init__(self) -> None:
        self.version = needs(self.package, self.name)
        self.annotator = Annotator(without=OPTIONAL)
        self._pipelines: dict[str, Any] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), ()

    @property
    def ruleset(self) -> dict[str, str]:
        """The engine's name, and its version with the first eight digits of a hash over the lexicons and the terms."""
        return {"name": self.package, "version": f"{self.version}+{_digest(self.annotator.ruleset['version'])}"}

    def votes(self, dialogue: Dialogue) -> tuple[Vote, ...]:
        """One vote a cell; an engine always has an answer, so every vote is valid. Raises UnknownInstrument."""
        instrument = load_instrument(dialogue.instrument)
        cells = judge(self.frames(dialogue), instrument, dialogue_id=dialogue.dialogue_id, ruleset=self.ruleset)
        return tuple(Vote(c.dialogue_id, c.dimension, self.name, c.state, frames=c.frames, contract=c.contract,
                          ruleset=c.ruleset) for c in cells)

    def frames(self, dialogue: Dialogue) -> tuple[Frame, ...]:
        """The candidates of a dialogue as the engine binds them, in order of the text."""
        instrument = load_instrument(dialogue.instrument)
        nlp = self._pipelines.get(dialogue.language)
        if nlp is None:
            nlp = self._pipelines[dialogue.language] = type(self).make(dialogue.language)
        plain = _plain(dialogue.language)
        frames: list[Frame] = []
        for number, group in groupby(self.annotator.candidates(dialogue), key=lambda c: c.frame.turn):
            candidates = list(group)
            text = dialogue.turns[number].text.translate(plain)
            found = entities(nlp, text, [c.core for c in candidates])
            frames += [self.bound(c, entity, instrument) for c, entity in zip(candidates, found, strict=True)]
        return tuple(frames)

    def bound(self, candidate: Candidate, entity: Span, instrument: Instrument) -> Frame:
        """The candidate's frame with what the engine says of its entity."""
        raise NotImplementedError


def cue(attribute: str, value: Any, rule: str, frame: Frame, start: int, end: int) -> Cue:
    """A cue in the frame's own turn; start, end: code points."""
    return Cue(attribute, value, rule, frame.turn, start, end)


@cache
def _plain(language: str) -> dict[int, Any]:
    """One character for one: straight quotation marks, and in Chinese the simplified characters of the terms."""
    if language != "zh":
        return _PLAIN
    table = load_yaml(resource("grammars", "zh", "traditional.yaml"))
    return _PLAIN | str.maketrans(table["traditional"], table["simplified"])


@cache
def _digest(judge_version: str) -> str:
    digest = hashlib.sha256(judge_version.encode())
    for path in sorted(resource("grammars").glob("*/negex.yaml")):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:8]
