"""Agreement coefficients: reference values, invariances, what is undefined, intervals."""
from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidial_rules.panel import PanelError, agreement

VOTES = arrays.arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.integers(-1, 2))


def values(found):
    return {name: one.value for name, one in found.coefficients.items()}


def test_reference_values(three_judges):
    found = agreement(three_judges, 5)
    assert found.coefficients["krippendorff"].value == pytest.approx(0.4776137, abs=5e-8)
    assert found.coefficients["fleiss_complete"].value == pytest.approx(0.4663462, abs=5e-8)
    assert found.coefficients["fleiss_complete"].n == 154
    assert found.coefficients["fleiss"].value == pytest.approx(0.478, abs=5e-4)
    assert found.coefficients["gwet_ac1"].value == pytest.approx(0.51275, abs=5e-6)
    cohen = found.cohen["r0", "r1"]
    assert (cohen.value, cohen.n) == (pytest.approx(0.5150623, abs=5e-8), 306)


def test_fleiss_own_example():
    # Fleiss (1971) in the form of a well-known table: ten subjects, fourteen raters, five categories, kappa .210.
    counts = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
              [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
    votes = [[k for k, n in enumerate(row) for _ in range(n)] for row in counts]
    found = agreement(votes, 5)
    assert found.coefficients["fleiss"].value == pytest.approx(0.210, abs=5e-4)
    assert found.coefficients["fleiss_complete"].value == found.coefficients["fleiss"].value


def test_the_papers_agreement_holds_together():
    # Observed .866 and the plurality's 2,378, 869 and 2,036 cells as margins give its kappa of .785, by this formula.
    # Some cells are split so that the observed agreement is the paper's.
    split = np.array([2378, 869, 2036]) * 1072 // 3200
    whole = np.array([2378, 869, 2036]) - split
    votes = np.vstack([np.repeat([[k] * 5 for k in range(3)], whole, axis=0),
                       np.repeat([[0, 0, 0, 0, 2], [1, 1, 1, 1, 0], [2, 2, 2, 2, 0]], split, axis=0)])
    found = agreement(votes, 3).coefficients
    assert found["observed"].value == pytest.approx(0.866, abs=1e-3)
    assert found["fleiss"].value == pytest.approx(0.785, abs=3e-3)


def test_with_complete_votes_krippendorff_is_fleiss_corrected_for_the_sample():
    rng = np.random.default_rng(0)
    votes = rng.integers(0, 3, (50, 4))
    found = values(agreement(votes, 3))
    assert found["fleiss"] == pytest.approx(found["fleiss_complete"])
    assert 1 - found["krippendorff"] == pytest.approx((1 - found["fleiss"]) * (1 - 1 / votes.size))


@given(VOTES)
def test_nothing_is_nan_and_what_is_undefined_says_why(votes):
    found = agreement(votes, 3, replicates=7)
    json.dumps(found.to_dict(), allow_nan=False)
    for one in [*found.coefficients.values(), *found.cohen.values(), *found.percent.values()]:
        assert (one.value is None) <= (one.why is not None)
        assert one.value is None or (math.isfinite(one.value) and one.value <= 1 + 1e-12)
    assert "undefined" in found.summary() or all(one.value is not None for one in found.coefficients.values())


@given(VOTES, st.permutations([0, 1, 2]), st.randoms())
def test_names_of_raters_states_and_cells_do_not_matter(votes, code, shuffle):
    columns = list(range(votes.shape[1]))
    rows = list(range(votes.shape[0]))
    shuffle.shuffle(columns)
    shuffle.shuffle(rows)
    renamed = np.array([*code, -1])[votes][rows][:, columns]
    before, after = values(agreement(votes, 3)), values(agreement(renamed, 3))
    for name, value in before.items():
        assert after[name] == (None if value is None else pytest.approx(value, abs=1e-9))


@given(arrays.arrays(np.int64, st.integers(2, 12), elements=st.integers(0, 2)))
def test_identical_raters_agree_perfectly(states):
    found = agreement(np.stack([states] * 3, 1), 3)
    if len(set(states)) > 1:
        assert values(found) == pytest.approx(dict.fromkeys(values(found), 1.0))
        assert all(one.value == pytest.approx(1) for one in found.cohen.values())
    else:
        assert found.coefficients["krippendorff"].value is None
        assert found.coefficients["gwet_ac1"].value == 1
        assert found.coefficients["observed"].value == 1


def test_one_rater_only_has_no_agreement():
    found = agreement([[0], [1], [2]], 3)
    assert not found.cohen
    assert {one.why for one in found.coefficients.values()} == {
        "no cell with two votes or more", "no cell on which every rater voted"}


def test_the_interval_draws_participants_and_not_cells(panel):
    votes, people, _, _ = panel
    by_people = agreement(votes, 5, participants=people, replicates=600, seed=1).coefficients["observed"]
    by_cells = agreement(votes, 5, replicates=600, seed=1).coefficients["observed"]
    assert by_people.value == by_cells.value and by_people.lower < by_people.value < by_people.upper
    # Cells that come eight times each: without their participants the interval is too short by the root of eight.
    many, owners = np.tile(votes, (8, 1)), np.tile(np.arange(len(votes)), 8)
    honest = agreement(many, 5, participants=owners, replicates=600).coefficients["observed"]
    naive = agreement(many, 5, replicates=600).coefficients["observed"]
    assert (honest.upper - honest.lower) / (naive.upper - naive.lower) == pytest.approx(8**0.5, rel=0.2)


def test_the_bootstrap_is_that_of_drawn_participants(panel):
    votes, people, _, _ = panel
    found = agreement(votes, 5, participants=people, replicates=400, seed=5).coefficients["krippendorff"]
    rng = np.random.default_rng(5)
    plain = []
    for _ in range(400):
        drawn = rng.choice(40, 40)
        plain.append(agreement(np.concatenate([votes[people == p] for p in drawn]), 5)
                     .coefficients["krippendorff"].value)
    assert [found.lower, found.upper] == pytest.approx(np.quantile(plain, [0.025, 0.975]), abs=0.02)


def test_strata_keep_the_mix_of_sources():
    # Two sources that differ, alike within: between them lies all there is to resample.
    votes = np.array([[0, 0, 0]] * 20 + [[0, 1, 2]] * 20)
    votes[0] = [1, 1, 1]
    source = np.repeat(["a", "b"], 20)
    free = agreement(votes, 3, replicates=300).coefficients["observed"]
    kept = agreement(votes, 3, strata=source, replicates=300).coefficients["observed"]
    assert kept.lower == kept.upper == 0.5 and free.upper - free.lower > 0.2


def test_the_interval_is_that_of_the_level():
    # Cells that agree or not, one a participant: the share of agreeing ones is binomial.
    votes = np.array([[0, 0]] * 200 + [[0, 1]] * 200)
    for level, z in ((0.95, 1.96), (0.8, 1.2816)):
        found = agreement(votes, 2, replicates=4000, level=level).coefficients["observed"]
        assert [found.lower, found.upper] == pytest.approx([0.5 - z * 0.025, 0.5 + z * 0.025], abs=0.004)


def test_each_stratum_keeps_its_number_of_participants():
    votes = np.array([[0, 0]] * 30 + [[0, 1]] * 10)
    found = agreement(votes, 2, strata=[0] * 30 + [1] * 10, replicates=50).coefficients["observed"]
    assert (found.lower, found.value, found.upper) == (0.75, 0.75, 0.75)


def test_the_seed_decides(panel):
    votes, people, _, _ = panel
    runs = [agreement(votes, 5, participants=people, replicates=50, seed=seed).to_dict() for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("arguments, text", [
    ({"votes": [[0, 3]], "categories": 3}, "categories from 0 to 2"),
    ({"votes": [[0.0, 1.0]], "categories": 3}, "an integer array"),
    ({"votes": [[0, 1], [1]], "categories": 3}, "an array of cells by raters"),
    ({"votes": [[0, 1]], "categories": 3, "participants": ["a", "b"]}, "one label for each of 1 cells"),
    ({"votes": [[0, 1]], "categories": 3, "raters": ["a"]}, "2 names, found 1"),
    ({"votes": [[0, 1]], "categories": 3, "level": 1.0}, "between 0 and 1"),
    ({"votes": [[0, 1]], "categories": 3, "replicates": -1}, "a number from 0"),
    ({"votes": [[0, 1], [0, 1]], "categories": 3, "participants": [1, 1], "strata": ["a", "b"]},
     "each participant in one stratum"),
])
def test_arrays_that_do_not_fit(arguments, text):
    with pytest.raises(PanelError, match=text):
        agreement(**arguments)
