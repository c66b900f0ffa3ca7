"""Plurality, mean, Dawid-Skene and RE-LCA as estimators."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit

from evidial_rules.contract import STATES
from evidial_rules.fusion import (
    DECLINED,
    RELCA,
    UNRESOLVED_CODE,
    DawidSkene,
    FusionError,
    OneHotMean,
    Plurality,
    decide,
)
from evidial_rules.fusion.latent import AGREE, LatentClass, Parameters
from evidial_rules.fusion.patterns import K
from evidial_rules.fusion.simulate import simulate

PREVALENCE = np.array([0.4, 0.3, 0.08, 0.14, 0.08])


def panel(n=1500, raters=3, sigma=1.0, accuracy=0.75, seed=0):
    """Votes of raters that are right three times out of four, and the states."""
    rng = np.random.default_rng(seed)
    emission = np.full((K, K), (1 - accuracy) / (K - 1)) + (accuracy - (1 - accuracy) / (K - 1)) * np.eye(K)
    emission = np.stack([0.8 * emission[k] + 0.2 * rng.dirichlet(np.ones(K) + 20 * np.eye(K)[k]) for k in range(K)])
    alpha = np.repeat(np.log(emission / np.diag(emission)[:, None])[None], raters, axis=0)
    truth = Parameters(alpha, np.log(PREVALENCE / PREVALENCE[0])[None], sigma)
    model = LatentClass(raters)
    states, votes = simulate(model, truth, np.ones((n, 1)), np.ones((n, raters), dtype=bool), rng)
    return model, truth, states, votes


def hard_cells_lose_votes(n=3000, slope=1.5, seed=0):
    """A panel whose second and third rater decline the more, the harder the cell is. Nobody asked the second about the
    last cells."""
    rng = np.random.default_rng(seed)
    model, truth, _, _ = panel(n=10)
    effects = rng.normal(0, truth.sigma, n)
    given = rng.random((n, 3)) < expit(np.array([30.0, 0.5, 0.0]) + slope * effects[:, None])
    states, votes = simulate(model, truth, np.ones((n, 1)), given, rng, effects)
    coded = np.where(given, votes, DECLINED).astype(np.int8)
    coded[-(n // 5):, 1] = -1
    return model, truth, states, coded


SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 6))
votes_of_any = arrays(np.int8, SHAPES, elements=st.integers(-1, K - 1)).filter(lambda votes: votes.max() >= 0)


@given(votes_of_any)
def test_mean_and_plurality_decide_alike_if_ties_abstain(votes):
    plurality, mean = Plurality().fit(votes), OneHotMean().fit(votes)
    states = decide(plurality.predict_proba(votes), votes)
    assert (states == decide(mean.predict_proba(votes), votes)).all()
    for row, state in zip(votes, states, strict=True):
        counts = np.bincount(row[row >= 0], minlength=K)
        winners = np.flatnonzero(counts == counts.max()) if counts.any() else []
        assert state == (winners[0] if len(winners) == 1 else UNRESOLVED_CODE)


@given(votes_of_any)
def test_probabilities_are_probabilities(votes):
    for fusion in (Plurality(), OneHotMean()):
        found = fusion.fit(votes).predict_proba(votes)
        assert found.shape == (len(votes), K) and found.sum(axis=1) == pytest.approx(1) and (found >= 0).all()


def test_three_complete_judges_come_near_the_oracle():
    model, truth, states, votes = panel(n=3000)
    fusion = RELCA(n_starts=2).fit(votes)
    oracle = model.posterior(model.pack(truth), votes, PREVALENCE).argmax(axis=1)
    reached = (fusion.predict_proba(votes).argmax(axis=1) == states).mean()
    assert reached > (oracle == states).mean() - 0.015
    assert fusion.result_.converged and fusion.result_.rank == 65 and not fusion.result_.warnings
    assert fusion.result_.sigma_estimate().low < 1 < fusion.result_.sigma_estimate().high
    assert (fusion.result_.match == np.arange(K)).all()


def test_without_an_effect_both_models_are_one():
    _, _, _, votes = panel(sigma=0.0)
    one, other = DawidSkene(n_starts=2, prior=0).fit(votes), RELCA(n_starts=2, prior=0).fit(votes)
    assert 0 <= other.result_.log_likelihood - one.result_.log_likelihood < 3
    assert (one.predict_proba(votes).argmax(axis=1) == other.predict_proba(votes).argmax(axis=1)).mean() > 0.95


def test_dawid_skene_is_the_fixed_point_of_its_em():
    """One more step of expectation and maximisation, written out, leaves the emissions where they are."""
    _, _, _, votes = panel(sigma=0.0)
    fitted = DawidSkene(n_starts=1, prior=0).fit(votes)
    posterior = fitted.predict_proba(votes)
    for j, emission in enumerate(fitted.result_.emissions):
        step = np.stack([posterior[votes[:, j] == y].sum(axis=0) for y in range(K)], axis=1)
        assert emission == pytest.approx(step / step.sum(axis=1, keepdims=True), abs=2e-3)
    assert fitted.result_.prevalence == pytest.approx(posterior.mean(axis=0), abs=1e-3)


def test_raters_may_change_places():
    _, _, _, votes = panel(n=800)
    one, other = RELCA(n_starts=1).fit(votes), RELCA(n_starts=1).fit(votes[:, ::-1])
    assert other.result_.log_likelihood == pytest.approx(one.result_.log_likelihood, abs=1e-3)
    assert other.predict_proba(votes[:, ::-1]) == pytest.approx(one.predict_proba(votes), abs=1e-2)


def test_weights_are_cells_given_again():
    _, _, _, votes = panel(n=400)
    again = np.concatenate([votes, votes[:100]])
    weights = np.r_[np.full(100, 2.0), np.ones(300)]
    one, other = DawidSkene(n_starts=1).fit(votes, weights=weights), DawidSkene(n_starts=1).fit(again)
    assert one.result_.log_likelihood == pytest.approx(other.result_.log_likelihood, abs=1e-3)


def test_votes_that_hard_cells_lose():
    """Taken as missing at random they make the raters look better than they are; asked why, they do not."""
    model, truth, states, votes = hard_cells_lose_votes()
    true = np.diagonal(model.marginal_emissions(truth), axis1=1, axis2=2)
    plain = np.where(votes == DECLINED, -1, votes)
    random, hard = RELCA(n_starts=1).fit(plain), RELCA(n_starts=1, missing="hard").fit(votes)
    common = (slice(None), [0, 1, 3])
    errors = [np.diagonal(one.result_.emissions, axis1=1, axis2=2)[common] - true[common] for one in (random, hard)]
    assert errors[0].mean() > 0.08 and abs(errors[1].mean()) < 0.03
    slope = hard.result_.voting_estimate()
    assert slope.low < 1.5 < slope.high and slope.low > 0.5 and random.result_.voting_estimate() is None
    assert hard.result_.converged and hard.result_.rank == hard.result_.model.size == 72 and not hard.result_.warnings
    assert "usable vote: slope" in hard.result_.summary()
    assert hard.result_.to_dict()["missing"]["effect"]["value"] == slope.value
    assert hard.result_.log_likelihood_by_quadrature() == pytest.approx(hard.result_.log_likelihood, abs=0.05)
    right = [(one.predict_proba(coded).argmax(axis=1) == states).mean() for one, coded in ((random, plain),
                                                                                           (hard, votes))]
    assert right[1] > right[0] - 0.005


def test_votes_that_some_states_lose():
    """Read as an effect of the cell they would pull the classes away from the states."""
    model, truth, states, votes = hard_cells_lose_votes(n=2000, slope=0.0)
    lost = (np.random.default_rng(1).random(votes.shape) < 0.5) & (states == 1)[:, None]
    votes = np.where(lost & (votes >= 0), DECLINED, votes).astype(np.int8)
    hard = RELCA(n_starts=1, missing="hard").fit(votes)
    by_state = hard.result_.voting_by_state()
    assert by_state["PARTIAL"].high < 0 and list(by_state) == list(STATES[1:])
    assert (hard.predict_proba(votes).argmax(axis=1) == states).mean() > 0.75
    plain = RELCA(n_starts=1).fit(np.where(votes == DECLINED, -1, votes)).result_.prevalence
    true = model.prevalence(truth.gamma, np.ones((1, 1)))[0]
    assert abs(hard.result_.prevalence - true)[1] < abs(plain - true)[1]


def test_votes_missing_at_random_leave_the_fit_as_it_is():
    _, _, _, votes = hard_cells_lose_votes(slope=0.0)
    random = RELCA(n_starts=1).fit(np.where(votes == DECLINED, -1, votes))
    hard = RELCA(n_starts=1, missing="hard").fit(votes)
    slope = hard.result_.voting_estimate()
    assert slope.low < 0 < slope.high and slope.se < 0.3
    assert hard.result_.emissions == pytest.approx(random.result_.emissions, abs=0.05)


def test_a_covariate_tells_voting_only_where_it_differs():
    """The second rater is asked in one source only, and the first never declines."""
    _, _, _, votes = hard_cells_lose_votes(n=1500)
    votes[:, 0] = np.where(votes[:, 0] == DECLINED, 0, votes[:, 0])
    source = np.arange(1500) >= 1200
    model = RELCA(n_starts=1, missing="hard").fit(votes, np.column_stack([np.ones(1500), source])).result_.model
    assert model.voting.tolist() == [[False, False], [True, False], [True, True]]


def test_nobody_declined_and_what_missing_may_be():
    _, _, _, votes = panel(n=500)
    one, other = RELCA(n_starts=1).fit(votes), RELCA(n_starts=1, missing="hard").fit(votes)
    assert other.theta_ == pytest.approx(one.theta_) and other.result_.voting_estimate() is None
    assert "no rater both voted and declined to: votes are taken as missing at random" in other.result_.warnings
    assert decide(np.eye(K)[[0, 0]], [[DECLINED, -1], [DECLINED, 0]]).tolist() == [UNRESOLVED_CODE, 0]
    with pytest.raises(FusionError, match="random or hard"):
        RELCA(missing="often")
    with pytest.raises(FusionError, match="whole numbers from -2"):
        RELCA(missing="hard").fit([[-3, 0], [0, 1]])


def test_more_parameters_than_cells_are_refused():
    _, _, _, votes = panel(n=64)
    with pytest.raises(FusionError, match="more cells with votes than the model's 65"):
        RELCA().fit(votes)


def test_two_judges_alone_are_refused_and_anchors_help():
    _, _, _, votes = panel(n=300, raters=2)
    with pytest.raises(FusionError, match="24 of 45"):
        RELCA().fit(votes)
    assert any("24 of 45" in words for words in RELCA(unidentified="warn", n_starts=1).fit(votes).result_.warnings)
    pseudo = 20 * np.repeat((np.full((K, K), 0.0625) + 0.6875 * np.eye(K))[None], 2, axis=0)
    fitted = RELCA(pseudo, n_starts=1).fit(votes)
    assert fitted.result_.rank == 45 and np.diagonal(fitted.result_.emissions, axis1=1, axis2=2).min() > 0.5


def test_pseudo_counts_pull_the_emissions():
    _, _, _, votes = panel(n=300)
    sure = 1e5 * np.repeat((np.full((K, K), 0.025) + 0.875 * np.eye(K))[None], 3, axis=0)
    found = RELCA(sure, n_starts=1).fit(votes).result_.emissions
    assert np.diagonal(found, axis1=1, axis2=2) == pytest.approx(np.full((3, K), 0.9), abs=0.01)


def test_a_pooled_prior_lends_rare_states_what_the_common_ones_tell():
    """Two of three raters vote on some cells only; every state is met three times out of four."""
    model, truth, _, votes = panel(n=600)
    votes = votes.copy()
    votes[np.random.default_rng(1).random(votes.shape) < [0, 0.3, 0.6]] = -1
    weak, pooled = RELCA(n_starts=1).fit(votes), RELCA(n_starts=1, pooled=20).fit(votes)
    true = np.diagonal(model.marginal_emissions(truth), axis1=1, axis2=2)
    rare = (slice(None), [2, 4])
    one, other = (np.abs(np.diagonal(fit.result_.emissions, axis1=1, axis2=2) - true)[rare].mean()
                  for fit in (weak, pooled))
    assert other < 0.6 * one and pooled.result_.converged and len(pooled.result_.optima) == 1


def test_a_pooled_prior_has_its_centre_where_the_votes_have_it():
    """So strong that all states are met alike, each rater's accuracy is the share of its votes that are right."""
    _, _, _, votes = panel(n=800, sigma=0.0)
    fitted = DawidSkene(n_starts=2, pooled=1e6).fit(votes)
    accuracy = np.diagonal(fitted.result_.emissions, axis1=1, axis2=2)
    assert accuracy == pytest.approx(accuracy.mean(axis=1, keepdims=True) * np.ones(K), abs=1e-3)
    posterior = fitted.predict_proba(votes)
    right = [posterior[np.arange(len(votes)), column].mean() for column in votes.T]
    assert accuracy.mean(axis=1) == pytest.approx(right, abs=0.02)
    with pytest.raises(FusionError, match="pooled: expected a weight"):
        RELCA(pooled=-1)


