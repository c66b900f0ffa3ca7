"""The command line around a fake judge: statuses, one-line errors, files whole or not at all."""
from __future__ import annotations

import importlib.util
import io
import json
import os
import signal
import subprocess
import sys
import time
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

import fake
from evidial_rules import cli
from evidial_rules.report import NOTICE

SECRET = "sad and tired, my locker code is 4711"


@pytest.fixture(autouse=True)
def fake_judge(monkeypatch):
    module = types.ModuleType("evidial_rules.pipeline.annotator")
    module.Annotator = fake.Annotator
    monkeypatch.setitem(sys.modules, "evidial_rules.pipeline.annotator", module)
    # What imported the real judge before is imported anew: from both places where Python keeps a submodule.
    monkeypatch.delitem(sys.modules, "evidial_rules.raters.rules", raising=False)
    monkeypatch.delattr("evidial_rules.raters.rules", raising=False)
    yield
    sys.modules.pop("evidial_rules.raters.rules", None)


def row(name="d1", *texts, **more):
    turns = [{"speaker": "participant", "text": text} for text in texts or (SECRET,)]
    return {"dialogue_id": name, "language": "en", "instrument": "PHQ-8", "turns": turns} | more


@pytest.fixture
def file(tmp_path):
    def write(*rows, name="in.jsonl"):
        path = tmp_path / name
        path.write_bytes(b"".join(
            (one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False).encode()) + b"\n" for one in rows))
        return str(path)
    return write


@pytest.fixture
def evidial(capfd):
    def call(*arguments):
        status = cli.run([str(argument) for argument in arguments])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return status, out, err
    return call


def lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def failed(result, *words):
    """Status 2 and one line that says what was expected, without a word of the dialogue."""
    status, out, err = result
    assert status == 2, err
    assert err.startswith("error: ") and err.count("\n") == 1, err
    assert not out
    assert "Traceback" not in err and "4711" not in err
    for word in words:
        assert word in err
    return True


# -- annotate --------------------------------------------------------------------------------------------------------


def test_annotate_writes_one_cell_a_dimension_in_order(evidial, file, tmp_path):
    out = tmp_path / "cells.jsonl"
    assert evidial("annotate", file(row("a"), row("b", "I feel rested")), "-o", out) == (0, "", "")
    cells = lines(out)
    assert [cell["dialogue_id"] for cell in cells] == ["a"] * 8 + ["b"] * 8
    assert [cell["dimension"] for cell in cells[:4]] == ["depressed_mood", "anhedonia", "sleep", "fatigue"]
    states = {(cell["dialogue_id"], cell["dimension"]): cell["state"] for cell in cells}
    assert states["a", "fatigue"] == "SUFFICIENT_POS" and states["b", "fatigue"] == "SUFFICIENT_NEG"
    assert states["b", "sleep"] == "ABSENT"
    for cell in cells:
        assert cell["contract"] == 1 and cell["ruleset"] == {"name": "fake", "version": "7"}
    frame = cells[3]["frames"][0]
    assert {"verdicts", "kept", "effective", "cues"} <= set(frame)


def test_no_trace_leaves_states_and_versions(evidial, file, tmp_path):
    out = tmp_path / "cells.jsonl"
    evidial("annotate", file(row()), "-o", out, "--no-trace")
    assert set(lines(out)[0]) == {"dialogue_id", "dimension", "state", "k", "contract", "ruleset"}


def test_several_inputs_one_output(evidial, file, tmp_path):
    out = tmp_path / "cells.jsonl"
    evidial("annotate", file(row("a"), name="1.jsonl"), file(row("b"), name="2.jsonl"), "-o", out)
    assert [cell["dialogue_id"] for cell in lines(out)][::8] == ["a", "b"]


