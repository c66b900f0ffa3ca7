"""The Rasch model: reference values, missing votes by enumeration, what extreme cells do, ties under severities."""
from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidial_rules.panel import PanelError, Rasch, binary, estimable, measure, severity_corrected
from evidial_rules.panel.rasch import LikelihoodRatio, _Patterns, elementary_symmetric


@pytest.fixture(scope="module")
def model(yes_no):
    return Rasch().fit(yes_no)


def test_reference_severities(model):
    assert model.severity_ == pytest.approx([1.186890, -1.152265, 1.013281, 0.202443, -1.250349], abs=1e-6)
    assert model.severity_.sum() == pytest.approx(0, abs=1e-12)


def test_reference_standard_errors(model):
    # The independent programs differentiate the likelihood numerically, so their last digits are not exact.
    assert model.standard_errors_ == pytest.approx([0.146341, 0.132979, 0.141503, 0.127906, 0.134737], abs=6e-6)


def test_reference_likelihoods_and_tests(model):
    assert model.log_likelihood_ == pytest.approx(-341.9442, abs=5e-5)
    assert model.log_likelihood_homogeneous_ == pytest.approx(-465.8013, abs=5e-5)
    assert (model.homogeneity_.statistic, model.homogeneity_.df) == (pytest.approx(247.7142, abs=5e-5), 4)
    assert (model.andersen_.statistic, model.andersen_.df) == (pytest.approx(4.10181, abs=5e-6), 4)
    assert model.andersen_.p == pytest.approx(0.39240, abs=5e-6)


def test_reference_person_estimates(model, yes_no):
    scores = yes_no.sum(1)
    found = [model.locations_[scores == score][0] for score in range(6)]
    assert found[1:5] == pytest.approx([-1.70096, -0.50496, 0.52685, 1.69476], abs=5e-6)
    assert found[0] == -np.inf and found[5] == np.inf


@pytest.mark.parametrize("multipliers, product_", [
    ([0.3431, 3.2673, 0.3766, 0.6905, 3.4313], 1.00026), ([1.1539, 0.9959, 1.3493, 0.4415, 1.4606], 0.99990)])
def test_the_papers_multipliers_are_of_severities_with_sum_zero(model, multipliers, product_):
    assert np.prod(multipliers) == pytest.approx(product_, abs=5e-6)
    assert np.prod(model.multipliers_) == pytest.approx(1)


def test_the_papers_homogeneity_test():
    test = LikelihoodRatio(1051.5, 4)
    assert test.log10_p < -200 and test.p < 1e-200


def enumerated(votes, beta):
    """Conditional log-likelihood from all votes that the same raters could have given with as many yes."""
    total = 0.0
    for row in votes:
        seen = row >= 0
        b, y = beta[seen], row[seen]
        ways = [np.exp(-b @ np.array(other)) for other in product((0, 1), repeat=len(y)) if sum(other) == y.sum()]
        total += -b @ y - np.log(sum(ways))
    return total


@given(arrays.arrays(np.int64, (6, 4), elements=st.integers(-1, 1)),
       arrays.arrays(float, 4, elements=st.floats(-3, 3)))
@settings(max_examples=60)
def test_likelihood_with_missing_votes_by_enumeration(votes, beta):
    value, gradient, information = _Patterns.of(votes).evaluate(beta)
    assert value == pytest.approx(enumerated(votes, beta), abs=1e-9)
    step = 1e-5 * np.eye(4)
    numeric = [(enumerated(votes, beta + one) - enumerated(votes, beta - one)) / 2e-5 for one in step]
    assert gradient == pytest.approx(numeric, abs=1e-6)
    patterns = _Patterns.of(votes)
    numeric = [(patterns.evaluate(beta - one)[1] - patterns.evaluate(beta + one)[1]) / 2e-5 for one in step]
    assert information == pytest.approx(np.array(numeric), abs=1e-6)
    assert patterns.homogeneous() == pytest.approx(enumerated(votes, np.zeros(4)), abs=1e-9)


