"""The rule model of lexicons and of the topic x valence grammar (`compose.yaml`)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Sense = Literal["symptom", "health", "weak_health", "weak_symptom", "remark", "change", "proxy", "mask"]
SENSES: dict[str, str] = {
    "symptom": "said plainly, affirms the components; negated, denies them",
    "health": "said plainly, denies the components; negated, affirms them",
    "weak_health": 'an indicator of health ("okay", "not bad", "the usual tiredness"); negated, affirms',
    "weak_symptom": "an indicator of the symptom by the contract's decision; negated, an indicator of health",
    "remark": 'bears on the topic with no direction ("so-so"): an indicator',
    "change": 'a change without a level ("better than before"): an indicator',
    "proxy": "one of the contract's proxies (sleeping pills, a diagnosis now): an indicator; negated, nothing",
    "mask": "an idiom or another sense of the words: nothing that lies inside is a mention",
}

GROUND_OF: dict[str, str] = {
    "weak_health": "passable",
    "weak_symptom": "near",
    "remark": "no_direction",
    "change": "change",
    "proxy": "proxy",
}
"""Why a mention of a sense is an indicator (`GROUNDS` of the contract), unless its entry says otherwise."""


class Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str = Field(min_length=3)


class Entry(Rule):
    """A fixed expression. `any`: patterns. `yes`: texts the rule must find. `no`: texts it must not."""

    sense: Sense
    components: tuple[str, ...] = ()
    any: tuple[str, ...] = Field(min_length=1)
    yes: tuple[str, ...] | str
    no: tuple[str, ...] | str
    negated: Literal["weak"] | None = None  # "weak": its negation is only an indicator ("not terrible")
    also: bool = False  # True: does not silence shorter mentions inside it
    dimension: str | None = None  # another dimension than the file's
    if_negated: tuple[str, ...] = ()  # components that its negation speaks of, where they differ
    asked: tuple[str, ...] = ()  # said of the dimension only behind a question about one of these components of it
    ground: Literal["restricted"] | None = None  # "restricted": it, or its negation, is weak because it is of a part only


class Topic(Rule):
    """A topic that the templates combine with valence.

    kind "noun": something that is good or bad (sleep, appetite, mood); "resource": something that one has
    or lacks (energy, appetite, interest, hope); "ability": something that one can or cannot do (fall
    asleep, concentrate, enjoy); "thing": only a name, for lists, that no template takes (guilt, slowness). A topic can be of several kinds. `words`: patterns; English abilities give
    `ing` and `past` forms as well.
    """

    kinds: tuple[Literal["noun", "resource", "ability", "thing"], ...] = Field(min_length=1)
    components: tuple[str, ...] = Field(min_length=1)
    words: tuple[str, ...] = Field(min_length=1)
    ing: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    if_negated: tuple[str, ...] = ()


class Target(Rule):
    """Somebody's own target terms, taken as they are: no pattern language, and no examples. Punctuation that the
    clean-up of the text drops is dropped here as well."""

    terms: tuple[str, ...] = Field(min_length=1)
    components: tuple[str, ...] = ("ALL",)
    sense: Sense = "symptom"


class Lexicon(BaseModel):
    """One file of `lexicons/<language>/`: a dimension (or somebody's own target class).

    genre: "notes" where the text is a clinician's written notes (headings, lists, abbreviations) and no talk: the
    grammar files `*_clinical.yaml` are read as well, whose cues would mislead in talk.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: Literal[1]
    dimension: str
    topics: tuple[Topic, ...] = ()
    entries: tuple[Entry, ...] = ()
    targets: tuple[Target, ...] = ()
    genre: Literal["talk", "notes"] = "talk"


class Template(Rule):
    """Topic x valence. `kind`: which topics it takes. In `any`, {T} stands for the topic's words, {ING} and
    {PAST} for its other forms."""

    kind: Literal["noun", "resource", "ability"]
    sense: Sense
    any: tuple[str, ...] = Field(min_length=1)
    yes: tuple[str, ...] | str
    no: tuple[str, ...] | str
    negated: Literal["weak"] | None = None


class Compose(BaseModel):
    """`grammars/<language>/compose.yaml`. hearer: words of a speaker about themselves, and those by which they are asked
    the same ("my": "your"): a lexicon's pattern with the one is found with the other as well. others: those by which
    somebody else is spoken of ("my": "his"), for each third person."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    hearer: dict[str, str] = {}
    others: tuple[dict[str, str], ...] = ()
    templates: tuple[Template, ...]
