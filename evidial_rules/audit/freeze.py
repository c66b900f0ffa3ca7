"""Freezing a folder: a chain of hashes over its files, in the order of time, that can be computed again.

The manifest is JSON Lines. A line `freeze` says when and with what (rule set, prompts, packages, seed), and the lines
`file` after it which files it took, oldest first. Each line holds the hash of the one before it (`previous`) and of
itself with that (`link`), so that no line can be changed, left out or moved without breaking the links after it. A
folder is frozen again as it grows: a plan before the predictions, then the predictions. What was frozen stays frozen.
(The paper's runner checked that two strings were not empty; see its reproducibility statement.)
"""
from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from .. import __version__
from ..contract import CONTRACT_VERSION
from ..corpora import atomic, to_json
from ..errors import EvidialError, shown
from ..resources import resource

MANIFEST = "manifest.jsonl"
START = "0" * 64
"""What the first line holds for the one before it."""
LONGEST = 4000
"""Longest path of a file, in characters."""
_CHUNK = 1 << 20
_HASH = re.compile(r"[0-9a-f]{64}")


class FreezeError(EvidialError):
    """A folder that cannot be frozen, or a chain that does not hold."""

    code = "E471"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Link:
    """One line of a manifest: its number from 1, `freeze` or `file`, and what it says."""

    line: int
    kind: str
    data: dict[str, Any]

    @property
    def path(self) -> str:
        """The file's path from the folder, with slashes."""
        return str(self.data["path"])


def freeze(
    folder: str | os.PathLike[str], *, inputs: Sequence[str | os.PathLike[str]] = (), seed: int | None = None,
    now: datetime | None = None,
) -> tuple[Link, ...]:
    """Adds to the folder's manifest what it does not hold yet: every file under the folder, hidden ones apart, and
    `inputs` from elsewhere. Gives the new lines. Nothing is written if no file is new.

    seed: that of the study, for the record. now: the time that is written, UTC.

    Raises :class:`FreezeError` if a file that is frozen has changed or gone, if the clock is before the last freeze,
    and where there is nothing to freeze.
    """
    root = Path(folder)
    if not root.is_dir():
        raise FreezeError(where=root, expected="a folder")
    held = list(_read(root))
    for _ in _checked(root, held):
        pass
    at = (now or datetime.now(UTC)).astimezone(UTC)
    last = max((_time(one, "at") for one in held if one.kind == "freeze"), default=None)
    if last is not None and at < last:
        raise FreezeError(where=root / MANIFEST, expected=f"a clock past the last freeze, {last.isoformat()}")
    known = {one.path for one in held if one.kind == "file"}
    new = [path for path in _files(root, inputs) if _name(root, path) not in known]
    if not new:
        if not held:
            raise FreezeError(where=root, expected="at least one file")
        return ()
    new.sort(key=lambda path: (path.stat().st_mtime_ns, _name(root, path)))
    previous = str(held[-1].data["link"]) if held else START
    lines: list[dict[str, Any]] = []
    for row in (_with(at, seed), *(_file(root, path, at) for path in new)):
        lines.append(_linked(row, previous))
        previous = str(lines[-1]["link"])
    manifest = root / MANIFEST
    before = manifest.read_bytes() if held else b""
    with atomic(manifest) as stream:
        stream.write(before)
        stream.writelines(to_json(line).encode("utf-8") + b"\n" for line in lines)
    return tuple(Link(len(held) + i, str(line["kind"]), line) for i, line in enumerate(lines, 1))


@dataclass(frozen=True, slots=True)
class Verified:
    """A chain that holds: its lines, files under the folder that it does not have, and what differs between the
    programs of its last freeze and those of now (name: frozen, now)."""

    links: tuple[Link, ...]
    loose: tuple[str, ...]
    differences: dict[str, tuple[str, str]]


