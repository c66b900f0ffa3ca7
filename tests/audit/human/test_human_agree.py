"""Figures of the human validation against small cases counted by hand, and the paper's own counts."""
from __future__ import annotations

from collections import Counter

import pytest
from human_study import talk

from evidial_rules.audit.human import (
    Annotation,
    HumanError,
    Item,
    Key,
    Quote,
    agreement_part,
    human_reference,
    human_report,
    recovery_part,
    reference_part,
    rescoring_part,
)
from evidial_rules.contract import STATES, PlannedCell, Prediction, Reference
from evidial_rules.resources import load_instrument

DIMENSIONS = load_instrument("PHQ-8").ordered


@pytest.fixture
def whole():
    """The paper's 120 cells, of 15 participants."""
    talks = {f"d{i}": talk(f"d{i}") for i in range(15)}
    cells = [(name, dimension) for name in talks for dimension in DIMENSIONS]
    items = {f"aaaaa{chr(97 + i // 25)}{chr(97 + i % 25)}": cell for i, cell in enumerate(cells)}
    key = Key("studyaaa", {name: Item(name, "studyaaa", *cell, "E-DAIC", state="ABSENT")
                           for name, cell in items.items()})
    return key, talks, cells


def annotations(key, name, states, round=1, quotes=()):
    return [Annotation(key.study, one.item, *one.cell, name, state, quotes, round)
            for one, state in zip(key.items.values(), states, strict=False) if state is not None]


def kappa(one, other):
    n = len(one)
    left, right = Counter(one), Counter(other)
    chance = sum(left[s] * right[s] for s in left) / n**2
    return (sum(a == b for a, b in zip(one, other, strict=True)) / n - chance) / (1 - chance)


def alpha(one, other):
    """Krippendorff's, nominal, from the coincidences of two raters without gaps."""
    pooled = Counter([*one, *other])
    n = 2 * len(one)
    disagree = 2 * sum(a != b for a, b in zip(one, other, strict=True))
    return 1 - (n - 1) * disagree / (n**2 - sum(count**2 for count in pooled.values()))


def test_agreement_on_five_states_and_on_four(whole):
    key, talks, _ = whole
    one = [STATES[i % 5] for i in range(120)]
    other = [STATES[(i + (i % 6 == 0)) % 5] for i in range(120)]
    found = agreement_part(key, annotations(key, "A", one) + annotations(key, "B", other), talks, replicates=50)
    assert found["raters"] == ["A", "B"] and found["cells"] == 120
    five = found["five_states"]
    assert five["raw"]["value"] == pytest.approx(100 / 120, abs=1e-6) and len(five["raw"]["ci"]) == 2
    assert five["pairs"][0]["cohen"]["value"] == pytest.approx(kappa(one, other), abs=1e-6)
    assert five["krippendorff"]["value"] == pytest.approx(alpha(one, other), abs=1e-6)
    flat = [[state.split("_")[0] for state in states] for states in (one, other)]
    four = found["four_states"]
    assert four["pairs"][0]["cohen"]["value"] == pytest.approx(kappa(*flat), abs=1e-6)
    assert four["raw"]["value"] > five["raw"]["value"]
    (confusion,) = found["confusions"]
    assert confusion["n"] == 120 and confusion["counts"]["SUFFICIENT_POS"]["SUFFICIENT_NEG"] == 4


def test_answers_that_are_missing_are_no_disagreement(whole):
    key, talks, _ = whole
    given = annotations(key, "A", ["PARTIAL", "ABSENT"] * 60) + annotations(key, "B", ["PARTIAL", "ABSENT"] * 10)
    found = agreement_part(key, given, talks)
    assert found["five_states"]["raw"] == {"value": 1.0, "n": 20, "ci": None}


def test_one_annotator_has_nobody_to_agree_with(whole):
    key, talks, _ = whole
    with pytest.raises(HumanError, match="two annotators or more"):
        agreement_part(key, annotations(key, "A", ["PARTIAL"] * 3), talks)


