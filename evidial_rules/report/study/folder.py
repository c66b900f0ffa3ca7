"""A study's folder: which of the files that a report is made of are there, and what they hold."""
from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...anchors import Anchor, read_anchors
from ...contract import Cell, Dialogue, PlannedCell, Prediction, Reference, Vote
from ...corpora import (
    read_cells,
    read_dialogues,
    read_plan,
    read_predictions,
    read_references,
    read_rows,
    read_votes,
)
from ...errors import shown
from ...resources import resource
from ..states import read_gold
from .values import WORD, ReportError

KINDS: Mapping[str, str] = {
    "dialogues": "the dialogues, with native scores",
    "cells": "the rule judge's cells",
    "votes": "the raters' votes",
    "reference": "a reference",
    "plan": "the planned cells of the model audit",
    "predictions": "the models' predictions",
    "anchors": "perturbation anchors",
    "anchor_votes": "the raters' votes on the anchors",
    "human": "the states that people gave",
    "gold": "gold states",
}
"""What a folder may hold, by name without ending, and what each is."""
SEVERAL = ("votes", "reference", "anchor_votes")
"""Kinds of which there may be further files, as KIND-NAME."""
ENDINGS = (".jsonl", ".parquet")
SIMULATED = "simulated"
"""The folder inside, whose files stand in place of those of their names and are simulated."""


@dataclass(frozen=True, slots=True)
class File:
    """One file that was read. name: within the folder. simulated: what of it is simulated, or ""."""

    name: str
    kind: str
    rows: int
    sha256: str
    simulated: str = ""


@dataclass(frozen=True, slots=True)
class Folder:
    """What a study's folder holds, each kind None or empty where no file has it.

    references: method to its lines, the first being the one that the report is about. human: method to its lines.
    gold: dialogue to dimension to state.
    """

    files: tuple[File, ...]
    dialogues: tuple[Dialogue, ...] | None = None
    cells: tuple[Cell, ...] | None = None
    votes: tuple[Vote, ...] | None = None
    references: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    plan: tuple[PlannedCell, ...] | None = None
    predictions: tuple[Prediction, ...] | None = None
    anchors: tuple[Anchor, ...] | None = None
    anchor_votes: tuple[Vote, ...] | None = None
    human: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    gold: Mapping[str, Mapping[str, str]] | None = None

    def has(self, kind: str) -> bool:
        """Whether a file of this kind is there and has a line."""
        return any(one.kind == kind and one.rows for one in self.files)

    def simulated(self, *kinds: str) -> tuple[str, ...]:
        """What is simulated of these kinds, each once."""
        return tuple(dict.fromkeys(one.simulated for one in self.files if one.kind in kinds and one.simulated))


