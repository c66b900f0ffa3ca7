"""Runs a function over a stream in several processes: order kept, memory flat."""
from __future__ import annotations

import itertools
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

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
    wait are dropped. `function` has to be picklable if there are several workers.

    >>> list(ordered_map(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if workers < 1:
        raise ValueError("workers: expected 1 or more")
    if workers == 1:
        yield from map(function, items)
        return
    # "spawn" on every platform: a forked child would inherit the threads' locks of Arrow and of the progress bar.
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start, (function,))
    waiting: deque[Future[list[Out]]] = deque()
    try:
        for batch in _batched(items, chunk):
            waiting.append(pool.submit(_run, batch))
            if len(waiting) >= workers * AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _batched(items: Iterable[In], size: int) -> Iterator[tuple[In, ...]]:
    # itertools.batched came with Python 3.12.
    stream = iter(items)
    while batch := tuple(itertools.islice(stream, size)):
        yield batch


_function: Callable[[Any], Any] | None = None


def _start(function: Callable[[Any], Any]) -> None:
    global _function
    _function = function
    # Ctrl-C is for the parent, which then ends the pool; the children would print a traceback each.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(batch: tuple[Any, ...]) -> list[Any]:
    assert _function is not None
    return [_function(item) for item in batch]
