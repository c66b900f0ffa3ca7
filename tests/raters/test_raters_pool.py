from __future__ import annotations

import itertools
import os
import signal

import pytest

from evidial_rules.errors import DialogueError, WorkerError
from evidial_rules.raters.pool import AHEAD, Failed, ordered_map, outcomes


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


def dies_at(n):
    """Ends its process at 7, and at 12 on the first attempt only."""
    if n == 7:
        os._exit(9)
    if n == 12 and not os.path.exists(os.environ["EVIDIAL_TEST_MARK"]):
        open(os.environ["EVIDIAL_TEST_MARK"], "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def test_a_killed_process_loses_nothing_and_an_item_that_kills_two_only_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("EVIDIAL_TEST_MARK", str(tmp_path / "mark"))
    found = list(outcomes(dies_at, range(30), workers=2, chunk=4))
    assert found == [Failed(None) if n == 7 else n for n in range(30)]
    assert (tmp_path / "mark").exists()
    with pytest.raises(WorkerError, match="processes that run to their end"):
        list(ordered_map(dies_at, range(30), workers=2, chunk=4))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_is_the_outcome_of_its_item_alone(workers):
    found = list(outcomes(refuses_nine, range(20), workers=workers, chunk=3))
    assert [n for n in found if not isinstance(n, Failed)] == [n for n in range(20) if n != 9]
    assert isinstance(found[9].error, DialogueError) and found[9].reason == "raised DialogueError"


def dies(n):
    os._exit(3)


def test_processes_that_always_die_are_an_error(monkeypatch):
    from evidial_rules.raters import pool

    monkeypatch.setattr(pool, "GIVE_UP", 3)
    with pytest.raises(WorkerError):
        list(outcomes(dies, range(50), workers=2, chunk=4))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_came_before_an_error_of_the_source_is_done(workers):
    def source():
        yield from range(10)
        raise DialogueError(where="in.jsonl:11", expected="a dialogue")

    stream, found = outcomes(abs, source(), workers=workers, chunk=4), []
    with pytest.raises(DialogueError):
        found.extend(iter(stream))
    assert found == list(range(10))


class NoWay(Exception):
    def __init__(self, one, two):
        super().__init__(one)


def raises_no_way(n):
    raise NoWay(n, n)


def test_an_exception_that_cannot_come_home_leaves_its_name():
    [found] = outcomes(raises_no_way, [1], workers=2)
    assert "NoWay" in str(found.error)