def test_severities_are_recovered_with_votes_missing():
    rng = np.random.default_rng(4)
    beta, theta = np.array([-1.0, 0.2, 0.8, 0.0]), rng.normal(0, 1.5, 20_000)
    votes = (rng.random((20_000, 4)) < 1 / (1 + np.exp(beta - theta[:, None]))).astype(int)
    votes[rng.random(votes.shape) < [0.1, 0.6, 0.3, 0.0]] = -1
    found = Rasch().fit(votes)
    assert np.abs(found.severity_ - beta) == pytest.approx(0, abs=4 * found.standard_errors_.max())
    assert found.severity_ == pytest.approx(beta, abs=0.12)


def test_extreme_cells_and_order_change_nothing(model, yes_no):
    extremes = np.array([[0] * 5, [1] * 5, [-1] * 5, [1, -1, 1, -1, -1], [-1, -1, -1, -1, 0]])
    more = np.vstack([extremes, yes_no[::-1]])[:, [3, 1, 4, 0, 2]]
    found = Rasch().fit(more)
    assert found.severity_ == pytest.approx(model.severity_[[3, 1, 4, 0, 2]])
    assert found.log_likelihood_ == pytest.approx(model.log_likelihood_)
    assert found.andersen_.statistic == pytest.approx(model.andersen_.statistic)
    assert (found.informative_, found.cells_) == (model.informative_, model.cells_ + 4)


def test_yes_and_no_exchanged_turn_the_severities(model, yes_no):
    turned = Rasch().fit(1 - yes_no)
    assert turned.severity_ == pytest.approx(-model.severity_)
    assert turned.log_likelihood_ == pytest.approx(model.log_likelihood_)


def test_a_location_solves_its_likelihood_equation_for_any_raters():
    model = Rasch().fit([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1]])
    theta = model.locate([[1, 0, -1], [-1, 1, 0], [1, 1, 0], [-1, -1, -1], [-1, -1, 1]])
    for value, seen, score in zip(theta, ([0, 1], [1, 2], [0, 1, 2]), (1, 1, 2), strict=False):
        assert (1 / (1 + np.exp(model.severity_[seen] - value))).sum() == pytest.approx(score)
    assert np.isnan(theta[3]) and theta[4] == np.inf


