"""evidial predict against a model's server that answers well, late, not at all, and all kinds of rubbish."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("openai")

from llm_server import Reply

from evidial_rules import cli
from evidial_rules.contract import Dialogue, PlannedCell
from evidial_rules.corpora import read_predictions, write_jsonl
from evidial_rules.raters.llm import Predictor, RawLog, Settings, ask
from evidial_rules.raters.llm.rater import GIVE_UP

SECRET = "locker 4711"
METHODS = ("B0", "B1", "B2", "M")
ENGLISH = {"dialogue_id": "en1", "language": "en", "instrument": "PHQ-8", "scores": {"sleep": 2, "fatigue": 0},
           "turns": [{"speaker": "interviewer", "text": "Any trouble sleeping?"},
                     {"speaker": "participant", "text": f"I wake at three every night, my {SECRET}."}]}
CHINESE = {"dialogue_id": "zh1", "language": "zh", "instrument": "HAMD-17", "scores": {"sleep": 1},
           "turns": [{"speaker": "interviewer", "text": "睡得怎么样？"},
                     {"speaker": "participant", "text": "这一周每天晚上三点就醒，柜子密码4711。"}]}
PLAN = [("zh1", "sleep"), ("en1", "fatigue"), ("en1", "sleep"), ("zh1", "guilt_worthlessness")]
"""Neither in the dialogues' order nor in the instrument's."""


def method_of(asked):
    """By the form that the answer is held to."""
    keys = asked.body["response_format"]["json_schema"]["schema"]["properties"].keys()
    return "M" if "frames" in keys else "B1" if "scope" in keys else "B2" if "sufficient" in keys else "B0"


def answers(asked):
    """Positive on sleep; on the others each method's own way to abstain."""
    method, sleep = method_of(asked), asked.dimension == "sleep"
    quote = "三点就醒" if "三点就醒" in asked.user else "I wake at three"
    frame = {"quote": quote, "turn": 1, "polarity": "affirm", "subject": "participant", "window": True,
             "withdrawn": False}
    return json.dumps({
        "B0": {"prediction": 1 if sleep else None},
        "B1": {"quote": quote, "turn": 1, "subject": True, "window": sleep, "scope": True, "prediction": 1},
        "B2": {"sufficient": sleep, "prediction": 1},
        "M": {"frames": [frame], "state": "SUFFICIENT" if sleep else "PARTIAL",
              "polarity": "positive" if sleep else None},
    }[method], ensure_ascii=False)


@pytest.fixture
def folder(tmp_path):
    write_jsonl(tmp_path / "talks.jsonl", [ENGLISH, CHINESE])
    write_jsonl(tmp_path / "plan.jsonl", [PlannedCell(*cell, "dev").to_dict() for cell in PLAN])
    return tmp_path


@pytest.fixture
def predict(folder, capfd, monkeypatch):
    """Calls the command in the folder; a tuple of exit status, standard output and standard error."""
    monkeypatch.chdir(folder)

    def call(*options, out="p.jsonl"):
        status = cli.run(["predict", "talks.jsonl", "--plan", "plan.jsonl", *(["-o", out] if out else []),
                          *(str(one) for one in options)])
        return status, *capfd.readouterr()
    return call


def by(*names, option="--method"):
    return [part for name in names for part in (option, name)]


def at(server, *models):
    return ["--base-url", server.url, *by(*(models or ("openai/m",)), option="--model")]


def lines(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def cells(out):
    """The rows of a table."""
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if "│" in line]


def test_each_model_method_and_planned_cell_in_order(server, predict, folder):
    server.reply = answers
    status, out, err = predict(*by(*METHODS, "rules"), *at(server, "openai/one", "openai/two"))
    assert (status, out) == (0, "")
    rows = lines("p.jsonl")
    conditions = [*product(("openai/one", "openai/two"), METHODS), ("rules", "rules")]
    assert [(row["model"], row["method"], row["dialogue_id"], row["dimension"]) for row in rows] == [
        (*condition, *cell) for condition in conditions for cell in PLAN]
    for row in rows[:-len(PLAN)]:
        told = (row["status"], row["prediction"], row["reason"])
        assert told == (("answered", 1, None) if row["dimension"] == "sleep" else ("abstained", None, None))
    assert len(list(read_predictions("p.jsonl"))) == 36
    assert server.asked == {"sleep": 16, "fatigue": 8, "guilt_worthlessness": 8}  # what is not planned is not asked
    assert {body["model"] for body in server.bodies} == {"one", "two"}
    assert sorted(one.name for one in folder.iterdir()) == ["p.jsonl", "p.jsonl.raw.jsonl", "plan.jsonl", "talks.jsonl"]
    assert len(lines("p.jsonl.raw.jsonl")) == 32
    words = " ".join(err.split())
    assert words.index("To be asked") < words.index("Predictions") < words.index("Requests and tokens")
    assert "400" in words and "80" in words  # tokens of the four requests of one model by one method
    assert "4711" not in err and "I wake" not in err


