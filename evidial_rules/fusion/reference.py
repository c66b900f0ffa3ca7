"""From the votes of a panel to a reference: one call for every method, with what there is to say of the result."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import entropy

from ..anchors.score import Anchor
from ..contract import STATES, UNRESOLVED, Reference, Vote
from ..corpora import MISSING, VoteTable
from ..errors import shown
from .anchoring import Calibration, On, calibrate, pseudo_counts, sure
from .bootstrap import bootstrap, participant_weights
from .covariates import covariates
from .estimators import PRIOR, RELCA, UNRESOLVED_CODE, DawidSkene, Fusion, OneHotMean, Plurality, decide
from .patterns import Floats, FusionError, vote_codes
from .result import LatentResult

METHODS = ("plurality", "mean", "dawid-skene", "relca")
DIGITS = 9
"""Digits of a posterior in a reference line: more would differ between machines."""


@dataclass(frozen=True, slots=True, eq=False)
class AnchorVotes:
    """Votes on m anchors. expected: (m,) their states as codes. bases: m names. votes: each rater's (m,), -1 none."""

    expected: npt.NDArray[np.int64]
    bases: tuple[str, ...]
    votes: Mapping[str, npt.NDArray[np.int64]]

    def rows(self, chosen: npt.NDArray[np.bool_]) -> AnchorVotes:
        """The anchors that a mask chooses."""
        return AnchorVotes(self.expected[chosen],
                           tuple(base for base, kept in zip(self.bases, chosen, strict=True) if kept),
                           {rater: codes[chosen] for rater, codes in self.votes.items()})

    def table(self, raters: Sequence[str]) -> npt.NDArray[np.int64]:
        """Codes (m, J) in the panel's order; a rater that did not vote on anchors has none."""
        none = np.full(len(self.expected), MISSING)
        return np.stack([self.votes.get(rater, none) for rater in raters], axis=1)


def anchor_votes(anchors: Iterable[Anchor], votes: Iterable[Vote]) -> AnchorVotes:
    """Sets votes on anchors beside the states that must follow.

    Raises :class:`FusionError` where no vote is on an anchor's cell.
    """
    held = list(anchors)
    place = {(one.dialogue.dialogue_id, one.dimension): i for i, one in enumerate(held)}
    given: dict[str, npt.NDArray[np.int64]] = {}
    for vote in votes:
        i = place.get((vote.dialogue_id, vote.dimension))
        if i is not None and vote.valid and vote.state is not None:
            given.setdefault(vote.rater, np.full(len(held), MISSING))[i] = STATES.index(vote.state)
    if not given:
        raise FusionError(where="anchor votes", expected="at least one valid vote on an anchor's cell")
    return AnchorVotes(np.array([STATES.index(one.expected) for one in held]),
                       tuple(one.base or one.dialogue.dialogue_id for one in held), given)


@dataclass(frozen=True, slots=True)
class Options:
    """How to fuse. design, missing: of RE-LCA. terms: covariates of latent class models. strength: of the pseudo-counts
    of a row. prior: weight of the weak prior on the emissions; pooled: of one with an estimated centre in its place.
    threshold: what cells are left unresolved by, if the anchors support it. allow_unidentified: fit nevertheless."""

    design: Literal["agree", "lean"] = "agree"
    terms: tuple[str, ...] = ()
    strength: float | None = None
    prior: float = PRIOR
    threshold: On | None = None
    n_starts: int = 4
    seed: int = 0
    allow_unidentified: bool = False
    missing: Literal["random", "hard"] = "random"
    pooled: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """A reference and how it came about. states: (n,) codes, -1 unresolved. posterior: (n, 5)."""

    method: str
    table: VoteTable
    fusion: Fusion
    x: Floats | None
    names: tuple[str, ...]
    posterior: Floats
    states: npt.NDArray[np.int64]
    calibration: Calibration | None
    warnings: tuple[str, ...] = field(default=())

    @property
    def result(self) -> LatentResult | None:
        """The fitted model of a latent class method."""
        return getattr(self.fusion, "result_", None)

    def shares(self) -> dict[str, float]:
        """The share of the cells in each state and unresolved."""
        names = (*STATES, UNRESOLVED)
        codes = (*range(len(STATES)), UNRESOLVED_CODE)
        return {name: float((self.states == code).mean()) for name, code in zip(names, codes, strict=True)}

    def references(self) -> Iterable[Reference]:
        """One line a cell, in the table's order."""
        voted = (self.table.votes != MISSING).sum(axis=1)
        doubt = np.maximum(entropy(self.posterior, axis=1), 0)
        for i, (dialogue, dimension) in enumerate(self.table.cells):
            code = self.states[i]
            posterior = {state: round(float(p), DIGITS) for state, p in zip(STATES, self.posterior[i], strict=True)}
            yield Reference(dialogue, dimension, UNRESOLVED if code == UNRESOLVED_CODE else STATES[code], self.method,
                            posterior, round(float(doubt[i]), DIGITS), int(voted[i]))

    def bootstrap(
        self, n_replicates: int, seed: int = 0, *, by_source: bool = False, progress: Any = lambda: None,
    ) -> dict[str, Any]:
        """Intervals with participants resampled, within their sources or not (see `fusion.bootstrap`)."""
        weights = participant_weights(self.table.clusters, n_replicates, seed,
                                      self.table.strata if by_source else None)
        read: Any = getattr(self.fusion, "codes", vote_codes)
        return bootstrap(self.fusion, read(self.table), self.x, weights, progress)

    def to_dict(self) -> dict[str, Any]:
        """What the fit has to say, a JSON object."""
        return {
            "method": self.method, "cells": len(self.table), "raters": list(self.table.raters),
            "covariates": list(self.names), "shares": self.shares(),
            "fit": None if self.result is None else self.result.to_dict(self.table.raters),
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
            "warnings": list(self.warnings),
        }


