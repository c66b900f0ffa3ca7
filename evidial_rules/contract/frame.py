"""Frames and what is said about them: cues, intervals, verdicts (contract, section 2; interface, "A frame").

The values here are frozen and cheap to build. Building one does not check its words; :meth:`Frame.from_dict` does,
for frames that come from a file or from a model's answer.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..errors import FrameError, shown
from .dialogue import DIMENSIONS, SPEAKERS

ALL = "ALL"
POLARITIES: tuple[str, ...] = ("affirm", "deny")
STRENGTHS: tuple[str, ...] = ("definite", "indicator")
SUBJECTS: tuple[str, ...] = ("participant", "other", "generic")
OPERATIONS: tuple[str, ...] = ("subject", "temporal", "assertion", "withdrawal")
MODALITIES: tuple[str, ...] = (
    "asserted", "hypothetical", "question", "future", "quoted", "idiom", "joke", "inaudible", "greeting",
)
"""What kind of statement the words make; only `asserted` is evidence (contract, section 3.3)."""
GROUNDS: Mapping[str, str] = MappingProxyType({
    "hedge": "indicator: a word of doubt that the contract lists (maybe, I guess, might, not sure, 可能)",
    "doubt": "indicator: another word or particle of doubt (probably, I suppose, 也许, 吧)",
    "weak": "indicator: denied weakly, in amount, frequency or certainty (not really, I don't think so, 不太)",
    "passable": "indicator: only good enough, or a normal amount (okay, not bad, the usual tiredness, 还行)",
    "no_direction": "indicator: without a clear direction (so-so, it depends, I don't know)",
    "change": "indicator: a change without a level (better than before)",
    "proxy": "indicator: a proxy (sleeping pills, a diagnosis, others say so)",
    "near": "indicator: below the threshold, or well-being at large",
    "restricted": "indicator: of one object, occasion or part only",
    "cause": "indicator: denied of the effect of one cause that was asked about",
    "ever": "indicator: affirmed of the whole life that was asked about",
    "when": "indicator: a habitual when-clause",
    "reason": "indicator: given up for another reason than want of interest",
    "elation": "indicator: spirits or energy set against the elation that was asked about",
    "topic": "ALL: by the topic itself, and not by naming every component",
})
"""Why a frame is an indicator or of ALL components: the values of its cues of the attribute `ground`.

The contract's choices ask for them (:class:`~evidial_rules.contract.Choices`). An indicator can have several; a frame
of a rater that gives no such cues has none, and then no choice changes its strength.
"""

COMPONENTS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "depressed_mood": ("low_mood", "hopelessness", "crying"),
    "anhedonia": ("interest", "pleasure", "activity"),
    "sleep": ("onset", "maintenance", "early_waking", "insomnia", "hypersomnia"),
    "fatigue": ("energy", "tiredness"),
    "appetite_weight": ("appetite_loss", "overeating", "weight_loss", "weight_gain"),
    "psychomotor": ("retardation", "agitation", "slowed_thinking"),
    "guilt_worthlessness": ("guilt", "worthlessness"),
    "concentration": ("concentration", "indecision"),
    "suicidal_ideation": ("death_wish", "suicidal_thoughts"),
})
"""The fine inventory: what a frame may name, whatever the instrument (contract, section 1).

