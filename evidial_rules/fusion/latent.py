"""The latent class likelihood with a random effect on the cell: RE-LCA, and Dawid-Skene as its case without the effect.

Five states k, raters j, a cell effect b ~ N(0, sigma^2) on the grid b_g = -6 + .15 g, g = 0..80, whose weights sum to
one (paper, appendix F; Qu, Tan & Kutner 1996; Albert & Dodd 2004):

    eta_jky(b) = alpha_jky + lambda_j b d_ky        e_j(y | k, b) = softmax_y eta
    pi_k(x) = softmax_k(x' gamma_k)
    log L = sum_u log sum_k pi_k(x_u) sum_g w_g prod_{j in O_u} e_j(y_uj | k, b_g) + sum_jky m_jky log e_j(y | k)

with alpha_jkk = 0, gamma_ABSENT = 0, and the m_jky pseudo-counts on the emission that the effect is integrated out of.

Where raters that were asked gave no usable vote on some cells, whether they gave one can be an outcome too, with state
and cell effect shared by votes and missing votes (a shared-parameter model: Follmann & Wu 1995; Holman & Glas 2005):

    q_j(k, b, x) = expit(x' beta_j + kappa_k + delta b)

multiplies the emission of a vote, and 1 - q_j stands for one that was declined; a rater that was not asked contributes
nothing. kappa_ABSENT = 0. With kappa = 0 and delta = 0 the factors are the same for all k and b, and votes are missing
at random. Without kappa, votes that are missing by state would be read as an effect of the cell and pull the classes
away from the states.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

from ..corpora import MISSING
from .patterns import DECLINED, Codes, Floats, K, Patterns, collapse

GRID: Floats = -6 + 0.15 * np.arange(81)
"""The paper's grid of cell effects."""
STEP = 0.15
SIGMA = (0.08, 2.0)
"""Where the grid represents N(0, sigma^2) truly enough: below, one point holds all; above, its ends are cut."""
ALPHA = 12.0
"""Bound on |alpha|: an emission below e^-12 is none, and an estimate there sits on the simplex's edge."""
VOTING_SD = (10.0, 2.5)
"""Standard deviations of the weak normal prior on beta's intercept, and on its other coefficients and delta: logits of
5 are hardly met in practice (Gelman, Jakulin, Pittau & Su 2008). It keeps a rater that never declines in one source
off infinity."""
MANY = 20
"""With more raters than this, products of emissions are formed as sums of logarithms."""

AGREE: Floats = np.eye(K) - 1 / K
"""d of the design "agree": the effect is how easy the cell is, for every rater."""
LEAN: Floats = np.tile(np.array([-1.0, 0.0, 0.0, 1.0, -1.0]) + 0.2, (K, 1))
"""d of the design "lean": the effect is shared over-crediting (b > 0) or under-crediting of the symptom."""

_LEAST = np.finfo(float).tiny
_OFF = ~np.eye(K, dtype=bool)


def grid_weights(sigma: float, grid: Floats = GRID, *, normalised: bool = True) -> Floats:
    """Weights of N(0, sigma^2) on a grid, summing to one; the bare density if not `normalised`, whose sum lacks the
    grid's width as the paper's stored likelihoods do.

    >>> round(float(grid_weights(1.0, normalised=False).sum() * STEP), 6)
    1.0
    """
    density = np.exp(-0.5 * (grid / sigma) ** 2)
    return density / (density.sum() if normalised else sigma * np.sqrt(2 * np.pi))


