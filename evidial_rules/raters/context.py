"""ConText as a rater, by medspaCy (the extra `raters`): negation, doubt, the past, the hypothetical, the family."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spacy.tokens import Span

from ..contract import Frame, Instrument, Interval
from ..pipeline.annotator import Candidate
from . import engines
from .engines import EngineRater

__all__ = ["ContextRater"]


class ContextRater(EngineRater):
    """What ConText says of a mention as attributes of its frame.

    Negated: the other polarity. Possible: an indicator. Hypothetical: that modality. Family: somebody else's.
    Historical: an interval wholly before the instrument's window, for a cue like "history of" has no date.
    """

    name = "context"
    package = "medspacy"
    make = staticmethod(engines.medspacy)

    def bound(self, candidate: Candidate, entity: Span, instrument: Instrument) -> Frame:
        frame = candidate.negated if entity._.is_negated else candidate.frame
        # a window of W days is [0, W + 1)
        before = Interval(None, instrument.window_days + 1, True)
        said: Mapping[str, tuple[bool, str, Any]] = {
            "NEGATED_EXISTENCE": (entity._.is_negated, "polarity", frame.polarity),
            "POSSIBLE_EXISTENCE": (entity._.is_uncertain, "strength", "indicator"),
            "HISTORICAL": (entity._.is_historical, "time", before),
            "HYPOTHETICAL": (entity._.is_hypothetical, "modality", "hypothetical"),
            "FAMILY": (entity._.is_family, "subject", "other"),
        }
        changes, cues = {}, list(frame.cues)
        for modifier in entity._.modifiers:
            is_so, attribute, value = said.get(modifier.category, (False, "", None))
            if is_so:
                changes[attribute] = value
                start, end = modifier.modifier_span
                where = entity.doc[start:end]
                rule = f"context.{modifier.category.lower()}.{'_'.join(modifier.rule.literal.lower().split())}"
                cues.append(engines.cue(attribute, value, rule, frame, where.start_char, where.end_char))
        return frame.replace(**changes, cues=tuple(cues))
