"""pandas in, pandas out: the same figures as with files."""
from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import evidial_rules
from evidial_rules.contract import STATES
from evidial_rules.corpora import read_jsonl
from evidial_rules.errors import EvidialError
from evidial_rules.resources import resource


@pytest.fixture
def votes():
    return pd.DataFrame(list(read_jsonl(resource("data", "simulated", "votes.jsonl"))))[
        ["dialogue_id", "dimension", "rater", "state"]]


@pytest.fixture
def labels():
    return pd.DataFrame([{"dialogue_id": row["dialogue_id"], "dimension": name, "score": score}
                         for row in read_jsonl(resource("data", "simulated", "scores.jsonl"))
                         for name, score in row["scores"].items()])


@pytest.fixture
def predictions():
    return pd.DataFrame(list(read_jsonl(resource("data", "simulated", "predictions.jsonl"))))


def test_annotate_takes_values_mappings_and_frames():
    rows = [row for _, row in zip(range(2), read_jsonl(resource("data", "dialogues.jsonl")), strict=False)]
    one = evidial_rules.annotate(rows)
    assert list(one.columns) == ["dialogue_id", "dimension", "state", "k", "frames", "kept", "ruleset"]
    assert len(one) == 16
    pd.testing.assert_frame_equal(one, evidial_rules.annotate(pd.DataFrame(rows)))
    pd.testing.assert_frame_equal(one, evidial_rules.annotate(evidial_rules.Dialogue.from_dict(row) for row in rows))
    assert evidial_rules.annotate([]).empty


@pytest.mark.parametrize("method", ["plurality", "dawid-skene"])
def test_fuse(votes, method):
    found = evidial_rules.fuse(votes, method)
    assert len(found) == 117 and set(found["state"]) <= {*STATES, "UNRESOLVED"}
    assert np.allclose(found[[f"p_{state}" for state in STATES]].sum(axis=1), 1)
    assert (found.attrs["fit"] is None) == (method == "plurality")


def test_score_is_what_the_command_writes(predictions, labels, tmp_path, monkeypatch, capsys):
    from evidial_rules import cli
    from evidial_rules.corpora import write_jsonl

    gold = pd.DataFrame([{"dialogue_id": row["dialogue_id"], "dimension": name, "state": state, "method": "gold"}
                         for row in read_jsonl(resource("data", "gold.jsonl")) for name, state in row["gold"].items()])
    found = evidial_rules.score(predictions, gold, labels, replicates=50)
    monkeypatch.chdir(tmp_path)
    scores = {row["dialogue_id"]: row["scores"]
              for row in read_jsonl(resource("data", "simulated", "scores.jsonl"))}
    write_jsonl("d.jsonl", [row | {"scores": scores[row["dialogue_id"]], "participant_id": row["dialogue_id"],
                                   "source": None} for row in read_jsonl(resource("data", "dialogues.jsonl"))])
    write_jsonl("r.jsonl", gold.to_dict("records"))
    write_jsonl("p.jsonl", list(read_jsonl(resource("data", "simulated", "predictions.jsonl"))))
    assert cli.run(["score", "p.jsonl", "--reference", "r.jsonl", "--dialogues", "d.jsonl", "--replicates", "50", "-o",
                    "s.json"]) == 0
    capsys.readouterr()
    assert json.loads((tmp_path / "s.json").read_text())["conditions"] == json.loads(
        json.dumps(found.attrs["report"]["conditions"]))
    assert list(found["method"]) == ["B0", "B1", "B2", "M"] * 2


def test_missing_predictions_are_abstentions_without_a_status(labels):
    predictions = pd.DataFrame({"dialogue_id": ["en-phq8-baker"] * 2, "dimension": ["sleep", "fatigue"], "model": "m",
                                "method": "B0", "prediction": [1, None]})
    reference = pd.DataFrame({"dialogue_id": ["en-phq8-baker"], "dimension": ["sleep"], "state": ["ABSENT"]})
    [row] = evidial_rules.score(predictions, reference, labels, replicates=0).to_dict("records")
    assert row["abstained"] == 1 and row["answered"] == 1


@pytest.mark.parametrize(("call", "words"), [
    (lambda v, p, g: evidial_rules.fuse(v.drop(columns="rater")), "a column rater"),
    (lambda v, p, g: evidial_rules.fuse(pd.concat([v, v.iloc[:1]])), "one vote of a rater"),
    (lambda v, p, g: evidial_rules.fuse(v.assign(state="MAYBE")), "one of ABSENT"),
    (lambda v, p, g: evidial_rules.fuse(v, "majority"), "one of plurality"),
    (lambda v, p, g: evidial_rules.score(p, v.iloc[:1], g.drop(columns="score")), "a column score"),
    (lambda v, p, g: evidial_rules.score(p, v.iloc[:1], g.assign(dimension="mood")), "dimensions out of"),
    (lambda v, p, g: evidial_rules.annotate([{"dialogue_id": "d"}]), "d"),
])
def test_frames_that_do_not_fit(votes, predictions, labels, call, words):
    with pytest.raises(EvidialError, match=words):
        call(votes, predictions, labels)
