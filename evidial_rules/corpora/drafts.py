"""What every transcript reader hands over, before it is a dialogue."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import FileFormatError
from .decode import is_chinese
from .speakers import SKIP, SpeakerMap


@dataclass(slots=True)
class Draft:
    """A transcript as read: who said what, and what the file tells of the rest. `where` is for messages."""

    where: str
    dialogue_id: str
    turns: list[tuple[str, str]]
    participant_id: str | None = None
    visit: str | int | None = None
    language: str | None = None
    instrument: str | None = None
    source: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What a reader needs to know beside the file."""

    speaker: SpeakerMap = field(default_factory=SpeakerMap)


def files(paths: Iterable[str | os.PathLike[str]], patterns: Sequence[str]) -> Iterator[Path]:
    """The files of a list of files and folders: a folder stands for the files in it that fit a pattern, in order.

    Raises :class:`~evidial_rules.errors.FileFormatError` for a path that is not there or a folder without a file.
    """
    for path in map(Path, paths):
        if str(path) == "-":
            raise FileFormatError(where="standard input", expected="files or folders: a transcript's name gives the "
                                                                   "dialogue its id")
        if path.is_dir():
            found = {file for pattern in patterns for file in path.rglob(pattern) if file.is_file()}
            if not found:
                raise FileFormatError(where=str(path), expected=f"a folder with files named {' or '.join(patterns)}")
            yield from sorted(found, key=natural)
        elif path.exists():
            yield path
        else:
            raise FileFormatError(where=str(path), expected="a file or folder that exists")


def natural(path: Path) -> list[tuple[int, int, str]]:
    """A sort key in which 10 comes after 9, part by part of the path."""
    return [(0, int(part), "") if part.isdecimal() and part.isascii() else (1, 0, part)
            for piece in path.parts for part in re.split(r"([0-9]+)", piece)]


def merged(lines: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbouring lines of one speaker as one turn: a recogniser cuts at pauses, a turn ends when the other speaks.

    Lines are joined with a space, and between two Chinese characters or after Chinese punctuation with nothing.
    """
    turns: list[tuple[str, list[str]]] = []
    for speaker, text in lines:
        if turns and turns[-1][0] == speaker:
            turns[-1][1].append(text)
        else:
            turns.append((speaker, [text]))
    return [(speaker, _join(parts)) for speaker, parts in turns]


def _join(parts: list[str]) -> str:
    parts = [part for part in parts if part]
    text: list[str] = []
    for part in parts:
        if text and not (is_chinese(part[0]) or text[-1][-1] in "，。！？；：、…"):
            text.append(" ")
        text.append(part)
    return "".join(text)


def kept(lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The lines without those of labels that the caller skips."""
    return ((role, text) for role, text in lines if role != SKIP)