def test_standard_input_and_output(evidial, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(row()).encode() + b"\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    status, out, err = evidial("annotate", "-", "-o", "-")
    assert status == 0 and not err
    assert len(out.splitlines()) == 8 and json.loads(out.splitlines()[0])["dialogue_id"] == "d1"


def test_parquet_there_and_back(evidial, file, tmp_path):
    from evidial_rules.corpora import read_jsonl

    source = file(row("a"), row("b", "I feel rested"))
    parquet, plain = tmp_path / "cells.parquet", tmp_path / "cells.jsonl"
    assert evidial("annotate", source, "-o", parquet)[0] == 0
    evidial("annotate", source, "-o", plain)
    assert [cell["state"] for cell in read_jsonl(parquet)] == [cell["state"] for cell in lines(plain)]


def test_workers_give_the_same_bytes(evidial, file, tmp_path, monkeypatch):
    """The fake is importable in the children by its own name, so this runs the real pool."""
    from evidial_rules.raters import pool

    started = []
    real = pool._Worker
    monkeypatch.setattr(pool, "_Worker", lambda *a: started.append(1) or real(*a))
    monkeypatch.setattr("evidial_rules.raters.rules.CellLines", fake.CellLines)
    source = file(*(row(f"d{i}", "I feel rested" if i % 3 else SECRET) for i in range(60)))
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert evidial("annotate", source, "-o", one)[0] == 0
    assert evidial("annotate", source, "-o", two, "--workers", 2)[0] == 0
    assert started == [1, 1]
    assert one.read_bytes() == two.read_bytes()
    assert len(lines(two)) == 480


@pytest.mark.parametrize(("bad", "words"), [
    (row("x", speaker=1) | {"turns": [{"speaker": "doctor", "text": SECRET}]}, ["in.jsonl:2", "speaker", "doctor"]),
    (row("x", instrument="PHQ-9"), ["in.jsonl:2", "PHQ-9", "HAMD-17"]),
    (row("x", language="fr"), ["in.jsonl:2", "language", "fr"]),
    (row("x", scores={"hunger": 1}), ["in.jsonl:2", "sleep", "a string of 6"]),
    ({"dialogue_id": "x", "language": "en", "instrument": "PHQ-8"}, ["in.jsonl:2", "turns"]),
    (row("d1"), ["in.jsonl:2", "dialogue_id"]),
    (b'{"dialogue_id": "x", "turns": "sad 4711', ["in.jsonl:2", "JSON"]),
    ("\u96be\u8fc7 4711".encode("gb18030"), ["in.jsonl:2", "UTF-8"]),
    (b'{"dialogue_id":"x","language":"en","instrument":"PHQ-8",'
     b'"turns":[{"speaker":"participant","text":"\\ud800 4711"}]}',
     ["in.jsonl:2", "surrogate"]),
])
def test_bad_input_is_one_line_and_nothing_is_written(evidial, file, tmp_path, bad, words):
    out = tmp_path / "cells.jsonl"
    assert failed(evidial("annotate", file(row(), bad), "-o", out), *words)
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl"]


def test_a_failed_run_leaves_the_old_output(evidial, file, tmp_path):
    out = tmp_path / "cells.jsonl"
    out.write_text("old")
    assert failed(evidial("annotate", file(row(), b"{"), "-o", out))
    assert out.read_text() == "old"


def test_skip_invalid_lists_what_it_left_out(evidial, file, tmp_path):
    out = tmp_path / "cells.jsonl"
    status, _, err = evidial("annotate", file(row("a"), row("x", language="fr"), b"{", row("b")), "-o", out,
                             "--skip-invalid")
    assert status == 0 and "2 lines left out" in err
    assert {cell["dialogue_id"] for cell in lines(out)} == {"a", "b"}
    rejected = (tmp_path / "cells.jsonl.rejected.jsonl").read_text()
    assert [json.loads(line)["line"] for line in rejected.splitlines()] == [2, 3]
    assert "4711" not in rejected


def test_skip_invalid_replaces_an_older_list(evidial, file, tmp_path):
    out = tmp_path / "cells.jsonl"
    evidial("annotate", file(row("a"), b"{"), "-o", out, "--skip-invalid")
    evidial("annotate", file(row("a")), "-o", out, "--skip-invalid")
    assert (tmp_path / "cells.jsonl.rejected.jsonl").read_bytes() == b""


def test_missing_and_truncated_files(evidial, file, tmp_path):
    out = tmp_path / "out.jsonl"
    assert failed(evidial("annotate", tmp_path / "none.jsonl", "-o", out), "none.jsonl")
    assert failed(evidial("annotate", tmp_path, "-o", out), "read")
    parquet = tmp_path / "d.parquet"
    from evidial_rules.corpora import write_jsonl

    write_jsonl(parquet, [row(f"d{i}") for i in range(50)])
    parquet.write_bytes(parquet.read_bytes()[:400])
    assert failed(evidial("annotate", parquet, "-o", out), "d.parquet", "Parquet")
    assert not out.exists()


def test_output_that_cannot_be_written(evidial, file, tmp_path):
    assert failed(evidial("annotate", file(row()), "-o", tmp_path / "no" / "cells.jsonl"), "written")
    source = file(row())
    assert failed(evidial("annotate", source, "-o", source), "another file")
    assert lines(source)[0]["dialogue_id"] == "d1"


@pytest.mark.parametrize("arguments", [
    ["annotate", "--bogus"], ["annotate"], ["bogus"], ["annotate", "x", "-o", "y", "--workers", "0"],
    ["annotate", "x", "-o", "y", "--engine", "cloud"], ["annotate", "x", "-o", "y", "--lexicons", "no-such-folder"],
    ["explain", "x"], ["convert", "x", "-o", "y", "--from", "word"],
])
def test_usage_errors_are_one_line_too(evidial, arguments):
    assert failed(evidial(*arguments))


def test_a_bug_is_one_line_without_the_words(evidial, file, monkeypatch):
    def broken(self, dialogue):
        raise KeyError(dialogue.turns[0].text)

    monkeypatch.setattr(fake.Annotator, "cells", broken)
    monkeypatch.delenv("EVIDIAL_DEBUG", raising=False)
    assert failed(evidial("annotate", file(row()), "-o", "-"), "in.jsonl:1", "raised KeyError", "--skip-invalid")
    monkeypatch.setattr(fake.Annotator, "__init__", broken)
    status, _, err = evidial("annotate", file(row()), "-o", "-")
    assert status == 1 and err.startswith("error: unexpected ") and err.count("\n") == 1 and "4711" not in err


def test_ctrl_c(evidial, file, tmp_path, monkeypatch):
    def stop(self, dialogue):
        raise KeyboardInterrupt

    monkeypatch.setattr(fake.Annotator, "cells", stop)
    status, _, err = evidial("annotate", file(row()), "-o", tmp_path / "o.jsonl")
    assert status == 130 and "Traceback" not in err
    assert os.listdir(tmp_path) == ["in.jsonl"]


# -- anchors ---------------------------------------------------------------------------------------------------------


QUIET = {"turns": [{"speaker": "interviewer", "text": "Which way did you come?"},
                   {"speaker": "participant", "text": "Over the bridge."}], "frames": []}


def test_anchors_are_made_and_the_rest_is_counted_with_the_reason(evidial, file, tmp_path):
    out, refused = tmp_path / "anchors.jsonl", tmp_path / "refused.jsonl"
    status, printed, err = evidial("anchors", "make", file(row("q", **QUIET)), "-o", out, "--refused", refused,
                                   "--class", "P3", "--class", "P1", "--no-twins", "--seed", "4")
    assert (status, printed) == (0, "") and err == "16 views\n"
    made = lines(out)
    assert [one["anchor"]["class"] for one in made] == ["P3", "P1"] * 8 and lines(refused) == []
    first = made[0]
    assert first["dialogue_id"] == "q.depressed_mood.P3.PHQ-8" and first["instrument"] == "PHQ-8"
    assert {"class": "P3", "dimension": "depressed_mood", "expected": "SUFFICIENT_NEG", "base_id": "q"}.items() <= \
        first["anchor"].items()
    assert first["anchor"]["changed"] and first["anchor"]["frames"]


def test_anchors_that_cannot_be_made_are_listed(evidial, file, tmp_path):
    out, refused = tmp_path / "anchors.jsonl", tmp_path / "refused.jsonl"
    source = file({**row("q", **QUIET), "frames": None, "gold": {"sleep": "PARTIAL"}})
    status, _, err = evidial("anchors", "make", source, "-o", out, "--refused", refused, "--class", "P3", "--no-twins")
    assert status == 0 and err.startswith("0 views\n") and lines(out) == []
    assert {one["reason"] for one in lines(refused)} == {
        "the base's cell is not known", "the base's cell is PARTIAL, and its frames are not known"}


@pytest.mark.parametrize(("options", "words"), [
    ((), ["in.jsonl:1", "cells are known"]), (("--class", "P9"), ["--class", "'P9'", "P4-op"]),
    (("--cells", "missing.jsonl"), ["missing.jsonl"]),
])
def test_anchors_of_what_is_not_known_are_refused(evidial, file, tmp_path, options, words):
    out = tmp_path / "anchors.jsonl"
    assert failed(evidial("anchors", "make", file(row()), "-o", out, *options), *words) and not out.exists()


def anchor(name, text, expected, dimension="fatigue"):
    return row(name, text, anchor={"class": "P2", "dimension": dimension, "expected": expected, "base_id": "b"})


def test_anchors_are_scored_for_the_rule_judge_without_votes(evidial, file, tmp_path):
    out = tmp_path / "scores.json"
    source = file(anchor("a", "I am tired", "ABSENT"), anchor("b", "nothing", "ABSENT"))
    status, printed, err = evidial("anchors", "score", source, "-o", out)
    assert (status, err) == (0, "")
    assert all(words in printed for words in ("P2", "too few", "P8 counts in F2 and in F6"))
    [scores] = lines(out)
    found = next(one for one in scores["classes"] if one["class"] == "P2" and one["language"] == "all")
    assert found["rater"] == "rules" and (found["n"], found["valid"], found["hits"]) == (2, 2, 1)
    assert found["passed"] is None and found["states"]["SUFFICIENT_POS"] == 1
    assert SECRET not in printed


def test_anchors_are_scored_for_votes_of_any_rater(evidial, file, tmp_path):
    vote = {"dialogue_id": "a", "dimension": "fatigue", "rater": "somebody", "state": "ABSENT", "valid": True,
            "reason": None, "frames": [], "stated": None}
    votes = file(vote, {**vote, "dialogue_id": "b", "state": None, "valid": False, "reason": "format"}, name="v.jsonl")
    source = file(anchor("a", "I am tired", "ABSENT"), anchor("b", "nothing", "ABSENT"))
    status, printed, _ = evidial("anchors", "score", source, "--votes", votes, "-o", "-")
    assert status == 0
    modes = {(m["mode"], m["rater"]): m for m in json.loads(printed)["modes"] if m["language"] == "all"}
    assert set(r for _, r in modes) == {"somebody"}
    assert [modes["F4", "somebody"][key] for key in ("n", "valid", "hits")] == [2, 1, 1]
    both = evidial("anchors", "score", source, "--votes", votes, "--rater", "no-time", "-o", "-")
    assert {m["rater"] for m in json.loads(both[1])["modes"]} == {"somebody", "no-time"}


@pytest.mark.parametrize(("content", "options", "words"), [
    (row(), (), ["in.jsonl:1", "`anchor`"]),
    (anchor("a", "x", "MAYBE"), (), ["anchor.expected", "'MAYBE'"]),
    (anchor("a", "x", "ABSENT"), ("--rater", "gpt"), ["rater", "'gpt'"]),
    (anchor("a", "x", "ABSENT"), ("--votes", "missing.jsonl"), ["missing.jsonl"]),
])
def test_bad_anchors_and_raters_are_one_line(evidial, file, content, options, words):
    assert failed(evidial("anchors", "score", file(content), *options), *words)


# -- judge -----------------------------------------------------------------------------------------------------------


def test_judge_writes_a_vote_a_rater_and_dimension_in_order(evidial, file, tmp_path):
    out = tmp_path / "votes.jsonl"
    source = file(row("a"), row("b", "I feel rested"))
    assert evidial("judge", source, "--rater", "rules", "--rater", "no-time", "-o", out) == (0, "", "")
    votes = lines(out)
    assert [(vote["dialogue_id"], vote["rater"]) for vote in votes[::8]] == [
        ("a", "rules"), ("a", "no-time"), ("b", "rules"), ("b", "no-time")]
    assert [vote["dimension"] for vote in votes[:8]] == [vote["dimension"] for vote in votes[8:16]]
    assert {(vote["state"], vote["valid"], vote["reason"], vote["stated"]) for vote in votes
            if vote["dimension"] == "fatigue"} == {("SUFFICIENT_POS", True, None, None),
                                                   ("SUFFICIENT_NEG", True, None, None)}
    assert all(vote["contract"] == 1 and vote["ruleset"] == {"name": "fake", "version": "7"} for vote in votes)


def test_judge_reads_back_what_it_wrote(evidial, file, tmp_path):
    from evidial_rules.corpora import read_jsonl

    plain, parquet = tmp_path / "votes.jsonl", tmp_path / "votes.parquet"
    source = file(row("a"), row("b", "I feel rested"))
    for out in (plain, parquet):
        assert evidial("judge", source, "--rater", "rules", "-o", out)[0] == 0
    assert [vote["state"] for vote in read_jsonl(parquet)] == [vote["state"] for vote in lines(plain)]


@pytest.mark.parametrize(("names", "words"), [
    (["gpt"], ["'gpt'", "rules, negex, context, no-subject"]),
    (["rules", "rules"], ["each rater once"]),
    (["rules", "vendor model"], ["no-answers", "provider/model", "a string of"]),
])
def test_judge_refuses_raters_before_it_reads(evidial, file, tmp_path, names, words):
    out = tmp_path / "votes.jsonl"
    options = [part for name in names for part in ("--rater", name)]
    assert failed(evidial("judge", file(row(), b"broken"), *options, "-o", out), "rater", *words)
    assert not out.exists()


def test_judge_needs_a_rater(evidial, file, tmp_path):
    assert failed(evidial("judge", file(row()), "-o", tmp_path / "votes.jsonl"), "--rater")


def test_judge_leaves_nothing_behind_a_bad_line(evidial, file, tmp_path):
    out = tmp_path / "votes.jsonl"
    assert failed(evidial("judge", file(row(), row("x", instrument="PHQ-9")), "--rater", "rules", "-o", out),
                  "in.jsonl:2", "PHQ-9")
    assert not out.exists()


def test_judge_does_not_write_over_its_input(evidial, file):
    source = file(row())
    assert failed(evidial("judge", source, "--rater", "rules", "-o", source), "another file")


# -- explain ---------------------------------------------------------------------------------------------------------


def test_explain_shows_candidates_verdicts_and_state(evidial, file):
    status, out, _ = evidial("explain", file(row("d1", "I was rested yesterday", "my brother is tired")), "--dialogue",
                             "d1", "--dimension", "fatigue")
    assert status == 0
    for words in ("[rested|f1]", "[yesterday|f1:time]", "fake.yesterday", "does not cover the window",
                  "somebody else", "lost to fake.yesterday", "K(u) = {0, 1}", "PARTIAL", "rule set fake 7",
                  "contract 1"):
        assert words in out, words
    assert NOTICE in out


def test_explain_writes_a_page(evidial, file, tmp_path):
    page = tmp_path / "cell.html"
    assert evidial("explain", file(row()), "--dialogue", "d1", "--dimension", "fatigue", "--html", page)[0] == 0
    text = page.read_text(encoding="utf-8")
    assert "SUFFICIENT_POS" in text and NOTICE in text and "fake 7" in text


def test_explain_says_which_files_hold_nothing_on_the_cell(evidial, file, tmp_path):
    page, empty, gold = (str(tmp_path / name) for name in ("page.html", "empty.jsonl", "gold.jsonl"))
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "gold.jsonl").write_text(json.dumps({"dialogue_id": "d1", "gold": {"fatigue": "PARTIAL"}}) + "\n")
    cell = ("explain", file(row()), "--dialogue", "d1", "--html", page, "--votes", empty, "--reference", empty,
            "--gold")
    nothing = [f"{option} {empty}: nothing on this cell" for option in ("--votes", "--reference")]
    status, _, err = evidial(*cell, gold, "--dimension", "fatigue")
    assert status == 0 and err.splitlines() == nothing
    status, _, err = evidial(*cell, gold, "--dimension", "sleep")
    assert status == 0 and err.splitlines() == [*nothing, f"--gold {gold}: nothing on this cell"]


