"""Votes: what one rater says of one cell (interface, "vote")."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import FrameError, shown
from .cell import bound_frames, provenance
from .dialogue import CONTRACT_VERSION, DIMENSIONS, STATES
from .frame import COMPONENTS, BoundFrame


@dataclass(frozen=True, slots=True)
class Vote:
    """What one rater says of one cell (interface, "vote").

    `state` is the contract's, from the rater's frames; None, with `valid` false and a `reason`, where there is no
    usable answer. `stated` is the state that a judge named by itself, for raters that name one. `invalid_frames` counts
    the frames that a judge named and whose quote is not in the dialogue: they are not among `frames`; None for raters
    that cannot have any.
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
    invalid_frames: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface."""
        row: dict[str, Any] = {
            "dialogue_id": self.dialogue_id, "dimension": self.dimension, "rater": self.rater, "state": self.state,
            "valid": self.valid, "reason": self.reason, "frames": [frame.to_dict() for frame in self.frames],
            "stated": self.stated, "contract": self.contract,
        }
        if self.ruleset is not None:
            row["ruleset"] = dict(self.ruleset)
        if self.invalid_frames is not None:
            row["invalid_frames"] = self.invalid_frames
        return row

    @classmethod
    def from_dict(
        cls, row: Mapping[str, Any], *, inventory: Mapping[str, Collection[str]] = COMPONENTS, where: str = "vote",
    ) -> Vote:
        """A vote that was written; nothing is judged anew. Without the key `valid`, a vote with a state is valid.

        Raises :class:`~evidial_rules.errors.FrameError`, which names the key and holds no quote and no reason.
        """
        if not isinstance(row, Mapping):
            raise FrameError(where=where, expected=f"an object, found {shown(row)}")
        for key in ("dialogue_id", "rater"):
            if not isinstance(row.get(key), str) or not row[key]:
                raise FrameError(where=f"{where}.{key}", expected=f"text, found {shown(row.get(key))}")
        if row.get("dimension") not in DIMENSIONS:
            raise FrameError(where=f"{where}.dimension",
                             expected=f"one of {', '.join(DIMENSIONS)}, found {shown(row.get('dimension'))}")
        for key in ("state", "stated"):
            if row.get(key) is not None and row[key] not in STATES:
                raise FrameError(where=f"{where}.{key}",
                                 expected=f"one of {', '.join(STATES)} or null, found {shown(row[key])}")
        state, reason = row.get("state"), row.get("reason")
        valid = row.get("valid", state is not None)
        if not isinstance(valid, bool):
            raise FrameError(where=f"{where}.valid", expected=f"true or false, found {shown(valid)}")
        if valid != (state is not None):
            raise FrameError(where=f"{where}.state", expected="a state in a valid vote" if valid else
                             "null in a vote that is not valid")
        if reason is not None and not isinstance(reason, str):
            raise FrameError(where=f"{where}.reason", expected=f"text or null, found {shown(reason)}")
        invalid = row.get("invalid_frames")
        if invalid is not None and (isinstance(invalid, bool) or not isinstance(invalid, int) or invalid < 0):
            raise FrameError(where=f"{where}.invalid_frames",
                             expected=f"a whole number from 0 or null, found {shown(invalid)}")
        contract, ruleset = provenance(row, where)
        return cls(row["dialogue_id"], row["dimension"], row["rater"], state, valid, reason,
                   bound_frames(row, inventory, where), row.get("stated"), contract, ruleset, invalid)
