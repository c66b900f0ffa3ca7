"""What every part of the panel needs: votes as an array, estimates that may be undefined, participants resampled.

Votes are an integer array of shape (cells, raters): the number of a category, or :data:`MISSING` where a rater has no
valid vote on a cell. Participants, sources and the like are arrays of shape (cells,).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..contract import STATES
from ..corpora.votetable import MISSING
from ..errors import EvidialError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Sums = Mapping[str, Floats]


class PanelError(EvidialError):
    """Votes from which a figure of the panel cannot be computed, or arrays that do not fit together."""

    code = "E441"
    template = "{where}: expected {expected}"


def as_votes(votes: ArrayLike, categories: int, *, where: str = "votes") -> Ints:
    """The votes as an integer array of shape (cells, raters), checked: every entry from -1 to `categories` - 1.

    Raises :class:`PanelError`.

    >>> as_votes([[0, 1], [-1, 1]], 2).shape
    (2, 2)
    """
    try:
        array = np.asarray(votes)
    except ValueError:  # rows of unequal length
        raise PanelError(where=where, expected="an array of cells by raters") from None
    if array.ndim != 2 or array.dtype.kind not in "iub":
        raise PanelError(where=where, expected=f"an integer array of cells by raters, found shape {array.shape} of "
                                               f"{array.dtype}")
    array = array.astype(np.int64)
    if array.size and (array.min() < MISSING or array.max() >= categories):
        raise PanelError(where=where, expected=f"categories from 0 to {categories - 1}, or {MISSING} for no vote")
    return array


def as_labels(labels: ArrayLike | None, cells: int, *, where: str) -> tuple[Ints, list[Any]]:
    """Labels of the cells as numbers of shape (cells,), and what each number stands for, in sorted order.

    Without labels every cell is a group of its own. Raises :class:`PanelError` where the length does not fit.
    """
    if labels is None:
        return np.arange(cells), list(range(cells))
    array = np.asarray(labels)
    if array.shape != (cells,):
        raise PanelError(where=where, expected=f"one label for each of {cells} cells, found shape {array.shape}")
    names, numbers = np.unique(array, return_inverse=True)
    return numbers.reshape(cells).astype(np.int64), names.tolist()


_BINARY = {
    "assessability": [state != "ABSENT" for state in STATES],
    "sufficiency": [None if state == "ABSENT" else state.startswith("SUFFICIENT") for state in STATES],
    "direction": [{"SUFFICIENT_POS": True, "SUFFICIENT_NEG": False}.get(state) for state in STATES],
}

MEASURES: Mapping[str, str] = {
    "assessability": "any state but ABSENT, against ABSENT",
    "sufficiency": "SUFFICIENT_POS or SUFFICIENT_NEG, against PARTIAL or CONFLICTING; ABSENT says nothing of it",
    "direction": "SUFFICIENT_POS against SUFFICIENT_NEG; other votes say nothing of it",
}
"""The binary measures of a vote, each taken where the one before it says yes. Assessability and direction are the
paper's submeasures; sufficiency stands between them because there are five states here and not three categories."""


def binary(votes: ArrayLike, measure: str) -> Ints:
    """States, numbered in the contract's order, as votes of 0 and 1 on one of the :data:`MEASURES`.

    >>> binary([[0, 1, 3], [3, 4, -1]], "assessability").tolist()
    [[0, 1, 1], [1, 1, -1]]
    >>> binary([[0, 1, 3], [3, 4, -1]], "direction").tolist()
    [[-1, -1, 1], [1, 0, -1]]
    """
    if measure not in _BINARY:
        raise PanelError(where="measure", expected=f"one of {', '.join(_BINARY)}")
    code = [MISSING if value is None else int(value) for value in _BINARY[measure]]
    return np.array([*code, MISSING])[as_votes(votes, len(STATES))]  # -1 picks the last, which is missing too


def pairs(raters: int) -> list[tuple[int, int]]:
    """The pairs of raters, in order."""
    return list(combinations(range(raters), 2))


