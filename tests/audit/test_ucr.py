"""The unsupported-correct rate: by hand, against the paper's table, and under resampling."""
from __future__ import annotations

import numpy as np
import pytest

from evidial_rules.audit import (
    AuditError,
    Resampling,
    audit_table,
    by_reference,
    condition_row,
    confusion,
    contrasts,
    count,
    gap_tables,
    jointly_correct,
    label_gaps,
    not_sufficient_share,
    plan_cells,
    predictions_of_votes,
    random_errors,
    reference_table,
    risk_coverage,
    scale_errors,
    split_of,
    strata_rows,
    with_errors,
)
from evidial_rules.contract import Dialogue, PlannedCell, Prediction, Reference, Vote

A = ("m", "B0")

# The twelve rows of the paper's table 3: U + D, C - R_c, abstained, answered, failed of 87 planned cells, and what it
# prints: UCR, hit caliber, abstention, coverage.
PAPER = {
    ("Gemini", "B0"): ((43, 52, 5, 82, 0), (".494", ".827", ".057", ".943")),
    ("Gemini", "B1"): ((47, 56, 9, 78, 0), (".540", ".839", ".103", ".897")),
    ("Gemini", "B2"): ((18, 26, 53, 30, 4), (".207", ".692", ".609", ".345")),
    ("Gemini", "M"): ((31, 32, 1, 86, 0), (".356", ".969", ".011", ".989")),
    ("GPT", "B0"): ((42, 52, 4, 83, 0), (".483", ".808", ".046", ".954")),
    ("GPT", "B1"): ((41, 52, 16, 71, 0), (".471", ".788", ".184", ".816")),
    ("GPT", "B2"): ((35, 45, 28, 59, 0), (".402", ".778", ".322", ".678")),
    ("GPT", "M"): ((32, 36, 41, 46, 0), (".368", ".889", ".471", ".529")),
    ("Qwen", "B0"): ((43, 52, 18, 69, 0), (".494", ".827", ".207", ".793")),
    ("Qwen", "B1"): ((42, 51, 20, 67, 0), (".483", ".824", ".230", ".770")),
    ("Qwen", "B2"): ((21, 28, 47, 37, 3), (".241", ".750", ".540", ".425")),
    ("Qwen", "M"): ((39, 47, 20, 67, 0), (".448", ".830", ".230", ".770")),
}


def from_counts(audit, wrong, correct, abstained, answered, failed):
    audit.add(1, "ABSENT", {A: 1}, wrong)
    audit.add(1, "SUFFICIENT_POS", {A: 1}, correct - wrong)
    audit.add(1, "PARTIAL", {A: 0}, answered - correct)
    audit.add(0, "PARTIAL", {A: "-"}, abstained)
    audit.add(0, "PARTIAL", {A: "x"}, failed)
    return audit_table(audit.predictions, audit.reference, audit.dialogues())


@pytest.mark.parametrize("name", PAPER)
def test_the_papers_table_to_the_printed_digit(audit, name):
    counts, printed = PAPER[name]
    row = condition_row(from_counts(audit, *counts), A)
    shown = [f"{row[key]:.3f}"[1:] for key in ("ucr", "hit_caliber", "abstention", "coverage")]
    assert tuple(shown) == printed and row["N"] == 87 and row["failed"] == counts[4]


def test_the_mean_of_the_twelve_hit_calibers():
    assert np.mean([counts[0] / counts[1] for counts, _ in PAPER.values()]) == pytest.approx(0.81836, abs=5e-6)


@pytest.fixture
def by_hand(audit):
    """20 labelled cells and one without: worked out on paper below."""
    audit.add(1, "SUFFICIENT_POS", {A: 1}, 3)      # correct, supported
    audit.add(0, "SUFFICIENT_NEG", {A: 0}, 1)      # correct, supported
    audit.add(1, "ABSENT", {A: 1}, 2)              # U
    audit.add(0, "PARTIAL", {A: 0}, 1)             # U
    audit.add(0, "CONFLICTING", {A: 0}, 1)         # U
    audit.add(0, "SUFFICIENT_POS", {A: 0}, 2)      # D
    audit.add(1, "UNRESOLVED", {A: 1}, 2)          # R and R_c
    audit.add(1, "UNRESOLVED", {A: 0}, 1)          # R
    audit.add(1, "UNRESOLVED", {A: "-"}, 1)        # R, abstained
    audit.add(1, "UNRESOLVED", {A: "x"}, 1)        # failed: not in R
    audit.add(0, "ABSENT", {A: 1}, 2)              # answered, wrong
    audit.add(1, "SUFFICIENT_POS", {A: "-"}, 2)    # abstained
    audit.add(1, "PARTIAL", {A: "x"}, 1)           # failed
    audit.add(None, "ABSENT", {A: 1}, 1)           # no label
    return audit_table(audit.predictions, audit.reference, audit.dialogues())


