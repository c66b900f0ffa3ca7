"""evidial fuse, as a user runs it: files in, reference lines and tables out, one line for bad input."""
from __future__ import annotations

import json

import numpy as np
import pytest

from evidial_rules import cli
from evidial_rules.contract import STATES
from evidial_rules.corpora import read_references, write_jsonl

DIMENSIONS = ("depressed_mood", "sleep", "fatigue", "concentration")


@pytest.fixture
def folder(tmp_path):
    """Votes of three raters on 60 dialogues of two sources, and on 120 anchors."""
    rng = np.random.default_rng(0)

    def votes(cells, raters=("rules", "x", "y")):
        for (dialogue, dimension), state in cells.items():
            for rater in raters:
                given = state if rng.random() < 0.8 else int(rng.integers(5))
                yield {"dialogue_id": dialogue, "dimension": dimension, "rater": rater, "state": STATES[given]}

    talk = {"language": "en", "instrument": "PHQ-8", "turns": [{"speaker": "participant", "text": "my locker code"}]}
    write_jsonl(tmp_path / "dialogues.jsonl", [
        {"dialogue_id": f"d{i}", "participant_id": f"p{i // 2}", "source": "A" if i < 40 else "B", "visit": i % 2 + 1}
        | talk for i in range(60)])
    truth = {(f"d{i}", dimension): int(rng.integers(5)) for i in range(60) for dimension in DIMENSIONS}
    write_jsonl(tmp_path / "votes.jsonl", votes(truth))
    anchors = {f"a{i}": int(rng.integers(5)) for i in range(120)}
    about = {"class": "P1", "dimension": "sleep"}
    write_jsonl(tmp_path / "anchors.jsonl", [
        {"dialogue_id": name, "anchor": about | {"expected": STATES[state], "base_id": f"b{i % 6}"}} | talk
        for i, (name, state) in enumerate(anchors.items())])
    write_jsonl(tmp_path / "avotes.jsonl", votes({(name, "sleep"): state for name, state in anchors.items()}))
    return tmp_path


@pytest.fixture
def evidial(folder, capfd, monkeypatch):
    monkeypatch.chdir(folder)

    def run(*arguments):
        status = cli.run([str(one) for one in arguments])
        return status, *capfd.readouterr()

    return run


def failed(result, *words):
    status, out, err = result
    return status == 2 and not out and err.count("\n") == 1 and err.startswith("error: ") and all(
        word in err for word in words) and "locker" not in err


@pytest.mark.parametrize("method", ["plurality", "mean", "dawid-skene", "relca"])
def test_each_method_writes_a_line_a_cell(evidial, folder, method):
    status, out, err = evidial("fuse", "votes.jsonl", "--method", method, "-o", "r.jsonl", "--dialogues",
                               "dialogues.jsonl", "--starts", 1)
    assert status == 0 and err == "" and f"Reference by {method}" in out and "240 cells; raters: rules, x, y" in out
    lines = list(read_references(folder / "r.jsonl"))
    assert len(lines) == 240 and {one.method for one in lines} == {method}
    assert ("cell effect" in out) == (method == "relca")


def test_one_visit_a_participant_and_no_excluded_source(evidial, folder):
    evidial("fuse", "votes.jsonl", "--method", "plurality", "-o", "r.jsonl", "--dialogues", "dialogues.jsonl",
            "--exclude-source", "B")
    assert {one.dialogue_id for one in read_references(folder / "r.jsonl")} == {f"d{i}" for i in range(0, 40, 2)}
    evidial("fuse", "votes.jsonl", "--method", "plurality", "-o", "r.jsonl", "--dialogues", "dialogues.jsonl",
            "--visit", "2")
    assert {one.dialogue_id for one in read_references(folder / "r.jsonl")} == {f"d{i}" for i in range(1, 60, 2)}


def test_anchors_bootstrap_and_summary(evidial, folder):
    status, out, _ = evidial("fuse", "votes.jsonl", "--method", "relca", "-o", "r.parquet", "--starts", 1, "--anchors",
                             "anchors.jsonl", "--anchor-votes", "avotes.jsonl", "--threshold", "entropy", "--bootstrap",
                             5, "--summary", "s.json", "--strength", 20)
    assert status == 0 and "Errors on anchors by entropy" in out and "5 replicates" in out
    found = json.loads((folder / "s.json").read_text())
    assert sum(one["n"] for one in found["calibration"]["bins"]) == 120
    assert set(found["bootstrap"]["shares"]) == {*STATES, "UNRESOLVED"}
    assert found["fit"]["emissions"]["rules"]["ABSENT"]["ABSENT"]["value"] > 0.5
    assert len(list(read_references(folder / "r.parquet"))) == 240


