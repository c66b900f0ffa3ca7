"""What a study's files say, computed once by the functions that the other commands use: votes, references, anchors, the
model audit, and what people said. A part whose files are not there is None, and `needs` says which."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ...anchors import MODES, Anchor, AnchorScores, score
from ...audit import (
    AuditTable,
    Resampling,
    audit_table,
    condition_row,
    reference_codes,
)
from ...audit.table import native_score
from ...contract import STATES, UNRESOLVED, Dialogue, PlannedCell, Reference
from ...corpora import VoteTable, reference_pool, vote_table
from ...corpora.votetable import CellKey
from ...errors import shown
from ...panel import agreement, compare
from ...panel.votes import Estimate, Resampled, as_labels
from ...raters.validity import GATE_SHARE, Tally, Validity, left_out, without_left_out
from .. import audit as audits
from .. import panel as psychometrics
from .folder import Folder
from .values import ReportError

HUMAN = "human"
"""The method of the people's consensus; an annotator is a rater `human-NAME`."""
RULES = psychometrics.RULES
States = Mapping[CellKey, str]


@dataclass(frozen=True, slots=True)
class Settings:
    """replicates: draws of participants. gate: least share of valid answers. visit, exclude_sources: of the reference
    pool, which the votes are read on."""

    replicates: int = 2000
    seed: int = 0
    gate: float = GATE_SHARE
    visit: str | None = None
    exclude_sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """A rater's votes on the cells of a language (or of all), participants resampled."""

    rater: str
    language: str
    cells: int
    votes: int
    invalid: int
    coverage: Estimate


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The votes: who voted where, what the gate left out, and the panel's figures (`report.panel`)."""

    table: VoteTable
    shares: tuple[Share, ...]
    left_out: tuple[Validity, ...]
    figures: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Matched:
    """How often one source of states says the same as another: `exact` over the cells that both resolve, `kappa`
    Cohen's, `of` the exact agreement on the cells of each of the other's states."""

    name: str
    cells: int
    exact: Estimate
    kappa: Estimate
    of: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """The model audit (`report.audit`) and its table."""

    table: AuditTable
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rescored:
    """One condition on the cells that people judged: its row by the reference and by people (`condition_row`)."""

    automatic: Mapping[str, Any]
    human: Mapping[str, Any]

    @property
    def change(self) -> float | None:
        """Hit caliber by people minus that by the reference; None where either has none."""
        ends = self.human["hit_caliber"], self.automatic["hit_caliber"]
        return None if None in ends else ends[0] - ends[1]


