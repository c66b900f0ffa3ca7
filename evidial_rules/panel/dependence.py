"""How alike the raters' raw votes are: eigenvalues of their correlation matrix (paper, section 4.3 and Appendix 12).

The summary is of raw votes, so it cannot tell shared error from shared signal. Raters who err independently of one
another agree all the more, the better they are: five of them that flip a balanced binary truth with probability .05
have correlations of .81 in every pair and a participation ratio of 1.38, though their errors share nothing.
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
    PanelError,
    Resampled,
    as_labels,
    as_votes,
    confusions,
    number,
    pairs,
    raters_of,
    strata_of,
)

CAVEAT = ("A low participation ratio says that the raw votes are alike, not that the errors are: raters that err "
          "independently on the same truth agree as well. Five that flip a balanced binary truth with probability .05 "
          "have pairwise correlations of .81 and a participation ratio of 1.380.")


def participation_ratio(correlations: ArrayLike) -> Floats | float:
    """(sum of eigenvalues)^2 / sum of squared eigenvalues of correlation matrices of shape (..., raters, raters).

    From 1 (all raters alike) to the number of raters (uncorrelated). The sum is the trace and the sum of squares that
    of all entries, so no eigenvalue is computed. Source: paper, Appendix 12, "Spectral summary".

    >>> round(participation_ratio(equicorrelated(5, 0.81)), 5)
    1.37954
    """
    matrix = np.asarray(correlations, dtype=float)
    found = np.trace(matrix, axis1=-2, axis2=-1) ** 2 / (matrix**2).sum((-2, -1))
    return float(found) if found.ndim == 0 else found


def top_share(correlations: ArrayLike) -> Floats | float:
    """Largest eigenvalue's share of their sum, for correlation matrices of shape (..., raters, raters).

    >>> round(top_share(equicorrelated(5, 0.8)), 2)
    0.84
    """
    matrix = np.asarray(correlations, dtype=float)
    found = np.linalg.eigvalsh(matrix)[..., -1] / np.trace(matrix, axis1=-2, axis2=-1)
    return float(found) if np.ndim(found) == 0 else found


def equicorrelated(raters: int, r: float) -> Floats:
    """The correlation matrix, shape (raters, raters), of raters with one correlation r in every pair.

    Its participation ratio is K / (1 + (K - 1) r^2) and its top share (1 + (K - 1) r) / K, for K raters and r >= 0.

    >>> equicorrelated(2, 0.5).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    return np.full((raters, raters), float(r)) + (1 - float(r)) * np.eye(raters)


@dataclass(frozen=True)
class Dependence:
    """Eigenvalues of the raters' correlation matrix.

    `raters` are those with votes of at least two categories, `left_out` maps the others to the reason. `correlations`
    has shape (raters, raters), `eigenvalues` (raters,) in falling order; both are None where a pair of raters has no
    correlation. `fewest` cells stand behind the pair with the fewest. A matrix that is pairwise complete need not be
    positive semidefinite: `indefinite` says whether an eigenvalue is negative, and the top share is then too high.
    """

    raters: tuple[str, ...]
    left_out: Mapping[str, str]
    correlations: Floats | None
    eigenvalues: Floats | None
    participation: Estimate
    top: Estimate
    fewest: int
    why: str | None = None

    @property
    def indefinite(self) -> bool | None:
        """Whether an eigenvalue is negative; None without eigenvalues."""
        return None if self.eigenvalues is None else bool(self.eigenvalues[-1] < -1e-9)

    @property
    def independent_alike(self) -> float | None:
        """The correlation that raters would have to have in every pair for this participation ratio.

        None without a ratio, and for one rater.
        """
        ratio, k = self.participation.value, len(self.raters)
        return None if ratio is None or k < 2 else float(np.sqrt(max((k / ratio - 1) / (k - 1), 0.0)))

    def to_dict(self) -> dict[str, Any]:
        """A JSON object, with the caveat."""
        return {
            "raters": list(self.raters), "left_out": dict(self.left_out),
            "correlations": None if self.correlations is None else
            [[number(r) for r in row] for row in self.correlations],
            "eigenvalues": None if self.eigenvalues is None else [number(value) for value in self.eigenvalues],
            "participation_ratio": self.participation.to_dict(), "top_share": self.top.to_dict(),
            "equal_correlation": number(self.independent_alike), "indefinite": self.indefinite,
            "fewest_cells": self.fewest, "caveat": CAVEAT,
        } | ({} if self.why is None else {"why": self.why})

    def summary(self) -> str:
        """Participation ratio and top share in a line, with the caveat under it."""
        if self.participation.value is None:
            return f"participation ratio undefined ({self.participation.why})"
        return (f"participation ratio {self.participation.value:.3f} of {len(self.raters)}, top share "
                f"{self.top.value:.3f}\n{CAVEAT}")


