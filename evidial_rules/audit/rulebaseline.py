"""The rule judge as a fifth method: a deterministic system in the same table as the models."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..contract import Dialogue, PlannedCell, Prediction, Vote
from ..raters import Rater
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


def rule_predictions(
    plan: Sequence[PlannedCell], dialogues: Iterable[Dialogue], rater: Rater,
) -> tuple[Prediction, ...]:
    """The predictions of a rater that judges here, in the plan's order, under the rater's own name as the model's.

    dialogues: those of the plan. Raises :class:`AuditError` for a planned cell that none of them has.
    """
    wanted = {(cell.dialogue_id, cell.dimension) for cell in plan}
    # One dialogue at a time, and of its votes the planned ones: a vote holds its frames.
    votes = [vote for one in dialogues for vote in rater.votes(one) if (vote.dialogue_id, vote.dimension) in wanted]
    return predictions_of_votes(votes, plan, rater.name)
