"""The spaCy factory `evidial_questions`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import QuestionStage


@Pipeline.factory(
    "evidial_questions", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_questions(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Reads the times of every turn, and what the interviewer's turns ask.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, QuestionStage(rules_of(nlp, lexicons)))