def dependence(
    votes: ArrayLike, categories: int, *, raters: Sequence[str] | None = None, participants: ArrayLike | None = None,
    strata: ArrayLike | None = None, replicates: int = 0, seed: int = 0, level: float = 0.95,
) -> Dependence:
    """Participation ratio and top share of the raters' correlations over votes of shape (cells, raters).

    Two categories give Pearson's correlation (phi), as in the paper, where votes are of assessability. More categories
    give the correlation of the votes' indicators: the sum over categories of their covariances over the root of the
    product of the summed variances. It is that of the indicators laid end to end, each centred, and is phi for two.
    Each pair rests on the cells on which both voted. Bootstrap as in :func:`~evidial_rules.panel.agreement.agreement`.

    A rater whose votes are all of one category has no correlation and is left out, with the reason. Raises
    :class:`~evidial_rules.panel.votes.PanelError` for arrays that do not fit.

    >>> found = dependence([[0, 0, 1], [1, 1, 1], [1, 1, 1], [0, 0, 1]], 2)
    >>> found.participation.value, found.left_out
    (1.0, {'r2': 'all its votes are of one category'})
    """
    array = as_votes(votes, categories)
    names = raters_of(raters, array.shape[1])
    left_out: dict[str, str] = {}
    for place, name in enumerate(names):
        seen = len(np.unique(array[:, place][array[:, place] >= 0]))
        if seen < 2:
            left_out[name] = "all its votes are of one category" if seen else "it has no valid vote"
    kept = [place for place, name in enumerate(names) if name not in left_out]
    used = tuple(names[place] for place in kept)
    if len(kept) < 2:
        why = f"{len(kept)} raters with votes of two categories or more, where two are needed"
        none = Estimate(None, 0, why=why)
        return Dependence(used, left_out, None, None, none, none, 0, why)
    groups, labels = as_labels(participants, len(array), where="participants")
    sums = {"confusion": confusions(array[:, kept], categories, groups, len(labels))}
    held = Resampled.of(sums, strata=strata_of(groups, len(labels), strata), replicates=replicates, seed=seed,
                        level=level)
    with np.errstate(divide="ignore", invalid="ignore"):
        matrix = correlations(held.total["confusion"], len(kept))
    counts = held.total["confusion"].sum((-2, -1))
    fewest = int(counts.min())
    undefined = [f"{used[i]} and {used[j]}" for i, j in pairs(len(kept)) if not np.isfinite(matrix[i, j])]
    why = f"no correlation of {', '.join(undefined)}: too few common cells, or votes of one category on them" \
        if undefined else ""
    estimates = [held.estimate(lambda s, f=figure: _spectral(f, correlations(s["confusion"], len(kept))), fewest, why)
                 for figure in (participation_ratio, top_share)]
    if undefined:
        return Dependence(used, left_out, None, None, estimates[0], estimates[1], fewest, why)
    return Dependence(used, left_out, matrix, np.linalg.eigvalsh(matrix)[::-1].copy(), estimates[0], estimates[1],
                      fewest)


def correlations(confusion: ArrayLike, raters: int) -> Floats:
    """Correlation matrices, shape (..., raters, raters), from confusions of shape (..., pairs, categories, categories).

    Not a number where a rater of a pair has votes of one category only on their common cells. Raises
    :class:`~evidial_rules.panel.votes.PanelError` where the number of pairs is not that of the raters.
    """
    table = np.asarray(confusion, dtype=float)
    if table.shape[-3] != len(pairs(raters)):
        raise PanelError(where="confusion", expected=f"{len(pairs(raters))} pairs, found {table.shape[-3]}")
    table = table / table.sum((-2, -1), keepdims=True)
    first, second = table.sum(-1), table.sum(-2)
    spread = np.sqrt((1 - (first**2).sum(-1)) * (1 - (second**2).sum(-1)))
    covariance = np.trace(table, axis1=-2, axis2=-1) - (first * second).sum(-1)
    found = np.where(spread > 1e-12, covariance / np.where(spread > 1e-12, spread, 1), np.nan)
    matrix = np.zeros((*found.shape[:-1], raters, raters)) + np.eye(raters)
    for place, (i, j) in enumerate(pairs(raters)):
        matrix[..., i, j] = matrix[..., j, i] = found[..., place]
    return matrix


def _spectral(figure: Any, matrix: Floats) -> Floats:
    # LAPACK refuses what is not a number, so those matrices are set aside and stay undefined.
    whole = np.isfinite(matrix).all((-2, -1))
    safe = np.where(whole[..., None, None], matrix, np.eye(matrix.shape[-1]))
    return np.where(whole, figure(safe), np.nan)
