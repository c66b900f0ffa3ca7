"""The wording of anchors: `grammars/<language>/anchors.yaml`, written apart from the rules that the judge reads.

Each place of the file says what its phrases mean under the contract (dimension, component, polarity, strength), so that
an edit's frames are known from where its words came from, and never from reading them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from ..contract import ALL, COMPONENTS, DIMENSIONS
from ..errors import EvidialError
from ..resources import label, load_yaml, resource

SLOT = re.compile(r"\{(\w+)\}")
"""A place in a pattern: a symbol's name, or what the edit fills in."""

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "affirm": ("affirm",), "deny": ("deny",), "outside": ("past", "time"), "dated": ("past", "time"),
    "partial": ("deny_past", "time"), "other": ("person", "other"), "informant": ("told",), "hedged": ("affirm",),
    "yes": (), "yes_fine": (), "no": (), "weak": (), "vague": (), "retract": (), "retract_topic": ("topic",),
    "correct_time": ("time",), "correct_subject": ("person",),
}
"""The lists of patterns, with what each of their patterns must hold a place for."""

FILLED = frozenset({"affirm", "deny", "past", "deny_past", "other", "told", "time", "covering", "person", "they",
                    "them", "their", "topic", "n", "date", "weekday"})
"""The places that an edit fills; any other name is a symbol."""


class AnchorGrammarError(EvidialError):
    """A grammar of anchors that breaks the form."""

    code = "E401"
    template = "{where}: expected {expected}"


def _tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _phrases(value: object) -> object:
    if isinstance(value, list) and len({repr(one) for one in value}) < len(value):
        raise PydanticCustomError("twice", "each phrase of a list once")
    return _tuple(value)


def _folded(value: object) -> object:
    return re.sub(r"\s+", " ", value) if isinstance(value, str) else value


Phrase = Annotated[str, BeforeValidator(_folded)]
Phrases = Annotated[tuple[Phrase, ...], BeforeValidator(_phrases)]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class Exchange(_Form):
    """An interviewer's question and an answer, about no dimension."""

    ask: Phrase
    say: Phrase


class Person(_Form):
    """Somebody else, with the pronouns that stand for them."""

    text: Phrase
    they: str
    them: str = ""
    their: str = ""


class TimePhrase(_Form):
    """A time: an interval in whole days before now (half-open, `from` the older end), or a place for a count of days
    or weeks (`unit` 1 or 7), for a date or for a weekday. `for` names the dimensions that it goes with; none is all."""

    text: Phrase
    from_: int | None = Field(default=None, alias="from")
    to: int | None = None
    unit: Literal[1, 7, "date", "weekday"] | None = None
    for_: Phrases = Field(default=(), alias="for")

    @model_validator(mode="after")
    def _check(self) -> TimePhrase:
        place = {1: "n", 7: "n", "date": "date", "weekday": "weekday"}.get(self.unit)
        if set(SLOT.findall(self.text)) - ({place} if place else set()) or place and f"{{{place}}}" not in self.text:
            raise PydanticCustomError("slot", "a place for {what}", {"what": place or "nothing"})
        return self


class Times(_Form):
    """Times by what they do to a statement."""

    covering: Annotated[tuple[TimePhrase, ...], BeforeValidator(_tuple)]
    outside: Annotated[tuple[TimePhrase, ...], BeforeValidator(_tuple)]
    partial: Annotated[tuple[TimePhrase, ...], BeforeValidator(_tuple)]


class ComponentPhrases(_Form):
    """What is said of one component, or of ALL of them."""

    ask: Phrases = ()
    affirm: Phrases = ()
    past: Phrases = ()
    other: Phrases = ()
    told: Phrases = ()
    deny: Phrases = ()
    deny_past: Phrases = ()


class DimensionPhrases(_Form):
    """What is asked and said of one dimension."""

    topic: Phrases
    ask: Phrases
    ask_trouble: Phrases
    ask_fine: Phrases
    indicators: Phrases
    either: Phrases = ()
    """What an affirmation of ALL means one of, where the phrases name components that an instrument may lack."""
    said: Phrases = ()
    """The same of what is said and not asked, where the statements name less than the questions do."""
    components: dict[str, ComponentPhrases]


class AnchorGrammar(_Form):
    """One language's grammar of anchors."""

    version: int
    today: Phrases
    """What a speaker says who tells the day's date: such a dialogue is given no other."""
    symbols: dict[str, Phrases]
    people: Annotated[tuple[Person, ...], BeforeValidator(_tuple)]
    neutral: Annotated[tuple[Exchange, ...], BeforeValidator(_tuple)]
    evasions: Phrases
    prompts: Phrases
    """What an interviewer says to hear more, without asking anything."""
    handovers: Phrases
    times: Times
    patterns: dict[str, Phrases]
    dimensions: dict[str, DimensionPhrases]

    @model_validator(mode="after")
    def _check(self) -> AnchorGrammar:
        for name, needed in PATTERNS.items():
            for pattern in self.patterns.get(name, ()):
                if missing := set(needed) - set(SLOT.findall(pattern)):
                    raise PydanticCustomError("slot", "{{{what}}} in each pattern of {name}",
                                              {"what": min(missing), "name": name})
            if not self.patterns.get(name):
                raise PydanticCustomError("patterns", "patterns for {name}", {"name": name})
        for dimension, phrases in self.dimensions.items():
            if dimension not in DIMENSIONS:
                raise PydanticCustomError("dimension", "dimensions of the contract, found another one")
            if set(phrases.components) - {*COMPONENTS[dimension], ALL}:
                raise PydanticCustomError("component", "components of {name} out of {known}",
                                          {"name": dimension, "known": ", ".join((*COMPONENTS[dimension], ALL))})
        for text in self._texts():
            if unknown := set(SLOT.findall(text)) - FILLED - set(self.symbols):
                raise PydanticCustomError("symbol", "a symbol named {name}", {"name": min(unknown)})
        return self

    def _texts(self) -> Iterator[str]:
        for phrases in (*self.symbols.values(), *self.patterns.values()):
            yield from phrases
        for dimension in self.dimensions.values():
            for component in dimension.components.values():
                for phrases in (component.affirm, component.past, component.other, component.told, component.deny,
                                component.deny_past):
                    yield from phrases


def read_grammar(path: Path) -> AnchorGrammar:
    """A grammar from its file.

    Raises :class:`AnchorGrammarError` with the file and the key, or YamlError with the line.
    """
    row = load_yaml(path)
    if not isinstance(row, Mapping):
        raise AnchorGrammarError(where=label(path), expected="a mapping with the keys of a grammar")
    try:
        return AnchorGrammar.model_validate(dict(row))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "grammar"
        raise AnchorGrammarError(where=f"{label(path)}: {place}",
                                 expected=first["msg"][0].lower() + first["msg"][1:]) from None


@functools.lru_cache(maxsize=4)
def load_grammar(language: str) -> AnchorGrammar:
    """The grammar that ships for "en" or "zh"."""
    return read_grammar(resource("grammars", language, "anchors.yaml"))
