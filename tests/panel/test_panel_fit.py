"""Fit of a model by stratum: a model that holds passes, one that does not fails where it does not."""
from __future__ import annotations

import json

import numpy as np
import pytest

from evidial_rules.panel import PanelError, model_fit
from evidial_rules.panel.fit import STATISTICS


def votes_of(rng, prevalence, accuracy=0.8, raters=3):
    """Votes of raters that err independently; prevalence of shape (cells, 5)."""
    truth = (rng.random((len(prevalence), 1)) > prevalence.cumsum(1)).sum(1)
    wrong = rng.random((len(truth), raters)) > accuracy
    return np.where(wrong, rng.integers(0, 5, (len(truth), raters)), truth[:, None])


SOURCES = np.repeat(["a", "b"], 300)
EQUAL = np.full((600, 5), 0.2)
UNEQUAL = np.vstack([np.tile([0.7, 0.1, 0.1, 0.05, 0.05], (300, 1)), np.full((300, 5), 0.2)])


def test_a_model_that_holds_is_seldom_rejected():
    rejected = 0
    for seed in range(40):
        votes = votes_of(np.random.default_rng(seed), EQUAL)
        found = model_fit(votes, lambda rng: votes_of(rng, EQUAL), {"source": SOURCES}, replicates=99, seed=seed)
        assert [one.name for one in found.strata] == ["all", "source=a", "source=b"]
        rejected += len(found.failed)
    assert rejected <= 15  # of 120 at 5%: six are to be expected


def test_a_stratum_that_the_model_does_not_know_fails():
    votes = votes_of(np.random.default_rng(0), UNEQUAL)
    found = model_fit(votes, lambda rng: votes_of(rng, EQUAL), {"source": SOURCES}, replicates=199)
    assert "source=a" in found.failed and "source=b" not in found.failed
    a = next(one for one in found.strata if one.name == "source=a")
    assert a.p == pytest.approx(1 / 200) and a.checks["share_ABSENT"].observed > a.checks["share_ABSENT"].simulated
    assert "source=a: p 0.0050" in found.summary()


def test_dependence_that_the_model_does_not_know_shows_in_agreement():
    rng = np.random.default_rng(0)
    votes = votes_of(rng, EQUAL)
    votes[:, 1] = votes[:, 0]
    found = model_fit(votes, lambda rng: votes_of(rng, EQUAL), {}, replicates=99).strata[0]
    assert found.checks["agreement"].p == pytest.approx(0.02) and found.p == pytest.approx(0.01)


def test_holes_are_those_of_the_votes():
    votes = votes_of(np.random.default_rng(0), EQUAL)
    votes[np.random.default_rng(1).random(votes.shape) < 0.5] = -1
    found = model_fit(votes, lambda rng: votes_of(rng, EQUAL), {"source": SOURCES}, replicates=99)
    assert found.strata[0].votes == (votes >= 0).sum() and not found.failed


def test_statistics_by_hand():
    votes = np.array([[0, 0, 1], [3, 3, 3], [1, -1, -1], [-1, -1, -1]])
    checks = model_fit(votes, lambda rng: votes, {}, replicates=3).strata[0].checks
    observed = {name: check.observed for name, check in checks.items()}
    assert observed == pytest.approx({"agreement": (1 / 3 + 1) / 2, "unanimous": 0.5, "share_ABSENT": 2 / 7,
                                      "share_PARTIAL": 2 / 7, "share_CONFLICTING": 0, "share_SUFFICIENT_POS": 3 / 7,
                                      "share_SUFFICIENT_NEG": 0})
    assert all(check.p == 1 for check in checks.values()) and set(observed) == set(STATISTICS)


def test_strata_without_votes_or_without_pairs():
    votes = np.array([[0, 1], [0, 0], [-1, -1], [2, -1]])
    found = model_fit(votes, lambda rng: rng.integers(0, 5, votes.shape), {"s": ["x", "x", "y", "z"]}, replicates=9)
    by_name = {one.name: one for one in found.strata}
    assert by_name["s=y"].p is None and by_name["s=y"].why == "no votes"
    assert "agreement" not in by_name["s=z"].checks and by_name["s=z"].p is not None
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.to_dict()["tested"] == 3


def test_the_seed_decides():
    votes = votes_of(np.random.default_rng(0), EQUAL)
    runs = [model_fit(votes, lambda rng: votes_of(rng, EQUAL), {}, replicates=20, seed=seed).to_dict()
            for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("change, text", [
    ({"replicates": 0}, "a number from 1"),
    ({"strata": {"source": ["a"]}}, "one label for each of 2 cells"),
    ({"simulate": lambda rng: np.array([[0, -1], [0, 0]])}, "a vote wherever one was given"),
    ({"simulate": lambda rng: np.array([[0, 0]])}, "a vote wherever one was given"),
    ({"simulate": lambda rng: np.array([[0, 7], [0, 0]])}, "simulated votes"),
])
def test_what_does_not_fit(change, text):
    arguments = {"votes": [[0, 1], [1, 1]], "simulate": lambda rng: [[0, 0], [0, 0]], "strata": {}, **change}
    with pytest.raises(PanelError, match=text):
        model_fit(**arguments)
