"""The whole of a panel's psychometrics as one JSON object: raters, agreement, dependence, generalizability, severity,
traits and methods, and the references that fusions make of the votes (paper, section 4.3 and its appendices).

Each part stands alone. Where votes do not allow a figure, it is null with a `why` beside it.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..anchors.score import Anchor
from ..contract import STATES, Vote
from ..corpora.votetable import MISSING, VoteTable, vote_table
from ..errors import EvidialError, shown
from ..fusion import RELCA, DawidSkene, Fusion, OneHotMean, Plurality, decide
from ..fusion.covariates import covariates
from ..fusion.latent import grid_weights
from ..panel import (
    McNemar,
    agreement,
    binary,
    compare,
    dependence,
    g_study,
    leave_one_out,
    model_fit,
    mtmm,
    severity_corrected,
)
from ..panel.votes import PanelError, number

METHODS = ("plurality", "mean", "dawid-skene", "relca")
"""The fusions that are compared."""
LATENT = ("dawid-skene", "relca")
"""Those with a model that votes can be simulated from."""
RULES = "rules"
"""The name of the rule judge's votes."""
BUILT_IN = ("LLM judges' prompts and the rules share one contract, so part of the agreement between them is built in. "
            "It is no sign that either is right: that takes people, or raters that do not know the contract.")
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Settings:
    """How intervals and checks are computed.

    replicates: bootstrap draws of participants, 0 for no intervals. within_sources: draw within each source. simulated:
    votes simulated from each latent class model, 0 for no check. level: of the intervals. fusion: whether references
    are made and compared, which takes most of the time.
    """

    replicates: int = 1000
    seed: int = 0
    within_sources: bool = False
    simulated: int = 200
    level: float = 0.95
    fusion: bool = True

    def parts(self, anchors: bool = False) -> tuple[str, ...]:
        """The names of the parts, in order."""
        parts = ("raters", "agreement", "dependence", "generalizability", "severity", "mtmm")
        if self.fusion:
            parts += ("aggregation", "without_rater", "model_fit", *(("anchors",) if anchors else ()))
        return parts


@dataclass(frozen=True)
class AnchorVotes:
    """Anchors, and votes on them as a table of the panel's raters (columns) by anchors' target cells (rows)."""

    codes: Codes
    expected: Codes

    @classmethod
    def of(cls, anchors: Sequence[Anchor], votes: Sequence[Vote], raters: Sequence[str]) -> AnchorVotes:
        """Picks the votes of the panel's raters on the target cells; a rater without votes on anchors has none.

        Raises :class:`~evidial_rules.corpora.votetable.VotesError` for a vote on a cell of no anchor's dialogue, and
        PanelError where none of the raters votes on an anchor.
        """
        known = [vote for vote in votes if vote.rater in raters and vote.valid]
        codes = np.full((len(anchors), len(raters)), MISSING, dtype=np.int64)
        if known:
            table = vote_table(known, (anchor.dialogue for anchor in anchors))
            rows = {cell: row for row, cell in enumerate(table.cells)}
            places = [rows[anchor.dialogue.dialogue_id, anchor.dimension] for anchor in anchors]
            for column, rater in enumerate(table.raters):
                codes[:, raters.index(rater)] = table.votes[places, column]
        if (codes < 0).all():
            raise PanelError(where="anchor votes", expected="a valid vote of one of the panel's raters on an anchor")
        return cls(codes, np.array([STATES.index(anchor.expected) for anchor in anchors]))