def test_a_cell_without_votes_has_the_prevalence_and_stays_open():
    _, _, _, votes = panel(n=500)
    votes = votes.copy()
    votes[0] = -1
    fitted = DawidSkene(n_starts=1).fit(votes)
    found = fitted.predict_proba(votes)
    assert found[0] == pytest.approx(fitted.result_.prevalence, abs=1e-6)
    assert decide(found, votes)[0] == UNRESOLVED_CODE and (decide(found, votes)[1:] != UNRESOLVED_CODE).all()


def test_all_judges_alike_give_a_finite_fit_and_a_warning():
    votes = np.repeat(np.random.default_rng(0).integers(0, K, (200, 1)), 3, axis=1)
    fitted = RELCA(n_starts=2).fit(votes)
    assert any(words.startswith("5 different patterns for 65 parameters") for words in fitted.result_.warnings)
    found = fitted.predict_proba(votes)
    assert np.isfinite(found).all() and (found.argmax(axis=1) == votes[:, 0]).all()
    assert "nan" not in fitted.result_.summary().lower()


@pytest.mark.parametrize(("votes", "words"), [
    ([], "a row a cell"), ([[]], "a row a cell"), ([[-1, -1]], "at least one vote"), ([[5]], "whole numbers"),
    ([[-2]], "whole numbers"), ([[0.5]], "whole numbers"), ([0, 1], "a row a cell"),
])
@pytest.mark.parametrize("fusion", [Plurality, OneHotMean, DawidSkene, RELCA])
def test_votes_that_are_none(fusion, votes, words):
    with pytest.raises(FusionError, match=words):
        fusion().fit(votes)


