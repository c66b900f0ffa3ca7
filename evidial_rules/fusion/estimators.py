"""The four fusions as estimators: `fit(votes)` returns self, fitted attributes end in `_`, and `predict_proba` gives
(n, 5).

All take votes as a :class:`~evidial_rules.corpora.VoteTable` or as an array (n, J) of codes (an index into `STATES`, -1
for no vote), and weigh a rater by its votes alone, whatever it is. RE-LCA can also ask why votes are missing.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Literal, Protocol, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from threadpoolctl import threadpool_limits

from ..corpora import MISSING, VoteTable
from .latent import AGREE, LEAN, SIGMA, LatentClass, Parameters
from .patterns import DECLINED, Codes, Floats, FusionError, K, Patterns, collapse, design_matrix, vote_codes
from .result import LatentResult, Optimum

UNRESOLVED_CODE = -1
"""What `predict` gives for a cell that it does not resolve."""
TIE = 1e-9
"""Posterior probabilities closer than this are equal: they differ by rounding."""
PRIOR = 3.0
"""Weight of the prior, in votes a rater and state."""
BETTER_THAN_CHANCE: Floats = np.full((K, K), 0.1) + 0.5 * np.eye(K)
"""The prior's confusion matrix: a state is met six times out of ten."""
POOLED_ROUNDS, POOLED_SETTLED = 30, 1e-4
"""How often the centre of a pooled prior is estimated at most, and the change of an accuracy that ends it."""
TOLERANCE = 1e-6
"""A climb has converged where the next step promises less log L than this."""
LEAST_DAMPING = 1e-4
"""The least weight of the complete-data information in a step."""
REACH = 0.5
"""The longest step in any parameter: a longer one can leave the basin where classes and states have the same names."""
Votes = VoteTable | npt.ArrayLike


class Fusion(Protocol):
    """Votes in, a distribution over the five states out."""

    @property
    def method(self) -> str:
        """The name that its reference lines carry."""
        ...

    def fit(self, votes: Votes, x: npt.ArrayLike | None = None) -> Self:
        """Fits to votes (n, J) with covariates (n, P)."""
        ...

    def predict_proba(self, votes: Votes, x: npt.ArrayLike | None = None) -> Floats:
        """Probabilities of the states, (n, 5); rows sum to one."""
        ...


def decide(probabilities: Floats, votes: Votes) -> npt.NDArray[np.int64]:
    """The state of each cell, (n,): the most probable one, or `UNRESOLVED_CODE` without votes or on a tie.

    >>> decide(np.array([[.6, .4, 0, 0, 0], [.5, .5, 0, 0, 0]]), [[0], [0]]).tolist()
    [0, -1]
    """
    top = probabilities.max(axis=1, keepdims=True)
    tied = (probabilities > top - TIE).sum(axis=1) > 1
    empty = (vote_codes(votes, declined=True) < 0).all(axis=1)
    return np.where(tied | empty, UNRESOLVED_CODE, probabilities.argmax(axis=1))


class Plurality:
    """Strict plurality: the state with the most votes; on a tie the cell is unresolved and its probability is shared by
    the tied states (paper, section 3.3)."""

    method = "plurality"

    def fit(self, votes: Votes, x: npt.ArrayLike | None = None) -> Self:
        """Nothing is estimated; the votes are checked, and covariates are not used."""
        vote_codes(votes)
        return self

    def predict_proba(self, votes: Votes, x: npt.ArrayLike | None = None) -> Floats:
        """One for the winner, (n, 5); uniform for a cell without votes.

        >>> Plurality().fit([[0, 0, 1]]).predict_proba([[0, 0, 1], [0, 1, -1]]).tolist()
        [[1.0, 0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0, 0.0]]
        """
        counts = _counts(vote_codes(votes))
        best = (counts == counts.max(axis=1, keepdims=True)).astype(float)
        return best / best.sum(axis=1, keepdims=True)


