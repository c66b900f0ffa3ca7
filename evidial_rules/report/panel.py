"""The whole of a panel's psychometrics as one JSON object: raters, agreement, dependence, generalizability, severity,
traits and methods, and the references that fusions make of the votes (paper, section 4.3 and its appendices).

Each part stands alone. Where votes do not allow a figure, it is null with a `why` beside it.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..contract import STATES
from ..corpora import VoteTable
from ..errors import EvidialError
from ..fusion import UNRESOLVED_CODE, AnchorVotes, Fused, FusionError, Options, covariates, decide, fuse
from ..fusion.simulate import simulate
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
from ..raters.validity import Validity, left_out

REFERENCES: Mapping[str, tuple[str, Literal["agree", "lean"]]] = {
    "plurality": ("plurality", "agree"), "mean": ("mean", "agree"), "dawid-skene": ("dawid-skene", "agree"),
    "relca": ("relca", "agree"), "relca-lean": ("relca", "lean"),
}
"""The references that are made: method, and design of the cell effect. Few raters cannot tell the three latent class
models apart (Albert & Dodd 2004), so all are fitted, and how many cells change between them is said."""
LATENT = ("dawid-skene", "relca", "relca-lean")
"""Those with a model that votes can be simulated from."""
REDUCED = ("plurality", "dawid-skene", "relca")
"""Those that are made without each rater in turn."""
RULES = "rules"
"""The name of the rule judge's votes."""
BUILT_IN = ("LLM judges' prompts and the rules share one contract, so part of the agreement between them is built in. "
            "It is no sign that either is right: that takes people, or raters that do not know the contract.")
DEPENDENT = ("McNemar's test takes anchors for independent of one another. Views made of one dialogue are not, so its "
             "p is too small where a dialogue has many.")

Codes = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Settings:
    """How intervals and checks are computed.

    replicates: bootstrap draws of participants, 0 for no intervals. by_source: draw within each source. simulated:
    votes simulated from each latent class model, 0 for no check. level: of the intervals. fusion: whether references
    are made and compared, which takes most of the time. starts: of a latent class fit to the whole panel; half of them
    do for a fit without a rater.
    """

    replicates: int = 1000
    seed: int = 0
    by_source: bool = False
    simulated: int = 200
    level: float = 0.95
    fusion: bool = True
    starts: int = 4

    def parts(self, anchors: bool = False) -> tuple[str, ...]:
        """The names of the parts, in order."""
        parts = ("raters", "agreement", "dependence", "generalizability", "severity", "mtmm")
        if self.fusion:
            parts += ("aggregation", "without_rater", "model_fit", *(("anchors",) if anchors else ()))
        return parts