def confusions(votes: Ints, categories: int, groups: Ints, n_groups: int) -> Floats:
    """For each group of cells and pair of raters, how often the one voted a and the other b.

    Returns shape (groups, pairs, categories, categories); a cell counts for a pair if both voted.
    """
    size = categories * categories
    found = np.zeros((n_groups, len(pairs(votes.shape[1])), categories, categories))
    for number, (i, j) in enumerate(pairs(votes.shape[1])):
        both = (votes[:, i] >= 0) & (votes[:, j] >= 0)
        key = groups[both] * size + votes[both, i] * categories + votes[both, j]
        found[:, number] = np.bincount(key, minlength=n_groups * size).reshape(n_groups, categories, categories)
    return found


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, its percentile interval over resampled participants, and on how many cells it rests.

    `value` is None where the figure is undefined, and `why` says so. `lower` and `upper` are None where no interval was
    asked for or can be given; `defined` counts the replicates in which the figure had a value.
    """

    value: float | None
    n: int
    lower: float | None = None
    upper: float | None = None
    defined: int = 0
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """`{"value", "ci", "n"}`, with "why" where there is something to say."""
        row: dict[str, Any] = {"value": number(self.value), "n": self.n,
                               "ci": None if self.lower is None else [number(self.lower), number(self.upper)]}
        return row if self.why is None else row | {"why": self.why}


def number(value: float | None, digits: int = 6) -> float | None:
    """A figure rounded for output; None stays None, and what is not finite becomes None."""
    return None if value is None or not np.isfinite(value) else round(float(value), digits) + 0.0


def probability(p: float | None) -> float | None:
    """A tail probability to six significant digits, since small ones matter; None stays None.

    >>> probability(1.23456789e-20)
    1.23457e-20
    """
    return None if p is None else float(f"{p:.6g}")


Statistic = Callable[[Sums], Floats]
"""From sums with leading axes (...) to the figure, of shape (...); not a number where it is undefined."""

ENOUGH_DEFINED = 0.95
"""Share of the replicates in which a figure must be defined; under it an interval would be of other data than ours."""


@dataclass(frozen=True)
class Resampled:
    """Sums over the cells of each participant, and the same sums over participants drawn with replacement.

    Every figure that is a function of sums over cells can be bootstrapped by weighting participants, with nothing
    computed anew from the votes. `total` has the sums themselves, `draws` those of the replicates (leading axis), or
    None without replicates.
    """

    total: Sums
    draws: Sums | None
    level: float = 0.95

    @classmethod
    def of(
        cls, sums: Sums, *, strata: Ints | None = None, replicates: int = 0, seed: int = 0, level: float = 0.95,
    ) -> Resampled:
        """Draws participants; sums have shape (participants, ...), `strata` (participants,) with the stratum of each.

        With strata, as many participants as it has are drawn within each of them: the intervals that result do not
        hold how the sources are mixed.
        """
        check_level(level, replicates)
        count = len(next(iter(sums.values())))
        total = {name: array.sum(0) for name, array in sums.items()}
        if not replicates or not count:
            return cls(total, None, level)
        rng = np.random.default_rng(seed)
        members = [np.arange(count)] if strata is None else \
            [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
        drawn: dict[str, list[Floats]] = {name: [] for name in sums}
        block = max(1, 4_000_000 // count)  # the weights of a block take 32 MB
        for start in range(0, replicates, block):
            rows = min(block, replicates - start)
            weights = np.zeros((rows, count))
            for one in members:
                weights[:, one] = rng.multinomial(len(one), np.full(len(one), 1 / len(one)), size=rows)
            for name, array in sums.items():
                drawn[name].append((weights @ array.reshape(count, -1)).reshape(rows, *array.shape[1:]))
        return cls(total, {name: np.concatenate(parts) for name, parts in drawn.items()}, level)

    def estimate(self, statistic: Statistic, n: float, undefined: str) -> Estimate:
        """The figure with its interval; `undefined` says why it has no value, should it have none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(statistic(self.total))
            if not np.isfinite(value):
                return Estimate(None, round(n), why=undefined)
            if self.draws is None:
                return Estimate(value, round(n))
            found = np.asarray(statistic(self.draws), dtype=float)
        held = found[np.isfinite(found)]
        if len(held) < ENOUGH_DEFINED * len(found):
            return Estimate(value, round(n), defined=len(held),
                            why=f"no interval: defined in {len(held)} of {len(found)} replicates only")
        tail = (1 - self.level) / 2
        lower, upper = np.quantile(held, [tail, 1 - tail])
        return Estimate(value, round(n), float(lower), float(upper), len(held))


def check_level(level: float, replicates: int) -> None:
    """Raises :class:`PanelError` for a level outside (0, 1) or a negative number of replicates."""
    if not 0 < level < 1:
        raise PanelError(where="level", expected=f"a number between 0 and 1, found {level}")
    if replicates < 0:
        raise PanelError(where="replicates", expected=f"a number from 0, found {replicates}")


def strata_of(participants: Ints, count: int, strata: ArrayLike | None) -> Ints | None:
    """The stratum of each participant, shape (participants,), from that of each cell.

    Raises :class:`PanelError` for a participant with cells in several strata.
    """
    if strata is None:
        return None
    numbers, _ = as_labels(strata, len(participants), where="strata")
    found = np.full(count, -1)
    found[participants] = numbers
    if (found[participants] != numbers).any():
        raise PanelError(where="strata", expected="each participant in one stratum")
    return found


def raters_of(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The raters' names, or r0, r1, ... Raises :class:`PanelError` where the number does not fit."""
    if names is None:
        return tuple(f"r{i}" for i in range(count))
    if len(names) != count:
        raise PanelError(where="raters", expected=f"{count} names, found {len(names)}")
    return tuple(names)