class OneHotMean:
    """The mean of the votes as one-hot vectors. Its most probable state is plurality's, cell by cell and for any number
    of votes, because ties abstain; its probabilities are the shares of the votes."""

    method = "mean"

    def fit(self, votes: Votes, x: npt.ArrayLike | None = None) -> Self:
        """Nothing is estimated; the votes are checked, and covariates are not used."""
        vote_codes(votes)
        return self

    def predict_proba(self, votes: Votes, x: npt.ArrayLike | None = None) -> Floats:
        """Shares of the votes, (n, 5); uniform for a cell without votes.

        >>> OneHotMean().fit([[0, 0, 1]]).predict_proba([[0, 0, 1, 1]]).tolist()
        [[0.5, 0.5, 0.0, 0.0, 0.0]]
        """
        counts = _counts(vote_codes(votes)).astype(float)
        total = counts.sum(axis=1, keepdims=True)
        return np.divide(counts, total, out=np.full(counts.shape, 1 / K), where=total > 0)


def _counts(codes: Codes) -> npt.NDArray[np.int64]:
    return np.stack([(codes == code).sum(axis=1) for code in range(K)], axis=1)


class _Latent:
    """What Dawid-Skene and RE-LCA share: starts, the climb, and what is said of the optimum."""

    method: str
    effect: bool
    design: Floats = AGREE
    missing: Literal["random", "hard"] = "random"

    def __init__(
        self, pseudo_counts: npt.ArrayLike | None = None, *, prior: float = PRIOR, pooled: float = 0.0,
        n_starts: int = 4, max_iter: int = 500, seed: int = 0, unidentified: Literal["raise", "warn"] = "raise",
    ) -> None:
        for name, weight in (("prior", prior), ("pooled", pooled)):
            if not (np.isfinite(weight) and weight >= 0):
                raise FusionError(where=name, expected="a weight of 0 or more")
        self.pseudo_counts, self.prior, self.pooled = pseudo_counts, prior, pooled
        self.n_starts, self.max_iter, self.seed = n_starts, max_iter, seed
        self.unidentified = unidentified

    model_: LatentClass
    theta_: Floats
    result_: LatentResult

    def fit(self, votes: Votes, x: npt.ArrayLike | None = None, *, weights: npt.ArrayLike | None = None) -> Self:
        """The posterior's mode over the patterns of votes (n, J) and covariates (n, P; with a column of ones), with the
        pseudo-counts and the weak prior on the emissions; maximum likelihood if there are none and `prior` is 0.

        Raises :class:`FusionError` for votes that are none or for one state only, and where the parameters are not
        identified (by two raters without covariates or anchors, say) or more than the cells, unless `unidentified` is
        "warn".
        """
        codes = self.codes(votes)
        matrix = None if x is None else design_matrix(x, len(codes))
        return self.fit_patterns(collapse(codes, matrix, weights))

    def codes(self, votes: Votes) -> Codes:
        """The votes as this estimator reads them, (n, J): with `DECLINED` if it asks why votes are missing."""
        return vote_codes(votes, declined=self.missing == "hard")

    def fit_patterns(self, patterns: Patterns, start: Floats | None = None) -> Self:
        """Like `fit`, on votes that are collapsed; from a given theta (size,) alone if there is one."""
        # The matrices are small: more threads than one only wait for each other.
        with threadpool_limits(1, "blas"):
            return self._fit(patterns, start)

    def _fit(self, patterns: Patterns, start: Floats | None) -> Self:
        J, P = patterns.votes.shape[1], patterns.x.shape[1]
        if len(np.unique(patterns.votes[patterns.votes >= 0])) < 2:
            raise FusionError(where=self.method, expected="votes for two states or more (plurality needs no model)")
        pseudo = None if self.pseudo_counts is None else np.asarray(self.pseudo_counts, dtype=float)
        if pseudo is not None and (pseudo.shape != (J, K, K) or not np.isfinite(pseudo).all() or (pseudo < 0).any()):
            raise FusionError(where="pseudo-counts", expected=f"{J} x {K} x {K} numbers, none below 0")
        # The prior is no data: what the votes and anchors can tell is asked without it.
        warnings: list[str] = []
        voting = None
        if self.missing == "hard":
            voting = _voting_told(patterns)
            if not voting.any():
                voting = None
                warnings.append("no rater both voted and declined to: votes are taken as missing at random")
        told = LatentClass(J, P, self.effect, self.design, pseudo=pseudo, voting=voting)
        model = told
        if self.prior:
            weak = np.repeat(self.prior * BETTER_THAN_CHANCE[None], J, axis=0)
            model = replace(told, pseudo=weak if pseudo is None else weak + pseudo, voting_prior=True)
        rank = model.size
        if start is None:
            rank = told.rank(patterns)
            if rank < model.size:
                words = (f"the votes can tell {rank} of {model.size} parameters: the fit is one of many that are as "
                         "likely (more raters on the same cells, more cells, or anchors would tell more)")
                if self.unidentified == "raise":
                    raise FusionError(where=self.method, expected=f"an identified model; {words}")
                warnings.append(words)
            if patterns.voted < model.size and self.unidentified == "raise":
                raise FusionError(where=self.method, expected=f"more cells with votes than the model's {model.size} "
                                                              f"parameters, found {patterns.voted:g} (plurality needs "
                                                              "no model)")
            shares = _told(told, patterns)
            if shares < model.size:
                warnings.append(f"{shares + 1} different patterns for {model.size} parameters: the votes tell little "
                                "of the raters, and the reference leans on those that err alike (plurality needs no "
                                "model)")
        starts = [start] if start is not None else self._starts(model, patterns)
        climbs = [self._climb(model, patterns, one) for one in starts]
        if self.pooled:
            model = self._pool(model, patterns, max(climbs, key=lambda climb: climb.objective).theta, pseudo)
            climbs = [self._climb(model, patterns, climb.theta) for climb in climbs]
        best = self._best(model, patterns, climbs, warnings)
        self.model_, self.theta_ = model, best.theta
        if not best.converged:
            warnings.append(f"the optimiser stopped after {best.iterations} steps: {best.message}")
        self.result_ = self._result(patterns, climbs, best, rank, warnings)
        return self

    def predict_proba(
        self, votes: Votes, x: npt.ArrayLike | None = None, *, prior: npt.ArrayLike | None = None,
    ) -> Floats:
        """Posterior of the states, (n, 5); a cell without votes has the prevalence of its covariates.

        With `prior` (5,) that stands for the prevalence: for cells of another mixture, such as anchors. Who voted on
        them and who declined says nothing then.
        """
        codes = self.codes(votes)
        levels = None
        if prior is not None:
            patterns = collapse(codes)
            chances = np.asarray(prior, dtype=float).reshape(1, K)
        else:
            matrix = None if x is None else design_matrix(x, len(codes))
            patterns = collapse(codes, matrix)
            if patterns.x.shape[1] != self.model_.covariates:
                raise FusionError(where="covariates", expected=f"{self.model_.covariates} columns, as in the fit")
            chances = self.model_.prevalence(self.model_.unpack(self.theta_).gamma, patterns.x)[patterns.level]
            levels = patterns.x[patterns.level]
        return self.model_.posterior(self.theta_, patterns.votes[patterns.vote], chances, levels)[patterns.of_cell]

    def _pool(
        self, model: LatentClass, patterns: Patterns, theta: Floats, pseudo: Floats | None,
    ) -> LatentClass:
        """The model with the pooled prior. Its centre is a rater's accuracy over all states, as the fit with that
        centre has it: the two are found in turns."""
        old = np.zeros(model.raters)
        for _ in range(POOLED_ROUNDS):
            right = np.diagonal(model.marginal_emissions(model.unpack(theta)), axis1=1, axis2=2)
            votes = model.votes_by_state(theta, patterns)
            # One vote more, so that a rater without votes has a centre too.
            accuracy = ((right * votes).sum(axis=1) + right.mean()) / (votes.sum(axis=1) + 1)
            if np.abs(accuracy - old).max() < POOLED_SETTLED:
                break
            old, errors = accuracy, (1 - accuracy)[:, None, None] / (K - 1)
            centre = np.where(np.eye(K, dtype=bool), accuracy[:, None, None], errors)
            weak = self.pooled * centre
            model = replace(model, pseudo=weak if pseudo is None else weak + pseudo, voting_prior=True)
            theta = self._climb(model, patterns, theta).theta
        return model

    def _best(
        self, model: LatentClass, patterns: Patterns, climbs: list[Optimum], warnings: list[str],
    ) -> Optimum:
        """The highest of the optima whose classes bear the names of the states that they emit. Dawid-Skene's likelihood
        does not know the names at all, and RE-LCA's hardly: exchanging two classes gives an optimum as high."""
        highest = max(climbs, key=lambda climb: climb.objective)
        named = [climb for climb in climbs if (_match(model, patterns, climb.theta) == np.arange(K)).all()]
        if not named:
            return highest
        best = max(named, key=lambda climb: climb.objective)
        if highest.objective > best.objective + 0.01:
            more = highest.objective - best.objective
            warnings.append(f"log L is higher by {more:.2f} where classes and states do not match; the optimum where "
                            "they do is reported")
        return best

    def _starts(self, model: LatentClass, patterns: Patterns) -> list[Floats]:
        rng = np.random.default_rng(self.seed)
        gamma = np.zeros((model.covariates, K))
        beta = _rates(model, patterns)

        def packed(parameters: Parameters) -> Floats:
            return model.pack(replace(parameters, beta=beta))

        starts = []
        if self.n_starts > 1:
            # Confusion with plurality, softened: near the answer where raters are good.
            starts.append(packed(_from_plurality(model, patterns)))
        starts.append(packed(model.start(0.7, 0.7, gamma)))
        for _ in range(self.n_starts - len(starts)):
            theta = packed(model.start(rng.uniform(0.6, 0.9), float(rng.uniform(0.2, 1.5)), gamma))
            jitter = rng.normal(0, 0.3, model.size)
            starts.append(np.clip(theta + jitter, *np.array(model.bounds).T))
        return starts[:self.n_starts]

    def _climb(self, model: LatentClass, patterns: Patterns, theta: Floats) -> Optimum:
        """Scoring with the scores' outer products, damped (Levenberg-Marquardt) and inside the box.

        Tens of steps where L-BFGS takes hundreds: the confusion of rare states is hardly known, and the likelihood is
        as flat in those directions as it is steep in others.
        """
        low, high = np.array(model.bounds).T
        value, gradient, information, complete = model.evaluate(theta, patterns)
        damping = 0.1
        for step in range(self.max_iter):
            free = ~(((theta <= low) & (gradient < 0)) | ((theta >= high) & (gradient > 0)))
            inner, slope = information[np.ix_(free, free)], gradient[free]
            ridge = np.diag(complete[free] + 1e-6 * max(float(complete.max()), 1.0))
            if slope @ np.linalg.solve(inner + LEAST_DAMPING * ridge, slope) < TOLERANCE:
                return Optimum(theta, value, True, step, "converged")
            move = np.zeros(model.size)
            move[free] = np.clip(np.linalg.solve(inner + damping * ridge, slope), -REACH, REACH)
            tried = np.clip(theta + move, low, high)
            taken = tried - theta
            promised = float(gradient @ taken - taken @ information @ taken / 2)
            new = model.evaluate(tried, patterns)
            gained = new[0] - value
            uphill, after = float(gradient @ taken), float(new[1] @ taken)
            if after < -0.3 * uphill < 0:
                # Too far, the slope has turned: nearer the top is where a line between the two slopes is level.
                shorter = theta + uphill / (uphill - after) * taken
                better = model.evaluate(shorter, patterns)
                if better[0] > new[0]:
                    tried, new = shorter, better
            if new[0] > value:
                theta, (value, gradient, information, complete) = tried, new
                if gained > 0.75 * promised:
                    damping = max(damping / 5, LEAST_DAMPING)
                elif gained < 0.25 * promised:
                    damping *= 4
            elif damping > 1e8:
                # No step upwards is left: as high as the arithmetic goes.
                done = bool(np.abs(slope).max(initial=0) < 1e-3)
                return Optimum(theta, value, done, step, "no step improves the likelihood")
            else:
                damping *= 4
        return Optimum(theta, value, False, self.max_iter, "the limit of steps was reached")

    def _result(
        self, patterns: Patterns, climbs: list[Optimum], best: Optimum, rank: int, warnings: list[str],
    ) -> LatentResult:
        model = self.model_
        parameters = model.unpack(best.theta)
        match = _match(model, patterns, best.theta)
        if (match != np.arange(K)).any():
            warnings.append("the latent classes do not match the states by their emissions: " +
                            "; ".join(f"class {k} emits state {match[k]} most" for k in range(K) if match[k] != k))
        if parameters.sigma is not None:
            for end, words in zip(SIGMA, ("lower", "upper"), strict=True):
                if abs(np.log(parameters.sigma / end)) < 1e-3:
                    warnings.append(f"sigma is at its {words} bound, {end}")
        states = self._map(best.theta, patterns)
        changed = [float(patterns.counts @ (self._map(climb.theta, patterns) != states) / patterns.n)
                   for climb in climbs]
        return LatentResult(
            method=self.method, model=model, theta=best.theta, patterns=patterns, rank=rank, match=match,
            optima=tuple(climbs), changed=tuple(changed), best=climbs.index(best), warnings=tuple(warnings),
        )

    def _map(self, theta: Floats, patterns: Patterns) -> npt.NDArray[np.int64]:
        prior = self.model_.prevalence(self.model_.unpack(theta).gamma, patterns.x)[patterns.level]
        return self.model_.posterior(theta, patterns.votes[patterns.vote], prior,
                                     patterns.x[patterns.level]).argmax(axis=1)


