"""LLM judges against a model's server that answers well, late, not at all, and all kinds of rubbish."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from itertools import groupby
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("openai")

from llm_server import Reply

from evidial_rules import cli
from evidial_rules.contract import Dialogue
from evidial_rules.raters import RaterError
from evidial_rules.raters.llm import LLMRater, RawLog, Settings, collect
from evidial_rules.raters.llm.rater import GIVE_UP
from evidial_rules.resources import load_instrument

SECRET = "locker 4711"
NOTHING = '{"frames": [], "state": "ABSENT"}'
ENGLISH = {"dialogue_id": "en1", "language": "en", "instrument": "PHQ-8", "turns": [
    {"speaker": "interviewer", "text": "Any trouble sleeping?"},
    {"speaker": "participant", "text": f"I wake at three every night, my {SECRET}."}]}
CHINESE = {"dialogue_id": "zh1", "language": "zh", "instrument": "HAMD-17", "turns": [
    {"speaker": "interviewer", "text": "睡得怎么样？"},
    {"speaker": "participant", "text": "这一周每天晚上三点就醒，柜子密码4711。"}]}
DIMENSIONS = load_instrument("PHQ-8").ordered


def found(quote, dimension="sleep", state="SUFFICIENT_POS", components=("ALL",), **changes):
    frame = {"quote": quote, "turn": 1, "dimension": dimension, "components": list(components), "polarity": "affirm",
             "strength": "definite", "subject": "participant", "time": None, "withdrawn_by": None} | changes
    return json.dumps({"frames": [frame], "state": state}, ensure_ascii=False)


def sleeps_badly(ask):
    if ask.dimension != "sleep":
        return NOTHING
    return found("三点就醒" if "三点就醒" in ask.user else "I wake at three")


@pytest.fixture
def judge(server):
    """A judge that waits for almost nothing between attempts."""
    def make(log=None, name="openai/judge", **settings):
        return LLMRater(name, Settings(**{"base_url": server.url, "first_wait": 0.01, "retries": 2, "timeout": 20,
                                          "connections": 4} | settings), log)
    return make


def votes(rater, *rows):
    return {(vote.dialogue_id, vote.dimension): vote for row in rows or [ENGLISH]
            for vote in rater.votes(Dialogue.from_dict(row))}


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "quote"), [(ENGLISH, "I wake at three"), (CHINESE, "三点就醒")])
def test_a_good_answer_in_both_languages(server, judge, row, quote):
    server.reply = sleeps_badly
    given = votes(judge(), row)
    instrument = load_instrument(row["instrument"])
    assert list(given) == [(row["dialogue_id"], dimension) for dimension in instrument.ordered]
    sleep = given[row["dialogue_id"], "sleep"]
    assert (sleep.state, sleep.stated, sleep.frames[0].frame.quote) == ("SUFFICIENT_POS", "SUFFICIENT_POS", quote)
    assert all(vote.valid and vote.state == "ABSENT" for key, vote in given.items() if key[1] != "sleep")
    assert {vote.ruleset["name"] for vote in given.values()} == {f"prompt-judge-{row['language']}"}
    assert server.asked == dict.fromkeys(instrument.ordered, 1)
    body = server.bodies[0]
    assert body["model"] == "judge" and [one["role"] for one in body["messages"]] == ["system", "user"]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 8192)
    assert body["response_format"]["json_schema"]["strict"] is True


BAD_ANSWERS = {
    "anhedonia": (Reply('{"frames": [{"quote": "I wa'), "no_json"),
    "sleep": (Reply(found("She never said any such thing", dimension="sleep")), "no_quote_located"),
    "fatigue": (Reply(refusal="I can't help with that.", text=None), "refusal"),
    "appetite_weight": (Reply("I\u2019m sorry, but I can\u2019t help with that."), "refusal"),
    "psychomotor": (Reply('{"frames": [', finish="length"), "truncated"),
    "guilt_worthlessness": (Reply(found("I wake at three", "sleep")), "schema"),
    "concentration": (Reply(""), "empty"),
    "depressed_mood": (Reply(NOTHING, finish="content_filter"), "refusal"),
}


def test_answers_that_fail_the_form_are_invalid_votes_with_a_reason(server, judge):
    server.reply = lambda ask: BAD_ANSWERS[ask.dimension][0]
    log = RawLog()
    given = votes(judge(log))
    assert {key[1]: vote.reason for key, vote in given.items()} == {k: v[1] for k, v in BAD_ANSWERS.items()}
    assert not any(vote.valid or vote.state for vote in given.values())
    assert all(count == 1 for count in server.asked.values())  # an answer, however bad, is an answer
    assert {answer.dimension: answer.answered for answer in log} == dict.fromkeys(DIMENSIONS, True)
    assert SECRET not in json.dumps([vote.reason for vote in given.values()])


def test_a_quote_with_a_letter_off_and_a_state_that_contradicts_its_frames(server, judge):
    server.reply = lambda ask: found("I wakes at three evry night", state="ABSENT") if ask.dimension == "sleep" \
        else NOTHING
    vote = votes(judge())["en1", "sleep"]
    assert (vote.state, vote.stated, vote.invalid_frames) == ("SUFFICIENT_POS", "ABSENT", 0)
    assert vote.frames[0].frame.quote == "I wake at three every night"
    assert vote.frames[0].frame.cues[0].rule == "locate.near"


# -- failures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_passes_is_tried_again(server, judge, status):
    server.reply = lambda ask: Reply(status=status) if ask.before == 0 else sleeps_badly(ask)
    log = RawLog()
    given = votes(judge(log))
    assert all(vote.valid for vote in given.values()) and given["en1", "sleep"].state == "SUFFICIENT_POS"
    assert server.asked == dict.fromkeys(DIMENSIONS, 2)
    assert {answer.attempts for answer in log} == {2}
    assert all(answer.tokens == {"input": 100, "output": 20, "total": 120} and answer.served == "served-model"
               for answer in log)


def test_retry_after_is_kept_to(server, judge):
    server.reply = lambda ask: Reply(status=429, headers={"Retry-After": "1"}) if ask.before == 0 else NOTHING
    began = time.monotonic()
    assert all(vote.valid for vote in votes(judge(connections=8)).values())
    assert time.monotonic() - began >= 1


@pytest.mark.parametrize(("reply", "settings", "reason", "status"), [
    (Reply(status=503), {}, "transport", 503),
    (Reply(status=429), {}, "transport", 429),
    (Reply(status=400), {}, "transport", 400),
    (Reply(NOTHING, delay=1.6), {"timeout": 1, "retries": 1}, "timeout", None),
])
def test_one_cell_that_never_comes_is_invalid_and_the_others_are_there(server, judge, reply, settings, reason, status):
    server.reply = lambda ask: reply if ask.dimension == "fatigue" else NOTHING
    log = RawLog()
    rater = judge(log, **settings)
    given = votes(rater)
    bad = {key[1]: vote.reason for key, vote in given.items() if not vote.valid}
    assert bad == {"fatigue": reason}
    answer = next(one for one in log if one.dimension == "fatigue")
    assert (answer.failure, answer.status, answer.text) == (reason, status, None)
    assert answer.attempts == server.asked["fatigue"] == (1 if reply.status == 400 else rater.settings.retries + 1)
    # What failed is asked for again, what was answered is not.
    server.reply = lambda ask: NOTHING
    assert all(vote.valid for vote in votes(rater).values())
    assert {name: n for name, n in server.asked.items() if name != "fatigue"} == dict.fromkeys(
        set(DIMENSIONS) - {"fatigue"}, 1)


@pytest.mark.parametrize("status", [401, 404])
def test_a_key_or_a_model_that_is_refused_ends_the_run(server, judge, status):
    server.reply = lambda ask: Reply(status=status)
    with pytest.raises(RaterError, match=f"rater openai/judge: expected .*HTTP status {status}") as caught:
        votes(judge(connections=1))
    assert server.asked.total() == 1 and "4711" not in str(caught.value)


def test_a_provider_that_is_down_ends_the_run_early(server, judge):
    server.reply = lambda ask: Reply(status=503)
    rows = [Dialogue.from_dict(ENGLISH | {"dialogue_id": f"d{n}"}) for n in range(6)]
    rater = judge(retries=0, connections=2)
    with pytest.raises(RaterError, match=rf"{GIVE_UP} requests in a row failed, the last with HTTP status 503") as bad:
        collect([rater], rows)
    assert GIVE_UP <= server.asked.total() <= GIVE_UP + 2 and "4711" not in str(bad.value)


def test_no_server_at_all(judge):
    rater = judge(base_url="http://127.0.0.1:9/v1", retries=0)
    assert {vote.reason for vote in votes(rater).values()} == {"transport"}


# -- many --------------------------------------------------------------------------------------------------------------


def test_no_more_at_a_time_than_asked_for_and_order_is_kept(server, judge):
    def slow(ask):
        return Reply(sleeps_badly(ask), delay=0.15 if ask.dimension == "depressed_mood" else 0.02)

    server.reply = slow
    rows = [ENGLISH | {"dialogue_id": f"d{n}"} for n in range(4)]
    rater = judge(connections=3)
    ticks = []
    usage = collect([rater], [Dialogue.from_dict(row) for row in rows], tick=lambda: ticks.append(1))
    assert 2 <= server.most <= 3
    assert len(ticks) == usage["openai/judge"].asked == usage["openai/judge"].answers == 32
    assert usage["openai/judge"].tokens == {"input": 3200, "output": 640, "total": 3840}
    found = [vote for row in rows for vote in rater.read(Dialogue.from_dict(row))]
    assert [(vote.dialogue_id, vote.dimension) for vote in found] == [
        (row["dialogue_id"], dimension) for row in rows for dimension in DIMENSIONS]


def test_several_judges_share_a_log(server, judge):
    server.reply = lambda ask: NOTHING if ask.body["model"] == "one" else "no"
    log = RawLog()
    raters = [judge(log, "openai/one"), judge(log, "openai/two")]
    collect(raters, [Dialogue.from_dict(ENGLISH)])
    assert [{vote.valid for vote in one.read(Dialogue.from_dict(ENGLISH))} for one in raters] == [{True}, {False}]
    assert len(log) == 16


def test_within_a_running_event_loop(server, judge):
    async def notebook():
        return judge().votes(Dialogue.from_dict(ENGLISH))

    assert all(vote.valid for vote in asyncio.run(notebook()))


def test_other_settings_are_another_question(server, judge):
    log = RawLog()
    for changes in ({}, {"temperature": 1.0}, {"seed": 3}, {"schema": False}, {"max_tokens": 100}, {"connections": 1},
                    {"retries": 0}, {"timeout": 9}):
        votes(judge(log, **changes))
    assert server.asked == dict.fromkeys(DIMENSIONS, 5)
    assert sum("response_format" in body for body in server.bodies) == 8 * 4
    assert {body.get("seed") for body in server.bodies} == {None, 3}


def test_the_cache_of_inspect_ai_is_asked_only_if_wanted(server, judge):
    for wanted, count in ((False, 8), (False, 16), (True, 24), (True, 24)):
        log = RawLog()
        assert all(vote.valid for vote in votes(judge(log, cache=wanted)).values())
        assert server.asked.total() == count
    assert {answer.attempts for answer in log} == {0}


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "words"), [
    ("nobody/model", "a model that inspect_ai can open"), ("openai/", "provider/model"), ("/m", "provider/model"),
    ("openai/a b", "provider/model"), ("anthropic/claude", "a model that inspect_ai can open"),
])
def test_a_model_that_cannot_be_opened(name, words):
    with pytest.raises(RaterError, match=words):
        votes(LLMRater(name))


@pytest.mark.parametrize("url", ["ftp://host/v1", "localhost:8000", "http://", ""])
def test_a_base_url_that_is_none(url):
    with pytest.raises(RaterError, match="base URL"):
        LLMRater("openai/m", Settings(base_url=url))


def test_a_key_goes_to_the_server_if_there_is_one(server, judge, monkeypatch):
    votes(judge())
    assert {head["authorization"] for head in server.headers} == {"Bearer none"}
    server.headers.clear()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    votes(judge())
    assert {head["authorization"] for head in server.headers} == {"Bearer sk-test"}


def test_a_missing_package_is_named(monkeypatch):
    from evidial_rules.raters.llm import transport

    def missing(package):
        raise transport.PackageNotFoundError

    monkeypatch.setattr(transport, "version", missing)
    with pytest.raises(RaterError, match=r"rater openai/m: expected inspect_ai, .*evidial-rules\[llm\]"):
        LLMRater("openai/m")


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def dialogues(tmp_path):
    path = tmp_path / "talks.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (ENGLISH, CHINESE)), encoding="utf-8")
    return path


@pytest.fixture
def evidial(capfd):
    def call(*arguments):
        status = cli.run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return status, out, err
    return call


def lines(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_judge_writes_votes_beside_the_other_raters(server, dialogues, evidial, tmp_path):
    server.reply = lambda ask: sleeps_badly(ask) if ask.dimension != "fatigue" else "?"
    out = tmp_path / "votes.jsonl"
    status, shown, err = evidial("judge", dialogues, "--rater", "openai/judge", "--rater", "no-time", "--base-url",
                                 server.url, "-o", out)
    assert (status, shown) == (0, "")
    rows = lines(out)
    assert [key for key, _ in groupby((row["dialogue_id"], row["rater"]) for row in rows)] == [
        (name, rater) for name in ("en1", "zh1") for rater in ("openai/judge", "no-time")]
    mine = [row for row in rows if row["rater"] == "openai/judge"]
    assert {row["dimension"]: row["reason"] for row in mine if not row["valid"]} == {"fatigue": "no_json"}
    assert all(row["invalid_frames"] == 0 for row in mine if row["valid"])
    words = " ".join(err.split())
    assert "87.5%" in words and "excluded" in words and "no_json" in words and "1600" in words
    assert "4711" not in err and "I wake" not in err
    raw = lines(f"{out}.raw.jsonl")
    assert len(raw) == 16 and {row["model"] for row in raw} == {"openai/judge"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["talks.jsonl", "votes.jsonl", "votes.jsonl.raw.jsonl"]


def test_a_second_run_asks_nothing_and_writes_the_same(server, dialogues, evidial, tmp_path):
    server.reply = sleeps_badly
    out, raw = tmp_path / "votes.jsonl", tmp_path / "answers.jsonl"
    options = ["judge", dialogues, "--rater", "openai/judge", "--base-url", server.url, "--raw", raw]
    assert evidial(*options, "-o", out)[0] == 0
    first, kept = out.read_bytes(), raw.read_bytes()
    server.reply = lambda ask: "another answer"
    assert evidial(*options, "-o", out)[0] == 0
    assert (out.read_bytes(), raw.read_bytes()) == (first, kept)
    assert evidial(*options, "-o", tmp_path / "votes.parquet")[0] == 0
    status, shown, _ = evidial(*options, "-o", "-")
    assert status == 0 and shown.encode() == first
    assert server.asked.total() == 16


@pytest.mark.parametrize(("options", "words"), [
    (["--rater", "rules", "--base-url", "http://localhost/v1"], ["--rater", "an LLM"]),
    (["--rater", "rules", "--raw", "raw.jsonl"], ["--rater", "an LLM"]),
    (["--rater", "rules", "--anchor-cells"], ["--rater", "an LLM"]),
    ([], ["--rater", "--votes"]),
    (["--rater", "openai/m", "--rater", "openai/m"], ["each rater once"]),
    (["--rater", "openai/m", "--rater", "nobody"], ["one of rules"]),
    (["--rater", "openai/m", "--base-url", "nowhere"], ["base URL"]),
    (["--rater", "openai/m"], ["OPENAI_API_KEY"]),
    (["--rater", "openai/m", "-o", "-"], ["--raw"]),
    (["--rater", "openai/m", "--raw", "votes.jsonl"], ["another file"]),
    (["--rater", "openai/m", "--raw", "talks.jsonl"], ["another file"]),
    (["--rater", "openai/m", "--temperature", "3"], ["--temperature"]),
])
def test_bad_options_are_one_line(dialogues, evidial, tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    before = dialogues.read_bytes()
    given = options if "-o" in options else [*options, "-o", "votes.jsonl"]
    status, shown, err = evidial("judge", "talks.jsonl", *given)
    assert status == 2 and not shown and err.startswith("error: ") and err.count("\n") == 1
    assert all(word in err for word in words) and "4711" not in err
    assert not (tmp_path / "votes.jsonl").exists() and dialogues.read_bytes() == before


def test_a_refused_key_is_one_line_and_leaves_no_votes(server, dialogues, evidial, tmp_path):
    server.reply = lambda ask: Reply(status=401)
    out = tmp_path / "votes.jsonl"
    status, shown, err = evidial("judge", dialogues, "--rater", "openai/m", "--base-url", server.url, "-o", out)
    assert status == 2 and not shown and err.count("\n") == 1 and "HTTP status 401" in err and "4711" not in err
    assert not out.exists()


def test_anchors_are_scored_by_votes_in_a_file_and_not_by_asking(evidial, tmp_path):
    anchor = {"class": "P1", "dimension": "sleep", "expected": "ABSENT", "base_id": "b"}
    (tmp_path / "anchors.jsonl").write_text(json.dumps(ENGLISH | {"anchor": anchor}) + "\n", encoding="utf-8")
    status, shown, err = evidial("anchors", "score", tmp_path / "anchors.jsonl", "--rater", "openai/m")
    assert status == 2 and not shown and "votes of an LLM in a file" in err and "--votes" in err


def test_an_anchors_own_cell_alone_is_asked_about(server, evidial, tmp_path):
    anchors, votes = tmp_path / "anchors.jsonl", tmp_path / "votes.jsonl"
    anchor = {"class": "P1", "dimension": "sleep", "expected": "ABSENT", "base_id": "b"}
    rows = [ENGLISH | {"anchor": anchor}, ENGLISH | {"dialogue_id": "en2", "anchor": anchor | {"dimension": "fatigue"}}]
    anchors.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    server.reply = sleeps_badly
    options = ["judge", anchors, "--rater", "openai/m", "--base-url", server.url, "--anchor-cells", "-o", votes]
    assert evidial(*options)[0] == 0
    assert server.asked == {"sleep": 1, "fatigue": 1}
    assert [(row["dialogue_id"], row["dimension"], row["state"]) for row in lines(votes)] == [
        ("en1", "sleep", "SUFFICIENT_POS"), ("en2", "fatigue", "ABSENT")]
    status, shown, _ = evidial("anchors", "score", anchors, "--votes", votes)
    assert status == 0 and "1/2" in shown
    wrong = ENGLISH | {"anchor": anchor | {"dimension": "suicidal_ideation"}}
    anchors.write_text(json.dumps(wrong) + "\n", encoding="utf-8")
    status, _, err = evidial(*options)
    assert status == 2 and "anchors.jsonl:1: anchor.dimension" in err


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_a_run_that_is_killed_goes_on_without_asking_twice(server, tmp_path, evidial, how):
    """In the middle of a run, by any signal: no vote is written; the next run asks only for what has no answer."""
    rows = [ENGLISH | {"dialogue_id": f"d{n}"} for n in range(5)]
    source, out = tmp_path / "talks.jsonl", tmp_path / "votes.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    server.reply = lambda ask: Reply(sleeps_badly(ask), delay=0.1)
    options = ["judge", str(source), "--rater", "openai/judge", "--base-url", server.url, "--max-connections", "2",
               "-o", str(out)]
    run = subprocess.Popen([sys.executable, "-m", "evidial_rules", *options], stderr=subprocess.PIPE, text=True,
                           cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    raw = Path(f"{out}.raw.jsonl")
    deadline = time.monotonic() + 60
    while (not raw.exists() or raw.read_bytes().count(b"\n") < 6) and time.monotonic() < deadline:
        time.sleep(0.02)
    run.send_signal(getattr(signal, how))
    _, err = run.communicate(timeout=30)
    assert run.returncode != 0 and not out.exists() and "4711" not in err and "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["talks.jsonl", "votes.jsonl.raw.jsonl"]
    kept = raw.read_bytes().count(b"\n")
    assert 6 <= kept < 40
    time.sleep(0.3)  # what was under way ends at the server
    before = server.asked.total()
    assert before - kept <= 2  # at most what was under way
    server.reply = sleeps_badly
    assert evidial(*options)[0] == 0
    assert server.asked.total() - before == 40 - kept
    assert len(lines(out)) == 40 and all(row["valid"] for row in lines(out))