def verify(folder: str | os.PathLike[str]) -> Verified:
    """Computes the chain again, line by line.

    Raises :class:`FreezeError` at the first broken link: a line that was changed, moved or taken out, a file that
    changed or is gone, a freeze that is older than the one before it, a file that is younger than its freeze.
    """
    root = Path(folder)
    if not root.is_dir():
        raise FreezeError(where=root, expected="a folder")
    held = list(_read(root))
    if not held:
        raise FreezeError(where=root / MANIFEST, expected="a manifest with at least one freeze")
    links = tuple(_checked(root, held))
    known = {one.path for one in links if one.kind == "file"}
    loose = tuple(name for name in (_name(root, path) for path in _files(root, ())) if name not in known)
    last = next(one for one in reversed(links) if one.kind == "freeze")
    now = _with(datetime.now(UTC), None)
    differences = {}
    for name, key in (("rule set", "ruleset"), ("prompts", "prompts"), ("packages", "packages"), ("python", "python"),
                      ("evidial-rules", "version"), ("contract", "contract")):
        if last.data.get(key) != now[key]:
            differences[name] = (_short(last.data.get(key), now[key]), _short(now[key], last.data.get(key)))
    return Verified(links, loose, differences)


def _short(value: Any, other: Any) -> str:
    """A value in words; of a mapping only what differs from the other."""
    if isinstance(value, dict) and isinstance(other, dict):
        return ", ".join(f"{key} {value[key]}" for key in sorted(value) if value[key] != other.get(key)) or "-"
    return str(value)


def _with(at: datetime, seed: int | None) -> dict[str, Any]:
    from ..pipeline.version import ruleset

    return {
        "kind": "freeze", "at": at.isoformat(), "seed": seed, "contract": CONTRACT_VERSION, "version": __version__,
        "ruleset": ruleset(), "prompts": _prompts(), "python": platform.python_version(), "packages": _packages(),
    }


def _packages() -> dict[str, str]:
    found = {}
    for one in distributions():
        name = one.metadata["Name"]
        if name:
            found[re.sub(r"[-_.]+", "-", name).lower()] = one.version
    found.pop("evidial-rules", None)  # it has a line of its own
    return dict(sorted(found.items()))


def _prompts() -> dict[str, str]:
    """Each prompt file and the first eight digits of its hash."""
    root = resource("prompts")
    return {path.relative_to(root).as_posix(): _hash_of(path)[:8]
            for path in sorted(root.rglob("*")) if path.is_file() and not path.name.startswith(".")}


def _file(root: Path, path: Path, at: datetime) -> dict[str, Any]:
    status = path.stat()
    modified = datetime.fromtimestamp(status.st_mtime, UTC)
    if modified > at:
        raise FreezeError(where=path, expected=f"a file from before its freeze, {at.isoformat()} (it says "
                                               f"{modified.isoformat()})")
    return {"kind": "file", "path": _name(root, path), "bytes": status.st_size, "sha256": _hash_of(path),
            "modified": modified.isoformat()}


def _linked(row: dict[str, Any], previous: str) -> dict[str, Any]:
    line = row | {"previous": previous}
    return line | {"link": _link(line)}


def _link(line: dict[str, Any]) -> str:
    """The hash of a line without its `link`: of its JSON with sorted keys and no spaces."""
    rest = {key: value for key, value in line.items() if key != "link"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode("utf-8")).hexdigest()


def _hash_of(path: Path) -> str:
    try:
        with open(path, "rb") as stream:
            digest = hashlib.sha256()
            while block := stream.read(_CHUNK):
                digest.update(block)
            return digest.hexdigest()
    except OSError as error:
        raise FreezeError(where=path, expected=f"a file that can be read ({error.strerror})") from None


