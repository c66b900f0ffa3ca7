"""The multitrait-multimethod matrix: dimensions as traits, raters as methods (paper, "Multitrait–Multimethod").

Votes on a binary measure are averaged over a participant's cells of one dimension, for each rater: a row a participant,
a column a trait and method. Correlations of the columns fall into three blocks (Campbell & Fiske 1959). They describe;
they do not show by themselves that a measure is valid.
"""
from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .votes import Floats, PanelError, as_labels, as_votes, number, raters_of

BLOCKS: Mapping[str, str] = {
    "monotrait_heteromethod": "same trait, different method (convergent)",
    "heterotrait_monomethod": "different trait, same method (discriminant)",
    "heterotrait_heteromethod": "different trait, different method",
}
"""The blocks of the matrix off its diagonal."""

FEWEST = 3
"""Participants that two columns must share for a correlation: with two it is 1 or -1 whatever the votes."""


@dataclass(frozen=True, slots=True)
class Block:
    """Correlations of one block: `pairs` of columns, `defined` of them with a correlation, and these over the pairs."""

    pairs: int
    defined: int
    mean: float | None
    lowest: float | None
    highest: float | None

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {"pairs": self.pairs, "defined": self.defined, "mean": number(self.mean),
                "lowest": number(self.lowest), "highest": number(self.highest)}


@dataclass(frozen=True)
class Mtmm:
    """The matrix and its blocks.

    `columns` are (trait, method), traits outermost; `correlations` has shape (columns, columns), not a number where two
    columns share fewer than :data:`FEWEST` participants or one of them does not vary on those.
    """

    participants: int
    columns: tuple[tuple[str, str], ...]
    correlations: Floats
    blocks: Mapping[str, Block]
    centred: bool

    @property
    def ratio(self) -> float | None:
        """Convergent over discriminant mean; None unless both are there and the latter is above 0."""
        convergent = self.blocks["monotrait_heteromethod"].mean
        discriminant = self.blocks["heterotrait_monomethod"].mean
        return None if convergent is None or discriminant is None or discriminant <= 0 else convergent / discriminant

    def to_dict(self) -> dict[str, Any]:
        """A JSON object, without the matrix itself."""
        row = {"participants": self.participants, "columns": len(self.columns), "centred": self.centred,
               "blocks": {name: block.to_dict() for name, block in self.blocks.items()}, "ratio": number(self.ratio)}
        lost = sum(block.pairs - block.defined for block in self.blocks.values())
        if lost:
            row["why"] = (f"{lost} pairs of columns have no correlation: under {FEWEST} common participants, or votes "
                          "that do not vary on them")
        return row

    def summary(self) -> str:
        """Mean correlation of each block."""
        lines = [f"{BLOCKS[name]}: " + ("undefined" if block.mean is None else f"{block.mean:.4f}")
                 + f" ({block.defined} of {block.pairs} pairs)" for name, block in self.blocks.items()]
        return "\n".join(lines)


def mtmm(
    votes: ArrayLike, traits: Sequence[str] | NDArray[Any], participants: ArrayLike, *,
    raters: Sequence[str] | None = None, centred: bool = False,
) -> Mtmm:
    """The matrix of binary votes of shape (cells, raters), -1 for none, by the cells' traits and participants (cells,).

    A trait or rater without votes has no columns. centred: from each participant's scores their own mean over all
    traits and methods is taken first, which takes out how much evidence a dialogue holds. It also pushes correlations
    down: of n columns that are otherwise unrelated to about -1 / (n - 1), so a negative mean is no finding.

    Raises :class:`~evidial_rules.panel.votes.PanelError` where fewer than two columns have votes, and for arrays that
    do not fit.
    """
    array = as_votes(votes, 2)
    methods = raters_of(raters, array.shape[1])
    rows, people = as_labels(participants, len(array), where="participants")
    places, names = as_labels(np.asarray(traits), len(array), where="traits")
    size = len(people) * len(names)
    key = rows * len(names) + places
    seen, total = np.zeros((len(methods), size)), np.zeros((len(methods), size))
    for method in range(len(methods)):
        given = array[:, method] >= 0
        seen[method] = np.bincount(key[given], minlength=size)
        total[method] = np.bincount(key[given], array[given, method], minlength=size)
    with np.errstate(invalid="ignore"):
        scores = (total / seen).reshape(len(methods), len(people), len(names)).transpose(1, 2, 0)
    scores = scores.reshape(len(people), -1)
    columns = [(str(trait), method) for trait in names for method in methods]
    used = np.isfinite(scores).any(0)
    if used.sum() < 2:
        raise PanelError(where="votes", expected="votes on two traits or by two raters at least")
    scores = scores[np.isfinite(scores).any(1)][:, used]
    if centred:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            scores = scores - np.nanmean(scores, axis=1, keepdims=True)
    kept = tuple(column for column, use in zip(columns, used, strict=True) if use)
    matrix = correlate(scores)
    return Mtmm(len(scores), kept, matrix, _blocks(kept, matrix), centred)


def correlate(scores: ArrayLike) -> Floats:
    """Pairwise complete correlations of columns, for scores of shape (rows, columns) with NaN for what is missing.

    Shape (columns, columns); not a number where two columns share fewer than :data:`FEWEST` rows, or one is constant.

    >>> correlate([[0, 0, 1], [1, 1, 0], [2, 2, float("nan")], [3, 3, 0]]).round(3)[0].tolist()
    [1.0, 1.0, -0.756]
    """
    values = np.asarray(scores, dtype=float)
    seen = np.isfinite(values).astype(float)
    counts = np.maximum(seen.sum(0), 1)
    values = np.where(seen > 0, values, 0.0)
    values = np.where(seen > 0, values - values.sum(0) / counts, 0.0)  # near the means, so that little cancels below
    n = seen.T @ seen
    safe = np.maximum(n, 1)
    mean = values.T @ seen / safe  # [a, b]: of a on the rows that a and b share
    variance = (values**2).T @ seen / safe - mean**2
    covariance = values.T @ values / safe - mean * mean.T
    spread = np.sqrt(np.maximum(variance * variance.T, 0))
    defined = (n >= FEWEST) & (variance > 1e-12) & (variance.T > 1e-12)
    return np.where(defined, np.clip(covariance / np.where(defined, spread, 1), -1, 1), np.nan)


def _blocks(columns: Sequence[tuple[str, str]], matrix: Floats) -> dict[str, Block]:
    traits = np.array([trait for trait, _ in columns])
    methods = np.array([method for _, method in columns])
    upper = np.triu(np.ones(matrix.shape, dtype=bool), 1)
    alike, same = traits[:, None] == traits, methods[:, None] == methods
    chosen = {"monotrait_heteromethod": alike & ~same, "heterotrait_monomethod": ~alike & same,
              "heterotrait_heteromethod": ~alike & ~same}
    found = {}
    for name in BLOCKS:
        values = matrix[chosen[name] & upper]
        held = values[np.isfinite(values)]
        figures = (held.mean(), held.min(), held.max()) if len(held) else (None, None, None)
        found[name] = Block(len(values), len(held), *(None if one is None else float(one) for one in figures))
    return found
