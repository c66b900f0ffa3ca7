"""An LLM judge as a rater, and many cells of several judges asked at a time."""
from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ...contract import Dialogue, Vote
from ...errors import EvidialError
from ...resources import load_instrument
from .. import RaterError
from .prompt import Request, build
from .rawlog import RawAnswer, RawLog, key_of
from .reading import invalid_vote, read_vote
from .transport import Settings, Transport, check_model

T = TypeVar("T")

GIVE_UP = 20
"""So many requests of one judge that fail in a row end the run: its provider is down, or does not take the requests."""


class LLMRater:
    """A model that judges cells, named as `provider/model` (contract, section 2; the paper's reference construction).

    It is asked once a cell, in the dialogue's language, for frames and a state; the vote's `state` is the contract's
    projection of its frames, `stated` its own. What it answered is kept in `log`, and never asked for again; a request
    that failed is. settings: how it is asked. only: dialogue_id to the one dimension that it is asked about there, for
    anchors; it then votes on no other cell of that dialogue. The name stands for the model: another one behind the
    same name, on another server, needs another log.

    Raises RaterError for a name that is none, and where the extra `llm` is not installed.
    """

    def __init__(
        self, name: str, settings: Settings = Settings(), log: RawLog | None = None,  # noqa: B008 - it is frozen
        only: Mapping[str, str] | None = None,
    ) -> None:
        check_model(name, settings.base_url)
        self.name, self.settings = name, settings
        self.log = RawLog() if log is None else log
        self.only = {} if only is None else only

    def requests(self, dialogue: Dialogue) -> tuple[Request, ...]:
        """One request for each cell that it votes on: the dimensions of the instrument, in the contract's order."""
        instrument = load_instrument(dialogue.instrument)
        chosen = self.only.get(dialogue.dialogue_id)
        return tuple(build(dialogue, dimension, instrument) for dimension in instrument.ordered
                     if chosen in (None, dimension))

    def key(self, request: Request) -> str:
        """The request's key in the log."""
        return key_of(request.dialogue_id, request.dimension, self.name, request.digest, self.settings.asked)

    def answer(self, request: Request) -> RawAnswer | None:
        """What the log holds of a request."""
        return self.log.get(self.key(request))

    def votes(self, dialogue: Dialogue) -> tuple[Vote, ...]:
        """One vote a cell, asking for what is not in the log. Raises RaterError; see :func:`collect`."""
        collect([self], [dialogue])
        return self.read(dialogue)

    def read(self, dialogue: Dialogue) -> tuple[Vote, ...]:
        """One vote a cell from the log alone; a cell that was never asked about is an invalid vote (`missing`)."""
        instrument = load_instrument(dialogue.instrument)
        found = []
        for request in self.requests(dialogue):
            answer = self.answer(request)
            if answer is None:
                found.append(invalid_vote(request, self.name, "missing"))
            elif answer.text is None or answer.failure is not None:
                found.append(invalid_vote(request, self.name, answer.failure or "transport"))
            else:
                found.append(read_vote(answer.text, request, dialogue, instrument, self.name, stop=answer.stop))
        return tuple(found)


@dataclass(slots=True)
class Usage:
    """What one judge's answers cost: `answers` in the log for the cells in question, `asked` of them in this run,
    `attempts`, `seconds` summed over requests, and tokens by kind (`input`, `output`, `reasoning`, `total`)."""

    rater: str
    answers: int = 0
    asked: int = 0
    attempts: int = 0
    seconds: float = 0.0
    tokens: dict[str, int] = field(default_factory=dict)


