"""Eigenvalue summaries: what the paper's numbers pin, the correlation of many categories, pairs without one."""
from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidial_rules.panel import binary, dependence, participation_ratio, top_share
from evidial_rules.panel.dependence import CAVEAT, equicorrelated


@pytest.mark.parametrize("r, ratio", [(0.81, 1.37954), (0.0, 5.0), (1.0, 1.0)])
def test_participation_ratio_of_equal_correlations(r, ratio):
    assert participation_ratio(equicorrelated(5, r)) == pytest.approx(ratio, abs=5e-6)
    assert participation_ratio(equicorrelated(5, r)) == pytest.approx(5 / (1 + 4 * r**2))


@pytest.mark.parametrize("share, ratio", [(0.84, 1.404), (0.87, 1.314)])
def test_the_papers_top_shares_give_its_ratios(share, ratio):
    matrix = equicorrelated(5, (5 * share - 1) / 4)
    assert top_share(matrix) == pytest.approx(share)
    assert participation_ratio(matrix) == pytest.approx(ratio, abs=5e-4)


def test_the_caveats_example_by_simulation():
    # Independent errors on a balanced truth: the errors share nothing, and the ratio is low all the same.
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 40_000)
    votes = truth[:, None] ^ (rng.random((40_000, 5)) < 0.05)
    found = dependence(votes.astype(int), 2)
    assert found.participation.value == pytest.approx(1.380, abs=0.01)
    assert found.independent_alike == pytest.approx(0.81, abs=0.01)
    assert CAVEAT in found.summary() and found.to_dict()["caveat"] == CAVEAT


@given(arrays.arrays(np.int64, (12, 3), elements=st.integers(0, 1)))
def test_two_categories_give_pearsons_correlation(votes):
    found = dependence(votes, 2)
    if not found.left_out:
        assert found.correlations == pytest.approx(np.corrcoef(votes.T))
        eigenvalues = np.linalg.eigvalsh(np.corrcoef(votes.T))
        assert found.participation.value == pytest.approx(9 / (eigenvalues**2).sum())
        assert found.top.value == pytest.approx(eigenvalues[-1] / 3)


def test_many_categories_give_the_correlation_of_the_indicators(panel):
    votes = panel[0][(panel[0] >= 0).all(1)]
    found = dependence(votes, 5)
    flat = np.stack([(votes == k) - (votes == k).mean(0) for k in range(5)]).transpose(2, 0, 1).reshape(4, -1)
    expected = flat @ flat.T / np.sqrt(np.outer((flat**2).sum(1), (flat**2).sum(1)))
    assert found.correlations == pytest.approx(expected)


def test_each_pair_rests_on_its_common_cells(panel):
    votes = binary(panel[0], "assessability")
    found = dependence(votes, 2)
    both = (votes[:, 1] >= 0) & (votes[:, 2] >= 0)
    assert found.correlations[1, 2] == pytest.approx(np.corrcoef(votes[both, 1], votes[both, 2])[0, 1])
    assert found.fewest == both.sum()


def test_relabelling_and_order_do_not_matter(panel):
    before = dependence(panel[0], 5)
    after = dependence(np.array([4, 2, 0, 1, 3, -1])[panel[0]][:, ::-1], 5)
    assert after.participation.value == pytest.approx(before.participation.value)
    assert after.eigenvalues == pytest.approx(before.eigenvalues)


def test_a_pairwise_matrix_that_is_indefinite_says_so():
    # Each pair on cells of its own: a with b and b with c alike, a with c opposite.
    blocks = [[0, 0, -1], [1, 1, -1]] * 3 + [[-1, 0, 0], [-1, 1, 1]] * 3 + [[0, -1, 1], [1, -1, 0]] * 3
    found = dependence(blocks, 2)
    assert found.indefinite and found.to_dict()["indefinite"] is True
    assert found.participation.value == pytest.approx(1.0)


def test_judges_alike_count_as_one():
    found = dependence(np.array([[0, 0, 0], [1, 1, 1], [2, 2, 2]]), 3)
    assert found.participation.value == pytest.approx(1) and found.top.value == pytest.approx(1)


def test_the_interval_is_of_participants(panel):
    votes, people, _, _ = panel
    one, other = (dependence(votes, 5, participants=people, replicates=200, seed=2) for _ in range(2))
    assert one.to_dict() == other.to_dict()
    assert one.participation.lower < one.participation.value < one.participation.upper
    assert one.top.lower < one.top.value < one.top.upper


@pytest.mark.parametrize("votes, left, why", [
    ([[0, 1], [0, 0]], {"r0": "all its votes are of one category"}, "1 raters with votes of two categories"),
    ([[-1, 1], [-1, 0]], {"r0": "it has no valid vote"}, "1 raters"),
    ([[0, -1], [1, -1], [-1, 0], [-1, 1]], {}, "no correlation of r0 and r1"),
    ([[0, 0], [1, -1], [-1, 1]], {}, "no correlation of r0 and r1"),
    ([[0], [1]], {}, "1 raters"),
])
def test_what_is_undefined_is_null_with_a_reason(votes, left, why):
    found = dependence(votes, 2, replicates=10)
    assert found.left_out == left and found.participation.value is None and why in found.participation.why
    assert found.eigenvalues is None and "undefined" in found.summary()
    json.dumps(found.to_dict(), allow_nan=False)
