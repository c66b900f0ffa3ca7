"""The version of a rule set: what an output must carry so that a state can be traced to the rules that made it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ..resources import resource

NAME = "evidial"
VERSION = "1.0"
OF_OTHERS = frozenset({"anchors.yaml", "negex.yaml"})
"""Files of `grammars/<language>/` that anchors are made from or other engines read, and the judge never does."""


def ruleset(lexicons: Path | str | None = None, without: Sequence[str] = ()) -> dict[str, str]:
    """{"name", "version"}. The version ends in the first eight digits of a hash over all rule files, so that two
    outputs with one version come from the same rules. Somebody's own lexicons are named "own".

    without: the components that were left out; they are in the name ("evidial without subject").
    """
    name = NAME if lexicons is None else "own"
    if without:
        name = f"{name} without {', '.join(without)}"
    return {"name": name, "version": f"{VERSION}+{digest(lexicons)[:8]}"}


def digest(lexicons: Path | str | None = None) -> str:
    """The hash over all rule files."""
    found = hashlib.sha256()
    for kind in ("lexicons", "grammars"):
        root = resource(kind) if kind == "grammars" or lexicons is None else Path(lexicons)
        for path in sorted(root.rglob("*.yaml"), key=lambda p: p.relative_to(root).as_posix()):
            if kind == "grammars" and path.name in OF_OTHERS:
                continue
            found.update(f"{kind}/{path.relative_to(root).as_posix()}\0".encode())
            found.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()
