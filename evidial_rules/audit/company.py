"""What stands beside a UCR so that it is not misread: contrasts, jointly correct sets, labels, coverage, and what
errors of the reference could move (paper, sections 4.1 to 4.3)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ..contract import STATES, UNRESOLVED, Reference
from .table import NO_LABEL, UNRESOLVED_CODE, AuditError, AuditTable, Condition, Ints, reference_codes
from .ucr import NEG, POS, Floats, Resampling, count, difference, indicators, interval, rates

K = len(STATES)


def contrasts(table: AuditTable, draws: Resampling | None = None) -> list[dict[str, Any]]:
    """Paired contrasts of UCR and hit caliber, first minus second: models under one method, methods of one model."""
    found = []
    for one, other in combinations(table.statuses, 2):
        same = "method" if one[1] == other[1] else "model" if one[0] == other[0] else None
        if same is None:
            continue
        row: dict[str, Any] = {"between": "models" if same == "method" else "methods", "one": list(one),
                               "other": list(other)}
        for name in ("ucr", "hit_caliber"):
            row[name] = difference(table, draws, lambda figures, name=name: figures[name], (one, None), (other, None))
        found.append(row)
    return found


def jointly_correct(table: AuditTable) -> list[dict[str, Any]]:
    """For each method that two models or more were asked by: the cells that all get right and that any gets right, and
    how their evidence splits (paper, section 4.2: 42 of 64, of which 8, 28 and 6)."""
    methods: dict[str, list[Condition]] = {}
    for condition in table.statuses:
        methods.setdefault(condition[1], []).append(condition)
    found = []
    for method, conditions in methods.items():
        if len(conditions) < 2:
            continue
        right = np.stack([indicators(table, one)[:, 1] > 0 for one in conditions])
        row: dict[str, Any] = {"method": method, "models": [one[0] for one in conditions]}
        for name, chosen in (("intersection", right.all(axis=0)), ("union", right.any(axis=0))):
            row[name] = {"cells": int(chosen.sum())} | _evidence(table, chosen)
        found.append(row)
    return found


def _evidence(table: AuditTable, chosen: npt.NDArray[np.bool_]) -> dict[str, int]:
    """Cells by what their reference says of their label."""
    states, labels = table.states[chosen], table.labels[chosen]
    with_label = ((states == POS) & (labels == 1)) | ((states == NEG) & (labels == 0))
    sufficient = (states == POS) | (states == NEG)
    unresolved = states == UNRESOLVED_CODE
    return {"sufficient": int(with_label.sum()), "opposite": int((sufficient & ~with_label).sum()),
            "not_sufficient": int((~sufficient & ~unresolved).sum()), "unresolved": int(unresolved.sum())}


def label_gaps(table: AuditTable, draws: Resampling | None = None) -> list[dict[str, Any]]:
    """UCR and hit caliber on cells with a positive and a negative label, and positive minus negative."""
    found = []
    for condition in table.statuses:
        positive, negative = (condition, table.labels == 1), (condition, table.labels == 0)
        row: dict[str, Any] = {"model": condition[0], "method": condition[1]}
        for name in ("ucr", "hit_caliber"):
            row[name] = {"positive": count(table, *positive).figures[name],
                         "negative": count(table, *negative).figures[name]} | difference(
                table, draws, lambda figures, name=name: figures[name], positive, negative)
        found.append(row)
    return found


def not_sufficient_share(table: AuditTable) -> float | None:
    """The share of the resolved labelled cells whose reference is not sufficient: what a hit caliber mirrors if a
    model's hits are spread over the cells without regard to their evidence."""
    states = table.states[(table.labels != NO_LABEL) & (table.states != UNRESOLVED_CODE)]
    return float(((states != POS) & (states != NEG)).mean()) if len(states) else None


def risk_coverage(table: AuditTable, draws: Resampling | None = None) -> list[dict[str, Any]]:
    """UCR at the coverage of each method of a model, beside the UCR that its method with the widest coverage would have
    if it abstained at random down to there. Only what lies below that line is more than abstaining."""
    models: dict[str, list[Condition]] = {}
    for condition in table.statuses:
        models.setdefault(condition[0], []).append(condition)
    found = []
    for model, conditions in models.items():
        widest = max(conditions, key=lambda one: count(table, one).answered)
        for condition in conditions:
            figures = count(table, condition).figures
            row: dict[str, Any] = {"model": model, "method": condition[1], "coverage": figures["coverage"],
                                   "ucr": figures["ucr"], "hit_caliber": figures["hit_caliber"], "at_random": None,
                                   "excess": None, "excess_ci": None, "widest": widest[1]}
            excess = _excess(table, condition, widest, Resampling(np.ones((1, len(table)))))
            if figures["ucr"] is not None and not np.isnan(excess[0]):
                row["excess"], row["at_random"] = float(excess[0]), float(figures["ucr"] - excess[0])
                row["excess_ci"] = None if draws is None or condition == widest else interval(
                    _excess(table, condition, widest, draws))
            found.append(row)
    return sorted(found, key=lambda row: (row["model"], -(row["coverage"] or 0)))