def test_explain_refuses_what_is_not_there(evidial, file):
    source = file(row())
    assert failed(evidial("explain", source, "--dialogue", "d2", "--dimension", "sleep"), "--dialogue", "d2")
    assert failed(evidial("explain", source, "--dialogue", "d1", "--dimension", "hunger"), "--dimension", "sleep")
    assert failed(evidial("explain", source, "--dialogue", "d1", "--dimension", "suicidal_ideation"), "PHQ-8")


def test_explain_does_not_obey_the_dialogue(evidial, file):
    out = evidial("explain", file(row("d1", "\x1b[2J\x1b]0;title\x07 [bold]tired[/bold]")), "--dialogue", "d1",
                  "--dimension", "fatigue")[1]
    assert "\x1b" not in out and "\x07" not in out and "[bold]" in out


# -- diff ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def two_runs(evidial, file, tmp_path):
    """Cells of two dialogues, and the same with one frame said of somebody else and judged anew."""
    from evidial_rules.contract import judge
    from evidial_rules.corpora import read_cells, write_jsonl
    from evidial_rules.resources import load_instrument

    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    evidial("annotate", file(row("d1"), row("d2", "I was rested yesterday")), "-o", a)
    frames = {"d1": [], "d2": []}
    for cell in read_cells(a):
        frames[cell.dialogue_id] += [bound.frame for bound in cell.frames]
    frames["d1"] = [frame.replace(subject="other") if frame.dimension == "fatigue" else frame for frame in frames["d1"]]
    write_jsonl(b, (cell for name, found in frames.items() for cell in judge(
        found, load_instrument("PHQ-8"), dialogue_id=name, ruleset={"name": "fake", "version": "8"})))
    return a, b


