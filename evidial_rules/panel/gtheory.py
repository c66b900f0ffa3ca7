"""Generalizability theory of the design (unit : participant) x protocol (paper, Appendix "G-theory model").

    y[u, p, k] = mu + participant[p] + unit[u : p] + protocol[k] + residual[u, p, k]

Participants, units (cells) and the residual are random, protocols (raters) fixed. Variance components come from Type I
sums of squares in the order protocols, participants, units, set equal to their expectations. With a vote of every
rater on every cell this is the analysis of variance after the protocols' means are taken out; with votes missing the
sums of squares are those of the models fitted in turn, and their expectations are traces of the same projections
(Searle, Casella & McCulloch 1992, chapter 5, Henderson's methods).
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .votes import MISSING, Floats, Ints, PanelError, as_labels, number, raters_of


@dataclass(frozen=True)
class Component:
    """A variance component: the estimate as it comes (`raw`, which may be negative) and `truncated` at 0."""

    raw: float

    @property
    def truncated(self) -> float:
        """The component, not below 0."""
        return max(self.raw, 0.0)


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Generalizability for one number of raters: relative (E rho^2) and absolute (Phi); None where nothing varies."""

    raters: int
    relative: float | None
    absolute: float | None

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return {"raters": self.raters, "relative": number(self.relative), "absolute": number(self.absolute)}


def coefficients(
    participant: float, unit: float, protocol: float, residual: float, *, raters: int,
) -> Coefficients:
    """Relative and absolute coefficient of a cell's mean over `raters` raters, from variance components.

    The object of measurement is the cell: participant and unit variance together. The relative error is the residual
    over the number of raters; the absolute error has the protocols' component too. Source: paper, Appendix "G-theory
    model"; Brennan (2001). Raises :class:`~evidial_rules.panel.votes.PanelError` for a number of raters under 1.

    >>> found = coefficients(.054, .131, .002, .050, raters=5)
    >>> round(found.relative, 5), round(found.absolute, 5)
    (0.94872, 0.94678)
    """
    if raters < 1:
        raise PanelError(where="raters", expected=f"a number from 1, found {raters}")
    true = participant + unit
    relative, absolute = true + residual / raters, true + (residual + protocol) / raters
    return Coefficients(raters, true / relative if relative > 0 else None, true / absolute if absolute > 0 else None)


@dataclass(frozen=True)
class GStudy:
    """Variance components of one measure, and what they say of panels of any size.

    `ms` and `df` are the mean squares and degrees of freedom of participants, units and residual; `n0` is the
    coefficient of the participants' component in units (the mean number of cells of a participant, for equal numbers).
    `protocol` is the variance of the protocols' effects (ddof 1). A component that the design cannot tell is None, and
    `why` says so.
    """

    raters: tuple[str, ...]
    participants: int
    cells: int
    votes: int
    df: tuple[int, int, int]
    ms: tuple[float | None, float | None, float]
    n0: float | None
    participant: Component | None
    unit: Component | None
    residual: Component
    protocol: Component
    effects: Floats
    why: str | None = None

    def coefficients(self, raters: int | None = None) -> Coefficients:
        """The coefficients for a number of raters (this panel's, by default), from the components truncated at 0.

        A component that could not be told counts as 0.
        """
        parts = [0.0 if one is None else one.truncated for one in (self.participant, self.unit)]
        return coefficients(*parts, self.protocol.truncated, self.residual.truncated,
                            raters=len(self.raters) if raters is None else raters)

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """A JSON object, with a decision study for 1 to `most` raters (this panel's number, by default)."""
        components = {"participant": self.participant, "unit": self.unit, "protocol": self.protocol,
                      "residual": self.residual}
        share = sum(one.truncated for one in components.values() if one is not None)
        return {
            "raters": list(self.raters), "participants": self.participants, "cells": self.cells, "votes": self.votes,
            "df": dict(zip(("participant", "unit", "residual"), self.df, strict=True)),
            "ms": {name: number(value) for name, value in zip(("participant", "unit", "residual"), self.ms,
                                                              strict=True)},
            "n0": number(self.n0),
            "components": {
                name: None if one is None else
                {"raw": number(one.raw, 8), "truncated": number(one.truncated, 8),
                 "share": number(one.truncated / share) if share > 0 else None} for name, one in components.items()},
            "protocol_effects": {name: number(value) for name, value in zip(self.raters, self.effects, strict=True)},
            "decision_study": [self.coefficients(k).to_dict() for k in range(1, (most or len(self.raters)) + 1)],
        } | ({} if self.why is None else {"why": self.why})

    def summary(self) -> str:
        """Components and coefficients in a line each."""
        named = (("participant", self.participant), ("unit", self.unit), ("protocol", self.protocol),
                 ("residual", self.residual))
        lines = [f"{name}: {'not told' if one is None else f'{one.raw:.6f}'}" for name, one in named]
        found = self.coefficients()
        lines.append(f"relative {_said(found.relative)}, absolute {_said(found.absolute)} for {found.raters} raters")
        return "\n".join(lines)


def _said(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.5f}"