def panel_parts(
    table: VoteTable, settings: Settings | None = None, *, anchors: AnchorVotes | None = None,
    validity: Sequence[Validity] = (),
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts one at a time, (name, JSON object), so that a caller can show how far it is.

    validity: of the raters' answers, also of those that are not in the table because too few were valid.
    """
    how = settings or Settings()
    gone = left_out(validity)
    yield "raters", _raters(table) | {"validity": [one.to_dict() | {"left_out": one in gone} for one in validity]}
    yield "agreement", _agreement(table, how)
    yield "dependence", _dependence(table, how)
    yield "generalizability", {name: _tried(lambda name=name: g_study(
        binary(table.votes, name), table.clusters, raters=table.raters).to_dict(most=max(len(table.raters), 5)))
        for name in ("assessability", "direction")}
    yield "severity", severity_corrected(table.votes, raters=table.raters).to_dict()
    yield "mtmm", _mtmm(table)
    if not how.fusion:
        return
    fused = {name: _fused_or_why(name, table, how) for name in REFERENCES}
    yield "aggregation", _aggregation(fused)
    reduced: Reduced = {}
    yield "without_rater", {name: _without(name, fused[name], table, how, reduced) for name in REDUCED}
    yield "model_fit", {name: _model_fit(fused[name], table, how) for name in LATENT}
    if anchors is not None:
        yield "anchors", _on_anchors(fused, reduced, anchors, table)


def panel_report(
    table: VoteTable, settings: Settings | None = None, *, anchors: AnchorVotes | None = None,
    validity: Sequence[Validity] = (),
) -> dict[str, Any]:
    """All parts as one JSON object, with what was asked for and what is to be kept in mind."""
    parts = dict(panel_parts(table, settings, anchors=anchors, validity=validity))
    return gather(table, settings or Settings(), parts)


def gather(table: VoteTable, settings: Settings, parts: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object out of its parts."""
    voted = (table.votes >= 0).any(1)
    return {"cells": len(table), "voted": int(voted.sum()), "participants": len(set(table.clusters.tolist())),
            "languages": _counts(table.languages), "sources": _counts(table.sources),
            "settings": {"replicates": settings.replicates, "seed": settings.seed, "level": settings.level,
                         "by_source": settings.by_source, "simulated": settings.simulated, "starts": settings.starts},
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
                strata=table.strata[inside] if how.by_source else None, seed=how.seed, level=how.level,
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
                strata=table.strata[inside] if how.by_source else None, replicates=how.replicates, seed=how.seed,
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


_TERMS = (("source", "group"), ("source",), ("group",), ())
"""The paper's covariates of the states' prevalence; fewer where a level of one has no votes."""


def _fused(name: str, table: VoteTable, seed: int, starts: int) -> Fused:
    method, design = REFERENCES[name]
    return fuse(table, method, Options(design, _terms(table), n_starts=starts, seed=seed))


def _terms(table: VoteTable) -> tuple[str, ...]:
    for terms in _TERMS[:-1]:
        with suppress(FusionError):
            covariates(table, terms)
            return terms
    return _TERMS[-1]


def _fused_or_why(name: str, table: VoteTable, how: Settings) -> Fused | str:
    try:
        return _fused(name, table, how.seed, how.starts)
    except EvidialError as error:
        return str(error)


def _aggregation(fused: Mapping[str, Fused | str]) -> dict[str, Any]:
    rows = []
    for name, one in fused.items():
        row: dict[str, Any] = {"method": name}
        if isinstance(one, str):
            rows.append(row | {"states": None, "resolved": None, "why": one})
            continue
        row |= {"states": {state: int((one.states == code).sum()) for code, state in enumerate(STATES)},
                "unresolved": int((one.states < 0).sum()), "resolved": number(float((one.states >= 0).mean())),
                "warnings": list(one.warnings)}
        if one.result is not None:
            row |= {"covariates": list(one.names), "log_likelihood": number(one.result.log_likelihood),
                    "aic": number(one.result.aic), "sigma": number(one.result.sigma),
                    "parameters": one.result.model.size, "rank": one.result.rank,
                    "converged": one.result.converged}
        rows.append(row)
    made = {name: one.states for name, one in fused.items() if not isinstance(one, str)}
    pairs = [compare(made[a], made[b], (a, b)).to_dict() for a, b in combinations(made, 2)]
    return {"methods": rows, "comparisons": pairs}


Reduced = dict[tuple[str, str], Fused]
"""References without a rater, by name and rater: they are made once."""


def _without(name: str, one: Fused | str, table: VoteTable, how: Settings, reduced: Reduced) -> dict[str, Any]:
    if isinstance(one, str):
        return {"raters": None, "why": one}

    def refit(rater: str) -> Codes:
        reduced[name, rater] = _fused(name, table.without(rater), how.seed, (how.starts + 1) // 2)
        return reduced[name, rater].states

    fits = {rater: lambda votes, rater=rater: refit(rater) for rater in table.raters}
    found = leave_one_out(table.votes, lambda votes: one.states, raters=table.raters, states=one.states, fits=fits)
    return {"raters": [row.to_dict() for row in found]}


def _model_fit(one: Fused | str, table: VoteTable, how: Settings) -> dict[str, Any]:
    if isinstance(one, str):
        return {"strata": None, "why": one}
    if not how.simulated:
        return {"strata": None, "why": "not asked for"}
    strata = {way: labels for way, labels in (("source", table.sources), ("dimension", table.dimensions))
              if len(set(labels)) > 1}
    return model_fit(table.votes, simulator(one), strata, replicates=how.simulated, seed=how.seed).to_dict()


def simulator(one: Fused) -> Callable[[np.random.Generator], Codes]:
    """What draws votes, shape (cells, raters), from a fitted latent class model, where the panel has votes.

    Raises :class:`~evidial_rules.panel.PanelError` for a method without a model.
    """
    if one.result is None:
        raise PanelError(where=one.method, expected="a method with a model that votes can be drawn from")
    model, given = one.result.model, one.table.votes >= 0
    parameters, x = model.unpack(one.result.theta), np.ones((len(given), 1)) if one.x is None else one.x
    return lambda rng: simulate(model, parameters, x, given, rng)[1]


def _on_anchors(
    fused: Mapping[str, Fused | str], reduced: Reduced, anchors: AnchorVotes, table: VoteTable,
) -> dict[str, Any]:
    """Hits of each fusion on the anchors with a vote, and McNemar's test of each two, and of each with and without a
    rater. Unresolved is no hit.

    The models are those fitted to the panel: no anchor has a say in them, and they expect the panel's mixture of
    states.
    """
    votes = anchors.table(table.raters)
    voted = (votes >= 0).any(1)
    head = {"anchors": len(votes), "voted": int(voted.sum()),
            "single_vote": int(((votes >= 0).sum(1) == 1).sum())}
    if not voted.any():
        return head | {"methods": [], "mcnemar": [], "without_rater": [],
                       "why": "none of the panel's raters votes on an anchor"}
    expected = anchors.expected[voted]

    def decided(one: Fused) -> NDArray[np.int64]:
        codes = anchors.table(one.table.raters)[voted]
        if (codes < 0).all():
            return np.full(len(codes), UNRESOLVED_CODE)
        prior = {} if one.result is None else {"prior": one.result.prevalence}
        return decide(one.fusion.predict_proba(codes, **prior), codes)

    hits: dict[str, NDArray[np.bool_]] = {}
    rows = []
    for method, one in fused.items():
        if isinstance(one, str):
            rows.append({"method": method, "hits": None, "why": one})
            continue
        states = decided(one)
        hits[method] = states == expected
        resolved = int((states >= 0).sum())
        rows.append({"method": method, "hits": int(hits[method].sum()), "resolved": resolved,
                     "rate": number(float(hits[method].mean())),
                     "rate_of_resolved": number(float(hits[method].sum() / resolved)) if resolved else None})
    tests = [{"a": a, "b": b} | McNemar.of(hits[a], hits[b]).to_dict() for a, b in combinations(hits, 2)]
    without = []
    for (method, rater), one in reduced.items():
        right = decided(one) == expected
        without.append({"method": method, "rater": rater, "hits": int(right.sum())}
                       | McNemar.of(hits[method], right).to_dict())
    return head | {"methods": rows, "mcnemar": tests, "without_rater": without, "note": DEPENDENT}
