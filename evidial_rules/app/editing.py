"""A dialogue that somebody edits or types, and what the edit changes in its cells."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..contract import Cell, Dialogue, Turn
from ..corpora import SpeakerMap
from ..corpora.plain import text_turns
from ..errors import FileFormatError, SpeakerError
from ..report.diff import CellChange, Judged, explain
from ..report.diff_terminal import cell_line
from ..resources import load_instrument

LABELS: Mapping[str, str] = {"interviewer": "Interviewer", "participant": "Participant", "informant": "Informant"}
"""How the speakers are written in a dialogue that is typed."""


def edited(dialogue: Dialogue, texts: Mapping[int, str]) -> Dialogue:
    """The dialogue with other words in some turns (numbers from 0); itself where nothing is new."""
    turns = tuple(turn if texts.get(number, turn.text) == turn.text else Turn(speaker=turn.speaker, text=texts[number])
                  for number, turn in enumerate(dialogue.turns))
    return dialogue if turns == dialogue.turns else dialogue.model_copy(update={"turns": turns})


def as_text(dialogue: Dialogue) -> str:
    """The turns as "Speaker: text" lines, for typing on; a line's end inside a turn becomes a space."""
    return "\n".join(f"{LABELS[turn.speaker]}: {' '.join(turn.text.split())}" for turn in dialogue.turns)


def typed(
    text: str, *, language: str, instrument: str, dialogue_id: str = "typed", date: str | None = None,
) -> Dialogue:
    """The dialogue of "Speaker: text" lines.

    Raises :class:`~evidial_rules.errors.SpeakerError` for a line whose speaker nobody knows,
    :class:`~evidial_rules.errors.FileFormatError` where there are no lines and
    :class:`~evidial_rules.errors.DialogueError` for a date that is none.

    >>> typed("Doctor: Sleep?\\nPatient: Fine.", language="en", instrument="PHQ-8").turns[1].speaker
    'participant'
    """
    try:
        turns = [{"speaker": speaker, "text": words} for speaker, words in text_turns(text, SpeakerMap(), where="line")]
    except SpeakerError as error:  # these two name options of a command, which a page does not have
        line = error.details["where"].rpartition(":")[2]
        raise SpeakerError(where=f"line {line} of the dialogue",
                           expected=f"one who speaks ({', '.join(LABELS.values())}), a colon, what is said") from None
    except FileFormatError:
        raise FileFormatError(where="the dialogue", expected="one line at least: who speaks, a colon, what is said"
                              ) from None
    row = {"dialogue_id": dialogue_id, "language": language, "instrument": instrument, "turns": turns}
    return Dialogue.from_dict(row | ({"date": date} if date else {}), where="the dialogue")


@dataclass(frozen=True, slots=True)
class Move:
    """One cell before and after an edit. `change` says which frames differ and what made the difference."""

    dimension: str
    before: str
    after: str
    change: CellChange

    @property
    def frames(self) -> dict[str, int]:
        """How many frames were added, removed and changed; what did not occur is left out."""
        kinds = [one.kind for one in self.change.frames]
        return {kind: kinds.count(kind) for kind in ("added", "removed", "changed") if kind in kinds}

    @property
    def why(self) -> str:
        """Operations, places and rules behind a new state, in a line (as `evidial diff --cells --quotes` has them);
        empty where the state is the same."""
        if self.before == self.after:
            return ""
        return cell_line(self.change, quotes=True).plain.partition(": ")[2]


def moves(instrument: str, before: Iterable[Cell], after: Sequence[Cell]) -> list[Move]:
    """The cells whose state or frames an edit changes, in the contract's order. Both are judged under `instrument`."""
    spec = load_instrument(instrument)
    later = {cell.dimension: cell for cell in after}
    found = []
    for cell in before:
        other = later[cell.dimension]
        change = explain(_judged(cell), _judged(other), [spec])
        if cell.state != other.state or change.frames:
            found.append(Move(cell.dimension, cell.state, other.state, change))
    return found


def _judged(cell: Cell) -> Judged:
    return Judged(cell.dialogue_id, cell.dimension, cell.state, cell.frames, cell.choices)
