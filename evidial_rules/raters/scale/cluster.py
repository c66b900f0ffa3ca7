"""The rule judge on Dask distributed: a part of the input is a task, and leaves a Parquet file.

Nothing is shuffled: a part's cells depend on its own rows alone. Workers read their rows themselves and write their
part where they see the folders; else this process sends each part once and writes what comes back. It alone writes the
manifest.
"""
from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import logging
import os
import pickle
import secrets
import threading
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...contract import Dialogue
from ...corpora import Rejected, read_rows
from ...corpora.canonical import dialogue_of
from ...corpora.files import is_parquet, parquet_ids, parquet_length
from ...corpora.seen import Seen
from ...errors import DuplicateDialogue, EvidialError
from ..pool import Failed
from .job import ROWS, Item, Job, JudgeError, Listing, Part, failure
from .local import write_part
from .manifest import Manifest, rejected_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client

WAIT = 60.0
"""Seconds to wait for a cluster's first worker, and for another one when none is left."""
LOSSES = 1000
"""Results that may be lost on their way from a worker in one run."""
_ENDING = ".parquet"


class ClusterError(EvidialError):
    """Dask is not installed, a cluster cannot be reached or has no worker, or its workers have other rules."""

    code = "E227"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Task:
    """What every part of a job has in common. version: of the rule set, which a worker's must be. keep: whether rows
    may be left out. folder: where a worker writes its part, or None if it sends it back."""

    lexicons: Path | None
    trace: bool
    version: str
    keep: bool
    folder: str | None


@dataclass(frozen=True, slots=True)
class Slice:
    """The rows of one part, for a worker to read. path: absolute. name: the file's, for messages. repeated: rows,
    counted from 0, whose dialogue came before, and where it did."""

    part: Part
    path: str
    name: str
    rows: range
    repeated: dict[int, str]

    def items(self, reject: Callable[[Rejected], None] | None) -> Iterator[Item]:
        """Its dialogues, as the local engine reads them."""
        def left_out(line: int, error: str) -> None:
            assert reject is not None
            reject(Rejected(self.name, line, error.replace(self.path, self.name)))

        each = None if reject is None else lambda one: left_out(one.line, one.error)
        for row in read_rows(self.path, reject=each, rows=self.rows):
            row = replace(row, where=f"{self.name}:row {row.line}")
            try:
                dialogue = dialogue_of(row)
                if row.line - 1 in self.repeated:
                    raise DuplicateDialogue(where=row.where, first=self.repeated[row.line - 1])
            except EvidialError as error:
                if reject is None:
                    raise
                left_out(row.line, str(error))
                continue
            yield Item(self.part, row.where, self.name, row.line, dialogue)


class Sent:
    """The dialogues of one part, packed: once on the way to a worker, and nothing to see in anybody's log."""

    def __init__(self, part: Part, items: Sequence[Item]) -> None:
        self.part = part
        self._packed = zlib.compress(pickle.dumps(list(items), pickle.HIGHEST_PROTOCOL), 1)

    def items(self, reject: Callable[[Rejected], None] | None) -> Iterator[Item]:
        """The dialogues; they have been checked where they were read."""
        yield from pickle.loads(zlib.decompress(self._packed))

    def __repr__(self) -> str:
        return f"Sent({self.part.name})"


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a part. packed: its rows, if the worker did not write them. cells: how many there are."""

    cells: int
    rejected: tuple[Rejected, ...]
    packed: bytes | None = field(default=None, repr=False)


# -- In a worker -----------------------------------------------------------------------------------------------------

_judging = threading.Lock()


@functools.lru_cache(maxsize=2)
def _judge(lexicons: Path | None, trace: bool, version: str) -> Any:
    """The judge of this process, made once."""
    from ...pipeline.version import ruleset
    from ..rules import CellRows

    found = ruleset(lexicons)["version"]
    if found != version:
        raise ClusterError(where="worker", expected=f"the rules of this copy ({version}), found {found}")
    return CellRows(lexicons, trace=trace)


def _outcome(task: Task, dialogue: Dialogue) -> Any:
    with _judging:  # a worker with several threads has one pipeline
        judge = _judge(task.lexicons, task.trace, task.version)
        try:
            return judge(dialogue)
        except Exception as error:
            return Failed(error)


def run_part(source: Slice | Sent, task: Task) -> Done:
    """A part judged: what a worker does. Raises an :class:`~evidial_rules.errors.EvidialError` for a bad row or a
    dialogue that the judge fails on, if none may be left out, and for other rules than the job's."""
    rejected: list[Rejected] = []
    rows: list[tuple[dict[str, Any], ...]] = []
    for item in source.items(rejected.append if task.keep else None):
        outcome = _outcome(task, item.dialogue)
        if isinstance(outcome, Failed):
            error = failure(item.where, outcome)
            if not task.keep:
                raise error
            rejected.append(Rejected(item.file, item.line, str(error)))
        else:
            rows.append(outcome)
    return _finished(source.part, rows, rejected, task)


