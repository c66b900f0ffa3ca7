"""Two ways of making a reference, side by side: cell by cell, on anchors, and with and without each rater.

What is compared are states of cells, as integer arrays of shape (cells,): an index into the contract's states, or -1
where a way leaves the cell without one. How they came about is no business of this module.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest, chi2

from ..contract import STATES, UNRESOLVED
from ..errors import EvidialError
from .votes import MISSING, Ints, PanelError, as_votes, number, probability, raters_of


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's (1947) test of two classifiers on the same cases: `only_a` were right by the one alone, `only_b` by the
    other. The statistic is without correction for continuity, with one degree of freedom.

    >>> found = McNemar(28, 12)
    >>> found.statistic, round(found.p, 8), round(found.exact_p, 8)
    (6.4, 0.01141204, 0.016589)
    """

    only_a: int
    only_b: int
    both: int = 0
    neither: int = 0

    @property
    def statistic(self) -> float | None:
        """(b - c)^2 / (b + c); None where the two never differ."""
        n = self.only_a + self.only_b
        return (self.only_a - self.only_b) ** 2 / n if n else None

    @property
    def p(self) -> float | None:
        """Tail of chi-square with one degree of freedom; None where the two never differ."""
        return None if self.statistic is None else float(chi2.sf(self.statistic, 1))

    @property
    def exact_p(self) -> float:
        """Two-sided binomial probability; 1 where the two never differ."""
        n = self.only_a + self.only_b
        return float(binomtest(self.only_a, n, 0.5).pvalue) if n else 1.0

    @classmethod
    def of(cls, a: ArrayLike, b: ArrayLike) -> McNemar:
        """From whether each was right, two arrays of truth values of shape (cases,). Raises PanelError."""
        first, second = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
        if first.shape != second.shape or first.ndim != 1:
            raise PanelError(where="hits", expected="two arrays of one length")
        return cls(int((first & ~second).sum()), int((second & ~first).sum()), int((first & second).sum()),
                   int((~first & ~second).sum()))

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        row: dict[str, Any] = {"only_a": self.only_a, "only_b": self.only_b, "both": self.both,
                               "neither": self.neither, "statistic": number(self.statistic),
                               "p": probability(self.p), "exact_p": probability(self.exact_p)}
        return row if self.statistic is not None else row | {"why": "the two are right on the same cases"}


@dataclass(frozen=True)
class Comparison:
    """States of the same cells by two ways, a and b.

    `table` has shape (states + 1, states + 1): how many cells a puts in the row's state and b in the column's, the last
    row and column being the cells left without a state.
    """

    a: str
    b: str
    table: Ints

    @property
    def cells(self) -> int:
        """Cells compared."""
        return int(self.table.sum())

    @property
    def both(self) -> int:
        """Cells with a state by both."""
        return int(self.table[:-1, :-1].sum())

    @property
    def changed(self) -> int:
        """Cells with a state by both, and not the same one."""
        return self.both - int(np.trace(self.table[:-1, :-1]))

    @property
    def agreement(self) -> float | None:
        """Share of the cells with a state by both that have the same one; None without such cells."""
        return 1 - self.changed / self.both if self.both else None

    @property
    def coverage(self) -> tuple[float | None, float | None]:
        """Share of the cells with a state, by a and by b; None without cells."""
        if not self.cells:
            return None, None
        return 1 - float(self.table[-1].sum()) / self.cells, 1 - float(self.table[:, -1].sum()) / self.cells

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        names = (*STATES, UNRESOLVED)
        covered = self.coverage
        return {
            "a": self.a, "b": self.b, "cells": self.cells, "both": self.both, "changed": self.changed,
            "agreement": number(self.agreement), "coverage": {"a": number(covered[0]), "b": number(covered[1])},
            "only_a": int(self.table[:-1, -1].sum()), "only_b": int(self.table[-1, :-1].sum()),
            "table": {row: dict(zip(names, map(int, counts), strict=True))
                      for row, counts in zip(names, self.table, strict=True)},
        }

    def summary(self) -> str:
        """One line."""
        said = "no cell has a state by both" if self.agreement is None else \
            f"{self.changed} of {self.both} cells differ ({self.agreement:.1%} agree)"
        return f"{self.a} - {self.b}: {said}"


