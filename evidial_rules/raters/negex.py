"""NegEx as a rater, by negspaCy (the extra `raters`): it knows negation and nothing else."""
from __future__ import annotations

from spacy.tokens import Span

from ..contract import Frame, Instrument
from ..pipeline.annotator import Candidate
from . import engines
from .engines import EngineRater

__all__ = ["NegexRater"]


class NegexRater(EngineRater):
    """The polarity of a mention is the lexicon's, or the other one where negspaCy calls it negated."""

    name = "negex"
    package = "negspacy"
    make = staticmethod(engines.negspacy)

    def bound(self, candidate: Candidate, entity: Span, instrument: Instrument) -> Frame:
        frame = candidate.frame
        if not entity._.negex:
            return frame
        frame = candidate.negated
        # negspaCy does not say which of its terms it was
        note = engines.cue("polarity", frame.polarity, "negex.negated", frame, frame.start, frame.end)
        return frame.replace(cues=(*frame.cues, note))