@dataclass(frozen=True, slots=True, eq=False)
class Recovered:
    """Votes on the anchors: the scores, and each rater's share of recovered anchors by failure mode, with the base
    dialogues resampled. humans: which raters are people."""

    scores: AnchorScores
    rates: Mapping[tuple[str, str], Estimate]
    humans: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """Everything that a report shows. gaps: `report.audit.gap_report` of each reference, and of the rule judge's
    cells. needs: part to what it lacks, for the parts that are None or empty."""

    folder: Folder
    settings: Settings
    panel: Panel | None = None
    gaps: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    changes: tuple[Mapping[str, Any], ...] = ()
    audit: Audit | None = None
    anchors: Recovered | None = None
    matched: tuple[Matched, ...] = ()
    rescored: tuple[Rescored, ...] = ()
    gold: tuple[Matched, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def main(self) -> str:
        """The method of the reference that the report is about; "" without one."""
        return next(iter(self.folder.references), "")


def measure(
    folder: Folder, settings: Settings | None = None, tick: Callable[[], object] = lambda: None,
) -> Measures:
    """Computes every part that the folder has the files for. `tick` is called after each of the `PARTS`.

    Raises an :class:`~evidial_rules.errors.EvidialError` where files do not belong together (a vote on a cell that the
    dialogues do not have, a prediction that is not planned).
    """
    how = settings or Settings()
    held: dict[str, Any] = {}
    needs: dict[str, tuple[str, ...]] = {}
    for name, part in PARTS.items():
        needs[name] = lacking = _lacking(folder, name)
        if not lacking:
            found, lacking = part(folder, how)
            if lacking:
                needs[name] = lacking
            else:
                held[name] = found
        tick()
    return Measures(folder, how, needs={name: words for name, words in needs.items() if words}, **held)


def main_human(folder: Folder) -> str:
    """The method of the people's consensus: `human`, or else the first of the file."""
    return HUMAN if HUMAN in folder.human else next(iter(folder.human), "")


_WANTS: Mapping[str, tuple[str, ...]] = {
    "panel": ("votes",), "gaps": ("dialogues", "reference|cells"), "changes": ("reference",),
    "audit": ("predictions", "reference", "dialogues"), "anchors": ("anchors", "anchor_votes|human"),
    "matched": ("human", "reference"), "rescored": ("human", "predictions", "reference", "dialogues"),
    "gold": ("gold", "cells|votes|reference"),
}
"""What each part wants; "a|b": one of them, of which the first is named."""


def _lacking(folder: Folder, part: str) -> tuple[str, ...]:
    return tuple(f"{kinds.split('|')[0]}.jsonl" for kinds in _WANTS[part] if not any(map(folder.has, kinds.split("|"))))


Found = tuple[Any, tuple[str, ...]]


def _panel(folder: Folder, how: Settings) -> Found:
    pool, others = None, set()
    if folder.dialogues is not None:
        pool = reference_pool(folder.dialogues, visit=how.visit, exclude_sources=how.exclude_sources)
        others = {one.dialogue_id for one in folder.dialogues} - {one.dialogue_id for one in pool}
    votes = [one for one in folder.votes or () if one.dialogue_id not in others]
    if not votes:
        return None, ("votes in votes.jsonl",)
    tally = Tally({one.dialogue_id: one.language for one in pool or ()}, how.gate)
    for vote in votes:
        tally.add(vote)
    valid = {vote.rater for vote in votes if vote.valid}
    if not valid:
        return None, ("valid votes in votes.jsonl",)
    whole = vote_table(votes, pool, raters=valid)
    found = tally.result()
    table, _ = without_left_out(whole, found)
    figures = None
    if len(table.raters) > 1:
        asked = psychometrics.Settings(how.replicates, how.seed, fusion=False)
        figures = psychometrics.panel_report(table, asked, validity=found)
    return Panel(table, tuple(_shares(whole, how)), left_out(found), figures), ()


def _shares(table: VoteTable, how: Settings) -> Iterable[Share]:
    languages = np.asarray(table.languages)
    blocks = {"all": np.ones(len(table), dtype=bool)}
    blocks |= {name: languages == name for name in dict.fromkeys(table.languages) if name}
    for column, rater in enumerate(table.raters):
        for language, inside in blocks.items():
            given, invalid = table.votes[inside, column] >= 0, table.invalid[inside, column]
            yield Share(rater, language, int(inside.sum()), int(given.sum()), int(invalid.sum()),
                        _resampled(given, table.clusters[inside], how))


def _resampled(hits: Any, clusters: Any, how: Settings) -> Estimate:
    """The share of hits (n,), bool, with the clusters (n,) resampled."""
    groups, labels = as_labels(clusters, len(hits), where="participants")
    sums = {"hits": np.bincount(groups, hits, minlength=len(labels)),
            "n": np.bincount(groups, minlength=len(labels)).astype(float)}
    held = Resampled.of(sums, replicates=how.replicates, seed=how.seed)
    return held.estimate(lambda s: s["hits"] / s["n"], len(hits), "nothing to divide by")


def _gaps(folder: Folder, how: Settings) -> Found:
    found = {name: audits.gap_report(lines, folder.dialogues or (), how.replicates, how.seed)
             for name, lines in folder.references.items()}
    if folder.cells:
        known = {one.dialogue_id for one in folder.dialogues or ()}
        stray = next((one for one in folder.cells if one.dialogue_id not in known), None)
        if stray is not None:
            raise ReportError(where="cells", expected=f"cells of the dialogues, found {shown(stray.dialogue_id)} "
                                                      f"{stray.dimension}")
        lines = [Reference(one.dialogue_id, one.dimension, one.state, RULES, {}, 0.0, 1) for one in folder.cells]
        found.setdefault(RULES, audits.gap_report(lines, folder.dialogues or (), how.replicates, how.seed))
    return (found, ()) if found else (None, ("reference.jsonl",))


def _changes(folder: Folder, how: Settings) -> Found:
    if len(folder.references) < 2:
        return None, ("a further reference (reference-NAME.jsonl)",)
    states = {name: _states(lines) for name, lines in folder.references.items()}
    rows = []
    for one, other in combinations(states, 2):
        cells = list(dict.fromkeys((line.dialogue_id, line.dimension) for name in (one, other)
                                   for line in folder.references[name]))
        rows.append(compare(*(_codes(states[name], cells) for name in (one, other)), (one, other)).to_dict())
    return tuple(rows), ()


def _states(lines: Iterable[Any]) -> dict[CellKey, str]:
    """States of cells, those that are resolved."""
    return {(one.dialogue_id, one.dimension): one.state for one in lines if one.state not in (None, UNRESOLVED)}


def _codes(states: States, cells: Sequence[CellKey]) -> Any:
    return np.array([STATES.index(states[cell]) if cell in states else -1 for cell in cells], dtype=np.int64)


def _audit(folder: Folder, how: Settings) -> Found:
    plan = _plan(folder)
    if not _labelled(folder, plan):
        return None, ("native scores of planned cells in dialogues.jsonl",)
    main, *rest = folder.references
    table = audit_table(folder.predictions or (), folder.references[main], folder.dialogues or (), folder.plan)
    planned = {(one.dialogue_id, one.dimension) for one in plan}
    others = {name: folder.references[name] for name in rest
              if any((one.dialogue_id, one.dimension) in planned for one in folder.references[name])}
    asked = audits.Settings(how.replicates, how.seed, rates=(), simulations=0)
    return Audit(table, audits.audit_report(table, asked, others=others)), ()


def _plan(folder: Folder) -> list[PlannedCell]:
    """The planned cells, or those of the predictions."""
    if folder.plan is not None:
        return list(folder.plan)
    cells = dict.fromkeys((one.dialogue_id, one.dimension) for one in folder.predictions or ())
    return [PlannedCell(*cell, "") for cell in cells]


def _labelled(folder: Folder, plan: Iterable[PlannedCell]) -> bool:
    talks = {one.dialogue_id: one for one in folder.dialogues or ()}
    return any(one.dialogue_id in talks and native_score(talks[one.dialogue_id], one.dimension)[0] is not None
               for one in plan)


def _anchors(folder: Folder, how: Settings) -> Found:
    held = folder.anchors or ()
    cells = {(one.dialogue.dialogue_id, one.dimension) for one in held}
    given: dict[str, dict[CellKey, str | None]] = {}
    for vote in folder.anchor_votes or ():
        given.setdefault(vote.rater, {})[vote.dialogue_id, vote.dimension] = vote.state if vote.valid else None
    for method, lines in folder.human.items():
        states = {cell: state for cell, state in _states(lines).items() if cell in cells}
        if states:
            given.setdefault(method, {}).update(states)
    if not given:
        return None, ("anchor_votes.jsonl",)
    humans = {name for name in given if name in folder.human or name == HUMAN or name.startswith(f"{HUMAN}-")}
    # People see a sample of the anchors: what they were not shown is no miss of theirs.
    seen = {name: [one for one in held if name not in humans or (one.dialogue.dialogue_id, one.dimension) in states]
             for name, states in given.items()}
    parts = [score(seen[name], {name: states}) for name, states in given.items()]
    scores = AnchorScores(tuple(given), parts[0].languages,
                          {key: one for part in parts for key, one in part.classes.items()},
                          {key: one for part in parts for key, one in part.modes.items()})
    rates = {(mode.name, name): _rate([one for one in seen[name] if one.name in mode.classes], states, how)
             for mode in MODES.values() for name, states in given.items()}
    return Recovered(scores, rates, frozenset(humans)), ()


def _rate(anchors: Sequence[Anchor], states: Mapping[CellKey, str | None], how: Settings) -> Estimate:
    if not anchors:
        return Estimate(None, 0, why="no anchor")
    hits = np.array([states.get((one.dialogue.dialogue_id, one.dimension)) == one.expected for one in anchors])
    return _resampled(hits, np.array([one.base or one.dialogue.dialogue_id for one in anchors]), how)


def _matched(folder: Folder, how: Settings) -> Found:
    people = _states(folder.human[main_human(folder)])
    found = tuple(one for name, lines in folder.references.items()
                  if (one := match(name, _states(lines), people, folder.dialogues or (), how)) is not None)
    return (found, ()) if found else (None, ("human labels on cells of a reference",))


def match(name: str, states: States, truth: States, dialogues: Iterable[Dialogue], how: Settings) -> Matched | None:
    """Agreement of states with others that count as true; None without a cell that both have."""
    cells = [cell for cell in truth if cell in states]
    if not cells:
        return None
    people = {one.dialogue_id: f"{one.source or ''}\0{one.participant_id or one.dialogue_id}" for one in dialogues}
    clusters = np.array([people.get(dialogue, dialogue) for dialogue, _ in cells])
    codes = np.stack([_codes(states, cells), _codes(truth, cells)], axis=1)

    def of(chosen: Any) -> tuple[Estimate, Estimate]:
        pair = agreement(codes[chosen], len(STATES), raters=("a", "b"), participants=clusters[chosen],
                         replicates=how.replicates, seed=how.seed)
        return pair.percent["a", "b"], pair.cohen["a", "b"]

    exact, kappa = of(np.ones(len(cells), dtype=bool))
    return Matched(name, len(cells), exact, kappa, {
        state: of(codes[:, 1] == code)[0] for code, state in enumerate(STATES) if (codes[:, 1] == code).any()})


def _rescored(folder: Folder, how: Settings) -> Found:
    name = main_human(folder)
    people = _states(folder.human[name])
    plan = [one for one in _plan(folder) if (one.dialogue_id, one.dimension) in people]
    if not _labelled(folder, plan):
        return None, ("human labels on planned cells with a native score",)
    cells = {(one.dialogue_id, one.dimension) for one in plan}
    asked = [one for one in folder.predictions or () if (one.dialogue_id, one.dimension) in cells]
    reference = next(iter(folder.references.values()))
    if not asked or not any((one.dialogue_id, one.dimension) in cells for one in reference):
        return None, ("predictions and a reference on the cells that people judged",)
    table = audit_table(asked, reference, folder.dialogues or (), plan if folder.plan is not None else None)
    other = table.with_reference(reference_codes(table.cells, folder.human[name])[0], name)
    draws = Resampling.of(table, how.replicates, how.seed)
    return tuple(Rescored(condition_row(table, one, draws), condition_row(other, one, draws))
                 for one in table.statuses), ()


def _gold(folder: Folder, how: Settings) -> Found:
    truth = {(dialogue, dimension): state for dialogue, row in (folder.gold or {}).items()
             for dimension, state in row.items()}
    named = {"the rule judge's cells": _states(folder.cells or ())}
    named |= {f"reference {name}": _states(lines) for name, lines in folder.references.items()}
    for vote in folder.votes or ():
        if vote.valid and vote.state is not None:
            named.setdefault(f"votes of {vote.rater}", {})[vote.dialogue_id, vote.dimension] = vote.state
    found = tuple(one for name, states in named.items()
                  if (one := match(name, states, truth, folder.dialogues or (), how)) is not None)
    return (found, ()) if found else (None, ("cells.jsonl, votes.jsonl or reference.jsonl on the cells of gold.jsonl",))


PARTS: Mapping[str, Callable[[Folder, Settings], Found]] = {
    "panel": _panel, "gaps": _gaps, "changes": _changes, "audit": _audit, "anchors": _anchors, "matched": _matched,
    "rescored": _rescored, "gold": _gold,
}
"""The parts, in order: each gives what it found, or what it lacks."""