def test_diff_prints_what_changed_and_why(evidial, two_runs):
    status, out, err = evidial("diff", *two_runs)
    assert (status, err) == (0, "")
    for words in ("rule set fake 7", "rule set fake 8", "the rule set differs", "changed: 1 of 16 cells (6.2%)",
                  "subject"):
        assert words in out, words
    assert "d1 fatigue" not in out
    out = evidial("diff", *two_runs, "--cells")[1]
    [line] = [line for line in out.splitlines() if line.startswith("d1 fatigue: SUFFICIENT_POS -> ABSENT  subject  ")]
    assert "subject participant (no rule) -> other (no rule)" in line and "tired" not in out
    assert "\u201ctired\u201d" in evidial("diff", *two_runs, "--cells", "--quotes")[1]
    assert "changed: 0 of 16 cells (0.0%)" in evidial("diff", two_runs[0], two_runs[0])[1]


def test_diff_writes_changed_cells(evidial, two_runs, tmp_path):
    out = tmp_path / "d.jsonl"
    status, shown, _ = evidial("diff", *two_runs, "-o", out)
    assert status == 0 and "changed: 1 of 16" in shown
    [one] = lines(out)
    assert (one["dialogue_id"], one["dimension"], one["a"], one["b"]) == ("d1", "fatigue", "SUFFICIENT_POS", "ABSENT")
    assert one["operations"] == ["subject"] and "tired" not in out.read_text()
    assert one["frames"]["changed"][0]["attributes"][0]["b"] == "other"
    assert evidial("diff", *two_runs, "-o", out, "--quotes")[0] == 0
    assert lines(out)[0]["frames"]["changed"][0]["quote"] == "tired"
    status, shown, _ = evidial("diff", *two_runs, "-o", "-")
    assert [json.loads(line)["dimension"] for line in shown.splitlines()] == ["fatigue"]


