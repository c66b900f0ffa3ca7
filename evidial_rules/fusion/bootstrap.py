"""Resampling participants: how far a reference's shares and a fit's figures would move with other people."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from ..contract import STATES, UNRESOLVED
from .estimators import UNRESOLVED_CODE, Fusion, decide
from .patterns import Codes, Floats, FusionError, K, Patterns, collapse

LEVEL = (2.5, 97.5)
"""Percentiles of the intervals."""


def participant_weights(
    clusters: npt.NDArray[np.int64], n_replicates: int, seed: int, strata: npt.NDArray[np.int64] | None = None,
) -> Iterator[Floats]:
    """How often each cell counts in each replicate, (n,): participants drawn with replacement, as many as there are.

    clusters: (n,) the participant of each cell, numbered from 0. strata: (n,) the source of each cell; with it
    participants are drawn within their source, so that the sources keep their sizes.

    >>> next(participant_weights(np.array([0, 0, 1]), 1, seed=1)).shape
    (3,)
    """
    rng = np.random.default_rng(seed)
    people = int(clusters.max()) + 1
    home = np.zeros(people, dtype=np.int64)
    if strata is not None:
        home[clusters] = strata
    members = [np.flatnonzero(home == stratum) for stratum in np.unique(home)]
    for _ in range(n_replicates):
        drawn = np.concatenate([rng.choice(group, len(group)) for group in members])
        yield np.bincount(drawn, minlength=people).astype(float)[clusters]


def bootstrap(
    fusion: Fusion, codes: Codes, x: Floats | None, weights: Iterator[Floats],
    progress: Callable[[], object] = lambda: None,
) -> dict[str, Any]:
    """95% percentile intervals of the states' shares, and of sigma and the raters' accuracy where there are any.

    fusion: fitted to the votes (n, J) and covariates (n, P); latent class models are fitted to each replicate anew,
    from where the fit ended. The result maps `shares`, `sigma`, `accuracy` (rater by state) to [low, high], and says
    how many replicates there were and how many did not converge.
    """
    patterns = collapse(codes, x)
    fitted = getattr(fusion, "result_", None)
    replicates: list[tuple[Floats, float, Floats]] = []
    failed = 0
    for one in weights:
        sample = patterns.reweighted(one)
        if fitted is not None:
            again: Any = copy(fusion)
            again.fit_patterns(sample, start=fitted.theta)
            failed += not again.result_.converged
            accuracy = np.diagonal(again.result_.emissions, axis1=1, axis2=2)
            replicates.append((_shares(again, sample), again.result_.sigma or 0.0, accuracy))
        else:
            replicates.append((_shares(fusion, sample), 0.0, np.zeros((0, K))))
        progress()
    if not replicates:
        raise FusionError(where="bootstrap", expected="at least one replicate")
    shares, sigma, accuracy = (np.array(column) for column in zip(*replicates, strict=True))
    found: dict[str, Any] = {"replicates": len(replicates), "not_converged": failed,
                             "shares": _percentiles(shares, (*STATES, UNRESOLVED))}
    if fitted is not None:
        if fitted.sigma is not None:
            found["sigma"] = [float(end) for end in np.percentile(sigma, LEVEL)]
        found["accuracy"] = [_percentiles(accuracy[:, j], STATES) for j in range(accuracy.shape[1])]
    return found


def _shares(fusion: Fusion, sample: Patterns) -> Floats:
    """Shares of the five states and of unresolved cells, (6,)."""
    rows = sample.votes[sample.vote]
    states = decide(fusion.predict_proba(rows, sample.x[sample.level]), rows)
    counted = [sample.counts[states == code].sum() for code in (*range(K), UNRESOLVED_CODE)]
    return np.array(counted) / sample.n


def _percentiles(values: Floats, names: tuple[str, ...]) -> dict[str, list[float]]:
    low, high = np.percentile(values, LEVEL, axis=0)
    return {name: [float(low[i]), float(high[i])] for i, name in enumerate(names)}
