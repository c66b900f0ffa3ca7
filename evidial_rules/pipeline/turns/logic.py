"""What the components share of a dialogue while they work on it: turns, their clauses, mentions and cues."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Set
from dataclasses import dataclass, field, replace
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING

from ...contract import Frame, Interval
from ..clauses.logic import Clause, Clauses
from ..cues import Hit
from ..terms.logic import Mention
from ..text import Canonical

if TYPE_CHECKING:
    from ..questions.logic import Ask


REACH = 500  # characters: farther from a mention than this no cue is looked for

_QUOTES = re.compile("[\"'\u2018\u201c\u300c\u300e]")
_QUOTATION = re.compile(
    '[\u201c\u300c\u300e"][^\u201d\u300d\u300f"]{1,300}[\u201d\u300d\u300f"]'
    "|(?:(?<=[ ,.:;(])|^)['\u2018](?:[^'\u2018\u2019]|['\u2019](?=[a-z])){1,300}['\u2019](?=[ ,.;:!?)]|$)"
)


def quotations(text: str) -> list[tuple[int, int]]:
    """[start, end) of what stands in quotation marks, with them."""
    return [m.span() for m in _QUOTATION.finditer(text)] if _QUOTES.search(text) else []


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
    statement_words: Set[str] | None = field(default=None, compare=False)  # those of statement_text, once asked for

    def because(self, ground: str, rule: str, turn: int, start: int, end: int) -> None:
        """Notes why the statement settles nothing (`GROUNDS` of the contract), also where something else weakens it
        already: what does not count under another decision must not be all that was noted."""
        self.cues.append(CueNote("ground", ground, rule, turn, start, end))

    def weaken(self, ground: str, rule: str, turn: int, start: int, end: int) -> None:
        """Makes an indicator of it, and notes why."""
        self.strength = "indicator"
        self.cues.append(CueNote("strength", "indicator", rule, turn, start, end))
        self.because(ground, rule, turn, start, end)


@dataclass(slots=True)
class TurnState:
    """One turn under analysis, or a piece of a very long one.

    index: its place among the turns and pieces. origin: the number of the dialogue's turn; offset: where the piece
    begins in it.
    """

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
    origin: int = 0
    offset: int = 0
    quotations: list[tuple[int, int]] = field(default_factory=list)  # [start, end) of them in `text`

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Canonical [start, end) of what stands inside of [start, end) of the turn's own text, without its edges."""
        origin, starts = self.canonical.origin, self.canonical.starts
        inside = [i for i, (a, b) in enumerate(origin) if start < a < b < end]
        if not inside:
            return 0, 0
        last = inside[-1] + 1
        return starts[inside[0]], starts[last] if last < len(starts) else len(self.canonical.text)

    def near(self, start: int, end: int) -> TurnState:
        """This turn with only the mentions and cues around a stretch: nothing binds further than `REACH`, and a long
        turn must not cost each of its mentions all of its cues. Offsets and clauses stay those of the turn."""
        reach = REACH if self.canonical.word_level else REACH // 3  # a Chinese character says as much as three letters
        a, b = start - reach, end + reach
        if a <= 0 and b >= len(self.canonical.text):
            return self  # all of it
        return replace(
            self,
            hits={k: between(v, a, b) for k, v in self.hits.items()},
            mentions=between(self.mentions, a, b),
            topics=between(self.topics, a, b),
        )

    def behind_times(self, start: int, end: int, gap: int = 0) -> int:
        """Where the stretch start..end goes on behind the times that open it: "over the past month | everything is an
        effort". gap: characters that may stand before each."""
        for t in self.times:
            if start <= t.start <= start + gap:
                start = min(t.end, end)
        return start

    def drafted(self, mention: Mention, clause: Clause) -> Draft:
        """A frame in the making of one mention, as the lexicon has it: nothing around it is read."""
        polarity, strength, components = mention.reading()
        draft = Draft(
            mention.dimension,
            components,
            polarity,
            strength,
            self.index,
            mention.start,
            mention.end,
            self.speaker,
            mention.rule,
            mention=mention,
            clause=clause,
            sense=mention.sense,
            statement=(clause.start, max(clause.end, mention.end)),
        )
        draft.cues.append(
            CueNote("components", list(mention.components), mention.rule, self.index, mention.start, mention.end)
        )
        for lost in mention.lost:
            draft.cues.append(
                CueNote("components", list(lost.components), lost.rule, self.index, lost.start, lost.end, mention.rule)
            )
        return draft

    def cues(self, component: str, *categories: str) -> list[Hit]:
        hits = self.hits.get(component, ())
        return [h for h in hits if h.category in categories] if categories else list(hits)


_start = attrgetter("start")


def near(items: list, start: int, end: int) -> list:
    """Those of `items`, sorted by start, that begin within `REACH` of a stretch."""
    return between(items, start - REACH, end + REACH) if len(items) > 40 else items


def between(items: list, a: int, b: int) -> list:
    """Those of `items`, sorted by start, that begin in a..b."""
    return items[bisect_left(items, a, key=_start) : bisect_left(items, b, key=_start)]


@dataclass(slots=True)
class Said:
    """What one speaker said in the turns so far, as retractions look for it.

    live: what was asserted and not taken back, in order. alike: by dimension and polarity, the different sets of words
    (Chinese: characters) of what was asserted. words, dimensions: those of all of it. fresh: the turns that are not in
    these yet, for most dialogues take nothing back.
    """

    live: list[Draft] = field(default_factory=list)
    alike: dict[tuple[str, str], set[Set[str]]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    dimensions: set[str] = field(default_factory=set)
    fresh: list[TurnState] = field(default_factory=list)


@dataclass(slots=True)
class DialogueState:
    """One dialogue under analysis. `now`: the date of the interview, where it is known. `said`: by speaker.

    bound: which of the operations have run, of those that other components note too ("subject", "time"), and "turns"
    where the times of all turns have been read. drafts: those of `frames`, in the same order.
    """

    turns: list[TurnState] = field(default_factory=list)
    now: date | None = None
    frames: tuple[Frame, ...] = ()
    drafts: list[Draft] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    said: dict[str, Said] = field(default_factory=dict)
