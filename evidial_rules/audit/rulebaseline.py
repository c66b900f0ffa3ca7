"""The rule judge as a fifth method: a deterministic system in the same table as the models."""
from __future__ import annotations

from collections.abc import Iterable

from ..contract import PlannedCell, Prediction, Vote
from .table import AuditError

METHOD = "rules"


def predictions_of_votes(votes: Iterable[Vote], plan: Iterable[PlannedCell], model: str) -> tuple[Prediction, ...]:
    """A prediction for each planned cell from a rater's votes on it: positive or negative where the state is
    sufficient, an abstention otherwise; an invalid vote is a failure.

    Raises :class:`AuditError` for a planned cell without a vote.
    """
    held = {(vote.dialogue_id, vote.dimension): vote for vote in votes}
    found = []
    for cell in plan:
        vote = held.get((cell.dialogue_id, cell.dimension))
        if vote is None:
            raise AuditError(where="votes", expected="a vote on each planned cell")
        if vote.state is None:
            status, value = "failed", None
        else:
            value = {"SUFFICIENT_POS": 1, "SUFFICIENT_NEG": 0}.get(vote.state)
            status = "abstained" if value is None else "answered"
        found.append(Prediction(cell.dialogue_id, cell.dimension, model, METHOD, status, value,
                                vote.reason if status == "failed" else None))
    return tuple(found)
