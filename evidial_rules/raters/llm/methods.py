"""The four prompting methods of the paper's model audit ("Models and methods"): how each asks, and how its answer is
read as a prediction of the native label.

| method | asks for | abstains |
|---|---|---|
| B0 | the prediction | if the model says so |
| B1 | a decisive quote, checks of subject, window and scope, the prediction | without a quote, or if a check fails |
| B2 | whether the dialogue suffices, and a prediction in any case | if it does not suffice |
| M | frames, evidence state and polarity | if the state is not SUFFICIENT |
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...contract import POLARITIES, SUBJECTS, Dialogue, Instrument, Prediction
from .locate import locate
from .prompt import Request, build
from .protocol import MAX_FRAMES, BadAnswer, closed, json_object, one_of, or_null
from .reading import CUT

METHODS: Mapping[str, str] = MappingProxyType({"B0": "audit_b0", "B1": "audit_b1", "B2": "audit_b2", "M": "audit_m"})
"""The methods, and the files of their prompts."""
_STATES = ("ABSENT", "PARTIAL", "CONFLICTING", "SUFFICIENT")  # the paper's four; the polarity stands beside them


Label = Annotated[int, Field(ge=0, le=1)]  # not Literal[0, 1], which true and false pass as well


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    def decided(self, dialogue: Dialogue) -> int | None:
        """The prediction, None for abstaining; raises BadAnswer."""
        raise NotImplementedError


class _Direct(_Form):
    prediction: Label | None

    def decided(self, dialogue: Dialogue) -> int | None:
        return self.prediction


class _EvidenceFirst(_Form):
    quote: Annotated[str, Field(min_length=1)] | None
    turn: Annotated[int, Field(ge=0)] | None
    subject: bool
    window: bool
    scope: bool
    prediction: Label | None

    @model_validator(mode="after")
    def _both(self) -> _EvidenceFirst:
        if (self.quote is None) != (self.turn is None):
            raise ValueError("a quote and its turn")
        return self

    def decided(self, dialogue: Dialogue) -> int | None:
        if self.prediction is None or self.quote is None or not (self.subject and self.window and self.scope):
            return None
        place = locate(self.quote, self.turn or 0, dialogue)
        if place is None or dialogue.turns[place.turn].speaker == "interviewer":
            raise BadAnswer("no_quote_located")
        return self.prediction


class _Gated(_Form):
    sufficient: bool
    prediction: Label

    def decided(self, dialogue: Dialogue) -> int | None:
        return self.prediction if self.sufficient else None


class _JointFrame(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    quote: str = Field(min_length=1)
    turn: Annotated[int, Field(ge=0)]
    polarity: Literal["affirm", "deny"]
    subject: Literal["participant", "other", "generic"]
    window: bool
    withdrawn: bool


class _Joint(_Form):
    frames: list[_JointFrame] = Field(max_length=MAX_FRAMES)
    state: Literal["ABSENT", "PARTIAL", "CONFLICTING", "SUFFICIENT"]
    polarity: Literal["positive", "negative"] | None

    @model_validator(mode="after")
    def _polar(self) -> _Joint:
        if (self.state == "SUFFICIENT") != (self.polarity is not None):
            raise ValueError("a polarity if the state is SUFFICIENT, and only then")
        return self

    def decided(self, dialogue: Dialogue) -> int | None:
        return None if self.polarity is None else int(self.polarity == "positive")


_FORMS: Mapping[str, type[_Form]] = {"B0": _Direct, "B1": _EvidenceFirst, "B2": _Gated, "M": _Joint}


def method_schema(method: str) -> dict[str, Any]:
    """The JSON schema of a method's answer. Raises KeyError for a method that is none.

    >>> method_schema("B2")["required"]
    ['sufficient', 'prediction']
    """
    flag, whole, text = {"type": "boolean"}, {"type": "integer"}, {"type": "string"}
    label = {"type": "integer", "enum": [0, 1]}
    frame = closed({"quote": text, "turn": whole, "polarity": one_of(*POLARITIES), "subject": one_of(*SUBJECTS),
                    "window": flag, "withdrawn": flag})
    return {
        "B0": closed({"prediction": or_null(label)}),
        "B1": closed({"quote": or_null(text), "turn": or_null(whole), "subject": flag, "window": flag, "scope": flag,
                      "prediction": or_null(label)}),
        "B2": closed({"sufficient": flag, "prediction": label}),
        "M": closed({"frames": {"type": "array", "items": frame}, "state": one_of(*_STATES),
                     "polarity": or_null(one_of("positive", "negative"))}),
    }[method]


def ask_for_prediction(dialogue: Dialogue, dimension: str, instrument: Instrument, method: str) -> Request:
    """The request of a method about one cell, for :meth:`Transport.ask`. Raises KeyError for a method that is none."""
    return build(dialogue, dimension, instrument, METHODS[method], method_schema(method))


def read_prediction(
    text: str, request: Request, dialogue: Dialogue, method: str, model: str, *, stop: str = "stop",
) -> Prediction:
    """The prediction in a model's answer; an answer that fails the form, or a refusal, is `failed`, with a reason out
    of :data:`~evidial_rules.raters.validity.REASONS`.

    A method's own rule goes before what the model makes of it: a B1 prediction without a quote or with a failed check,
    and a B2 prediction on a dialogue that does not suffice, are abstentions. A B1 quote that is not the participant's
    (nor an informant's) is a failure. stop: why the model stopped, in inspect_ai's terms.
    """
    def made(status: str, prediction: int | None = None, reason: str | None = None) -> Prediction:
        return Prediction(request.dialogue_id, request.dimension, model, method, status, prediction, reason)

    if stop == "content_filter":
        return made("failed", reason="refusal")
    key = "state" if method == "M" else "prediction"
    try:
        decided = _FORMS[method].model_validate(json_object(text, key)).decided(dialogue)
    except ValidationError:
        return made("failed", reason="schema")
    except BadAnswer as bad:
        cut = stop in CUT and bad.reason in ("no_json", "empty")
        return made("failed", reason="truncated" if cut else bad.reason)
    return made("abstained") if decided is None else made("answered", decided)
