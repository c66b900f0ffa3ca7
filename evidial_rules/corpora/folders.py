"""Folders of Parquet parts: what a run over a large corpus reads and writes."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..errors import FileFormatError

MANIFEST = "_manifest.jsonl"
"""Beside the parts that this project writes: what they were made from, and which are done. Parquet readers pass over
names that start so."""

_DIGITS = re.compile(r"(\d+)")


def parts_of(folder: str | os.PathLike[str]) -> list[Path]:
    """The Parquet files of a folder in the order of their names, with numbers as numbers (part.10 after part.9).

    Names that start with "_" or "." are passed over. Raises :class:`~evidial_rules.errors.FileFormatError` for a folder
    without any, and for one whose manifest says that its run has not ended.
    """
    try:
        names = [name for name in os.listdir(folder) if name.lower().endswith(".parquet") and name[0] not in "._"]
    except OSError as error:
        raise FileFormatError(where=os.fspath(folder),
                              expected=f"a folder that can be read ({error.strerror})") from None
    if not unfinished(folder):
        if names:
            return [Path(folder, name) for name in sorted(names, key=_natural)]
        if not os.path.exists(Path(folder, MANIFEST)):
            raise FileFormatError(where=os.fspath(folder),
                                  expected="a file that can be read, or a folder with Parquet files (*.parquet)")
        return []  # a whole run that left nothing
    raise FileFormatError(where=os.fspath(folder), expected="a folder whose run has ended (the same command again does "
                                                            "what is missing)")


def expand(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str | os.PathLike[str]]:
    """The paths one by one, a folder as its parts. Raises as :func:`parts_of`."""
    paths: Iterable[str | os.PathLike[str]] = [path] if isinstance(path, (str, os.PathLike)) else path
    return [part for one in paths for part in (parts_of(one) if os.path.isdir(one) else [one])]


def unfinished(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has a manifest whose last line is not that the run has ended."""
    try:
        with open(Path(folder, MANIFEST), "rb") as stream:
            last = b""
            for line in stream:
                last = line
        return "finished" not in json.loads(last)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _DIGITS.split(name)]
