"""Votes on anchors against the states that must follow: hits, rate, lower bound, gate (contract, section 5; the paper's
Tables 4 and 6)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.stats import beta

from ..contract import DIMENSIONS, STATES, Dialogue
from ..corpora import read_dialogue_rows
from ..errors import EvidialError, shown
from .classes import CLASSES, GATE_BOUND, GATE_RATE, MODES, TOO_FEW


class AnchorError(EvidialError):
    """A line that is no anchor, or votes that do not belong to the anchors."""

    code = "E403"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A changed dialogue, the class of the change, and the state that must follow for one of its cells; `base` is the
    dialogue that was changed, "" where the file does not say."""

    dialogue: Dialogue
    name: str
    dimension: str
    expected: str
    base: str = ""


def read_anchors(path: str | os.PathLike[str]) -> Iterator[Anchor]:
    """The anchors of a file: dialogues with an object `anchor` (contract, section 6).

    Raises :class:`AnchorError` with file and line.
    """
    for row, dialogue in read_dialogue_rows(path):
        anchor = row.data.get("anchor")
        if not isinstance(anchor, Mapping):
            raise AnchorError(where=row.where, expected="an object `anchor` with class, dimension and expected")
        for key, known in (("class", tuple(CLASSES)), ("dimension", DIMENSIONS), ("expected", STATES)):
            if anchor.get(key) not in known:
                raise AnchorError(where=f"{row.where}: anchor.{key}",
                                  expected=f"one of {', '.join(known)}, found {shown(anchor.get(key))}")
        base = anchor.get("base_id")
        yield Anchor(dialogue, anchor["class"], anchor["dimension"], anchor["expected"],
                     base if isinstance(base, str) else "")


@dataclass(frozen=True, slots=True)
class Condition:
    """One rater on the anchors of one class or failure mode, in one language or in all.

    `n` anchors, `valid` votes on them, `hits` of these. A vote that is invalid or missing is never a hit, and counts in
    `n` as it does in the paper's Table 4: a rater that answers badly cannot pass on the rest. `states` is how the valid
    votes spread. `expected` maps states to how many anchors of the condition they must follow for.
    """

    rater: str
    language: str
    n: int
    valid: int
    hits: int
    states: Mapping[str, int]

    @property
    def rate(self) -> float | None:
        """hits / n, from 0 to 1; None without anchors."""
        return self.hits / self.n if self.n else None

    @property
    def lower(self) -> float | None:
        """The 5th percentile of the rate's posterior, Beta(1 + hits, 1 + n - hits); None without anchors.

        >>> round(Condition("r", "all", 61, 61, 20, {}).lower, 7)
        0.2394314
        """
        return float(beta.ppf(0.05, self.hits + 1, self.n - self.hits + 1)) if self.n else None

    @property
    def passed(self) -> bool | None:
        """Whether the condition passes the gate; None under ten anchors, which are too few to tell.

        >>> pairs = [(11, 11), (11, 10), (61, 52), (61, 51), (9, 9)]
        >>> [Condition("r", "all", n, n, hits, {}).passed for n, hits in pairs]
        [True, False, True, False, None]
        """
        if self.n < TOO_FEW:
            return None
        return self.rate >= GATE_RATE and self.lower >= GATE_BOUND  # type: ignore[operator]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the interface, without the name of the class or mode."""
        rate, lower = self.rate, self.lower
        return {"rater": self.rater, "language": self.language, "n": self.n, "valid": self.valid, "hits": self.hits,
                "rate": None if rate is None else round(rate, 6), "lower": None if lower is None else round(lower, 6),
                "passed": self.passed, "states": dict(self.states)}


@dataclass(frozen=True, slots=True)
class AnchorScores:
    """Every rater on every class and failure mode; `classes` and `modes` map (name, rater, language) to a condition.

    `languages` are "all" and those that have anchors. The gate is read over all languages.
    """

    raters: tuple[str, ...]
    languages: tuple[str, ...]
    classes: Mapping[tuple[str, str, str], Condition]
    modes: Mapping[tuple[str, str, str], Condition]

    def passed(self, rater: str) -> list[str]:
        """The failure modes that the rater passes, over all languages."""
        return [mode for mode in MODES if self.modes[mode, rater, "all"].passed]

    def total(self, rater: str, language: str = "all") -> tuple[int, int]:
        """(hits, anchors) over all classes, each anchor once."""
        conditions = [self.classes[name, rater, language] for name in CLASSES]
        return sum(one.hits for one in conditions), sum(one.n for one in conditions)

    def to_dict(self) -> dict[str, Any]:
        """`{"classes": [...], "modes": [...]}` of the interface."""
        return {"classes": [{"class": name} | one.to_dict() for (name, _, _), one in self.classes.items()],
                "modes": [{"mode": name} | one.to_dict() for (name, _, _), one in self.modes.items()]}


Votes = Mapping[tuple[str, str], str | None]
"""One rater's votes: (dialogue_id, dimension) to a state, or to None for an invalid vote."""


def score(anchors: Iterable[Anchor], votes: Mapping[str, Votes]) -> AnchorScores:
    """Scores each rater's votes (rater: its votes) on the anchors. A cell without a vote counts as an invalid one."""
    anchors = list(anchors)
    present = {anchor.dialogue.language for anchor in anchors}
    languages = ("all", *sorted(present))

    def condition(rater: str, language: str, names: Sequence[str]) -> Condition:
        chosen = [anchor for anchor in anchors
                  if anchor.name in names and language in ("all", anchor.dialogue.language)]
        given = [(anchor.expected, votes[rater].get((anchor.dialogue.dialogue_id, anchor.dimension)))
                 for anchor in chosen]
        spread = Counter(state for _, state in given if state is not None)
        return Condition(rater, language, len(given), sum(spread.values()), sum(a == b for a, b in given),
                         {state: spread[state] for state in STATES})

    keys = [(rater, language) for rater in votes for language in languages]
    return AnchorScores(
        tuple(votes), languages,
        {(name, *key): condition(*key, [name]) for name in CLASSES for key in keys},
        {(name, *key): condition(*key, mode.classes) for name, mode in MODES.items() for key in keys},
    )