def fuse(
    table: VoteTable, method: str, options: Options | None = None, anchors: AnchorVotes | None = None,
) -> Fused:
    """Fuses the votes of a panel by one of `METHODS`.

    With `anchors`, latent class methods take their votes as pseudo-counts of the emissions; a threshold is calibrated
    on them in two halves by base dialogue, each with the pseudo-counts of the other half, so that no anchor is judged
    with its own vote.

    Raises :class:`FusionError` for an unknown method, for one rater alone, and where the votes do not tell a model.
    """
    options = options or Options()
    if method not in METHODS:
        raise FusionError(where="method", expected=f"one of {', '.join(METHODS)}, found {shown(method)}")
    if options.missing == "hard" and method != "relca":
        raise FusionError(where="missing", expected="random, or the method relca: the others have no cell effect")
    if len(table.raters) < 2:
        raise FusionError(where="votes", expected=f"two raters or more, found {shown(table.raters[0])} alone")
    latent = method in ("dawid-skene", "relca")
    x, names = covariates(table, options.terms) if latent and options.terms else (None, ())
    fusion = _estimator(method, options, table.raters, anchors).fit(table, x)
    posterior = fusion.predict_proba(table, x)
    states = decide(posterior, table)
    calibration = None
    warnings = list(fusion.result_.warnings) if latent else []
    if anchors is not None and options.threshold is not None:
        calibration = _calibrated(table, x, method, options, anchors)
        if calibration.threshold is not None:
            states = np.where(sure(posterior, options.threshold, calibration.threshold), states, UNRESOLVED_CODE)
    if np.array([len(set(column[column != MISSING])) for column in table.votes.T]).max() == 1:
        warnings.append("every rater gives one state only: the votes tell no cells apart")
    return Fused(method, table, fusion, x, names, posterior, states, calibration, tuple(warnings))


def _estimator(method: str, options: Options, raters: Sequence[str], anchors: AnchorVotes | None) -> Any:
    if method == "plurality":
        return Plurality()
    if method == "mean":
        return OneHotMean()
    pseudo = None if anchors is None else pseudo_counts(raters, anchors.votes, anchors.expected, options.strength)
    unidentified: Literal["warn", "raise"] = "warn" if options.allow_unidentified else "raise"
    if method == "dawid-skene":
        return DawidSkene(pseudo, prior=options.prior, pooled=options.pooled, n_starts=options.n_starts,
                          seed=options.seed, unidentified=unidentified)
    return RELCA(pseudo, design=options.design, missing=options.missing, prior=options.prior,
                 pooled=options.pooled, n_starts=options.n_starts, seed=options.seed, unidentified=unidentified)


def _calibrated(
    table: VoteTable, x: Floats | None, method: str, options: Options, anchors: AnchorVotes,
) -> Calibration:
    assert options.threshold is not None
    order = {base: i for i, base in enumerate(dict.fromkeys(anchors.bases))}
    half = np.array([order[base] % 2 for base in anchors.bases])
    votes = anchors.table(table.raters)
    posterior = np.full((len(half), len(STATES)), 1 / len(STATES))
    for part in np.unique(half):
        rest = anchors.rows(half != part) if len(order) > 1 else None
        fusion = _estimator(method, options, table.raters, rest).fit(table, x)
        here = half == part
        asked = votes[here]
        prior = {"prior": fusion.result_.prevalence} if hasattr(fusion, "result_") else {}
        if (asked != MISSING).any():
            posterior[here] = fusion.predict_proba(asked, **prior)
    return calibrate(posterior, anchors.expected, (votes != MISSING).sum(axis=1), on=options.threshold)