def simulated(beta, cells=4000, seed=0):
    """Votes of 0 and 1 from the model itself."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 1, cells)
    return (rng.random((cells, len(beta))) < 1 / (1 + np.exp(np.array(beta) - theta[:, None]))).astype(int)


def test_a_tie_of_strict_raters_is_a_yes_and_one_of_mild_raters_a_no():
    votes = simulated([1.5, 1.0, -1.2, -1.3]) * 3  # ABSENT or SUFFICIENT_POS
    ties = np.array([[3, 0, -1, -1], [0, 3, -1, -1], [-1, -1, 3, 0], [-1, -1, 0, 3], [3, -1, -1, -1], [-1] * 4])
    found = measure(np.vstack([ties, votes]), "assessability")
    assert found.calls[:6].tolist() == [1, 1, 0, 0, 1, -1]
    assert found.ties[:6].tolist() == [True] * 4 + [False] * 2
    row = found.to_dict()
    assert row["ties"]["n"] == found.ties.sum() == sum(row["ties"]["called"].values())
    # Where every rater voted the score decides, so a majority is never overruled.
    whole, score = votes / 3, found.calls[6:]
    assert (score[whole.sum(1) > 2] == 1).all() and (score[whole.sum(1) < 2] == 0).all()


def test_a_majority_of_mild_raters_can_be_overruled():
    votes = simulated([3.0, -1.0, -1.0, -1.0])
    # Three mild raters say yes to 73% of the cells at theta 0 each: two of them out of three is less than that.
    found = measure(np.vstack([[[-1, 1, 1, 0]], votes]), "assessability")
    assert found.calls[0] == 0 and not found.ties[0]


def test_two_raters_have_no_call_on_a_tie():
    # Whoever said yes: severities sum to zero, so theta is 0.
    found = measure([[1, 0]] * 3 + [[0, 1]], "assessability")
    assert found.calls.tolist() == [-1] * 4 and found.to_dict()["ties"]["called"]["none"] == 4


def test_without_a_model_calls_are_by_majority():
    found = measure([[0, 1, 1], [0, 1, 1], [0, 0, -1], [0, 1, -1]], "assessability")
    assert found.model is None and found.calls.tolist() == [1, 1, 0, -1] and found.columns == ()
    row = found.to_dict()
    assert row["model"] is None and "by majority" in row["why"] and set(found.left_out) == {"r0", "r1", "r2"}


def test_a_rater_that_cannot_be_compared_has_no_say():
    votes = np.column_stack([simulated([0.5, -0.5, 0.0]), np.ones(4000, dtype=int)])
    found = measure(votes, "assessability")
    assert found.columns == (0, 1, 2) and found.left_out == {"r3": "it never says no"}
    alone = measure(np.vstack([votes, [[-1, -1, -1, 1]]]), "assessability")
    assert alone.calls[-1] == -1


def test_categories_follow_the_three_calls():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 3000)
    votes = np.where(rng.random((3000, 5)) < 0.7, truth[:, None], rng.integers(0, 5, (3000, 5)))
    found = severity_corrected(votes)
    expected = np.array([0, 1, 1, 2, 3])[truth]
    assert (found.model == expected).mean() > 0.85
    calls = [found.measures[name].calls for name in ("assessability", "sufficiency", "direction")]
    for cell in range(0, 3000, 97):
        first, second, third = (one[cell] for one in calls)
        assert found.model[cell] == (0 if first == 0 else 1 if second == 0 else
                                     -1 if min(first, second, third) < 0 else 2 if third else 3)
    row = found.to_dict()
    assert sum(row["model"].values()) == sum(row["plurality"].values()) == 3000
    assert row["ties"]["n"] == found.tied.sum() == sum(row["ties"]["assigned"].values()) > 0
    assert row["plurality"]["none"] == row["ties"]["n"]
    assert row["changed"] == ((found.plurality != found.model) & ~found.tied).sum()


def test_split_votes_that_plurality_leaves_open():
    # Two for no evidence, two for opposite directions, one partial: most raters saw evidence.
    rng = np.random.default_rng(0)
    votes = np.vstack([[[0, 0, 3, 3, 1]], rng.integers(0, 5, (400, 5))])
    found = severity_corrected(votes)
    assert found.tied[0] and found.plurality[0] == -1 and found.model[0] == 2


def test_a_cell_without_votes_is_no_tie_and_in_no_category():
    votes = np.vstack([[[-1] * 3], np.random.default_rng(0).integers(0, 5, (100, 3))])
    found = severity_corrected(votes)
    assert not found.tied[0] and found.plurality[0] == found.model[0] == -1
    row = found.to_dict()
    assert row["plurality"]["none"] == row["ties"]["n"] + 1


def test_homogeneous_raters():
    found = Rasch().fit([[1, 0], [0, 1]] * 8)
    assert found.severity_ == pytest.approx([0, 0], abs=1e-12)
    assert found.homogeneity_.statistic == pytest.approx(0, abs=1e-9) and found.homogeneity_.p == pytest.approx(1)
    assert found.andersen_.statistic is None and "not finite" in found.andersen_.why
    json.dumps(found.to_dict(), allow_nan=False)
    assert "not tested" in found.summary()


@pytest.mark.parametrize("votes", [
    [[1, 0], [1, 0]],  # one rater always the milder
    [[1, 1], [0, 0]],  # judges alike: nothing to tell them apart by
    [[1, -1], [-1, 0], [0, -1]],  # no common cell
    [[-1, 1], [-1, 0]],  # a rater without votes
    [[1, 0, -1, -1], [0, 1, -1, -1], [-1, -1, 1, 0], [-1, -1, 0, 1]],  # two pairs, each linked inside
])
def test_severities_that_are_not_finite(votes):
    with pytest.raises(PanelError, match="not finite"):
        Rasch().fit(votes)


def test_one_rater():
    with pytest.raises(PanelError, match="two or more"):
        Rasch().fit([[1], [0]])


def test_states_are_no_binary_votes(panel):
    with pytest.raises(PanelError, match="categories from 0 to 1"):
        Rasch().fit(panel[0])


def test_the_raters_that_can_be_compared():
    rng = np.random.default_rng(1)
    votes = rng.integers(0, 2, (50, 6))
    votes[:, 1], votes[:, 3], votes[:, 4] = 1, -1, 0
    kept, reasons = estimable(votes, raters=list("abcdef"))
    assert kept == [0, 2, 5]
    assert reasons == {"b": "it never says no", "d": "it has no vote on this measure", "e": "it never says yes"}
    assert np.isfinite(Rasch().fit(votes[:, kept]).severity_).all()


def test_a_rater_that_is_milder_everywhere_goes_and_the_rest_stays():
    votes = np.array([[1, 0, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0], [1, 1, 1]])
    kept, reasons = estimable(votes)
    assert kept == [0, 1] and list(reasons) == ["r2"] and "not finite" in reasons["r2"]


@pytest.mark.parametrize("votes", [[[1, 1], [0, 0]], [[1, 0], [1, 0]], [[1], [0]]])
def test_nothing_to_compare(votes):
    kept, reasons = estimable(votes)
    assert kept == [] and len(reasons) == len(votes[0])


@given(arrays.arrays(np.int64, st.tuples(st.integers(1, 10), st.integers(1, 4)), elements=st.integers(-1, 1)))
def test_whatever_is_estimable_is_fitted(votes):
    kept, reasons = estimable(votes)
    assert len(kept) + len(reasons) == votes.shape[1] and len(kept) != 1
    if kept:
        found = Rasch().fit(votes[:, kept])
        json.dumps(found.to_dict(), allow_nan=False)
        assert np.isfinite(found.severity_).all() and found.severity_.sum() == pytest.approx(0, abs=1e-9)
        assert found.homogeneity_.statistic >= 0
    json.dumps(severity_corrected(votes).to_dict(), allow_nan=False)


def test_more_raters_than_bits():
    votes = simulated([0.0] * 35 + [0.5] * 35, cells=150)
    votes[np.random.default_rng(0).random(votes.shape) < 0.93] = -1
    votes = votes[:, estimable(votes)[0]]
    found = Rasch().fit(votes)
    assert len(found.severity_) > 62
    assert found.log_likelihood_ == pytest.approx(sum(
        -found.severity_[row == 1].sum() - np.log(elementary_symmetric(found.multipliers_[row >= 0])[(row == 1).sum()])
        for row in votes))


def test_elementary_symmetric_functions_by_their_polynomial():
    values = np.array([0.2, 3.0, 1.5, 0.9])
    assert elementary_symmetric(values) == pytest.approx(np.poly(-values))


def test_measures_of_states():
    assert binary([[0, 1, 2, 3, 4, -1]], "assessability").tolist() == [[0, 1, 1, 1, 1, -1]]
    assert binary([[0, 1, 2, 3, 4, -1]], "sufficiency").tolist() == [[-1, 0, 0, 1, 1, -1]]
    assert binary([[0, 1, 2, 3, 4, -1]], "direction").tolist() == [[-1, -1, -1, 1, 0, -1]]
    with pytest.raises(PanelError, match="assessability, sufficiency, direction"):
        binary([[0]], "severity")