def test_quotes_overlap_if_they_share_words(whole):
    key, talks, _ = whole
    pair = annotations(key, "A", ["PARTIAL"] * 4, quotes=(Quote(1, 0, 5, "x"),)) \
        + annotations(key, "B", ["PARTIAL"] * 2, quotes=(Quote(1, 4, 9, "x"),)) \
        + annotations(key, "B", [None] * 2 + ["PARTIAL"], quotes=(Quote(1, 5, 9, "x"),)) \
        + annotations(key, "B", [None] * 3 + ["PARTIAL"])
    assert agreement_part(key, pair, talks)["quotes"] == {"pairs": 3, "overlapping": 2, "share": pytest.approx(2 / 3)}


def test_the_paper_counts_91_and_87_of_119(whole):
    """Section 5: 76.5% and 73.1%; no whole numbers of 120 give both, so one cell is unresolved here."""
    key, talks, cells = whole
    given = annotations(key, "A", ["PARTIAL"] * 120) + annotations(key, "B", ["PARTIAL"] * 119 + ["ABSENT"])
    human = human_reference(key, given)
    for right, share in ((91, 0.765), (87, 0.731)):
        lines = [Reference(*cell, "PARTIAL" if i < right else "ABSENT", "r", {}, 0.0, 3)
                 for i, cell in enumerate(cells)]
        found = reference_part(key, human, lines, talks, replicates=200)
        assert found["n"] == found["both"] == 119 and round(found["agreement"], 3) == share
        low, high = found["agreement_ci"]
        assert low < found["agreement"] < high
        assert found["confusion"]["PARTIAL"] == {**dict.fromkeys((*STATES, "UNRESOLVED"), 0), "PARTIAL": right,
                                                 "ABSENT": 119 - right}


def test_cells_that_the_reference_lacks_or_leaves_open(whole):
    key, talks, cells = whole
    human = human_reference(key, annotations(key, "A", ["PARTIAL"] * 4) + annotations(key, "B", ["PARTIAL"] * 4))
    lines = [Reference(*cells[0], "PARTIAL", "r", {}, 0.0, 3), Reference(*cells[1], "ABSENT", "r", {}, 0.0, 3),
             Reference(*cells[2], "UNRESOLVED", "r", {}, 0.0, 3)]
    found = reference_part(key, human, lines, talks)
    assert (found["n"], found["both"], found["absent"]) == (4, 2, 1)
    assert (found["agreement"], found["agreement_planned"], found["agreement_ci"]) == (0.5, 0.25, None)
    assert found["by_state"][1] == {"state": "PARTIAL", "n": 2, "agreement": 0.5, "ci": None}
    assert found["by_state"][0]["agreement"] is None


def test_weights_make_a_cell_stand_for_its_stratum(whole):
    key, talks, cells = whole
    heavy = next(iter(key.items))
    from dataclasses import replace

    key = Key(key.study, {name: replace(one, weight=9.0 if name == heavy else 1.0) for name, one in key.items.items()})
    human = human_reference(key, annotations(key, "A", ["PARTIAL"] * 2) + annotations(key, "B", ["PARTIAL"] * 2))
    lines = [Reference(*cells[0], "PARTIAL", "r", {}, 0.0, 3), Reference(*cells[1], "ABSENT", "r", {}, 0.0, 3)]
    assert reference_part(key, human, lines, talks)["weighted"] == pytest.approx(0.9)


def test_anchors_recovered_by_mode(study):
    wrong = {"P4-op": "ABSENT"}
    given = study.says("A", lambda one: wrong.get(one.anchor, study.truth(one))) \
        + study.says("B", lambda one: None if one.anchor == "P7" else study.truth(one))
    rows = {(row["mode"], row["rater"]): (row["hits"], row["n"], row["valid"])
            for row in recovery_part(study.key, given, study.dialogues)["modes"] if row["language"] == "all"}
    assert rows["F1", "human-A"] == (0, 2, 2) and rows["F1", "human-B"] == (2, 2, 2)
    assert rows["F1", "human"] == (0, 2, 0)  # they differ, and nobody has adjudicated
    assert rows["F4", "human"] == (2, 2, 2) and rows["F5", "human-B"] == (0, 2, 0)
    given += study.says("C", lambda one: one.expected if one.anchor == "P4-op" else None, round=2)
    rows = {(row["mode"], row["rater"]): row["hits"]
            for row in recovery_part(study.key, given, study.dialogues)["modes"] if row["language"] == "all"}
    assert rows["F1", "human"] == 2 and ("F1", "human-C") not in rows


