"""Agreement of raters on nominal categories, with votes missing and intervals from resampled participants.

Every coefficient is a function of sums over cells, so one pass over the votes gives them all, and a bootstrap weights
the participants' sums.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .votes import (
    Estimate,
    Floats,
    Ints,
    Resampled,
    Sums,
    as_labels,
    as_votes,
    confusions,
    pairs,
    raters_of,
    strata_of,
)

COEFFICIENTS: Mapping[str, str] = {
    "observed": "mean share of agreeing pairs of votes, over the cells with two votes or more",
    "unanimous": "share of the cells with two votes or more on which all votes are alike",
    "unanimous_complete": "the same of the cells on which every rater voted",
    "fleiss_complete": "Fleiss' kappa on the cells on which every rater voted",
    "fleiss": "Fleiss' kappa, generalised to unequal numbers of raters",
    "krippendorff": "Krippendorff's alpha, nominal",
    "gwet_ac1": "Gwet's AC1",
}
"""The coefficients, and what each is."""

_FEW = "no cell with two votes or more"
_INCOMPLETE = "no cell on which every rater voted"
_ALIKE = "all votes are of one category: the agreement expected by chance is 1"


@dataclass(frozen=True)
class Agreement:
    """Agreement of a panel: `coefficients` by name (:data:`COEFFICIENTS`), and Cohen's kappa and the raw agreement of
    each pair of raters."""

    raters: tuple[str, ...]
    cells: int
    votes: int
    coefficients: Mapping[str, Estimate]
    cohen: Mapping[tuple[str, str], Estimate]
    percent: Mapping[tuple[str, str], Estimate]

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {
            "cells": self.cells, "votes": self.votes,
            "coefficients": {name: one.to_dict() for name, one in self.coefficients.items()},
            "pairs": [{"raters": list(pair), "cohen": one.to_dict(), "percent": self.percent[pair].to_dict()}
                      for pair, one in self.cohen.items()],
        }

    def summary(self) -> str:
        """One line for each coefficient and pair."""
        rows = [*self.coefficients.items(), *((f"cohen {a} - {b}", one) for (a, b), one in self.cohen.items())]
        return "\n".join(f"{name}: {_said(one)}" for name, one in rows)


def _said(one: Estimate) -> str:
    if one.value is None:
        return f"undefined ({one.why})"
    interval = "" if one.lower is None else f" [{one.lower:.3f}, {one.upper:.3f}]"
    return f"{one.value:.4f}{interval} (n {one.n})"


def agreement(
    votes: ArrayLike, categories: int, *, raters: Sequence[str] | None = None, participants: ArrayLike | None = None,
    strata: ArrayLike | None = None, replicates: int = 0, seed: int = 0, level: float = 0.95,
) -> Agreement:
    """Every coefficient of agreement of votes of shape (cells, raters), -1 for no vote.

    participants, strata: labels of shape (cells,). The bootstrap draws participants (cells, if none are given) with
    replacement, within each stratum if strata are given, and gives percentile intervals of the level. Expected
    agreement takes each cell's shares of the categories with equal weight, whatever its number of votes, as Gwet does.

    A coefficient that is undefined (no cell with two votes, all votes of one category) has the value None and says
    why. Raises :class:`~evidial_rules.panel.votes.PanelError` for arrays that do not fit.

    Sources: Fleiss (1971), Cohen (1960), Krippendorff (2011, Computing Krippendorff's alpha-reliability), Gwet (2008,
    Computing inter-rater reliability and its variance in the presence of high agreement; 2014, chapters 2 and 3, for
    missing votes).

    >>> found = agreement([[0, 0], [1, 1], [0, 1], [1, -1]], 2)
    >>> found.coefficients["observed"].value, found.coefficients["observed"].n
    (0.6666666666666666, 3)
    >>> agreement([[1, 1], [1, 1]], 2).coefficients["fleiss"].why
    'all votes are of one category: the agreement expected by chance is 1'
    """
    array = as_votes(votes, categories)
    names = raters_of(raters, array.shape[1])
    groups, labels = as_labels(participants, len(array), where="participants")
    sums = _tally(array, categories, groups, len(labels))
    held = Resampled.of(sums, strata=strata_of(groups, len(labels), strata), replicates=replicates, seed=seed,
                        level=level)
    total = held.total
    several, complete = float(total["several"]), float(total["complete"])
    coefficients = {
        "observed": held.estimate(lambda s: s["agreeing"] / s["several"], several, _FEW),
        "unanimous": held.estimate(lambda s: s["unanimous"] / s["several"], several, _FEW),
        "unanimous_complete": held.estimate(lambda s: s["unanimous_complete"] / s["complete"], complete, _INCOMPLETE),
        "fleiss_complete": held.estimate(
            lambda s: _chance_corrected(s["agreeing_complete"] / s["complete"], _fleiss(s["shares_complete"])),
            complete, _ALIKE if complete else _INCOMPLETE),
        "fleiss": held.estimate(
            lambda s: _chance_corrected(s["agreeing"] / s["several"], _fleiss(s["shares"])), several,
            _ALIKE if several else _FEW),
        "krippendorff": held.estimate(_krippendorff, several, _ALIKE if several else _FEW),
        "gwet_ac1": held.estimate(
            lambda s: _chance_corrected(s["agreeing"] / s["several"], _gwet(s["shares"])), several,
            _FEW if categories > 1 else "one category only"),
    }
    cohen, percent = {}, {}
    for place, (i, j) in enumerate(pairs(len(names))):
        n = float(total["confusion"][place].sum())
        none = "no cell on which both voted"
        cohen[names[i], names[j]] = held.estimate(
            lambda s, at=place: _cohen(s["confusion"][..., at, :, :]), n,
            "both voted one and the same category throughout" if n else none)
        percent[names[i], names[j]] = held.estimate(
            lambda s, at=place: _diagonal(s["confusion"][..., at, :, :]), n, none)
    return Agreement(names, len(array), int((array >= 0).sum()), coefficients, cohen, percent)


def _tally(votes: Ints, categories: int, groups: Ints, n_groups: int) -> Sums:
    """Sums over the cells of each group: what the coefficients are made of."""
    counts = np.stack([(votes == k).sum(1) for k in range(categories)], 1).astype(float)
    given = counts.sum(1)
    several = given >= 2
    complete = several & (given == votes.shape[1])
    matching = (counts * (counts - 1)).sum(1)
    agreeing = np.where(several, matching / np.maximum(given * (given - 1), 1), 0.0)
    shares = counts / np.maximum(given, 1)[:, None]
    unanimous = several & (counts.max(1, initial=0) == given)
    per_cell: dict[str, Floats] = {
        "several": several, "complete": complete, "agreeing": agreeing, "agreeing_complete": agreeing * complete,
        "unanimous": unanimous, "unanimous_complete": unanimous & complete, "shares": shares,
        "shares_complete": shares * complete[:, None], "counts": counts * several[:, None],
        "coincident": np.where(several, matching / np.maximum(given - 1, 1), 0.0),
    }
    sums = {name: _by_group(np.asarray(one, dtype=float), groups, n_groups) for name, one in per_cell.items()}
    return sums | {"confusion": confusions(votes, categories, groups, n_groups)}


def _by_group(values: Floats, groups: Ints, n_groups: int) -> Floats:
    if values.ndim == 1:
        return np.bincount(groups, values, minlength=n_groups)
    return np.stack([np.bincount(groups, column, minlength=n_groups) for column in values.T], -1)


def _chance_corrected(observed: Floats, expected: Floats) -> Floats:
    # 1 - expected of votes that are all alike is 0 up to rounding: 0/0, which is undefined, and not a large number.
    room = 1 - expected
    return np.where(room > 1e-12, (observed - expected) / np.where(room > 1e-12, room, 1), np.nan)


def _proportions(sums: Floats) -> Floats:
    return sums / sums.sum(-1, keepdims=True)


def _fleiss(shares: Floats) -> Floats:
    return (_proportions(shares) ** 2).sum(-1)


def _gwet(shares: Floats) -> Floats:
    proportions = _proportions(shares)
    return (proportions * (1 - proportions)).sum(-1) / (shares.shape[-1] - 1)


def _krippendorff(sums: Sums) -> Floats:
    counts, n = sums["counts"], sums["counts"].sum(-1)
    expected = n**2 - (counts**2).sum(-1)
    return np.where(expected > 1e-9, 1 - (n - 1) * (n - sums["coincident"]) / expected, np.nan)


def _diagonal(confusion: Floats) -> Floats:
    return np.trace(confusion, axis1=-2, axis2=-1) / confusion.sum((-2, -1))


def _cohen(confusion: Floats) -> Floats:
    n = confusion.sum((-2, -1))
    expected = (confusion.sum(-1) * confusion.sum(-2)).sum(-1) / n**2
    return _chance_corrected(_diagonal(confusion), expected)