class DawidSkene(_Latent):
    """Dawid & Skene (1979): each rater has a confusion matrix, and raters err independently given the state.

    pseudo_counts: (J, 5, 5), votes y of rater j on cells that are known to be k, or None.

    prior: the weight of a weak prior, in votes a rater and state, that raters are better than chance
    (`BETTER_THAN_CHANCE`); 0 for none. The names of the states rest on that anyway. In `eval/recovery.py` it brings the
    reference closer to the oracle and the intervals closer to their level, most where votes are few.

    pooled: the weight, in votes a rater and state, of a prior in its place that a rater meets each state about as often
    as the others; its centre is estimated (empirical Bayes; a partial pooling as in hierarchical Dawid-Skene, Paun et
    al. 2018). What few cells cannot tell of a rare state is then borrowed from the common ones.
    """

    method = "dawid-skene"
    effect = False


class RELCA(_Latent):
    """Random-effects latent class analysis: Dawid-Skene with a normal effect of the cell that all its raters share
    (paper, section 3.3 and appendix F).

    design: "agree", the effect is how easy the cell is; "lean", it is shared over- or under-crediting.

    missing: "random", that a vote is missing says nothing; "hard", whether a rater that was asked gives a usable vote
    depends on the cell effect and the state (and on the covariates, rater by rater), estimated with the rest. That
    needs to be known of each missing vote: one that was asked for and came to nothing (`VoteTable.invalid`, or the code
    `DECLINED`) is an outcome; one that was never asked for, `MISSING`, is not, and must not have been left out for
    being hard. The others as in :class:`DawidSkene`.
    """

    method = "relca"
    effect = True

    def __init__(self, pseudo_counts: npt.ArrayLike | None = None, *, design: Literal["agree", "lean"] = "agree",
                 missing: Literal["random", "hard"] = "random", prior: float = PRIOR, pooled: float = 0.0,
                 n_starts: int = 4, max_iter: int = 500, seed: int = 0,
                 unidentified: Literal["raise", "warn"] = "raise") -> None:
        super().__init__(pseudo_counts, prior=prior, pooled=pooled, n_starts=n_starts, max_iter=max_iter, seed=seed,
                         unidentified=unidentified)
        if design not in ("agree", "lean"):
            raise FusionError(where="design", expected="agree or lean")
        if missing not in ("random", "hard"):
            raise FusionError(where="missing", expected="random or hard")
        self.missing = missing
        self.design_name = design
        self.design = AGREE if design == "agree" else LEAN


