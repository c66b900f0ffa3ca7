"""The multitrait-multimethod matrix: how pairs are counted, centring, repeated visits, what is undefined."""
from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidial_rules.contract import DIMENSIONS
from evidial_rules.panel import PanelError, mtmm
from evidial_rules.panel.mtmm import correlate


def draw(people=200, traits=9, methods=5, *, own=1.0, general=1.0, style=0.0, noise=1.0, seed=0):
    """Votes by a trait of the participant, a general lean, a method's style with the participant, and noise."""
    rng = np.random.default_rng(seed)
    lean = (own * rng.normal(size=(people, traits, 1)) + general * rng.normal(size=(people, 1, 1))
            + style * rng.normal(size=(people, 1, methods)) + noise * rng.normal(size=(people, traits, methods)))
    votes = (lean > 0).astype(int).reshape(people * traits, methods)
    return votes, np.tile(DIMENSIONS[:traits], people), np.repeat(np.arange(people), traits)


def test_nine_dimensions_and_five_protocols_make_90_and_180_pairs():
    found = mtmm(*draw())
    assert len(found.columns) == 45
    counts = {name: (block.pairs, block.defined) for name, block in found.blocks.items()}
    assert counts == {"monotrait_heteromethod": (90, 90), "heterotrait_monomethod": (180, 180),
                      "heterotrait_heteromethod": (720, 720)}


def test_the_blocks_are_means_of_plain_correlations():
    votes, traits, people = draw(traits=2, methods=2)
    found = mtmm(votes, traits, people)
    wide = votes.reshape(200, 2, 2)
    r = np.corrcoef(wide.reshape(200, 4).T)
    # Columns: trait 0 by methods 0, 1; trait 1 by methods 0, 1.
    same = {"monotrait_heteromethod": [r[0, 1], r[2, 3]], "heterotrait_monomethod": [r[0, 2], r[1, 3]],
            "heterotrait_heteromethod": [r[0, 3], r[1, 2]]}
    for name, values in same.items():
        assert found.blocks[name].mean == pytest.approx(np.mean(values))
        assert (found.blocks[name].lowest, found.blocks[name].highest) == pytest.approx((min(values), max(values)))
    assert found.ratio == pytest.approx(np.mean(r[[0, 2], [1, 3]]) / np.mean(r[[0, 1], [2, 3]]))


def test_traits_and_styles_show_where_they_should():
    by_trait = mtmm(*draw(own=2, general=0, style=0)).blocks
    by_style = mtmm(*draw(own=0, general=0, style=2)).blocks
    assert by_trait["monotrait_heteromethod"].mean > 0.5 > 0.1 > abs(by_trait["heterotrait_monomethod"].mean)
    assert by_style["heterotrait_monomethod"].mean > 0.5 > 0.1 > abs(by_style["monotrait_heteromethod"].mean)


def test_centring_takes_the_participants_own_mean_out():
    votes, traits, people = draw(general=3)
    plain, centred = mtmm(votes, traits, people), mtmm(votes, traits, people, centred=True)
    assert plain.blocks["heterotrait_monomethod"].mean > 0.3
    assert centred.blocks["heterotrait_monomethod"].mean < 0 < centred.blocks["monotrait_heteromethod"].mean
    scores = votes.reshape(200, 45).astype(float)
    scores -= scores.mean(1, keepdims=True)
    expected = np.corrcoef(scores.T)
    names = [(trait, f"r{m}") for trait in DIMENSIONS for m in range(5)]
    place = [names.index(column) for column in centred.columns]
    assert centred.correlations == pytest.approx(expected[np.ix_(place, place)])


def test_repeated_visits_are_averaged():
    votes, traits, people = draw(people=40)
    again = np.concatenate([votes, 1 - votes[:9]]), np.concatenate([traits, traits[:9]]), \
        np.concatenate([people, people[:9]])
    found = mtmm(*again)
    assert found.participants == 40
    # Participant 0 said yes once and no once on everything: all its scores are one half.
    scores = votes.reshape(40, 45).astype(float)
    scores[0] = 0.5
    names = [(trait, f"r{m}") for trait in DIMENSIONS for m in range(5)]
    place = [names.index(column) for column in found.columns]
    assert found.correlations == pytest.approx(np.corrcoef(scores.T)[np.ix_(place, place)])


def test_the_order_of_cells_raters_and_traits_does_not_matter():
    votes, traits, people = draw(people=30)
    order = np.random.default_rng(0).permutation(len(votes))
    one, other = mtmm(votes, traits, people), mtmm(votes[order][:, ::-1], traits[order], people[order])
    for name, block in one.blocks.items():
        assert other.blocks[name].mean == pytest.approx(block.mean)


def test_a_dimension_that_no_participant_of_a_language_has():
    votes, traits, people = draw(people=20)
    kept = traits != "concentration"
    found = mtmm(votes[kept], traits[kept], people[kept])
    assert found.blocks["monotrait_heteromethod"].pairs == 80


def test_columns_without_a_correlation_are_counted_and_left_out():
    votes, traits, people = draw(people=30)
    votes[traits == "sleep", 0] = 1  # does not vary
    first = np.unique(people)[:2]
    votes[(traits == "fatigue") & ~np.isin(people, first), 1] = -1  # too few participants
    found = mtmm(votes, traits, people)
    assert found.blocks["monotrait_heteromethod"].defined == 90 - 4 - 4
    assert found.blocks["heterotrait_monomethod"].defined == 180 - 8 - 8
    assert "no correlation" in found.to_dict()["why"]
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("centred", [False, True])
def test_one_rater_or_constant_votes(centred):
    votes, traits, people = draw(people=10, methods=1)
    alone = mtmm(votes, traits, people, centred=centred)
    assert alone.blocks["monotrait_heteromethod"].mean is None and alone.ratio is None
    assert alone.blocks["monotrait_heteromethod"].pairs == 0
    constant = mtmm(np.ones((20, 2), dtype=int), ["sleep", "fatigue"] * 10, np.repeat(np.arange(10), 2),
                    centred=centred)
    assert all(block.mean is None for block in constant.blocks.values())
    for found in (alone, constant):
        json.dumps(found.to_dict(), allow_nan=False)
        assert "undefined" in found.summary()


def test_too_few_columns():
    with pytest.raises(PanelError, match="two traits or by two raters"):
        mtmm([[1, -1], [0, -1]], ["sleep", "sleep"], [0, 1])


@given(arrays.arrays(float, (6, 3), elements=st.one_of(st.just(np.nan), st.floats(-5, 5))))
def test_pairwise_correlations_are_those_of_the_common_rows(values):
    found = correlate(values)
    for a in range(3):
        for b in range(3):
            both = values[np.isfinite(values[:, a]) & np.isfinite(values[:, b])][:, [a, b]]
            if np.isfinite(found[a, b]):
                assert len(both) >= 3 and -1 <= found[a, b] <= 1
                if min(both.std(0)) > 1e-3:
                    assert found[a, b] == pytest.approx(np.corrcoef(both.T)[0, 1], abs=1e-6)
            else:
                assert len(both) < 3 or min(both.std(0)) < 1e-5