def audit(predicted):
    return [Prediction("d0", dimension, "m", method, "answered", label)
            for method, labels in predicted.items() for dimension, label in zip(DIMENSIONS, labels, strict=False)]


def test_an_audit_under_people(whole):
    key, _, cells = whole
    talks = [talk("d0", scores=dict(zip(DIMENSIONS, (2, 2, 2, 0, 1), strict=False)))]
    states = ["SUFFICIENT_POS", "SUFFICIENT_POS", "ABSENT", "SUFFICIENT_NEG"]
    human = human_reference(key, annotations(key, "A", [*states, "PARTIAL"])
                            + annotations(key, "B", [*states, "ABSENT"]))
    lines = [Reference(*cell, state, "relca", {}, 0.0, 3) for cell, state in zip(
        cells, ["SUFFICIENT_POS", "ABSENT", "ABSENT", "ABSENT", "PARTIAL"], strict=False)]
    predictions = audit({"B0": [1, 1, 1, 0, 1], "B1": [0, 1, 1, 0, 1]})
    plan = [PlannedCell(*cell, "dev") for cell in cells[:5]]
    for planned in (plan, None):
        (found,) = rescoring_part(human, {"relca": lines}, predictions, talks, planned)
        assert (found["reference"], found["cells"], found["labelled"]) == ("relca", 4, 4)
        rows = {row["method"]: row["hit_caliber"] for row in found["conditions"]}
        assert rows["B0"] == {"reference": 0.75, "human": 0.25, "change": -0.5}
        assert rows["B1"] == {"reference": 1.0, "human": pytest.approx(1 / 3), "change": pytest.approx(-2 / 3)}
        assert found["hit_caliber"] == {"conditions": 2, "reference": 0.875, "human": pytest.approx(7 / 24),
                                        "mean_change": pytest.approx(7 / 12), "max_change": pytest.approx(2 / 3)}
        assert found["ucr"]["reference"] == 0.75 and found["ucr"]["human"] == 0.25
    with pytest.raises(HumanError, match="a planned cell"):
        rescoring_part(human, {"relca": lines}, predictions, talks, plan[:4])
    with pytest.raises(HumanError, match="cells that the human reference resolves"):
        rescoring_part(human[4:], {"relca": lines}, predictions, talks, plan)


def test_a_condition_without_a_hit_has_no_hit_caliber(whole):
    key, _, cells = whole
    human = human_reference(key, annotations(key, "A", ["PARTIAL"]) + annotations(key, "B", ["PARTIAL"]))
    lines = [Reference(*cells[0], "PARTIAL", "r", {}, 0.0, 3)]
    (found,) = rescoring_part(human, {"r": lines}, audit({"B0": [0]}), [talk("d0")])
    assert found["conditions"][0]["hit_caliber"]["change"] is None
    assert found["hit_caliber"] == {"conditions": 0, "reference": None, "human": None, "mean_change": None,
                                    "max_change": None}


def test_a_report_without_references_says_so(study):
    given = study.says("A", study.truth) + study.says("B", study.truth)
    found = human_report(study.key, given, study.dialogues.values(), replicates=0)
    assert found["references"] is None and found["rescoring"] is None
    weights = sum(one.weight for one in study.key.cells)
    assert found["study"] == {
        "cells": 30, "anchors": 6, "pool": 72, "unrepresented": 72 - round(weights),
        "differing": 0, "adjudicated": 0, "resolved": 0, "resolved_cells": 30,
        "annotators": [{"annotator": name, "round": 1, "answered": 36} for name in "AB"]}
