"""How well raters keep to the form: valid votes by rater and language, why the others are not, and the gate.

It reads votes alone, wherever they came from, so that a panel can ask it of any file.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..contract import STATES, Vote
from ..corpora import VoteTable

REASONS: Mapping[str, str] = MappingProxyType({
    "no_json": "the answer holds no JSON object",
    "truncated": "the answer was cut off, or the dialogue is longer than the model can read",
    "schema": "the object is not of the form that was asked for",
    "empty": "the answer is empty",
    "refusal": "the model or its provider declined to answer",
    "no_quote_located": "frames were named, and the quote of none is in the dialogue",
    "timeout": "no answer in time, after every attempt",
    "transport": "the provider did not answer, after every attempt",
    "missing": "the file of votes or answers has none on this cell",
})
"""Why a vote is not valid: the closed list of `reason` for raters that can fail, with what each means."""

UNANSWERED: frozenset[str] = frozenset({"timeout", "transport", "missing"})
"""The reasons that say nothing of a judge's form, because there was no answer."""

GATE_SHARE = 0.95
"""Default of the format-validity gate. The paper excludes judges that fail one and does not print its figure (ours)."""

ALL_LANGUAGES = "all"


@dataclass(frozen=True, slots=True)
class Validity:
    """One rater's votes in one language, or in all.

    `votes` counts lines, `answers` those that the rater answered at all, `valid` the usable ones; `reasons` says why
    the others are not. `stated` counts valid votes in which the judge named a state itself, `contradictions` those of
    them in which the contract's projection of its own frames is another state, and `pairs` which (stated, projected).
    `frames` were used, `invalid_frames` were not, because their quote is not in the dialogue.
    """

    rater: str
    language: str
    votes: int
    answers: int
    valid: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    stated: int = 0
    contradictions: int = 0
    pairs: Mapping[tuple[str, str], int] = field(default_factory=dict)
    frames: int = 0
    invalid_frames: int = 0
    threshold: float = GATE_SHARE

    @property
    def share(self) -> float | None:
        """valid / answers, 0 to 1; None without an answer."""
        return self.valid / self.answers if self.answers else None

    @property
    def excluded(self) -> bool:
        """Whether the gate excludes the rater here: under the threshold, or without a valid vote.

        >>> [Validity("j", "en", 100, n, 94).excluded for n in (100, 98)]
        [True, False]
        """
        return self.valid == 0 or self.valid / self.answers < self.threshold

    @property
    def contradiction_rate(self) -> float | None:
        """contradictions / stated, 0 to 1; None if the rater named no state."""
        return self.contradictions / self.stated if self.stated else None

    def to_dict(self) -> dict[str, Any]:
        """A JSON object; shares are rounded to six digits and null where they have no denominator."""
        def rounded(value: float | None) -> float | None:
            return None if value is None else round(value, 6)

        return {
            "rater": self.rater, "language": self.language, "votes": self.votes, "answers": self.answers,
            "valid": self.valid, "share": rounded(self.share), "threshold": self.threshold, "excluded": self.excluded,
            "reasons": dict(self.reasons), "stated": self.stated, "contradictions": self.contradictions,
            "contradiction_rate": rounded(self.contradiction_rate),
            "contradicted": [{"stated": stated, "state": state, "n": n} for (stated, state), n in self.pairs.items()],
            "frames": self.frames, "invalid_frames": self.invalid_frames,
        }


def validity(
    votes: Iterable[Vote], languages: Mapping[str, str] | None = None, *, threshold: float = GATE_SHARE,
) -> tuple[Validity, ...]:
    """The validity of each rater, over all languages and then in each, raters in the order of their first vote.

    languages: dialogue_id to language; without it, and for dialogues that it does not know, there is only "all". Votes
    are read once and not held. threshold: least share of valid answers, 0 to 1. Raises ValueError for one outside.

    >>> from evidial_rules.contract import Vote
    >>> found, = validity([Vote("d", "sleep", "j", "PARTIAL", stated="ABSENT"),
    ...                    Vote("d", "fatigue", "j", None, False, "no_json")])
    >>> found.votes, found.valid, found.excluded, dict(found.reasons), found.contradiction_rate
    (2, 1, True, {'no_json': 1}, 1.0)
    """
    tally = Tally(languages, threshold)
    for vote in votes:
        tally.add(vote)
    return tally.result()


