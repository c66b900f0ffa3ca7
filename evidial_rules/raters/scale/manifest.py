"""What a folder of parts was made from, and which of them are done."""
from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from ...corpora import to_json
from ...corpora.folders import MANIFEST
from ...errors import EvidialError, OutputError


class ManifestError(EvidialError):
    """A folder of parts that another run is writing, or that was begun with other inputs, rules or options."""

    code = "E226"
    template = "{where}: expected {expected}"


class Manifest:
    """The file `_manifest.jsonl` of a folder of parts, open and locked for this run.

    Its first line says what the parts are made from; a line is added when a part is in place, and the last one says
    that the run has ended. A line that a crash cut short is dropped.

    about: what the parts are made from, as JSON objects by name. Raises :class:`ManifestError` for a folder that was
    begun from something else, that another run writes to, or that holds files of somebody else;
    :class:`~evidial_rules.errors.OutputError` where it cannot be written.
    """

    def __init__(self, folder: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        self.folder = Path(folder)
        self.done: dict[str, dict[str, Any]] = {}
        self.end: dict[str, Any] | None = None
        try:
            self.folder.mkdir(parents=False, exist_ok=True)
            path = self.folder / MANIFEST
            if not path.exists() and any(not name.startswith(".") for name in os.listdir(self.folder)):
                raise ManifestError(where=os.fspath(folder),
                                    expected="an empty folder, or one that this command has written")
            self._stream = open(path, "a+b")  # noqa: SIM115
        except OSError as error:
            raise OutputError(where=os.fspath(folder),
                              expected=f"a folder that can be written ({error.strerror})") from None
        try:
            _lock(self._stream, os.fspath(folder))
            self._begin(about)
        except BaseException:
            self._stream.close()
            raise

    def _begin(self, about: Mapping[str, Any]) -> None:
        self._stream.seek(0)
        whole, lines = 0, []
        for raw in self._stream:
            try:
                line = json.loads(raw)
            except ValueError:
                break
            if not raw.endswith(b"\n"):
                break
            whole += len(raw)
            lines.append(line)
        if whole < os.fstat(self._stream.fileno()).st_size:
            self._stream.truncate(whole)
        self._sweep()
        if not lines:
            self._write(about)
            return
        about = json.loads(to_json(about))
        if lines[0] != about:
            other = _changed(lines[0], about)
            raise ManifestError(where=os.fspath(self.folder), expected=f"what the run that began it was given, found "
                                                                       f"other {other} (remove it to begin anew)")
        for line in lines[1:]:
            if "part" in line:
                self.done[line["part"]] = line
            elif "finished" in line:
                self.end = line
        for name, line in list(self.done.items()):
            path = self.folder / name
            if line["bytes"] is not None and (not path.exists() or path.stat().st_size != line["bytes"]):
                del self.done[name]
                self.end = None

    def add(self, part: str, **more: Any) -> None:
        """A part's file is in place, or there is none because nothing is in it; `more` is written with it."""
        path = self.folder / part
        line = {"part": part, "bytes": os.path.getsize(path) if path.exists() else None, **more}
        self._write(line)
        self.done[part] = line

    def finish(self, **more: Any) -> None:
        """All parts are done; nothing if a run said so before."""
        if self.end is None:
            self._sweep()
            self.end = {"finished": len(self.done), **more}
            self._write(self.end)

    def _sweep(self) -> None:
        """Removes what processes that were killed had not moved into place."""
        for name in os.listdir(self.folder):
            if name.startswith(".part-") and name.endswith(".tmp"):
                (self.folder / name).unlink(missing_ok=True)

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            self._stream.write(to_json(line).encode("utf-8") + b"\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise OutputError(where=os.fspath(self.folder / MANIFEST),
                              expected=f"a file that can be written ({error.strerror})") from None

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> Manifest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _changed(before: Any, now: Mapping[str, Any]) -> str:
    if not isinstance(before, dict):
        return "files"
    return ", ".join(name for name in now if before.get(name) != now[name]) or "options"


def _lock(stream: IO[bytes], folder: str) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ManifestError(where=folder, expected="a folder that no other run is writing to") from None
    except OSError:  # a file system without locks
        return


def rejected_of(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows that parts left out, as they were written."""
    return [one for line in lines for one in line.get("rejected", ())]
