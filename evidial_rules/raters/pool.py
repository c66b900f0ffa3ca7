"""Runs a function over a stream in several processes: order kept, memory flat."""
from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ..errors import WorkerError

In = TypeVar("In")
Out = TypeVar("Out")

CHUNK = 8
"""Items that one process takes at a time."""
AHEAD = 3
"""Chunks for each process that may wait, done or not, before more items are read."""


def ordered_map(
    function: Callable[[In], Out], items: Iterable[In], *, workers: int = 1, chunk: int = CHUNK,
) -> Iterator[Out]:
    """`function` of each item, in the items' order, whatever the number of workers.

    At most `workers * AHEAD` chunks are read ahead, so a stream of any length needs the same memory. With one worker
    everything runs in this process. An exception of the function or of the items ends the stream; chunks that
    wait are dropped, and the processes end where they are. They end as well if this process is killed. `function` has
    to be picklable if there are several workers.

    Raises :class:`~evidial_rules.errors.WorkerError` if a process is ended from outside.

    >>> list(ordered_map(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if workers < 1:
        raise ValueError("workers: expected 1 or more")
    if workers == 1:
        yield from map(function, items)
        return
    # "spawn" on every platform: a forked child would inherit the threads' locks of Arrow and of the progress bar.
    context = multiprocessing.get_context("spawn")
    # Nothing is ever sent: when this end closes, or its process ends in whatever way, the workers see it and end.
    watched, lifeline = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, _start, (pickle.dumps(function), watched))
    waiting: deque[Future[list[Out]]] = deque()
    whole = False
    try:
        for batch in _batched(items, chunk):
            with held_back():
                waiting.append(pool.submit(_run, batch))
            if len(waiting) >= workers * AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
        whole = True
    except BrokenProcessPool:
        raise WorkerError(where="workers", expected="processes that run to their end (one was killed, or the memory "
                                                    "did not suffice; try fewer)") from None
    finally:
        if not whole:
            lifeline.close()
        pool.shutdown(wait=True, cancel_futures=True)
        lifeline.close()
        watched.close()


def _batched(items: Iterable[In], size: int) -> Iterator[tuple[In, ...]]:
    # itertools.batched came with Python 3.12.
    stream = iter(items)
    while batch := tuple(itertools.islice(stream, size)):
        yield batch


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


_function: Callable[[Any], Any] | None = None


def _start(function: bytes, watched: Connection) -> None:
    """Begins a worker. The function comes pickled, because loading it imports the judge, and this end must be watched
    by then."""
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be held back
    threading.Thread(target=_watch, args=(watched,), daemon=True).start()
    _function = pickle.loads(function)


def _watch(watched: Connection) -> None:
    with suppress(EOFError, OSError):
        watched.recv_bytes()
    os._exit(1)


def _run(batch: tuple[Any, ...]) -> list[Any]:
    assert _function is not None
    return [_function(item) for item in batch]
