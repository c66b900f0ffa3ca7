"""Raw answers on disk: every one is kept as it came, and a run that was interrupted anywhere goes on from them.

One JSON object a line, appended and synced before the answer counts. It holds what models wrote, quotes of the dialogue
among it, and is as confidential as the dialogues are.
"""
from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Any

from ...corpora.files import name_of, to_json
from ...errors import EvidialError


class RawLogError(EvidialError):
    """A file of raw answers that cannot be read, is none, or is being written by another run."""

    code = "E223"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """What came back for one request.

    `key` says what was asked: dialogue, dimension, model, both messages and the generation settings. `text` is the
    answer, None if there was none; `failure` is then `timeout` or `transport`, and `status` the HTTP status, if any.
    `stop` is why the model stopped, `attempts` how often it was asked (0: out of a cache), `seconds` how long it took
    altogether, `tokens` what it cost (`input`, `output`, `reasoning`, `total`; empty if the provider does not say),
    `served` the model that answered by its own account, `asked` the time in UTC.
    """

    key: str
    dialogue_id: str
    dimension: str
    model: str
    prompt: Mapping[str, str]
    settings: Mapping[str, Any]
    text: str | None
    stop: str = "stop"
    failure: str | None = None
    status: int | None = None
    attempts: int = 1
    seconds: float = 0.0
    tokens: Mapping[str, int] = field(default_factory=dict)
    served: str = ""
    asked: str = ""

    @property
    def answered(self) -> bool:
        """Whether there is an answer, of whatever quality: it is never asked for again."""
        return self.failure is None

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of a line."""
        return asdict(self)


def key_of(dialogue_id: str, dimension: str, model: str, digest: str, settings: Mapping[str, Any]) -> str:
    """The key of a request, 64 hexadecimal digits."""
    parts = [dialogue_id, dimension, model, digest, sorted(settings.items())]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()


_KINDS: dict[str, type | tuple[type, ...]] = {
    "key": str, "dialogue_id": str, "dimension": str, "model": str, "prompt": dict, "settings": dict,
    "text": (str, type(None)), "stop": str, "failure": (str, type(None)), "status": (int, type(None)),
    "attempts": int, "seconds": (int, float), "tokens": dict, "served": str, "asked": str,
}


class RawLog:
    """The raw answers of a run, by key; in memory alone if `path` is None. Use it as a context manager.

    A line that was cut off at the end, by a kill or a full disk, is dropped. Where a key comes again (a request that
    failed, and was asked again later) the last line counts. Raises :class:`RawLogError` for any other line that is
    none, and if another run holds the file.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = None if path is None else Path(path)
        self._answers: dict[str, RawAnswer] = {}
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> RawLog:
        if self.path is None:
            return self
        label = name_of(self.path)
        try:
            # Not "a+b": the torn end has to be cut off, and every write goes to the end anyway.
            self._stream = open(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        except OSError as error:
            raise RawLogError(where=label, expected=f"a file that can be written ({error.strerror})") from None
        try:
            if not stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
                raise RawLogError(where=label, expected="a file, since it is read again")
            _lock(self._stream, label)
            self._read(label)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file, which gives up its lock."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def __len__(self) -> int:
        return len(self._answers)

    def __iter__(self) -> Iterator[RawAnswer]:
        return iter(self._answers.values())

    def get(self, key: str) -> RawAnswer | None:
        """The answer to a request, or its last failure; None if it was never asked."""
        return self._answers.get(key)

    def append(self, answer: RawAnswer) -> None:
        """Keeps an answer; when this returns it is on the disk. Raises :class:`RawLogError` if it cannot be."""
        if self._stream is not None:
            line = to_json(answer.to_dict()).encode("utf-8", "backslashreplace") + b"\n"
            try:
                while line:
                    line = line[self._stream.write(line):]
                os.fsync(self._stream.fileno())
            except OSError as error:
                raise RawLogError(where=name_of(self.path or "-"),
                                  expected=f"a file that can be written ({error.strerror})") from None
        self._answers[answer.key] = answer

    def _read(self, label: str) -> None:
        assert self._stream is not None
        with open(os.dup(self._stream.fileno()), "rb") as lines:
            whole, number, bad = 0, 0, 0
            for raw in lines:
                number += 1
                if bad:
                    raise RawLogError(where=f"{label}:{bad}", expected="a raw answer: one JSON object with the keys "
                                                                       f"{', '.join(_KINDS)}")
                answer = _parse(raw) if raw.endswith(b"\n") and raw.strip() else None
                if answer is None and raw.strip():
                    bad = number
                    continue
                whole += len(raw)
                if answer is not None:
                    self._answers[answer.key] = answer
            if bad and not _torn(raw):
                # The end of something else, which must not be cut off.
                raise RawLogError(where=f"{label}:{bad}", expected="a file of raw answers")
        self._stream.truncate(whole)
        self._stream.seek(whole)


def _torn(raw: bytes) -> bool:
    """Whether a line can be the beginning of one of ours, or what a disk leaves of one (zeros)."""
    begin = b'{"key": "'
    return raw.startswith(begin) or begin.startswith(raw.rstrip(b"\n")) or not raw.strip(b"\0\n")


def _parse(raw: bytes) -> RawAnswer | None:
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    for name, kind in _KINDS.items():
        if name not in row or not isinstance(row[name], kind):
            return None
    return RawAnswer(**{one.name: row[one.name] for one in fields(RawAnswer)})


def _lock(stream: IO[bytes], label: str) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RawLogError(where=label, expected="a file that no other run is writing") from None
    except OSError:  # a file system without locks
        with suppress(OSError):
            pass