def _finished(part: Part, rows: Sequence[tuple[dict[str, Any], ...]], rejected: Sequence[Rejected], task: Task) -> Done:
    cells = sum(map(len, rows))
    if task.folder is None:
        return Done(cells, tuple(rejected), zlib.compress(pickle.dumps(rows, pickle.HIGHEST_PROTOCOL), 1))
    if rows:
        write_part(Path(task.folder, part.name + _ENDING), rows, trace=task.trace)
    return Done(cells, tuple(rejected))


def run_one(source: Sent, task: Task) -> tuple[dict[str, Any], ...] | str:
    """One dialogue judged: its rows, or why there are none."""
    [item] = source.items(None)
    outcome = _outcome(task, item.dialogue)
    return failure(item.where, outcome).details["reason"] if isinstance(outcome, Failed) else outcome


def _sees(probe: str, token: str, inputs: Sequence[tuple[str, int]]) -> tuple[bool, bool]:
    """Whether a worker sees the output folder, and whether it sees the inputs."""
    def size(path: str) -> int:
        with suppress(OSError):
            return os.path.getsize(path)
        return -1

    written = False
    with suppress(OSError):
        written = Path(probe).read_text(encoding="ascii") == token
    return written, all(size(path) == expected for path, expected in inputs)


# -- Here ------------------------------------------------------------------------------------------------------------


