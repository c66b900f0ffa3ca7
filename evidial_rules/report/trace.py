"""What a trace shows of one cell, worked out once for the terminal and for the web page."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ..contract import (
    ALL,
    CONTRACT_VERSION,
    REASONS,
    STATES,
    BoundFrame,
    Cell,
    Cue,
    Dialogue,
    Instrument,
    Interval,
    Projection,
    project,
)

MEANINGS: Mapping[str, str] = {
    "ABSENT": "no evidence about the participant inside the window",
    "PARTIAL": "evidence that settles nothing: both answers stay possible",
    "CONFLICTING": "definite evidence for and against the same thing, nothing taken back",
    "SUFFICIENT_POS": "a component is affirmed definitely",
    "SUFFICIENT_NEG": "every component is denied definitely, over the whole window",
}
"""What each state says of the evidence."""
assert set(MEANINGS) == set(STATES)


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a turn, half-open in code points. `role` is affirm, deny, indicator, excluded or cue.

    `says` is what the mark means, in a word or two: what becomes of the frame, or what the cue sets.
    """

    start: int
    end: int
    label: str
    role: str
    says: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text under the same marks."""

    text: str
    marks: tuple[Mark, ...] = ()

    @property
    def label(self) -> str:
        """The labels of its marks, each once."""
        return " ".join(dict.fromkeys(mark.label for mark in self.marks))

    @property
    def says(self) -> str:
        """Its labels with what each says: `f1 affirms, f2 withdrawn in turn 9`."""
        words = {f"{mark.label} {mark.says}".strip(): None for mark in self.marks}
        return ", ".join(words)

    @property
    def role(self) -> str | None:
        """The role of its strongest mark."""
        roles = [mark.role for mark in self.marks]
        return min(roles, key=_ROLES.index) if roles else None


_ROLES = ("affirm", "deny", "indicator", "excluded", "cue")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which frames speak of one component: definitely for it, definitely against it all through the window, or less."""

    component: str
    affirmed: tuple[str, ...]
    denied: tuple[str, ...]
    indicated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """One cell with everything that led to its state."""

    dialogue: Dialogue
    instrument: Instrument
    cell: Cell
    projection: Projection

    @classmethod
    def of(cls, dialogue: Dialogue, cell: Cell, instrument: Instrument) -> Trace:
        """The trace of a judged cell."""
        return cls(dialogue, instrument, cell, project(cell.frames, instrument, cell.dimension, cell.choices))

    @property
    def provenance(self) -> str:
        """Versions of the contract and of the rule set."""
        ruleset = self.cell.ruleset
        rules = f"{ruleset['name']} {ruleset['version']}" if ruleset else "not stated"
        return f"contract {self.cell.contract or CONTRACT_VERSION} · rule set {rules}"

    @property
    def window(self) -> str:
        """The instrument and its window in words."""
        return f"{self.instrument.name}, the last {self.instrument.window_days} days"

    @property
    def k(self) -> str:
        """K(u) as a set."""
        return "{" + ", ".join(map(str, self.cell.k)) + "}"

    def marks(self) -> dict[int, list[Mark]]:
        """The marked stretches of each turn: quotes of the frames, and cues that lie outside of them."""
        places: dict[int, list[Mark]] = {}
        for bound in self.cell.frames:
            frame = bound.frame
            mark = Mark(frame.start, frame.end, frame.id, role(bound), becomes(bound))
            places.setdefault(frame.turn, []).append(mark)
            for cue in frame.cues:
                inside = cue.turn == frame.turn and frame.start <= cue.start and cue.end <= frame.end
                if cue.attribute == "ground":
                    continue  # at the same place as the cue of the strength or the components that it explains
                if cue.lost_to is None and not inside and cue.end > cue.start:
                    places.setdefault(cue.turn, []).append(
                        Mark(cue.start, cue.end, f"{frame.id}:{cue.attribute}", "cue"))
        return places

    def coverage(self) -> list[Coverage]:
        """One row for each component of the instrument, and one for what bears on none of them by name."""
        rows = []
        kept = [bound for bound in self.cell.frames if bound.kept]
        for component in self.instrument.components(self.cell.dimension):
            about = [b for b in kept if component in b.effective.components or ALL in b.effective.components]
            rows.append(_coverage(component, about))
        rest = [bound for bound in kept if not bound.effective.components]
        if rest:
            rows.append(_coverage("(dimension)", rest))
        return rows


def _coverage(name: str, frames: Iterable[BoundFrame]) -> Coverage:
    groups: dict[str, list[str]] = {"affirm": [], "deny": [], "indicator": []}
    for bound in frames:
        groups[role(bound)].append(bound.frame.id)
    return Coverage(name, tuple(groups["affirm"]), tuple(groups["deny"]), tuple(groups["indicator"]))


