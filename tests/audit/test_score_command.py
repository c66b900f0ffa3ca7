"""evidial plan, score and gaps, as a user runs them."""
from __future__ import annotations

import json

import pytest

from evidial_rules import cli
from evidial_rules.corpora import read_plan, write_jsonl
from evidial_rules.resources import resource

SIMULATED = resource("data", "simulated")


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def folder(tmp_path):
    """The dialogues that ship with the simulated scores, a reference of gold states, and a second one."""
    scores = {row["dialogue_id"]: row["scores"] for row in map(json.loads, lines_of(SIMULATED / "scores.jsonl"))}
    talks = [row | {"scores": scores[row["dialogue_id"]]}
             for row in map(json.loads, lines_of(resource("data", "dialogues.jsonl")))]
    write_jsonl(tmp_path / "dialogues.jsonl", talks)
    gold = [(row["dialogue_id"], name, state) for row in map(json.loads, lines_of(resource("data", "gold.jsonl")))
            for name, state in row["gold"].items()]
    for method, change in (("gold", {}), ("shy", {"SUFFICIENT_POS": "UNRESOLVED"})):
        write_jsonl(tmp_path / f"{method}.jsonl", [
            {"dialogue_id": d, "dimension": m, "state": change.get(s, s), "method": method} for d, m, s in gold])
    return tmp_path


@pytest.fixture
def evidial(folder, capfd, monkeypatch):
    monkeypatch.chdir(folder)

    def run(*arguments):
        status = cli.run([str(one) for one in arguments])
        return status, *capfd.readouterr()

    return run


COMMON = ("--reference", "gold.jsonl", "--dialogues", "dialogues.jsonl", "--plan", SIMULATED / "plan.jsonl",
          "--replicates", 20)


def test_score_prints_and_writes(evidial, folder):
    status, out, err = evidial("score", SIMULATED / "predictions.jsonl", *COMMON, "-o", "s.json", "--other-reference",
                               "shy.jsonl", "--checked", "shy.jsonl", "--by-source")
    assert status == 0 and err == ""
    for words in ("Unsupported-correct rate", "UCR against coverage", "UCR by label", "Paired contrasts",
                  "UCR under each reference", "as checked"):
        assert words in out
    found = json.loads((folder / "s.json").read_text())
    assert len(found["conditions"]) == 8
    keys = ["model", "method", "N", "C", "U", "D", "R", "R_c", "no_label", "answered", "abstained", "failed", "ucr",
            "ucr_ci", "ucr_planned", "ucr_bounds", "hit_caliber", "hit_caliber_ci", "abstention", "failure", "coverage",
            "accuracy"]
    for row in found["conditions"]:
        assert list(row) == keys and row["N"] == 113 == row["answered"] + row["abstained"] + row["failed"]
        assert row["ucr_bounds"][0] <= row["ucr"] <= 1 and row["R"] == 0
        assert row["ucr"] == (row["U"] + row["D"]) / 113
    assert {row["stratum"] for row in found["strata"]} == {"source", "language", "dimension", "label"}
    assert "NaN" not in (folder / "s.json").read_text()


def test_without_a_plan_the_predictions_are_it(evidial, folder):
    evidial("score", SIMULATED / "predictions.jsonl", *COMMON[:4], "--replicates", 0, "-o", "a.json")
    evidial("score", SIMULATED / "predictions.jsonl", *COMMON[:6], "--replicates", 0, "-o", "b.json")
    one, other = (json.loads((folder / name).read_text())["conditions"] for name in ("a.json", "b.json"))
    assert one == other and one[0]["ucr_ci"] is None


def test_plan_then_rule_baseline(evidial, folder):
    assert evidial("plan", "dialogues.jsonl", "--n", 30, "--split", "dev", "--seed", 2, "-o", "p.jsonl")[0] == 0
    assert len(list(read_plan(folder / "p.jsonl"))) == 30
    evidial("plan", "dialogues.jsonl", "--n", 30, "--split", "dev", "--seed", 2, "-o", "q.jsonl")
    assert (folder / "p.jsonl").read_bytes() == (folder / "q.jsonl").read_bytes()
    status, _, err = evidial("plan", "dialogues.jsonl", "--n", 500, "--split", "dev", "-o", "r.jsonl")
    assert status == 2 and "500 labelled cells" in err and not (folder / "r.jsonl").exists()


def test_gaps(evidial, folder):
    status, out, _ = evidial("gaps", "gold.jsonl", "--dialogues", "dialogues.jsonl", "--replicates", 20, "-o", "g.json")
    assert status == 0 and "How much evidence 117 cells hold" in out and "Mean native score" in out
    assert json.loads((folder / "g.json").read_text())["cells"] == 117


@pytest.mark.parametrize(("line", "words"), [
    ({"status": "guessed"}, ["p.jsonl:1", "status"]),
    ({"status": "answered", "prediction": 2}, ["p.jsonl:1", "0 or 1"]),
    ({"status": "abstained", "prediction": 1}, ["p.jsonl:1", "null where there is no answer"]),
    ({"dialogue_id": "zh-bdi-editor", "dimension": "sleep", "status": "failed"}, None),
    ({"dialogue_id": "nobody", "status": "failed"}, ["a planned cell"]),
])
def test_predictions_that_do_not_fit(evidial, folder, line, words):
    row = {"dialogue_id": "en-phq8-baker", "dimension": "sleep", "model": "m", "method": "B0", "status": "answered",
           "prediction": None} | line
    write_jsonl(folder / "p.jsonl", [row])
    status, out, err = evidial("score", "p.jsonl", *COMMON, "-o", "s.json")
    if words is None:
        assert status == 0 and "planned cells without a prediction" in out
        return
    assert status == 2 and not out and err.count("\n") == 1 and all(word in err for word in words)
    assert not (folder / "s.json").exists()
