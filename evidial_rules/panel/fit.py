"""Whether a fitted model of the votes makes votes like those that were given, stratum by stratum.

Votes are simulated from the model as it was fitted, on the same cells and by the same raters, so a statistic of the
simulated votes has the same holes as that of ours. The parameters stay at their estimates: this is a simulation check
of a fitted model (a parametric bootstrap), and since the model has seen the votes it is lenient.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..contract import STATES
from .votes import MISSING, Floats, Ints, PanelError, as_votes, number

Simulate = Callable[[np.random.Generator], ArrayLike]
"""From a generator to votes of shape (cells, raters) drawn from the fitted model. Where a cell has no vote of a rater,
what it draws does not matter."""

STATISTICS: Mapping[str, str] = {
    "agreement": "mean share of agreeing pairs of votes, over the cells with two votes or more",
    "unanimous": "share of the cells with two votes or more on which all votes are alike",
} | {f"share_{state}": f"share of {state} among the votes" for state in STATES}
"""What is compared in each stratum."""


@dataclass(frozen=True, slots=True)
class Check:
    """One statistic of a stratum: observed, mean and standard deviation of the simulated, and a two-sided p."""

    observed: float
    simulated: float
    spread: float
    p: float

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {"observed": number(self.observed), "simulated": number(self.simulated), "spread": number(self.spread),
                "p": number(self.p)}


@dataclass(frozen=True)
class Stratum:
    """The fit in one stratum.

    `p` is that of the largest deviation of any of its statistics, in standard deviations of the simulated ones, among
    the largest deviations of the simulated votes: it allows for there being several statistics (Westfall & Young 1993,
    single step). None where the stratum has no votes.
    """

    name: str
    cells: int
    votes: int
    checks: Mapping[str, Check]
    p: float | None
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        row = {"stratum": self.name, "cells": self.cells, "votes": self.votes, "p": number(self.p),
               "checks": {name: check.to_dict() for name, check in self.checks.items()}}
        return row if self.why is None else row | {"why": self.why}


@dataclass(frozen=True)
class ModelFit:
    """The fit of a model by stratum, from `replicates` simulations."""

    strata: tuple[Stratum, ...]
    replicates: int
    alpha: float = 0.05

    @property
    def failed(self) -> tuple[str, ...]:
        """The strata whose p is under alpha. No correction for the number of strata is made."""
        return tuple(one.name for one in self.strata if one.p is not None and one.p < self.alpha)

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {"replicates": self.replicates, "alpha": self.alpha, "strata": [one.to_dict() for one in self.strata],
                "failed": list(self.failed), "tested": sum(one.p is not None for one in self.strata)}

    def summary(self) -> str:
        """One line, and one for each stratum that fails."""
        tested = sum(one.p is not None for one in self.strata)
        lines = [f"{len(self.failed)} of {tested} strata fail at {self.alpha}"]
        lines += [f"{one.name}: p {one.p:.4f}" for one in self.strata if one.name in self.failed]
        return "\n".join(lines)


def model_fit(
    votes: ArrayLike, simulate: Simulate, strata: Mapping[str, Sequence[Any] | NDArray[Any]], *,
    replicates: int = 500, seed: int = 0, alpha: float = 0.05,
) -> ModelFit:
    """Simulated against observed votes of shape (cells, raters), in each stratum and over all cells.

    strata: names of ways to divide the cells (source, dimension) to labels of shape (cells,); the whole comes first,
    under the name "all", the others as "source=PDCH". simulate: see :data:`Simulate`. A p is the share of simulations
    at least as far out, with the observed counted among them, so it is 1 / (replicates + 1) at the least.

    Raises :class:`~evidial_rules.panel.votes.PanelError` for replicates under 1, and arrays that do not fit.
    """
    array = as_votes(votes, len(STATES))
    if replicates < 1:
        raise PanelError(where="replicates", expected=f"a number from 1, found {replicates}")
    names, members = ["all"], [np.ones(len(array), dtype=bool)]
    for way, labels in strata.items():
        held = np.asarray(labels)
        if held.shape != (len(array),):
            raise PanelError(where=way, expected=f"one label for each of {len(array)} cells, found shape {held.shape}")
        for label in dict.fromkeys(held.tolist()):
            names.append(f"{way}={label}")
            members.append(held == label)
    belongs = np.array(members, dtype=float)
    observed = _statistics(array, belongs)
    rng = np.random.default_rng(seed)
    simulated = np.empty((replicates, *observed.shape))
    given = array >= 0
    for number_ in range(replicates):
        drawn = as_votes(simulate(rng), len(STATES), where="simulated votes")
        if drawn.shape != array.shape or (drawn[given] < 0).any():
            raise PanelError(where="simulated votes", expected="a vote wherever one was given")
        simulated[number_] = _statistics(np.where(given, drawn, MISSING), belongs)
    found = []
    for place, name in enumerate(names):
        inside = members[place]
        cells, count = int(inside.sum()), int(given[inside].sum())
        if not count:
            found.append(Stratum(name, cells, 0, {}, None, "no votes"))
            continue
        checks, p = _checks(observed[place], simulated[:, place])
        found.append(Stratum(name, cells, count, checks, p))
    return ModelFit(tuple(found), replicates, alpha)


def _statistics(votes: Ints, belongs: Floats) -> Floats:
    """Statistics of each stratum, shape (strata, statistics); not a number where there is nothing to take them of."""
    counts = np.stack([(votes == k).sum(1) for k in range(len(STATES))], 1).astype(float)
    given = counts.sum(1)
    several = given >= 2
    agreeing = np.where(several, (counts * (counts - 1)).sum(1) / np.maximum(given * (given - 1), 1), 0)
    unanimous = several & (counts.max(1, initial=0) == given)
    sums = belongs @ np.column_stack([several, agreeing, unanimous, given, counts])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([sums[:, 1:3] / sums[:, :1], sums[:, 4:] / sums[:, 3:4]])


def _checks(observed: Floats, simulated: Floats) -> tuple[dict[str, Check], float | None]:
    held = np.flatnonzero(np.isfinite(observed))
    names = list(STATISTICS)
    total = len(simulated) + 1
    ours, theirs = observed[held], simulated[:, held]
    above = 1 + (theirs >= ours - 1e-12).sum(0)
    below = 1 + (theirs <= ours + 1e-12).sum(0)
    p = np.minimum(1.0, 2 * np.minimum(above, below) / total)
    # The observed is one of the draws: so each has the same chance of being the farthest, if the model holds.
    draws = np.vstack([ours, theirs])
    spread = draws.std(0)
    varies = spread > 1e-12
    far = np.abs(draws - draws.mean(0))[:, varies] / spread[varies]
    farthest = far.max(1, initial=0.0)
    whole = float((farthest >= farthest[0] - 1e-12).sum() / total)
    checks = {names[at]: Check(float(ours[i]), float(theirs[:, i].mean()), float(theirs[:, i].std()), float(p[i]))
              for i, at in enumerate(held)}
    return checks, whole
