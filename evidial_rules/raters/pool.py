"""Runs a function over a stream in several processes: order kept, memory flat, a process that dies replaced."""
from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import queue
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from ..errors import WorkerError

In = TypeVar("In")
Out = TypeVar("Out")

CHUNK = 8
"""Items that one process takes at a time."""
AHEAD = 3
"""Chunks for each process that may wait, done or not, before more items are read."""
ATTEMPTS = 2
"""Processes that may die over an item before it is given up."""
GIVE_UP = 20
"""Processes that may die one after the other without a result in between: then it is not the items."""
_HELD = 2
"""Chunks that a process has at a time, so that it need not wait for the next one."""


@dataclass(frozen=True, slots=True)
class Failed:
    """What stands for an item that has no result. error: what the function raised, or None where two processes ended
    over the item."""

    error: Exception | None

    @property
    def reason(self) -> str:
        """For a message: the exception's name alone, since its text may hold what was said.

        >>> Failed(KeyError("my words")).reason, Failed(None).reason
        ('raised KeyError', 'ended two worker processes')
        """
        return "ended two worker processes" if self.error is None else f"raised {type(self.error).__name__}"


def ordered_map(
    function: Callable[[In], Out], items: Iterable[In], *, workers: int = 1, chunk: int = CHUNK,
) -> Iterator[Out]:
    """`function` of each item, in the items' order, whatever the number of workers; see :func:`outcomes`.

    An exception of the function or of the items ends the stream, after what came before it; the processes end where
    they are. Raises :class:`~evidial_rules.errors.WorkerError` if two processes ended over one item.

    >>> list(ordered_map(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if workers == 1:
        yield from map(function, items)
        return
    with closing(outcomes(function, items, workers=workers, chunk=chunk)) as stream:
        for outcome in stream:
            if isinstance(outcome, Failed):
                raise _killed() if outcome.error is None else outcome.error
            yield outcome


def outcomes(
    function: Callable[[In], Out], items: Iterable[In], *, workers: int = 1, chunk: int = CHUNK,
) -> Iterator[Out | Failed]:
    """`function` of each item in the items' order, or :class:`Failed`: one item costs only itself.

    At most `workers * AHEAD` chunks are read ahead, so a stream of any length needs the same memory. With one worker
    everything runs in this process. A process that dies is replaced, and what it had not done is done again; the item
    that it was at is given up when a second one dies over it. The processes end when the stream is closed, and as well
    if this process is killed. `function` has to be picklable if there are several workers. An exception of the items
    ends the stream after the outcomes of what came before it.

    Raises :class:`~evidial_rules.errors.WorkerError` if processes die again and again without a result.

    >>> list(outcomes(int, ["1", "x", "3"]))
    [1, Failed(error=ValueError("invalid literal for int() with base 10: 'x'")), 3]
    """
    if workers < 1:
        raise ValueError("workers: expected 1 or more")
    if workers > 1:
        yield from _Crew(function, workers).run(items, chunk)
        return
    for item in items:
        try:
            outcome: Out | Failed = function(item)
        except Exception as error:
            outcome = Failed(error)
        yield outcome


def _killed() -> WorkerError:
    return WorkerError(where="workers", expected="processes that run to their end (one was killed, or the memory did "
                                                 "not suffice; try fewer)")


class _Chunk:
    """Items in a row, what came of the first of them, and how many processes died over the next."""

    __slots__ = ("deaths", "items", "outcomes")

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items
        self.outcomes: list[Any] = []
        self.deaths = 0

    @property
    def done(self) -> bool:
        return len(self.outcomes) == len(self.items)

    def add(self, outcome: Any) -> None:
        self.outcomes.append(outcome)
        self.deaths = 0


class _Worker:
    """A process with a pipe each way, and the chunks that it has."""

    def __init__(self, context: Any, function: bytes) -> None:
        inbox, self.send_to = context.Pipe(duplex=False)
        self.results, outbox = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(function, inbox, outbox), daemon=True)
        with held_back():
            self.process.start()
        # The process has the only other ends now: when it dies, in whatever way, this side reads the end of the pipe.
        inbox.close()
        outbox.close()
        self.held: deque[_Chunk] = deque()
        self.ready = False

    def give(self, chunk: _Chunk) -> None:
        self.held.append(chunk)
        with suppress(OSError):  # it is dead: what it has is taken back when the end of its results is read
            self.send_to.send(chunk.items[len(chunk.outcomes):])

    def end(self, *, whole: bool) -> None:
        """Lets it end, or ends it where it is."""
        if whole:
            with suppress(OSError):
                self.send_to.send(None)
        else:
            self.process.kill()
        self.send_to.close()
        self.process.join()
        self.results.close()


class _Crew:
    """The processes of one stream."""

    def __init__(self, function: Callable[[Any], Any], workers: int) -> None:
        # "spawn" on every platform: a forked child would inherit the threads' locks of Arrow and of the progress bar.
        self.context = multiprocessing.get_context("spawn")
        if os.name == "posix":
            # Started with the first process it would let through the signal that `held_back` holds back.
            from multiprocessing import resource_tracker

            resource_tracker.ensure_running()
        self.function = pickle.dumps(function)
        self.workers = workers
        self.crew: list[_Worker] = []
        self.order: deque[_Chunk] = deque()
        self.waiting: deque[_Chunk] = deque()
        self.deaths = 0

    def run(self, items: Iterable[Any], size: int) -> Iterator[Any]:
        source = _batched(items, size)
        more, whole = True, False
        broken: Exception | None = None
        try:
            while True:
                while self.order and self.order[0].done:
                    yield from self.order.popleft().outcomes
                if more and len(self.order) < self.workers * AHEAD:
                    try:
                        batch = next(source, None)
                    except Exception as error:
                        batch, broken = None, error
                    if batch is None:
                        more = False
                    else:
                        self.order.append(_Chunk(batch))
                        self.waiting.append(self.order[-1])
                    self.hand_out()
                    continue
                if not self.order:
                    break
                self.hand_out()
                self.collect()
            whole = True
        finally:
            for worker in self.crew:
                worker.end(whole=whole)
        if broken is not None:
            raise broken

    def hand_out(self) -> None:
        while self.waiting:
            worker = min(self.crew, key=lambda one: len(one.held), default=None)
            if worker is None or worker.held and len(self.crew) < self.workers:
                worker = _Worker(self.context, self.function)
                self.crew.append(worker)
            if len(worker.held) >= _HELD:
                return
            worker.give(self.waiting.popleft())

    def collect(self) -> None:
        """Waits for news of any process, and takes it."""
        at = {worker.results: worker for worker in self.crew}
        for results in wait(list(at)):
            worker = at[results]  # type: ignore[index]
            try:
                ready, outcome = worker.results.recv()
            except (EOFError, OSError):
                self.bury(worker)
                continue
            if not ready:
                if outcome is not None:
                    raise outcome
                worker.ready = True
                continue
            self.deaths = 0
            worker.held[0].add(outcome)
            if worker.held[0].done:
                worker.held.popleft()

    def bury(self, worker: _Worker) -> None:
        """Takes back what a dead process had; the item that it was at has one more death to its name."""
        self.crew.remove(worker)
        worker.end(whole=False)
        self.deaths += 1
        if self.deaths > GIVE_UP or self.deaths > ATTEMPTS and not worker.ready:
            raise _killed()
        if worker.held and worker.ready:
            first = worker.held[0]
            first.deaths += 1
            if first.deaths == ATTEMPTS:
                first.add(Failed(None))
        self.waiting.extendleft(chunk for chunk in reversed(worker.held) if not chunk.done)


def _batched(items: Iterable[In], size: int) -> Iterator[tuple[In, ...]]:
    """As itertools.batched, which came with Python 3.12; what came before an exception is a batch of its own."""
    stream = iter(items)
    broken: Exception | None = None
    while broken is None:
        batch: list[In] = []
        try:
            for item in itertools.islice(stream, size):
                batch.append(item)
        except Exception as error:
            broken = error
        if batch:
            yield tuple(batch)
        elif broken is None:
            return
    raise broken


@contextmanager
def held_back() -> Iterator[None]:
    """Ctrl-C waits while a process is started, which inherits that: a terminal sends it to the children too, and each
    would print a traceback out of its imports."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- In the process --------------------------------------------------------------------------------------------------


def _work(function: bytes, inbox: Connection, outbox: Connection) -> None:
    """A worker's life. The function comes pickled, because loading it imports the judge, and the other end must be
    watched by then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be held back
    batches: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(inbox, batches), daemon=True).start()
    with suppress(BrokenPipeError):
        try:
            call = pickle.loads(function)
        except Exception as error:
            outbox.send((False, _portable(error)))
            return
        outbox.send((False, None))
        while (batch := batches.get()) is not None:
            for item in batch:
                try:
                    outcome = call(item)
                except Exception as error:
                    outcome = Failed(_portable(error))
                outbox.send((True, outcome))


def _receive(inbox: Connection, batches: queue.SimpleQueue[tuple[Any, ...] | None]) -> None:
    """Takes what is sent at once, so that the other side never waits with its results unread; ends the process when
    that side has gone."""
    with suppress(EOFError, OSError):
        while True:
            batch = inbox.recv()
            batches.put(batch)
            if batch is None:
                return
    os._exit(1)


def _portable(error: Exception) -> Exception:
    """The exception if it survives the way home, else one that has its name."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(where="workers", expected=f"a function that returns (it raised {type(error).__name__})")
    return error
