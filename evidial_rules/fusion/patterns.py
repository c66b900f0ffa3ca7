"""Cells with equal votes and covariates are one pattern with a count: the likelihood is summed over patterns.

2,744 cells of the paper's pool have a few hundred patterns; a million cells of five raters cannot have more than 7,776
times the covariate's levels. Every estimator of this room fits on patterns, so its cost does not grow with the corpus.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..contract import STATES
from ..corpora import MISSING, VoteTable
from ..errors import EvidialError

K = len(STATES)
DECLINED = -2
"""The code of a vote that a rater was asked for and did not give in a usable form; `MISSING` where it was not asked."""
Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int8]


class FusionError(EvidialError):
    """Votes that a fusion cannot be fitted to, or an option that does not fit them."""

    code = "E421"
    template = "{where}: expected {expected}"


def vote_codes(votes: VoteTable | npt.ArrayLike, *, declined: bool = False) -> Codes:
    """The votes as an array (n, J) of codes: an index into `STATES`, or -1 for no vote; with `declined` -2 for a vote
    that was asked for and is not usable, which a table knows and an array can hold.

    Raises :class:`FusionError` for another shape or code, and where there is no vote at all.

    >>> vote_codes([[0, -1], [4, 4]]).dtype
    dtype('int8')
    """
    codes = np.asarray(votes.votes if isinstance(votes, VoteTable) else votes)
    if declined and isinstance(votes, VoteTable):
        codes = np.where(_asked_in_vain(votes), np.int8(DECLINED), codes)
    lowest = DECLINED if declined else MISSING
    if codes.ndim != 2 or 0 in codes.shape:
        raise FusionError(where="votes", expected="a row a cell and a column a rater, at least one of each")
    if not np.issubdtype(codes.dtype, np.integer) or codes.min() < lowest or codes.max() >= K:
        raise FusionError(where="votes", expected=f"whole numbers from {lowest} (no vote) to {K - 1}")
    if codes.max() < 0:
        raise FusionError(where="votes", expected="at least one vote")
    return np.ascontiguousarray(codes, dtype=np.int8)


def _asked_in_vain(table: VoteTable) -> npt.NDArray[np.bool_]:
    """Where a vote was given and is not usable, (n, J). Not where the rater has none in the whole language: it was left
    out there (by the gate of valid answers, say), whatever the cell."""
    found = table.invalid & (table.votes == MISSING)
    languages = np.array(table.languages)
    for language in np.unique(languages):
        here = languages == language
        found[np.ix_(here, ~(table.votes[here] >= 0).any(axis=0))] = False
    return found


def design_matrix(x: npt.ArrayLike | None, n: int) -> Floats:
    """Covariates as (n, P), a column of ones if there are none.

    Raises :class:`FusionError` for another length or a value that is not finite.
    """
    if x is None:
        return np.ones((n, 1))
    matrix = np.asarray(x, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != n or not matrix.shape[1]:
        raise FusionError(where="covariates", expected=f"{n} rows, one a cell")
    if not np.isfinite(matrix).all():
        raise FusionError(where="covariates", expected="numbers that are finite")
    return matrix


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """n cells collapsed.

    votes: (V, J), the distinct rows of votes. x: (X, P), the distinct covariate rows. vote, level: (T,), which of them
    each of the T distinct pairs has. counts: (T,), the cells of each pair, weights summed. of_cell: (n,), each cell's
    pair.
    """

    votes: Codes
    x: Floats
    vote: npt.NDArray[np.intp]
    level: npt.NDArray[np.intp]
    counts: Floats
    of_cell: npt.NDArray[np.intp]

    @property
    def n(self) -> float:
        """The number of cells, or the sum of their weights."""
        return float(self.counts.sum())

    @property
    def voted(self) -> float:
        """The number of cells with at least one vote."""
        return float(self.counts[(self.votes >= 0).any(axis=1)[self.vote]].sum())

    def reweighted(self, weights: npt.ArrayLike) -> Patterns:
        """The same patterns with other weights a cell (n,), for a bootstrap replicate."""
        counts = np.bincount(self.of_cell, np.asarray(weights, dtype=float), minlength=len(self.counts))
        return Patterns(self.votes, self.x, self.vote, self.level, counts, self.of_cell)


def collapse(codes: Codes, x: Floats | None = None, weights: npt.ArrayLike | None = None) -> Patterns:
    """Collapses votes (n, J) and covariates (n, P); `weights` (n,) count a cell more or less than once.

    >>> found = collapse(np.array([[0, 1], [0, 1], [1, 1]], dtype=np.int8))
    >>> found.votes.tolist(), found.counts.tolist()
    ([[0, 1], [1, 1]], [2.0, 1.0])
    """
    n = len(codes)
    matrix = np.ones((n, 1)) if x is None else x
    rows, vote = _distinct(codes)
    levels, level = (matrix[:1], np.zeros(n, dtype=np.intp)) if x is None else _distinct(matrix)
    pairs, of_cell = np.unique(vote * len(levels) + level, return_inverse=True)
    counts = np.bincount(of_cell, None if weights is None else np.asarray(weights, dtype=float), minlength=len(pairs))
    return Patterns(rows, levels, pairs // len(levels), pairs % len(levels), counts.astype(float), of_cell)


def _distinct(rows: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    if rows.dtype == np.int8 and rows.shape[1] <= 20:
        # As numbers to the base seven, which np.unique sorts some twenty times faster than rows.
        keys = (rows.astype(np.int64) - DECLINED) @ (np.int64(K + 2) ** np.arange(rows.shape[1] - 1, -1, -1))
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        return rows[first], inverse
    found, inverse = np.unique(rows, axis=0, return_inverse=True)
    return found, inverse.reshape(-1)