`insomnia` is a coarser name over onset, maintenance and early_waking, and `slowed_thinking` moves between dimensions;
the instrument says how each of these counts.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """A stretch of whole days before now, half-open.

    Day `d` before now lies in the interval iff `to <= d < from_`. `from_` is the older end and None is an unbounded
    past; `to` is the nearer end, and None is unbounded on the side of now, the future included. "yesterday" is
    `Interval(2, 1)`, "two weeks ago" `Interval(15, 14)`, "the past 7 days" `Interval(8, 0)`, "before last month"
    `Interval(None, 30)`. `Interval()` is `unspecified`: the whole window. The future has both ends at or below zero:
    "tomorrow" is `Interval(0, -1)`.

    `stated` says whether the words themselves gave a time.

    Raises :class:`~evidial_rules.errors.FrameError` if the older end is not older than the nearer one.

    >>> Interval(2, 1).to_dict()
    {'from': 2, 'to': 1, 'stated': True}
    >>> Interval().unspecified
    True
    """

    from_: int | None = None
    to: int | None = None
    stated: bool | None = None

    def __post_init__(self) -> None:
        if self.from_ is not None and self.to is not None and self.from_ <= self.to:
            raise FrameError(where="time", expected="`from` (the older end) to be above `to` (the nearer end)")
        if self.stated is None:
            object.__setattr__(self, "stated", not self.unspecified)

    @property
    def start(self) -> int | None:
        """The nearer bound, included, in days before now; None is unbounded."""
        return self.to

    @property
    def end(self) -> int | None:
        """The older bound, excluded, in days before now; None is unbounded."""
        return self.from_

    @property
    def unspecified(self) -> bool:
        """Whether no bound is known at all."""
        return self.from_ is None and self.to is None

    def to_dict(self) -> dict[str, Any]:
        """`{"from": days|null, "to": days|null, "stated": bool}`."""
        return {"from": self.from_, "to": self.to, "stated": bool(self.stated)}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "time") -> Interval:
        """The interval of a JSON object; raises FrameError."""
        _object(row, where)
        ends = {}
        for key in ("from", "to"):
            value = row.get(key)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise FrameError(where=f"{where}.{key}", expected=f"whole days or null, found {shown(value)}")
            ends[key] = value
        stated = row.get("stated")
        if stated is not None and not isinstance(stated, bool):
            raise FrameError(where=f"{where}.stated", expected=f"true or false, found {shown(stated)}")
        if ends["from"] is not None and ends["to"] is not None and ends["from"] <= ends["to"]:
            raise FrameError(where=where, expected="`from` (the older end) to be above `to` (the nearer end)")
        return cls(ends["from"], ends["to"], stated)


UNSPECIFIED = Interval(None, None, False)


def touches(interval: Interval, window_days: int) -> bool:
    """Whether any day of the interval lies in the window [0, window_days + 1).

    >>> touches(Interval(15, 14), 14), touches(Interval(16, 15), 14), touches(Interval(0, -1), 14)
    (True, False, False)
    """
    return (interval.to is None or interval.to <= window_days) and (interval.from_ is None or interval.from_ > 0)


def covers(interval: Interval, window_days: int) -> bool:
    """Whether every day of the window [0, window_days + 1) lies in the interval.

    >>> covers(Interval(15, 0), 14), covers(Interval(14, 0), 14), covers(Interval(15, 1), 14), covers(UNSPECIFIED, 14)
    (True, False, False, True)
    """
    return (interval.to is None or interval.to <= 0) and (interval.from_ is None or interval.from_ > window_days)


