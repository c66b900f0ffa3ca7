"""Cells: the judged unit, with its trace (contract, sections 1 and 6)."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..errors import FrameError, shown
from .binding import bind_all
from .choices import BY_CONTRACT, Choices
from .dialogue import CONTRACT_VERSION, DIMENSIONS, STATES
from .frame import COMPONENTS, BoundFrame, Frame
from .instrument import Instrument
from .projection import project


@dataclass(frozen=True, slots=True)
class Cell:
    """One (dialogue, dimension) with its state, K(u) and all of its frames, the excluded ones included.

    `ruleset` names the rules that detected the frames: `{"name": ..., "version": ...}`, or None. `choices` are the
    decisions under which it was judged.
    """

    dialogue_id: str
    dimension: str
    state: str
    k: tuple[int, ...]
    frames: tuple[BoundFrame, ...] = ()
    contract: int = CONTRACT_VERSION
    ruleset: Mapping[str, str] | None = None
    choices: Choices = BY_CONTRACT

    def under(self, instrument: Instrument, choices: Choices) -> Cell:
        """This cell judged anew under other `choices`, from its frames alone.

        >>> from .choices import Choices
        >>> told = Frame("f1", "sleep", ("onset",), "affirm", speaker="informant")
        >>> phq = Instrument(name="PHQ-8", source="E-DAIC", version=1, window_days=14,
        ...                  dimensions={"sleep": {"components": ["onset", "maintenance"]}})
        >>> cell, = judge([told], phq)
        >>> cell.state, cell.under(phq, Choices(informants="no_evidence")).state
        ('SUFFICIENT_POS', 'ABSENT')
        """
        frames = bind_all((bound.frame for bound in self.frames), instrument, choices)
        projection = project(frames, instrument, self.dimension, choices)
        return replace(self, state=projection.state, k=projection.k, frames=frames, choices=choices)

    def to_dict(self, *, trace: bool = True) -> dict[str, Any]:
        """The JSON object of the interface; without `trace` the frames are left out. `choices` is there, with the
        switches that are not as the contract has them, only if there are any."""
        row: dict[str, Any] = {"dialogue_id": self.dialogue_id, "dimension": self.dimension, "state": self.state,
                               "k": list(self.k)}
        if trace:
            row["frames"] = [frame.to_dict() for frame in self.frames]
        row["contract"] = self.contract
        if self.ruleset is not None:
            row["ruleset"] = dict(self.ruleset)
        if changed := self.choices.changed:
            row["choices"] = changed
        return row

    @classmethod
    def from_dict(
        cls, row: Mapping[str, Any], *, inventory: Mapping[str, Collection[str]] = COMPONENTS, where: str = "cell",
    ) -> Cell:
        """A cell that was written; nothing is judged anew. Raises :class:`~evidial_rules.errors.FrameError` and
        :class:`~evidial_rules.errors.ChoiceError`."""
        if not isinstance(row, Mapping):
            raise FrameError(where=where, expected=f"an object, found {shown(row)}")
        for key, known in (("dimension", DIMENSIONS), ("state", STATES)):
            if row.get(key) not in known:
                raise FrameError(where=f"{where}.{key}",
                                 expected=f"one of {', '.join(known)}, found {shown(row.get(key))}")
        if not isinstance(row.get("dialogue_id"), str):
            raise FrameError(where=f"{where}.dialogue_id", expected=f"text, found {shown(row.get('dialogue_id'))}")
        k = row.get("k", [])
        if not isinstance(k, list) or k not in ([], [0], [1], [0, 1]):
            raise FrameError(where=f"{where}.k", expected="[], [0], [1] or [0, 1]")
        return cls(row["dialogue_id"], row["dimension"], row["state"], tuple(k), bound_frames(row, inventory, where),
                   *provenance(row, where), Choices.from_dict(row.get("choices", {}), where=f"{where}.choices"))


def bound_frames(
    row: Mapping[str, Any], inventory: Mapping[str, Collection[str]], where: str,
) -> tuple[BoundFrame, ...]:
    """The `frames` of a cell or vote that was written. Raises :class:`~evidial_rules.errors.FrameError`."""
    frames = row.get("frames", [])
    if not isinstance(frames, list):
        raise FrameError(where=f"{where}.frames", expected=f"a list, found {shown(frames)}")
    return tuple(BoundFrame.from_dict(frame, inventory=inventory, where=f"{where}.frames[{i}]")
                 for i, frame in enumerate(frames))


def provenance(row: Mapping[str, Any], where: str) -> tuple[int, Mapping[str, str] | None]:
    """The `contract` and `ruleset` of a row that was written: this contract and None where it does not say.

    Raises :class:`~evidial_rules.errors.FrameError`.
    """
    contract, ruleset = row.get("contract", CONTRACT_VERSION), row.get("ruleset")
    if isinstance(contract, bool) or not isinstance(contract, int) or contract < 1:
        raise FrameError(where=f"{where}.contract", expected=f"a contract's version, found {shown(contract)}")
    if ruleset is not None and not (isinstance(ruleset, Mapping) and isinstance(ruleset.get("name"), str)
                                    and isinstance(ruleset.get("version"), str)):
        raise FrameError(where=f"{where}.ruleset", expected="an object with name and version, or null")
    return contract, ruleset


def judge(
    frames: Iterable[Frame], instrument: Instrument, *, dialogue_id: str = "",
    ruleset: Mapping[str, str] | None = None, choices: Choices = BY_CONTRACT,
) -> tuple[Cell, ...]:
    """One cell for each dimension that the instrument has, in the contract's order.

    `choices` are the contract's own decisions, as it takes them or otherwise.

    Frames of one cell are in the order of the text, whatever order they came in, so that the same evidence gives the
    same bytes.
    """
    places: dict[str, list[BoundFrame]] = {dimension: [] for dimension in instrument.ordered}
    for bound in bind_all(frames, instrument, choices):
        if bound.dimension in places:
            places[bound.dimension].append(bound)
    cells = []
    for dimension, members in places.items():
        members.sort(key=_order)
        projection = project(members, instrument, dimension, choices)
        cells.append(Cell(dialogue_id, dimension, projection.state, projection.k, tuple(members), ruleset=ruleset,
                          choices=choices))
    return tuple(cells)


def _order(bound: BoundFrame) -> tuple[int, int, int, int, str]:
    frame = bound.frame
    return frame.turn, frame.start, frame.end, len(frame.id), frame.id