def without_left_out(table: VoteTable, found: Iterable[Validity]) -> tuple[VoteTable, tuple[Validity, ...]]:
    """The votes that the gate lets pass, and whose do not. Raises :class:`~evidial_rules.corpora.VotesError` where none
    do."""
    gone = []
    for one in left_out(found):
        if one.rater in table.raters:  # the column is gone once its last vote is
            table = table.blank(one.rater, [one.language in (language, ALL_LANGUAGES) for language in table.languages])
            gone.append(one)
    return table, tuple(gone)


class Tally:
    """:func:`validity`, vote by vote as they come. Raises ValueError for a threshold outside 0 to 1."""

    def __init__(self, languages: Mapping[str, str] | None = None, threshold: float = GATE_SHARE) -> None:
        if not 0 <= threshold <= 1:
            raise ValueError("threshold: expected a share from 0 to 1")
        self.languages, self.threshold = languages or {}, threshold
        self._counts: dict[tuple[str, str], _Count] = {}

    def add(self, vote: Vote) -> None:
        """Counts one vote."""
        for language in (ALL_LANGUAGES, self.languages.get(vote.dialogue_id)):
            if language is not None:
                self._counts.setdefault((vote.rater, language), _Count()).add(vote)

    def result(self) -> tuple[Validity, ...]:
        """What was counted by now."""
        raters = dict.fromkeys(rater for rater, _ in self._counts)
        known = sorted({language for _, language in self._counts} - {ALL_LANGUAGES})
        return tuple(self._counts[rater, language].result(rater, language, self.threshold)
                     for rater in raters for language in (ALL_LANGUAGES, *known) if (rater, language) in self._counts)


def excluded_raters(found: Iterable[Validity]) -> set[tuple[str, str]]:
    """(rater, language) of those that the gate excludes."""
    return {(one.rater, one.language) for one in found if one.excluded}


def left_out(found: Iterable[Validity]) -> tuple[Validity, ...]:
    """Those whose votes a panel does without: raters in the languages in which the gate excludes them, or over all
    where no language is known. A rater that fails in the one language may stay in the other.

    >>> known = [Validity("j", "all", 9, 9, 7), Validity("j", "en", 5, 5, 5), Validity("j", "zh", 4, 4, 2)]
    >>> [one.language for one in left_out(known)], [one.language for one in left_out(known[:1])]
    (['zh'], ['all'])
    """
    held = tuple(found)
    known = any(one.language != ALL_LANGUAGES for one in held)
    return tuple(one for one in held if one.excluded and (one.language != ALL_LANGUAGES) == known)


class _Count:
    def __init__(self) -> None:
        self.votes = self.answers = self.valid = self.stated = self.frames = self.invalid_frames = 0
        self.reasons: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()

    def add(self, vote: Vote) -> None:
        self.votes += 1
        self.frames += len(vote.frames)
        self.invalid_frames += vote.invalid_frames or 0
        if not vote.valid:
            # A reason of somebody else's file may be any text, and hold what was said.
            reason = vote.reason if vote.reason in REASONS else "other"
            self.reasons[reason] += 1
            self.answers += reason not in UNANSWERED
            return
        self.answers += 1
        self.valid += 1
        if vote.stated is not None and vote.state is not None:
            self.stated += 1
            if vote.stated != vote.state:
                self.pairs[vote.stated, vote.state] += 1

    def result(self, rater: str, language: str, threshold: float) -> Validity:
        names = [*REASONS, "other"]
        return Validity(
            rater, language, self.votes, self.answers, self.valid,
            {name: self.reasons[name] for name in names if self.reasons[name]}, self.stated, self.pairs.total(),
            {(a, b): self.pairs[a, b] for a in STATES for b in STATES if self.pairs[a, b]}, self.frames,
            self.invalid_frames, threshold)