def test_diff_reads_parquet_states_only_and_standard_input(evidial, two_runs, file, tmp_path, monkeypatch):
    bare = tmp_path / "bare.parquet"
    evidial("annotate", file(row("d1"), row("d2", "I was rested yesterday")), "-o", bare, "--no-trace")
    out = evidial("diff", bare, two_runs[1])[1]
    assert "changed: 1 of 16" in out and "unknown" in out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(two_runs[0].read_bytes())))
    out = evidial("diff", "-", two_runs[1])[1]
    assert "A  standard input" in out and "changed: 1 of 16" in out


def test_diff_of_raters(evidial, file):
    votes = file(*({"dialogue_id": "d1", "dimension": "sleep", "rater": rater, "state": state, "valid": True}
                   for rater, state in (("rules", "ABSENT"), ("negex", "PARTIAL"))))
    assert failed(evidial("diff", votes, votes), "--rater-a", "negex, rules")
    assert failed(evidial("diff", votes, votes, "--rater-a", "rules"), "--rater-b", "negex, rules")
    assert failed(evidial("diff", votes, votes, "--rater-a", "rules", "--rater-b", "context"), "--rater-b")
    status, out, _ = evidial("diff", votes, votes, "--rater-a", "rules", "--rater-b", "negex")
    assert status == 0 and "rater negex" in out and "changed: 1 of 1 cells (100.0%)" in out


def test_diff_refuses_what_it_cannot_compare(evidial, two_runs, file, tmp_path):
    a, b = two_runs
    first = a.read_bytes().splitlines()[0]
    assert failed(evidial("diff", a, file(first, first, name="twice.jsonl")), "twice.jsonl:2", "twice.jsonl:1")
    assert failed(evidial("diff", file(row()), b), "in.jsonl:1", "dimension")
    assert failed(evidial("diff", a, file(first, b"{", name="broken.jsonl")), "broken.jsonl:2", "JSON")
    assert failed(evidial("diff", a, tmp_path / "none.jsonl"), "none.jsonl")
    assert failed(evidial("diff", a, b, "--rater-a", "rules"), "--rater-a", "cells")
    assert failed(evidial("diff", "-", "-"), "standard input")
    assert failed(evidial("diff", a, b, "--quotes"), "--quotes", "--cells")
    before = a.read_bytes()
    assert failed(evidial("diff", a, b, "-o", a), "another file")
    assert a.read_bytes() == before


