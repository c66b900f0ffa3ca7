"""PDCH transcripts: one folder a visit, numbered chunks of two-line turns."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from ..errors import FileFormatError
from .decode import read_text
from .drafts import Draft, Options, kept, merged, natural

_TIME = re.compile(r"^\s*\d{1,3}:\d{2}(?::\d{2})?(?:\.\d+)?\s*[-–—~～]+\s*\d{1,3}:\d{2}(?::\d{2})?(?:\.\d+)?\s*$")
_LINE = re.compile(r"^\s*([^:：\s]{1,12}?)\s*[:：]\s*(.*)$")
_VISIT = re.compile(r"^(.*\d)([A-Za-z])$")
_UNKNOWN = frozenset("?？")


def read_pdch(paths: Iterable[Path], options: Options) -> Iterator[Draft]:
    """The visits of a list of chunk files; the chunks of one folder make one dialogue, in the order of their numbers.

    A folder `007A` is dialogue 007A, participant 007, visit A. A line without a speaker goes on with the turn before
    it. Words of a speaker marked "?" are nobody's evidence: they are read as the interviewer's.
    """
    ordered = sorted(paths, key=natural)
    for folder, chunks in groupby(ordered, key=lambda path: path.parent):
        name = folder.resolve().name
        match = _VISIT.match(name)
        lines = [line for chunk in chunks for line in _lines(chunk, options)]
        yield Draft(str(folder), name, merged(kept(lines)), participant_id=match[1] if match else name,
                    visit=match[2].upper() if match else None)


def _lines(path: Path, options: Options) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    fresh = True  # right after a time stamp a speaker must come
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        if _TIME.match(line):
            fresh = True
            continue
        match = _LINE.match(line)
        role = None
        if match:
            # A time stamp's line names its speaker; later lines may hold a colon of their own.
            role = "interviewer" if match[1] in _UNKNOWN else \
                options.speaker.require(match[1], f"{path}:{number}") if fresh else options.speaker.role(match[1])
        if role is not None and match:
            lines.append((role, match[2].strip()))
        elif lines and not fresh:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]}{line.strip()}")
        else:
            raise FileFormatError(where=f"{path}:{number}", expected="a time stamp, then SPEAKER：TEXT")
        fresh = False
    if not lines:
        raise FileFormatError(where=str(path), expected="turns of two lines: a time stamp, then SPEAKER：TEXT")
    return lines