def test_a_table_by_hand_with_unresolved_cells(by_hand):
    row = condition_row(by_hand, A)
    wanted = {"N": 20, "C": 12, "U": 4, "D": 2, "R": 4, "R_c": 2, "no_label": 1, "answered": 15, "abstained": 3,
              "failed": 2, "ucr": 6 / 16, "ucr_planned": 6 / 20, "ucr_bounds": [6 / 20, 8 / 20], "hit_caliber": 6 / 10,
              "abstention": 3 / 20, "failure": 2 / 20, "coverage": 15 / 20, "accuracy": 12 / 15, "ucr_ci": None,
              "hit_caliber_ci": None, "model": "m", "method": "B0"}
    assert row == wanted


def test_draws_take_participants_whole_and_are_seeded(by_hand):
    draws = Resampling.of(by_hand, 50, seed=1)
    assert draws.weights.shape == (50, 21)
    for person in np.unique(by_hand.clusters):
        of = draws.weights[:, by_hand.clusters == person]
        assert (of == of[:, :1]).all()
    assert (Resampling.of(by_hand, 50, seed=1).weights == draws.weights).all()
    with pytest.raises(AuditError, match="one replicate"):
        Resampling.of(by_hand, 0)


def test_intervals_hold_the_figure(audit):
    rng = np.random.default_rng(0)
    for i in range(400):
        audit.add(int(rng.integers(2)), ("ABSENT", "SUFFICIENT_POS")[int(rng.integers(2))],
                  {A: int(rng.integers(2)), ("n", "B0"): int(rng.integers(2))}, source=("S", "T")[i // 200])
    table = audit_table(audit.predictions, audit.reference, audit.dialogues())
    for by_source in (False, True):
        draws = Resampling.of(table, 500, seed=2, by_source=by_source)
        row = condition_row(table, A, draws)
        assert row["ucr_ci"][0] < row["ucr"] < row["ucr_ci"][1]
        [contrast] = contrasts(table, draws)
        assert contrast["ucr"]["ci"][0] < contrast["ucr"]["difference"] < contrast["ucr"]["ci"][1]
    sizes = Resampling.of(table, 20, by_source=True).weights[:, :200].sum(axis=1)
    assert set(sizes) == {200.0}
    levels = {(row["stratum"], row["level"]): row for row in strata_rows(table) if row["model"] == "m"}
    assert levels["source", "S"]["N"] + levels["source", "T"]["N"] == 400
    assert levels["label", "positive"]["N"] == int((table.labels == 1).sum())


def test_nothing_to_divide_by_is_null(audit):
    audit.add(1, "UNRESOLVED", {A: "-"}, 3)
    row = condition_row(audit_table(audit.predictions, audit.reference, audit.dialogues()), A)
    assert row["hit_caliber"] is None and row["accuracy"] is None and row["ucr"] is None and row["ucr_planned"] == 0


def test_jointly_correct_sets(audit):
    two = ("n", "B0")
    audit.add(1, "SUFFICIENT_POS", {A: 1, two: 1}, 8)
    audit.add(1, "PARTIAL", {A: 1, two: 1}, 5)
    audit.add(0, "SUFFICIENT_POS", {A: 0, two: 0}, 3)
    audit.add(0, "UNRESOLVED", {A: 0, two: 0}, 1)
    audit.add(1, "ABSENT", {A: 1, two: 0}, 4)
    audit.add(1, "ABSENT", {A: "-", two: "x"}, 2)
    [row] = jointly_correct(audit_table(audit.predictions, audit.reference, audit.dialogues()))
    assert row["intersection"] == {"cells": 17, "sufficient": 8, "opposite": 3, "not_sufficient": 5, "unresolved": 1}
    assert row["union"] == {"cells": 21, "sufficient": 8, "opposite": 3, "not_sufficient": 9, "unresolved": 1}


def test_label_gaps(audit):
    audit.add(1, "ABSENT", {A: 1}, 3)
    audit.add(1, "SUFFICIENT_POS", {A: 1}, 1)
    audit.add(0, "SUFFICIENT_NEG", {A: 0}, 1)
    audit.add(0, "PARTIAL", {A: 0}, 1)
    [row] = label_gaps(audit_table(audit.predictions, audit.reference, audit.dialogues()))
    assert row["ucr"]["positive"] == 0.75 and row["ucr"]["negative"] == 0.5 and row["ucr"]["difference"] == 0.25


def test_abstaining_at_random_is_no_support(audit):
    """B2 answers every other cell of each kind: its UCR halves, and so would that of B0 if it abstained at random."""
    gate = ("m", "B2")
    for state, n in (("ABSENT", 10), ("SUFFICIENT_POS", 6)):
        audit.add(1, state, {A: 1, gate: 1}, n // 2)
        audit.add(1, state, {A: 1, gate: "-"}, n // 2)
    wide, narrow = risk_coverage(audit_table(audit.predictions, audit.reference, audit.dialogues()))
    assert wide["method"] == "B0" and wide["excess"] == 0
    assert narrow["ucr"] == wide["ucr"] / 2 and narrow["excess"] == pytest.approx(0)
    assert narrow["hit_caliber"] == wide["hit_caliber"] == pytest.approx(10 / 16)


def test_other_references_beside_it(by_hand):
    other = [Reference(dialogue, dimension, "ABSENT", "plurality", {}, 0.0, 3) for dialogue, dimension in by_hand.cells]
    [row] = by_reference(by_hand, {"plurality": other})
    assert row["ucr"]["relca"] == 6 / 16 and row["ucr"]["plurality"] == 12 / 20
    assert row["ucr"]["largest_change"] == pytest.approx(12 / 20 - 6 / 16)


def test_errors_of_the_reference(by_hand):
    [still] = with_errors(by_hand, random_errors(0.0), 5)
    assert still["ucr"] == {"value": 6 / 16, "mean": 6 / 16, "range": [6 / 16, 6 / 16]}
    [moved] = with_errors(by_hand, scale_errors(1.0), 400)
    # The two absent cells that are correct are positive: half of their draws support them, the others oppose them.
    assert moved["ucr"]["mean"] == pytest.approx(5 / 16, abs=0.02)
    counts = confusion(by_hand, [Reference(*by_hand.cells[0], "ABSENT", "human", {}, 0.0, 1)])
    assert counts.sum() == 1 and counts[3, 0] == 1
    for bad in (-0.1, 1.1):
        with pytest.raises(AuditError, match="0 to 1"):
            random_errors(bad)
    with pytest.raises(AuditError, match="none below 0"):
        with_errors(by_hand, -random_errors(0.5))


def test_what_a_hit_caliber_mirrors(by_hand):
    assert not_sufficient_share(by_hand) == pytest.approx(7 / 15)


@pytest.mark.parametrize(("change", "words"), [
    (lambda a, p: a.predictions.append(a.predictions[0]), "one prediction of a method"),
    (lambda a, p: a.predictions.append(Prediction("z", "sleep", *A, "answered", 1)), "cells of the dialogues"),
    (lambda a, p: a.reference.append(Reference("z", "sleep", "ABSENT", "mean", {}, 0.0, 1)), "one method"),
    (lambda a, p: a.predictions.clear(), "at least one"),
    (lambda a, p: [one["scores"].clear() for one in a.talks.values()], "scores"),
    (lambda a, p: p.append(PlannedCell("d0S", "suicidal_ideation", "dev")), None),
    (lambda a, p: p.pop(), "a planned cell"),
    (lambda a, p: p.append(PlannedCell("d0S", "suicidal_ideation", "test")), "one split"),
    (lambda a, p: p.clear(), "at least one cell"),
])
def test_files_that_do_not_belong_together(audit, change, words):
    audit.add(1, "ABSENT", {A: 1}, 4)
    plan = [PlannedCell(one.dialogue_id, one.dimension, "dev") for one in audit.predictions]
    planned = list(plan)
    change(audit, planned)
    given = planned if planned != plan else None
    if words is None:
        table = audit_table(audit.predictions, audit.reference, audit.dialogues(), given)
        assert table.missing[A] == 1 and table.no_reference == 1 and count(table, A).no_label == 1
        return
    with pytest.raises(AuditError, match=words):
        audit_table(audit.predictions, audit.reference, audit.dialogues(), given)


def test_a_planned_cell_without_a_prediction_has_failed(audit):
    audit.add(1, "ABSENT", {A: 1}, 4)
    plan = [PlannedCell(one.dialogue_id, one.dimension, "dev") for one in audit.predictions]
    table = audit_table(audit.predictions[:-1], audit.reference, audit.dialogues(), plan)
    assert count(table, A).failed == 1 and count(table, A).N == 4 and table.missing[A] == 1


def test_the_rule_judge_as_a_method():
    plan = [PlannedCell("d", name, "dev") for name in ("sleep", "fatigue", "anhedonia", "concentration")]
    votes = [Vote("d", "sleep", "rules", "SUFFICIENT_POS"), Vote("d", "fatigue", "rules", "SUFFICIENT_NEG"),
             Vote("d", "anhedonia", "rules", "PARTIAL"),
             Vote("d", "concentration", "rules", None, valid=False, reason="no JSON")]
    found = predictions_of_votes(votes, plan, "rules")
    assert [(one.status, one.prediction) for one in found] == [
        ("answered", 1), ("answered", 0), ("abstained", None), ("failed", None)]
    with pytest.raises(AuditError, match="each planned cell"):
        predictions_of_votes(votes[1:], plan, "rules")


def people(n=60):
    rng = np.random.default_rng(0)
    names = ("sleep", "fatigue", "anhedonia")
    return [Dialogue(dialogue_id=f"d{i}", participant_id=f"p{i // 2}", source="ST"[i % 4 // 2], language="en",
                     instrument="PHQ-8", scores={name: int(rng.integers(0, 3)) for name in names},
                     turns=[{"speaker": "participant", "text": "hello"}]) for i in range(n)]


def test_a_plan_is_seeded_stratified_and_split_by_participant():
    talks = people()
    dev, test = plan_cells(talks, 40, "dev", 5), plan_cells(talks, 40, "test", 5)
    assert len(dev) == len(test) == 40 and len(set(dev)) == 40
    person = {talk.dialogue_id: (talk.source, talk.participant_id) for talk in talks}
    assert not {person[one.dialogue_id] for one in dev} & {person[one.dialogue_id] for one in test}
    assert plan_cells(talks, 40, "dev", 5) == dev != plan_cells(talks, 40, "dev", 6)
    in_dev = sum(split_of(*person[talk.dialogue_id], 5) == "dev" for talk in talks)
    all_dev = plan_cells(talks, in_dev * 3, "dev", 5)
    for name in ("sleep", "fatigue", "anhedonia"):
        share = sum(one.dimension == name for one in all_dev) / len(all_dev)
        assert abs(sum(one.dimension == name for one in dev) / 40 - share) < 0.12


@pytest.mark.parametrize(("n", "split", "more", "words"), [
    (1000, "dev", {}, "1000 labelled cells"), (0, "dev", {}, "one cell or more"), (3, "train", {}, "dev or test"),
    (3, "dev", {"strata": ["age"]}, "source, language"),
])
def test_plans_that_cannot_be_made(n, split, more, words):
    with pytest.raises(AuditError, match=words):
        plan_cells(people(), n, split, 0, **more)


def test_gap_tables(audit):
    audit.add(2, "SUFFICIENT_POS", {}, 6)
    audit.add(1, "ABSENT", {}, 10)
    audit.add(0, "PARTIAL", {}, 9, source="T")
    audit.add(0, "SUFFICIENT_NEG", {}, 3, source="T")
    audit.add(None, "UNRESOLVED", {}, 4, source="T")
    found = gap_tables(reference_table(audit.reference, audit.dialogues()), 200)
    rows = {(row["stratum"], row["level"]): row for row in found["rows"]}
    assert rows["all", "all"]["n"] == 32 and rows["all", "all"]["states"]["ABSENT"] == 10
    assert rows["all", "all"]["sufficient"]["share"] == 9 / 32
    assert rows["source", "S"]["sufficient"]["share"] == 6 / 16
    assert rows["label", "positive"]["not_sufficient"]["share"] == 10 / 16
    assert rows["label", "negative"]["not_sufficient"]["share"] == 9 / 12
    assert found["mean_score"]["SUFFICIENT_POS"] == 2 and found["mean_score"]["UNRESOLVED"] is None
    assert found["positive_minus_negative"]["difference"] == pytest.approx(10 / 16 - 9 / 12)
    low, high = rows["all", "all"]["sufficient"]["ci"]
    assert low <= 9 / 32 <= high
    with pytest.raises(AuditError, match="at least one line"):
        reference_table([], audit.dialogues())
