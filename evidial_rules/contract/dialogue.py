"""Dialogues and the contract's fixed names (contract, sections 1, 4 and 6)."""
from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from ..errors import DialogueError, described

CONTRACT_VERSION = 1

DIMENSIONS: tuple[str, ...] = (
    "depressed_mood",
    "anhedonia",
    "sleep",
    "fatigue",
    "appetite_weight",
    "psychomotor",
    "guilt_worthlessness",
    "concentration",
    "suicidal_ideation",
)
DIMENSION_GROUPS: dict[str, str] = {
    "depressed_mood": "affective", "anhedonia": "affective", "guilt_worthlessness": "affective",
    "suicidal_ideation": "affective", "sleep": "somatic", "fatigue": "somatic", "appetite_weight": "somatic",
    "psychomotor": "somatic", "concentration": "cognitive",
}
"""The group of each dimension: a covariate of the latent class models. The paper has groups and does not say which
dimension is in which; this is our choice."""
STATES: tuple[str, ...] = ("ABSENT", "PARTIAL", "CONFLICTING", "SUFFICIENT_POS", "SUFFICIENT_NEG")
SPEAKERS: tuple[str, ...] = ("interviewer", "participant", "informant")
LANGUAGES: tuple[str, ...] = ("en", "zh")
MAX_TURN = 2_000_000
"""Longest turn, in code points. More than that is a file read as one line, not speech."""
MAX_SCORE = 1_000_000
"""Highest score of a dimension: more is an id or a date in the wrong column."""

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def has_surrogate(text: str) -> bool:
    """Whether the text holds a lone surrogate, which no UTF-8 file can hold."""
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _clean(value: str) -> str:
    if has_surrogate(value):
        raise PydanticCustomError("surrogate", "text without lone surrogates")
    return value


