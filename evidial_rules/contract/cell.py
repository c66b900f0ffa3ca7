"""Cells: the judged unit, with its trace (contract, sections 1 and 6)."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import FrameError, shown
from .binding import bind_all
from .dialogue import CONTRACT_VERSION, DIMENSIONS, STATES
from .frame import COMPONENTS, BoundFrame, Frame
from .instrument import Instrument
from .projection import project


@dataclass(frozen=True, slots=True)
class Cell:
    """One (dialogue, dimension) with its state, K(u) and all of its frames, the excluded ones included.

    `ruleset` names the rules that detected the frames: `{"name": ..., "version": ...}`, or None.
    """

    dialogue_id: str
    dimension: str
    state: str
    k: tuple[int, ...]
    frames: tuple[BoundFrame, ...] = ()
    contract: int = CONTRACT_VERSION
    ruleset: Mapping[str, str] | None = None

    def to_dict(self, *, trace: bool = True) -> dict[str, Any]:
        """The JSON object of the interface; without `trace` the frames are left out."""
        row: dict[str, Any] = {"dialogue_id": self.dialogue_id, "dimension": self.dimension, "state": self.state,
                               "k": list(self.k)}
        if trace:
            row["frames"] = [frame.to_dict() for frame in self.frames]
        row["contract"] = self.contract
        if self.ruleset is not None:
            row["ruleset"] = dict(self.ruleset)
        return row

    @classmethod
    def from_dict(
        cls, row: Mapping[str, Any], *, inventory: Mapping[str, Collection[str]] = COMPONENTS, where: str = "cell",
    ) -> Cell:
        """A cell that was written; nothing is judged anew. Raises :class:`~evidial_rules.errors.FrameError`."""
        if not isinstance(row, Mapping):
            raise FrameError(where=where, expected=f"an object, found {shown(row)}")
        for key, choices in (("dimension", DIMENSIONS), ("state", STATES)):
            if row.get(key) not in choices:
                raise FrameError(where=f"{where}.{key}",
                                 expected=f"one of {', '.join(choices)}, found {shown(row.get(key))}")
        if not isinstance(row.get("dialogue_id"), str):
            raise FrameError(where=f"{where}.dialogue_id", expected=f"text, found {shown(row.get('dialogue_id'))}")
        k = row.get("k", [])
        if not isinstance(k, list) or k not in ([], [0], [1], [0, 1]):
            raise FrameError(where=f"{where}.k", expected="[], [0], [1] or [0, 1]")
        frames = row.get("frames", [])
        if not isinstance(frames, list):
            raise FrameError(where=f"{where}.frames", expected=f"a list, found {shown(frames)}")
        return cls(
            row["dialogue_id"], row["dimension"], row["state"], tuple(k),
            tuple(BoundFrame.from_dict(frame, inventory=inventory, where=f"{where}.frames[{i}]")
                  for i, frame in enumerate(frames)),
            row.get("contract", CONTRACT_VERSION), row.get("ruleset"),
        )


def judge(
    frames: Iterable[Frame], instrument: Instrument, *, dialogue_id: str = "",
    ruleset: Mapping[str, str] | None = None,
) -> tuple[Cell, ...]:
    """One cell for each dimension that the instrument has, in the contract's order.

    Frames of one cell are in the order of the text, whatever order they came in, so that the same evidence gives the
    same bytes.
    """
    places: dict[str, list[BoundFrame]] = {dimension: [] for dimension in instrument.ordered}
    for bound in bind_all(frames, instrument):
        if bound.dimension in places:
            places[bound.dimension].append(bound)
    cells = []
    for dimension, members in places.items():
        members.sort(key=_order)
        projection = project(members, instrument, dimension)
        cells.append(Cell(dialogue_id, dimension, projection.state, projection.k, tuple(members), ruleset=ruleset))
    return tuple(cells)


def _order(bound: BoundFrame) -> tuple[int, int, int, int, str]:
    frame = bound.frame
    return frame.turn, frame.start, frame.end, len(frame.id), frame.id