def compare(a: ArrayLike, b: ArrayLike, names: tuple[str, str] = ("a", "b")) -> Comparison:
    """Compares states of shape (cells,), -1 for none. Raises :class:`~evidial_rules.panel.votes.PanelError`.

    >>> found = compare([0, 3, 1, -1], [0, 1, 1, 2])
    >>> found.both, found.changed, found.coverage
    (3, 1, (0.75, 1.0))
    """
    size = len(STATES)
    first, second = _states(a, names[0]), _states(b, names[1])
    if first.shape != second.shape:
        raise PanelError(where="states", expected=f"as many by {names[1]} as by {names[0]}, which is {len(first)}, "
                                                  f"found {len(second)}")
    first, second = np.where(first < 0, size, first), np.where(second < 0, size, second)
    counts = np.bincount(first * (size + 1) + second, minlength=(size + 1) ** 2)
    return Comparison(*names, counts.reshape(size + 1, size + 1))


def _states(states: ArrayLike, where: str) -> Ints:
    array = np.asarray(states)
    if array.ndim != 1:
        raise PanelError(where=where, expected=f"states of shape (cells,), found {array.shape}")
    return as_votes(array[:, None], len(STATES), where=where)[:, 0]


Fit = Callable[[Ints], ArrayLike]
"""From votes of shape (cells, raters) to states of shape (cells,), -1 for none."""


@dataclass(frozen=True)
class WithoutRater:
    """A reference with all raters against the one without this rater; None, with a reason, where it cannot be made."""

    rater: str
    comparison: Comparison | None
    sole: int
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """A JSON object; `sole` counts cells on which this rater alone has a vote."""
        row: dict[str, Any] = {"rater": self.rater, "sole_votes": self.sole}
        row |= {"comparison": None if self.comparison is None else self.comparison.to_dict()}
        return row if self.why is None else row | {"why": self.why}


def leave_one_out(
    votes: ArrayLike, fit: Fit, *, raters: Sequence[str] | None = None, states: ArrayLike | None = None,
    fits: Mapping[str, Fit] | None = None,
) -> list[WithoutRater]:
    """The reference with and without each rater in turn.

    votes: shape (cells, raters), indices into the contract's states or -1. fit: makes states of votes; `fits` has
    another one for some raters left out, by name (for fits that must know which columns they are given). states: what
    `fit` makes of all votes, if it is known. A cell whose only vote was of the rater left out has no votes any more.

    Where a fit without a rater raises an :class:`~evidial_rules.errors.EvidialError` (too few raters, not identified),
    its text is the reason. Raises :class:`~evidial_rules.panel.votes.PanelError` for arrays that do not fit.
    """
    array = as_votes(votes, len(STATES))
    names = raters_of(raters, array.shape[1])
    whole = _states(fit(array) if states is None else states, "all raters")
    found = []
    for place, name in enumerate(names):
        rest = np.delete(array, place, 1)
        sole = int(((array[:, place] >= 0) & (rest < 0).all(1)).sum())
        if len(names) < 2 or (rest < 0).all():
            found.append(WithoutRater(name, None, sole, "there are no votes without it"))
            continue
        try:
            reduced = (fits or {}).get(name, fit)(rest)
        except EvidialError as error:
            found.append(WithoutRater(name, None, sole, str(error)))
            continue
        found.append(WithoutRater(name, compare(whole, reduced, ("all raters", f"without {name}")), sole))
    return found


def plurality(votes: ArrayLike) -> Ints:
    """The state with most votes of each cell, shape (cells,); -1 for ties and cells without votes.

    >>> plurality([[0, 0, 1], [0, 1, -1], [-1, -1, -1], [4, -1, -1]]).tolist()
    [0, -1, -1, 4]
    """
    array = as_votes(votes, len(STATES))
    counts = np.stack([(array == k).sum(1) for k in range(len(STATES))], 1)
    most = counts.max(1, initial=0)
    alone = (counts == most[:, None]).sum(1) == 1
    return np.where((most > 0) & alone, counts.argmax(1), MISSING)
