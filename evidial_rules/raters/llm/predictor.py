"""A model that predicts planned cells by one or several of the four prompting methods, asked or out of a record."""
from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ...contract import Dialogue, PlannedCell, Prediction
from ...resources import load_instrument
from .. import RaterError
from .methods import ask_for_prediction, read_prediction
from .prompt import Request
from .rater import Asked, Usage
from .rawlog import RawAnswer, RawLog, key_of
from .transport import Settings

ASCII_PER_TOKEN = 4
"""Characters of ASCII that are counted as one token; any other character is counted as one by itself."""
MESSAGE_TOKENS = 8
"""Tokens that are counted for the frame of a request's two messages."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is, without any model's tokenizer: one for four characters of ASCII, and one for
    each other character. For the prompts of the dialogues that ship this is within 6% of what Qwen's tokenizer makes
    of them, in both languages; others differ, and a provider may count what it adds itself.

    >>> estimated_tokens("I wake at three."), estimated_tokens("三点就醒")
    (4, 4)
    """
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / ASCII_PER_TOKEN) + len(text) - plain


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one method would ask of a model: `cells` planned, `answered` of them in the log, `requests` to come, about
    `tokens` in them, and at most `output` tokens in their answers."""

    model: str
    method: str
    cells: int
    answered: int
    requests: int
    tokens: int
    output: int


class Predictor(Asked):
    """A model asked for predictions (paper, "Models and methods"): once for each method and planned cell.

    name: provider/model. methods: out of :data:`~evidial_rules.raters.llm.methods.METHODS`. plan: the cells. settings,
    log: as of :class:`~evidial_rules.raters.llm.LLMRater`; :func:`~evidial_rules.raters.llm.ask` does the asking, and
    the dialogues have to be those of the plan. Raises RaterError for a name that is none.
    """

    def __init__(
        self, name: str, methods: Sequence[str], plan: Iterable[PlannedCell],
        settings: Settings = Settings(), log: RawLog | None = None,  # noqa: B008 - it is frozen
    ) -> None:
        super().__init__(name, settings, log)
        self.methods, self.plan = tuple(methods), tuple(plan)
        self._dimensions: dict[str, list[str]] = {}
        for cell in self.plan:
            self._dimensions.setdefault(cell.dialogue_id, []).append(cell.dimension)

    def requests(self, dialogue: Dialogue) -> Iterator[Request]:
        """Method by method, so that what a dialogue's requests have in common comes in a row, for providers' caches."""
        for method in self.methods:
            yield from self._requests(dialogue, method)

    def predictions(self, dialogues: Mapping[str, Dialogue], method: str) -> Iterator[Prediction]:
        """One prediction for each planned cell, in the plan's order, from the log alone.

        A request that failed is a prediction that failed, with the reason `timeout` or `transport`, and so is one that
        was never made (`missing`). dialogues: by id; raises KeyError where one of the plan is not among them.
        """
        for cell in self.plan:
            dialogue = dialogues[cell.dialogue_id]
            request = _request(dialogue, cell.dimension, method)
            answer = self.answer(request)
            if answer is not None and answer.text is not None and answer.answered:
                yield read_prediction(answer.text, request, dialogue, method, self.name, stop=answer.stop)
            else:
                reason = "missing" if answer is None else answer.failure or "transport"
                yield Prediction(cell.dialogue_id, cell.dimension, self.name, method, "failed", None, reason)

    def forecast(self, dialogues: Iterable[Dialogue]) -> tuple[Forecast, ...]:
        """What is left to ask, by method; nothing is asked."""
        held, found = list(dialogues), []
        for method in self.methods:
            cells = requests = tokens = 0
            for request in (request for one in held for request in self._requests(one, method)):
                cells += 1
                known = self.answer(request)
                if known is None or not known.answered:
                    requests += 1
                    tokens += estimated_tokens(request.system) + estimated_tokens(request.user) + MESSAGE_TOKENS
            found.append(Forecast(self.name, method, cells, cells - requests, requests, tokens,
                                  requests * self.settings.max_tokens))
        return tuple(found)

    def usage(self, dialogues: Iterable[Dialogue], method: str, asked: Set[str] = frozenset()) -> Usage:
        """What a method's answers cost. asked: the keys of those that came in this run."""
        return Usage.of(self.name, (self.answer(request) for one in dialogues
                                    for request in self._requests(one, method)), asked)

    def _requests(self, dialogue: Dialogue, method: str) -> Iterator[Request]:
        for dimension in self._dimensions.get(dialogue.dialogue_id, ()):
            yield _request(dialogue, dimension, method)


class RecordedPredictor(Predictor):
    """Predictions out of the raw answers of an earlier run, of whatever settings; it is never asked.

    An answer counts if it is one to the very prompt of today about the very dialogue; a cell without one is `failed`
    (`missing`). given: settings that the answers have to have (`temperature`, `max_tokens`, `seed`, `schema`).

    Raises RaterError for answers under several settings; :meth:`check` for a method without any answer.
    """

    def __init__(
        self, name: str, methods: Sequence[str], plan: Iterable[PlannedCell], log: RawLog,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(name, methods, plan, log=log)
        wanted = dict(given or {})
        self._answers: dict[tuple[str, str], list[RawAnswer]] = {}
        for one in log:
            if one.model == name and all(one.settings.get(key) == value for key, value in wanted.items()):
                self._answers.setdefault((one.dialogue_id, one.dimension), []).append(one)

    def answer(self, request: Request) -> RawAnswer | None:
        """The recorded answer to a request."""
        place = (request.dialogue_id, request.dimension)
        found = [one for one in self._answers.get(place, ())
                 if one.key == key_of(*place, self.name, request.digest, one.settings)]
        if len(found) > 1:
            raise RaterError(where=f"recorded answers of {self.name}", expected=(
                "answers under one set of settings; say which with --temperature, --max-tokens, --seed or "
                "--response-schema"))
        return found[0] if found else None

    def check(self, dialogues: Iterable[Dialogue]) -> None:
        """Raises RaterError if a method has no answer at all, as under an older prompt or from another file, and where
        reading B1's quotes needs a package that is not installed."""
        held = list(dialogues)
        for method in self.methods:
            if all(self.answer(request) is None for one in held for request in self._requests(one, method)):
                raise RaterError(where=f"recorded answers of {self.name}", expected=(
                    f"at least one to the prompt of {method} on a planned cell, as dialogues and prompts are now"))
        if "B1" in self.methods:
            try:
                version("rapidfuzz")
            except PackageNotFoundError:
                raise RaterError(where="method B1", expected=(
                    "rapidfuzz, which is not installed: pip install 'evidial-rules[llm]'")) from None


def recorded_models(log: RawLog) -> tuple[str, ...]:
    """The models that have answers in a record, in the order of their first."""
    return tuple(dict.fromkeys(one.model for one in log))


def _request(dialogue: Dialogue, dimension: str, method: str) -> Request:
    return ask_for_prediction(dialogue, dimension, load_instrument(dialogue.instrument), method)
