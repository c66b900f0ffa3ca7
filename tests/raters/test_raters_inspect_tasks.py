"""The judge as a task of inspect_ai: found by its entry point, run on a model's server, scored."""
from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import eval as run_task

from evidial_rules.errors import EvidialError
from evidial_rules.raters.inspect_tasks import evidial_b0, evidial_b1, evidial_b2, evidial_judge, evidial_m

TALK = {"dialogue_id": "d1", "language": "en", "instrument": "PHQ-8", "turns": [
    {"speaker": "interviewer", "text": "Any trouble sleeping?"},
    {"speaker": "participant", "text": "I wake at three every night. My appetite is good."}]}


def answer(ask):
    """Sleep: a contradiction of its own frame; appetite: as it should be; fatigue: broken; else nothing found."""
    frame = {"turn": 1, "dimension": ask.dimension, "strength": "definite", "subject": "participant", "time": None,
             "withdrawn_by": None}
    if ask.dimension == "sleep":
        frame |= {"quote": "I wake at three", "components": ["maintenance"], "polarity": "affirm"}
        return json.dumps({"frames": [frame], "state": "PARTIAL"})
    if ask.dimension == "appetite_weight":
        frame |= {"quote": "My appetite is good", "components": ["ALL"], "polarity": "deny"}
        return json.dumps({"frames": [frame], "state": "SUFFICIENT_NEG"})
    return '{"frames": [' if ask.dimension == "fatigue" else '{"frames": [], "state": "ABSENT"}'


@pytest.fixture
def files(tmp_path):
    (tmp_path / "talks.jsonl").write_text(json.dumps(TALK) + "\n", encoding="utf-8")
    gold = {"dialogue_id": "d1", "gold": {"sleep": "SUFFICIENT_POS", "appetite_weight": "PARTIAL", "fatigue": "ABSENT"}}
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold) + "\n", encoding="utf-8")
    return tmp_path


def test_cells_are_samples_and_scores_are_shares(server, files, monkeypatch):
    server.reply = answer
    monkeypatch.setenv("JUDGE_API_KEY", "none")
    task = evidial_judge(str(files / "talks.jsonl"), gold=str(files / "gold.jsonl"))
    log, = run_task(task, model="openai-api/judge/m", model_base_url=server.url, display="none",
                    log_dir=str(files / "logs"), log_realtime=False)
    assert log.status == "success"
    shares = {one.name: one.metrics["share"].value for one in log.results.scores}
    # 7 of 8 answers are valid; 6 of these 7 name the state of their frames; of 3 cells with gold only sleep is gold's.
    assert shares == {"format_validity": pytest.approx(7 / 8), "own_state": pytest.approx(6 / 7),
                      "gold_state": pytest.approx(1 / 3)}
    ids = {sample.id for sample in log.samples}
    assert ids == {f"d1/{name}" for name in server.asked} and len(ids) == 8
    broken = next(sample for sample in log.samples if sample.id == "d1/fatigue")
    assert broken.scores["format_validity"].explanation == "no_json"
    form = server.bodies[0]["response_format"]["json_schema"]["schema"]
    assert form["required"] == ["frames", "state"]


CHECKED = {"turn": 1, "subject": True, "window": True, "scope": True}
AUDIT = [
    (evidial_b0, {"sleep": {"prediction": 1}, "fatigue": {"prediction": 1}, "anhedonia": {"prediction": 2}},
     {"prediction": None}),
    (evidial_b1, {
        "sleep": CHECKED | {"quote": "I wake at three", "prediction": 1},
        "fatigue": CHECKED | {"quote": "My appetite", "prediction": 1},
        "anhedonia": CHECKED | {"quote": "Not her words at all", "prediction": 0}},
     {"quote": None, "turn": None, "subject": False, "window": False, "scope": False, "prediction": None}),
    (evidial_b2, {"sleep": {"sufficient": True, "prediction": 1}, "fatigue": {"sufficient": True, "prediction": 1},
                  "anhedonia": {"sufficient": True, "prediction": None}}, {"sufficient": False, "prediction": 0}),
    (evidial_m, {"sleep": {"frames": [], "state": "SUFFICIENT", "polarity": "positive"},
                 "fatigue": {"frames": [], "state": "SUFFICIENT", "polarity": "positive"},
                 "anhedonia": {"frames": [], "state": "SUFFICIENT", "polarity": None}},
     {"frames": [], "state": "PARTIAL", "polarity": None}),
]


@pytest.mark.parametrize(("method", "answers", "other"), AUDIT, ids=["B0", "B1", "B2", "M"])
def test_audit_methods_are_tasks(server, tmp_path, monkeypatch, method, answers, other):
    """Two predictions, of which one is the label, one answer that fails, and five abstentions."""
    server.reply = lambda ask: json.dumps(answers.get(ask.dimension, other))
    monkeypatch.setenv("JUDGE_API_KEY", "none")
    talk = TALK | {"scores": {"sleep": 2, "fatigue": 0, "anhedonia": None}}
    (tmp_path / "talks.jsonl").write_text(json.dumps(talk) + "\n", encoding="utf-8")
    log, = run_task(method(str(tmp_path / "talks.jsonl")), model="openai-api/judge/m", model_base_url=server.url,
                    display="none", log_dir=str(tmp_path / "logs"), log_realtime=False)
    assert log.status == "success"
    assert {one.name: one.metrics["share"].value for one in log.results.scores} == {
        "form_kept": pytest.approx(7 / 8), "answered": pytest.approx(2 / 8), "native_label": pytest.approx(1 / 2)}
    form = server.bodies[0]["response_format"]["json_schema"]["schema"]
    assert form["required"] == list(other)


def test_one_dimension_only(files):
    task = evidial_judge(str(files / "talks.jsonl"), dimension="sleep")
    assert [sample.id for sample in task.dataset] == ["d1/sleep"]


@pytest.mark.parametrize(("arguments", "words"), [
    ({"dimension": "snoring"}, "one of depressed_mood"),
    ({"dimension": "suicidal_ideation"}, "dialogues whose instrument has the dimension"),
])
def test_arguments_that_cannot_be_used(files, arguments, words):
    with pytest.raises(EvidialError, match=words):
        evidial_judge(str(files / "talks.jsonl"), **arguments)


def test_the_entry_point_names_the_module():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["inspect_ai"] == {"evidial_rules": evidial_judge.__module__}
    # inspect_ai looks a task up as package/name, by the name of the entry point
    from inspect_ai._util.registry import registry_info

    for one in (evidial_judge, evidial_b0, evidial_b1, evidial_b2, evidial_m):
        assert registry_info(one).name == f"evidial_rules/{one.__name__}"