def role(bound: BoundFrame) -> str:
    """What a frame does for the state: affirm, deny, indicator or excluded."""
    if not bound.kept:
        return "excluded"
    return bound.frame.polarity if bound.effective.strength == "definite" else "indicator"


def becomes(bound: BoundFrame) -> str:
    """What becomes of a frame, in a word or two: affirms, denies, indicates, or what excluded it (and for a withdrawal,
    where it was taken back)."""
    if bound.kept:
        return {"affirm": "affirms", "deny": "denies", "indicator": "indicates"}[role(bound)]
    by = bound.frame.withdrawn_by
    if bound.excluded_by == "withdrawal" and by is not None:
        return f"withdrawn in turn {by}" if isinstance(by, int) else f"withdrawn by {by}"
    return f"excluded: {bound.excluded_by}"


def pieces(text: str, marks: Iterable[Mark]) -> list[Piece]:
    """The text cut where a mark starts or ends, each piece with the marks over it; joined, they give the text.

    >>> [(p.text, p.label) for p in pieces("no trouble", [Mark(0, 2, "f1", "cue"), Mark(0, 10, "f2", "deny")])]
    [('no', 'f1 f2'), (' trouble', 'f2')]
    """
    marks = [mark for mark in marks if 0 <= mark.start < mark.end <= len(text)]
    starts: dict[int, list[Mark]] = {}
    for mark in marks:
        starts.setdefault(mark.start, []).append(mark)
    edges = sorted({0, len(text), *starts, *(mark.end for mark in marks)})
    out: list[Piece] = []
    over: list[Mark] = []
    for start, end in pairwise(edges):
        over = [mark for mark in over if mark.end > start] + starts.get(start, [])
        out.append(Piece(text[start:end], tuple(over)))
    return out


def said(bound: BoundFrame) -> str:
    """The attributes that were detected, in a line."""
    frame = bound.frame
    parts = [f"{frame.polarity} {', '.join(frame.components)}", frame.strength, f"about {frame.subject}",
             f"time {time(frame.time)}"]
    if frame.modality != "asserted":
        parts.append(frame.modality)
    if frame.object is not None:
        parts.append(f"only for \u201c{visible(frame.object)}\u201d")
    if isinstance(frame.withdrawn_by, int):
        parts.append(f"taken back in turn {frame.withdrawn_by}")
    elif frame.withdrawn_by is not None:
        parts.append(f"taken back by {frame.withdrawn_by}")
    return "; ".join(parts)


def counts(bound: BoundFrame) -> str:
    """What the projection used of a frame, in a line."""
    if not bound.kept:
        return "does not count"
    return f"counts as {', '.join(bound.effective.components) or 'no component by name'} ({bound.effective.strength})"


def reason(code: str) -> str:
    """A verdict's reason in words."""
    return "; ".join(REASONS.get(part, part) for part in code.split(", "))


def time(interval: Interval) -> str:
    """An interval in words, days before now.

    >>> time(Interval(8, 0, True)), time(Interval(2, 1, True)), time(Interval())
    ('days 0-7', 'day 1', 'unspecified')
    """
    older, nearer = interval.from_, interval.to
    if older is None and nearer is None:
        return "any time" if interval.stated else "unspecified"
    if nearer is not None and older is not None and older <= 0:
        return "the future"
    if older is None:
        return f"day {nearer} and before"
    if nearer is None:
        return f"up to day {older - 1}"
    return f"day {nearer}" if older - nearer == 1 else f"days {nearer}-{older - 1}"


def cue_says(cue: Cue) -> str:
    """What a cue set: its attribute, and of a ground which one.

    >>> cue_says(Cue("ground", "hedge", "en.assertion.hedge", 0, 0, 5))
    'ground (hedge)'
    """
    return f"ground ({cue.value})" if cue.attribute == "ground" else cue.attribute


def cue_words(cue: Cue, dialogue: Dialogue) -> str:
    """A cue's words, from the dialogue."""
    turns = dialogue.turns
    return turns[cue.turn].text[cue.start:cue.end] if 0 <= cue.turn < len(turns) else ""


_SHOWN = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}
# C1 controls, and the marks that reverse the direction of writing: they could make a page say another thing than
# the file does.
_SHOWN |= dict.fromkeys([*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F], 0xFFFD)


def visible(text: str) -> str:
    """The text with control characters made visible, one for one: a terminal must not obey a dialogue.

    >>> visible("a" + chr(27) + "[2Jb")
    'a␛[2Jb'
    """
    return text.translate(_SHOWN)
