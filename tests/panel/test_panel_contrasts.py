"""Contrasts: McNemar's reference value, cross tables, references with and without a rater."""
from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidial_rules.contract import STATES
from evidial_rules.errors import EvidialError
from evidial_rules.panel import McNemar, PanelError, compare, leave_one_out, plurality

STATED = arrays.arrays(np.int64, 15, elements=st.integers(-1, 4))


def test_mcnemar_reference_values():
    found = McNemar(28, 12)
    assert found.statistic == pytest.approx(6.4)
    assert found.p == pytest.approx(0.01141204, abs=5e-9)
    assert found.exact_p == pytest.approx(0.01658900, abs=5e-9)


def test_mcnemar_counts_who_was_right_alone():
    found = McNemar.of([1, 1, 1, 0, 0, 1], [1, 0, 0, 1, 0, 0])
    assert (found.only_a, found.only_b, found.both, found.neither) == (3, 1, 1, 1)
    assert found.statistic == 1 and found.exact_p == pytest.approx(0.625)


def test_mcnemar_of_two_that_never_differ():
    row = McNemar.of([1, 0], [1, 0]).to_dict()
    assert row["statistic"] is None and row["p"] is None and row["exact_p"] == 1 and row["why"]
    json.dumps(row, allow_nan=False)


@pytest.mark.parametrize("a, b", [([1], [1, 0]), ([[1]], [[1]])])
def test_mcnemar_of_arrays_that_do_not_fit(a, b):
    with pytest.raises(PanelError, match="two arrays of one length"):
        McNemar.of(a, b)


@given(STATED, STATED)
def test_a_comparison_counts_each_cell_once(a, b):
    found = compare(a, b)
    assert found.cells == 15 and found.both == ((a >= 0) & (b >= 0)).sum()
    assert found.changed == ((a >= 0) & (b >= 0) & (a != b)).sum()
    assert found.coverage == pytest.approx(((a >= 0).mean(), (b >= 0).mean()))
    assert (found.table == compare(b, a).table.T).all()
    row = found.to_dict()
    assert sum(sum(counts.values()) for counts in row["table"].values()) == 15
    assert row["only_a"] == ((a >= 0) & (b < 0)).sum() and row["only_b"] == ((a < 0) & (b >= 0)).sum()
    json.dumps(row, allow_nan=False)


def test_the_papers_disagreement():
    # 281 of 2,120 cells with a state by both, of 2,744: 13.3%.
    a = np.array([0] * 2120 + [0] * 621 + [-1] * 3)
    b = np.array([1] * 281 + [0] * 1839 + [-1] * 624)
    found = compare(a, b, ("RE-LCA", "plurality"))
    assert found.both == 2120 and found.changed == 281 and 1 - found.agreement == pytest.approx(0.133, abs=5e-4)
    assert found.coverage == pytest.approx((0.999, 0.773), abs=5e-4)
    assert found.summary().startswith("RE-LCA - plurality: 281 of 2120")


def test_no_common_cell():
    found = compare([-1, 0], [1, -1])
    assert found.agreement is None and "no cell" in found.summary()


def test_comparisons_that_do_not_fit():
    with pytest.raises(PanelError, match="as many by b as by a"):
        compare([0], [0, 1])
    with pytest.raises(PanelError, match="categories from 0 to 4"):
        compare([5], [0])


def test_without_each_rater(panel):
    votes = np.vstack([panel[0], [[-1] * 4, [2, -1, -1, -1]]])  # a cell without votes, and one with one
    found = leave_one_out(votes, plurality, raters=["rules", "a", "b", "c"])
    assert [one.rater for one in found] == ["rules", "a", "b", "c"]
    for place, one in enumerate(found):
        rest = plurality(np.delete(votes, place, 1))
        assert one.comparison.changed == compare(plurality(votes), rest).changed
        assert one.sole == ((votes[:, place] >= 0) & (np.delete(votes, place, 1) < 0).all(1)).sum()
        assert one.sole > 0 if place == 0 else one.sole < 5
        assert one.comparison.b == f"without {one.rater}"
        json.dumps(one.to_dict(), allow_nan=False)


def test_a_rater_that_repeats_another_changes_no_cell_that_has_a_state():
    votes = np.array([[0, 0], [1, 1], [3, 3]])
    assert [one.comparison.changed for one in leave_one_out(votes, plurality)] == [0, 0]


def test_a_fit_that_is_refused_without_a_rater_is_a_reason():
    def fit(votes):
        if votes.shape[1] < 3:
            raise PanelError(where="votes", expected="three raters")
        return plurality(votes)

    found = leave_one_out([[0, 0, 1], [1, 1, 1]], fit)
    assert [one.comparison for one in found] == [None] * 3 and all("three raters" in one.why for one in found)
    with pytest.raises(EvidialError):
        leave_one_out([[0, 0], [1, 1]], fit)  # not even with all of them


def test_the_only_rater_cannot_be_left_out():
    one, = leave_one_out([[0], [1]], plurality)
    assert one.comparison is None and one.sole == 2 and one.to_dict()["why"] == "there are no votes without it"


def test_a_fit_of_its_own_for_a_rater():
    seen = []

    def other(votes):
        seen.append(votes.shape)
        return plurality(votes)

    leave_one_out([[0, 0, 1]], plurality, raters=["a", "b", "c"], fits={"b": other}, states=[0])
    assert seen == [(1, 2)]


@given(arrays.arrays(np.int64, (8, 3), elements=st.integers(-1, 4)), st.permutations(range(5)))
def test_plurality_is_the_same_under_other_names(votes, code):
    names = np.array([*code, -1])
    assert (names[plurality(votes)] == plurality(names[votes])).all()
    assert len(STATES) == 5