BAD = {
    "anhedonia": (Reply('{"prediction": '), "no_json"),
    "sleep": (Reply('{"prediction": "yes"}'), "schema"),
    "fatigue": (Reply(refusal="I can't help with that.", text=None), "refusal"),
    "appetite_weight": (Reply("I'm sorry, but I can't help with that."), "refusal"),
    "psychomotor": (Reply("", finish="length"), "truncated"),
    "guilt_worthlessness": (Reply(status=503), "transport"),
    "concentration": (Reply(""), "empty"),
    "depressed_mood": (Reply('{"prediction": 1}', delay=1.6), "timeout"),
}


def test_whatever_fails_the_plan_is_whole(server, predict):
    plan = [PlannedCell("en1", dimension, "dev").to_dict() for dimension in BAD]
    write_jsonl("plan.jsonl", plan)
    server.reply = lambda asked: BAD[asked.dimension][0]
    options = [*by("B0"), *at(server), "--max-retries", 0, "--timeout", 1]
    status, _, err = predict(*options)
    assert status == 0
    assert {row["dimension"]: (row["status"], row["prediction"], row["reason"]) for row in lines("p.jsonl")} == {
        dimension: ("failed", None, reason) for dimension, (_, reason) in BAD.items()}
    assert [row["dimension"] for row in lines("p.jsonl")] == list(BAD)
    assert "refusal 2" in err and "4711" not in err
    # What had no answer is asked for again, a bad answer is one.
    server.reply = lambda asked: '{"prediction": 0}'
    before = server.asked.copy()
    assert predict(*options)[0] == 0
    assert server.asked - before == {"guilt_worthlessness": 1, "depressed_mood": 1}
    assert {row["dimension"] for row in lines("p.jsonl") if row["status"] == "answered"} == {
        "guilt_worthlessness", "depressed_mood"}


@pytest.mark.parametrize("status", [429, 500])
def test_a_failure_that_passes_is_tried_again(server, status):
    server.reply = lambda asked: Reply(status=status) if asked.before == 0 else answers(asked)
    talks = {row["dialogue_id"]: Dialogue.from_dict(row) for row in (ENGLISH, CHINESE)}
    plan = [PlannedCell(*cell, "test") for cell in PLAN]
    made = Predictor("openai/m", ("B2", "M"), plan, Settings(base_url=server.url, first_wait=0.01, retries=2))
    ticks = []
    asked = ask([made], list(talks.values()), tick=lambda: ticks.append(1))
    found = [one for method in made.methods for one in made.predictions(talks, method)]
    assert [(one.dialogue_id, one.dimension) for one in found] == [*PLAN, *PLAN]
    assert not any(one.status == "failed" for one in found)
    for method in made.methods:
        spent = made.usage(talks.values(), method, asked["openai/m"])
        assert (spent.answers, spent.asked, spent.kept, spent.attempts) == (4, 4, 0, 8)
        assert spent.tokens == {"input": 400, "output": 80, "total": 480}
        assert made.usage(talks.values(), method).kept == 4
    assert len(ticks) == 8 and {one.requests for one in made.forecast(talks.values())} == {0}


def test_a_second_run_asks_nothing_and_writes_the_same(server, predict, folder):
    server.reply = answers
    options = [*by(*METHODS), *at(server), "--raw", "a.jsonl"]
    assert predict(*options)[0] == 0
    first, kept = (folder / "p.jsonl").read_bytes(), (folder / "a.jsonl").read_bytes()
    server.reply = lambda asked: Reply(status=500)
    assert predict(*options)[0] == 0 and server.asked.total() == 16
    assert ((folder / "p.jsonl").read_bytes(), (folder / "a.jsonl").read_bytes()) == (first, kept)
    assert not (folder / "p.jsonl.raw.jsonl").exists()
    # A cell more is a request more a method.
    write_jsonl("plan.jsonl", [PlannedCell(*cell, "dev").to_dict() for cell in [("en1", "anhedonia"), *PLAN]])
    server.reply = answers
    assert predict(*options)[0] == 0
    assert server.asked.total() == 20 and lines("p.jsonl")[0]["dimension"] == "anhedonia"


