"""From a panel's votes to reference lines; anchors as pseudo-counts and calibration; covariates; bootstrap."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evidial_rules.contract import STATES, Dialogue, Vote
from evidial_rules.corpora import MISSING, vote_table
from evidial_rules.fusion import AnchorVotes, FusionError, Options, calibrate, covariates, fuse, pseudo_counts
from evidial_rules.fusion.bootstrap import participant_weights
from evidial_rules.fusion.patterns import DECLINED, K, collapse, vote_codes

DIMENSIONS = ("depressed_mood", "anhedonia", "sleep", "fatigue", "appetite_weight", "guilt_worthlessness",
              "concentration", "psychomotor")
RATERS = ("rules", "x", "y")


def talks(n):
    return [Dialogue(dialogue_id=f"d{i}", source="S" if i % 3 else "T", language="en", instrument="PHQ-8",
                     turns=[{"speaker": "participant", "text": "hello"}]) for i in range(n)]


def panel(n=60, seed=0, accuracy=0.85):
    """Votes of three raters on every cell of n dialogues, and the states that they are about."""
    rng = np.random.default_rng(seed)
    truth, votes = {}, []
    for talk in talks(n):
        for dimension in DIMENSIONS:
            state = int(rng.choice(K, p=[0.35, 0.3, 0.1, 0.15, 0.1]))
            truth[talk.dialogue_id, dimension] = state
            for rater in RATERS:
                given = state if rng.random() < accuracy else int(rng.integers(K))
                votes.append(Vote(talk.dialogue_id, dimension, rater, STATES[given]))
    return truth, vote_table(votes, talks(n))


def on_anchors(n=300, seed=1, accuracy=0.85):
    rng = np.random.default_rng(seed)
    expected = rng.integers(0, K, n)
    votes = {rater: np.where(rng.random(n) < accuracy, expected, rng.integers(0, K, n)) for rater in RATERS}
    return AnchorVotes(expected, tuple(f"b{i // 12}" for i in range(n)), votes)


@pytest.mark.parametrize("method", ["plurality", "mean", "dawid-skene", "relca"])
def test_a_line_for_each_cell(method):
    truth, table = panel()
    fused = fuse(table, method, Options(terms=("source", "group"), n_starts=1))
    lines = list(fused.references())
    assert [(one.dialogue_id, one.dimension) for one in lines] == list(table.cells)
    assert all(sum(one.posterior.values()) == pytest.approx(1, abs=1e-6) and one.raters == 3 for one in lines)
    decided = [one for one in lines if one.state != "UNRESOLVED"]
    right = np.mean([STATES.index(one.state) == truth[one.dialogue_id, one.dimension] for one in decided])
    assert right > 0.9 and len(decided) > 0.9 * len(lines)
    for one in decided:
        assert one.posterior[one.state] == max(one.posterior.values())
    assert sum(fused.shares().values()) == pytest.approx(1)
    row = fused.to_dict()
    assert row["method"] == method and (row["fit"] is None) == (method in ("plurality", "mean"))


def test_entropy_is_in_nats():
    table = vote_table([Vote("d", "sleep", "a", "ABSENT"), Vote("d", "sleep", "b", "PARTIAL")])
    [line] = fuse(table, "mean").references()
    assert line.state == "UNRESOLVED" and line.entropy == pytest.approx(np.log(2))


def test_one_rater_or_an_unknown_method():
    table = vote_table([Vote("d", "sleep", "a", "ABSENT")])
    with pytest.raises(FusionError, match="two raters"):
        fuse(table, "plurality")
    with pytest.raises(FusionError, match="one of plurality"):
        fuse(panel(2)[1], "majority")


def test_raters_that_say_one_thing_only_are_warned_of():
    table = vote_table([Vote(f"d{i}", "sleep", rater, "ABSENT") for i in range(20) for rater in RATERS])
    fused = fuse(table, "plurality")
    assert any("one state only" in words for words in fused.warnings)
    assert {one.state for one in fused.references()} == {"ABSENT"}
    with pytest.raises(FusionError, match="two states"):
        fuse(table, "relca")


def test_design_matrix_has_an_indicator_for_each_further_level():
    _, table = panel(6)
    x, names = covariates(table)
    assert names == ("intercept", "source S/en", "group somatic", "group cognitive") and x.shape == (48, 4)
    assert (x[:, 0] == 1).all() and x[:, 1].sum() == 4 * 8 and x[:, 3].sum() == 6
    with pytest.raises(FusionError, match="source or group"):
        covariates(table, ["age"])


def test_a_source_without_votes_is_refused():
    votes = [Vote("d0", "sleep", rater, "ABSENT") for rater in RATERS]
    with pytest.raises(FusionError, match="a vote on a cell of 'S' 'en'"):
        covariates(vote_table(votes, talks(2)), ["source"])


def test_pseudo_counts_are_votes_on_anchors():
    anchors = on_anchors(200)
    counts = pseudo_counts((*RATERS, "none"), anchors.votes, anchors.expected)
    assert counts[:3].sum() == 600 and counts[3].sum() == 0
    assert counts[0, 2, 3] == ((anchors.expected == 2) & (anchors.votes["rules"] == 3)).sum()
    strong = pseudo_counts(RATERS, anchors.votes, anchors.expected, strength=20)
    assert strong.sum(axis=2) == pytest.approx(20)
    with pytest.raises(FusionError, match="0 or more"):
        pseudo_counts(RATERS, anchors.votes, anchors.expected, strength=-1)


def test_anchors_move_a_latent_class_fit():
    _, table = panel(20)
    plain = fuse(table, "relca", Options(n_starts=1))
    anchors = on_anchors(accuracy=0.95)
    sure = fuse(table, "relca", Options(n_starts=1, strength=1e4), anchors)
    shares = pseudo_counts(RATERS, anchors.votes, anchors.expected, strength=1)
    assert sure.result.emissions == pytest.approx(shares, abs=0.01)
    assert np.abs(plain.result.emissions - shares).max() > 0.03


def posterior_of(confidence, state=0):
    found = np.full((len(confidence), K), 0.0)
    found[:, state] = confidence
    found[:, 1:] = ((1 - np.asarray(confidence)) / (K - 1))[:, None]
    return found


def graded(n=400, seed=0):
    """Anchors that are decided rightly as often as the posterior says."""
    rng = np.random.default_rng(seed)
    confidence = rng.uniform(0.22, 1, n)
    return posterior_of(confidence), np.where(rng.random(n) < confidence, 0, 1)


@pytest.mark.parametrize("on", ["posterior", "entropy"])
def test_a_threshold_where_the_anchors_support_one(on):
    posterior, expected = graded()
    found = calibrate(posterior, expected, np.full(400, 3), on=on)
    assert found.threshold is not None and sum(one.n for one in found.bins) == 400
    kept = posterior.max(axis=1) >= found.threshold if on == "posterior" else None
    if kept is not None:
        assert (posterior[kept].argmax(axis=1) != expected[kept]).mean() <= found.target
        assert [one.low for one in found.bins] == sorted((one.low for one in found.bins), reverse=True)


def test_no_threshold_and_why():
    posterior, expected = graded(30)
    assert "bins hold at least 10" in calibrate(posterior, expected, np.ones(30)).why
    posterior, expected = graded()
    turned = calibrate(posterior, np.where(posterior.max(axis=1) > 0.5, 1, 0), np.full(400, 2))
    assert turned.threshold is None and "more often right" in turned.why
    wrong = calibrate(posterior, np.ones(400, dtype=int), np.full(400, 2))
    assert wrong.threshold is None and "even the surest bin" in wrong.why
    right = calibrate(posterior, np.zeros(400, dtype=int), np.full(400, 2))
    assert right.threshold is None and "no threshold is needed" in right.why
    with pytest.raises(FusionError, match="at least one vote"):
        calibrate(posterior, expected, np.zeros(400))
    half = calibrate(posterior, expected, np.r_[np.ones(200), np.full(200, 2)])
    assert half.single == pytest.approx(0.5)


def declining(n=80, seed=0):
    """A panel in two languages; y declines every third vote in one of them and all in the other."""
    _, table = panel(n, seed)
    chinese = np.arange(len(table)) >= len(table) // 2
    votes, invalid = table.votes.copy(), np.zeros(table.votes.shape, dtype=bool)
    y = table.column("y")
    invalid[:, y] = chinese | (np.random.default_rng(seed).random(len(table)) < 1 / 3)
    votes[invalid] = MISSING
    votes[:5, table.column("x")] = MISSING  # not asked for
    return replace(table, votes=votes, invalid=invalid, languages=tuple(np.where(chinese, "zh", "en")))


def test_only_votes_that_were_asked_for_are_declined():
    """A rater without a usable vote in a language was left out there."""
    table = declining()
    codes, y = vote_codes(table, declined=True), table.column("y")
    half = len(table) // 2
    assert (codes[half:, y] == MISSING).all() and (codes[:5, table.column("x")] == MISSING).all()
    assert ((codes[:half, y] == DECLINED) == table.invalid[:half, y]).all() and (codes == DECLINED).sum() > 50
    assert (vote_codes(table) == table.votes).all()


def test_fusing_with_missing_votes_on_hard_cells():
    table = declining()
    fused = fuse(table, "relca", Options(missing="hard", terms=("source",), n_starts=1))
    assert fused.result.model.voting.sum(axis=1).tolist() == [0, 0, 2]
    assert fused.to_dict()["fit"]["missing"]["effect"]["se"] > 0
    assert fused.bootstrap(2)["replicates"] == 2
    anchored = fuse(table, "relca", Options(missing="hard", threshold="posterior", n_starts=1), on_anchors())
    assert anchored.calibration is not None
    with pytest.raises(FusionError, match="the method relca"):
        fuse(table, "dawid-skene", Options(missing="hard"))


def test_a_threshold_leaves_unsure_cells_unresolved():
    _, table = panel(60, accuracy=0.6)
    fused = fuse(table, "mean", Options(threshold="posterior"), on_anchors(1500, accuracy=0.55))
    assert fused.calibration is not None
    if fused.calibration.threshold is None:
        assert fused.calibration.why.startswith("no threshold")
    else:
        unsure = fused.posterior.max(axis=1) < fused.calibration.threshold
        assert (fused.states[unsure] == -1).all()


def test_anchors_are_not_judged_with_their_own_votes():
    """With pseudo-counts of its own half an anchor that all raters get wrong would be decided rightly."""
    _, table = panel(20)
    expected = np.repeat([0, 1], 12)
    wrong = {rater: np.repeat([3, 4], 12) for rater in RATERS}
    anchors = AnchorVotes(expected, tuple(["b0"] * 12 + ["b1"] * 12), wrong)
    fused = fuse(table, "relca", Options(n_starts=1, strength=1e4, threshold="entropy"), anchors)
    assert sum(one.errors for one in fused.calibration.bins) == 24


def test_participants_are_drawn_whole_and_within_their_source():
    clusters = np.repeat(np.arange(30), 8)
    strata = (clusters >= 20).astype(np.int64)
    for weights in participant_weights(clusters, 20, 0, strata):
        assert (weights.reshape(30, 8) == weights.reshape(30, 8)[:, :1]).all()
        assert weights[strata == 0].sum() == 160 and weights.sum() == 240
    sizes = {w[strata == 0].sum() for w in participant_weights(clusters, 20, 0)}
    assert len(sizes) > 1


@pytest.mark.parametrize("method", ["plurality", "relca"])
def test_bootstrap_intervals_hold_the_shares_and_are_seeded(method):
    _, table = panel(40)
    fused = fuse(table, method, Options(n_starts=1))
    found = fused.bootstrap(30, seed=3)
    for state, share in fused.shares().items():
        low, high = found["shares"][state]
        assert low - 0.02 <= share <= high + 0.02 and low <= high
    assert found == fused.bootstrap(30, seed=3) != fused.bootstrap(30, seed=4)
    assert ("sigma" in found) == (method == "relca")
    within = fused.bootstrap(30, seed=3, by_source=True)
    assert within["shares"] != found["shares"]


def test_collapse_counts_and_weighs():
    votes = np.array([[0, 1], [1, MISSING], [0, 1]], dtype=np.int8)
    x = np.array([[1.0, 0], [1, 0], [1, 1]])
    found = collapse(votes, x)
    assert found.n == 3 and len(found.counts) == 3 and len(found.votes) == 2
    assert (found.votes[found.vote][found.of_cell] == votes).all() and (found.x[found.level][found.of_cell] == x).all()
    assert found.reweighted([2, 0, 1]).counts.sum() == 3
    wide = np.repeat(votes, 15, axis=1)
    assert (collapse(wide).votes[collapse(wide).vote][collapse(wide).of_cell] == wide).all()
