"""What anchors, whose states are known, tell a fusion: pseudo-counts of the emissions, and whether a threshold on the
posterior separates right from wrong."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import beta, entropy

from ..corpora import MISSING
from .patterns import Floats, FusionError, K

N_BINS = 5
"""Bins of a calibration, as in the paper."""
LEAST = 10
"""Anchors that a bin needs: under that, its rate of errors says little."""
On = Literal["posterior", "entropy"]


def pseudo_counts(
    raters: Sequence[str], votes: Mapping[str, Sequence[int]], expected: Sequence[int], strength: float | None = None,
) -> Floats:
    """Votes y of rater j on anchors whose state is k, (J, 5, 5), as Dirichlet pseudo-counts of its emissions.

    raters: the panel's, in its order. votes: of each rater a code for each anchor (-1: none); a rater without anchors
    gets zeros. expected: the anchors' states as codes. strength: rescales each row that has votes to this many;
    without, a vote on an anchor counts as one on a cell.

    >>> pseudo_counts(["a"], {"a": [0, 0, 1]}, [0, 0, 0], strength=30)[0, 0].tolist()
    [20.0, 10.0, 0.0, 0.0, 0.0]
    """
    if strength is not None and not (np.isfinite(strength) and strength >= 0):
        raise FusionError(where="pseudo-counts", expected="a strength of 0 or more")
    counts = np.zeros((len(raters), K, K))
    known = np.asarray(expected, dtype=int)
    for j, rater in enumerate(raters):
        given = np.asarray(votes.get(rater, [MISSING] * len(known)), dtype=int)
        seen = given != MISSING
        np.add.at(counts[j], (known[seen], given[seen]), 1)
    if strength is None:
        return counts
    total = counts.sum(axis=2, keepdims=True)
    return np.divide(counts * strength, total, out=np.zeros_like(counts), where=total > 0)


@dataclass(frozen=True, slots=True)
class Bin:
    """Anchors whose confidence lies from `low` to `high`: how many, how many decided wrongly, and the 90% interval of
    that rate (Beta(1, 1)); None without anchors."""

    low: float
    high: float
    n: int
    errors: int

    @property
    def rate(self) -> float | None:
        """errors / n."""
        return self.errors / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 5th and 95th percentile of the rate's posterior."""
        if not self.n:
            return None
        low, high = beta.ppf([0.05, 0.95], self.errors + 1, self.n - self.errors + 1)
        return float(low), float(high)

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {"low": self.low, "high": self.high, "n": self.n, "errors": self.errors, "rate": self.rate,
                "interval": self.interval}


@dataclass(frozen=True, slots=True)
class Calibration:
    """Errors on anchors by how sure the fusion is.

    on: "posterior" (of the most probable state) or "entropy" (nats). bins: from sure to unsure. threshold: cells less
    sure than this are to stay unresolved; None where the anchors do not support one, and `why` says so. single: the
    share of the anchors that have one vote only.
    """

    on: On
    target: float
    bins: tuple[Bin, ...]
    threshold: float | None
    why: str
    single: float

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {"on": self.on, "target": self.target, "bins": [one.to_dict() for one in self.bins],
                "threshold": self.threshold, "why": self.why, "single": self.single}


def calibrate(
    posterior: Floats, expected: npt.ArrayLike, n_votes: npt.ArrayLike, *, on: On = "posterior", target: float = 0.15,
    n_bins: int = N_BINS, least: int = LEAST,
) -> Calibration:
    """Looks for the least sure bin up to which the rate of errors stays within `target` (one minus the gate's rate).

    posterior: (n, 5) of the anchors. expected: (n,) their states as codes. n_votes: (n,) how many valid votes each has;
    anchors without any are left out. A threshold is supported if each bin holds `least` anchors and no bin is
    significantly more often right than a surer one (their 90% intervals do not overlap).
    """
    votes = np.asarray(n_votes)
    chosen = votes > 0
    if not chosen.any():
        raise FusionError(where="anchors", expected="at least one vote on them")
    probabilities, states = posterior[chosen], np.asarray(expected)[chosen]
    wrong = probabilities.argmax(axis=1) != states
    # Doubt grows from 0 (sure) to 1: the bins are equally wide in it.
    edges = np.linspace(0, 1, n_bins + 1)
    if on == "posterior":
        doubt = (1 - probabilities.max(axis=1)) / (1 - 1 / K)
    elif on == "entropy":
        doubt = entropy(probabilities, axis=1) / np.log(K)
    else:
        raise FusionError(where="threshold", expected="posterior or entropy")
    index = np.clip(np.searchsorted(edges, doubt, side="right") - 1, 0, n_bins - 1)

    def value(edge: float) -> float:
        return float(1 - edge * (1 - 1 / K) if on == "posterior" else edge * np.log(K))

    bins = tuple(Bin(*sorted((value(edges[i]), value(edges[i + 1]))), int((index == i).sum()),
                     int(wrong[index == i].sum())) for i in range(n_bins))
    kept, why = _supported(bins, target, least)
    threshold = None if kept is None else value(edges[kept])
    return Calibration(on, target, bins, threshold, why, float((votes[chosen] == 1).mean()))


def _supported(bins: Sequence[Bin], target: float, least: int) -> tuple[int | None, str]:
    """How many bins, from the surest on, a threshold keeps, or None; and the reason in words."""
    full = sum(one.n >= least for one in bins)
    if full < len(bins):
        return None, f"no threshold: {full} of {len(bins)} bins hold at least {least} anchors"
    intervals = [one.interval for one in bins]
    if any(less[1] < more[0] for i, less in enumerate(intervals) for more in intervals[:i] if less and more):
        return None, "no threshold: less sure bins are more often right"
    seen = np.cumsum([one.n for one in bins])
    rates = np.cumsum([one.errors for one in bins]) / seen
    kept = int(np.flatnonzero(rates <= target).max(initial=-1)) + 1
    if not kept:
        return None, f"no threshold: even the surest bin is wrong on {rates[0]:.0%} of its anchors"
    if kept == len(bins):
        return None, f"no threshold is needed: {rates[-1]:.0%} of all anchors are decided wrongly"
    return kept, f"the {kept} surest of {len(bins)} bins are wrong on {rates[kept - 1]:.0%} of their anchors"


def sure(posterior: Floats, on: On, threshold: float) -> npt.NDArray[np.bool_]:
    """Whether each cell is at least as sure as a threshold, (n,)."""
    if on == "posterior":
        return np.asarray(posterior.max(axis=1) >= threshold)
    return np.asarray(entropy(posterior, axis=1) <= threshold)


