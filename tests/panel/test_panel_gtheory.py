"""G-theory: reference values, the paper's coefficients, votes missing against explicit projections."""
from __future__ import annotations

import json

import numpy as np
import pytest

from evidial_rules.panel import PanelError, coefficients, g_study


def test_reference_values(nested):
    found = g_study(*nested)
    assert found.n0 == pytest.approx(5.475524, abs=5e-7)
    assert found.ms == pytest.approx((1.924461, 0.596342, 0.0482837), abs=5e-7)
    assert found.df == (39, 180, 876)
    assert found.participant.raw == pytest.approx(0.0485111, abs=5e-8)
    assert found.unit.raw == pytest.approx(0.1096116, abs=5e-8)
    assert found.residual.raw == pytest.approx(0.0482837, abs=5e-8)
    assert found.protocol.raw == pytest.approx(0.00232107, abs=5e-9)
    both = found.coefficients()
    assert (both.raters, both.relative, both.absolute) == (5, pytest.approx(0.942444, abs=5e-7),
                                                           pytest.approx(0.939844, abs=5e-7))


def test_the_papers_coefficients():
    found = coefficients(0.054, 0.131, 0.002, 0.050, raters=5)
    assert found.relative == pytest.approx(0.94872, abs=5e-6)
    assert found.absolute == pytest.approx(0.94678, abs=5e-6)


def test_protocol_effects_change_the_absolute_coefficient_only(nested):
    scores, people = nested
    before, after = g_study(scores, people), g_study(scores + np.array([0, 5, -3, 1, 0.5]), people)
    for part in ("participant", "unit", "residual"):
        assert getattr(after, part).raw == pytest.approx(getattr(before, part).raw)
    assert after.protocol.raw > 5 and after.coefficients().absolute < 0.2
    assert after.coefficients().relative == pytest.approx(before.coefficients().relative)


def explicit(scores, people, missing):
    """The same by projections written out: sums of squares of the models in turn, traces for expectations."""
    rows, columns = np.nonzero(~missing)
    y = scores[rows, columns]
    k, u, p = (np.equal.outer(labels, np.unique(labels)).astype(float) for labels in (columns, rows, people[rows]))

    def project(*parts):
        left, size, _ = np.linalg.svd(np.hstack(parts), full_matrices=False)
        left = left[:, size > 1e-9]
        return left @ left.T

    first, second, third = project(k), project(k, p), project(k, p, u)
    ranks = [round(np.trace(one)) for one in (first, second, third)]
    residual = (y @ y - y @ third @ y) / (len(y) - ranks[2])
    between = third - second
    unit = (y @ between @ y - (ranks[2] - ranks[1]) * residual) / np.trace(u.T @ between @ u)
    between = second - first
    person = (y @ between @ y - (ranks[1] - ranks[0]) * residual - unit * np.trace(u.T @ between @ u)) \
        / np.trace(p.T @ between @ p)
    return person, unit, residual, (ranks[1] - ranks[0], ranks[2] - ranks[1], len(y) - ranks[2])


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_missing_votes_as_with_explicit_projections(nested, share):
    scores, people = nested
    missing = np.random.default_rng(7).random(scores.shape) < share
    found = g_study(scores, people, missing=missing)
    *parts, df = explicit(scores, people, missing)
    assert [found.participant.raw, found.unit.raw, found.residual.raw] == pytest.approx(parts, abs=1e-9)
    assert found.df == df


def test_components_are_recovered_with_votes_missing():
    rng = np.random.default_rng(2)
    people = np.repeat(np.arange(1500), rng.integers(1, 10, 1500))
    scores = (rng.normal(0, 0.6**0.5, 1500)[people] + rng.normal(0, 0.9**0.5, len(people)))[:, None] \
        + np.array([0.3, -0.3, 0.1, -0.1]) + rng.normal(0, 0.5**0.5, (len(people), 4))
    found = g_study(scores, people, missing=rng.random(scores.shape) < [0, 0.3, 0.6, 0.1])
    assert [found.participant.raw, found.unit.raw, found.residual.raw] == pytest.approx([0.6, 0.9, 0.5], rel=0.1)
    assert found.effects == pytest.approx([0.3, -0.3, 0.1, -0.1], abs=0.03)


def test_the_order_of_cells_and_raters_does_not_matter(panel):
    votes, people, _, _ = panel
    yes = np.where(votes < 0, -1, (votes > 0).astype(int))
    order = np.random.default_rng(0).permutation(len(yes))
    one, other = g_study(yes, people), g_study(yes[order][:, ::-1], people[order])
    for part in ("participant", "unit", "residual", "protocol"):
        assert getattr(other, part).raw == pytest.approx(getattr(one, part).raw)


def test_a_component_below_zero_is_given_raw_and_truncated():
    # Participants whose cells average out to the same: less between them than their cells would make by chance.
    scores = np.array([[0, 0], [1, 1], [1, 0], [0, 1]] * 4)
    found = g_study(scores, np.repeat(np.arange(8), 2))
    assert found.participant.raw < 0 and found.participant.truncated == 0
    row = found.to_dict()
    assert row["components"]["participant"]["raw"] < 0 == row["components"]["participant"]["truncated"]
    assert 0 <= row["decision_study"][0]["relative"] <= 1


def test_more_raters_generalize_better(nested):
    study = g_study(*nested).to_dict(most=9)["decision_study"]
    assert [row["raters"] for row in study] == list(range(1, 10))
    for name in ("relative", "absolute"):
        rising = [row[name] for row in study]
        assert rising == sorted(rising) and rising[0] < rising[-1]


def test_participants_with_one_cell_each():
    rng = np.random.default_rng(0)
    found = g_study(rng.integers(0, 2, (20, 3)), np.arange(20))
    assert found.unit is None and "one cell" in found.why and found.ms[1] is None
    json.dumps(found.to_dict(), allow_nan=False)


def test_one_participant():
    rng = np.random.default_rng(0)
    found = g_study(rng.integers(0, 2, (20, 3)), np.zeros(20, dtype=int))
    assert found.participant is None and "one participant" in found.why and found.unit is not None
    json.dumps(found.to_dict(), allow_nan=False)


def test_constant_votes_have_no_coefficient():
    found = g_study(np.ones((6, 2), dtype=int), [0, 0, 1, 1, 2, 2])
    assert found.coefficients().relative is None and found.coefficients().absolute is None
    json.dumps(found.to_dict(), allow_nan=False)
    assert "undefined" in found.summary()


@pytest.mark.parametrize("scores, text", [
    ([[1], [0]], "there is no residual"),
    ([[-1, -1]], "expected votes"),
    ([[1, -1], [0, -1]], "none of r1"),
    ([[1, -1], [-1, 1], [0, -1]], "linked by cells"),
    ([[1.0, np.inf]], "finite numbers"),
    ([1, 0], "an array of cells by raters"),
])
def test_what_cannot_be_decomposed(scores, text):
    with pytest.raises(PanelError, match=text):
        g_study(scores, np.zeros(len(scores), dtype=int))


def test_a_panel_of_no_rater():
    with pytest.raises(PanelError, match="from 1"):
        coefficients(1, 1, 1, 1, raters=0)
