"""A fusion for a terminal: shares of the states, the fitted model, and what anchors say of a threshold."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..contract import STATES
from ..fusion import Calibration, Fused
from ..fusion.result import Estimate, LatentResult
from .tables import SHORT, plain_table
from .trace import visible


def fusion_view(fused: Fused, intervals: Mapping[str, Any] | None = None) -> list[RenderableType]:
    """Tables and lines, in order; `intervals` are those of `Fused.bootstrap`."""
    parts: list[RenderableType] = [
        Text(visible(f"{len(fused.table)} cells; raters: {', '.join(fused.table.raters)}")), _shares(fused, intervals)]
    result = fused.result
    if result is not None:
        parts += [Text(visible(line)) for line in _words(result, fused.names)] + [_raters(result, fused.table.raters)]
    if fused.calibration is not None:
        parts += _calibration(fused.calibration)
    if intervals is not None:
        parts.append(Text(f"Intervals of the shares: 95%, {intervals['replicates']} replicates of the participants"
                          + (f", {intervals['not_converged']} of them not converged" if intervals["not_converged"]
                             else "") + "."))
    return parts + [Text(f"warning: {words}", style="bold") for words in fused.warnings]


def _shares(fused: Fused, intervals: Mapping[str, Any] | None) -> Table:
    table = plain_table(f"Reference by {fused.method}", "state", "cells", "share",
                        *([] if intervals is None else ["95%"]))
    for state, share in fused.shares().items():
        row = [state, str(round(share * len(fused.table))), f"{share:.1%}"]
        if intervals is not None:
            low, high = intervals["shares"][state]
            row.append(f"{low:.1%} to {high:.1%}")
        table.add_row(*row)
    return table


def _words(result: LatentResult, names: tuple[str, ...]) -> list[str]:
    lines = [
        f"log L {result.log_likelihood:.2f}, AIC {result.aic:.1f}, BIC {result.bic:.1f} on {result.patterns.voted:g} "
        f"cells with votes in {len(result.patterns.counts)} patterns; "
        f"{'converged' if result.converged else 'NOT converged'}.",
        f"{result.model.size} parameters, {result.rank} of which the votes can tell; {len(result.optima)} starts end "
        f"within {result.spread:.3f} of each other and differ in up to {max(result.changed):.1%} of the cells.",
    ]
    if names:
        lines.append(f"Covariates of the prevalence: {', '.join(names)}.")
    sigma = result.sigma_estimate()
    if sigma is not None:
        lines.append(f"Standard deviation of the cell effect {_figure(sigma)}; with Gauss-Hermite nodes instead of the "
                     f"grid log L {result.log_likelihood_by_quadrature():.2f}.")
    voting = result.voting_estimate()
    if voting is not None:
        found = result.voting_by_state() or {}
        states = ", ".join(f"{SHORT[state]} {one.value:+.2f}" for state, one in found.items())
        lines.append(f"Logit of a valid answer by the cell effect: slope {_figure(voting)}; by state, beside "
                     f"{SHORT['ABSENT']}: {states}. log L is of the answers' validity, too.")
    return lines


def _raters(result: LatentResult, raters: tuple[str, ...]) -> Table:
    table = plain_table("Prevalence, and how often each rater votes a state that is one (95%)", "",
                        *(SHORT[state] for state in STATES))
    table.add_row("prevalence", *(_figure(one) for one in result.prevalence_estimates()))
    for rater, matrix in zip(raters, result.emission_estimates(), strict=True):
        table.add_row(rater, *(_figure(matrix[k][k]) for k in range(len(STATES))))
    return table


def _figure(one: Estimate) -> str:
    return f"{one.value:.3f}" + ("" if one.low is None else f" [{one.low:.2f}, {one.high:.2f}]")


def _calibration(found: Calibration) -> list[RenderableType]:
    table = plain_table(f"Errors on anchors by {found.on} (each half with the other's pseudo-counts)", "bin",
                        "anchors", "errors", "rate", "90%")
    for one in found.bins:
        ends = one.interval
        table.add_row(f"{one.low:.2f} to {one.high:.2f}", str(one.n), str(one.errors),
                      "-" if one.rate is None else f"{one.rate:.2f}",
                      "-" if ends is None else f"{ends[0]:.2f} to {ends[1]:.2f}")
    words = found.why if found.threshold is None else f"threshold {found.threshold:.3f}: {found.why}"
    return [table, Text(f"{words[0].upper()}{words[1:]}. {found.single:.0%} of the anchors carry a single vote.")]
