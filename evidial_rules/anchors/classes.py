"""The twelve classes of perturbation anchors, the failure modes that they exercise, and the gate (contract, section 5;
the paper's Tables 4 and 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class AnchorClass:
    """One class: what is changed in the base dialogue, and the state of the target cell that must follow."""

    name: str
    change: str
    expected: str


CLASSES: Mapping[str, AnchorClass] = MappingProxyType({
    one.name: one for one in (
        AnchorClass("P1", "the evidence is deleted", "ABSENT"),
        AnchorClass("P2", "the evidence is later retracted", "ABSENT"),
        AnchorClass("P3", "a full, definite denial is inserted where there was none", "SUFFICIENT_NEG"),
        AnchorClass("P4-ow", "an out-of-window distractor beside a qualifying frame", "SUFFICIENT_POS"),
        AnchorClass("P4-op", "another person's symptom beside a qualifying frame", "SUFFICIENT_POS"),
        AnchorClass("P4-wd", "a weak denial beside a qualifying frame", "SUFFICIENT_POS"),
        AnchorClass("P4-wn", "a withdrawn statement beside a qualifying frame", "SUFFICIENT_POS"),
        AnchorClass("P5", "the only evidence lies just outside the window", "ABSENT"),
        AnchorClass("P6a", "half of the support is taken away", "PARTIAL"),
        AnchorClass("P6b", "only partial evidence is there", "PARTIAL"),
        AnchorClass("P7", "a contradiction is inserted, nothing retracted", "CONFLICTING"),
        AnchorClass("P8", "a denial that covers part of the window", "PARTIAL"),
    )
})
"""The classes in the contract's order."""


@dataclass(frozen=True, slots=True)
class FailureMode:
    """One failure mode and the classes that exercise it."""

    name: str
    title: str
    classes: tuple[str, ...]


MODES: Mapping[str, FailureMode] = MappingProxyType({
    one.name: one for one in (
        FailureMode("F1", "subject binding", ("P4-op",)),
        FailureMode("F2", "temporal binding", ("P5", "P4-ow", "P8")),
        FailureMode("F3", "assertion scope", ("P4-wd", "P3")),
        FailureMode("F4", "withdrawal", ("P2", "P4-wn")),
        FailureMode("F5", "aggregation", ("P7", "P1")),
        FailureMode("F6", "state projection", ("P6a", "P6b", "P8")),
    )
})
"""The modes of the paper's Table 4. P8 counts in F2 and in F6, so the modes are not independent and their numbers of
anchors add up to more than there are."""

GATE_RATE = 0.85
"""The share of a condition's anchors that must be recovered."""
GATE_BOUND = 0.75
"""What the 5th percentile of the rate's posterior under a flat Beta(1, 1) prior must reach."""
TOO_FEW = 10
"""Under so many anchors a condition is given no verdict."""
