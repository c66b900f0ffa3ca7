"""Raters: a dialogue in, one vote for each of its cells out.

Every rater fills :class:`~evidial_rules.contract.Frame` values and goes through the contract's binding and
projection, so votes of different raters differ in what they detected and in nothing else.
"""
from __future__ import annotations

from typing import Protocol, runtime_checkable

from ..contract import Dialogue, Vote
from ..errors import EvidialError

__all__ = ["Rater", "RaterError", "Vote"]


class RaterError(EvidialError):
    """A rater that nobody knows, or one whose optional package is not installed."""

    code = "E221"
    template = "{where}: expected {expected}"


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
