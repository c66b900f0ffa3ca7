"""The spaCy factory `evidial_clauses`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import ClauseStage


@Pipeline.factory(
    "evidial_clauses", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_clauses(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Cuts turns into clauses.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, ClauseStage(rules_of(nlp, lexicons)))
