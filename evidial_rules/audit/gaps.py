"""How much evidence dialogues hold: shares of states by source, dimension, language and label (paper, section 4.1)."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..contract import STATES, UNRESOLVED, Dialogue, Reference
from ..errors import shown
from .company import counted, state_names
from .table import UNRESOLVED_CODE, AuditError, AuditTable, Facts, reference_codes
from .ucr import NEG, POS, Resampling, interval


def reference_table(reference: Iterable[Reference], dialogues: Iterable[Dialogue]) -> AuditTable:
    """A reference's own cells, without predictions.

    Raises :class:`AuditError` for a reference without lines, or with a cell that the dialogues do not have.
    """
    lines = list(reference)
    if not lines:
        raise AuditError(where="reference", expected="at least one line")
    talks = {one.dialogue_id: one for one in dialogues}
    cells = tuple((one.dialogue_id, one.dimension) for one in lines)
    for dialogue, dimension in cells:
        if dialogue not in talks:
            raise AuditError(where="reference", expected=f"cells of the dialogues, found {shown(dialogue)} {dimension}")
    codes, _, name = reference_codes(cells, lines)
    return Facts.of(cells, [talks[dialogue] for dialogue, _ in cells]).table(codes, name)


def gap_tables(table: AuditTable, replicates: int = 1000, seed: int = 0) -> dict[str, Any]:
    """Shares of the states over all cells and by stratum, each with two intervals (participants resampled over all
    sources, and within their source: `ci` and `ci_by_source`), mean native score by state, and how much less often
    cells with a positive label lack sufficient evidence than cells with a negative one.

    `not_sufficient` counts resolved cells that are absent, partial or conflicting, over all cells of the row.
    `shares_ci` has the interval of each state's share, over all participants.
    """
    draws = {"ci": Resampling.of(table, replicates, seed),
             "ci_by_source": Resampling.of(table, replicates, seed, by_source=True)}
    rows = [_row(table, "all", "all", np.ones(len(table), dtype=bool), draws)]
    for name, values in table.strata.items():
        array = np.array(values, dtype=object)
        rows += [_row(table, name, level, np.asarray(array == level, dtype=bool), draws)
                 for level in dict.fromkeys(values) if not (name == "label" and level == "none")]
    scores: dict[str, float | None] = {}
    for code, state in (*enumerate(STATES), (UNRESOLVED_CODE, UNRESOLVED)):
        known = table.scores[(table.states == code) & ~np.isnan(table.scores)]
        scores[state] = float(known.mean()) if len(known) else None
    lacking = _not_sufficient(table)
    by_label: dict[str, Any] = {}
    for name, resampling in draws.items():
        parts = []
        for label in (1, 0):
            here = (table.labels == label).astype(float)
            parts.append(resampling.share(lacking * here, here))
        by_label[name] = interval(parts[0] - parts[1])
    shares = [lacking[table.labels == label].mean() if (table.labels == label).any() else None for label in (1, 0)]
    by_label["difference"] = None if None in shares else float(shares[0] - shares[1])
    return {"reference": table.reference, "cells": len(table), "coded": table.coded, "rows": rows, "mean_score": scores,
            "positive_minus_negative": by_label}


def _not_sufficient(table: AuditTable) -> Any:
    return ((table.states != POS) & (table.states != NEG) & (table.states != UNRESOLVED_CODE)).astype(float)


def _row(table: AuditTable, stratum: str, level: str, here: Any, draws: dict[str, Resampling]) -> dict[str, Any]:
    n = int(here.sum())
    states = counted(state_names(table.states[here]))
    row: dict[str, Any] = {"stratum": stratum, "level": level, "n": n, "states": states,
                           "shares": {state: number / n for state, number in states.items()}}
    codes = np.array([*range(len(STATES)), UNRESOLVED_CODE])
    drawn = draws["ci"].shares((table.states[:, None] == codes) * here[:, None].astype(float), here.astype(float))
    row["shares_ci"] = {state: interval(column) for state, column in zip((*STATES, UNRESOLVED), drawn.T, strict=True)}
    kinds = {"sufficient": ((table.states == POS) | (table.states == NEG)).astype(float),
             "not_sufficient": _not_sufficient(table)}
    for kind, values in kinds.items():
        row[kind] = {"share": float(values[here].mean())}
        for name, resampling in draws.items():
            row[kind][name] = interval(resampling.share(values * here, here.astype(float)))
    return row
