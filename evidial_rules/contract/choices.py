"""The contract's own decisions as named switches: what a state hangs on where the paper is silent.

The contract marks with "(ours)" what its authors decided. Six of these decisions can be taken otherwise here, so that
what hangs on each can be measured. A frame holds what was detected and why (its cues, :data:`GROUNDS`); the choices
say how it counts. So a cell is judged anew from its frames alone, without the text (:meth:`Cell.under`).
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from ..errors import ChoiceError, shown
from .frame import ALL, Frame, Interval
from .instrument import Instrument

CHOICES: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "window_edge": MappingProxyType({
        "last_day_in": "a window of W days is [0, W + 1): W days ago lies in it (section 2, Days are whole)",
        "last_day_out": "a window of W days is [0, W): W days ago lies outside",
    }),
    "hedges": MappingProxyType({
        "indicator": "a hedged affirmation is an indicator, whatever the word of doubt (section 2, Indicators)",
        "listed": "it is an indicator by the words that section 2 lists under Indicators (maybe, I guess, might, not "
                  "sure, 可能), definite by any other (probably, I suppose, perhaps, 也许, 大概)",
        "definite": "it is definite",
    }),
    "weak_denials": MappingProxyType({
        "indicator": "a weak denial is an indicator: not really, I guess not, okay, the usual tiredness, 不太, 还行 "
                     "(section 2, Indicators, and How good is good)",
        "definite": "it is definite",
    }),
    "topic_word": MappingProxyType({
        "all": "a denial by the dimension's topic word is of ALL components (section 2, The topic itself)",
        "indicator": "it denies no component: an indicator, where the instrument has more than one. An affirmation by "
                     "the topic word stays definite",
    }),
    "informants": MappingProxyType({
        "evidence": "a relative's words about the participant are evidence (section 2)",
        "no_evidence": "they are none, like an interviewer's",
    }),
    "last_week": MappingProxyType({
        "past_seven_days": "last week is the past 7 days, [0, 8) (section 3, Temporal)",
        "calendar_week": "it is the calendar week before this one, whatever today is: [7, 15)",
    }),
})
"""The switches, and what each of their values decides; the contract's own value comes first and is the default."""

CALENDAR_WEEK = Interval(15, 7)
"""Last week as a calendar week. Whatever today is, it lies between 7 and 14 days ago for the most part."""
LAST_WEEK = "contract.last_week"
"""What a cue of the time has lost to that takes "last week" as the calendar week."""

_HEDGES = frozenset({"hedge", "doubt"})
_WEAK = frozenset({"hedge", "doubt", "weak", "passable"})
# The grounds that a value takes away, of an affirmation and of a denial: what has no other is definite under it.
_LIFTED: Mapping[str, Mapping[str, frozenset[str]]] = {
    "affirm": {"indicator": frozenset(), "listed": frozenset({"doubt"}), "definite": _HEDGES},
    "deny": {"indicator": frozenset(), "definite": _WEAK},
}
_OF_STRENGTH = frozenset({"topic"})  # the grounds that say nothing of strength


@dataclass(frozen=True, slots=True)
class Choices:
    """How the contract's own decisions are taken, by default as it takes them. :data:`CHOICES` has the values.

    They decide on frames as they were detected. What was not detected under the contract's decision (a denial that a
    hedge kept from being read further) is not found under another one, and a frame whose cues do not say why it is an
    indicator stays one.

    Raises :class:`~evidial_rules.errors.ChoiceError` for a value that a switch does not have.

    >>> Choices().changed, Choices(hedges="definite").changed
    ({}, {'hedges': 'definite'})
    """

    window_edge: str = "last_day_in"
    hedges: str = "indicator"
    weak_denials: str = "indicator"
    topic_word: str = "all"
    informants: str = "evidence"
    last_week: str = "past_seven_days"

    def __post_init__(self) -> None:
        for name in CHOICES:
            _check(name, getattr(self, name), "choices")

    @classmethod
    def from_dict(cls, row: Any, *, where: str = "choices") -> Choices:
        """The choices of a JSON object; what it does not name is as the contract has it. Raises ChoiceError."""
        if not isinstance(row, Mapping):
            raise ChoiceError(where=where, expected=f"an object, found {shown(row)}")
        for name in row:
            if name not in CHOICES:
                raise ChoiceError(where=where, expected=f"some of {', '.join(CHOICES)}, found {shown(name)}")
            _check(name, row[name], where)
        return cls(**row)

    @classmethod
    def alternatives(cls) -> Iterator[tuple[str, str, Choices]]:
        """(switch, value, choices) for every value that is not the contract's, all other switches as they are.

        >>> [f"{name}={value}" for name, value, _ in Choices.alternatives()][:3]
        ['window_edge=last_day_out', 'hedges=listed', 'hedges=definite']
        """
        for name, known in CHOICES.items():
            for value in list(known)[1:]:
                yield name, value, cls(**{name: value})

    @property
    def changed(self) -> dict[str, str]:
        """The switches that are not as the contract has them, with their values."""
        return {field.name: getattr(self, field.name) for field in fields(self)
                if getattr(self, field.name) != field.default}

    def window(self, instrument: Instrument) -> int:
        """W for :func:`touches` and :func:`covers`, whose window is [0, W + 1) days before now."""
        return instrument.window_days - (self.window_edge == "last_day_out")

    def hears(self, speaker: str) -> bool:
        """Whether the speaker's words about the participant are evidence."""
        return speaker == "participant" or speaker == "informant" and self.informants == "evidence"

    def read(self, frame: Frame, instrument: Instrument) -> Frame:
        """The frame as these choices count it: its strength and its time, by what its cues say of why they are so.

        The frame itself where nothing hangs on a choice. Raises FrameError for a cue of the time that holds none.
        """
        if self is BY_CONTRACT or self == BY_CONTRACT:
            return frame
        strength, time = frame.strength, frame.time
        if strength == "indicator":
            switch = self.hedges if frame.polarity == "affirm" else self.weak_denials
            grounds = _grounds(frame) - _OF_STRENGTH
            if grounds and grounds <= _LIFTED[frame.polarity][switch]:
                strength = "definite"
        if (
            self.topic_word == "indicator" and frame.polarity == "deny" and frame.components == (ALL,)
            and "topic" in _grounds(frame) and len(instrument.components(frame.dimension)) > 1
        ):
            strength = "indicator"
        if self.last_week == "calendar_week":
            for cue in frame.cues:
                if cue.attribute == "time" and cue.lost_to == LAST_WEEK:
                    time = cue.value if isinstance(cue.value, Interval) else Interval.from_dict(cue.value)
        if strength == frame.strength and time is frame.time:
            return frame
        return frame.replace(strength=strength, time=time)


def _check(name: str, value: Any, where: str) -> None:
    known = CHOICES[name]
    if not isinstance(value, str) or value not in known:
        raise ChoiceError(where=f"{where}.{name}", expected=f"one of {', '.join(known)}, found {shown(value)}")


def _grounds(frame: Frame) -> set[str]:
    return {str(cue.value) for cue in frame.cues if cue.attribute == "ground" and cue.lost_to is None}


BY_CONTRACT = Choices()
"""Every decision as the contract takes it."""