def write_folder(
    job: Job, listing: Listing, *, workers: int, scheduler: str | None = None, kept: Callable[[int], None],
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Writes the folder of Parquet parts that :func:`~evidial_rules.raters.scale.local.write_folder` writes, the same
    cells in the same parts; either goes on where the other was interrupted.

    workers: processes of a cluster on this machine; unused with the address of a scheduler. kept: is told how many
    parts were there. tick: is called for each part that is done. A part whose worker dies is done by another; a
    dialogue over which workers die is left out like a bad row.

    Raises :class:`ClusterError`, and what the local engine raises.
    """
    distributed = _distributed()
    with ExitStack() as stack:
        manifest = stack.enter_context(job.parts(job.output, "parquet"))
        kept(len(manifest.done))
        ended = [manifest.end] if manifest.end else []
        listing.recall(rejected_of([*manifest.done.values(), *ended]))
        if manifest.end is not None:
            return
        client = stack.enter_context(_client(distributed, workers, scheduler))
        _Run(distributed, client, job, listing, manifest, tick).run()
        held = {name.removesuffix(_ENDING) for name in manifest.done}
        manifest.finish(rejected=[one.to_dict() for one in listing.outside(held)])


class _Run:
    """One run of a job on a cluster."""

    def __init__(
        self, distributed: Any, client: Client, job: Job, listing: Listing, manifest: Manifest,
        tick: Callable[[], None],
    ) -> None:
        self.distributed, self.client, self.job, self.listing = distributed, client, job, listing
        self.manifest, self.tick = manifest, tick
        from ...pipeline.version import ruleset

        writes, self.reads = self.shared()
        self.task = Task(job.lexicons and job.lexicons.absolute(), job.trace, ruleset(job.lexicons)["version"],
                         listing.keep, os.path.abspath(job.output) if writes else None)
        self.token, self.lost = secrets.token_hex(4), 0

    def shared(self) -> tuple[bool, bool]:
        """Whether all workers see the output folder, and whether they see inputs that can be read from the middle."""
        probe, token = Path(os.path.abspath(self.job.output), "_probe"), secrets.token_hex(8)
        inputs = [(os.path.abspath(path), os.path.getsize(path)) for path in self.job.inputs]
        try:
            probe.write_text(token, encoding="ascii")
            seen = list(self.client.run(_sees, str(probe), token, inputs).values())
        finally:
            probe.unlink(missing_ok=True)
        readable = all(is_parquet(path) for path in self.job.inputs)
        return all(one for one, _ in seen), readable and all(one for _, one in seen)

    def run(self) -> None:
        deaths: list[Slice | Sent] = []
        sources = self.missing()
        with closing(sources):
            for source, result in self.results(sources):
                if isinstance(result, self.distributed.KilledWorker):
                    deaths.append(source)
                    continue
                if isinstance(result, BaseException):
                    raise result
                self.take(source.part, result)
        for source in deaths:  # when nothing else runs that a dying worker would take with it
            self.alone(source)

    def missing(self) -> Iterator[Slice | Sent]:
        """The parts that are to be done, in order."""
        if self.reads:
            repeated = _repeated(self.job)
            for file, (path, name) in enumerate(zip(self.job.inputs, self.job.names, strict=True)):
                length = parquet_length(path)
                for start in range(0, length, ROWS):
                    part, rows = Part.of(file, start + 1), range(start, min(start + ROWS, length))
                    if part.name + _ENDING not in self.manifest.done:
                        yield Slice(part, os.path.abspath(path), name, rows,
                                    {row: repeated[file, row] for row in rows if (file, row) in repeated})
            return
        held: list[Item] = []
        for item in self.job.rows(self.listing):
            if held and held[0].part != item.part:
                yield Sent(held[0].part, held)
                held = []
            if item.part.name + _ENDING not in self.manifest.done:
                held.append(item)
        if held:
            yield Sent(held[0].part, held)

    def results(self, sources: Iterator[Slice | Sent]) -> Iterator[tuple[Slice | Sent, Any]]:
        """Each part with what came of it, a result or an exception, in the order in which they end. No more are under
        way than keep the workers busy."""
        under_way: dict[Any, Slice | Sent] = {}
        more = True
        try:
            while True:
                room = 2 * sum(self.client.nthreads().values()) + 2
                while more and len(under_way) < room:
                    source = next(sources, None)
                    if source is None:
                        more = False
                    else:
                        under_way[self.submit(run_part, source)] = source
                if not under_way:
                    return
                for future in self.wait(list(under_way)):
                    source, found = under_way.pop(future), self.outcome(future)
                    if found is None:
                        under_way[self.again(run_part, source)] = source
                    else:
                        yield source, found
        finally:
            self.client.cancel(list(under_way))

    def submit(self, function: Callable[..., Any], source: Slice | Sent, number: int = 0) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a part of long dialogues is a large argument, and meant to be
            return self.client.submit(function, source, self.task, pure=False,
                                      key=f"{source.part.name}-{number}-{self.lost}-{self.token}")

    def wait(self, futures: list[Any]) -> list[Any]:
        while True:
            try:
                return list(self.distributed.wait(futures, timeout=WAIT, return_when="FIRST_COMPLETED").done)
            except TimeoutError:
                if not self.client.nthreads():
                    raise ClusterError(where="cluster", expected="a worker; none is left") from None

    def outcome(self, future: Any) -> Any:
        """A result, or the exception that says there will be none; None for one that was lost with its worker, which
        may happen between its end and its way home."""
        try:
            return future.result()
        except (self.distributed.KilledWorker, EvidialError) as error:
            return error
        except (OSError, TimeoutError, asyncio.CancelledError, concurrent.futures.CancelledError):
            return None

    def again(self, function: Callable[..., Any], source: Slice | Sent, number: int = 0) -> Any:
        """The task once more. Raises ClusterError where results are lost all the time."""
        self.lost += 1
        if self.lost > LOSSES:
            raise ClusterError(where="cluster", expected="results that come home (they are lost again and again)")
        return self.submit(function, source, number)

    def take(self, part: Part, done: Done) -> None:
        """Puts what a worker did in place."""
        if done.packed is not None and done.cells:
            rows = pickle.loads(zlib.decompress(done.packed))
            write_part(Path(self.job.output, part.name + _ENDING), rows, trace=self.job.trace)
        for one in done.rejected:
            self.listing.add(one)
        self.manifest.add(part.name + _ENDING, rejected=[one.to_dict() for one in self.listing.of(part)])
        self.tick()

    def alone(self, source: Slice | Sent) -> None:
        """A part over which workers died, dialogue by dialogue and nothing beside it."""
        rejected: list[Rejected] = []
        rows: list[tuple[dict[str, Any], ...]] = []
        for number, item in enumerate(source.items(rejected.append if self.listing.keep else None), 1):
            sent = Sent(source.part, [item])
            [future] = self.wait([self.submit(run_one, sent, number)])
            while (outcome := self.outcome(future)) is None:
                [future] = self.wait([self.again(run_one, sent, number)])
            if isinstance(outcome, self.distributed.KilledWorker):
                outcome = Failed(None).reason
            if isinstance(outcome, BaseException):
                raise outcome
            if isinstance(outcome, str):
                error = JudgeError(where=item.where, reason=outcome)
                if not self.listing.keep:
                    raise error
                rejected.append(Rejected(item.file, item.line, str(error)))
            else:
                rows.append(outcome)
        self.take(source.part, _finished(source.part, rows, rejected, replace(self.task, folder=None)))


def _repeated(job: Job) -> dict[tuple[int, int], str]:
    """Rows whose dialogue came before, as (file, row from 0), and where it first did: only ids are read, and the rows
    of those that come again."""
    seen, again = Seen(), dict[str, list[tuple[int, int]]]()
    for file, path in enumerate(job.inputs):
        for row, ident in enumerate(parquet_ids(path)):
            if (first := seen.first(ident, f"{file} {row}")) is not None and ident.strip():
                a, b = first.split()
                again.setdefault(ident, [(int(a), int(b))]).append((file, row))
    found: dict[tuple[int, int], str] = {}
    for places in again.values():
        first = None
        for file, row in places:
            if first is not None:
                found[file, row] = first
                continue
            part = Slice(Part.of(file, row + 1), os.fspath(job.inputs[file]), job.names[file], range(row, row + 1), {})
            for item in part.items(lambda _: None):  # one that cannot be read takes no id
                first = item.where
    return found


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise ClusterError(where="--engine dask", expected="the extra cluster: pip install 'evidial-rules[cluster]'"
                           ) from None
    return distributed


@contextmanager
def _client(distributed: Any, workers: int, scheduler: str | None) -> Iterator[Client]:
    import dask

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        if scheduler is None:
            # A dialogue that ends two workers is given up, as in the local engine.
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 1}))
            address: Any = stack.enter_context(distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0,
                silence_logs=logging.CRITICAL))
        else:
            address = scheduler
        try:
            client = stack.enter_context(distributed.Client(address, timeout=WAIT, set_as_default=False))
            stack.enter_context(client.as_current())
            client.wait_for_workers(1, timeout=WAIT)
        except (OSError, ValueError, TimeoutError):
            raise ClusterError(where="--scheduler", expected="the address of a Dask scheduler that has a worker, such "
                                                             "as tcp://127.0.0.1:8786") from None
        yield client
