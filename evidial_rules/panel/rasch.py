"""Severity of raters by the Rasch model, fitted by conditional maximum likelihood (paper, "MFRM calibration").

    logit P(y[u, k] = 1 | theta[u], beta[k]) = theta[u] - beta[k],   sum of beta = 0

A cell's number of yes votes is sufficient for its location theta, so conditioning on it takes the cells out of the
likelihood (Andersen 1970; Fischer & Molenaar 1995, chapter 3). With y a binary measure of votes and the raters as the
only facet beside the cells, this is the many-facet Rasch model of the paper (Linacre 1989). Elementary symmetric
functions of exp(-beta) are computed once for each set of raters that voted, whatever the number of cells.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import gammaln
from scipy.stats import chi2

from ..contract import STATES
from .votes import MEASURES, MISSING, Floats, Ints, PanelError, as_votes, binary, number, probability, raters_of

_TOLERANCE = 1e-10
_ITERATIONS = 100


@dataclass(frozen=True, slots=True)
class LikelihoodRatio:
    """A likelihood ratio test: the statistic, its degrees of freedom and the chi-square tail; None with a reason.

    The logarithm (base 10) of p stays a number where p itself is too small for one.
    """

    statistic: float | None
    df: int
    why: str | None = None

    @property
    def p(self) -> float | None:
        """The tail probability, 0 where it is under the smallest number."""
        return None if self.statistic is None else float(chi2.sf(self.statistic, self.df))

    @property
    def log10_p(self) -> float | None:
        """log10 of the tail probability.

        >>> LikelihoodRatio(1051.5, 4).log10_p < -200
        True
        """
        return None if self.statistic is None else float(chi2.logsf(self.statistic, self.df) / np.log(10))

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        row: dict[str, Any] = {"statistic": number(self.statistic), "df": self.df,
                               "p": probability(self.p), "log10_p": number(self.log10_p)}
        return row if self.why is None else row | {"why": self.why}


class Rasch:
    """The Rasch model of raters by conditional maximum likelihood.

    fit(votes) takes an array of shape (cells, raters) of 0 and 1, with -1 for no vote, and returns self.

    Attributes after the fit
        raters_: names, K of them.
        severity_: shape (K,), beta; a rater of high severity seldom says yes. Sum zero.
        standard_errors_: shape (K,), of severity_ under the constraint.
        covariance_: shape (K, K).
        multipliers_: shape (K,), exp(-beta): the odds of a yes relative to a rater of severity zero.
        log_likelihood_, log_likelihood_homogeneous_: conditional, at the fit and with all severities 0.
        homogeneity_, andersen_: :class:`LikelihoodRatio`; the latter by a split at the median location.
        cells_, informative_, votes_: cells with a vote, those among them whose votes are not all alike (only they
        have a say in the fit), and votes.
        locations_: shape (cells,), maximum likelihood of theta given beta; -inf and inf where a cell's votes are all no
        or all yes, not a number where it has no vote.

    >>> model = Rasch().fit([[1, 0], [1, 0], [0, 1]], raters=["mild", "strict"])
    >>> model.multipliers_.round(4).tolist()
    [1.4142, 0.7071]
    """

    def fit(self, votes: ArrayLike, *, raters: Sequence[str] | None = None) -> Rasch:
        """Fits severities to votes of shape (cells, raters).

        Raises :class:`~evidial_rules.panel.votes.PanelError` where no finite maximum exists (Fischer 1981): unless
        from every rater one can get to every other by cells on which the one said yes and the next no. The raters that
        stand in the way are those that :func:`estimable` leaves out.
        """
        array = as_votes(votes, 2)
        names = raters_of(raters, array.shape[1])
        if len(names) < 2:
            raise PanelError(where="raters", expected=f"two or more, found {len(names)}")
        if len(_connected(array)) < len(names):
            raise PanelError(where="votes", expected="raters each of which says yes where another says no, and no "
                                                     "where another says yes: else severities are not finite")
        patterns = _Patterns.of(array)
        beta, likelihood, information = _maximise(patterns)
        self.raters_ = names
        self.severity_ = beta
        self.covariance_ = np.linalg.pinv(information, rcond=1e-12, hermitian=True)
        self.standard_errors_ = np.sqrt(np.diag(self.covariance_))
        self.multipliers_ = np.exp(-beta)
        self.log_likelihood_ = likelihood
        self.log_likelihood_homogeneous_ = patterns.homogeneous()
        self.homogeneity_ = LikelihoodRatio(max(2 * (likelihood - self.log_likelihood_homogeneous_), 0.0),
                                            len(names) - 1)
        self.cells_ = int((array >= 0).any(1).sum())
        self.informative_ = int(patterns.counts.sum())
        self.votes_ = int((array >= 0).sum())
        self.locations_ = self.locate(array)
        self.andersen_ = self._andersen(array)
        return self

    def locate(self, votes: ArrayLike) -> Floats:
        """Maximum likelihood locations theta of cells, shape (cells,), given the fitted severities.

        The location is on the scale of a rater of severity zero: severities are taken out. -inf and inf where all
        votes of the cell are no or yes, not a number without votes.
        """
        array = as_votes(votes, 2)
        if array.shape[1] != len(self.severity_):
            raise PanelError(where="votes", expected=f"{len(self.severity_)} raters, found {array.shape[1]}")
        masks, of_cell = _distinct(array >= 0)
        # A location depends on who voted and on how many said yes.
        width = array.shape[1] + 1
        keys, index = np.unique(of_cell * width + (array == 1).sum(1), return_inverse=True)
        found = np.array([_location(self.severity_[masks[key // width]], int(key % width)) for key in keys])
        return found[index] if len(array) else np.zeros(0)

    def _andersen(self, array: Ints) -> LikelihoodRatio:
        """Andersen's (1973) test: the sum of the likelihoods fitted to the cells up to the median and above it."""
        df = len(self.severity_) - 1
        inner = np.isfinite(self.locations_)
        middle = np.sort(self.locations_[inner])[(inner.sum() - 1) // 2]
        low = inner & (self.locations_ <= middle)
        parts = [array[low], array[inner & ~low]]
        for name, part in zip(("up to", "above"), parts, strict=True):
            if len(_connected(part)) <= df:
                return LikelihoodRatio(None, df, f"the severities of the cells {name} the median are not finite")
        likelihoods = [_maximise(_Patterns.of(part))[1] for part in parts]
        return LikelihoodRatio(max(2 * (sum(likelihoods) - self.log_likelihood_), 0.0), df)

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {
            "cells": self.cells_, "informative": self.informative_, "votes": self.votes_,
            "raters": [{"rater": name, "severity": number(beta), "standard_error": number(error),
                        "multiplier": number(odds)}
                       for name, beta, error, odds in zip(self.raters_, self.severity_, self.standard_errors_,
                                                          self.multipliers_, strict=True)],
            "log_likelihood": number(self.log_likelihood_),
            "log_likelihood_homogeneous": number(self.log_likelihood_homogeneous_),
            "homogeneity": self.homogeneity_.to_dict(), "andersen": self.andersen_.to_dict(),
        }

    def summary(self) -> str:
        """Severities with standard errors and multipliers, and the tests."""
        rows = zip(self.raters_, self.severity_, self.standard_errors_, self.multipliers_, strict=True)
        lines = [f"{name}: severity {beta:.4f} ({error:.4f}), odds x {odds:.4f}" for name, beta, error, odds in rows]
        for name, test in (("homogeneity", self.homogeneity_), ("Andersen", self.andersen_)):
            lines.append(f"{name}: not tested ({test.why})" if test.statistic is None else
                         f"{name}: LR {test.statistic:.4f}, df {test.df}, log10 p {test.log10_p:.2f}")
        return "\n".join(lines)


def estimable(votes: ArrayLike, *, raters: Sequence[str] | None = None) -> tuple[list[int], dict[str, str]]:
    """Which raters have finite severities together, as column numbers, and why the others do not.

    A rater that says yes wherever another of the rest says no, and never the reverse, would be infinitely mild: such
    raters are left out, one set after another, until the rest are linked both ways. Returns no column where nothing is
    left to compare. Raises :class:`~evidial_rules.panel.votes.PanelError` for votes that are none.

    >>> estimable([[1, 0, 1], [0, 1, 1], [1, 0, -1]], raters=["a", "b", "yes"])
    ([0, 1], {'yes': 'it never says no'})
    """
    array = as_votes(votes, 2)
    names = raters_of(raters, array.shape[1])
    kept, reasons = list(range(len(names))), {}
    for place, name in enumerate(names):
        given = array[:, place][array[:, place] >= 0]
        if not len(given):
            reasons[name] = "it has no vote on this measure"
        elif given.min() == given.max():
            reasons[name] = "it never says no" if given.min() else "it never says yes"
    kept = [place for place in kept if names[place] not in reasons]
    while len(kept) > 1:
        linked = _connected(array[:, kept])
        if len(linked) == len(kept):
            return kept, reasons
        inside = [kept[place] for place in linked] if len(linked) > 1 else []
        for place in kept:
            if place not in inside:
                reasons[names[place]] = "its votes and those of the others are not linked both ways, so its severity " \
                                        "is not finite"
        kept = inside
    for place in kept:
        reasons[names[place]] = "there is no other rater to compare it with"
    return [], reasons


CATEGORIES: tuple[str, ...] = ("ABSENT", "INSUFFICIENT", "SUFFICIENT_POS", "SUFFICIENT_NEG")
"""What three binary calls in turn can tell; INSUFFICIENT is PARTIAL or CONFLICTING."""

_CATEGORY = np.array(
    [*(CATEGORIES.index(state if state in CATEGORIES else "INSUFFICIENT") for state in STATES), MISSING])


@dataclass(frozen=True)
class Measure:
    """One binary measure of a panel: the model of the raters that can be compared on it, and why others cannot.

    `columns` are those of the raters in the model. `model` is None where no two raters can be compared; `why` says so.
    `calls`, shape (cells,), is 1 where theta > 0, 0 where theta < 0, -1 where it is 0 or the cell has no vote of a
    rater in the model. Without a model it is the strict majority of all raters' votes.
    """

    name: str
    columns: tuple[int, ...]
    left_out: Mapping[str, str]
    model: Rasch | None
    calls: Ints
    ties: np.ndarray

    @property
    def why(self) -> str | None:
        """Why there is no model; None where there is one."""
        return None if self.model is not None else "no two raters whose severities are finite"

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        row: dict[str, Any] = {"measure": self.name, "of": MEASURES[self.name], "left_out": dict(self.left_out)}
        row |= {"model": None} if self.model is None else {"model": self.model.to_dict()}
        row["calls"] = _spread(self.calls)
        row["ties"] = {"n": int(self.ties.sum()), "called": _spread(self.calls[self.ties])}
        return row if self.why is None else row | {"why": f"{self.why}: calls are by majority"}


def _spread(calls: Ints) -> dict[str, int]:
    return {"yes": int((calls == 1).sum()), "no": int((calls == 0).sum()), "none": int((calls < 0).sum())}


def measure(votes: ArrayLike, name: str, *, raters: Sequence[str] | None = None) -> Measure:
    """Fits one of the :data:`~evidial_rules.panel.votes.MEASURES` to states of shape (cells, raters), and calls cells.

    Only raters that are :func:`estimable` take part. A cell's call depends on which of them voted and on how many said
    yes: theta is where a rater of severity zero would say yes with probability one half, so a tie of two strict raters
    becomes a yes, and one of two mild raters a no. `ties` marks the cells with as many yes as no votes of these raters.

    Raises :class:`~evidial_rules.panel.votes.PanelError` for votes that are none.
    """
    array = binary(votes, name)
    names = raters_of(raters, array.shape[1])
    columns, reasons = estimable(array, raters=names)
    used = array[:, columns] if columns else array
    yes, no = (used == 1).sum(1), (used == 0).sum(1)
    model = Rasch().fit(used, raters=[names[place] for place in columns]) if columns else None
    # Theta of a balanced tie is 0 up to rounding.
    lean = (yes - no).astype(float) if model is None else np.where(yes + no > 0, model.locations_, 0.0)
    calls = np.where(np.abs(lean) < 1e-9, MISSING, (lean > 0).astype(int))
    return Measure(name, tuple(columns), reasons, model, calls, (yes == no) & (yes > 0))


@dataclass(frozen=True)
class SeverityCorrected:
    """Cells put into :data:`CATEGORIES` by plurality and with the raters' severities taken out.

    `measures` by name; `plurality` and `model` have shape (cells,), an index into the categories or -1 for none; `tied`
    marks the cells on which several categories have the most votes.
    """

    measures: Mapping[str, Measure]
    plurality: Ints
    model: Ints
    tied: np.ndarray

    @property
    def changed(self) -> np.ndarray:
        """Shape (cells,): plurality has a category and the model another one, or none."""
        return (self.plurality >= 0) & (self.plurality != self.model)

    def to_dict(self) -> dict[str, Any]:
        """Counts of categories by both ways, what becomes of ties, and how many other cells change."""
        def spread(found: Ints) -> dict[str, int]:
            return {name: int((found == at).sum()) for at, name in enumerate(CATEGORIES)} | {
                "none": int((found < 0).sum())}

        return {"measures": [one.to_dict() for one in self.measures.values()],
                "plurality": spread(self.plurality), "model": spread(self.model),
                "ties": {"n": int(self.tied.sum()), "assigned": spread(self.model[self.tied])},
                "changed": int(self.changed.sum())}


def severity_corrected(votes: ArrayLike, *, raters: Sequence[str] | None = None) -> SeverityCorrected:
    """MFRM as an aggregator of states of shape (cells, raters), beside strict plurality of the same categories.

    The measures are called in turn: no evidence, else insufficient, else the direction. A cell with no call on a
    measure that it comes to is in no category.

    Raises :class:`~evidial_rules.panel.votes.PanelError` for votes that are none.

    >>> found = severity_corrected([[0, 3], [3, 3], [0, 0], [3, 0], [0, 3]])
    >>> found.plurality.tolist(), found.tied.tolist()
    ([-1, 2, 0, -1, -1], [True, False, False, True, True])
    """
    array = as_votes(votes, len(STATES))
    measures = {name: measure(array, name, raters=raters) for name in MEASURES}
    assessable, sufficient, positive = (measures[name].calls for name in MEASURES)
    last = np.where(positive < 0, MISSING, np.where(positive == 1, 2, 3))
    middle = np.where(sufficient < 0, MISSING, np.where(sufficient == 1, last, 1))
    model = np.where(assessable < 0, MISSING, np.where(assessable == 1, middle, 0))
    coarse = _CATEGORY[array]
    counts = np.stack([(coarse == at).sum(1) for at in range(len(CATEGORIES))], 1)
    most = counts.max(1, initial=0)
    leaders = (counts == most[:, None]).sum(1)
    tied = (most > 0) & (leaders > 1)
    return SeverityCorrected(measures, np.where((most > 0) & ~tied, counts.argmax(1), MISSING), model, tied)


def elementary_symmetric(epsilon: ArrayLike) -> Floats:
    """Elementary symmetric functions of orders 0 to K of K positive numbers, shape (K + 1,).

    >>> elementary_symmetric([1.0, 2.0, 3.0]).tolist()
    [1.0, 6.0, 11.0, 6.0]
    """
    gamma = np.ones(1)
    for value in np.asarray(epsilon, dtype=float):
        gamma = np.append(gamma, 0.0) + value * np.append(0.0, gamma)  # sums of positive terms: nothing cancels
    return gamma


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Cells collapsed: for each set of raters that voted (`masks`, shape (sets, K)) and each number of yes votes that
    is neither none nor all, how many cells (`counts`, shape (sets, K + 1)); `yes` (K,) counts their yes votes."""

    masks: np.ndarray
    counts: Floats
    yes: Floats

    @classmethod
    def of(cls, votes: Ints) -> _Patterns:
        given, score = (votes >= 0).sum(1), (votes == 1).sum(1)
        kept = votes[(score > 0) & (score < given)]
        masks, index = _distinct(kept >= 0)
        width = votes.shape[1] + 1
        counts = np.bincount(index * width + (kept == 1).sum(1), minlength=len(masks) * width)
        return cls(masks, counts.reshape(-1, width).astype(float), (kept == 1).sum(0).astype(float))

    def homogeneous(self) -> float:
        """Log-likelihood with all severities equal: each choice of the yes votes has the same probability."""
        sizes = self.masks.sum(1)[:, None]
        scores = np.arange(self.counts.shape[1])
        ways = gammaln(sizes + 1) - gammaln(scores + 1) - gammaln(np.maximum(sizes - scores, 0) + 1)
        return -float((self.counts * ways).sum())

    def evaluate(self, beta: Floats) -> tuple[float, Floats, Floats]:
        """Log-likelihood, gradient (K,) and observed information (K, K)."""
        value = -float(self.yes @ beta)
        gradient, information = -self.yes.copy(), np.zeros((len(beta), len(beta)))
        for mask, counts in zip(self.masks, self.counts, strict=True):
            places = np.flatnonzero(mask)
            scores = np.flatnonzero(counts)
            # Only differences within the set matter; centring keeps the products in range.
            shift = beta[places].mean()
            epsilon = np.exp(-(beta[places] - shift))
            gamma = elementary_symmetric(epsilon)[scores]
            n = counts[scores]
            value -= float(n @ (np.log(gamma) - scores * shift))
            without = (elementary_symmetric(np.delete(epsilon, j)) for j in range(len(places)))
            p = np.stack([value_j * rest[scores - 1] for value_j, rest in zip(epsilon, without, strict=True)]) / gamma
            gradient[places] += p @ n
            both = np.zeros((len(places), len(places)))
            for j, k in zip(*np.triu_indices(len(places), 1), strict=True):
                rest = elementary_symmetric(np.delete(epsilon, [j, k]))
                joint = np.where(scores >= 2, epsilon[j] * epsilon[k] * rest[np.maximum(scores - 2, 0)] / gamma, 0.0)
                both[j, k] = both[k, j] = n @ joint
            both[np.diag_indices(len(places))] = p @ n
            information[np.ix_(places, places)] += both - (p * n) @ p.T
        return value, gradient, information


def _maximise(patterns: _Patterns) -> tuple[Floats, float, Floats]:
    """Newton's method with halved steps; the likelihood is concave, and its one flat direction is the constraint."""
    beta = np.zeros(patterns.masks.shape[1])
    value, gradient, information = patterns.evaluate(beta)
    for _ in range(_ITERATIONS):
        step = np.linalg.pinv(information, rcond=1e-12, hermitian=True) @ gradient
        if np.abs(step).max() < _TOLERANCE:
            return beta, value, information
        for _ in range(40):
            proposed = patterns.evaluate(beta + step)
            if proposed[0] >= value - 1e-12 * abs(value):
                break
            step = step / 2
        beta = beta + step
        beta = beta - beta.mean()
        value, gradient, information = proposed
    raise PanelError(where="votes", expected=f"severities that are found within {_ITERATIONS} steps")


def _connected(votes: Ints) -> list[int]:
    """Columns of the largest set of raters linked both ways by cells on which one said yes and the other no."""
    yes, no = (votes == 1).astype(float), (votes == 0).astype(float)
    _, labels = connected_components(csr_array(yes.T @ no > 0), directed=True, connection="strong")
    return np.flatnonzero(labels == np.bincount(labels).argmax()).tolist()


def _distinct(given: np.ndarray) -> tuple[np.ndarray, Ints]:
    """The distinct rows of an array of truth values, and which of them each row is."""
    if given.shape[1] > 62:
        rows, index = np.unique(given, axis=0, return_inverse=True)
        return rows, index.reshape(-1)
    # As whole numbers, which sort many times faster than rows.
    _, first, index = np.unique(given @ (1 << np.arange(given.shape[1])), return_index=True, return_inverse=True)
    return given[first], index


def _location(beta: Floats, score: int) -> float:
    """Theta at which the expected number of yes votes of raters of these severities is the score."""
    if not len(beta):
        return np.nan
    if score in (0, len(beta)):
        return np.inf if score else -np.inf
    low, high = beta.min() - 40.0, beta.max() + 40.0
    theta = float(np.log(score / (len(beta) - score)) + beta.mean())
    for _ in range(200):
        p = 1 / (1 + np.exp(beta - theta))
        excess = score - p.sum()
        low, high = (theta, high) if excess > 0 else (low, theta)
        following = theta + excess / max(float((p * (1 - p)).sum()), 1e-300)
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - theta) < 1e-13 * (1 + abs(theta)):
            return float(following)
        theta = following
    return theta
