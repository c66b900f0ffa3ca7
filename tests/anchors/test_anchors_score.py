"""Scoring votes on anchors: hits, invalid votes, bounds, the gate, modes that overlap."""
from __future__ import annotations

import json

import pytest

from evidial_rules.anchors import CLASSES, MODES, AnchorError, read_anchors, score
from evidial_rules.anchors.score import Anchor, Condition
from evidial_rules.contract import Dialogue


def anchor(number, name, language="en", dimension="sleep"):
    row = {"dialogue_id": f"{name}{language}{number}", "language": language, "instrument": "PHQ-8", "turns": []}
    return Anchor(Dialogue.from_dict(row), name, dimension, CLASSES[name].expected)


def votes(anchors, wrong=(), invalid=()):
    return {(a.dialogue.dialogue_id, a.dimension): None if i in invalid else "PARTIAL" if i in wrong else a.expected
            for i, a in enumerate(anchors)}


def test_hits_and_invalid_votes_are_counted_apart():
    held = [anchor(i, "P2") for i in range(12)]
    scores = score(held, {"r": votes(held, wrong={0}, invalid={1, 2})})
    one = scores.classes["P2", "r", "all"]
    assert (one.n, one.valid, one.hits) == (12, 10, 9) and one.rate == 0.75
    assert one.states["ABSENT"] == 9 and one.states["PARTIAL"] == 1 and sum(one.states.values()) == 10


def test_a_missing_vote_is_no_hit():
    held = [anchor(i, "P2") for i in range(11)]
    given = votes(held)
    del given["P2en0", "sleep"]
    assert score(held, {"r": given}).classes["P2", "r", "all"].hits == 10


def test_only_the_anchors_own_dimension_counts():
    held = [anchor(0, "P1", dimension="fatigue")]
    given = {("P1en0", "sleep"): "ABSENT"}
    assert score(held, {"r": given}).classes["P1", "r", "all"].valid == 0


@pytest.mark.parametrize("n, fewest", [(11, 11), (35, 31), (36, 32), (50, 43), (61, 52), (64, 55)])
def test_the_fewest_hits_that_pass(n, fewest):
    # What exact arithmetic gives for Beta(1, 1) and a tail of 5%.
    assert Condition("r", "all", n, n, fewest, {}).passed is True
    assert Condition("r", "all", n, n, fewest - 1, {}).passed is False


@pytest.mark.parametrize(("hits", "n", "bound"), [(12, 12, 0.05 ** (1 / 13)), (0, 12, 1 - 0.95 ** (1 / 13))])
def test_the_lower_bound_is_the_fifth_percentile(hits, n, bound):
    assert Condition("r", "all", n, n, hits, {}).lower == pytest.approx(bound, abs=1e-9)


def test_the_gate_is_read_over_both_languages_and_not_under_ten():
    held = [anchor(i, "P4-op", language) for language in ("en", "zh") for i in range(6)]
    scores = score(held, {"r": votes(held)})
    assert scores.modes["F1", "r", "en"].passed is None and scores.modes["F1", "r", "all"].passed is True
    assert scores.passed("r") == ["F1"]


def test_p8_counts_in_two_modes():
    held = [anchor(i, "P8") for i in range(3)]
    scores = score(held, {"r": votes(held)})
    assert [m for m in MODES if scores.modes[m, "r", "all"].n] == ["F2", "F6"] and scores.total("r") == (3, 3)


def test_the_object_has_every_class_mode_language_and_rater():
    held = [anchor(0, "P1"), anchor(0, "P1", "zh")]
    out = score(held, {"a": votes(held), "b": {}}).to_dict()
    assert len(out["classes"]) == 12 * 2 * 3 and len(out["modes"]) == 6 * 2 * 3
    first = out["classes"][0]
    assert {"class", "rater", "language", "n", "valid", "hits", "rate", "lower", "passed", "states"} <= set(first)
    none = next(x for x in out["classes"] if x["class"] == "P5")
    assert none["n"] == 0 and none["rate"] is None and none["lower"] is None and none["passed"] is None


ROW = {"dialogue_id": "m", "language": "en", "instrument": "PHQ-8", "turns": []}


@pytest.mark.parametrize("anchor, place", [
    (None, "anchor"), ({"class": "P9", "dimension": "sleep", "expected": "ABSENT"}, "anchor.class"),
    ({"class": "P1", "dimension": "mood", "expected": "ABSENT"}, "anchor.dimension"),
    ({"class": "P1", "dimension": "sleep", "expected": ["ABSENT"]}, "anchor.expected"),
])
def test_lines_that_are_no_anchors_are_refused(tmp_path, anchor, place):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**ROW, "anchor": anchor}) + "\n")
    with pytest.raises(AnchorError, match=place) as error:
        list(read_anchors(path))
    assert "a.jsonl:1" in str(error.value)
