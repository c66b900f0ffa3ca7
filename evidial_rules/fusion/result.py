"""What a latent class fit has to say of itself: convergence, identification, raters, standard errors."""
from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from ..contract import STATES
from .latent import ALPHA, LatentClass
from .patterns import Floats, K, Patterns

_EDGE = 1e-3
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """Where one climb ended: theta (size,), what it climbed (log L with the pseudo-counts' and the prior's share),
    whether it converged, steps and its last word."""

    theta: Floats
    objective: float
    converged: bool
    iterations: int
    message: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its standard error and 95% interval; the last three are None, and `why` says so, where the data do
    not give them (an estimate on the edge of its range, or a singular fit)."""

    value: float
    se: float | None
    low: float | None
    high: float | None
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {"value": self.value, "se": self.se, "low": self.low, "high": self.high, "why": self.why}


@dataclass(frozen=True, eq=False)
class LatentResult:
    """A fitted latent class model.

    rank: parameters that the votes and anchors can tell, of `model.size`. match: (5,), the state that each class emits,
    one to one. optima: where each start ended; changed: the share of cells whose most probable state differs there from
    the best one's.
    """

    method: str
    model: LatentClass
    theta: Floats
    patterns: Patterns
    rank: int
    match: npt.NDArray[np.int64]
    optima: tuple[Optimum, ...]
    changed: tuple[float, ...]
    best: int
    warnings: tuple[str, ...]

    @property
    def converged(self) -> bool:
        """Whether the optimiser says so of the best climb."""
        return self.optima[self.best].converged

    @property
    def log_likelihood(self) -> float:
        """log L of the votes alone, and of who gave them if that is modelled; grid weights sum to one."""
        return replace(self.model, pseudo=None, voting_prior=False).log_likelihood(self.theta, self.patterns)

    @property
    def sigma(self) -> float | None:
        """Standard deviation of the cell effect, None in a model without one."""
        return self.model.unpack(self.theta).sigma

    @property
    def emissions(self) -> Floats:
        """Confusion matrices (J, state, vote), the cell effect integrated out."""
        return self.model.marginal_emissions(self.model.unpack(self.theta))

    @property
    def prevalence(self) -> Floats:
        """Mean prevalence of the states over the cells, (5,)."""
        return self._prevalence(self.theta)

    def _prevalence(self, theta: Floats) -> Floats:
        pi = self.model.prevalence(self.model.unpack(theta).gamma, self.patterns.x)
        return self.patterns.counts @ pi[self.patterns.level] / self.patterns.n

    @property
    def aic(self) -> float:
        """Akaike's criterion."""
        return 2 * self.model.size - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion, n the cells with a vote."""
        return float(np.log(self.patterns.voted)) * self.model.size - 2 * self.log_likelihood

    @property
    def spread(self) -> float:
        """The highest of what the starts climbed to minus the lowest."""
        values = [one.objective for one in self.optima]
        return max(values) - min(values)

    def log_likelihood_by_quadrature(self, points: int = 61) -> float | None:
        """log L of the votes with Gauss-Hermite nodes in place of the grid, to check it; None without a cell effect."""
        if self.sigma is None:
            return None
        nodes, weights = np.polynomial.hermite_e.hermegauss(points)
        keep = weights > 1e-14
        votes_alone = replace(self.model, pseudo=None, voting_prior=False)
        return _Quadrature(votes_alone, nodes[keep], weights[keep] / weights[keep].sum()).log_likelihood(
            self.theta, self.patterns)

    @functools.cached_property
    def _covariance(self) -> tuple[Floats, npt.NDArray[np.bool_]] | None:
        """Covariance of theta and which of it is free (off the bounds); None where the information is singular."""
        low, high = np.array(self.model.bounds).T
        free = (self.theta > low + _EDGE) & (self.theta < high - _EDGE)
        information = self.model.information(self.theta, self.patterns)[np.ix_(free, free)]
        values, vectors = np.linalg.eigh(information)
        if not len(values) or values[0] <= 1e-9 * max(values[-1], 1):
            return None
        covariance = np.zeros((self.model.size, self.model.size))
        covariance[np.ix_(free, free)] = (vectors / values) @ vectors.T
        return covariance, free

    def _estimates(self, values: Floats, jacobian: Floats, kind: str) -> list[Estimate]:
        found = []
        for value, slope in zip(values, jacobian, strict=True):
            if self._covariance is None:
                found.append(Estimate(float(value), None, None, None, "singular information"))
                continue
            se = float(np.sqrt(max(slope @ self._covariance[0] @ slope, 0.0)))
            if se == 0 or (kind == "share" and not 1e-4 < value < 1 - 1e-4):
                found.append(Estimate(float(value), None, None, None, "on the edge of its range"))
                continue
            if kind == "scale" and se > 10 * value:
                found.append(Estimate(float(value), None, None, None, "hardly told by the votes"))
                continue
            if kind == "share":  # on the logit's scale, so that an interval stays inside 0 and 1
                middle, wide = logit(value), _Z * se / (value * (1 - value))
                low, high = expit(middle - wide), expit(middle + wide)
            elif kind == "slope":
                low, high = value - _Z * se, value + _Z * se
            else:
                low, high = value * np.exp(-_Z * se / value), value * np.exp(_Z * se / value)
            found.append(Estimate(float(value), se, float(low), float(high)))
        return found

    def emission_estimates(self) -> list[list[list[Estimate]]]:
        """Each rater's confusion matrix with standard errors: [rater][state][vote]."""
        def shares(theta: Floats) -> Floats:
            return self.model.marginal_emissions(self.model.unpack(theta)).ravel()

        flat = self._estimates(shares(self.theta), _jacobian(shares, self.theta), "share")
        return [[flat[(j * K + k) * K:(j * K + k + 1) * K] for k in range(K)] for j in range(self.model.raters)]

    def prevalence_estimates(self) -> list[Estimate]:
        """The states' mean prevalence with standard errors, in the order of `STATES`."""
        return self._estimates(self.prevalence, _jacobian(self._prevalence, self.theta), "share")

    def sigma_estimate(self) -> Estimate | None:
        """The effect's standard deviation with its standard error; None in a model without one."""
        if self.sigma is None:
            return None
        slope = np.zeros((1, self.model.size))
        slope[0, -1] = self.sigma
        return self._estimates(np.array([self.sigma]), slope, "scale")[0]

    def voting_estimate(self) -> Estimate | None:
        """delta, the slope of the logit of giving a usable vote on the cell effect (positive: hard cells, in the design
        "agree", lose votes), with its standard error; None in a model that takes missing votes as they come."""
        return self._voting_estimates()[-1] if self.model.voting is not None else None

    def voting_by_state(self) -> dict[str, Estimate] | None:
        """kappa, by how much the logit of giving a usable vote differs in each further state from that in ABSENT; None
        in a model that takes missing votes as they come."""
        if self.model.voting is None:
            return None
        return dict(zip(STATES[1:], self._voting_estimates(), strict=False))

    def _voting_estimates(self) -> list[Estimate]:
        """kappa and delta, (5,)."""
        at = np.arange(self.model.size)[self.model.voting_at][-K:]
        return self._estimates(self.theta[at], np.eye(self.model.size)[at], "slope")

    def to_dict(self, raters: Sequence[str] | None = None) -> dict[str, Any]:
        """A JSON object, with the raters' names if they are given."""
        names = list(raters or [f"rater {j + 1}" for j in range(self.model.raters)])
        sigma, voting, states = self.sigma_estimate(), self.voting_estimate(), self.voting_by_state()
        return {
            "method": self.method, "cells": self.patterns.n, "voted": self.patterns.voted,
            "patterns": len(self.patterns.counts), "log_likelihood": self.log_likelihood,
            "log_likelihood_by_quadrature": self.log_likelihood_by_quadrature(), "aic": self.aic, "bic": self.bic,
            "parameters": self.model.size, "rank": self.rank, "converged": self.converged,
            "at_bound": int((np.abs(self.model.unpack(self.theta).alpha) > ALPHA - _EDGE).sum()),
            "starts": [{"objective": one.objective, "changed": share}
                       for one, share in zip(self.optima, self.changed, strict=True)],
            "sigma": None if sigma is None else sigma.to_dict(),
            "missing": None if voting is None or states is None else {
                "effect": voting.to_dict(), "states": {state: one.to_dict() for state, one in states.items()}},
            "prevalence": {state: one.to_dict()
                           for state, one in zip(STATES, self.prevalence_estimates(), strict=True)},
            "emissions": {name: {state: {vote: cell.to_dict() for vote, cell in zip(STATES, row, strict=True)}
                                 for state, row in zip(STATES, matrix, strict=True)}
                          for name, matrix in zip(names, self.emission_estimates(), strict=True)},
            "match": {state: STATES[self.match[k]] for k, state in enumerate(STATES)}, "warnings": list(self.warnings),
        }

    def summary(self, raters: Sequence[str] | None = None) -> str:
        """The fit as text: likelihood, identification, starts, prevalence, how often each rater is right by state."""
        names = list(raters or [f"rater {j + 1}" for j in range(self.model.raters)])
        lines = [
            f"{self.method}: {self.patterns.n:g} cells, {self.patterns.voted:g} with votes, "
            f"{len(self.patterns.counts)} patterns",
            f"log L {self.log_likelihood:.3f}, AIC {self.aic:.1f}, BIC {self.bic:.1f}; {self.model.size} parameters, "
            f"rank {self.rank}; {'converged' if self.converged else 'NOT converged'}",
            f"{len(self.optima)} starts: apart by {self.spread:.3f}, most probable states changed in up to "
            f"{max(self.changed):.1%} of cells",
        ]
        sigma = self.sigma_estimate()
        if sigma is not None:
            lines.append(f"sigma {_shown(sigma)}; with Gauss-Hermite nodes log L "
                         f"{self.log_likelihood_by_quadrature():.3f}")
        voting = self.voting_estimate()
        if voting is not None:
            states = self.voting_by_state() or {}
            lines.append(f"logit of giving a usable vote: slope {_shown(voting)} on the cell effect; beside ABSENT "
                         + ", ".join(f"{state} {one.value:+.2f}" for state, one in states.items()))
        width = max(12, *(len(name) for name in names)) + 2
        lines.append(" " * width + "".join(f"{state:>24}" for state in STATES))
        lines.append("prevalence".ljust(width) + "".join(f"{_shown(one):>24}" for one in self.prevalence_estimates()))
        for name, matrix in zip(names, self.emission_estimates(), strict=True):
            lines.append(name.ljust(width) + "".join(f"{_shown(matrix[k][k]):>24}" for k in range(K)))
        lines.append("A rater's line is how often it votes a state that is one. Intervals: 95%, from the information.")
        lines += [f"warning: {words}" for words in self.warnings]
        return "\n".join(lines)


def _shown(one: Estimate) -> str:
    return f"{one.value:.3f}" + ("" if one.low is None else f" [{one.low:.3f}, {one.high:.3f}]")


def _jacobian(function: Any, theta: Floats, step: float = 1e-6) -> Floats:
    """Derivatives by differences, (values, size)."""
    here = function(theta)
    columns = []
    for i in range(len(theta)):
        shift = np.zeros(len(theta))
        shift[i] = step
        columns.append((function(theta + shift) - here) / step)
    return np.stack(columns, axis=1)


class _Quadrature(LatentClass):
    """The same likelihood with given standard normal nodes and weights instead of the grid."""

    def __init__(self, model: LatentClass, nodes: Floats, weights: Floats) -> None:
        super().__init__(model.raters, model.covariates, model.effect, model.design, model.loadings, model.pseudo,
                         voting=model.voting)
        object.__setattr__(self, "_nodes", (nodes, weights))

    def _points(self, sigma: float | None) -> tuple[Floats, Floats]:
        nodes, weights = self._nodes  # type: ignore[attr-defined]
        return nodes * sigma, weights
