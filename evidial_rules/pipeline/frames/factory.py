"""The spaCy factory `evidial_frames`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline
from spacy.tokens import Doc, Span

from ..component import StageComponent, rules_of
from ..stages import FrameStage


class FramesComponent(StageComponent):
    """Writes `doc._.frames` and, if `spans` is set, the frames' quotes as `doc.spans["evidial"]`."""

    def __init__(self, name: str, stage: FrameStage, spans: bool):
        super().__init__(name, stage)
        self.spans = spans

    def __call__(self, doc: Doc) -> Doc:
        super().__call__(doc)
        doc._.frames = doc._.evidial.frames
        if self.spans:
            turns = doc.user_data.get("evidial_turns") or [("participant", 0, len(doc.text))]
            found: list[Span] = []
            for frame in doc._.frames:
                offset = turns[frame.turn][1]
                span = doc.char_span(
                    offset + frame.start,
                    offset + frame.end,
                    label=frame.dimension,
                    span_id=frame.id,
                    alignment_mode="expand",
                )
                if span is not None:
                    found.append(span)
            doc.spans["evidial"] = found
        return doc


@Pipeline.factory(
    "evidial_frames",
    assigns=["doc._.frames", "doc.spans"],
    requires=["doc._.evidial"],
    default_config={"lexicons": None, "spans": True},
)
def make_frames(nlp: Pipeline, name: str, lexicons: str | None, spans: bool) -> FramesComponent:
    """Makes contract frames of what the components before found.

    spans: whether to write the quotes as spaCy spans, aligned to the tokens around them.
    """
    return FramesComponent(name, FrameStage(rules_of(nlp, lexicons)), spans)
