"""The spaCy factory `evidial_terms`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import TermStage


@Pipeline.factory(
    "evidial_terms", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_terms(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Finds mentions and cues.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, TermStage(rules_of(nlp, lexicons)))
