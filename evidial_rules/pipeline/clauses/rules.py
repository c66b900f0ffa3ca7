"""The rule model of `grammars/<language>/clauses.yaml`: plain word lists, by class, and wordings."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from ..wordings import Wording

CONNECTIVES: dict[str, str] = {
    "contrast": 'ends negation and a time ("but", 不过)',
    "exceptive": 'what follows is excepted from what came before ("except", 除了)',
    "reason": "a cause or an effect follows; a hedge or a negation does not reach over it",
    "conditional": "what follows is supposed, not said",
    "temporal": "a when-clause",
    "coordinate": "joins parts; a negation goes on if no new subject or verb comes",
    "relative": "says more of the noun before it",
    "compare": "a comparison",
    "complement": "what is thought, felt or said: a negation before it goes on",
}

WORDINGS: dict[str, str] = {
    "not_past": "ends as a past form does and is none",
    "copula": 'before "not like I slept": what follows is denied as a whole',
    "weakly": 'behind "not": with it an answer, which "just" leaves',
    "how_else": 'behind "how": the question is not how much',
    "is_so": 'behind "how sad I": says that it is so',
    "knows": 'before "how sad I am": takes it as known',
    "own_part": "of a person, and can be the subject of what it does: \"my mind wanders\"",
    "determiner": "can begin a subject with a noun",
    "sure_finite": "is a finite verb wherever it stands",
    "light": "may stand between the start of a clause and its subject",
    "no_verb": "counts among the finite words, and is no verb by itself",
    "long_days": "ends a connective that is one only before a subject",
    "also_nouns": "words of the finite verbs that are nouns too",
    "before_noun": "what makes them nouns",
    "perfect": "right before a past form: it is a participle",
    "supposing": "a verb of supposing that is a connective, or said of oneself",
    "before_supposing": "right before it: it is said of oneself",
    "particle": "belongs to the verb before it, and takes no object",
    "before_subject_only": "a connective before a subject only",
    "after_not": 'makes a denial of its own of a "not" that opens a clause',
    "seeming": 'a verb of feeling or seeming, whose "like" opens what is felt',
    "set_pairs": "an adverb of two words with a connective in it",
    "of_noun": "a preposition inside of a subject",
    "joins": "ends a noun phrase by joining another",
    "words": "before 的话: they are words, and no condition",
    "nowadays": "now: opens a clause behind what once was",
    "formerly": "once: what it is set against",
    "opens_only": "a short connective that is often part of another word: it connects only at the start of a clause",
    "goes_on": "a Chinese 我 that does something, and is the object of nothing before it",
    "ends_light": "right before a Chinese 我: a 了 that ends no clause",
}
"""What the logic asks about at a place that it has found, by name."""


class EnglishClauses(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    connectives: dict[str, tuple[str, ...]]
    clausal: dict[str, str]
    nominative: frozenset[str]
    weak_subjects: frozenset[str]
    raising: frozenset[str]
    heads: frozenset[str]
    persons: frozenset[str]
    finite: frozenset[str]
    past: frozenset[str]
    present: frozenset[str]
    prepositions: frozenset[str]
    wordings: tuple[Wording, ...] = ()


class ChineseClauses(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    connectives: dict[str, tuple[str, ...]]
    object_before: tuple[str, ...]
    raising: tuple[str, ...]
    wordings: tuple[Wording, ...] = ()
