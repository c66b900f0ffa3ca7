"""The latent class likelihood against formulas worked out another way."""
from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import expit, softmax

from evidial_rules.corpora import MISSING
from evidial_rules.fusion.latent import AGREE, GRID, LEAN, STEP, LatentClass, Parameters, grid_weights, joint_posterior
from evidial_rules.fusion.patterns import DECLINED, K, collapse


def random_votes(n, raters, seed=0, lowest=MISSING):
    votes = np.random.default_rng(seed).integers(lowest, K, (n, raters)).astype(np.int8)
    votes[(votes == MISSING).all(axis=1), 0] = 0
    return votes


def random_theta(model, seed=0):
    return model.pack(model.start(0.6, 0.9)) + np.random.default_rng(seed).normal(0, 0.3, model.size)


def by_hand(model, theta, votes, x):
    """log L as the formula is printed, cell by cell, with loops."""
    parameters = model.unpack(theta)
    weights = grid_weights(parameters.sigma) if model.effect else [1.0]
    points = GRID if model.effect else [0.0]
    total = 0.0
    for row, covariates in zip(votes, x, strict=True):
        pi = softmax(covariates @ parameters.gamma)
        inside = 0.0
        for k, (b, w) in product(range(K), list(zip(points, weights, strict=True))):
            term = pi[k] * w
            for j, y in enumerate(row):
                if y >= 0:
                    term *= softmax(parameters.alpha[j, k] + b * model.design[k])[y]
                if y != MISSING and model.voting is not None and model.voting[j].any():
                    logit = covariates @ parameters.beta[j] + parameters.kappa[k] + parameters.delta * b
                    term *= expit(logit if y >= 0 else -logit)
            inside += term
        total += np.log(inside)
    return total


@pytest.mark.parametrize("model", [LatentClass(2, 2), LatentClass(2, 2, design=LEAN), LatentClass(2, 2, effect=False)])
def test_log_likelihood_is_the_formula(model):
    votes = random_votes(12, 2)
    x = np.column_stack([np.ones(12), np.arange(12) % 2])
    theta = random_theta(model)
    assert model.log_likelihood(theta, collapse(votes, x)) == pytest.approx(by_hand(model, theta, votes, x), abs=1e-9)


VOTING = np.array([[True, True], [True, False], [False, False]])


@pytest.mark.parametrize("design", [AGREE, LEAN])
def test_who_declines_is_part_of_the_formula(design):
    """Of the third rater nobody asks why; the first one's rate differs by the covariate."""
    model = LatentClass(3, 2, design=design, voting=VOTING)
    assert model.size == LatentClass(3, 2).size + 3 + 4 + 1
    votes = random_votes(12, 3, lowest=DECLINED)
    x = np.column_stack([np.ones(12), np.arange(12) % 2])
    theta = random_theta(model)
    assert model.log_likelihood(theta, collapse(votes, x)) == pytest.approx(by_hand(model, theta, votes, x), abs=1e-9)
    assert model.pack(model.unpack(theta)) == pytest.approx(theta)


def test_without_slope_and_states_votes_are_missing_at_random():
    """With kappa = 0 and delta = 0 the likelihood is that of the votes times that of who declined, and posteriors are
    the same."""
    model, votes = LatentClass(2, voting=VOTING[:2, :1]), random_votes(30, 2, lowest=DECLINED)
    theta = random_theta(model)
    theta[model.voting_at.stop - K:model.voting_at.stop] = 0
    plain = LatentClass(2)
    rest = np.delete(theta, np.arange(model.size)[model.voting_at])
    rates = expit(model.unpack(theta).beta[:, 0])
    declined = np.where(votes >= 0, np.log(rates), np.where(votes == DECLINED, np.log(1 - rates), 0.0)).sum()
    assert model.log_likelihood(theta, collapse(votes)) == pytest.approx(
        plain.log_likelihood(rest, collapse(votes)) + declined, abs=1e-9)
    prior = np.full(K, 1 / K)
    assert model.posterior(theta, votes, prior, np.ones((30, 1))) == pytest.approx(
        plain.posterior(rest, votes, prior), abs=1e-9)


def test_gradient_with_declined_votes():
    model = LatentClass(3, 2, voting=VOTING, voting_prior=True, pseudo=np.ones((3, K, K)))
    patterns = collapse(random_votes(80, 3, lowest=DECLINED), np.column_stack([np.ones(80), np.arange(80) % 3]) * 1.0)
    theta = random_theta(model)
    numeric = approx_fprime(theta, lambda at: model.log_likelihood(at, patterns), 1e-6)
    assert model.value_and_gradient(theta, patterns)[1] == pytest.approx(numeric, abs=2e-3)
    value, gradient, information, complete = model.evaluate(theta, patterns)
    assert value == pytest.approx(model.log_likelihood(theta, patterns))
    assert gradient == pytest.approx(numeric, abs=2e-3)
    assert information.shape == (model.size, model.size) and complete.shape == (model.size,) and (complete > 0).all()


def test_declined_votes_are_told_from_those_not_asked_for():
    votes = np.array([row for row in product([*range(K), DECLINED], repeat=3) if max(row) >= 0], dtype=np.int8)
    model = LatentClass(3, voting=np.ones((3, 1), dtype=bool))
    assert model.rank(collapse(votes)) == model.size == 73


