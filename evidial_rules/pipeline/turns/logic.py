"""What the components share of a dialogue while they work on it: turns, their clauses, mentions and cues."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from ...contract import Frame, Interval
from ..clauses.logic import Clause, Clauses
from ..cues import Hit
from ..terms.logic import Mention
from ..text import Canonical

if TYPE_CHECKING:
    from ..answers.logic import Ask


@dataclass(slots=True)
class CueNote:
    """A cue as it will stand in a frame; canonical offsets in `turn`."""

    attribute: str
    value: object
    rule: str
    turn: int
    start: int
    end: int
    lost_to: str | None = None


@dataclass(slots=True)
class Draft:
    """A frame in the making; canonical offsets. `statement`: the stretch of words that make the statement,
    for retractions that repeat them. `asked`: the index of the question's turn where the content came from one."""

    dimension: str
    components: tuple[str, ...]
    polarity: str
    strength: str
    turn: int
    start: int
    end: int
    speaker: str
    rule: str
    subject: str = "participant"
    time: Interval | None = None
    timed: str = ""  # how the time was set: "own", "turn", "question", "carried", ""
    modality: str = "asserted"
    object: str | None = None
    withdrawn_by: int | None = None
    cues: list[CueNote] = field(default_factory=list)
    statement: tuple[int, int] = (0, 0)
    asked: int | None = None
    ask: Ask | None = None
    mention: Mention | None = None
    clause: Clause | None = None
    kind: str = "mention"  # or "answer"
    sense: str = ""
    statement_text: str = ""


@dataclass(slots=True)
class TurnState:
    """One turn under analysis."""

    index: int
    speaker: str
    text: str
    canonical: Canonical
    clauses: Clauses = field(default_factory=Clauses)
    mentions: list[Mention] = field(default_factory=list)
    topics: list[Mention] = field(default_factory=list)
    hits: dict[str, list[Hit]] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    times: list = field(default_factory=list)
    asks_before: list[Ask] = field(default_factory=list)
    subjects: list = field(default_factory=list)
    participant_role: str = ""  # what an informant calls the participant ("my dad", 我爸)

    def cues(self, component: str, *categories: str) -> list[Hit]:
        hits = self.hits.get(component, ())
        return [h for h in hits if h.category in categories] if categories else list(hits)


@dataclass(slots=True)
class DialogueState:
    """One dialogue under analysis. `now`: the date of the interview, where it is known."""

    turns: list[TurnState] = field(default_factory=list)
    now: date | None = None
    frames: tuple[Frame, ...] = ()
