"""The rule judge on this machine, in one process or several: a stream, or parts that stay when a run is interrupted."""
from __future__ import annotations

import itertools
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from ...contract import Dialogue
from ...corpora import atomic
from ...corpora.files import write_encoded
from ..pool import Failed, outcomes
from .job import Item, Job, Listing, Part
from .manifest import Manifest, rejected_of

Out = TypeVar("Out")

GROUP = 4096
"""Rows in a row group of a part: cells of some hundred dialogues."""


def judged(
    function: Callable[[Dialogue], Out], items: Iterable[Item], listing: Listing, *, workers: int,
) -> Iterator[tuple[Item, Out]]:
    """What `function` makes of each dialogue, in order; those it fails on go to the listing.

    Raises :class:`~evidial_rules.raters.scale.job.JudgeError` for the first of them if the listing keeps none.
    """
    waiting: deque[Item] = deque()

    def dialogues() -> Iterator[Dialogue]:
        for item in items:
            waiting.append(item)
            yield item.dialogue

    with closing(outcomes(function, dialogues(), workers=workers)) as stream:
        for outcome in stream:
            item = waiting.popleft()
            if isinstance(outcome, Failed):
                listing.failed(item, outcome)
            else:
                yield item, outcome


def blocks(job: Job, items: Iterable[Item], listing: Listing, *, workers: int) -> Iterator[bytes]:
    """The cells of each dialogue as lines of JSON."""
    from ..rules import CellLines

    lines = CellLines(job.lexicons, trace=job.trace)
    with closing(judged(lines, items, listing, workers=workers)) as stream:
        for _, block in stream:
            yield block


# -- In parts --------------------------------------------------------------------------------------------------------


def parts_folder(output: str) -> Path:
    """Where the parts of a file are kept until it is whole."""
    return Path(f"{output}.parts")


def resumed_blocks(
    job: Job, items: Iterable[Item], listing: Listing, *, workers: int, kept: Callable[[int], None],
) -> Iterator[bytes]:
    """Like :func:`blocks`, by way of parts beside the output: those that an earlier run did are not done again, and
    `kept` is told how many these are.

    Nothing is given before all parts are there. The folder stays, for :func:`clear`.
    """
    from ..rules import CellLines

    def write(path: Path, found: Iterable[bytes]) -> None:
        with atomic(path) as stream:
            for block in found:
                stream.write(block)

    folder = parts_folder(job.output)
    with job.parts(os.fspath(folder), "jsonl") as manifest:
        kept(len(manifest.done))
        _do_parts(manifest, CellLines(job.lexicons, trace=job.trace), items, listing, write, ".jsonl", workers)
        for name in sorted(manifest.done):
            with open(folder / name, "rb") as stream:
                while block := stream.read(1 << 20):
                    yield block


def clear(job: Job) -> None:
    """Removes the parts beside an output that is in place."""
    shutil.rmtree(parts_folder(job.output), ignore_errors=True)


def write_folder(
    job: Job, items: Iterable[Item], listing: Listing, *, workers: int, kept: Callable[[int], None],
) -> None:
    """Writes a folder of Parquet parts, one for so many rows of the input; those that are there are not done again, and
    `kept` is told how many these are."""
    from ..rules import CellRows

    def write(path: Path, found: Iterable[tuple[dict[str, Any], ...]]) -> None:
        write_part(path, found, trace=job.trace)

    with job.parts(job.output, "parquet") as manifest:
        kept(len(manifest.done))
        _do_parts(manifest, CellRows(job.lexicons, trace=job.trace), items, listing, write, ".parquet", workers)


def write_part(path: str | os.PathLike[str], found: Iterable[Iterable[dict[str, Any]]], *, trace: bool) -> None:
    """One Parquet part: the rows of its dialogues."""
    from ..rules import cell_keys

    write_encoded(path, cell_keys(trace=trace), itertools.chain.from_iterable(found), batch_size=GROUP,
                  compression="zstd")


def _do_parts(
    manifest: Manifest, function: Callable[[Dialogue], Out], items: Iterable[Item], listing: Listing,
    write: Callable[[Path, Iterable[Out]], None], ending: str, workers: int,
) -> None:
    listing.recall(rejected_of([*manifest.done.values(), *([manifest.end] if manifest.end else [])]))
    if manifest.end is not None:
        return
    missing = (item for item in items if item.part.name + ending not in manifest.done)

    def key(one: tuple[Item, Out]) -> Part:
        return one[0].part

    with closing(judged(function, missing, listing, workers=workers)) as stream:
        for part, group in itertools.groupby(stream, key):
            name = part.name + ending
            write(manifest.folder / name, (found for _, found in group))
            manifest.add(name, rejected=[one.to_dict() for one in listing.of(part)])
    held = {name.removesuffix(ending) for name in manifest.done}
    manifest.finish(rejected=[one.to_dict() for one in listing.outside(held)])
