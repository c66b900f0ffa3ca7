"""The four binding operations (contract, section 3), each a pure function of a frame and an instrument.

Detecting is not deciding: the frame's attributes come from a rater, the verdicts from here. Nothing is dropped; an
excluded frame keeps all four verdicts. `choices` are the contract's own decisions, as it takes them or otherwise.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from .choices import BY_CONTRACT, Choices
from .frame import ALL, BoundFrame, Effective, Frame, Verdict, covers, touches
from .instrument import Instrument

REASONS: Mapping[str, str] = MappingProxyType({
    "about-participant": "the statement is about the participant",
    "about-other": "the statement is about somebody else",
    "about-generic": "the statement is about people in general",
    "interviewer-words": "an interviewer's words are no evidence",
    "informant-words": "an informant's words are taken as no evidence",
    "in-window": "the time meets the window",
    "outside-window": "the time lies outside the window",
    "window-incomplete": "a denial that does not cover the window is an indicator",
    "asserted": "it is asserted, definitely",
    "indicator": "it bears on the dimension but settles nothing",
    "finer-denial": "it denies a part of the instrument's component only",
    "restricted-denial": "it denies for one object or occasion only",
    "outside-components": "the instrument lacks the component: an indicator of the dimension",
    "dimension-lacking": "the instrument lacks the dimension",
    "not-asserted-hypothetical": "a conditional or a wish asserts nothing",
    "not-asserted-question": "a question asserts nothing",
    "not-asserted-future": "the future, wishes and fears are not in the window",
    "not-asserted-quoted": "what somebody else might say is not asserted",
    "not-asserted-idiom": "an idiom asserts nothing",
    "not-asserted-joke": "a joke marked as such asserts nothing",
    "not-asserted-inaudible": "the key word is inaudible",
    "not-asserted-greeting": "a greeting is no evidence",
    "standing": "nobody took it back",
    "withdrawn": "the speaker took it back",
})
"""What each reason code means, in words for a reader."""


def _rule(frame: Frame, operation: str, *attributes: str) -> str:
    """The rule of the winning cue of the first attribute that has one; the last writer if there are several."""
    for attribute in attributes:
        for cue in reversed(frame.cues):
            if cue.attribute == attribute and cue.lost_to is None:
                return cue.rule
    return f"contract.{operation}"


def bind_subject(frame: Frame, instrument: Instrument, choices: Choices = BY_CONTRACT) -> Verdict:
    """Keep a frame about the participant, said by the participant or an informant."""
    if not choices.hears(frame.speaker):
        return Verdict("subject", False, f"{frame.speaker}-words", "contract.subject")
    return Verdict("subject", frame.subject == "participant", f"about-{frame.subject}",
                   _rule(frame, "subject", "subject"))


def bind_temporal(frame: Frame, instrument: Instrument, choices: Choices = BY_CONTRACT) -> Verdict:
    """Keep a frame whose interval touches the window; a denial that does not cover it is kept as an indicator."""
    frame, window = choices.read(frame, instrument), choices.window(instrument)
    rule = _rule(frame, "temporal", "time")
    if not touches(frame.time, window):
        return Verdict("temporal", False, "outside-window", rule)
    if frame.polarity == "deny" and not covers(frame.time, window):
        return Verdict("temporal", True, "window-incomplete", rule)
    return Verdict("temporal", True, "in-window", rule)


def bind_assertion(frame: Frame, instrument: Instrument, choices: Choices = BY_CONTRACT) -> Verdict:
    """Keep a frame that asserts something of a dimension that the instrument has."""
    frame = choices.read(frame, instrument)
    if not instrument.has(frame.dimension):
        return Verdict("assertion", False, "dimension-lacking", "contract.assertion")
    if frame.modality != "asserted":
        return Verdict("assertion", False, f"not-asserted-{frame.modality}", _rule(frame, "assertion", "modality"))
    reasons, attributes = [], []
    if frame.strength != "definite":
        reasons.append("indicator")
        attributes.append("strength")
    relations = [instrument.relation(frame.dimension, name) for name in frame.components]
    if frame.polarity == "affirm":
        # At least one of them, unnamed: if one alternative settles nothing, neither does the whole.
        if any(relation.kind == "indicator" for relation in relations):
            reasons.append("outside-components")
            attributes.append("components")
    else:
        if not any(relation.whole for relation in relations):
            finer = any(relation.kind == "part_of" for relation in relations)
            reasons.append("finer-denial" if finer else "outside-components")
            attributes.append("components")
        if frame.object is not None:
            reasons.append("restricted-denial")
            attributes.append("object")
    return Verdict("assertion", True, ", ".join(reasons) or "asserted",
                   _rule(frame, "assertion", *attributes, "polarity", "components"))


def bind_withdrawal(frame: Frame, instrument: Instrument, choices: Choices = BY_CONTRACT) -> Verdict:
    """Keep a frame that its speaker did not take back."""
    kept = frame.withdrawn_by is None  # turn 0 is a turn
    return Verdict("withdrawal", kept, "standing" if kept else "withdrawn", _rule(frame, "withdrawal", "withdrawn_by"))


def effective(frame: Frame, instrument: Instrument, choices: Choices = BY_CONTRACT) -> Effective:
    """The instrument's components that a frame speaks of, and its strength, after binding.

    An affirmation keeps every component that it may mean. A denial that denies some components wholly and parts of
    others counts for the whole ones.
    """
    frame = choices.read(frame, instrument)
    relations = [instrument.relation(frame.dimension, name) for name in frame.components]
    strength = frame.strength
    if frame.polarity == "deny":
        whole = [relation for relation in relations if relation.whole]
        if not whole or frame.object is not None or not covers(frame.time, choices.window(instrument)):
            strength = "indicator"
        relations = whole or relations
    elif any(relation.kind == "indicator" for relation in relations):
        strength = "indicator"
    if ALL in frame.components:
        return Effective((ALL,), strength)
    targets = {target for relation in relations for target in relation.targets}
    return Effective(tuple(name for name in instrument.components(frame.dimension) if name in targets), strength)


def reassign(frame: Frame, instrument: Instrument) -> tuple[Frame, ...]:
    """The frame with its components in the dimensions where the instrument has them (contract, "Slowness").

    Usually the frame itself. Where only some of the components move, the frame is split, its own dimension first; an
    affirmation that is split says no longer in which dimension the symptom lies, so each piece is an indicator.
    """
    homes: dict[str, list[str]] = {}
    moved = False
    for name in frame.components:
        dimension, component = instrument.reassigned(frame.dimension, name)
        moved = moved or dimension != frame.dimension or component != name
        homes.setdefault(dimension, []).append(component)
    if not moved:
        return (frame,)
    strength = "indicator" if len(homes) > 1 and frame.polarity == "affirm" else frame.strength
    pieces = []
    for dimension in sorted(homes, key=lambda name: (name != frame.dimension, name)):
        suffix = f".{dimension}" if pieces else ""  # the first piece keeps the id, which retractions may name
        pieces.append(frame.replace(id=frame.id + suffix, dimension=dimension, strength=strength,
                                    components=tuple(dict.fromkeys(homes[dimension]))))
    return tuple(pieces)


def bind(frame: Frame, instrument: Instrument, choices: Choices = BY_CONTRACT) -> BoundFrame:
    """The four verdicts on a frame, in order, and what the projection may use of it. Never raises on a valid frame.

    The bound frame holds the frame as it was detected, whatever the `choices`: they show in its verdicts and in what is
    effective. A frame that :func:`reassign` splits is bound in its first piece; :func:`bind_all` binds every piece.
    """
    return _bind(reassign(frame, instrument)[0], instrument, choices)


def bind_all(
    frames: Iterable[Frame], instrument: Instrument, choices: Choices = BY_CONTRACT,
) -> tuple[BoundFrame, ...]:
    """Every frame bound, split first where the instrument has its components in several dimensions."""
    return tuple(_bind(piece, instrument, choices) for frame in frames for piece in reassign(frame, instrument))


def _bind(frame: Frame, instrument: Instrument, choices: Choices) -> BoundFrame:
    verdicts = (bind_subject(frame, instrument, choices), bind_temporal(frame, instrument, choices),
                bind_assertion(frame, instrument, choices), bind_withdrawal(frame, instrument, choices))
    return BoundFrame(frame, verdicts, all(verdict.kept for verdict in verdicts),
                      effective(frame, instrument, choices))
