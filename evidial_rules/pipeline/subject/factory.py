"""The spaCy factory `evidial_subject`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import SubjectStage


@Pipeline.factory(
    "evidial_subject", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_subject(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Sets whom a mention is about.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, SubjectStage(rules_of(nlp, lexicons)))
