"""Keeps what is costly to make from the rules for the next process: rule files as read, patterns as compiled.

It lies in the user's cache folder (`EVIDIAL_CACHE` names another one, and switches it off if empty), in one file for
each set of rules, own lexicons, version of this package and of Python. A file that is missing, broken, stale or not
ours costs time and nothing else, and so does a folder that cannot be written to.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import platform
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from .. import __version__
from .version import digest

T = TypeVar("T")

ENV = "EVIDIAL_CACHE"
KEPT = 16  # files; of more the oldest go
_MARK = b"evidial 1\n"
_SUFFIX = ".rules"


class Stale(Exception):
    """What was kept is not what is asked for."""


class Tape:
    """The results of costly steps in the order of the steps: recorded, or played back instead of taking them.

    >>> tape = Tape()
    >>> tape("one", lambda: 1)
    1
    >>> Tape(tape.results)("one", lambda: 1 / 0)
    1
    """

    def __init__(self, recorded: Iterable[tuple[str, Any]] | None = None):
        self.plays = recorded is not None
        self._recorded = iter(recorded or ())
        self.results: list[tuple[str, Any]] = []

    def __call__(self, step: str, take: Callable[[], T]) -> T:
        if not self.plays:
            result = take()
            self.results.append((step, result))
            return result
        name, kept = next(self._recorded, (None, None))
        if name != step:
            raise Stale(step)
        return kept


def folder() -> Path | None:
    """The folder of the cache, whether it is there or not; None: there is none."""
    named = os.environ.get(ENV)
    if named is not None:
        return Path(named) if named else None
    try:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # nobody's home
        return None
    return Path(base) / "evidial-rules" if Path(base).is_absolute() else None


def key(language: str, lexicons: Path | str | None) -> str:
    """What the compiled rules of a language depend on, as the name of a file: the rules, the code that reads them,
    and the versions of this package and of Python."""
    code = hashlib.sha256()
    package = Path(__file__).parent
    for path in (*sorted(package.rglob("*.py")), package.parent / "resources.py"):
        with suppress(OSError):  # a package that is no folder
            code.update(path.read_bytes())
    parts = (__version__, platform.python_implementation(), platform.python_version(), language, digest(lexicons),
             code.hexdigest())
    return f"{language}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"


def read(name: str) -> Any:
    """What was kept under a name; None if there is nothing, or nothing that can be trusted."""
    where = folder()
    if where is None:
        return None
    try:
        if not _ours(os.stat(where)):
            return None
        with open(where / (name + _SUFFIX), "rb") as file:
            if not _ours(os.fstat(file.fileno())):
                return None
            data = file.read()
        start = len(_MARK) + hashlib.sha256().digest_size
        if data[:start] != _MARK + hashlib.sha256(data[start:]).digest():
            return None
        return marshal.loads(zlib.decompress(data[start:]))
    except (OSError, ValueError, EOFError, TypeError, MemoryError, zlib.error):
        return None


def write(name: str, value: Any) -> None:
    """Keeps a value of Python's own plain types. Another process sees all of it or nothing."""
    where = folder()
    if where is None:
        return
    part = None
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _ours(os.stat(where)):
            return
        data = zlib.compress(marshal.dumps(value), 1)
        number, part = tempfile.mkstemp(dir=where)  # for nobody else to read
        with open(number, "wb") as file:
            file.write(_MARK + hashlib.sha256(data).digest() + data)
        os.replace(part, where / (name + _SUFFIX))
        part = None
        kept = sorted(where.glob("*" + _SUFFIX), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in kept[KEPT:]:
            path.unlink(missing_ok=True)
    except (OSError, ValueError):  # no space, no right to write, a value that is not plain
        pass
    finally:
        if part is not None:
            with suppress(OSError):
                os.unlink(part)


def _ours(stat: os.stat_result) -> bool:
    """Whether nobody else can have written it: a changed file could make this process do anything."""
    return not hasattr(os, "geteuid") or stat.st_uid == os.geteuid() and not stat.st_mode & 0o022
