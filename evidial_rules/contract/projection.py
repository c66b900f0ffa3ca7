"""From surviving frames to K(u) and the state (contract, sections 2 "Restricted denials" and 4)."""
from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from .binding import bind
from .choices import BY_CONTRACT, Choices
from .frame import ALL, BoundFrame, Frame, covers
from .instrument import Instrument


@dataclass(frozen=True, slots=True)
class Projection:
    """What the surviving frames of one cell say.

    `k` holds the target values compatible with the evidence, sorted: `()`, `(0,)`, `(1,)` or `(0, 1)`. `pos` are the
    components affirmed definitely; an unnamed one is written with its alternatives ("onset|maintenance", or "ALL").
    `neg` are the components denied definitely over the whole window, and `coverage` the share of the instrument's
    components that they make up (0 to 1). `conflict` are the entries of `pos` that are denied as well.
    """

    k: tuple[int, ...]
    state: str
    pos: tuple[str, ...]
    neg: tuple[str, ...]
    coverage: float
    conflict: tuple[str, ...] = ()


@dataclass(slots=True)
class _Denied:
    """What is denied for one object (or without one): whole components, and the very names that were used."""

    components: set[str]
    names: set[str]


def project(
    frames: Iterable[BoundFrame | Frame], instrument: Instrument, dimension: str, choices: Choices = BY_CONTRACT,
) -> Projection:
    """The state of one cell, a function of the frames of `dimension` that survived binding. Order does not matter.

    Frames that are not bound yet are bound; those that are have to be bound under the same `choices`. An affirmation of
    several components means at least one of them: it conflicts only if every one of them is denied. Denials of
    components add up; times, restricted objects and finer parts never do, but a denial of the very name (and object)
    that was affirmed conflicts with that affirmation.
    """
    bound = [frame if isinstance(frame, BoundFrame) else bind(frame, instrument, choices) for frame in frames]
    survivors = [frame for frame in bound if frame.kept and frame.dimension == dimension]
    components = instrument.components(dimension)
    if not survivors:
        return Projection((0, 1), "ABSENT", (), (), 0.0)

    affirmed = [b for b in survivors if b.frame.polarity == "affirm" and b.effective.strength == "definite"]
    denials = [frame for frame in (choices.read(b.frame, instrument) for b in survivors if b.frame.polarity == "deny")
               if frame.strength == "definite" and covers(frame.time, choices.window(instrument))]
    denied: dict[str | None, _Denied] = {}
    for denial in denials:
        place = denied.setdefault(_key(denial.object), _Denied(set(), set()))
        place.names.update(denial.components)
        for name in denial.components:
            relation = instrument.relation(dimension, name)
            if relation.whole:
                place.components.update(relation.targets)
    neg = denied[None].components if None in denied else set()

    def contradicted(frame: Frame) -> bool:
        places = [denied[key] for key in {None, _key(frame.object)} if key in denied]
        gone = set().union(*(place.components for place in places))
        named = set().union(*(place.names for place in places))
        return all(name in named or gone.issuperset(instrument.relation(dimension, name).targets)
                   for name in frame.components)

    pos = {_label(b, components): None for b in affirmed}
    conflict = {_label(b, components): None for b in affirmed if contradicted(b.frame)}
    if conflict:
        k, state = (), "CONFLICTING"
    elif pos:
        k, state = (1,), "SUFFICIENT_POS"
    elif neg.issuperset(components):
        k, state = (0,), "SUFFICIENT_NEG"
    else:
        k, state = (0, 1), "PARTIAL"
    return Projection(k, state, tuple(sorted(pos)), tuple(name for name in components if name in neg),
                      len(neg) / len(components), tuple(sorted(conflict)))


def _label(bound: BoundFrame, components: tuple[str, ...]) -> str:
    names = bound.effective.components
    if len(components) > 1 and len(names) == len(components):
        return ALL
    return components[0] if names == (ALL,) and len(components) == 1 else "|".join(names)


def _key(restriction: str | None) -> str | None:
    # Width and case are the transcriber's, not the speaker's.
    return None if restriction is None else " ".join(unicodedata.normalize("NFKC", restriction).casefold().split())