def test_answers_that_are_not_valid_on_hard_cells(evidial, folder):
    rows = [json.loads(line) for line in (folder / "votes.jsonl").read_text().splitlines()]
    for row in rows[::7]:
        row |= {"state": None, "valid": False, "reason": "no frames"}
    write_jsonl(folder / "votes.jsonl", rows)
    status, out, _ = evidial("fuse", "votes.jsonl", "--method", "relca", "-o", "r.jsonl", "--starts", 1, "--missing",
                             "hard", "--gate", 0.5, "--pooled", 20, "--summary", "s.json")
    assert status == 0 and "Logit of a valid answer by the cell effect: slope" in out
    assert json.loads((folder / "s.json").read_text())["fit"]["missing"] is not None


def test_raters_are_chosen_by_name(evidial, folder):
    evidial("fuse", "votes.jsonl", "--method", "mean", "-o", "r.jsonl", "--rater", "x", "--rater", "y")
    assert {one.raters for one in read_references(folder / "r.jsonl")} == {2}
    evidial("fuse", "votes.jsonl", "--method", "mean", "-o", "r.jsonl", "--without", "rules")
    assert {one.raters for one in read_references(folder / "r.jsonl")} == {2}


def test_equal_runs_give_equal_bytes(evidial, folder):
    for name in ("r1.jsonl", "r2.jsonl"):
        evidial("fuse", "votes.jsonl", "--method", "relca", "-o", name, "--seed", 3, "--starts", 2)
    assert (folder / "r1.jsonl").read_bytes() == (folder / "r2.jsonl").read_bytes()


@pytest.mark.parametrize(("extra", "words"), [
    ({"dialogue_id": "d0", "dimension": "sleep", "rater": "x", "state": "ABSENT"}, ["votes.jsonl:721", "new to its"]),
    ({"dialogue_id": "d0", "dimension": "anhedonia", "rater": "x", "state": "MAYBE"}, ["votes.jsonl:721", "state"]),
    ({"dialogue_id": "z", "dimension": "sleep", "rater": "x", "state": "ABSENT"}, ["a cell of the dialogues"]),
    ({"dialogue_id": "d0", "dimension": "sleep", "rater": "q", "state": None}, ["rater 'q'", "one valid vote"]),
])
def test_votes_that_do_not_fit(evidial, folder, extra, words):
    with open(folder / "votes.jsonl", "a") as file:
        file.write(json.dumps(extra) + "\n")
    assert failed(evidial("fuse", "votes.jsonl", "--method", "plurality", "-o", "r.jsonl", "--dialogues",
                          "dialogues.jsonl"), *words)
    assert not (folder / "r.jsonl").exists()


@pytest.mark.parametrize(("options", "words"), [
    (["--method", "majority"], ["one of plurality"]),
    (["--method", "plurality", "--rater", "x"], ["two raters"]),
    (["--method", "plurality", "--rater", "x", "--rater", "nobody"], ["--rater", "'nobody'"]),
    (["--method", "plurality", "--without", "nobody"], ["--without", "'nobody'"]),
    (["--method", "relca", "--threshold", "entropy"], ["--threshold", "anchors"]),
    (["--method", "relca", "--by-source"], ["--bootstrap"]),
    (["--method", "mean", "--summary", "r.jsonl"], ["second output"]),
    (["--method", "relca", "--without", "rules"], ["identified model", "24 of 45"]),
    (["--method", "relca", "--design", "other"], ["--design", "agree or lean"]),
    (["--method", "relca", "--missing", "often"], ["--missing", "random or hard"]),
    (["--method", "mean", "--missing", "hard"], ["missing", "relca"]),
    (["--method", "relca", "--covariate", "age"], ["--covariate"]),
    (["--method", "relca", "--anchors", "anchors.jsonl"], ["--anchor-votes"]),
    (["--method", "relca", "--visit", "1"], ["--dialogues"]),
    (["--method", "relca", "--threshold", "doubt"], ["--threshold"]),
    (["--method", "mean", "--dialogues", "dialogues.jsonl", "--exclude-source", "C"], ["sources of the dialogues"]),
    (["--method", "plurality", "--dialogues", "none.jsonl"], ["none.jsonl"]),
])
def test_options_that_do_not_go(evidial, folder, options, words):
    assert failed(evidial("fuse", "votes.jsonl", "-o", "r.jsonl", *options), *words)
    assert not (folder / "r.jsonl").exists()


def test_a_model_that_the_votes_cannot_tell_is_fitted_on_request(evidial, folder):
    status, out, _ = evidial("fuse", "votes.jsonl", "--method", "relca", "-o", "r.jsonl", "--without", "rules",
                             "--allow-unidentified", "--starts", 1)
    assert status == 0 and "warning: the votes can tell 24 of 45 parameters" in out
