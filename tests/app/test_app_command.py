"""What the command refuses before there is a page."""
from __future__ import annotations

import json
import socket

import pytest

from evidial_rules.cli import run
from evidial_rules.resources import resource

DIALOGUES = str(resource("data", "dialogues.jsonl"))


@pytest.fixture(autouse=True)
def nothing_is_served(monkeypatch):
    from evidial_rules.app import serve

    def never(*arguments, **options):
        raise AssertionError("a page is served")

    monkeypatch.setattr(serve, "serve", never)
    monkeypatch.setattr(serve, "check_installed", lambda: None)


@pytest.mark.parametrize(("option", "rows", "words"), [
    ("--votes", [{"dialogue_id": "d9", "dimension": "sleep", "rater": "a", "state": "ABSENT"}],
     "file.jsonl:1: expected a cell of the dialogues, found 'd9' sleep"),
    ("--reference", [{"dialogue_id": "d9", "dimension": "sleep", "method": "m", "state": "ABSENT"}],
     "file.jsonl:1: expected a cell of the dialogues"),
    ("--gold", [{"dialogue_id": "en-phq8-baker", "gold": {"sleep": "I sleep well"}}], "file.jsonl:1: expected a state"),
    ("--gold", [{"dialogue_id": "d9", "gold": {"sleep": "ABSENT"}}], "file.jsonl: expected cells of the dialogues"),
    ("--cells", [{"dialogue_id": "en-phq8-baker", "dimension": "sleep", "state": "ABSENT", "k": [0, 1]}],
     "file.jsonl:1: expected a cell with its frames"),
    ("--votes", ["no object"], "file.jsonl:1"),
])
def test_bad_input_is_one_line(tmp_path, capsys, option, rows, words):
    path = tmp_path / "file.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(["app", DIALOGUES, option, str(path), "--no-browser"]) == 2
    said = capsys.readouterr()
    assert not said.out and said.err.startswith("error: ") and said.err.count("\n") == 1
    assert words in said.err and "sleep well" not in said.err


def test_a_file_that_is_not_there_is_one_line(tmp_path, capsys):
    assert run(["app", str(tmp_path / "none.jsonl"), "--no-browser"]) == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_a_port_that_is_taken_is_said(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["app", DIALOGUES, "--port", str(taken.getsockname()[1]), "--no-browser"]) == 2
    assert "--port: expected a port that is free" in capsys.readouterr().err


def test_without_the_extra_it_is_named(monkeypatch):
    from evidial_rules.app import serve

    monkeypatch.undo()
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    with pytest.raises(serve.AppError, match=r"pip install 'evidial-rules\[app\]'"):
        serve.check_installed()


@pytest.mark.parametrize("given", [["--votes", "v.jsonl"], ["--gold", "g.jsonl"]])
def test_explain_wants_a_page_for_what_others_say(capsys, given):
    assert run(["explain", DIALOGUES, "--dialogue", "en-phq8-baker", "--dimension", "sleep", *given]) == 2
    assert "--html FILE" in capsys.readouterr().err