def read_folder(path: str | os.PathLike[str]) -> Folder:
    """Reads a study's folder.

    Files are `KIND.jsonl` or `KIND.parquet` (see `KINDS`; also `anchor-votes`), and `KIND-NAME` for further files of
    `SEVERAL`. A file in the folder `simulated` inside takes the place of the one of its name.

    Raises :class:`ReportError` for a path that is no folder, a folder without any of the files, and a kind in two
    files; what the readers raise, with file and line, for one that cannot be read.
    """
    root = Path(path)
    if not root.is_dir():
        raise ReportError(where=os.fspath(path), expected="the folder of a study")
    found = _found(root)
    if not found:
        raise ReportError(where=os.fspath(path),
                          expected=f"at least one of {', '.join(f'{kind}.jsonl' for kind in KINDS)}")
    held: dict[str, Any] = {"references": {}, "human": {}}
    files = []
    for kind, one in found:
        rows, why = _read(kind, one)
        if kind in ("reference", "human"):
            target = held["references" if kind == "reference" else kind]
            for method in dict.fromkeys(row.method for row in rows):
                if method in target:
                    raise ReportError(where=str(one), expected=f"another method than {shown(method)}, which a file "
                                                               "before has")
                target[method] = tuple(row for row in rows if row.method == method)
        elif kind in held:
            held[kind] = _joined(held[kind], rows, one)
        else:
            held[kind] = rows
        inside = one.parent.name == SIMULATED and one.parent != root
        if inside:
            why = one.relative_to(root).as_posix()
        with open(one, "rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        files.append(File(one.relative_to(root).as_posix(), kind, len(rows), digest, why))
    return Folder(tuple(_made_of(files)), **held)


def _found(root: Path) -> list[tuple[str, Path]]:
    """The files by kind, in the order of `KINDS`; further references by name."""
    places: dict[str, Path] = {}
    for folder in (root, root / SIMULATED):
        try:
            here = sorted(folder.iterdir()) if folder.is_dir() else []
        except OSError as error:
            raise ReportError(where=str(folder), expected=f"a folder that can be read ({error.strerror})") from None
        named: dict[str, Path] = {}
        for one in here:
            if one.suffix not in ENDINGS or _kind(one.stem) is None:
                continue
            name = _plain(one.stem)
            if name in named:
                raise ReportError(where=str(folder), expected=f"{named[name].name} or {one.name}, found both")
            named[name] = one
        places |= named
    order = list(KINDS)
    return [(kind, places[name]) for kind, name in sorted(
        ((_kind(name) or "", name) for name in places), key=lambda pair: (order.index(pair[0]), pair[1]))]


def _plain(stem: str) -> str:
    return stem.replace("anchor-votes", "anchor_votes", 1)


def _kind(stem: str) -> str | None:
    name, further, _ = _plain(stem).partition("-")
    return name if name in KINDS and (not further or name in SEVERAL) else None


def _joined(before: tuple[Vote, ...], rows: tuple[Vote, ...], path: Path) -> tuple[Vote, ...]:
    """Votes of two files. Raises :class:`ReportError` where a rater votes on a cell in both."""
    known = {(one.rater, one.dialogue_id, one.dimension) for one in before}
    again = next((one for one in rows if (one.rater, one.dialogue_id, one.dimension) in known), None)
    if again is not None:
        raise ReportError(where=str(path), expected=f"votes that the file before does not have, found one of "
                                                    f"{shown(again.rater)} again")
    return before + rows


_READERS: Mapping[str, Callable[[Path], Iterable[Any]]] = {
    "dialogues": read_dialogues, "cells": read_cells, "votes": read_votes, "reference": read_references,
    "plan": read_plan, "predictions": read_predictions, "anchors": read_anchors, "anchor_votes": read_votes,
    "human": read_references,
}


def _read(kind: str, path: Path) -> tuple[Any, str]:
    """The rows of a file, and what of them is simulated, as far as they say so."""
    if kind == "gold":
        return read_gold(path), ""
    rows = tuple(_READERS[kind](path))
    if kind == "dialogues":
        same = sum(one.scores is not None and _shipped().get(one.dialogue_id) == one.scores for one in rows)
        return rows, f"the scores of {path.name}" if same else ""
    says = sorted(name for name in set(_names(kind, path, rows)) if name.startswith(WORD))
    return rows, f"{path.name} ({', '.join(says)})" if says else ""


def _names(kind: str, path: Path, rows: Sequence[Any]) -> Iterator[str]:
    """Whose words the rows are: raters, models, methods, annotators."""
    if kind == "human":  # what is said of the annotators is no part of a reference line
        for row in read_rows(path):
            yield from _texts(value for key, value in row.data.items() if key not in ("dialogue_id", "dimension"))
        return
    for row in rows:
        for key in ("rater", "model", "method"):
            name = getattr(row, key, None)
            if isinstance(name, str):
                yield name


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from _texts(value)
        elif isinstance(value, dict):
            yield from _texts([*value, *value.values()])


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Mapping[str, float]]:
    """The simulated scores that ship, by dialogue."""
    with open(resource("data", "simulated", "scores.jsonl"), encoding="utf-8") as lines:
        return {row["dialogue_id"]: row["scores"] for row in map(json.loads, lines)}


def _made_of(files: Sequence[File]) -> Iterator[File]:
    """A reference says nothing of the votes that it was made of; beside simulated votes it counts as made of them."""
    votes = next((one.simulated for one in files if one.kind == "votes"), "")
    for one in files:
        if one.kind == "reference" and votes and not one.simulated:
            yield File(one.name, one.kind, one.rows, one.sha256, votes)
        else:
            yield one