def test_covariates_and_pseudo_counts_of_another_shape():
    votes = [[0, 1, 2], [1, 1, 1]]
    with pytest.raises(FusionError, match="2 rows"):
        RELCA().fit(votes, np.ones((3, 1)))
    with pytest.raises(FusionError, match="finite"):
        RELCA().fit(votes, [[1.0], [np.nan]])
    with pytest.raises(FusionError, match="3 x 5 x 5"):
        RELCA(np.ones((2, K, K))).fit(votes)
    with pytest.raises(FusionError, match="agree or lean"):
        RELCA(design="other")


def test_quadrature_agrees_with_the_grid():
    _, _, _, votes = panel(n=1000)
    result = RELCA(n_starts=1).fit(votes).result_
    assert result.log_likelihood_by_quadrature() == pytest.approx(result.log_likelihood, abs=0.02)
    assert DawidSkene(n_starts=1).fit(votes).result_.log_likelihood_by_quadrature() is None


def test_the_result_says_what_it_is():
    _, truth, _, votes = panel(n=2000)
    result = RELCA(n_starts=2).fit(votes).result_
    words = result.summary(["a", "b", "c"])
    assert "65 parameters, rank 65; converged" in words and "sigma" in words and "SUFFICIENT_NEG" in words
    row = result.to_dict(["a", "b", "c"])
    assert row["emissions"]["a"]["ABSENT"]["ABSENT"]["low"] < row["emissions"]["a"]["ABSENT"]["ABSENT"]["value"]
    inside = [one.low <= value <= one.high
              for matrix, true in zip(result.emission_estimates(), result.model.marginal_emissions(truth), strict=True)
              for estimates, values in zip(matrix, true, strict=True)
              for one, value in zip(estimates, values, strict=True) if one.low is not None]
    assert np.mean(inside) > 0.85
    assert AGREE.sum(axis=1) == pytest.approx(0)
