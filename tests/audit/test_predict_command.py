"""evidial predict without any model: the rule judge, recorded answers, dry runs, and what it does not take."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidial_rules import cli
from evidial_rules.audit import AuditError, planned_dialogues, rule_predictions
from evidial_rules.contract import Dialogue, PlannedCell, Vote
from evidial_rules.corpora import read_predictions, write_jsonl
from evidial_rules.raters.llm import RawAnswer, RawLog, RecordedPredictor
from evidial_rules.raters.llm.methods import ask_for_prediction
from evidial_rules.raters.llm.predictor import estimated_tokens
from evidial_rules.raters.llm.rawlog import key_of
from evidial_rules.resources import load_instrument, resource

SIMULATED = resource("data", "simulated")
TALKS = [
    {"dialogue_id": "en1", "language": "en", "instrument": "PHQ-8", "participant_id": "p", "turns": [
        {"speaker": "interviewer", "text": "Any trouble sleeping in the last two weeks?"},
        {"speaker": "participant", "text": "I could not fall asleep at all, locker 4711."}]},
    {"dialogue_id": "zh1", "language": "zh", "instrument": "HAMD-17", "participant_id": "q", "turns": [
        {"speaker": "interviewer", "text": "睡得怎么样？"},
        {"speaker": "participant", "text": "这一周每天晚上三点就醒，柜子密码4711。"}]},
]
PLAN = [("zh1", "sleep"), ("en1", "fatigue"), ("en1", "sleep")]
SETTINGS = {"temperature": 0.0, "max_tokens": 8192, "seed": None, "schema": True}


def planned(*cells, split="dev"):
    return [PlannedCell(*cell, split) for cell in cells]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_jsonl("talks.jsonl", TALKS)
    write_jsonl("plan.jsonl", [cell.to_dict() for cell in planned(*PLAN)])
    return tmp_path


@pytest.fixture
def predict(folder, capfd):
    def call(*options, out="p.jsonl", plan="plan.jsonl"):
        status = cli.run(["predict", "talks.jsonl", "--plan", str(plan), *(["-o", out] if out else []), *options])
        return status, *capfd.readouterr()
    return call


@pytest.fixture
def without_llm(monkeypatch):
    """As where the extra is not installed."""
    from evidial_rules.raters.llm import transport

    def missing(package):
        raise transport.PackageNotFoundError
    monkeypatch.setattr(transport, "version", missing)


def recorded(text, dialogue_id, dimension, method, model="openai/m", **more):
    talk = Dialogue.from_dict(next(row for row in TALKS if row["dialogue_id"] == dialogue_id))
    request = ask_for_prediction(talk, dimension, load_instrument(talk.instrument), method)
    settings = SETTINGS | more.pop("settings", {})
    return RawAnswer(key_of(dialogue_id, dimension, model, request.digest, settings), dialogue_id, dimension, model,
                     request.ruleset, settings, text, **more).to_dict()


# -- the rule judge ----------------------------------------------------------------------------------------------------


def test_the_rule_judge_predicts_in_the_plans_order(predict, folder):
    status, out, err = predict("--method", "rules")
    assert (status, out) == (0, "") and "4711" not in err
    found = list(read_predictions("p.jsonl"))
    assert [(one.dialogue_id, one.dimension) for one in found] == PLAN
    assert {(one.model, one.method) for one in found} == {("rules", "rules")}
    assert [(one.status, one.prediction) for one in found] == [
        ("answered", 1), ("abstained", None), ("answered", 1)]
    assert sorted(one.name for one in folder.iterdir()) == ["p.jsonl", "plan.jsonl", "talks.jsonl"]
    first = (folder / "p.jsonl").read_bytes()
    assert predict("--method", "rules")[0] == 0 and (folder / "p.jsonl").read_bytes() == first


def test_its_predictions_are_the_states_that_judge_gives(predict, folder, capfd):
    talks = resource("data", "dialogues.jsonl")
    assert cli.run(["judge", str(talks), "--rater", "rules", "-o", "v.jsonl"]) == 0
    states = {(row["dialogue_id"], row["dimension"]): row["state"]
              for row in map(json.loads, Path("v.jsonl").read_text(encoding="utf-8").splitlines())}
    Path("talks.jsonl").write_bytes(talks.read_bytes())
    assert predict("--method", "rules", plan=SIMULATED / "plan.jsonl")[0] == 0
    found = list(read_predictions("p.jsonl"))
    assert len(found) == 113
    for one in found:
        state = states[one.dialogue_id, one.dimension]
        assert one.prediction == {"SUFFICIENT_POS": 1, "SUFFICIENT_NEG": 0}.get(state)
        assert one.status == ("answered" if state.startswith("SUFFICIENT") else "abstained")


def test_any_rater_that_judges_here():
    class Shy:
        name = "shy"

        def votes(self, dialogue):
            return tuple(Vote(dialogue.dialogue_id, name, "shy", None, False, "refusal")
                         for name in load_instrument(dialogue.instrument).ordered)

    talks = [Dialogue.from_dict(row) for row in TALKS]
    found = rule_predictions(planned(*PLAN), talks, Shy())
    assert [(one.model, one.status, one.reason) for one in found] == [("shy", "failed", "refusal")] * 3
    with pytest.raises(AuditError, match="a vote on each planned cell"):
        rule_predictions(planned(*PLAN), talks[:1], Shy())


# -- the plan ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cells", "words"), [
    ([("nobody", "sleep")], "cells of the dialogues, found 'nobody' sleep"),
    ([("en1", "sleep"), ("en1", "suicidal_ideation")], "dimensions that PHQ-8 has, found 'en1' suicidal_ideation"),
    ([("en1", "sleep"), ("en1", "sleep")], "a new cell"),
    ([], "plan: expected at least one cell"),
])
@pytest.mark.parametrize("method", ["rules", "B0"])
def test_a_plan_that_does_not_fit(predict, folder, without_llm, cells, words, method):
    write_jsonl("plan.jsonl", [cell.to_dict() for cell in planned(*cells)])
    options = ["--method", method, *(["--model", "openai/m", "--dry-run"] if method == "B0" else [])]
    status, out, err = predict(*options)
    assert (status, out) == (2, "") and err.count("\n") == 1 and words in err
    assert sorted(one.name for one in folder.iterdir()) == ["plan.jsonl", "talks.jsonl"]


def test_planned_dialogues():
    talks = [Dialogue.from_dict(row) for row in TALKS]
    held = planned_dialogues(planned(*PLAN), iter(talks))
    assert list(held) == ["zh1", "en1"] and held["en1"] is talks[0]
    assert list(planned_dialogues(planned(PLAN[0]), talks)) == ["zh1"]
    again = Dialogue.from_dict(TALKS[0] | {"dialogue_id": "en2"})
    both = [*planned(("en1", "sleep")), *planned(("en2", "sleep"), split="test")]
    with pytest.raises(AuditError, match="each participant in one split"):
        planned_dialogues(both, [talks[0], again])
    with pytest.raises(AuditError, match="each cell once"):
        planned_dialogues(planned(PLAN[0], PLAN[0]), talks)


# -- options -----------------------------------------------------------------------------------------------------------


MODEL = ("--model", "openai/m")


@pytest.mark.parametrize(("options", "words"), [
    (["--method", "B3", *MODEL], "--method: expected B0 or B1 or B2 or M or rules, found 'B3'"),
    (["--method", "b0", *MODEL], "--method"),
    (["--method", "B0"], "--model: expected a model as provider/model for the method B0"),
    (["--method", "rules", "--method", "M"], "for the method M"),
    (["--method", "rules", *MODEL], "--method: expected one of B0, B1, B2, M"),
    (["--method", "rules", "--temperature", "0"], "--method"),
    (["--method", "rules", "--raw", "r.jsonl"], "--method"),
    (["--method", "rules", "--recorded", "talks.jsonl"], "--method"),
    (["--method", "B0", "--method", "B0", *MODEL], "--method: expected each once"),
    (["--method", "B0", *MODEL, *MODEL], "--model: expected each once"),
    (["--method", "B0", "--model", "gpt"], "provider/model"),
    (["--method", "B0", *MODEL, "--base-url", "ftp://host"], "base URL"),
    (["--method", "B0", *MODEL, "--recorded", "talks.jsonl", "--dry-run"], "--recorded"),
    (["--method", "B0", *MODEL, "--recorded", "talks.jsonl", "--raw", "r.jsonl"], "--recorded"),
    (["--method", "B0", *MODEL, "--recorded", "talks.jsonl", "--timeout", "3"], "--recorded"),
    (["--method", "B0", "--recorded", "none.jsonl"], "none.jsonl: expected a file that can be read"),
    (["--method", "B0", "--recorded", "talks.jsonl"], "talks.jsonl:1: expected a raw answer"),
    (["--method", "B0", "--recorded", "empty.jsonl"], "--recorded: expected a file with raw answers, found none"),
    (["--method", "B0", *MODEL, "--raw", "talks.jsonl"], "another file than the input"),
    (["--method", "B0", *MODEL, "--raw", "p.jsonl"], "another file than the input"),
    (["--method", "B0", *MODEL, "--temperature", "9"], "--temperature"),
    ([*MODEL], "--method"),
])
def test_options_that_do_not_go_together(predict, folder, options, words):
    Path("empty.jsonl").touch()
    status, out, err = predict(*options)
    assert (status, out) == (2, "") and err.count("\n") == 1 and words in err and "4711" not in err
    assert sorted(one.name for one in folder.iterdir()) == ["empty.jsonl", "plan.jsonl", "talks.jsonl"]


@pytest.mark.parametrize(("out", "words"), [(None, "--output"), ("-", "--raw: expected a file"),
                                            ("talks.jsonl", "another file"), ("plan.jsonl", "another file")])
def test_outputs_that_are_none(predict, folder, out, words):
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    status, shown, err = predict("--method", "B0", *MODEL, out=out)
    assert (status, shown) == (2, "") and words in err
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before


def test_the_extra_is_asked_for_before_anything_is_written(predict, folder, without_llm):
    status, out, err = predict("--method", "B0", *MODEL)
    assert (status, out) == (2, "") and "evidial-rules[llm]" in err and err.count("\n") == 1
    assert sorted(one.name for one in folder.iterdir()) == ["plan.jsonl", "talks.jsonl"]


# -- without asking ----------------------------------------------------------------------------------------------------


def test_a_dry_run_needs_neither_extra_nor_output(predict, folder, without_llm):
    status, out, err = predict("--method", "B0", "--method", "rules", *MODEL, "--dry-run", out=None)
    assert (status, err) == (0, "")
    row = [cell.strip() for cell in next(line for line in out.splitlines() if "openai/m" in line).split("│")[1:-1]]
    talks = {row["dialogue_id"]: Dialogue.from_dict(row) for row in TALKS}
    requests = [ask_for_prediction(talks[d], m, load_instrument(talks[d].instrument), "B0") for d, m in PLAN]
    tokens = sum(estimated_tokens(one.system) + estimated_tokens(one.user) + 8 for one in requests)
    assert row == ["openai/m", "B0", "3", "0", "3", f"~{tokens}", f"<={3 * 8192}"]
    assert sorted(one.name for one in folder.iterdir()) == ["plan.jsonl", "talks.jsonl"]


def test_recorded_answers_need_no_extra(predict, folder, without_llm):
    write_jsonl("raw.jsonl", [
        recorded('{"prediction": 0}', "en1", "sleep", "B0"), recorded('{"prediction": null}', "zh1", "sleep", "B0"),
        recorded('{"sufficient": true, "prediction": 1}', "en1", "sleep", "B2", tokens={"input": 70, "output": 5}),
        recorded(None, "zh1", "sleep", "B2", failure="timeout"),
        recorded("I cannot help with that.", "en1", "fatigue", "B2"),
        # None of these is an answer to what is asked here.
        recorded('{"prediction": 1}', "en1", "fatigue", "B0", model="openai/other"),
        recorded('{"prediction": 1}', "en1", "fatigue", "B0") | {"dimension": "sleep"},
        recorded('{"prediction": 1}', "en1", "fatigue", "B0") | {"key": "0" * 64},
    ])
    status, out, err = predict("--method", "B0", "--method", "B2", *MODEL, "--recorded", "raw.jsonl")
    assert (status, out) == (0, "")
    found = list(read_predictions("p.jsonl"))
    assert [(one.dialogue_id, one.dimension) for one in found] == [*PLAN, *PLAN]
    assert [(one.status, one.prediction, one.reason) for one in found] == [
        ("abstained", None, None), ("failed", None, "missing"), ("answered", 0, None),
        ("failed", None, "timeout"), ("failed", None, "refusal"), ("answered", 1, None)]
    assert "missing 1" in err and "70" in err and "cannot" not in err


def test_a_dialogue_that_changed_since_has_no_recorded_answer(folder):
    write_jsonl("raw.jsonl", [recorded('{"prediction": 0}', "en1", "sleep", "B0")])
    log = RawLog.reading("raw.jsonl")
    plan = planned(("en1", "sleep"))
    talk = Dialogue.from_dict(TALKS[0])
    other = Dialogue.from_dict(TALKS[0] | {"turns": TALKS[0]["turns"][:1]})
    made = RecordedPredictor("openai/m", ("B0",), plan, log)
    made.check([talk])
    assert [one.prediction for one in made.predictions({"en1": talk}, "B0")] == [0]
    with pytest.raises(ValueError, match="at least one to the prompt of B0"):
        made.check([other])
    assert next(made.predictions({"en1": other}, "B0")).reason == "missing"


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abcde", 2), ("睡不着", 3), ("三点 at 3", 4)])
def test_estimated_tokens(text, tokens):
    assert estimated_tokens(text) == tokens