@dataclass(frozen=True, slots=True)
class Cue:
    """What set one attribute of a frame: the words (a span in a turn) and the rule that fired.

    `lost_to` is the rule that beat this one where two cues compete; None is the cue that won. `attribute` is one of the
    frame's, or `ground` (:data:`GROUNDS`): why its strength or its components are as they are.
    """

    attribute: str
    value: Any
    rule: str
    turn: int
    start: int
    end: int
    lost_to: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface."""
        return {"attribute": self.attribute, "value": _jsonable(self.value), "rule": self.rule, "turn": self.turn,
                "start": self.start, "end": self.end, "lost_to": self.lost_to}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "cue") -> Cue:
        """The cue of a JSON object; raises FrameError."""
        _object(row, where)
        lost_to = row.get("lost_to")
        if lost_to is not None:
            lost_to = _text(row, "lost_to", where)
        start, end = _span(row, where)
        return cls(_text(row, "attribute", where), row.get("value"), _text(row, "rule", where),
                   _count(row, "turn", where), start, end, lost_to)


@dataclass(frozen=True, slots=True)
class Frame:
    """One statement bearing on one dimension (contract, section 2).

    `components` are fine components (:data:`COMPONENTS`) or `("ALL",)`. An affirmation of several means at least one
    of them, unnamed; a denial of several denies each. `turn` counts from 0; `start` and `end` are code points in that
    turn's own text, half-open. `withdrawn_by` is the id of the frame, or the number of the turn, that retracted it.
    `object` restricts the statement to one object or occasion ("the children", "work").
    """

    id: str
    dimension: str
    components: tuple[str, ...]
    polarity: str
    strength: str = "definite"
    subject: str = "participant"
    time: Interval = UNSPECIFIED
    withdrawn_by: str | int | None = None
    turn: int = 0
    start: int = 0
    end: int = 0
    quote: str = ""
    speaker: str = "participant"
    cues: tuple[Cue, ...] = ()
    modality: str = "asserted"
    object: str | None = None

    def replace(self, **changes: Any) -> Frame:
        """A copy with some attributes set anew."""
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface, and `modality` and `object`."""
        return {
            "id": self.id, "dimension": self.dimension, "components": list(self.components),
            "polarity": self.polarity, "strength": self.strength, "subject": self.subject,
            "time": self.time.to_dict(), "withdrawn_by": self.withdrawn_by, "turn": self.turn, "start": self.start,
            "end": self.end, "quote": self.quote, "speaker": self.speaker, "modality": self.modality,
            "object": self.object, "cues": [cue.to_dict() for cue in self.cues],
        }

    @classmethod
    def from_dict(
        cls, row: Mapping[str, Any], *, inventory: Mapping[str, Collection[str]] = COMPONENTS, where: str = "frame",
    ) -> Frame:
        """The frame of a JSON object, checked word by word.

        `inventory` says which components a dimension may name (pass :meth:`Instrument.inventory` for an instrument
        with components of its own). Keys that binding adds (verdicts, kept, effective) and unknown keys are ignored.
        Raises :class:`~evidial_rules.errors.FrameError`, which names the key and never holds the quote.
        """
        _object(row, where)
        dimension = _choice(row, "dimension", DIMENSIONS, where)
        known = inventory.get(dimension, ())
        names = row.get("components")
        if not isinstance(names, (list, tuple)) or not names:
            raise FrameError(where=f"{where}.components", expected=f"a list of components, found {shown(names)}")
        for name in names:
            if not isinstance(name, str) or (name != ALL and name not in known):
                raise FrameError(where=f"{where}.components",
                                 expected=f"ALL or some of {', '.join(known)}, found {shown(name)}")
        if ALL in names and len(set(names)) > 1:
            raise FrameError(where=f"{where}.components", expected="ALL to stand alone")
        withdrawn = row.get("withdrawn_by")
        turn_number = isinstance(withdrawn, int) and not isinstance(withdrawn, bool) and withdrawn >= 0
        if withdrawn is not None and not turn_number and not (isinstance(withdrawn, str) and withdrawn):
            raise FrameError(where=f"{where}.withdrawn_by",
                             expected=f"a frame's id, a turn's number or null, found {shown(withdrawn)}")
        restriction = row.get("object")
        if restriction is not None and not isinstance(restriction, str):
            raise FrameError(where=f"{where}.object", expected=f"text or null, found {shown(restriction)}")
        quote = row.get("quote", "")
        if not isinstance(quote, str):
            raise FrameError(where=f"{where}.quote", expected=f"text, found {shown(quote)}")
        cues = row.get("cues") or ()
        if not isinstance(cues, (list, tuple)):
            raise FrameError(where=f"{where}.cues", expected=f"a list, found {shown(cues)}")
        time = row.get("time")
        start, end = _span(row, where)
        return cls(
            id=_text(row, "id", where),
            dimension=dimension,
            components=tuple(dict.fromkeys(names)),
            polarity=_choice(row, "polarity", POLARITIES, where),
            strength=_choice(row, "strength", STRENGTHS, where, "definite"),
            subject=_choice(row, "subject", SUBJECTS, where, "participant"),
            time=UNSPECIFIED if time is None else Interval.from_dict(time, where=f"{where}.time"),
            withdrawn_by=withdrawn,
            turn=_count(row, "turn", where),
            start=start,
            end=end,
            quote=quote,
            speaker=_choice(row, "speaker", SPEAKERS, where, "participant"),
            cues=tuple(Cue.from_dict(cue, where=f"{where}.cues[{i}]") for i, cue in enumerate(cues)),
            modality=_choice(row, "modality", MODALITIES, where, "asserted"),
            object=restriction,
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one binding operation decided of one frame.

    `reason` is a short code, explained in :data:`evidial_rules.contract.REASONS`; several are joined by ", ".
    `rule` is the rule of the cue that set the attribute, else `contract.<operation>`.
    """

    operation: str
    kept: bool
    reason: str
    rule: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface."""
        return {"operation": self.operation, "kept": self.kept, "reason": self.reason, "rule": self.rule}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "verdict") -> Verdict:
        """The verdict of a JSON object; raises FrameError."""
        _object(row, where)
        return cls(_choice(row, "operation", OPERATIONS, where), _flag(row, "kept", where),
                   _text(row, "reason", where), _text(row, "rule", where))


