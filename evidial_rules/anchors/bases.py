"""Base dialogues: what anchors are made from. Their cells must be known, with the frames that make them if possible."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..contract import DIMENSIONS, STATES, Dialogue, Frame, judge
from ..corpora import Row, read_dialogue_rows, read_dialogues, read_rows
from ..errors import EvidialError, shown
from ..resources import load_instrument, resource


class BaseError(EvidialError):
    """A base dialogue whose cells are not known, or not in the form of the interface."""

    code = "E402"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Base:
    """A dialogue with what is known of its cells.

    `states` are the known states under the dialogue's instrument, by dimension. `frames` are its frames, those that
    binding excludes too; None if only states are known. `dimensions` are those that the frames (or states) speak for: a
    list of frames of the whole dialogue speaks for all nine, a cells file for those that it has cells of.
    """

    dialogue: Dialogue
    states: Mapping[str, str]
    frames: tuple[Frame, ...] | None = None
    dimensions: tuple[str, ...] = DIMENSIONS


def read_bases(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, cells: str | os.PathLike[str] | None = None,
) -> Iterator[Base]:
    """The bases of dialogue files.

    What is known of a dialogue is looked for in `cells` (a cells file of any annotator, with frames), else under the
    dialogue's own keys `frames` (a list of frames) and `gold` (dimension: state), else, for a dialogue that ships with
    the project, in its gold files. Raises :class:`BaseError` with file and line where none of them has it, or where
    frames and states contradict one another.
    """
    given = _cells(cells) if cells is not None else {}
    for row, dialogue in read_dialogue_rows(paths):
        if cells is not None:
            if dialogue.dialogue_id not in given:
                raise BaseError(where=row.where, expected=f"cells of this dialogue in {os.fspath(cells)}")
            states, frames = given[dialogue.dialogue_id]
        else:
            states, frames = _own(row)
            if states is None and frames is None:
                states, frames = _shipped(dialogue)
        if states is None and frames is None:
            raise BaseError(where=row.where, expected="a dialogue whose cells are known (the keys `gold` or `frames`, "
                                                      "or --cells FILE)")
        yield _base(dialogue, states or {}, frames, row.where, whole=cells is None)


def _base(
    dialogue: Dialogue, states: Mapping[str, str], frames: Sequence[Frame] | None, where: str, *, whole: bool,
) -> Base:
    dimensions = tuple(dimension for dimension in DIMENSIONS if dimension in states)
    if frames is None:
        return Base(dialogue, states, None, dimensions)
    for frame in frames:
        turn = dialogue.turns[frame.turn] if frame.turn < len(dialogue.turns) else None
        if turn is None or frame.end > len(turn.text) or turn.text[frame.start:frame.end] != frame.quote:
            raise BaseError(where=where, expected=f"frame {shown(frame.id)} to quote what stands at its place")
    judged = {cell.dimension: cell.state for cell in judge(frames, load_instrument(dialogue.instrument))}
    for dimension, state in states.items():
        if judged.get(dimension, state) != state:
            raise BaseError(where=where, expected=f"frames that give the state of {dimension} "
                                                  f"({state}, its frames give {judged[dimension]})")
    return Base(dialogue, judged, tuple(frames), DIMENSIONS if whole else dimensions)


Known = tuple[dict[str, str] | None, list[Frame] | None]


def _own(row: Row) -> Known:
    states, frames = row.data.get("gold"), row.data.get("frames")
    if states is not None:
        if not isinstance(states, Mapping):
            raise BaseError(where=row.where, expected=f"gold to be an object, found {shown(states)}")
        for dimension, state in states.items():
            if dimension not in DIMENSIONS or state not in STATES:
                raise BaseError(where=row.where, expected="gold to map dimensions of the contract to its states")
    return (None if states is None else dict(states)), (None if frames is None else _frames(frames, row.where))


def _frames(rows: Any, where: str) -> list[Frame]:
    if not isinstance(rows, (list, tuple)):
        raise BaseError(where=where, expected=f"frames to be a list, found {shown(rows)}")
    return [Frame.from_dict(frame, where=f"{where}: frames[{i}]") for i, frame in enumerate(rows)]


def _cells(path: str | os.PathLike[str]) -> dict[str, Known]:
    """What a cells file knows of each dialogue. Frames count only if every cell of it has them."""
    states: dict[str, dict[str, str]] = {}
    frames: dict[str, list[Frame] | None] = {}
    for row in read_rows(path):
        name, dimension, state = (row.data.get(key) for key in ("dialogue_id", "dimension", "state"))
        if not isinstance(name, str) or dimension not in DIMENSIONS or state not in STATES:
            raise BaseError(where=row.where, expected="a cell with dialogue_id, dimension and state")
        if dimension in states.setdefault(name, {}):
            raise BaseError(where=row.where, expected=f"each cell once, found {dimension} of one dialogue again")
        states[name][dimension] = state
        said = row.data.get("frames")
        held = frames.setdefault(name, [])
        if said is None:
            frames[name] = None
        elif held is not None:
            held.extend(_frames(said, row.where))
    return {name: (states[name], frames[name]) for name in states}


def _shipped(dialogue: Dialogue) -> Known:
    known, texts = _gold()
    if texts.get(dialogue.dialogue_id) != dialogue.turns:
        return None, None
    return known[dialogue.dialogue_id]


@functools.lru_cache(maxsize=1)
def _gold() -> tuple[dict[str, Known], dict[str, Any]]:
    frames = {row.data["dialogue_id"]: _frames(row.data["frames"], row.where)
              for row in read_rows(resource("data", "frames.jsonl"))}
    known: dict[str, Known] = {
        row.data["dialogue_id"]: (row.data["gold"], frames.get(row.data["dialogue_id"]))
        for row in read_rows(resource("data", "gold.jsonl"))
    }
    texts = {one.dialogue_id: one.turns for one in read_dialogues(resource("data", "dialogues.jsonl"))}
    return known, texts