# -- convert, lint, demo ---------------------------------------------------------------------------------------------


def test_convert(evidial, tmp_path):
    (tmp_path / "t.txt").write_text("Interviewer: Hello.\nParticipant: I am tired.\n", encoding="utf-8")
    out = tmp_path / "d.jsonl"
    assert evidial("convert", tmp_path / "t.txt", "--from", "text", "--instrument", "BDI-II", "-o", out)[0] == 0
    dialogue = lines(out)[0]
    assert (dialogue["instrument"], dialogue["language"]) == ("BDI-II", "en")
    assert [turn["speaker"] for turn in dialogue["turns"]] == ["interviewer", "participant"]
    assert failed(evidial("convert", tmp_path / "t.txt", "--from", "text", "-o", out), "--instrument")


@dataclass
class Finding:
    file: str
    rule: str
    problem: str
    severity: str


@pytest.mark.parametrize(("severity", "status"), [("error", 2), ("warning", 0)])
def test_lint(evidial, monkeypatch, severity, status):
    module = types.ModuleType("evidial_rules.pipeline.lint")
    module.lint = lambda lexicons=None: [Finding("lexicons/en/sleep.yaml", "en.sleep.x", "never matches", severity)]
    monkeypatch.setitem(sys.modules, "evidial_rules.pipeline.lint", module)
    result = evidial("lint")
    assert result[0] == status
    assert f"{severity}: lexicons/en/sleep.yaml: en.sleep.x: never matches" in result[1]


def test_demo_prints_states_beside_gold_and_writes_the_report(evidial, tmp_path, monkeypatch):
    from evidial_rules.report import demo

    monkeypatch.setattr(demo, "ENGINES", ())  # they build on the real judge
    status, out, _ = evidial("demo", "-o", tmp_path / "demo")
    assert status == 0
    assert "of 117 cells have the gold state" in out and NOTICE in out
    report = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert NOTICE in report and "gold SUFFICIENT_NEG" in report
    assert len(lines(tmp_path / "demo" / "cells.jsonl")) == 117
    pages = os.listdir(tmp_path / "demo" / "cells")
    assert len(pages) == 117
    assert all(f'href="cells/{page}"' in report for page in pages)
    assert len(lines(tmp_path / "demo" / "anchor_votes.jsonl")) == len(lines(tmp_path / "demo" / "anchors.jsonl")) > 100
    if importlib.util.find_spec("matplotlib"):  # it ends with the report of its own folder
        made = [line for line in out.splitlines() if line.startswith(str(tmp_path / "demo" / "report" / "index.html"))]
        assert made and "tables and figures" in made[0] and "not made" in out.splitlines()[-1]
        assert "simulated" in (tmp_path / "demo" / "report" / "index.html").read_text(encoding="utf-8")


def test_demo_without_matplotlib_names_the_extra(evidial, tmp_path, monkeypatch):
    from evidial_rules.report import demo

    monkeypatch.setattr(demo, "ENGINES", ())
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = evidial("demo", "-o", tmp_path / "demo")
    assert status == 0 and not err
    assert out.splitlines()[-1] == "no report: the extra `report` is missing (pip install 'evidial-rules[report]')"
    assert not (tmp_path / "demo" / "report").exists()


# -- help and start ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [[], ["annotate"], ["explain"], ["convert"], ["lint"], ["demo"],
                                     ["diff"], ["judge"], ["fuse"], ["panel"], ["plan"], ["predict"], ["score"],
                                     ["gaps"], ["freeze"], ["verify"], ["anchors", "make"], ["anchors", "score"]])
def test_help_says_what_a_state_is_not(evidial, command):
    status, out, _ = evidial(*command, "--help")
    assert status == 0
    assert NOTICE in " ".join(out.split())


def test_versions(evidial):
    from evidial_rules import __version__

    assert evidial("--version")[1] == f"evidial-rules {__version__}, contract 1\n"


