"""References: the state that a fusion of votes, or people, give a cell (interface, "reference")."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import FrameError, shown
from .cell import provenance
from .dialogue import CONTRACT_VERSION, DIMENSIONS, STATES

UNRESOLVED = "UNRESOLVED"
"""The state of a cell that its reference does not decide."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One cell's reference (interface, "reference").

    posterior: state to probability, all five, summing to one. entropy: of the posterior, in nats, 0 to log 5. raters:
    how many valid votes the cell has.
    """

    dialogue_id: str
    dimension: str
    state: str
    method: str
    posterior: Mapping[str, float]
    entropy: float
    raters: int
    contract: int = CONTRACT_VERSION

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface."""
        return {
            "dialogue_id": self.dialogue_id, "dimension": self.dimension, "state": self.state, "method": self.method,
            "posterior": dict(self.posterior), "entropy": self.entropy, "raters": self.raters,
            "contract": self.contract,
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "reference") -> Reference:
        """A reference that was written. `posterior`, `entropy` and `raters` may be left out: people give none.

        Raises :class:`~evidial_rules.errors.FrameError`, which names the key.
        """
        if not isinstance(row, Mapping):
            raise FrameError(where=where, expected=f"an object, found {shown(row)}")
        for key in ("dialogue_id", "method"):
            if not isinstance(row.get(key), str) or not row[key]:
                raise FrameError(where=f"{where}.{key}", expected=f"text, found {shown(row.get(key))}")
        for key, known in (("dimension", DIMENSIONS), ("state", (*STATES, UNRESOLVED))):
            if row.get(key) not in known:
                raise FrameError(where=f"{where}.{key}",
                                 expected=f"one of {', '.join(known)}, found {shown(row.get(key))}")
        posterior = row.get("posterior")
        if posterior is None:
            posterior = {state: float(state == row["state"]) for state in STATES} if row["state"] in STATES else {}
        if not isinstance(posterior, Mapping) or not set(posterior) <= set(STATES):
            raise FrameError(where=f"{where}.posterior", expected=f"an object of {', '.join(STATES)}")
        for state, value in posterior.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
                raise FrameError(where=f"{where}.posterior.{state}",
                                 expected=f"a number from 0 to 1, found {shown(value)}")
        if posterior and not math.isclose(sum(posterior.values()), 1, abs_tol=1e-3):
            raise FrameError(where=f"{where}.posterior", expected="probabilities that sum to 1")
        entropy, raters = row.get("entropy", 0.0), row.get("raters", 1)
        if isinstance(entropy, bool) or not isinstance(entropy, (int, float)) or not 0 <= entropy < 2:
            raise FrameError(where=f"{where}.entropy", expected=f"nats from 0 to log 5, found {shown(entropy)}")
        if isinstance(raters, bool) or not isinstance(raters, int) or raters < 0:
            raise FrameError(where=f"{where}.raters", expected=f"a count, found {shown(raters)}")
        return cls(row["dialogue_id"], row["dimension"], row["state"], row["method"], dict(posterior), float(entropy),
                   raters, provenance(row, where)[0])
