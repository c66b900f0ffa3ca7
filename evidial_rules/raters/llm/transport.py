"""Asking a model: inspect_ai's model layer, with every provider, retry, rate limit and cache that it has (extra `llm`).

Everything of inspect_ai that the project relies on for judging is here. Errors of providers quote the request, which
holds the dialogue: nothing of them goes further than the kind of failure and the HTTP status.
"""
from __future__ import annotations

import asyncio
import contextvars
import datetime
import logging
import os
import random
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from .. import RaterError
from .prompt import Request
from .rawlog import RawAnswer, key_of

NAME = re.compile(r"[A-Za-z0-9_.\-]+(?:/[^\s/]+)+")
"""What a model's name looks like: provider/model, or provider/service/model."""
FATAL = frozenset({401, 404})
"""HTTP statuses that every further request would get as well: no such key, no such model."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a model is asked. `temperature`, `max_tokens`, `seed` and `schema` (whether the provider is held to the JSON
    schema of the answer, where it can be) are part of what was asked; the others are not.

    base_url: of any server with the provider's interface. connections: requests at a time. retries: further attempts
    after one that failed (rate limit, server error, no answer in time). timeout: seconds for one attempt. cache:
    inspect_ai's own, in the user's cache folder. first_wait, longest_wait: seconds before the first retry, doubled from
    one to the next, up to the longest; a provider's `Retry-After` is kept to if it asks for more.
    """

    base_url: str | None = None
    temperature: float | None = 0.0
    max_tokens: int = 8192
    seed: int | None = None
    schema: bool = True
    connections: int = 8
    retries: int = 5
    timeout: int = 120
    cache: bool = False
    first_wait: float = 2.0
    longest_wait: float = 120.0

    @property
    def asked(self) -> dict[str, Any]:
        """The settings that an answer depends on, for its key."""
        return {"temperature": self.temperature, "max_tokens": self.max_tokens, "seed": self.seed,
                "schema": self.schema}


def check_model(name: str, base_url: str | None = None) -> None:
    """Raises RaterError for a name or URL that cannot be asked, or where a package of the extra `llm` is missing."""
    if not NAME.fullmatch(name):
        raise RaterError(where="rater", expected=f"a model's name as provider/model, found a name of {len(name)} "
                                                 "characters")
    if base_url is not None and (urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).netloc):
        raise RaterError(where=f"rater {name}", expected="a base URL that begins with http:// or https:// and a host")
    for package in ("inspect_ai", "rapidfuzz", *(["openai"] if name.startswith("openai") else [])):
        try:
            version(package)
        except PackageNotFoundError:
            raise RaterError(where=f"rater {name}", expected=(
                f"{package}, which is not installed: pip install 'evidial-rules[llm]'")) from None


class Failed(Exception):
    """A request without an answer. It holds no text of the provider's."""

    def __init__(self, failure: str, status: int | None) -> None:
        self.failure, self.status = failure, status
        super().__init__(failure)


_attempts: contextvars.ContextVar[list[int]] = contextvars.ContextVar("evidial_attempts")


class Transport:
    """One model, open for questions: an asynchronous context manager, for one event loop.

    Entering raises RaterError for a provider that inspect_ai does not know, or that lacks a package or a key.
    """

    def __init__(self, name: str, settings: Settings) -> None:
        check_model(name, settings.base_url)
        self.name, self.settings = name, settings
        self._model: Any = None

    async def __aenter__(self) -> Transport:
        self._model = open_model(self.name, self.settings)
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None:
        await self._model.__aexit__(kind, error, trace)

    def key(self, request: Request) -> str:
        """The key of a request to this model under these settings."""
        return key_of(request.dialogue_id, request.dimension, self.name, request.digest, self.settings.asked)

    async def ask(self, request: Request) -> RawAnswer:
        """The answer to one request, or its failure. Raises RaterError if the provider refuses key or model."""
        # A task of its own: inspect_ai keeps a record of each call in its context, which ends with the task.
        return await asyncio.create_task(self._ask(request))

    async def _ask(self, request: Request) -> RawAnswer:
        from inspect_ai.model import ChatMessageSystem, ChatMessageUser

        attempts = [0]
        _attempts.set(attempts)
        asked = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        began = time.monotonic()
        common: dict[str, Any] = {
            "key": self.key(request), "dialogue_id": request.dialogue_id, "dimension": request.dimension,
            "model": self.name, "prompt": dict(request.ruleset), "settings": self.settings.asked, "asked": asked,
        }
        try:
            output = await self._model.generate(
                [ChatMessageSystem(content=request.system), ChatMessageUser(content=request.user)],
                config=self._config(request), cache=_cache(self.settings.cache))
        except Exception as error:
            failed = failure_of(error)
            if failed.status in FATAL:
                raise RaterError(where=f"rater {self.name}", expected=(
                    f"a provider that knows the key and the model, found HTTP status {failed.status}")) from None
            return RawAnswer(**common, text=None, stop="", failure=failed.failure, status=failed.status,
                             attempts=attempts[0], seconds=round(time.monotonic() - began, 3))
        return RawAnswer(**common, text=output.completion, stop=stop_of(output), attempts=attempts[0],
                         seconds=round(time.monotonic() - began, 3), tokens=_tokens(output.usage),
                         served=output.model or "")

    def _config(self, request: Request) -> Any:
        from inspect_ai.model import GenerateConfig, ResponseSchema
        from inspect_ai.util import JSONSchema

        if not self.settings.schema:
            return GenerateConfig()
        form = JSONSchema.model_validate(request.form)
        return GenerateConfig(response_schema=ResponseSchema(name="evidence_cell", json_schema=form, strict=True))