class Turn(BaseModel):
    """One turn of speech.

    The text is kept as it came, control characters too, because offsets count its code points. It may be empty.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    speaker: Literal["interviewer", "participant", "informant"]
    text: str

    @field_validator("text")
    @classmethod
    def _text(cls, value: str) -> str:
        if len(value) > MAX_TURN:
            raise PydanticCustomError("long", "a turn of at most {limit} characters", {"limit": MAX_TURN})
        return _clean(value)


class Dialogue(BaseModel):
    """One dialogue, judged under one instrument (contract, section 6).

    `scores` maps a dimension to the sum of its native items, or to None where there is no label. `date` is the day of
    the interview, which "now" means; `instrument` is a name, looked up by the readers. Unknown keys are ignored.

    >>> d = Dialogue.from_dict({"dialogue_id": "d1", "language": "en", "instrument": "PHQ-8",
    ...                         "turns": [{"speaker": "participant", "text": "hello"}]})
    >>> d.turns[0].speaker
    'participant'
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    dialogue_id: str
    participant_id: str | None = None
    source: str | None = None
    language: Literal["en", "zh"]
    instrument: str
    turns: tuple[Turn, ...]
    scores: dict[str, int | float | None] | None = None
    date: datetime.date | None = None
    visit: str | int | None = None

    @field_validator("dialogue_id", "participant_id", "source", "instrument", mode="before")
    @classmethod
    def _id(cls, value: Any) -> Any:
        # Numeric ids are common in tables; they become text so that 300 and "300" are the same dialogue.
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str):
            if not value.strip():
                raise PydanticCustomError("empty", "text that is not empty")
            _clean(value)
        return value

    @field_validator("visit")
    @classmethod
    def _visit(cls, value: str | int | None) -> str | int | None:
        return _clean(value) if isinstance(value, str) else value

    @field_validator("turns", mode="before")
    @classmethod
    def _turns(cls, value: Any) -> Any:
        # Strict mode wants a tuple; JSON and Parquet give lists.
        return tuple(value) if isinstance(value, list) else value

    @field_validator("date", mode="before")
    @classmethod
    def _date(cls, value: Any) -> Any:
        if value is None or type(value) is datetime.date:
            return value
        if isinstance(value, str) and _ISO_DATE.fullmatch(value):
            try:
                return datetime.date.fromisoformat(value)
            except ValueError:
                pass
        raise PydanticCustomError("date", "a date written YYYY-MM-DD")

    @field_validator("scores")
    @classmethod
    def _scores(cls, value: dict[str, int | float | None] | None) -> dict[str, int | float | None] | None:
        for dimension, score in (value or {}).items():
            if dimension not in DIMENSIONS:
                raise PydanticCustomError(
                    "dimension", "dimensions out of {known}, found {found}",
                    {"known": ", ".join(DIMENSIONS), "found": described(dimension)},
                )
            # A comparison, because math.isfinite cannot take an integer of 400 digits.
            if score is not None and not 0 <= score <= MAX_SCORE:
                raise PydanticCustomError("score", "scores from 0 to {limit}, or null", {"limit": MAX_SCORE})
        return value

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "dialogue") -> Dialogue:
        """A dialogue from one canonical JSON object.

        Raises :class:`~evidial_rules.errors.DialogueError`, one line that starts with `where` and never holds a
        turn's text.
        """
        if not isinstance(row, Mapping):
            raise DialogueError(where=where, expected=f"a JSON object with dialogue_id, language, instrument and "
                                                      f"turns, found {described(row)}")
        try:
            return cls.model_validate(dict(row))
        except ValidationError as error:
            raise DialogueError(where=where, expected=_plain(error, row)) from None

    def to_dict(self) -> dict[str, Any]:
        """The canonical JSON object; optional keys that are not set are left out."""
        row: dict[str, Any] = {"dialogue_id": self.dialogue_id}
        for key in ("participant_id", "source"):
            if getattr(self, key) is not None:
                row[key] = getattr(self, key)
        row |= {"language": self.language, "instrument": self.instrument,
                "turns": [{"speaker": turn.speaker, "text": turn.text} for turn in self.turns]}
        if self.scores is not None:
            row["scores"] = dict(self.scores)
        if self.date is not None:
            row["date"] = self.date.isoformat()
        if self.visit is not None:
            row["visit"] = self.visit
        return row


def _plain(error: ValidationError, row: Mapping[str, Any]) -> str:
    """The first of pydantic's complaints as one plain clause, without the input's words."""
    first = error.errors(include_url=False, include_context=False, include_input=True)[0]
    path = _path(first["loc"])
    kind, found = first["type"], first["input"]
    if kind == "missing":
        return f"the key {path}"
    if kind == "literal_error":
        key = str(first["loc"][-1])
        choices = {"speaker": SPEAKERS, "language": LANGUAGES}[key]
        return f"{path} out of {', '.join(choices)}, found {described(found, key)}"
    wanted = {
        "string_type": "text", "tuple_type": "a list of turns", "dict_type": "an object", "model_type": "an object",
        "model_attributes_type": "an object", "int_type": "a number", "float_type": "a number or null",
    }
    if path == "visit" and kind in wanted:
        return f"visit to be text or a whole number, found {described(found)}"
    if kind in wanted:
        return f"{path} to be {wanted[kind]}, found {described(found)}"
    if kind == "string_unicode":
        return f"{path} to be text without lone surrogates"
    return f"{path} to be {first['msg']}"


def _path(loc: Iterable[int | str]) -> str:
    text = ""
    for part in loc:
        if isinstance(part, int) and not isinstance(part, bool):
            text += f"[{part}]"
        elif part in ("int", "float", "str"):
            continue  # a branch of a union, not a key
        else:
            # A key of `scores` is the user's own: shown only if it is one of ours.
            name = part if part in Dialogue.model_fields or part in ("speaker", "text", *DIMENSIONS) else "?"
            text += f".{name}" if text else name
    return text or "dialogue"
