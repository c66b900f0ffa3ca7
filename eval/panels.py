"""Simulated panels for the programs that measure fusion: who votes where, how raters err, what a cell does to them.

The cells are those of the paper's pool (2,168 English of E-DAIC, 576 Chinese of PDCH); everything else is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from evidial_rules.contract import DIMENSION_GROUPS
from evidial_rules.fusion.latent import AGREE, LEAN, LatentClass, Parameters
from evidial_rules.fusion.patterns import DECLINED, K
from evidial_rules.fusion.simulate import draw, simulate

ENGLISH, CHINESE = 2168, 576
PAPER = ((2167 / 2168, 572 / 576), (1666 / 2168, 0.0), (568 / 2168, 267 / 576))
"""Shares of the English and the Chinese cells with a valid vote: Qwen, Gemini, Claude (paper, section 3.3, table 2)."""
COVERAGE: dict[str, tuple[tuple[float, float], ...]] = {
    "paper": PAPER, "3 complete": ((1.0, 1.0),) * 3, "paper + rule judge": (*PAPER, (1.0, 1.0)),
    "5 complete": ((1.0, 1.0),) * 5,
}
PREVALENCE = np.array([0.42, 0.38, 0.04, 0.13, 0.03])
ACCURACY = (0.70, 0.80)
WORSE = (0.45, 0.60)
"""The accuracy in the rare states where it differs."""
EASY = 0.7
"""Share of easy cells in the finite mixture."""


@dataclass(frozen=True)
class Design:
    """A panel to draw. coverage: of `COVERAGE`. truth: agree, lean, mixture, or rare worse (agree, and raters
    that are worse in the two rare states). missing: random, or hard (the harder the
    cell, the fewer votes). covariates: none, crossed (source and group move the prevalence independently), confounded
    (the dimension groups that a source has differ, as in the paper's failing case)."""

    coverage: str = "3 complete"
    sigma: float = 1.0
    truth: str = "agree"
    missing: str = "random"
    covariates: str = "none"
    n: tuple[int, int] = (ENGLISH, CHINESE)


@dataclass(frozen=True)
class Panel:
    """What was drawn: votes (n, J), states (n,), covariates (n, P), the truth behind them, and which votes were asked
    for in vain, (n, J): all that a rater lacks in a language where it votes at all."""

    votes: npt.NDArray[np.int8]
    states: npt.NDArray[np.int64]
    x: npt.NDArray[np.float64]
    model: LatentClass
    parameters: Parameters
    effects: npt.NDArray[np.float64] = field(repr=False)
    declined: npt.NDArray[np.bool_] = field(repr=False)

    @property
    def with_declined(self) -> npt.NDArray[np.int8]:
        """The votes with the code `DECLINED` where they were asked for in vain."""
        return np.where(self.declined, np.int8(DECLINED), self.votes)

    def oracle(self) -> npt.NDArray[np.int64]:
        """The most probable states under the true parameters. Of a finite mixture, under the normal effect that has its
        variance: nobody knows which cells are easy."""
        prior = self.model.prevalence(self.parameters.gamma, self.x)
        model = self.model if self.parameters.sigma else LatentClass(
            self.model.raters, self.model.covariates, effect=False)
        return model.posterior(model.pack(self.parameters), self.votes, prior).argmax(axis=1)


def emissions(raters: int, rng: np.random.Generator, rare: tuple[float, float] = ACCURACY) -> npt.NDArray[np.float64]:
    """Confusion matrices (J, 5, 5) at b = 0: each state is met with a probability in `ACCURACY`, or `rare`."""
    e = np.empty((raters, K, K))
    for j in range(raters):
        for k in range(K):
            right = rng.uniform(*(rare if PREVALENCE[k] < 0.1 else ACCURACY))
            e[j, k] = np.insert((1 - right) * rng.dirichlet(np.full(K - 1, 2.0)), k, right)
    return e


def draw_panel(design: Design, rng: np.random.Generator) -> Panel:
    """Draws parameters, states and votes."""
    cover = COVERAGE[design.coverage]
    J, (english, chinese) = len(cover), design.n
    n = english + chinese
    chinese_cell = np.arange(n) >= english
    e = emissions(J, rng, WORSE if design.truth == "rare worse" else ACCURACY)
    alpha = np.log(e / np.diagonal(e, axis1=1, axis2=2)[:, :, None])
    gamma = np.log(PREVALENCE / PREVALENCE[0])[None]
    x = np.ones((n, 1))
    if design.covariates != "none":
        groups = list(dict.fromkeys(DIMENSION_GROUPS.values()))
        share = np.array([list(DIMENSION_GROUPS.values()).count(group) for group in groups]) / len(DIMENSION_GROUPS)
        tilted = share[::-1] if design.covariates == "confounded" else share
        group = draw(np.where(chinese_cell[:, None], tilted, share), rng)
        source = chinese_cell if design.covariates == "confounded" else rng.random(n) < chinese / n
        x = np.column_stack([x, source, group == 1, group == 2]).astype(float)
        gamma = np.concatenate([gamma, [[0, 0, 0.3, 2.0, 0.5]], [[0, -0.4, 0.2, 0.5, 0.2]], [[0, 0.3, 0, -0.3, 0.4]]])
    design_matrix = LEAN if design.truth == "lean" else AGREE
    model = LatentClass(J, x.shape[1], effect=design.sigma > 0, design=design_matrix)
    parameters = Parameters(alpha, gamma, design.sigma or None)
    if design.truth == "mixture":
        easy = rng.random(n) < EASY
        effects = design.sigma * np.where(easy, np.sqrt((1 - EASY) / EASY), -np.sqrt(EASY / (1 - EASY)))
    else:
        effects = rng.normal(0, design.sigma, n) if design.sigma else np.zeros(n)
    chance = np.stack([np.where(chinese_cell, zh, en) for en, zh in cover], axis=1)
    if design.missing == "hard":
        inner = np.clip(chance, 1e-6, 1 - 1e-6)
        chance = np.where((chance > 0) & (chance < 1), expit(logit(inner) + 1.5 * effects[:, None]), chance)
    observed = rng.random((n, J)) < chance
    states, votes = simulate(model, parameters, x, observed, rng, effects)
    return Panel(votes, states, x, model, parameters, effects, (chance > 0) & ~observed)
