"""The spaCy factory `evidial_turns`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline
from spacy.tokens import Doc

from ..component import rules_of
from ..stages import Turns


class TurnsComponent:
    """Begins the analysis of a Doc.

    The turns come from `doc.user_data["evidial_turns"]`, a list of (speaker, start, end) in code points, and
    `doc.user_data["evidial_now"]`, a date or None (see `evidial_rules.pipeline.dialogue_doc`). A Doc without them is
    one turn of a participant.
    """

    def __init__(self, name: str, turns: Turns):
        self.name = name
        self.turns = turns

    def __call__(self, doc: Doc) -> Doc:
        text = doc.text
        spans = doc.user_data.get("evidial_turns") or [("participant", 0, len(text))]
        doc._.evidial = self.turns([(speaker, text[a:b]) for speaker, a, b in spans], doc.user_data.get("evidial_now"))
        return doc


@Pipeline.factory("evidial_turns", assigns=["doc._.evidial"], default_config={"lexicons": None})
def make_turns(nlp: Pipeline, name: str, lexicons: str | None) -> TurnsComponent:
    """Cuts a Doc into turns and makes their canonical text.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return TurnsComponent(name, Turns(rules_of(nlp, lexicons)))