def panel_parts(
    table: VoteTable, settings: Settings | None = None, *, anchors: AnchorVotes | None = None,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts one at a time, (name, JSON object), so that a caller can show how far it is."""
    how = settings or Settings()
    yield "raters", _raters(table)
    yield "agreement", _agreement(table, how)
    yield "dependence", _dependence(table, how)
    yield "generalizability", {name: _tried(lambda name=name: g_study(
        binary(table.votes, name), table.clusters, raters=table.raters).to_dict(most=max(len(table.raters), 5)))
        for name in ("assessability", "direction")}
    yield "severity", severity_corrected(table.votes, raters=table.raters).to_dict()
    yield "mtmm", _mtmm(table)
    if not how.fusion:
        return
    fused = {method: _fused(method, table, how.seed) for method in METHODS}
    yield "aggregation", _aggregation(fused)
    yield "without_rater", {method: _without(one, table, how.seed) for method, one in fused.items() if method != "mean"}
    yield "model_fit", {method: _model_fit(fused[method], table, how) for method in LATENT}
    if anchors is not None:
        yield "anchors", _on_anchors(fused, anchors)


def panel_report(
    table: VoteTable, settings: Settings | None = None, *, anchors: AnchorVotes | None = None,
) -> dict[str, Any]:
    """All parts as one JSON object, with what was asked for and what is to be kept in mind."""
    return gather(table, settings or Settings(), dict(panel_parts(table, settings, anchors=anchors)))


def gather(table: VoteTable, settings: Settings, parts: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object out of its parts."""
    voted = (table.votes >= 0).any(1)
    return {"cells": len(table), "voted": int(voted.sum()), "participants": len(set(table.clusters.tolist())),
            "languages": _counts(table.languages), "sources": _counts(table.sources),
            "settings": {"replicates": settings.replicates, "seed": settings.seed, "level": settings.level,
                         "within_sources": settings.within_sources, "simulated": settings.simulated},
            "note": BUILT_IN, **parts}


def _counts(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in dict.fromkeys(names) if name}


def _tried(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The object, or the reason why there is none."""
    try:
        return make()
    except EvidialError as error:
        return {"why": str(error)}


def _raters(table: VoteTable) -> dict[str, Any]:
    """Votes, invalid votes and the spread over states of each rater, over all and by language."""
    rows = []
    for column, rater in enumerate(table.raters):
        given, invalid = table.votes[:, column], table.invalid[:, column]
        row: dict[str, Any] = {"rater": rater, "votes": int((given >= 0).sum()), "invalid": int(invalid.sum()),
                               "none": int(((given < 0) & ~invalid).sum()),
                               "states": {state: int((given == code).sum()) for code, state in enumerate(STATES)}}
        row["by_language"] = {}
        for language, inside in _blocks(table.languages).items():
            row["by_language"][language] = {"cells": int(inside.sum()), "votes": int((given[inside] >= 0).sum()),
                                            "invalid": int(invalid[inside].sum())}
        rows.append(row)
    given = (table.votes >= 0).sum(1)
    return {"raters": rows, "votes_per_cell": {str(n): int((given == n).sum()) for n in range(len(table.raters) + 1)}}


def _blocks(labels: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    held = np.asarray(labels)
    return {name: held == name for name in dict.fromkeys(labels) if name}


def _blocks_of(table: VoteTable, *, dimensions: bool = False) -> dict[str, NDArray[np.bool_]]:
    """All cells, and those of each language and source if there are several, and of each dimension on request."""
    found = {"all": np.ones(len(table), dtype=bool)}
    ways = {"language": table.languages, "source": table.sources} | (
        {"dimension": table.dimensions} if dimensions else {})
    for way, labels in ways.items():
        blocks = _blocks(labels)
        if len(blocks) > 1:
            found |= {f"{way}={name}": inside for name, inside in blocks.items()}
    return found


def _agreement(table: VoteTable, how: Settings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, codes, size in (("state", table.votes, len(STATES)),
                              ("assessability", binary(table.votes, "assessability"), 2)):
        found[name] = {}
        for block, inside in _blocks_of(table, dimensions=True).items():
            found[name][block] = agreement(
                codes[inside], size, raters=table.raters, participants=table.clusters[inside],
                strata=table.strata[inside] if how.within_sources else None, seed=how.seed, level=how.level,
                replicates=0 if block.startswith("dimension") else how.replicates).to_dict()
    found["with_rules"] = _with_rules(found["state"]["all"]["pairs"])
    return found


def _with_rules(pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean Cohen's kappa of the pairs with the rule judge, and of the others."""
    kappas: dict[bool, list[float]] = {True: [], False: []}
    for pair in pairs:
        if pair["cohen"]["value"] is not None:
            kappas[RULES in pair["raters"]].append(pair["cohen"]["value"])
    means = [number(float(np.mean(kappas[with_rules]))) if kappas[with_rules] else None for with_rules in (True, False)]
    row: dict[str, Any] = {"cohen_with": means[0], "cohen_among_others": means[1], "note": BUILT_IN}
    return row if means[0] is not None else row | {"why": f"no pair with a rater named {RULES}"}


def _dependence(table: VoteTable, how: Settings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, codes, size in (("assessability", binary(table.votes, "assessability"), 2),
                              ("state", table.votes, len(STATES))):
        found[name] = {}
        for block, inside in _blocks_of(table).items():
            found[name][block] = dependence(
                codes[inside], size, raters=table.raters, participants=table.clusters[inside],
                strata=table.strata[inside] if how.within_sources else None, replicates=how.replicates, seed=how.seed,
                level=how.level).to_dict()
    return found


def _mtmm(table: VoteTable) -> dict[str, Any]:
    """The blocks of the matrix on assessability, as they are and centred, over all and by language."""
    codes, dimensions = binary(table.votes, "assessability"), np.asarray(table.dimensions)
    found = {}
    for block, inside in _blocks_of(table).items():
        if block.startswith("source"):
            continue
        found[block] = {"centred" if centred else "plain": _tried(lambda inside=inside, centred=centred: mtmm(
            codes[inside], dimensions[inside], table.clusters[inside], raters=table.raters,
            centred=centred).to_dict()) for centred in (False, True)}
    return found


@dataclass(frozen=True)
class _Fused:
    """A fusion fitted to the panel, with the states it gives, or why it cannot be fitted."""

    method: str
    states: Codes | None
    estimator: Fusion | None = None
    x: NDArray[np.float64] | None = None
    columns: tuple[str, ...] = ()
    why: str | None = None


STARTS = 4
"""Starts of a latent class fit to the whole panel; half of them do for a fit without a rater."""


def _estimator(method: str, seed: int, starts: int) -> Fusion:
    if method in LATENT:
        return (DawidSkene if method == "dawid-skene" else RELCA)(seed=seed, n_starts=starts)
    return Plurality() if method == "plurality" else OneHotMean()


def _design(table: VoteTable) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """The paper's covariates, or as many of them as have votes at every level."""
    for terms in (("source", "group"), ("source",), ("group",)):
        try:
            return covariates(table, terms)
        except EvidialError:
            continue
    return covariates(table, ())


def _fused(method: str, table: VoteTable, seed: int, starts: int = STARTS) -> _Fused:
    x, columns = _design(table) if method in LATENT else (None, ())
    try:
        estimator = _estimator(method, seed, starts).fit(table, x)
        return _Fused(method, decide(estimator.predict_proba(table, x), table), estimator, x, columns)
    except EvidialError as error:
        return _Fused(method, None, why=str(error))


def _aggregation(fused: Mapping[str, _Fused]) -> dict[str, Any]:
    rows = []
    for method, one in fused.items():
        row: dict[str, Any] = {"method": method}
        if one.states is None:
            rows.append(row | {"states": None, "resolved": None, "why": one.why})
            continue
        row |= {"states": {state: int((one.states == code).sum()) for code, state in enumerate(STATES)},
                "unresolved": int((one.states < 0).sum()), "resolved": number(float((one.states >= 0).mean()))}
        if method in LATENT:
            result = one.estimator.result_  # type: ignore[union-attr]
            row |= {"covariates": list(one.columns), "log_likelihood": number(result.log_likelihood),
                    "sigma": number(result.sigma), "parameters": result.model.size, "rank": result.rank,
                    "converged": result.converged, "warnings": list(result.warnings)}
        rows.append(row)
    pairs = [compare(a.states, b.states, (a.method, b.method)).to_dict()
             for a, b in combinations(fused.values(), 2) if a.states is not None and b.states is not None]
    return {"methods": rows, "comparisons": pairs}


def _without(one: _Fused, table: VoteTable, seed: int) -> dict[str, Any]:
    if one.states is None:
        return {"raters": None, "why": one.why}

    def refit(rater: str) -> Codes:
        rest = _fused(one.method, table.without(rater), seed, STARTS // 2)
        if rest.states is None:
            raise PanelError(where=f"without {shown(rater)}", expected=f"votes that can be fitted ({rest.why})")
        return rest.states

    found = leave_one_out(table.votes, lambda votes: one.states, raters=table.raters, states=one.states,
                          fits={rater: lambda votes, rater=rater: refit(rater) for rater in table.raters})
    return {"raters": [row.to_dict() for row in found]}


def _model_fit(one: _Fused, table: VoteTable, how: Settings) -> dict[str, Any]:
    if one.states is None:
        return {"strata": None, "why": one.why}
    if not how.simulated:
        return {"strata": None, "why": "not asked for"}
    strata = {way: labels for way, labels in (("source", table.sources), ("dimension", table.dimensions))
              if len(set(labels)) > 1}
    return model_fit(table.votes, simulator(one.estimator, one.x), strata, replicates=how.simulated,
                     seed=how.seed).to_dict()


def simulator(
    estimator: DawidSkene | RELCA, x: ArrayLike,
) -> Callable[[np.random.Generator], Codes]:
    """What draws votes, shape (cells, raters), from a fitted latent class model for covariates of shape (cells, P)."""
    model = estimator.model_
    parameters = model.unpack(estimator.theta_)
    prevalence = model.prevalence(parameters.gamma, np.asarray(x, dtype=float)).cumsum(1)
    points = np.zeros(1) if parameters.sigma is None else model.grid
    weights = np.ones(1) if parameters.sigma is None else grid_weights(parameters.sigma, model.grid)
    emitted = model.emissions(parameters.alpha, points).cumsum(3)  # rater, state, point, vote
    cells, last = len(prevalence), len(STATES) - 1

    def draw(rng: np.random.Generator) -> Codes:
        state = np.minimum((rng.random((cells, 1)) > prevalence).sum(1), last)
        point = np.minimum(np.searchsorted(weights.cumsum(), rng.random(cells)), len(points) - 1)
        return np.stack([np.minimum((rng.random((cells, 1)) > one[state, point]).sum(1), last) for one in emitted], 1)

    return draw


def _on_anchors(fused: Mapping[str, _Fused], anchors: AnchorVotes) -> dict[str, Any]:
    """Hits of each fusion on the anchors with a vote, and McNemar's test of each two. Unresolved is no hit.

    The models are those fitted to the panel. Anchors are another mixture of states than the panel's cells, so a latent
    class model takes all states for equally likely there.
    """
    voted = (anchors.codes >= 0).any(1)
    codes, expected = anchors.codes[voted], anchors.expected[voted]
    hits: dict[str, NDArray[np.bool_]] = {}
    rows = []
    for method, one in fused.items():
        if one.estimator is None:
            rows.append({"method": method, "hits": None, "why": one.why})
            continue
        prior = {"prior": np.full(len(STATES), 1 / len(STATES))} if method in LATENT else {}
        states = decide(one.estimator.predict_proba(codes, **prior), codes)
        hits[method] = states == expected
        resolved = int((states >= 0).sum())
        rows.append({"method": method, "hits": int(hits[method].sum()), "resolved": resolved,
                     "rate": number(float(hits[method].mean())),
                     "rate_of_resolved": number(float(hits[method].sum() / resolved)) if resolved else None})
    tests = [{"a": a, "b": b} | McNemar.of(hits[a], hits[b]).to_dict() for a, b in combinations(hits, 2)]
    return {"anchors": len(anchors.expected), "voted": int(voted.sum()),
            "single_vote": int(((codes >= 0).sum(1) == 1).sum()), "methods": rows, "mcnemar": tests}