def collect(
    raters: Sequence[LLMRater], dialogues: Iterable[Dialogue], *, tick: Callable[[], None] | None = None,
) -> dict[str, Usage]:
    """Asks each judge about each cell that its log has no answer to. Afterwards :meth:`LLMRater.read` gives the votes.

    Each judge has as many requests under way as its settings say. tick is called for each cell of each judge that is
    done. Returns what the answers cost, by judge's name.

    Raises RaterError if a provider refuses the key or the model, or if :data:`GIVE_UP` requests in a row fail; what was
    answered by then stays in the log.
    """
    held = list(dialogues)
    usage = {one.name: Usage(one.name) for one in raters}
    asked = {one.name: set[str]() for one in raters}
    todo = {one.name: _todo(one, held, tick) for one in raters}

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            for one in raters:
                group.create_task(_ask_all(one, todo[one.name], asked[one.name], tick))

    try:
        _blocking(run())
    except BaseExceptionGroup as group:
        raise _first(group) from None
    for one in raters:
        spent = usage[one.name]
        for dialogue in held:
            for request in one.requests(dialogue):
                if (answer := one.answer(request)) is None:
                    continue
                spent.answers += answer.answered
                spent.asked += answer.key in asked[one.name]
                spent.attempts += answer.attempts
                spent.seconds += answer.seconds
                for kind, count in answer.tokens.items():
                    spent.tokens[kind] = spent.tokens.get(kind, 0) + count
    return usage


def _todo(rater: LLMRater, dialogues: Iterable[Dialogue], tick: Callable[[], None] | None) -> Iterator[Request]:
    for dialogue in dialogues:
        for request in rater.requests(dialogue):
            known = rater.answer(request)
            if known is None or not known.answered:
                yield request
            elif tick is not None:
                tick()


async def _ask_all(
    rater: LLMRater, todo: Iterator[Request], asked: set[str], tick: Callable[[], None] | None,
) -> None:
    first = next(todo, None)
    if first is None:
        return  # nothing to ask: neither key nor network is needed
    failures = 0

    async with Transport(rater.name, rater.settings) as transport:
        async def worker(begin: Request | None = None) -> None:
            nonlocal failures
            request = begin if begin is not None else next(todo, None)
            while request is not None:
                answer = await transport.ask(request)
                rater.log.append(answer)
                asked.add(answer.key)
                failures = 0 if answer.answered else failures + 1
                if failures >= GIVE_UP:
                    last = "no answer in time" if answer.failure == "timeout" else \
                        "no connection" if answer.status is None else f"HTTP status {answer.status}"
                    raise RaterError(where=f"rater {rater.name}", expected=(
                        f"a provider that answers; {GIVE_UP} requests in a row failed, the last with {last}. The same "
                        "command goes on from here"))
                if tick is not None:
                    tick()
                request = next(todo, None)

        async with asyncio.TaskGroup() as group:
            group.create_task(worker(first))
            for _ in range(rater.settings.connections - 1):
                group.create_task(worker())


def _first(group: BaseExceptionGroup) -> BaseException:
    """The error that a user should see: the first of the project's own, else the first."""
    found: list[BaseException] = []

    def flatten(one: BaseException) -> None:
        if isinstance(one, BaseExceptionGroup):
            for inner in one.exceptions:
                flatten(inner)
        else:
            found.append(one)

    flatten(group)
    return next((one for one in found if isinstance(one, EvidialError)), found[0])


def _blocking(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, also where an event loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _ended_in_order(work)
    done: list[T] = []
    failed: list[BaseException] = []

    def target() -> None:
        try:
            done.append(asyncio.run(work))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]


def _ended_in_order(work: Coroutine[Any, Any, T]) -> T:
    """A coroutine run to its end. A signal that somebody handles, as the command does, cancels it, and its handler is
    called when the loop is closed: what a handler raises inside of a loop can get lost in some finaliser."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
        before = {number: signal.getsignal(number) for number in numbers if number is not None}
    caught: list[int] = []

    async def main() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def end(number: int) -> None:
            caught.append(number)
            task.cancel()

        for number, handler in before.items():
            if callable(handler):
                with suppress(NotImplementedError):  # on Windows handlers stay as they are
                    loop.add_signal_handler(number, end, number)
        return await work

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        if not caught:
            raise
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)
    handler = before[caught[0]]
    assert callable(handler)
    handler(caught[0], None)
    raise asyncio.CancelledError  # a handler that lets things go on, where there is nothing to go on with
