"""How annotators agree, what they recover, how references agree with them, and what an audit says under them (paper,
section 5 and figure 5)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...anchors import Anchor, score
from ...contract import STATES, UNRESOLVED, Dialogue, PlannedCell, Prediction, Reference
from ...errors import shown
from ...panel import agreement
from ..company import by_reference
from ..table import UNRESOLVED_CODE, Facts, audit_table, reference_codes
from ..ucr import Resampling, interval
from .consensus import METHOD, adjudication, by_item, consensus, human_reference
from .values import FIRST, FOUR_STATES, Annotation, HumanError, Key, Quote

FOUR_CODES = np.array([FOUR_STATES.index(state.split("_")[0]) for state in STATES])
"""The paper's four states of the contract's five: both sides of sufficient evidence are one."""
FIGURES = ("hit_caliber", "ucr")


def agreement_part(
    key: Key, annotations: Sequence[Annotation], dialogues: Mapping[str, Dialogue], replicates: int = 0, seed: int = 0,
) -> dict[str, Any]:
    """Agreement of the first round's annotators on the five states and on the paper's four, over the cells: raw
    agreement, Cohen's kappa of each pair, Krippendorff's alpha, with participants resampled; the confusions of each
    pair; and how often two who both chose words chose some of the same.

    Raises :class:`HumanError` for fewer than two annotators.
    """
    first = [one for one in annotations if one.round == FIRST]
    raters = sorted({one.annotator for one in first})
    if len(raters) < 2:
        raise HumanError(where="annotations", expected=f"two annotators or more, found {len(raters)}")
    given = {(one.item, one.annotator): one for one in first}
    items = [one for one in key.cells if any((one.item, name) in given for name in raters)]
    if not items:
        raise HumanError(where="annotations", expected="at least one cell that is no anchor")
    votes = np.array([[STATES.index(given[one.item, name].state) if (one.item, name) in given else -1
                       for name in raters] for one in items])
    people = [_participant(dialogues[one.dialogue_id]) for one in items]
    found: dict[str, Any] = {"raters": raters, "cells": len(items)}
    for name, codes, size in (("five_states", votes, len(STATES)),
                              ("four_states", np.where(votes < 0, -1, FOUR_CODES[votes]), len(FOUR_STATES))):
        whole = agreement(codes, size, raters=raters, participants=people, replicates=replicates, seed=seed).to_dict()
        found[name] = {"raw": whole["coefficients"]["observed"], "krippendorff": whole["coefficients"]["krippendorff"],
                       "pairs": whole["pairs"]}
    found["confusions"] = []
    for i, one in enumerate(raters):
        for j in range(i + 1, len(raters)):
            both = votes[(votes[:, i] >= 0) & (votes[:, j] >= 0)]
            found["confusions"].append({"raters": [one, raters[j]], "n": len(both),
                                        "counts": _crossed(both[:, i], both[:, j], STATES, STATES)})
    return found | {"quotes": _quotes(by_item(first))}


def _participant(talk: Dialogue) -> str:
    return f"{talk.source or ''}\0{talk.participant_id or talk.dialogue_id}"


def _crossed(one: Any, other: Any, rows: Sequence[str], columns: Sequence[str]) -> dict[str, dict[str, int]]:
    return {row: {column: int(((one == i) & (other == j)).sum()) for j, column in enumerate(columns)}
            for i, row in enumerate(rows)}


def _quotes(items: Mapping[str, Sequence[Annotation]]) -> dict[str, Any]:
    pairs = [(one, other) for given in items.values() for i, one in enumerate(given) for other in given[i + 1:]
             if one.quotes and other.quotes]
    same = sum(any(_overlap(a, b) for a in one.quotes for b in other.quotes) for one, other in pairs)
    return {"pairs": len(pairs), "overlapping": same, "share": same / len(pairs) if pairs else None}


def _overlap(one: Quote, other: Quote) -> bool:
    return one.turn == other.turn and one.start < other.end and other.start < one.end


def recovery_part(
    key: Key, annotations: Sequence[Annotation], dialogues: Mapping[str, Dialogue],
) -> dict[str, Any] | None:
    """Recovery of the anchors by class and failure mode, of each first-round annotator and of the consensus (as the
    rater "human"): the objects of `evidial anchors score`. None without anchors in the key.

    Every anchor of the key counts in n; one that an annotator left out, or that is unresolved, is no hit.
    """
    if not key.anchors:
        return None
    held = by_item(annotations)
    votes: dict[str, dict[tuple[str, str], str | None]] = {
        one.rater: {} for one in sorted(annotations, key=lambda one: one.annotator) if one.round == FIRST}
    votes[METHOD] = {}
    anchors = []
    for item in key.anchors:
        anchors.append(Anchor(dialogues[item.dialogue_id], item.anchor, item.dimension, item.expected))
        given = held.get(item.item, [])
        for one in given:
            if one.round == FIRST:
                votes[one.rater][item.cell] = one.state
        state = consensus(given) if given else UNRESOLVED
        votes[METHOD][item.cell] = None if state == UNRESOLVED else state
    return score(anchors, votes).to_dict()


def reference_part(
    key: Key, human: Sequence[Reference], reference: Sequence[Reference], dialogues: Mapping[str, Dialogue],
    replicates: int = 0, seed: int = 0,
) -> dict[str, Any]:
    """Exact agreement of one reference with the human consensus on the cells that the latter resolves.

    `agreement` is over the cells that both resolve, `agreement_planned` counts cells that the reference leaves
    unresolved or lacks as disagreement, and `weighted` weights each cell by how many of its stratum it stands for in
    the draw (strata of which none was drawn are not in it: :attr:`Key.unrepresented`); each with a percentile interval
    of resampled participants. `by_state` is by the human state and `confusion` human state by reference state.

    Raises :class:`HumanError` where nothing can be compared.
    """
    resolved = [one for one in human if one.state != UNRESOLVED]
    if not resolved:
        raise HumanError(where="human reference", expected="at least one resolved cell")
    cells = tuple((one.dialogue_id, one.dimension) for one in resolved)
    codes, absent, name = reference_codes(cells, reference)
    ours = np.array([STATES.index(one.state) for one in resolved])
    facts = Facts.of(cells, [dialogues[dialogue] for dialogue, _ in cells])
    table = facts.table(ours, METHOD)
    weights = {one.cell: one.weight for one in key.cells}
    weight = np.array([weights[cell] for cell in cells])
    both, same = (codes != UNRESOLVED_CODE).astype(float), (codes == ours).astype(float)
    draws = Resampling.of(table, replicates, seed) if replicates else None
    figures = {"agreement": (same, both), "agreement_planned": (same, np.ones(len(cells))),
               "weighted": (same * weight, both * weight)}
    row: dict[str, Any] = {"reference": name, "n": len(cells), "both": int(both.sum()), "absent": absent}
    for label, (top, bottom) in figures.items():
        row[label] = float(top.sum() / bottom.sum()) if bottom.sum() else None
        row[f"{label}_ci"] = None if draws is None else interval(draws.share(top, bottom))
    row["by_state"] = []
    for code, state in enumerate(STATES):
        here = (ours == code).astype(float)
        n = int((both * here).sum())
        row["by_state"].append({
            "state": state, "n": n, "agreement": float((same * here).sum() / n) if n else None,
            "ci": None if draws is None or not n else interval(draws.share(same * here, both * here))})
    row["confusion"] = _crossed(ours, np.where(codes == UNRESOLVED_CODE, len(STATES), codes), STATES,
                                (*STATES, UNRESOLVED))
    return row


def rescoring_part(
    human: Sequence[Reference], references: Mapping[str, Sequence[Reference]], predictions: Iterable[Prediction],
    dialogues: Iterable[Dialogue], plan: Iterable[PlannedCell] | None = None,
) -> list[dict[str, Any]]:
    """A model audit under each reference and under the human one, on the planned cells that the latter resolves (paper,
    figure 5c).

    For each reference: how many of the `cells` are `labelled`, and how many the reference leaves `unresolved` or lacks,
    which is a part of the change; the conditions with `hit_caliber` and `ucr` as {reference, human, change}, human less
    reference; and over the conditions where both have a value the means, and the mean and largest absolute change.

    Raises :class:`HumanError` where no predicted or planned cell is resolved, and
    :class:`~evidial_rules.audit.AuditError` as an audit does.
    """
    held, planned = list(predictions), None if plan is None else list(plan)
    resolved = {(one.dialogue_id, one.dimension): one for one in human if one.state != UNRESOLVED}
    asked = held if planned is None else planned
    cells = {(one.dialogue_id, one.dimension) for one in asked} & resolved.keys()
    if not cells:
        raise HumanError(where="predictions", expected="cells that the human reference resolves, found none")
    few = [one for one in held if (one.dialogue_id, one.dimension) in cells]
    if not few:
        raise HumanError(where="predictions", expected="at least one on a cell that the human reference resolves")
    known = planned and {(one.dialogue_id, one.dimension) for one in planned}
    stray = next((one for one in held if known and (one.dialogue_id, one.dimension) not in known), None)
    if stray is not None:
        raise HumanError(where=f"prediction of {shown(stray.model)}",
                         expected=f"a planned cell, found {shown(stray.dialogue_id)} {stray.dimension}")
    part = None if planned is None else [one for one in planned if (one.dialogue_id, one.dimension) in cells]
    talks = list(dialogues)
    found = []
    for name, reference in references.items():
        table = audit_table(few, reference, talks, part)
        rows = []
        for row in by_reference(table, {METHOD: [resolved[cell] for cell in table.cells]}):
            both = {figure: {"reference": row[figure][name], "human": row[figure][METHOD]} for figure in FIGURES}
            for one in both.values():
                one["change"] = None if None in one.values() else one["human"] - one["reference"]
            rows.append({"model": row["model"], "method": row["method"]} | both)
        found.append({
            "reference": name, "cells": len(table), "labelled": int((table.labels >= 0).sum()),
            "unresolved": int((table.states == UNRESOLVED_CODE).sum()), "conditions": rows,
        } | {figure: _over(rows, figure) for figure in FIGURES})
    return found


def _over(rows: Sequence[Mapping[str, Any]], figure: str) -> dict[str, Any]:
    """Over the conditions that have a value under both."""
    held = [row[figure] for row in rows if row[figure]["change"] is not None]
    if not held:
        return {"conditions": 0, "reference": None, "human": None, "mean_change": None, "max_change": None}
    changes = [abs(one["change"]) for one in held]
    return {"conditions": len(held), "reference": float(np.mean([one["reference"] for one in held])),
            "human": float(np.mean([one["human"] for one in held])), "mean_change": float(np.mean(changes)),
            "max_change": max(changes)}


def human_report(
    key: Key, annotations: Sequence[Annotation], dialogues: Iterable[Dialogue], *,
    references: Mapping[str, Sequence[Reference]] | None = None, predictions: Iterable[Prediction] | None = None,
    plan: Iterable[PlannedCell] | None = None, replicates: int = 2000, seed: int = 0,
) -> dict[str, Any]:
    """All of it as one JSON object. Parts without their files are None."""
    talks = {one.dialogue_id: one for one in dialogues}
    human = human_reference(key, annotations)
    counted = [{"annotator": name, "round": number, "answered": sum(one.annotator == name for one in annotations)}
               for number, name in sorted({(one.round, one.annotator) for one in annotations})]
    return {
        "study": {"cells": len(key.cells), "anchors": len(key.anchors), "pool": key.pool,
                  "unrepresented": key.unrepresented, "annotators": counted,
                  "resolved_cells": sum(one.state != UNRESOLVED for one in human)} | adjudication(annotations),
        "agreement": agreement_part(key, annotations, talks, replicates, seed),
        "anchors": recovery_part(key, annotations, talks),
        "references": [reference_part(key, human, lines, talks, replicates, seed)
                       for lines in (references or {}).values()] or None,
        "rescoring": None if predictions is None or not references else
        rescoring_part(human, references, predictions, talks.values(), plan),
        "settings": {"replicates": replicates, "seed": seed},
    }
