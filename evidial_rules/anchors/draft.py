"""A dialogue in the making, with its ledger: the frames that its words are, and what was taken back of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..contract import Frame, Instrument, Turn, bind_all, project
from .edits import LAST, Block, Line


@dataclass(slots=True)
class Draft:
    """Turns and the ledger of one dimension, grown from the first turn to the last.

    `changed` are the turns that blocks put in.
    """

    turns: list[Turn] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    changed: list[int] = field(default_factory=list)
    _awaited: dict[int, list[str]] = field(default_factory=dict)

    def keep(self, number: int, turn: Turn, frames: Sequence[Frame] = ()) -> None:
        """Adds turn `number` of a base with the frames that it says. What the base takes back is taken back once the
        turn that does it is added: if that was deleted, it is not."""
        here = len(self.turns)
        for frame in frames:
            if isinstance(frame.withdrawn_by, int):
                self._awaited.setdefault(frame.withdrawn_by, []).append(frame.id)
                frame = frame.replace(withdrawn_by=None)
            self.frames.append(frame.replace(turn=here))
        taken = self._awaited.pop(number, ())
        self._withdraw(lambda frame: frame.id in taken, here)
        self.turns.append(turn)

    def put(self, block: Block, write: Callable[[str], str] = str) -> None:
        """Adds the lines of a block; `write` says how their words are transcribed."""
        for line in block:
            self._enter(line, write(line.text))

    def _enter(self, line: Line, text: str) -> None:
        here = len(self.turns)
        said = [frame.replace(id=f"e{here}.{i}", turn=here, start=0, end=len(text), quote=text, speaker=line.speaker)
                for i, frame in enumerate(line.frames)]
        if line.takes_own:
            said = [frame.replace(withdrawn_by=here) for frame in said]
        elif line.takes is not None:
            latest = max((frame.turn for frame in self.frames
                          if frame.speaker == line.speaker and frame.withdrawn_by is None), default=None)
            self._withdraw(lambda frame: frame.speaker == line.speaker and (
                line.takes != LAST or frame.turn == latest), here)
        self.frames.extend(said)
        self.changed.append(here)
        self.turns.append(Turn(speaker=line.speaker, text=text))  # type: ignore[arg-type]

    def _withdraw(self, which: Callable[[Frame], bool], turn: int) -> None:
        self.frames = [frame.replace(withdrawn_by=turn) if frame.withdrawn_by is None and which(frame) else frame
                       for frame in self.frames]

    def state(self, instrument: Instrument, dimension: str) -> str:
        """The state that the contract projects from the ledger."""
        return project(bind_all(self.frames, instrument), instrument, dimension).state