@pytest.mark.parametrize("pseudo", [None, 20 * np.random.default_rng(1).random((3, K, K))])
@pytest.mark.parametrize(("effect", "design"), [(True, AGREE), (True, LEAN), (False, AGREE)])
def test_gradient_is_that_of_the_likelihood(effect, design, pseudo):
    model = LatentClass(3, 2, effect, design, pseudo=pseudo)
    patterns = collapse(random_votes(80, 3), np.column_stack([np.ones(80), np.arange(80) % 3]).astype(float))
    theta = random_theta(model)
    numeric = approx_fprime(theta, lambda at: model.log_likelihood(at, patterns), 1e-6)
    assert model.value_and_gradient(theta, patterns)[1] == pytest.approx(numeric, abs=2e-3)


def test_collapsing_changes_nothing():
    votes, model = random_votes(200, 3), LatentClass(3)
    whole = collapse(votes)
    assert len(whole.counts) < 200
    theta = random_theta(model)
    apart = sum(model.log_likelihood(theta, collapse(votes[i:i + 1])) for i in range(200))
    assert model.log_likelihood(theta, whole) == pytest.approx(apart, abs=1e-8)


def test_many_raters_do_not_underflow():
    votes = np.zeros((3, 400), dtype=np.int8)
    votes[:, 1::2] = 4
    assert np.isfinite(LatentClass(400).log_likelihood(LatentClass(400).pack(LatentClass(400).start(0.7, 0.7)),
                                                       collapse(votes)))


@pytest.mark.parametrize(("raters", "size", "rank"), [(2, 45, 24), (3, 65, 65)])
def test_two_judges_cannot_be_told_and_three_can(raters, size, rank):
    model = LatentClass(raters)
    assert model.size == size
    votes = np.array(list(product(range(K), repeat=raters)), dtype=np.int8)
    assert model.rank(collapse(votes)) == rank


def test_anchors_tell_two_judges():
    pseudo = 20 * (np.full((2, K, K), 0.05) + 0.75 * np.eye(K))
    votes = np.array(list(product(range(K), repeat=2)), dtype=np.int8)
    assert LatentClass(2, pseudo=pseudo).rank(collapse(votes)) == 45


def test_the_grid_width_that_the_papers_likelihood_omits():
    """-n log(.15) for the paper's 2,741 voted cells (its appendix F)."""
    assert -2741 * np.log(STEP) == pytest.approx(5200.006, abs=5e-4)
    for sigma in (0.3, 1.0, 1.4):
        lacking = np.log(grid_weights(sigma, normalised=False) / grid_weights(sigma))
        assert lacking == pytest.approx(-np.log(STEP), abs=1e-3)


# Two cells, two states and three grid points, in logarithms of round numbers: the first state's best point is 8 times
# as likely as the second's, yet the second has more mass.
HAND = np.log(np.array([[[8, 1e-9, 1e-9], [6, 6, 6]], [[2, 2, 0.5], [1, 0.25, 0.25]]]))


def one_maximum_a_state(log_joint):
    """The fault of the paper's legacy code."""
    mass = np.exp(log_joint - log_joint.max(axis=2, keepdims=True)).sum(axis=2)
    return mass / mass.sum(axis=1, keepdims=True)


def test_posterior_keeps_the_states_beside_each_other():
    expected = [[8 / 26, 18 / 26], [4.5 / 6, 1.5 / 6]]
    assert joint_posterior(HAND) == pytest.approx(np.array(expected), abs=1e-9)
    assert abs(one_maximum_a_state(HAND)[1, 0] - 4.5 / 6) > 0.1


def test_posterior_is_joint_over_grid_and_states():
    model = LatentClass(2)
    theta = random_theta(model)
    prior = np.array([0.3, 0.3, 0.1, 0.2, 0.1])
    parameters, weights = model.unpack(theta), grid_weights(model.unpack(theta).sigma)
    mass = np.array([prior[k] * sum(
        w * softmax(parameters.alpha[0, k] + b * AGREE[k])[3] * softmax(parameters.alpha[1, k] + b * AGREE[k])[1]
        for b, w in zip(GRID, weights, strict=True)) for k in range(K)])
    found = model.posterior(theta, np.array([[3, 1]], dtype=np.int8), prior)
    assert found[0] == pytest.approx(mass / mass.sum(), abs=1e-9)
    assert model.posterior(theta, np.array([[-1, -1]], dtype=np.int8), prior)[0] == pytest.approx(prior)


def test_parameters_travel_unharmed():
    model = LatentClass(2, 3)
    rng = np.random.default_rng(0)
    alpha = rng.normal(size=(2, K, K))
    alpha[:, np.eye(K, dtype=bool)] = 0
    gamma = rng.normal(size=(3, K))
    gamma[:, 0] = 0
    back = model.unpack(model.pack(Parameters(alpha, gamma, 0.7)))
    assert back.alpha == pytest.approx(alpha) and back.gamma == pytest.approx(gamma)
    assert back.sigma == pytest.approx(0.7)


def test_information_is_minus_the_hessian():
    model = LatentClass(2, pseudo=20 * np.random.default_rng(1).random((2, K, K)))
    patterns = collapse(random_votes(60, 2))
    theta = random_theta(model)
    found = model.information(theta, patterns)
    for i in (0, 7, 41, model.size - 1):
        shift = np.zeros(model.size)
        shift[i] = 1e-4
        numeric = (model.value_and_gradient(theta - shift, patterns)[1]
                   - model.value_and_gradient(theta + shift, patterns)[1]) / 2e-4
        assert found[i] == pytest.approx(numeric, abs=1e-3)
