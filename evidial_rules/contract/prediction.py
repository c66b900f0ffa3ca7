"""Plans and predictions of a model audit (interface, "plan" and "prediction")."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import FrameError, shown
from .cell import provenance
from .dialogue import CONTRACT_VERSION, DIMENSIONS

SPLITS = ("dev", "test")
STATUSES = ("answered", "abstained", "failed")


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """One cell that every model and method of an audit is asked."""

    dialogue_id: str
    dimension: str
    split: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface."""
        return {"dialogue_id": self.dialogue_id, "dimension": self.dimension, "split": self.split}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "plan") -> PlannedCell:
        """A line that was written. Raises :class:`~evidial_rules.errors.FrameError`, which names the key."""
        _text(row, ("dialogue_id",), where)
        _one_of(row, "dimension", DIMENSIONS, where)
        _one_of(row, "split", SPLITS, where)
        return cls(row["dialogue_id"], row["dimension"], row["split"])


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one model says of one cell under one method.

    prediction: 1 (the native item is above 0) or 0, None unless `status` is "answered". reason: of a failure, one of a
    short list; never a model's words.
    """

    dialogue_id: str
    dimension: str
    model: str
    method: str
    status: str
    prediction: int | None
    reason: str | None = None
    contract: int = CONTRACT_VERSION

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface."""
        return {
            "dialogue_id": self.dialogue_id, "dimension": self.dimension, "model": self.model, "method": self.method,
            "status": self.status, "prediction": self.prediction, "reason": self.reason, "contract": self.contract,
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "prediction") -> Prediction:
        """A prediction that was written. Raises :class:`~evidial_rules.errors.FrameError`, which names the key."""
        _text(row, ("dialogue_id", "model", "method"), where)
        _one_of(row, "dimension", DIMENSIONS, where)
        _one_of(row, "status", STATUSES, where)
        value = row.get("prediction")
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # a column of Parquet with nulls
        if row["status"] == "answered":
            if isinstance(value, bool) or value not in (0, 1):
                raise FrameError(where=f"{where}.prediction", expected=f"0 or 1 in an answer, found {shown(value)}")
        elif value is not None:
            raise FrameError(where=f"{where}.prediction",
                             expected=f"null where there is no answer, found {shown(value)}")
        reason = row.get("reason")
        if reason is not None and not isinstance(reason, str):
            raise FrameError(where=f"{where}.reason", expected=f"text or null, found {shown(reason)}")
        return cls(row["dialogue_id"], row["dimension"], row["model"], row["method"], row["status"], value, reason,
                   provenance(row, where)[0])


def _text(row: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    if not isinstance(row, Mapping):
        raise FrameError(where=where, expected=f"an object, found {shown(row)}")
    for key in keys:
        if not isinstance(row.get(key), str) or not row[key]:
            raise FrameError(where=f"{where}.{key}", expected=f"text, found {shown(row.get(key))}")


def _one_of(row: Mapping[str, Any], key: str, known: tuple[str, ...], where: str) -> None:
    if row.get(key) not in known:
        raise FrameError(where=f"{where}.{key}", expected=f"one of {', '.join(known)}, found {shown(row.get(key))}")
