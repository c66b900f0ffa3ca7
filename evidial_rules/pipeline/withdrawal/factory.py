"""The spaCy factory `evidial_withdrawal`."""

# No `from __future__ import annotations` here: spaCy 3.7 reads the factory's annotations as they stand.

from spacy.language import Language as Pipeline

from ..component import StageComponent, rules_of
from ..stages import WithdrawalStage


@Pipeline.factory(
    "evidial_withdrawal", assigns=["doc._.evidial"], requires=["doc._.evidial"], default_config={"lexicons": None}
)
def make_withdrawal(nlp: Pipeline, name: str, lexicons: str | None) -> StageComponent:
    """Marks what was taken back.

    lexicons: a folder of lexicon files instead of those that ship.
    """
    return StageComponent(name, WithdrawalStage(rules_of(nlp, lexicons)))
