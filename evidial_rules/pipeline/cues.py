"""Cue rules: the words that set an attribute (negation, hedge, subject, time, answer, retraction).

Every component keeps its categories in its own `rules.py`; here is what they share: the rule model, and
one matcher that runs the cue rules of all components over a turn once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..errors import RuleError
from ..resources import load_yaml
from .index import PatternIndex
from .patterns import PUNCT_ZH, PatternCompiler
from .rulefiles import parse
from .text import Canonical
from .wordings import Wording


class CueRule(BaseModel):
    """One cue. `any`: patterns; `set`: the category of the component; `value`: what the category takes.
    `yes` and `no`: texts in which it must and must not be found."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str = Field(min_length=3)
    set: str
    value: Any = None
    any: tuple[str, ...] = Field(min_length=1)
    yes: tuple[str, ...] | str
    no: tuple[str, ...] | str
    priority: int = 0


class CueFile(BaseModel):
    """A grammar file: cues, which are searched over each turn, and wordings, which the component's logic asks about.

    opening: words with which speakers open a clause about themselves (我觉得), in Chinese. To the file's cues a clause
    begins behind them, and they are not searched in what an interviewer says.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: int
    opening: tuple[str, ...] = ()
    rules: tuple[CueRule, ...]
    wordings: tuple[Wording, ...] = ()


# Nobody changes a hit; it is not frozen because many are made, and freezing costs three times as much.
@dataclass(slots=True, unsafe_hash=True)
class Hit:
    """A cue in a turn; canonical offsets, half-open."""

    component: str
    category: str
    value: Any
    start: int
    end: int
    rule: str
    priority: int = 0


class CueMatcher:
    """The cue rules of several components. Within a component and category group the longest match stands."""

    def __init__(
        self,
        compiler: PatternCompiler,
        files: Iterable[tuple[str, Path, dict[str, str]]],
        read: Callable[[Path], Any] = load_yaml,
    ):
        items, opened = [], []
        openings: set[str] = set()
        self.rules: dict[str, CueRule] = {}
        self.wordings: dict[str, list[tuple[str, Wording]]] = {}  # of each component, with their files
        for component, path, categories in files:
            cue_file = parse(CueFile, path, read)
            self.wordings.setdefault(component, []).extend((str(path), wording) for wording in cue_file.wordings)
            for rule in cue_file.rules:
                if rule.set not in categories:
                    raise RuleError(
                        source=str(path), rule=rule.id, expected=f"set to one of {', '.join(sorted(categories))}"
                    )
                if rule.id in self.rules:
                    raise RuleError(source=str(path), rule=rule.id, expected="an id that no other rule has")
                self.rules[rule.id] = rule
                compiled = compiler.compile(rule.any, rule=rule.id, source=str(path))
                (opened if cue_file.opening else items).append(((component, rule), compiled))
            openings.update(cue_file.opening)
        self.index = PatternIndex(items)
        self.opened = PatternIndex(opened)
        words = "|".join(map(re.escape, sorted(openings, key=lambda w: (-len(w), w))))
        self._opening = re.compile(f"(?<=[{PUNCT_ZH}])(?:{words})") if openings else None

    def find(self, canonical: Canonical, *, asks: bool = False) -> dict[str, list[Hit]]:
        """Hits by component, in order of start. Of two hits of one component of which one lies inside the
        other, the longer stands; of equal ones the higher priority. asks: these are an interviewer's words."""
        (hits,) = self.find_each([canonical], [asks])
        return hits

    def find_each(self, canonicals: Sequence[Canonical], asks: Sequence[bool]) -> Iterator[dict[str, list[Hit]]]:
        """`find` of each text. All texts of a dialogue together cost less than one by one."""
        opened: Iterable[Sequence[tuple[tuple[str, CueRule], re.Match[str]]]] = [()] * len(canonicals)
        if self._opening is not None:
            spoken = [text for text, asked in zip(canonicals, asks, strict=True) if not asked]
            answers = self.opened.matches_each([text.masked(self._opening, PUNCT_ZH[0]) for text in spoken])
            opened = [() if asked else next(answers) for asked in asks]
        for matches, more in zip(self.index.matches_each(canonicals), opened, strict=True):
            by: dict[str, list[Hit]] = {}
            for (component, rule), m in chain(matches, more):
                start, end = m.span()
                by.setdefault(component, []).append(
                    Hit(component, rule.set, rule.value, start, end, rule.id, rule.priority)
                )
            for component, hits in by.items():
                if len(hits) > 1:
                    by[component] = _standing(hits)
            yield by


def _standing(hits: list[Hit]) -> list[Hit]:
    """The hits that stand, in order of start: the longest first, each if it overlaps none that stands already."""
    hits.sort(key=lambda h: (h.start - h.end, -h.priority, h.start, h.rule))
    starts: list[int] = []
    kept: list[Hit] = []
    for hit in hits:
        at = bisect_left(starts, hit.start)  # those that stand do not overlap, so only the neighbours can
        if (at == len(kept) or kept[at].start >= hit.end) and (not at or kept[at - 1].end <= hit.start):
            starts.insert(at, hit.start)
            kept.insert(at, hit)
    return kept
