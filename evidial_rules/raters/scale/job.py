"""What is judged into what, and the rows that are left out."""
from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ... import __version__
from ...contract import CONTRACT_VERSION, Dialogue
from ...corpora import Rejected, read_dialogue_rows
from ...corpora.files import name_of, printable
from ...corpora.folders import MANIFEST, expand
from ...errors import EvidialError, InstrumentError, ResourceError, RuleError, YamlError
from ..pool import Failed
from .manifest import Manifest, ManifestError

ROWS = 512
"""Rows of an input that make one part: what an interrupted run may have to do again, and what a cluster's worker takes
at a time. Some seconds of one core."""

_OF_THE_RULES = (RuleError, ResourceError, YamlError, InstrumentError)


class JudgeError(EvidialError):
    """A dialogue that the judge fails on. The judge's own exception is not quoted: it may hold what was said."""

    code = "E225"
    template = "{where}: expected a dialogue that the judge can read; it {reason} (--skip-invalid leaves it out)"


@dataclass(frozen=True, order=True, slots=True)
class Part:
    """Rows [block * ROWS, (block + 1) * ROWS) of the input file with this number, folders counted file by file.

    >>> Part.of(3, 1025).name
    'part-00003-00002'
    """

    file: int
    block: int

    @classmethod
    def of(cls, file: int, line: int) -> Part:
        """The part of a line, which counts from 1."""
        return cls(file, (line - 1) // ROWS)

    @property
    def name(self) -> str:
        """The name of its output, without the ending."""
        return f"part-{self.file:05d}-{self.block:05d}"


@dataclass(frozen=True, slots=True)
class Item:
    """A dialogue and where it stands: `where` for messages, `file` the input's name, `line` from 1."""

    part: Part
    where: str
    file: str
    line: int
    dialogue: Dialogue


@dataclass
class Listing:
    """The rows that are left out, in the inputs' order.

    keep: whether there may be any; if not, the first one is raised. files: the inputs' names, in their order.
    """

    keep: bool
    files: Sequence[str]
    _held: dict[tuple[int, int], Rejected] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # also as a manifest has them
        self._number = {one: number for number, name in reversed(list(enumerate(self.files)))
                        for one in (name, printable(name))}

    def add(self, one: Rejected) -> None:
        """A row that cannot be read."""
        self._held.setdefault((self._number[one.file], one.line), one)

    def failed(self, item: Item, outcome: Failed) -> None:
        """A dialogue that the judge fails on. What is wrong with the rules is no dialogue's fault and is raised."""
        error = failure(item.where, outcome)
        if not self.keep:
            if outcome.error is not None and os.environ.get("EVIDIAL_DEBUG"):
                raise outcome.error
            raise error
        self.add(Rejected(item.file, item.line, str(error)))

    def of(self, part: Part) -> list[Rejected]:
        """Those of one part."""
        return [one for (file, line), one in sorted(self._held.items()) if Part.of(file, line) == part]

    def outside(self, parts: Collection[str]) -> list[Rejected]:
        """Those of no part among these names."""
        return [one for (file, line), one in sorted(self._held.items()) if Part.of(file, line).name not in parts]

    def recall(self, lines: Sequence[dict[str, Any]]) -> None:
        """Takes in what an earlier run left out. Raises :class:`ManifestError` if the listing keeps nothing."""
        for line in lines:
            if not self.keep:
                raise ManifestError(where=line["file"], expected=f"--skip-invalid, as in the run that left out line "
                                                                 f"{line['line']}")
            self.add(Rejected(line["file"], line["line"], line["error"]))

    def __iter__(self) -> Iterator[Rejected]:
        return (one for _, one in sorted(self._held.items()))

    def __len__(self) -> int:
        return len(self._held)


def failure(where: str, outcome: Failed) -> JudgeError:
    """The error of a dialogue that the judge fails on. Raises what is wrong with the rules as it is."""
    if isinstance(outcome.error, _OF_THE_RULES):
        raise outcome.error
    return JudgeError(where=where, reason=outcome.reason)


@dataclass(frozen=True, slots=True)
class Job:
    """Dialogues to be judged by the rules.

    inputs: files, folders already as their parts. output: a file's name, "-", or a folder of parts. lexicons: a folder
    of somebody's own. trace: whether cells are written with their frames.
    """

    inputs: tuple[str | os.PathLike[str], ...]
    output: str
    lexicons: Path | None = None
    trace: bool = True

    @classmethod
    def of(
        cls, inputs: Sequence[str | os.PathLike[str]], output: str, lexicons: Path | None = None, *, trace: bool = True,
    ) -> Job:
        """Raises :class:`ManifestError` for an output folder that is an input, and as
        :func:`~evidial_rules.corpora.folders.parts_of`."""
        for one in inputs:
            if os.path.isdir(one) and os.path.isdir(output) and os.path.samefile(one, output):
                raise ManifestError(where=output, expected="another folder than the input")
        return cls(tuple(expand(inputs)), output, lexicons, trace)

    @property
    def names(self) -> list[str]:
        """The inputs, as messages show them."""
        return [name_of(path) for path in self.inputs]

    def rows(self, listing: Listing) -> Iterator[Item]:
        """The dialogues, one at a time; bad rows go to the listing if it keeps them.

        Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and line.
        """
        names, file = self.names, 0
        for row, dialogue in read_dialogue_rows(list(self.inputs), reject=listing.add if listing.keep else None):
            while names[file] != row.file:
                file += 1
            yield Item(Part.of(file, row.line), row.where, row.file, row.line, dialogue)

    def about(self, form: str) -> dict[str, Any]:
        """What parts of a form ("jsonl" or "parquet") are made from: hashes of the inputs, the rule set, the options.

        Raises :class:`ManifestError` for standard input, which cannot be read again.
        """
        from ...pipeline.version import ruleset

        if any(name_of(path) == "standard input" for path in self.inputs):
            raise ManifestError(where="standard input", expected="files, since a run in parts may have to read them "
                                                                 "again")
        return {
            "inputs": [{"file": printable(name), "bytes": os.path.getsize(path), "sha256": _digest(path)}
                       for name, path in zip(self.names, self.inputs, strict=True)],
            "rules": ruleset(self.lexicons), "contract": CONTRACT_VERSION, "version": __version__,
            "options": {"form": form, "rows": ROWS, "trace": self.trace},
        }

    def is_folder(self) -> bool:
        """Whether the output is a folder of parts: its name ends in a slash, or a run has made it one."""
        return self.output.endswith(("/", os.sep)) or os.path.exists(os.path.join(self.output, MANIFEST))

    def parts(self, folder: str, form: str) -> Manifest:
        """The manifest of a folder of parts of this job; see :class:`Manifest`."""
        return Manifest(folder, self.about(form))


def _digest(path: str | os.PathLike[str]) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