def test_a_dry_run_asks_nothing_and_writes_nothing(server, predict, folder):
    server.reply = answers
    before = sorted(folder.iterdir())
    status, out, err = predict(*by("B0", "M"), *at(server), "--dry-run", "--max-tokens", 100)
    assert (status, err) == (0, "") and server.asked.total() == 0 and sorted(folder.iterdir()) == before
    rows = cells(out)
    assert [row[:5] for row in rows] == [["openai/m", "B0", "4", "0", "4"], ["openai/m", "M", "4", "0", "4"],
                                         ["all", "", "8", "0", "8"]]
    assert [row[6] for row in rows] == ["<=400", "<=400", "<=800"]
    counts = [int(row[5].lstrip("~")) for row in rows]
    assert counts[0] + counts[1] == counts[2] and 0 < counts[0] < counts[1]
    assert "estimated" in out and "4711" not in out
    # Without an output nothing is known of earlier answers; with one they are not asked for again.
    assert predict(*by("B0"), *at(server), "--max-tokens", 100)[0] == 0
    status, out, _ = predict(*by("B0", "M"), *at(server), "--dry-run", "--max-tokens", 100)
    assert cells(out)[0] == ["openai/m", "B0", "4", "4", "0", "~0", "<=0"]
    assert cells(out)[1][2:5] == ["4", "0", "4"]
    status, out, _ = predict(*by("B0"), *at(server), "--dry-run", out=None)
    assert status == 0 and cells(out)[0][2:5] == ["4", "0", "4"] and server.asked.total() == 4


def test_recorded_answers_give_the_same_predictions(server, predict, folder):
    server.reply = answers
    assert predict(*by("B1", "M"), *at(server, "openai/one", "openai/two"), "--temperature", 0.5)[0] == 0
    server.close()
    raw = folder / "p.jsonl.raw.jsonl"
    raw.write_bytes(raw.read_bytes() + b'{"key": "torn')
    kept = raw.read_bytes()
    status, _, err = predict(*by("B1", "M"), "--recorded", raw.name, out="q.jsonl")
    assert status == 0 and (folder / "q.jsonl").read_bytes() == (folder / "p.jsonl").read_bytes()
    assert raw.read_bytes() == kept and not (folder / "q.jsonl.raw.jsonl").exists() and "To be asked" not in err
    assert predict(*by("M"), "--recorded", raw.name, "--model", "openai/two", out="q.jsonl")[0] == 0
    assert lines("q.jsonl") == lines("p.jsonl")[12:]
    status, _, err = predict(*by("B0"), "--recorded", raw.name, out="r.jsonl")
    assert status == 2 and "openai/one: expected at least one to the prompt of B0" in err
    assert not (folder / "r.jsonl").exists()


def test_recorded_answers_of_several_settings_have_to_be_told_apart(server, predict):
    for seed, value in ((1, 0), (2, 1)):
        server.reply = lambda asked, value=value: json.dumps({"prediction": value})
        assert predict(*by("B0"), *at(server), "--seed", seed)[0] == 0
    status, _, err = predict(*by("B0"), "--recorded", "p.jsonl.raw.jsonl", out="q.jsonl")
    assert status == 2 and err.count("\n") == 1 and "one set of settings" in err and not Path("q.jsonl").exists()
    for seed, value in ((1, 0), (2, 1)):
        assert predict(*by("B0"), "--recorded", "p.jsonl.raw.jsonl", "--seed", seed, out="q.jsonl")[0] == 0
        assert [row["prediction"] for row in lines("q.jsonl")] == [value] * 4


def test_a_provider_that_is_down_ends_the_run_and_what_it_left_can_be_read(server, predict):
    """Every planned cell of it is a failure then, asked or not."""
    write_jsonl("talks.jsonl", [ENGLISH | {"dialogue_id": f"d{n}"} for n in range(GIVE_UP + 5)])
    write_jsonl("plan.jsonl", [PlannedCell(f"d{n}", "sleep", "dev").to_dict() for n in range(GIVE_UP + 5)])
    server.reply = lambda asked: Reply(status=503)
    status, _, err = predict(*by("B0"), *at(server), "--max-retries", 0, "--max-connections", 1)
    assert status == 2 and f"{GIVE_UP} requests in a row failed" in err and not Path("p.jsonl").exists()
    assert predict(*by("B0"), "--recorded", "p.jsonl.raw.jsonl")[0] == 0
    assert [row["reason"] for row in lines("p.jsonl")] == ["transport"] * GIVE_UP + ["missing"] * 5


