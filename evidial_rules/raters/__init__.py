"""Raters: a dialogue in, one vote for each of its cells out.

Every rater fills :class:`~evidial_rules.contract.Frame` values and goes through the contract's binding and
projection, so votes of different raters differ in what they detected and in nothing else.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ..contract import CONTRACT_VERSION, BoundFrame, Dialogue

__all__ = ["Rater", "Vote"]


@dataclass(frozen=True, slots=True)
class Vote:
    """What one rater says of one cell (interface, "vote").

    `state` is the contract's, from the rater's frames; None, with `valid` false and a `reason`, where there is no
    usable answer. `stated` is the state that a judge named by itself, for raters that name one.
    """

    dialogue_id: str
    dimension: str
    rater: str
    state: str | None
    valid: bool = True
    reason: str | None = None
    frames: tuple[BoundFrame, ...] = ()
    stated: str | None = None
    contract: int = CONTRACT_VERSION
    ruleset: Mapping[str, str] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface."""
        row: dict[str, Any] = {
            "dialogue_id": self.dialogue_id, "dimension": self.dimension, "rater": self.rater, "state": self.state,
            "valid": self.valid, "reason": self.reason, "frames": [frame.to_dict() for frame in self.frames],
            "stated": self.stated, "contract": self.contract,
        }
        if self.ruleset is not None:
            row["ruleset"] = dict(self.ruleset)
        return row


@runtime_checkable
class Rater(Protocol):
    """A judge of cells. It can be pickled, so that a process pool can run it."""

    @property
    def name(self) -> str:
        """The name that its votes carry."""
        ...

    def votes(self, dialogue: Dialogue) -> tuple[Vote, ...]:
        """One vote for each dimension that the dialogue's instrument has, in the contract's order."""
        ...