def softmax(eta: Floats) -> Floats:
    """exp(eta) by its sum over the last axis. scipy's spends longer on arrays as small as these than they take."""
    e = np.exp(eta - eta.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def joint_posterior(log_joint: Floats) -> Floats:
    """Posterior of the states (n, k) out of log p(votes, k, b_g), an array (n, k, g).

    One maximum a cell over states and grid points, never one a state: rescaling each state by its own maximum, as the
    paper's legacy code did, forgets how likely the states are beside each other.
    """
    top = log_joint.max(axis=(1, 2), keepdims=True)
    mass = np.exp(log_joint - top).sum(axis=2)
    return mass / mass.sum(axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class Parameters:
    """alpha: (J, 5, 5), zero where y = k. gamma: (P, 5), zero for ABSENT. sigma: the effect's standard deviation, None
    in a model without one. beta: (J, P), logits of giving a usable vote at b = 0, kappa: (5,), what is added to them in
    each state, zero for ABSENT, and delta: their slope on b; None, None and 0 in a model that takes missing votes as
    they come."""

    alpha: Floats
    gamma: Floats
    sigma: float | None
    beta: Floats | None = None
    kappa: Floats | None = None
    delta: float = 0.0


@dataclass(frozen=True, eq=False)
class LatentClass:
    """The likelihood of J raters and P covariates; parameters travel as one vector theta.

    theta: the J * 20 free alphas (rater by rater, state by state, y != k in the order of the states), the P * 4 gammas
    (covariate by covariate), if there is `voting` the betas that it frees (rater by rater), the 4 kappas and delta, and
    log sigma if `effect`. design: d, (5, 5), rows sum to zero. loadings: lambda, (J,). pseudo: m, (J, 5, 5) or None.
    voting: (J, P), which beta_jp is free; a rater without any has its declined votes ignored. None: nobody's are
    modelled. voting_prior: whether the weak prior on beta, kappa and delta counts.
    """

    raters: int
    covariates: int = 1
    effect: bool = True
    design: Floats = field(default_factory=lambda: AGREE)
    loadings: Floats | None = None
    pseudo: Floats | None = None
    grid: Floats = field(default_factory=lambda: GRID)
    voting: npt.NDArray[np.bool_] | None = None
    voting_prior: bool = False

    @property
    def _betas(self) -> int:
        """The number of free betas."""
        return 0 if self.voting is None else int(self.voting.sum())

    @property
    def voting_at(self) -> slice:
        """Where theta holds the free betas, the kappas and, last of them, delta."""
        first = self.raters * K * (K - 1) + self.covariates * (K - 1)
        return slice(first, first + (0 if self.voting is None else self._betas + K))

    @property
    def size(self) -> int:
        """The number of parameters.

        >>> LatentClass(3).size, LatentClass(2).size
        (65, 45)
        """
        return self.voting_at.stop + self.effect

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """The box of theta."""
        sigma = [(float(np.log(SIGMA[0])), float(np.log(SIGMA[1])))] if self.effect else []
        return [(-ALPHA, ALPHA)] * (self.size - self.effect) + sigma

    def pack(self, parameters: Parameters) -> Floats:
        """The vector of parameters, cut to the bounds."""
        sigma = [np.log(parameters.sigma)] if self.effect else []
        voting = []
        if self.voting is not None and parameters.beta is not None:
            kappa = np.zeros(K) if parameters.kappa is None else parameters.kappa
            voting = [*parameters.beta[self.voting], *kappa[1:], parameters.delta]
        theta = np.concatenate([parameters.alpha[:, _OFF].ravel(), parameters.gamma[:, 1:].ravel(), voting, sigma])
        low, high = np.array(self.bounds).T
        return np.clip(theta, low, high)

    def unpack(self, theta: Floats) -> Parameters:
        """The parameters of a vector."""
        alpha = np.zeros((self.raters, K, K))
        cut = self.raters * K * (K - 1)
        alpha[:, _OFF] = theta[:cut].reshape(self.raters, -1)
        gamma = np.zeros((self.covariates, K))
        gamma[:, 1:] = theta[cut:cut + self.covariates * (K - 1)].reshape(self.covariates, K - 1)
        sigma = float(np.exp(theta[-1])) if self.effect else None
        if self.voting is None:
            return Parameters(alpha, gamma, sigma)
        beta, own = np.zeros((self.raters, self.covariates)), theta[self.voting_at]
        beta[self.voting] = own[:-K]
        return Parameters(alpha, gamma, sigma, beta, np.append(0.0, own[-K:-1]), float(own[-1]))

    def _points(self, sigma: float | None) -> tuple[Floats, Floats]:
        """Grid points and their weights."""
        if sigma is None:
            return np.zeros(1), np.ones(1)
        return self.grid, grid_weights(sigma, self.grid)

    def emissions(self, alpha: Floats, points: Floats) -> Floats:
        """e_j(y | k, b), an array (J, k, g, y)."""
        loadings = np.ones(self.raters) if self.loadings is None else self.loadings
        lean = loadings[:, None, None, None] * points[None, None, :, None] * self.design[None, :, None, :]
        return softmax(alpha[:, :, None, :] + lean)

    def marginal_emissions(self, parameters: Parameters) -> Floats:
        """e_j(y | k) with the effect integrated out, (J, k, y): the confusion matrix of each rater."""
        points, weights = self._points(parameters.sigma)
        return np.einsum("jkgy,g->jky", self.emissions(parameters.alpha, points), weights)

    def prevalence(self, gamma: Floats, x: Floats) -> Floats:
        """pi_k(x) for each row of x, (n, 5)."""
        return softmax(x @ gamma)

    def _by_state(self, emissions: Floats, votes: Codes) -> Floats:
        """prod_j e_j(y_j | k, b_g) of vote rows, (V, k * g)."""
        J, _, points, _ = emissions.shape
        # The last two rows stand for "no vote", which MISSING, -1, and DECLINED, -2, index.
        table = np.ones((J, K + 2, K * points))
        table[:, :K] = emissions.transpose(0, 3, 1, 2).reshape(J, K, -1)
        if J > MANY:
            log = sum(np.log(table[j])[votes[:, j]] for j in range(J))
            return np.exp(log)
        mass = table[0][votes[:, 0]]
        for j in range(1, J):
            mass = mass * table[j][votes[:, j]]
        return mass

    def log_likelihood(self, theta: Floats, patterns: Patterns) -> float:
        """log L with the pseudo-counts' share. Weights of the grid sum to one."""
        probability, _, _ = self.scores(theta, patterns)
        value = float(patterns.counts @ np.log(probability)) + self._voting_penalty(theta)[0]
        if self.pseudo is not None:
            value += float((self.pseudo * np.log(self.marginal_emissions(self.unpack(theta)))).sum())
        return value

    def value_and_gradient(self, theta: Floats, patterns: Patterns) -> tuple[float, Floats]:
        """log L and its gradient, (size,)."""
        probability, scores, _ = self.scores(theta, patterns)
        penalty, slope, _ = self._voting_penalty(theta)
        value, gradient = float(patterns.counts @ np.log(probability)) + penalty, patterns.counts @ scores + slope
        if self.pseudo is not None:
            mean, rows = self._pseudo_scores(theta)
            value += float((self.pseudo * np.log(mean)).sum())
            gradient = gradient + self.pseudo.ravel() @ rows
        return value, gradient

    def evaluate(self, theta: Floats, patterns: Patterns) -> tuple[float, Floats, Floats, Floats]:
        """log L, its gradient (size,), and two measures of the curvature: the information as the scores' outer products
        (size, size), which are minus the Hessian but for noise where the model fits (Berndt, Hall, Hall & Hausman
        1974), and the diagonal of the information that the votes would have if the states were known (size,), which
        bounds it from above and does not vanish where a score does."""
        probability, scores, posterior = self.scores(theta, patterns)
        penalty, slope, precision = self._voting_penalty(theta)
        value = float(patterns.counts @ np.log(probability)) + penalty
        weighed = scores * patterns.counts[:, None]
        gradient = weighed.sum(axis=0) + slope
        information = weighed.T @ scores + np.diag(precision)
        if self.pseudo is not None:
            mean, rows = self._pseudo_scores(theta)
            flat = self.pseudo.reshape(-1, 1)
            value += float((self.pseudo * np.log(mean)).sum())
            gradient = gradient + (flat * rows).sum(axis=0)
            information = information + (flat * rows).T @ rows
        return value, gradient, information, self._complete(theta, patterns, posterior)

    def votes_by_state(self, theta: Floats, patterns: Patterns) -> Floats:
        """How many votes each rater is expected to have on cells of each state, (J, 5)."""
        return _votes_by_state(patterns, self.scores(theta, patterns)[2])

    def _complete(self, theta: Floats, patterns: Patterns, posterior: Floats) -> Floats:
        """Diagonal of the complete-data information, (size,)."""
        parameters = self.unpack(theta)
        e, pi = self.marginal_emissions(parameters), self.prevalence(parameters.gamma, patterns.x)[patterns.level]
        seen = _votes_by_state(patterns, posterior)
        if self.pseudo is not None:
            seen = seen + self.pseudo.sum(axis=2)
        alpha = seen[:, :, None] * e * (1 - e)
        gamma = (patterns.x[patterns.level] ** 2).T @ (patterns.counts[:, None] * pi * (1 - pi))
        ends = [np.array([2 * patterns.n])] if self.effect else []
        if self.voting is not None and parameters.beta is not None:
            # At ABSENT and b = 0, and delta as if every effect were one sigma off.
            q = expit(patterns.x @ parameters.beta.T)[patterns.level]
            asked = (patterns.votes != MISSING)[patterns.vote] * self.voting.any(axis=1)
            spread = patterns.counts[:, None] * asked * q * (1 - q)
            beta = np.einsum("tj,tp->jp", spread, patterns.x[patterns.level] ** 2)
            sigma = parameters.sigma or 1.0
            ends = [beta[self.voting], spread.sum(axis=1) @ posterior[:, 1:], [spread.sum() * sigma ** 2]]
            if self.effect:
                # What the votes tell of log sigma falls with its fourth power; damped as if it did not, the climb
                # crawls along the ridge where a small sigma goes with any delta.
                ends.append(np.array([2 * patterns.n * min(sigma, 1.0) ** 4]))
        return np.concatenate([alpha[:, _OFF].ravel(), gamma[:, 1:].ravel(), *ends])

    def _voting_penalty(self, theta: Floats) -> tuple[float, Floats, Floats]:
        """Log density of the weak prior on beta, kappa and delta but for a constant, its gradient (size,) and precision
        (size,)."""
        precision = np.zeros(self.size)
        if self.voting is not None and self.voting_prior:
            sd = np.full(self.voting.shape, VOTING_SD[1])
            sd[:, 0] = VOTING_SD[0]
            precision[self.voting_at] = 1 / np.append(sd[self.voting], [VOTING_SD[1]] * K) ** 2
        return float(-precision @ theta ** 2 / 2), -precision * theta, precision

    def _logits(self, parameters: Parameters, points: Floats, x: Floats) -> dict[int, Floats]:
        """Of each rater whose voting is modelled: logits of a usable vote by covariate row, state and grid point,
        (X, k, g)."""
        if self.voting is None or parameters.beta is None or parameters.kappa is None:
            return {}
        by_state = parameters.kappa[:, None] + parameters.delta * points
        return {int(j): (x @ parameters.beta[j])[:, None, None] + by_state
                for j in np.flatnonzero(self.voting.any(axis=1))}

    def _log_voting(self, logits: dict[int, Floats], votes: Codes, level: npt.NDArray[np.intp]) -> Floats | float:
        """Log probability of who gave a usable vote and who declined, of vote rows (n, J) with these covariate rows, at
        each state and grid point, (n, k, g)."""
        total: Floats | float = 0.0
        for j, eta in logits.items():
            of_code = np.stack([log_expit(eta), log_expit(-eta), np.zeros_like(eta)])
            code = np.where(votes[:, j] >= 0, 0, np.where(votes[:, j] == DECLINED, 1, 2))
            total = total + of_code[code, level]
        return total

    def scores(self, theta: Floats, patterns: Patterns) -> tuple[Floats, Floats, Floats]:
        """Probability of each pattern (T,), the gradient of its logarithm (T, size), given which raters voted, and the
        states' posterior (T, 5).

        A free alpha of class k moves a pattern only through class k, so what is expensive, the mean over the grid, is
        taken once a row of votes and class, and the covariates come in with the posterior.
        """
        parameters = self.unpack(theta)
        points, weights = self._points(parameters.sigma)
        G = len(points)
        e = self.emissions(parameters.alpha, points)
        votes, vote = patterns.votes, patterns.vote
        mass = self._by_state(e, votes).reshape(-1, K, G) * weights
        if self.voting is not None:
            # Who votes depends on covariates and effect: each pair of votes and covariates has a mass of its own.
            votes, logits = votes[vote], self._logits(parameters, points, patterns.x)
            mass = mass[vote] * np.exp(self._log_voting(logits, votes, patterns.level))
            vote = np.arange(len(vote))
        by_state = mass.sum(axis=2)
        within = (mass / by_state[:, :, None]).transpose(1, 0, 2)  # k, V, g: of each class, where on the grid
        pi = self.prevalence(parameters.gamma, patterns.x)[patterns.level]
        joint = pi * by_state[vote]
        probability = joint.sum(axis=1)
        posterior = joint / probability[:, None]
        parts = []
        for j in range(self.raters):
            codes = votes[:, j]
            wanted = (within @ e[j]).transpose(1, 0, 2)  # V, k, y
            moved = (codes[:, None] == np.arange(K))[:, None, :] - wanted * (codes >= 0)[:, None, None]
            parts.append(moved[:, _OFF][vote] * np.repeat(posterior, K - 1, axis=1))
        parts.append((patterns.x[patterns.level][:, :, None] * (posterior - pi)[:, None, 1:]).reshape(len(pi), -1))
        if self.voting is not None:
            beta, rest = np.zeros((len(vote), self.raters, self.covariates)), np.zeros((len(vote), K))
            middle, expected = (within @ points).T, _expected_voting(logits, within, points, patterns.level)
            for i, j in enumerate(logits):
                # What was given, 1 or 0, less what was expected, alone and times b.
                weight = posterior * (votes[:, j] != MISSING)[:, None]
                given = (votes[:, j] >= 0)[:, None]
                by_state = weight * (given - expected[:, :, i, 0])
                beta[:, j] = by_state.sum(axis=1, keepdims=True) * patterns.x[patterns.level]
                rest[:, :-1] += by_state[:, 1:]
                rest[:, -1] += (weight * (given * middle - expected[:, :, i, 1])).sum(axis=1)
            parts += [beta[:, self.voting], rest]
        if parameters.sigma is not None:
            slope = (within @ _slope(points, weights, parameters.sigma)).T  # V, k
            parts.append((posterior * slope[vote]).sum(axis=1, keepdims=True))
        return probability, np.concatenate(parts, axis=1), posterior

    def _pseudo_scores(self, theta: Floats) -> tuple[Floats, Floats]:
        """e_j(y | k) with the effect integrated out (J, k, y), and the gradient of its logarithm (J * k * y, size)."""
        parameters = self.unpack(theta)
        points, weights = self._points(parameters.sigma)
        e = self.emissions(parameters.alpha, points)
        mean = np.einsum("jkgy,g->jky", e, weights)
        share = e * weights[None, None, :, None] / mean[:, :, None, :]
        moved = np.eye(K)[None, None] - np.einsum("jkgy,jkgz->jkyz", share, e)  # j, k, y, and z of the alpha
        alpha = np.zeros((self.raters, K, K, self.raters, K, K))
        for j in range(self.raters):
            for k in range(K):
                alpha[j, k, :, j, k] = moved[j, k]
        parts = [alpha.reshape(self.raters * K * K, self.raters, K, K)[:, :, _OFF].reshape(self.raters * K * K, -1),
                 np.zeros((self.raters * K * K, self.covariates * (K - 1) + len(theta[self.voting_at])))]
        if parameters.sigma is not None:
            parts.append(np.einsum("jkgy,g->jky", share, _slope(points, weights, parameters.sigma)).reshape(-1, 1))
        return mean, np.concatenate(parts, axis=1)

    def posterior(self, theta: Floats, votes: Codes, prior: Floats, x: Floats | None = None) -> Floats:
        """P(state | votes), (n, 5), for vote rows (n, J), from the states' prior probabilities, (n, 5) or (5,).

        With covariates x (n, P) it is conditional on who voted and who declined, too, if the model has a word on that.
        """
        parameters = self.unpack(theta)
        points, weights = self._points(parameters.sigma)
        log_e = np.zeros((self.raters, K + 2, K, len(points)))
        log_e[:, :K] = np.log(self.emissions(parameters.alpha, points)).transpose(0, 3, 1, 2)
        log_joint = np.log(np.broadcast_to(prior, (len(votes), K)))[:, :, None] + np.log(np.maximum(weights, _LEAST))
        for j in range(self.raters):
            log_joint = log_joint + log_e[j][votes[:, j]]
        if x is not None and self.voting is not None:
            log_joint = log_joint + self._log_voting(self._logits(parameters, points, x), votes, np.arange(len(votes)))
        return joint_posterior(log_joint)

    def information(self, theta: Floats, patterns: Patterns) -> Floats:
        """Observed information, (size, size): minus the Hessian by differences of the gradient, symmetrised."""
        step = 1e-5
        here = self.value_and_gradient(theta, patterns)[1]
        rows = []
        for i in range(self.size):
            shift = np.zeros(self.size)
            shift[i] = step
            rows.append((here - self.value_and_gradient(theta + shift, patterns)[1]) / step)
        found = np.array(rows)
        return (found + found.T) / 2

    def rank(self, patterns: Patterns, seed: int = 0) -> int:
        """How many parameters the design can tell: the rank of the derivative of the pattern probabilities.

        It is taken over the sets of raters and the covariates that the data have (pseudo-counts count as data), at a
        generic point inside the box, so that an estimate on an edge does not hide what the design could tell.
        """
        theta = self.pack(self.start(0.7, 0.7))
        theta = theta + np.random.default_rng(seed).normal(0, 0.3, self.size)
        rows = []
        if self.pseudo is not None:
            rows.append(np.sqrt(self.pseudo).reshape(-1, 1) * self._pseudo_scores(theta)[1])
        for votes, x in _possible(patterns, np.zeros(self.raters, bool) if self.voting is None
                                  else self.voting.any(axis=1)):
            probability, gradient, _ = self.scores(theta, collapse(votes, x))
            rows.append(np.sqrt(probability)[:, None] * gradient)
        jacobian = np.concatenate(rows)
        values = np.linalg.svd(jacobian / np.maximum(np.linalg.norm(jacobian, axis=0), 1e-12), compute_uv=False)
        return int((values > 1e-7 * values[0]).sum())

    def start(self, accuracy: float, sigma: float, gamma: Floats | None = None) -> Parameters:
        """A starting point with diagonal-dominant emissions: every rater right with this probability at b = 0."""
        alpha = np.full((self.raters, K, K), np.log((1 - accuracy) / (K - 1) / accuracy))
        alpha[:, ~_OFF] = 0
        return Parameters(alpha, np.zeros((self.covariates, K)) if gamma is None else gamma,
                          sigma if self.effect else None, np.zeros((self.raters, self.covariates)))

    def start_from(self, emissions: Floats, sigma: float, gamma: Floats) -> Parameters:
        """A starting point out of confusion matrices (J, k, y)."""
        log = np.log(np.maximum(emissions, 1e-4))
        return Parameters(log - np.diagonal(log, axis1=1, axis2=2)[:, :, None], gamma, sigma if self.effect else None,
                          np.zeros((self.raters, self.covariates)))


def _votes_by_state(patterns: Patterns, posterior: Floats) -> Floats:
    cells = patterns.counts[:, None] * posterior
    return np.einsum("tj,tk->jk", (patterns.votes >= 0)[patterns.vote].astype(float), cells)


def _expected_voting(
    logits: dict[int, Floats], within: Floats, points: Floats, level: npt.NDArray[np.intp],
) -> Floats:
    """Means over the grid of each rater's probability of a usable vote, and of it times b: (n, k, raters, 2)."""
    q = np.stack([expit(eta) for eta in logits.values()], axis=-1)  # X, k, g, raters
    both = np.stack([q, q * points[:, None]], axis=-1).reshape(*q.shape[:3], -1)
    found = np.empty((within.shape[1], K, both.shape[-1]))
    for number, of_level in enumerate(both):
        rows = level == number
        found[rows] = (within[:, rows] @ of_level).transpose(1, 0, 2)
    return found.reshape(*found.shape[:2], -1, 2)


def _slope(points: Floats, weights: Floats, sigma: float) -> Floats:
    """d log w_g / d log sigma."""
    square = (points / sigma) ** 2
    return square - weights @ square


def _possible(patterns: Patterns, may_decline: npt.NDArray[np.bool_]) -> Iterator[tuple[Codes, Floats]]:
    """For each set of raters and covariate row that occur together: every row of votes that could have been given. Of
    sets above five raters those that were given, which are then enough of them. The raters of `may_decline` (J,) could
    have declined as well; of the others a declined vote is none."""
    given = (patterns.votes >= 0) | ((patterns.votes == DECLINED) & may_decline)
    for level in range(len(patterns.x)):
        here = patterns.vote[(patterns.level == level) & (patterns.counts > 0)]
        for chosen in np.unique(given[here], axis=0):
            raters = np.flatnonzero(chosen)
            if not len(raters):
                continue
            if len(raters) > 5:
                votes = patterns.votes[here[(given[here] == chosen).all(axis=1)]]
            else:
                codes = [[*range(K), DECLINED] if may_decline[j] else range(K) for j in raters]
                rows = np.array(list(product(*codes)), dtype=np.int8)
                votes = np.full((len(rows), given.shape[1]), MISSING, dtype=np.int8)
                votes[:, raters] = rows
            yield votes, np.repeat(patterns.x[level:level + 1], len(votes), axis=0)