def test_help_loads_nothing_heavy():
    code = ("import sys; from evidial_rules.cli import run; run(['--help']); "
            "bad = {'spacy', 'pandas', 'pyarrow', 'numpy', 'jieba', 'scipy'} & set(sys.modules); "
            "sys.exit(f'loaded {bad}' if bad else 0)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_no_progress_bar_without_a_terminal(evidial, file):
    assert evidial("annotate", file(*(row(f"d{i}") for i in range(20))), "-o", os.devnull)[2] == ""


def test_a_reader_that_has_seen_enough_is_no_error_message(tmp_path):
    table = tmp_path / "many.csv"
    with table.open("w", encoding="utf-8") as stream:
        stream.write("dialogue_id,speaker,text\n")
        for i in range(3000):
            stream.write(f"d{i},participant,{'word ' * 20}\n")
    command = [sys.executable, "-m", "evidial_rules", "convert", str(table), "--from", "csv", "--instrument", "PHQ-8",
               "-o", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.read(20).startswith(b'{"dialogue_id"')
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_progress_bar_on_a_terminal_and_nothing_of_it_in_the_output(tmp_path):
    pty = pytest.importorskip("pty")
    source = tmp_path / "t.csv"
    source.write_text("dialogue_id,speaker,text\nd1,participant,hello\n", encoding="utf-8")
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "evidial_rules", "convert", str(source), "--from", "csv", "--instrument", "PHQ-8",
               "-o", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=child, env=os.environ | {"TERM": "xterm"})
    os.close(child)
    seen = os.read(parent, 65536)
    os.close(parent)
    assert b"dialogues" in seen
    assert json.loads(done.stdout)["dialogue_id"] == "d1"


# -- outputs that are inputs, or cannot be put in place ----------------------------------------------------------------


def test_the_list_of_bad_lines_is_no_input_either(evidial, file, tmp_path):
    source = file(row(), name="c.jsonl.rejected.jsonl")
    before = Path(source).read_bytes()
    assert failed(evidial("annotate", source, "-o", tmp_path / "c.jsonl", "--skip-invalid"), "another file")
    assert Path(source).read_bytes() == before and os.listdir(tmp_path) == ["c.jsonl.rejected.jsonl"]
    assert evidial("annotate", source, "-o", tmp_path / "c.jsonl")[0] == 0


def test_the_list_of_bad_lines_is_not_the_output(evidial, file, tmp_path):
    out = tmp_path / "c.jsonl"
    os.symlink(out, tmp_path / "c.jsonl.rejected.jsonl")
    assert failed(evidial("annotate", file(row()), "-o", out, "--skip-invalid"), "another file")
    assert not out.exists()


def test_convert_does_not_overwrite_what_it_reads(evidial, tmp_path):
    folder = tmp_path / "talks"
    folder.mkdir()
    talk = folder / "a.txt"
    talk.write_text("Patient: I am tired.\n")
    labels = tmp_path / "lab.csv"
    labels.write_text("id,1,2,3,4,5,6,7,8\na,0,0,0,0,0,0,0,0\n")
    arguments = ["convert", folder, "--from", "text", "--instrument", "PHQ-8"]
    assert failed(evidial(*arguments, "-o", talk), "another file than the input")
    assert failed(evidial(*arguments, "--labels", labels, "-o", labels), "another file than the input")
    assert talk.read_text() == "Patient: I am tired.\n" and labels.read_text().startswith("id,1")
    assert evidial(*arguments, "--labels", labels, "-o", folder / "d.jsonl")[0] == 0


def test_output_and_list_appear_together_or_not_at_all(evidial, file, tmp_path):
    out = tmp_path / "c.jsonl"
    (tmp_path / "c.jsonl.rejected.jsonl").mkdir()
    assert failed(evidial("annotate", file(row(), b"{"), "-o", out, "--skip-invalid"), "rejected.jsonl", "folder")
    assert sorted(os.listdir(tmp_path)) == ["c.jsonl.rejected.jsonl", "in.jsonl"]


@pytest.mark.parametrize("out", ["c.jsonl", "c.parquet"])
def test_a_file_name_that_is_no_text_can_be_listed(evidial, tmp_path, out):
    source = os.fsencode(tmp_path) + b"/in\xff.jsonl"
    try:
        with open(source, "wb") as stream:
            stream.write(json.dumps(row()).encode() + b"\n{\n")
    except OSError:
        pytest.skip("a file system of names that are text")
    assert evidial("annotate", os.fsdecode(source), "-o", tmp_path / out, "--skip-invalid")[0] == 0
    [bad] = lines(tmp_path / f"{out}.rejected.jsonl")
    assert bad["line"] == 2 and "in\\udcff.jsonl:2" in bad["error"]


def test_no_list_beside_a_device(evidial, file):
    status, _, err = evidial("annotate", file(row(), b"{"), "-o", os.devnull, "--skip-invalid")
    assert status == 0 and err.startswith("skipped: ") and "in.jsonl:2" in err
    assert not os.path.exists(f"{os.devnull}.rejected.jsonl")


def test_a_link_that_leads_to_itself_is_not_replaced(evidial, file, tmp_path):
    loop = tmp_path / "loop"
    os.symlink("loop", loop)
    assert failed(evidial("annotate", file(row()), "-o", loop), "written")
    assert loop.is_symlink()


def test_a_page_on_standard_output_is_all_of_it(evidial, file):
    status, out, _ = evidial("explain", file(row()), "--dialogue", "d1", "--dimension", "fatigue", "--html", "-")
    assert status == 0 and out.startswith("<!") and out.rstrip().endswith("</html>")


def test_convert_says_that_it_reads_no_standard_input(evidial, tmp_path):
    assert failed(evidial("convert", "-", "--from", "text", "-o", tmp_path / "o"), "standard input", "files or folders")


def test_a_score_too_huge_for_a_float(evidial, file, tmp_path):
    bad = row("x", scores={"sleep": 10**400})
    assert failed(evidial("annotate", file(row(), bad), "-o", tmp_path / "o"), "in.jsonl:2", "scores from 0")
    assert evidial("annotate", file(row(), bad), "-o", tmp_path / "o", "--skip-invalid")[0] == 0
    assert lines(f"{tmp_path / 'o'}.rejected.jsonl")[0]["line"] == 2


def test_so_many_workers(evidial, file, tmp_path):
    for number in ("257", "99999999999999999999"):
        assert failed(evidial("annotate", file(row()), "-o", tmp_path / "o", "--workers", number), "--workers", "256")


@pytest.mark.parametrize("bad", [
    {"turns": ["suicidal"]}, {"turns": "suicidal"}, {"turns": [{"speaker": "suicidal", "text": "x"}]},
    {"turns": [{"speaker": "participant", "text": 4711}]}, {"language": "suicidal"}, {"instrument": "suicidal"},
    {"scores": {"suicidal": "x"}}, {"scores": {"sleep": "suicidal"}}, {"visit": 4711.5}, {"date": "suicidal"},
    {"source": ["suicidal"]}, "suicidal",
])
def test_not_one_word_of_a_row_is_shown(evidial, file, tmp_path, bad):
    result = evidial("annotate", file(row() | bad if isinstance(bad, dict) else bad), "-o", tmp_path / "o")
    assert failed(result, "in.jsonl:1") and "suicidal'" not in result[2]


def test_not_one_word_of_a_table_is_shown(evidial, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("dialogue_id,text,speaker\nd1,patient,suicidal\n")
    result = evidial("convert", table, "--from", "csv", "--instrument", "PHQ-8", "-o", tmp_path / "o")
    assert failed(result, "t.csv:2", "a string of 8 characters") and "suicidal" not in result[2]


# -- signals and closed streams ----------------------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name == "nt", reason="signals and process groups of POSIX")


def stopped(tmp_path, number, workers, *, group=False, early=False):
    """A run that waits for more input, ended by a signal: status and standard error, once nothing of it holds that."""
    command = [sys.executable, "-m", "evidial_rules", "annotate", "-", "-o", str(tmp_path / "o.jsonl"), "--workers",
               str(workers)]

    def heard() -> None:
        """A suite under nohup would hand down that SIGHUP is ignored."""
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True, preexec_fn=heard) as process:
        for i in range(8 * workers):
            process.stdin.write(json.dumps(row(f"d{i}")).encode() + b"\n")
        process.stdin.flush()
        while not os.listdir(tmp_path):  # its temporary file: the command runs
            assert process.poll() is None
        if not early and workers > 1:
            [temporary] = tmp_path.iterdir()
            # the first chunk waits for the workers; there is nothing to see of them from outside but time
            time.sleep(1.5)
            assert temporary.exists()
        (os.killpg if group else os.kill)(process.pid, number)
        # Not communicate(), which would close the input, and with it end the run.
        err = process.stderr.read()
        return process.wait(), err.decode()


@posix
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_nothing_behind(tmp_path, name, workers):
    number = getattr(signal, name)
    assert stopped(tmp_path, number, workers) == (128 + number, f"error: ended by {name}\n")
    assert os.listdir(tmp_path) == []


@posix
@pytest.mark.parametrize(("workers", "early"), [(1, False), (2, False), (2, True)])
def test_ctrl_c_is_one_line_of_one_process(tmp_path, workers, early):
    assert stopped(tmp_path, signal.SIGINT, workers, group=True, early=early) == (130, "error: interrupted\n")
    assert os.listdir(tmp_path) == []


@posix
def test_workers_end_with_a_parent_that_was_killed(tmp_path):
    assert stopped(tmp_path, signal.SIGKILL, 2)[0] == -signal.SIGKILL  # and nothing held its standard error


@posix
@pytest.mark.parametrize(("closed", "workers"), [(">&-", 1), ("2>&-", 1), ("<&- >&- 2>&-", 2)])
def test_closed_streams_that_are_not_needed(file, tmp_path, closed, workers):
    source, out = file(row()), tmp_path / "o.jsonl"
    command = f'exec "$0" -m evidial_rules annotate "$1" -o "$2" --workers {workers} {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable, source, str(out)], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(lines(out)) == 8


@posix
@pytest.mark.parametrize(("arguments", "closed", "word"), [
    ("annotate - -o o.jsonl", "<&-", "standard input"), ("annotate in.jsonl -o -", ">&-", "standard output"),
    ("explain in.jsonl --dialogue d1 --dimension sleep", ">&-", "standard output"), ("lint", ">&-", "standard output"),
    ("annotate none.jsonl -o o.jsonl", "2>&-", ""), ("annotate --bogus", "2>&- >&-", ""),
])
def test_closed_streams_that_are_needed(file, tmp_path, arguments, closed, word):
    file(row())
    done = subprocess.run(["sh", "-c", f'exec "$0" -m evidial_rules {arguments} {closed}', sys.executable],
                          capture_output=True, cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and word in done.stderr.decode()
    assert done.stderr.count(b"\n") == bool(word) and os.listdir(tmp_path) == ["in.jsonl"]


@pytest.mark.parametrize("command", [["annotate", "-o", "o"], ["explain", "--dialogue", "d1", "--dimension", "sleep"],
                                     ["lint"]])
def test_a_folder_without_lexicons(evidial, file, tmp_path, command):
    (tmp_path / "own").mkdir()
    source = [] if command == ["lint"] else [file(row())]
    assert failed(evidial(*command, *source, "--lexicons", tmp_path / "own"), "own: expected a folder with lexicon")