def _told(model: LatentClass, patterns: Patterns) -> int:
    """How many shares the data have: a share for each distinct pattern but one in each row of covariates, and as many
    for each rater and state with pseudo-counts. Patterns that could have been given and were not tell something too, so
    this is no bound; but with fewer than there are parameters the likelihood climbs to the edge of the box."""
    seen = patterns.counts > 0
    own = int(seen.sum()) - len(np.unique(patterns.level[seen]))
    rows = 0 if model.pseudo is None else int((model.pseudo.sum(axis=2) > 0).sum())
    return own + rows * (K - 1)


def _voting_told(patterns: Patterns) -> npt.NDArray[np.bool_]:
    """Which coefficients of voting (J, P) the data can tell: none of a rater that never declined or never voted, and of
    the others those of covariates that differ among the cells where it was asked (greedily, the first of those that
    say the same)."""
    seen = patterns.counts > 0
    votes, level = patterns.votes[patterns.vote[seen]], patterns.level[seen]
    told = np.zeros((votes.shape[1], patterns.x.shape[1]), dtype=bool)
    for j in range(len(told)):
        asked = votes[:, j] != MISSING
        if not ((votes[:, j] >= 0).any() and (votes[:, j] == DECLINED).any()):
            continue
        x = patterns.x[np.unique(level[asked])]
        for p in range(x.shape[1]):
            told[j, p] = True
            told[j, p] = np.linalg.matrix_rank(x[:, told[j]]) == told[j].sum()
    return told


