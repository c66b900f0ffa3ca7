"""What a judge has to answer about one cell: the form, its JSON schema, and reading it out of a model's text.

One request asks for one cell, as the paper's judges vote cell by cell: a broken answer then costs one vote and not
nine, and the dialogue stands before the question, so that providers can cache it for the cells of one dialogue.
"""
from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...contract import ALL, POLARITIES, STATES, STRENGTHS, SUBJECTS, Interval
from ..validity import REASONS

MAX_FRAMES = 200
"""More frames than that in one cell is a model that repeats itself."""


class BadAnswer(ValueError):
    """An answer that is no vote. `reason` is a key of :data:`~evidial_rules.raters.validity.REASONS`; nothing of what
    the model wrote is held."""

    def __init__(self, reason: str) -> None:
        assert reason in REASONS, reason
        self.reason = reason
        super().__init__(reason)


class AnswerTime(BaseModel):
    """Whole days before now, half-open: `from` is the older end and excluded, `to` the nearer one and included."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, populate_by_name=True)

    from_: int | None = Field(alias="from")
    to: int | None

    @model_validator(mode="after")
    def _ordered(self) -> AnswerTime:
        if self.from_ is not None and self.to is not None and self.from_ <= self.to:
            raise ValueError("the older end above the nearer one")
        return self

    def interval(self) -> Interval:
        """The contract's interval."""
        return Interval(self.from_, self.to)


class AnswerFrame(BaseModel):
    """One statement that a judge found (contract, section 2). `turn` counts from 0, as in the prompt."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    quote: str = Field(min_length=1)
    turn: Annotated[int, Field(ge=0)]
    dimension: str
    components: list[str] = Field(min_length=1)
    polarity: Literal["affirm", "deny"]
    strength: Literal["definite", "indicator"]
    subject: Literal["participant", "other", "generic"]
    time: AnswerTime | None
    withdrawn_by: Annotated[int, Field(ge=0)] | None


class Answer(BaseModel):
    """A judge's answer about one cell: the frames that it found, and the state that it would give."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    frames: list[AnswerFrame] = Field(max_length=MAX_FRAMES)
    state: Literal["ABSENT", "PARTIAL", "CONFLICTING", "SUFFICIENT_POS", "SUFFICIENT_NEG"]


def one_of(*names: str) -> dict[str, Any]:
    """The JSON schema of a name out of a list."""
    return {"type": "string", "enum": list(names)}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema that allows null as well."""
    return {"anyOf": [schema, {"type": "null"}]}


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object that has each of these keys, and no other."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def answer_schema(dimension: str, components: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of an answer, for providers that can be held to one. Every key is required, as strict modes ask.

    components: the names that a frame of the dimension may use; ALL is added.

    >>> answer_schema("sleep", ["onset"])["properties"]["frames"]["items"]["properties"]["dimension"]
    {'type': 'string', 'enum': ['sleep']}
    """
    whole = {"type": "integer"}
    frame = closed({
        "quote": {"type": "string"}, "turn": whole, "dimension": one_of(dimension),
        "components": {"type": "array", "items": one_of(*components, ALL)},
        "polarity": one_of(*POLARITIES), "strength": one_of(*STRENGTHS), "subject": one_of(*SUBJECTS),
        "time": or_null(closed({"from": or_null(whole), "to": or_null(whole)})), "withdrawn_by": or_null(whole),
    })
    return closed({"frames": {"type": "array", "items": frame}, "state": one_of(*STATES)})


_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_REFUSALS = re.compile(
    r"\b(?:I\s+(?:can(?:no|')t|can not|am unable to|am not able to|won't|will not|must decline)|"
    r"I'm\s+(?:sorry|unable|not able)|as an AI|against (?:my|our) (?:policy|guidelines))\b"
    r"|(?:抱歉|对不起|很遗憾|无法|不能|不便)[^。]{0,20}(?:协助|帮助|提供|回答|处理|完成|满足)|作为(?:一个|一名)?(?:AI|人工智能|语言模型)",
    re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)


def json_object(text: str, key: str = "state") -> dict[str, Any]:
    """The JSON object of an answer, which may stand in a fenced block, after reasoning, or between sentences.

    Of several objects at the top level the first that has the key counts. Raises :class:`BadAnswer`: `empty`,
    `refusal`, or `no_json`.

    >>> json_object('Here it is: {"frames": [], "state": "ABSENT"} - done')
    {'frames': [], 'state': 'ABSENT'}
    """
    text = _THINKING.sub("", text)
    if not text.strip():
        raise BadAnswer("empty")
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            # What stands inside a broken object is no answer of its own.
            break
        found.append(value)
        at = text.find("{", end)
    for value in found:
        if key in value:
            return value
    if found:
        return found[0]
    raise BadAnswer("refusal" if "{" not in text and _REFUSALS.search(text.replace("\u2019", "'")) else "no_json")


def parse_answer(text: str, dimension: str, components: Sequence[str], turns: int) -> Answer:
    """The answer in a model's text, checked word by word against the cell that was asked about.

    components: the names that a frame of the dimension may use, without ALL. turns: how many the dialogue has.
    Raises :class:`BadAnswer`, with `schema` where the object has not the form.
    """
    row = json_object(text)
    try:
        answer = Answer.model_validate(row)
    except ValidationError:
        raise BadAnswer("schema") from None
    for frame in answer.frames:
        names = set(frame.components)
        if (
            frame.dimension != dimension
            or not names <= {*components, ALL}
            or (ALL in names and len(names) > 1)
            or (frame.withdrawn_by is not None and frame.withdrawn_by >= turns)
        ):
            raise BadAnswer("schema")
    return answer