def g_study(
    scores: ArrayLike, participants: ArrayLike, *, raters: Sequence[str] | None = None,
    missing: NDArray[np.bool_] | None = None,
) -> GStudy:
    """Variance components of scores of shape (cells, raters), for the cells' participants, shape (cells,).

    Scores are numbers, or votes of 0 and 1 with -1 for none; `missing` marks, with the same shape, what is missing
    where -1 is a score like any other. Cells without a vote are left out.

    Raises :class:`~evidial_rules.panel.votes.PanelError` where there is no residual (one rater, or one vote a cell),
    where the raters share too few cells to compare them, and for arrays that do not fit.
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 2:
        raise PanelError(where="scores", expected=f"an array of cells by raters, found shape {values.shape}")
    absent = values == MISSING if missing is None else np.asarray(missing, dtype=bool)
    if absent.shape != values.shape:
        raise PanelError(where="missing", expected=f"shape {values.shape}, found {absent.shape}")
    if not np.isfinite(values[~absent]).all():
        raise PanelError(where="scores", expected="finite numbers where they are not missing")
    names = raters_of(raters, values.shape[1])
    groups, _ = as_labels(participants, len(values), where="participants")
    used = ~absent.all(1)
    seen, groups = (~absent[used]).astype(float), np.unique(groups[used], return_inverse=True)[1]
    values = np.where(absent, 0.0, values)[used]
    return _fit(values, seen, groups, names)


_RANK = 1e-9
"""Eigenvalues under this share of the largest are rounding: the matrices hold counts."""


def _rank(gram: Floats) -> int:
    found = np.linalg.eigvalsh(gram)
    return int((found > _RANK * max(found[-1], 1.0)).sum())


def _fit(values: Floats, seen: Floats, groups: Ints, names: tuple[str, ...]) -> GStudy:
    cells, count = len(values), int(groups.max()) + 1 if len(groups) else 0
    votes = int(seen.sum())
    if not votes:
        raise PanelError(where="scores", expected="votes")
    given = seen.sum(1)
    if (seen.sum(0) == 0).any():
        idle = ", ".join(name for name, one in zip(names, seen.sum(0), strict=True) if not one)
        raise PanelError(where="scores", expected=f"votes of every rater, found none of {idle}")

    def sum_by(array: Floats) -> Floats:
        return np.stack([np.bincount(groups, column, minlength=count) for column in array.T], -1)

    # Projection on protocols alone; on participants and protocols; on units and protocols. Each of the latter two is
    # the projection on the grouping plus that on the protocols' columns with the grouping's means taken out, for which
    # a system of (raters x raters) is all that has to be solved.
    per_rater = seen.sum(0)
    votes_of = np.bincount(groups, given, minlength=count)
    seen_of, sum_of = sum_by(seen), sum_by(values)
    total_of, total = sum_of.sum(1), values.sum(1)
    ss_protocol = float((values.sum(0) ** 2 / per_rater).sum())

    gram_p = np.diag(per_rater) - seen_of.T @ (seen_of / votes_of[:, None])
    right_p = values.sum(0) - seen_of.T @ (total_of / votes_of)
    inverse_p = np.linalg.pinv(gram_p, rcond=_RANK, hermitian=True)
    ss_participant = float((total_of**2 / votes_of).sum() + right_p @ inverse_p @ right_p)

    gram_u = np.diag(per_rater) - seen.T @ (seen / given[:, None])
    right_u = values.sum(0) - seen.T @ (total / given)
    rank_u = _rank(gram_u)
    if rank_u < len(names) - 1:
        raise PanelError(where="scores", expected="raters that are linked by cells on which several of them voted")
    effects = np.linalg.pinv(gram_u, rcond=_RANK, hermitian=True) @ right_u
    ss_unit = float((total**2 / given).sum() + right_u @ effects)
    ss_total = float((values**2).sum())

    rank_p = _rank(gram_p)
    df_residual = votes - cells - rank_u
    if df_residual < 1:
        raise PanelError(where="scores", expected="more votes than cells and raters can explain: there is no residual")
    df_unit = cells + rank_u - count - rank_p
    df_participant = count + rank_p - len(names)
    residual = max(ss_total - ss_unit, 0.0) / df_residual

    # Traces: how much of a unit's, and of a participant's, indicator lies in each of the spaces.
    left = seen - given[:, None] * (seen_of / votes_of[:, None])[groups]
    in_participant = float((given**2 / votes_of[groups]).sum() + np.einsum("ui,ij,uj->", left, inverse_p, left))
    in_protocol = float((seen**2 / per_rater).sum())
    p_in_protocol = float((seen_of**2 / per_rater).sum())

    notes, unit, participant, ms_unit, ms_participant, n0 = [], None, None, None, None, None
    if df_unit > 0:
        ms_unit = (ss_unit - ss_participant) / df_unit
        unit = Component((ss_unit - ss_participant - df_unit * residual) / (votes - in_participant))
    else:
        notes.append("each participant has one cell: units and participants cannot be told apart, and all is in the "
                     "participants' component")
    if df_participant > 0:
        ms_participant = (ss_participant - ss_protocol) / df_participant
        explained = df_participant * residual + (0.0 if unit is None else unit.raw * (in_participant - in_protocol))
        participant = Component((ss_participant - ss_protocol - explained) / (votes - p_in_protocol))
        n0 = (votes - p_in_protocol) / df_participant / (votes / cells)
    else:
        notes.append("one participant: their variance cannot be told")
    effects = effects - effects.mean()
    protocol = Component(float((effects**2).sum() / (len(names) - 1)))
    return GStudy(names, count, cells, votes, (df_participant, df_unit, df_residual),
                  (ms_participant, ms_unit, residual), n0, participant, unit, Component(residual), protocol, effects,
                  "; ".join(notes) or None)