def _excess(table: AuditTable, condition: Condition, widest: Condition, draws: Resampling) -> Floats:
    here, there = rates(draws.counts(table, condition)), rates(draws.counts(table, widest))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = here["ucr"] - there["ucr"] * here["coverage"] / there["coverage"]
    return np.where(np.isfinite(found), found, np.nan)


def by_reference(table: AuditTable, others: Mapping[str, Iterable[Reference]]) -> list[dict[str, Any]]:
    """UCR and hit caliber of each condition under each reference, and the largest change from the first."""
    tables = {table.reference: table}
    for name, reference in others.items():
        codes, _, _ = reference_codes(table.cells, reference)
        tables[name] = table.with_reference(codes, name)
    found = []
    for condition in table.statuses:
        row: dict[str, Any] = {"model": condition[0], "method": condition[1]}
        for figure in ("ucr", "hit_caliber"):
            values = {name: count(one, condition).figures[figure] for name, one in tables.items()}
            first = values[table.reference]
            changes = [abs(value - first) for value in values.values() if value is not None and first is not None]
            row[figure] = values | {"largest_change": max(changes) if changes else None}
        found.append(row)
    return found


def confusion(table: AuditTable, checked: Iterable[Reference]) -> Floats:
    """How the audit's reference is right by state: (5, 5) counts, what it says by what the checked states are.

    Raises :class:`AuditError` where no cell that is checked is resolved.
    """
    codes = reference_codes(table.cells, checked)[0]
    both = (codes != UNRESOLVED_CODE) & (table.states != UNRESOLVED_CODE)
    if not both.any():
        raise AuditError(where="checked states", expected="at least one planned cell that both resolve")
    counts = np.zeros((K, K))
    np.add.at(counts, (table.states[both], codes[both]), 1)
    return counts


def with_errors(table: AuditTable, errors: Floats, replicates: int = 1000, seed: int = 0) -> list[dict[str, Any]]:
    """Each condition's UCR and hit caliber if the reference's states were what `errors` (5, 5) says they may be: a row
    a state that it gives, a column a state that it then is, in counts or shares. A state without a row stays. Mean and
    95% range over draws of the states.

    Raises :class:`AuditError` for negative or non-finite errors.
    """
    weights = np.asarray(errors, dtype=float)
    if weights.shape != (K, K) or not np.isfinite(weights).all() or (weights < 0).any():
        raise AuditError(where="errors", expected=f"{K} x {K} shares, none below 0")
    total = weights.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, weights / np.where(total > 0, total, 1), np.eye(K))
    rng = np.random.default_rng(seed)
    resolved = table.states != UNRESOLVED_CODE
    drawn: dict[Condition, list[tuple[float, float]]] = {condition: [] for condition in table.statuses}
    edges = shares.cumsum(axis=1)
    for _ in range(replicates):
        states = table.states.copy()
        chances = rng.random((int(resolved.sum()), 1))
        states[resolved] = np.minimum((edges[table.states[resolved]] < chances).sum(axis=1), K - 1)
        moved = table.with_reference(states, table.reference)
        for condition, values in drawn.items():
            figures = count(moved, condition).figures
            values.append(tuple(np.nan if figures[name] is None else figures[name] for name in ("ucr", "hit_caliber")))
    found = []
    for condition, values in drawn.items():
        row: dict[str, Any] = {"model": condition[0], "method": condition[1]}
        now = count(table, condition).figures
        for name, column in zip(("ucr", "hit_caliber"), np.array(values).T, strict=True):
            good = column[~np.isnan(column)]
            row[name] = {"value": now[name], "mean": float(good.mean()) if len(good) else None,
                         "range": interval(column)}
        found.append(row)
    return found


def random_errors(rate: float) -> Floats:
    """Errors of a reference that is wrong at a rate, whatever the state, each other state alike (5, 5).

    Raises :class:`AuditError` for a rate outside 0 to 1.

    >>> random_errors(0.2)[0].round(2).tolist()
    [0.8, 0.05, 0.05, 0.05, 0.05]
    """
    if not 0 <= rate <= 1:
        raise AuditError(where="error rate", expected="a share from 0 to 1")
    return np.full((K, K), rate / (K - 1)) + (1 - rate - rate / (K - 1)) * np.eye(K)


def scale_errors(rate: float) -> Floats:
    """The paper's scale argument (section 4.3): absent cells become sufficient at a rate, half of them each way.

    Raises :class:`AuditError` for a rate outside 0 to 1.
    """
    if not 0 <= rate <= 1:
        raise AuditError(where="error rate", expected="a share from 0 to 1")
    errors = np.eye(K)
    errors[0, 0], errors[0, POS], errors[0, NEG] = 1 - rate, rate / 2, rate / 2
    return errors


def state_names(codes: Ints) -> list[str]:
    """Names of state codes, `UNRESOLVED` for -1."""
    return [UNRESOLVED if code == UNRESOLVED_CODE else STATES[code] for code in codes]


def counted(values: Sequence[str]) -> dict[str, int]:
    """How often each state comes, in the order of `STATES`, unresolved last."""
    return {name: sum(value == name for value in values) for name in (*STATES, UNRESOLVED)}