@pytest.mark.parametrize("code", [401, 404])
def test_a_key_or_a_model_that_is_refused(server, predict, folder, code):
    server.reply = lambda asked: Reply(status=code)
    status, out, err = predict(*by("B0"), *at(server))
    assert (status, out) == (2, "") and f"HTTP status {code}" in err.splitlines()[-1] and "4711" not in err
    assert not (folder / "p.jsonl").exists()


def test_predictions_are_scored(server, predict, capfd):
    server.reply = answers
    assert predict(*by("B0", "rules"), *at(server))[0] == 0
    write_jsonl("ref.jsonl", [{"dialogue_id": d, "dimension": m, "state": "PARTIAL", "method": "gold"}
                              for d, m in PLAN])
    assert cli.run(["score", "p.jsonl", "--reference", "ref.jsonl", "--dialogues", "talks.jsonl", "--plan",
                    "plan.jsonl", "--replicates", "0", "-o", "s.json"]) == 0
    first = json.loads(Path("s.json").read_text(encoding="utf-8"))["conditions"][0]
    assert (first["model"], first["method"], first["N"], first["U"], first["failed"]) == ("openai/m", "B0", 3, 2, 0)
    capfd.readouterr()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM"])
def test_a_run_that_is_killed_goes_on_without_asking_twice(server, predict, folder, how):
    write_jsonl("talks.jsonl", [ENGLISH | {"dialogue_id": f"d{n}"} for n in range(10)])
    write_jsonl("plan.jsonl", [PlannedCell(f"d{n}", "sleep", "dev").to_dict() for n in range(10)])
    server.reply = lambda asked: Reply(answers(asked), delay=0.1)
    options = [*by("B0", "B2"), *at(server), "--max-connections", "2"]
    command = [sys.executable, "-m", "evidial_rules", "predict", "talks.jsonl", "--plan", "plan.jsonl", "-o", "p.jsonl"]
    run = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True, cwd=folder,
                           env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    raw, deadline = folder / "p.jsonl.raw.jsonl", time.monotonic() + 60
    while (not raw.exists() or raw.read_bytes().count(b"\n") < 4) and time.monotonic() < deadline:
        time.sleep(0.02)
    run.send_signal(getattr(signal, how))
    _, err = run.communicate(timeout=30)
    assert run.returncode != 0 and not (folder / "p.jsonl").exists() and "4711" not in err and "Traceback" not in err
    assert sorted(one.name for one in folder.iterdir()) == ["p.jsonl.raw.jsonl", "plan.jsonl", "talks.jsonl"]
    kept = raw.read_bytes().count(b"\n")
    assert 4 <= kept < 20
    time.sleep(0.3)  # what was under way ends at the server
    before = server.asked.total()
    server.reply = answers
    assert predict(*options)[0] == 0
    assert server.asked.total() - before == 20 - kept
    assert [row["prediction"] for row in lines("p.jsonl")] == [1] * 20


def test_tokens_that_a_provider_had_cached_are_input_as_well(server, predict):
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
             "prompt_tokens_details": {"cached_tokens": 64}}
    message = {"role": "assistant", "content": '{"prediction": 1}'}
    server.reply = lambda asked: Reply(body=json.dumps({
        "id": "r", "object": "chat.completion", "created": 0, "model": "m", "usage": usage,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode())
    status, _, err = predict(*by("B0"), *at(server))
    assert status == 0
    assert [row["tokens"] for row in lines("p.jsonl.raw.jsonl")] == [
        {"input": 100, "cached": 64, "output": 20, "total": 120}] * 4
    assert cells(err)[-1] == ["openai/m B0", "4", "0", "0", "4", "400", "256", "80"]


def test_a_log_that_is_only_read_is_neither_locked_nor_made(tmp_path):
    with RawLog(tmp_path / "raw.jsonl"):
        assert len(RawLog.reading(tmp_path / "raw.jsonl")) == 0
    with pytest.raises(ValueError, match=r"raw answers|can be read"):
        RawLog.reading(tmp_path / "none.jsonl")
    assert not (tmp_path / "none.jsonl").exists()
