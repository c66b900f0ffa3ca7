"""The spaCy factory `evidial_assertion`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import AssertionStage


@Pipeline.factory(
    "evidial_assertion", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_assertion(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Sets polarity, strength and modality of mentions.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, AssertionStage(rules_of(nlp, lexicons)))
