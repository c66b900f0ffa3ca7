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

WORDINGS: dict[str, str] = {}
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