def open_model(name: str, settings: Settings) -> Any:
    """inspect_ai's model of a name. Raises RaterError."""
    # What it has to say of a provider goes to whoever set up logging, and not by itself to the terminal.
    logging.getLogger("inspect_ai").addHandler(logging.NullHandler())
    from inspect_ai.model import GenerateConfig, get_model

    provider, opened = name.split("/")[0], name
    config = GenerateConfig(
        temperature=settings.temperature, max_tokens=settings.max_tokens, seed=settings.seed,
        max_connections=settings.connections, max_retries=settings.retries, attempt_timeout=settings.timeout)
    extra: dict[str, Any] = {}
    if provider in ("openai", "openai-api"):
        extra["max_retries"] = 0  # the client's own retries would be attempts that nobody counts
        if settings.base_url is not None:
            # What calls itself compatible has the chat interface, and takes what OpenAI's own newest models refuse.
            opened = f"openai-api/{name}" if provider == "openai" else name
            if not _has_key(name):
                extra["api_key"] = "none"  # servers of one's own ask for none, but the client does
    try:
        model = get_model(opened, config=config, base_url=settings.base_url, memoize=False, **extra)
    except Exception as error:
        # Its message names packages, variables and providers; nothing of a dialogue was there yet.
        raise RaterError(where=f"rater {name}", expected=f"a model that inspect_ai can open: {_words(error)}") from None
    generate = model.api.generate

    async def counted(*arguments: Any, **named: Any) -> Any:
        if (count := _attempts.get(None)) is not None:
            count[0] += 1
        return await generate(*arguments, **named)

    model.api.generate = counted
    model.api.retry_wait = lambda: _waits(settings)
    return model


def _has_key(name: str) -> bool:
    parts = name.split("/")
    service = parts[1] if parts[0] == "openai-api" else parts[0]
    return bool(os.environ.get(f"{service.upper().replace('-', '_')}_API_KEY"))


def _words(error: Exception) -> str:
    from rich.errors import MarkupError
    from rich.text import Text

    words = str(getattr(error, "message", None) or error)
    with suppress(MarkupError):
        words = Text.from_markup(words).plain
    return " ".join(words.split())[:300]


def _waits(settings: Settings) -> Any:
    def wait(state: Any) -> float:  # tenacity's RetryCallState
        doubled = settings.first_wait * 2 ** min(state.attempt_number - 1, 30)
        grown = min(doubled, settings.longest_wait) + random.uniform(0, settings.first_wait)
        error = state.outcome.exception() if state.outcome is not None else None
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        try:
            told = float(headers.get("retry-after", 0))
        except (TypeError, ValueError):  # a date, which is rare
            told = 0.0
        return max(grown, min(told, settings.longest_wait))

    return wait


def _cache(wanted: bool) -> Any:
    if not wanted:
        return False
    from inspect_ai.model import CachePolicy

    return CachePolicy(expiry=None)


def failure_of(error: BaseException) -> Failed:
    """`timeout` or `transport`, with the HTTP status if there was one."""
    status: int | None = None
    kinds: list[str] = []
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        kinds.append(type(one).__name__)
        code = getattr(one, "status_code", None)
        if status is None and isinstance(code, int) and not isinstance(code, bool):
            status = code
        last = getattr(one, "last_attempt", None)  # tenacity's RetryError
        todo += [one.__cause__, last.exception() if last is not None and last.done() else None]
    timed_out = status == 408 or (status is None and any("Timeout" in kind for kind in kinds))
    return Failed("timeout" if timed_out else "transport", status)


def stop_of(output: Any) -> str:
    """Why the model stopped, in inspect_ai's terms; `content_filter` also where the message itself is a refusal."""
    if not output.choices:
        return "unknown"
    content = output.choices[0].message.content
    if not isinstance(content, str) and any(getattr(part, "refusal", None) for part in content):
        return "content_filter"
    return str(output.stop_reason)


def _tokens(usage: Any) -> dict[str, int]:
    if usage is None:
        return {}
    found = {"input": usage.input_tokens, "output": usage.output_tokens, "reasoning": usage.reasoning_tokens,
             "total": usage.total_tokens}
    return {name: value for name, value in found.items() if value is not None}