@dataclass(frozen=True, slots=True)
class Effective:
    """What the projection uses of a frame: the instrument's components (or ALL) and the strength after binding."""

    components: tuple[str, ...]
    strength: str

    def to_dict(self) -> dict[str, Any]:
        """`{"components": [...], "strength": ...}`."""
        return {"components": list(self.components), "strength": self.strength}


@dataclass(frozen=True, slots=True)
class BoundFrame:
    """A frame with the verdicts of the four operations; excluded frames stay, with `kept` false."""

    frame: Frame
    verdicts: tuple[Verdict, ...]
    kept: bool
    effective: Effective

    @property
    def dimension(self) -> str:
        """The frame's dimension."""
        return self.frame.dimension

    @property
    def excluded_by(self) -> str | None:
        """The first operation that excluded the frame, or None."""
        return next((verdict.operation for verdict in self.verdicts if not verdict.kept), None)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface: the frame's keys, verdicts, kept, effective."""
        return self.frame.to_dict() | {
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "kept": self.kept,
            "effective": self.effective.to_dict(),
        }

    @classmethod
    def from_dict(
        cls, row: Mapping[str, Any], *, inventory: Mapping[str, Collection[str]] = COMPONENTS, where: str = "frame",
    ) -> BoundFrame:
        """The bound frame of a cell that was written; nothing is bound anew. Raises FrameError."""
        frame = Frame.from_dict(row, inventory=inventory, where=where)
        verdicts = row.get("verdicts")
        if not isinstance(verdicts, (list, tuple)):
            raise FrameError(where=f"{where}.verdicts", expected=f"a list, found {shown(verdicts)}")
        effective = _object(row.get("effective"), f"{where}.effective")
        names = effective.get("components")
        if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
            raise FrameError(where=f"{where}.effective.components", expected="a list of names")
        return cls(
            frame,
            tuple(Verdict.from_dict(v, where=f"{where}.verdicts[{i}]") for i, v in enumerate(verdicts)),
            _flag(row, "kept", where),
            Effective(tuple(names), _choice(effective, "strength", STRENGTHS, f"{where}.effective")),
        )


def _jsonable(value: Any) -> Any:
    if isinstance(value, Interval):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [_jsonable(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(_jsonable(item) for item in value)
    return value


def _object(row: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise FrameError(where=where, expected=f"an object, found {shown(row)}")
    return row


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise FrameError(where=f"{where}.{key}", expected=f"text, found {shown(value)}")
    return value


def _flag(row: Mapping[str, Any], key: str, where: str) -> bool:
    value = row.get(key)
    if not isinstance(value, bool):
        raise FrameError(where=f"{where}.{key}", expected=f"true or false, found {shown(value)}")
    return value


def _count(row: Mapping[str, Any], key: str, where: str) -> int:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FrameError(where=f"{where}.{key}", expected=f"a whole number from 0, found {shown(value)}")
    return value


def _span(row: Mapping[str, Any], where: str) -> tuple[int, int]:
    start, end = _count(row, "start", where), _count(row, "end", where)
    if end < start:
        raise FrameError(where=f"{where}.end", expected="an end at or after start")
    return start, end


def _choice(
    row: Mapping[str, Any], key: str, choices: tuple[str, ...], where: str, default: str | None = None,
) -> str:
    value = row.get(key, default)
    if not isinstance(value, str) or value not in choices:
        raise FrameError(where=f"{where}.{key}", expected=f"one of {', '.join(choices)}, found {shown(value)}")
    return value