def _rates(model: LatentClass, patterns: Patterns) -> Floats | None:
    """Where beta (J, P) starts: each rater's rate of usable votes on the first covariate, if that is an intercept."""
    if model.voting is None:
        return None
    beta = np.zeros((model.raters, model.covariates))
    if (patterns.x[:, 0] == 1).all():
        votes = patterns.votes[patterns.vote]
        given, declined = patterns.counts @ (votes >= 0) + 0.5, patterns.counts @ (votes == DECLINED) + 0.5
        beta[:, 0] = np.log(given / declined)
    return beta


def _from_plurality(model: LatentClass, patterns: Patterns) -> Parameters:
    """Confusion of each rater with the votes of all, smoothed by one vote a state and two more on the diagonal."""
    shares = _counts(patterns.votes).astype(float)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    rows = patterns.vote
    confusion = np.empty((model.raters, K, K))
    for j in range(model.raters):
        seen = patterns.votes[rows, j][:, None] == np.arange(K)
        confusion[j] = (patterns.counts[:, None] * shares[rows]).T @ seen + 1 + 2 * np.eye(K)
    confusion /= confusion.sum(axis=2, keepdims=True)
    total = patterns.counts @ shares[rows] + 1
    gamma = np.zeros((model.covariates, K))
    gamma[0] = np.log(total / total[0])
    return model.start_from(confusion, 0.7, gamma)


def _match(model: LatentClass, patterns: Patterns, theta: Floats) -> npt.NDArray[np.int64]:
    """The state that each class emits, one to one: the pairing with the most votes in agreement (Hungarian)."""
    parameters = model.unpack(theta)
    voters = patterns.counts @ (patterns.votes >= 0)[patterns.vote]
    mean = np.einsum("jky,j->ky", model.marginal_emissions(parameters), voters / voters.sum())
    prevalence = patterns.counts @ model.prevalence(parameters.gamma, patterns.x)[patterns.level] / patterns.n
    return linear_sum_assignment(-mean * prevalence[:, None])[1]
