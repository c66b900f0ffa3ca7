"""The spaCy factory `evidial_time`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import TimeStage


@Pipeline.factory(
    "evidial_time", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_time(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Sets the interval of a mention.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, TimeStage(rules_of(nlp, lexicons)))
