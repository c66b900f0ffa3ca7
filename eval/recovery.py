"""Does fusion find what made the votes? `python eval/recovery.py [--replicates N] [--workers N] [--only A=B] [-o F]`.

Panels of the paper's size (2,744 cells) are drawn with known parameters (`eval/panels.py`) and fitted. A condition is a
coverage, the sigma of the cell effect, the truth behind it (agree, lean, or a finite mixture of easy and hard cells),
what is fitted (RE-LCA "agree" and "lean", Dawid-Skene, and plurality beside them; "agree, missing" is RE-LCA that asks
why votes are missing, and is told that each was asked for in the languages where its rater votes at all), pseudo-counts
(0, 20 a state from the true emissions, 20 a state centred on raters that are right nineteen times out of twenty; "none"
is without the weak prior that the estimators have by default), missing votes (at random, or more on hard cells), and
covariates.

The full grid has some thousands of conditions. What runs here is a star: every coverage at every sigma (fewer for five
complete raters), and around the middle of that (sigma 1) one departure at a time; "lean" is fitted where it is the
truth and in the middle, "agree, missing" where votes are missing on hard cells and, for what it costs, in the middle.
The fits of one panel share its votes, so that they can be compared; each climbs from one
start, the votes' confusion with plurality. With -o the table grows as conditions are done. Replicates where a fit does
not converge, or is not identified, are counted and left out of the figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from common import finish, run, table
from panels import COVERAGE, Design, Panel, draw_panel

from evidial_rules.fusion import RELCA, DawidSkene, FusionError, Plurality, decide
from evidial_rules.fusion.estimators import PRIOR
from evidial_rules.fusion.latent import ALPHA, SIGMA
from evidial_rules.fusion.patterns import K

SIGMAS = (0.0, 0.5, 1.0, 1.5)
FITS = ("agree", "agree, missing", "agree, pooled", "lean", "DS")
POOLED = 20.0
"""Weight of the pooled prior."""
NOMINAL = (0.90, 0.98)
"""Where the share of 95% intervals that hold the truth should lie."""


@dataclass(frozen=True)
class Condition:
    """A panel and the pseudo-counts that its fits get: 0, 20 or "off" (mis-centred), beside the weak prior that every
    fit has by default; "none" is without that."""

    design: Design
    pseudo: str = "0"

    @property
    def fits(self) -> tuple[str, ...]:
        """What is fitted to its votes."""
        middle = self.pseudo == "0" and self == Condition(Design(self.design.coverage, 1.0, n=self.design.n))
        asks = self.design.missing == "hard" or (middle and "complete" not in self.design.coverage)
        lean = middle or self.design.truth == "lean"
        pools = self.design.truth == "rare worse" or (
            self == Condition(Design(self.design.coverage, self.design.sigma)) and self.design.sigma >= 1
            and self.design.coverage != "5 complete")
        wanted = {"lean": lean, "agree, missing": asks, "agree, pooled": pools}
        return tuple(fit for fit in FITS if wanted.get(fit, True))

    def is_one_of(self, only: Sequence[str]) -> bool:
        """Whether it has the values of "name=value" pairs: coverage, sigma, truth, missing, covariates or pseudo."""
        own = {**vars(self.design), "pseudo": self.pseudo}
        return all(str(own[name]) == value for name, _, value in (one.partition("=") for one in only))


def conditions(smoke: bool) -> Iterator[Condition]:
    """The star of conditions, or four of them with a smaller panel."""
    if smoke:
        for coverage in ("3 complete", "paper + rule judge"):
            for truth in ("agree", "lean"):
                yield Condition(Design(coverage, 1.0, truth, n=(700, 200)))
        return
    for coverage in COVERAGE:
        if coverage == "5 complete":
            # A fit to thousands of patterns takes ten times as long and tells least: the middle only.
            yield from (Condition(Design(coverage, 1.0)), Condition(Design(coverage, 1.0, "lean")))
            continue
        for sigma in SIGMAS:
            yield Condition(Design(coverage, sigma))
        for truth in ("lean", "mixture"):
            yield Condition(Design(coverage, 1.0, truth))
        for pseudo in ("none", "20", "off"):
            yield Condition(Design(coverage, 1.0), pseudo)
    for coverage in ("paper", "paper + rule judge"):
        yield Condition(Design(coverage, 1.0, missing="hard"))
        for covariates in ("crossed", "confounded"):
            yield Condition(Design(coverage, 1.0, covariates=covariates))
    for coverage, sigma in (("paper", 1.0), ("paper", 1.5), ("3 complete", 1.5)):
        yield Condition(Design(coverage, sigma, "rare worse"))


def pseudo_counts(panel: Panel, kind: str) -> Any:
    """20 pseudo-counts a rater and state, centred on the truth or off it; None without."""
    if kind in ("0", "none"):
        return None
    if kind == "20":
        return 20 * panel.model.marginal_emissions(panel.parameters)
    off = np.full((K, K), 0.05 / (K - 1)) + (0.95 - 0.05 / (K - 1)) * np.eye(K)
    return 20 * np.repeat(off[None], panel.model.raters, axis=0)


def estimator(fit: str, pseudo: Any, prior: float) -> Any:
    """The estimator of a name."""
    if fit == "DS":
        return DawidSkene(pseudo, prior=prior, n_starts=1)
    if fit == "agree, pooled":
        return RELCA(pseudo, pooled=POOLED, n_starts=1)
    if fit == "agree, missing":
        return RELCA(pseudo, missing="hard", prior=prior, n_starts=1)
    return RELCA(pseudo, design=fit, prior=prior, n_starts=1)


def replicate(
    condition: Condition, seed: Sequence[int], fits: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """One panel and its fits, or those of them that are named: a row of raw figures each."""
    rng = np.random.default_rng(seed)
    panel = draw_panel(condition.design, rng)
    x = None if condition.design.covariates == "none" else panel.x
    voted = (panel.votes >= 0).any(axis=1)
    oracle = float((panel.oracle() == panel.states)[voted].mean())
    plurality = decide(Plurality().fit(panel.votes).predict_proba(panel.votes), panel.votes)
    resolved = plurality >= 0
    shared = {"oracle": oracle, "covered": float(resolved.mean()),
              "plurality": float((plurality == panel.states)[resolved].mean())}
    prior = 0.0 if condition.pseudo == "none" else PRIOR
    return [shared | one_fit(fit, panel, x, voted, pseudo_counts(panel, condition.pseudo), prior)
            for fit in condition.fits if fits is None or fit in fits]


def one_fit(fit: str, panel: Panel, x: Any, voted: Any, pseudo: Any, prior: float) -> dict[str, Any]:
    """What one fit gets right and wrong on one panel."""
    votes = panel.with_declined if fit == "agree, missing" else panel.votes
    try:
        fusion = estimator(fit, pseudo, prior).fit(votes, x)
    except FusionError:
        return {"fit": fit, "ok": False}
    result = fusion.result_
    if not result.converged:
        return {"fit": fit, "ok": False}
    posterior = fusion.predict_proba(votes, x)[voted]
    states = panel.states[voted]
    sure, right = posterior.max(axis=1), posterior.argmax(axis=1) == states
    bins = np.minimum((sure * 10).astype(int), 9)
    gaps = [abs(right[bins == i].mean() - sure[bins == i].mean()) * (bins == i).mean() for i in range(10)
            if (bins == i).any()]
    # The truth that an emission stands for is the one with the effect integrated out.
    true = panel.model.marginal_emissions(panel.parameters)
    prevalence = panel.model.prevalence(panel.parameters.gamma, panel.x).mean(axis=0)
    accuracy = [one for matrix in result.emission_estimates() for one in (matrix[k][k] for k in range(K))]
    wanted = np.diagonal(true, axis1=1, axis2=2).ravel()
    pairs = list(zip(accuracy, wanted, strict=True)) + list(zip(result.prevalence_estimates(), prevalence, strict=True))
    sigma, told = result.sigma, result.sigma_estimate()
    if told is not None and panel.parameters.sigma:
        pairs.append((told, panel.parameters.sigma))
    held = [one.low <= value <= one.high for one, value in pairs if one.low is not None]
    alpha = result.model.unpack(result.theta).alpha
    return {
        "fit": fit, "ok": True, "map": float(right.mean()), "calibration": float(sum(gaps)),
        "accuracy_error": [one.value - value for one, value in zip(accuracy, wanted, strict=True)],
        "prevalence_error": list(result.prevalence - prevalence), "held": held,
        "sigma_error": None if sigma is None else sigma - panel.parameters.sigma
        if panel.parameters.sigma else sigma,
        "sigma_at_bound": sigma is not None and bool(min(abs(np.log(sigma / end)) for end in SIGMA) < 1e-3),
        "edge": float((np.abs(alpha) > ALPHA - 1e-3).mean() / (1 - 1 / K)),
        "switched": bool((result.match != np.arange(K)).any()),
    }


def summarised(condition: Condition, rows: Sequence[dict[str, Any]], fit: str) -> dict[str, Any]:
    """The figures of one condition and fit over its replicates."""
    mine = [row for row in rows if row["fit"] == fit]
    good = [row for row in mine if row["ok"]]
    row: dict[str, Any] = {
        "coverage": condition.design.coverage, "sigma": condition.design.sigma, "truth": condition.design.truth,
        "pseudo": condition.pseudo, "missing": condition.design.missing, "covariates": condition.design.covariates,
        "fit": fit, "replicates": len(mine), "failed": len(mine) - len(good),
    }
    if not good:
        return row
    for name in ("accuracy", "prevalence"):
        errors = np.array([one[f"{name}_error"] for one in good])
        row[f"{name}_bias"] = float(errors.mean())
        row[f"{name}_worst_bias"] = float(np.abs(errors.mean(axis=0)).max())
        row[f"{name}_rmse"] = float(np.sqrt((errors ** 2).mean()))
    sigma = [one["sigma_error"] for one in good if one["sigma_error"] is not None]
    row["sigma_bias"] = float(np.mean(sigma)) if sigma else None
    row["sigma_rmse"] = float(np.sqrt(np.mean(np.square(sigma)))) if sigma else None
    held = [value for one in good for value in one["held"]]
    row["interval_coverage"] = float(np.mean(held)) if held else None
    for name in ("sigma_at_bound", "edge", "switched", "map", "oracle", "calibration", "covered", "plurality"):
        row[name] = float(np.mean([one[name] for one in good]))
    row["gap"] = row["oracle"] - row["map"]
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}


COLUMNS = (("coverage", "coverage"), ("sigma", "sigma"), ("truth", "truth"), ("pseudo", "pseudo"),
           ("missing", "missing"), ("covariates", "x"), ("fit", "fit"), ("map", "MAP"), ("gap", "oracle - MAP"),
           ("plurality", "plurality"), ("covered", "its coverage"), ("prevalence_rmse", "prevalence RMSE"),
           ("accuracy_bias", "accuracy bias"), ("accuracy_rmse", "RMSE"), ("sigma_bias", "sigma bias"),
           ("sigma_rmse", "RMSE "), ("interval_coverage", "95% hold"), ("sigma_at_bound", "sigma at bound"),
           ("edge", "alpha at bound"), ("switched", "switched"), ("calibration", "calibration error"),
           ("failed", "failed"))


def shown(value: Any) -> str:
    """A figure for the table."""
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def main() -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], metavar="NAME=VALUE",
                        help="only conditions with this value (missing=hard, sigma=1.0): the same panels as among all")
    parser.add_argument("--fit", action="append", choices=FITS, help="only this fit")
    parser.add_argument("--smoke", action="store_true", help="four conditions of 900 cells")
    parser.add_argument("-o", "--output", help="write the table as Markdown")
    arguments = parser.parse_args()
    chosen = [(c, one) for c, one in enumerate(conditions(arguments.smoke)) if one.is_one_of(arguments.only)]
    if not chosen:
        parser.error("--only: no condition has these values")
    found: list[dict[str, Any]] = []
    head = [title for _, title in COLUMNS]
    with ProcessPoolExecutor(arguments.workers) as pool:
        work = [[pool.submit(replicate, condition, (arguments.seed, c, r), arguments.fit)
                 for r in range(arguments.replicates)]
                for c, condition in chosen]
        for (_, condition), futures in zip(chosen, work, strict=True):
            rows = [row for future in futures for row in future.result()]
            found += [summarised(condition, rows, fit) for fit in condition.fits
                      if arguments.fit is None or fit in arguments.fit]
            body = [[shown(row.get(key)) for key, _ in COLUMNS] for row in found]
            if arguments.output:
                lines = ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *body)]
                Path(arguments.output).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(table(head, body))
    finish({"rows": found, "replicates": arguments.replicates, "seed": arguments.seed, "nominal": list(NOMINAL)})
    return 0


if __name__ == "__main__":
    run(main)
