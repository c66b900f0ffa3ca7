from __future__ import annotations

import itertools

import pytest

from evidial_rules.errors import DialogueError
from evidial_rules.raters.pool import AHEAD, ordered_map


def uneven(n):
    """Later items finish first, if order were left to the processes."""
    return sum(range(200_000 if n % 7 == 0 else 10)) * 0 + n


def refuses_nine(n):
    if n == 9:
        raise DialogueError(where=f"line {n}", expected="another number")
    return n


@pytest.mark.parametrize("workers", [1, 2])
def test_order_is_kept(workers):
    assert list(ordered_map(uneven, range(50), workers=workers, chunk=3)) == list(range(50))


def test_nothing_comes_of_nothing():
    assert list(ordered_map(abs, [], workers=2)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_reads_a_bounded_way_ahead(workers):
    last = 0

    def endless():
        nonlocal last
        for last in itertools.count():  # noqa: UP028 - what was taken has to be seen from outside
            yield last

    chunk = 2
    stream = ordered_map(abs, endless(), workers=workers, chunk=chunk)
    assert [next(stream) for _ in range(20)] == list(range(20))
    assert last < 20 + chunk * workers * AHEAD + chunk
    stream.close()  # an endless stream that is dropped has to end its processes


@pytest.mark.parametrize("workers", [1, 2])
def test_errors_come_home_whole(workers):
    stream = ordered_map(refuses_nine, range(20), workers=workers, chunk=2)
    with pytest.raises(DialogueError, match="E002 line 9: expected another number"):
        list(stream)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_the_source_ends_it(workers):
    def source():
        yield 1
        raise DialogueError(where="in.jsonl:2", expected="a dialogue")

    with pytest.raises(DialogueError):
        list(ordered_map(abs, source(), workers=workers))


def test_no_workers():
    with pytest.raises(ValueError, match="workers"):
        list(ordered_map(abs, [1], workers=0))
