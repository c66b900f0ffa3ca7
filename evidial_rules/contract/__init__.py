"""The evidence-binding contract, version 1: pure values and functions, no spaCy and no input or output.

A rater fills :class:`Frame` values; :func:`bind` gives a verdict per operation and :func:`project` a state. Every
rater goes through the same two functions.
"""
from __future__ import annotations

from .binding import (
    REASONS,
    bind,
    bind_all,
    bind_assertion,
    bind_subject,
    bind_temporal,
    bind_withdrawal,
    effective,
    reassign,
)
from .cell import Cell, judge
from .choices import BY_CONTRACT, CALENDAR_WEEK, CHOICES, LAST_WEEK, Choices
from .dialogue import (
    CONTRACT_VERSION,
    DIMENSION_GROUPS,
    DIMENSIONS,
    LANGUAGES,
    MAX_TURN,
    SPEAKERS,
    STATES,
    Dialogue,
    Turn,
)
from .frame import (
    ALL,
    COMPONENTS,
    GROUNDS,
    MODALITIES,
    OPERATIONS,
    POLARITIES,
    STRENGTHS,
    SUBJECTS,
    UNSPECIFIED,
    BoundFrame,
    Cue,
    Effective,
    Frame,
    Interval,
    Verdict,
    covers,
    touches,
)
from .instrument import KINDS, DimensionSpec, Instrument, Relation, dimension_scores
from .prediction import SPLITS, STATUSES, PlannedCell, Prediction
from .projection import Projection, project
from .reference import UNRESOLVED, Reference
from .vote import Vote

__all__ = [
    "ALL", "BY_CONTRACT", "CALENDAR_WEEK", "CHOICES", "COMPONENTS", "CONTRACT_VERSION", "DIMENSIONS",
    "DIMENSION_GROUPS", "GROUNDS", "KINDS", "LANGUAGES", "LAST_WEEK", "MAX_TURN", "MODALITIES", "OPERATIONS",
    "POLARITIES", "REASONS", "SPEAKERS", "SPLITS", "STATES", "STATUSES", "STRENGTHS", "SUBJECTS", "UNRESOLVED",
    "UNSPECIFIED", "BoundFrame", "Cell", "Choices", "Cue", "Dialogue", "DimensionSpec", "Effective", "Frame",
    "Instrument", "Interval", "PlannedCell", "Prediction", "Projection", "Reference", "Relation", "Turn", "Verdict",
    "Vote", "bind", "bind_all", "bind_assertion", "bind_subject", "bind_temporal", "bind_withdrawal", "covers",
    "dimension_scores", "effective", "judge", "project", "reassign", "touches",
]