def _files(root: Path, inputs: Sequence[str | os.PathLike[str]]) -> list[Path]:
    """Regular files under the folder, hidden ones and the manifest apart, then the inputs from elsewhere."""
    found = []
    for here, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if Path(here, name).is_symlink():
                raise FreezeError(where=Path(here, name), expected="a folder, found a link to one; name its files as "
                                                                   "inputs")
        found += [Path(here, name) for name in sorted(names) if not name.startswith(".")
                  and (Path(here) != root or name != MANIFEST) and Path(here, name).is_file()]
    inside = {os.path.abspath(path) for path in found}
    for one in map(Path, inputs):
        if not one.is_file():
            raise FreezeError(where=one, expected="a file")
        if os.path.abspath(one) not in inside:
            inside.add(os.path.abspath(one))
            found.append(one)
    return found


def _name(root: Path, path: Path) -> str:
    """The path from the folder. A link keeps its own name, and stands for what it leads to."""
    name = Path(os.path.relpath(os.path.abspath(path), os.path.abspath(root))).as_posix()
    try:
        name.encode()
    except UnicodeEncodeError:
        raise FreezeError(where=root, expected="names of files that are UTF-8") from None
    return name


def shown_path(path: str) -> str:
    """A path for a message: control characters out, its end where it is long."""
    clean = "".join(c if c.isprintable() else "?" for c in path)
    return clean if len(clean) <= 80 else "..." + clean[-77:]


def _read(root: Path) -> Iterator[Link]:
    """The lines of the manifest as they are; none where there is no manifest."""
    manifest = root / MANIFEST
    try:
        text = manifest.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError):
        raise FreezeError(where=manifest, expected="UTF-8 text that can be read") from None
    # Not splitlines(), which also ends a line at characters that a file's name may hold.
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        where = f"{manifest}:{number}"
        try:
            data = json.loads(line, object_pairs_hook=_once)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or data.get("kind") not in ("freeze", "file"):
            raise FreezeError(where=where, expected="a JSON object of kind freeze or file")
        wanted = ("at",) if data["kind"] == "freeze" else ("path", "sha256", "modified")
        for key in (*wanted, "previous", "link"):
            if not isinstance(data.get(key), str):
                raise FreezeError(where=where, expected=f"text under {key}, found {shown(data.get(key))}")
        yield Link(number, data["kind"], data)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys come once: of two, a reader could take either."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _checked(root: Path, held: Sequence[Link]) -> Iterator[Link]:
    """The lines, each as soon as it holds."""
    previous, at = START, None
    manifest = root / MANIFEST
    paths: set[str] = set()
    for one in held:
        where = f"{manifest}:{one.line}"
        if one.data["previous"] != previous:
            raise FreezeError(where=where, expected="the hash of the line before it: a line was changed, moved or "
                                                    "taken out")
        if not _HASH.fullmatch(one.data["link"]) or one.data["link"] != _link(one.data):
            raise FreezeError(where=where, expected="a line whose link is its own hash: it was changed")
        previous = one.data["link"]
        if one.kind == "freeze":
            time = _time(one, "at")
            if at is not None and time < at:
                raise FreezeError(where=where, expected=f"a freeze after {at.isoformat()}")
            at = time
        elif at is None:
            raise FreezeError(where=where, expected="a freeze before the first file")
        elif one.path in paths:
            raise FreezeError(where=where, expected="a file that is not frozen already")
        else:
            paths.add(one.path)
            _unchanged(root, one, at, where)
        yield one


def _unchanged(root: Path, one: Link, at: datetime, where: str) -> None:
    if _time(one, "modified") > at:
        raise FreezeError(where=where, expected="a file from before its freeze")
    path = root / one.path
    if len(one.path) > LONGEST or not path.is_file():
        raise FreezeError(where=where, expected=f"the file {shown_path(one.path)}, which is gone")
    if path.stat().st_size != one.data.get("bytes") or _hash_of(path) != one.data["sha256"]:
        raise FreezeError(where=where, expected=f"the file {shown_path(one.path)} as it was frozen: it has changed")


def _time(one: Link, key: str) -> datetime:
    try:
        time = datetime.fromisoformat(one.data[key])
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise FreezeError(where=f"{MANIFEST}, line {one.line}, {key}", expected="a time with its zone, ISO 8601")
    return time
