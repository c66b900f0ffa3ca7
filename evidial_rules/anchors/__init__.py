"""Perturbation anchors: made from base dialogues by class, and scored against any rater's votes
(contract, section 5)."""

from __future__ import annotations

from .bases import Base, BaseError, read_bases
from .classes import CLASSES, MODES, AnchorClass, FailureMode
from .grammar import AnchorGrammarError, load_grammar, read_grammar
from .make import Refusal, View, make_views
from .score import Anchor, AnchorError, AnchorScores, Condition, read_anchors, score

__all__ = [
    "CLASSES", "MODES", "Anchor", "AnchorClass", "AnchorError", "AnchorGrammarError", "AnchorScores", "Base",
    "BaseError", "Condition", "FailureMode", "Refusal", "View", "load_grammar", "make_views", "read_anchors",
    "read_bases", "read_grammar", "score",
]
