"""The spaCy factory `evidial_answers`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import AnswerStage


@Pipeline.factory(
    "evidial_answers", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_answers(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Makes frames of the words that only answer.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, AnswerStage(rules_of(nlp, lexicons)))
