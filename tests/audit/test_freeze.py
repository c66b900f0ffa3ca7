"""A frozen folder: the chain holds, and breaks at the first thing that changed."""
from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from evidial_rules import cli
from evidial_rules.audit import MANIFEST, FreezeError, freeze, verify
from evidial_rules.audit.freeze import START


@pytest.fixture
def study(tmp_path):
    folder = tmp_path / "study"
    (folder / "sub").mkdir(parents=True)
    for i, name in enumerate(("votes.jsonl", "sub/plan.jsonl", "dialogues.jsonl")):
        (folder / name).write_text(f"the words of {name}\n")
        os.utime(folder / name, (1_700_000_000 - i, 1_700_000_000 - i))
    (folder / ".hidden").write_text("left alone")
    return folder


def lines(folder):
    return [json.loads(line) for line in (folder / MANIFEST).read_text().splitlines()]


def write(folder, rows):
    (folder / MANIFEST).write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_files_in_the_order_of_time_each_with_the_hash_before_it(study):
    added = freeze(study, seed=7)
    assert [one.kind for one in added] == ["freeze", "file", "file", "file"]
    assert [one.path for one in added[1:]] == ["dialogues.jsonl", "sub/plan.jsonl", "votes.jsonl"]
    head, *files = lines(study)
    assert head["seed"] == 7 and head["ruleset"]["name"] == "evidial" and head["packages"]["spacy"]
    assert any(name.endswith("judge.md") for name in head["prompts"])
    assert head["previous"] == START and [one["previous"] for one in files] == [head["link"], *(
        one["link"] for one in files[:-1])]
    found = verify(study)
    assert len(found.links) == 4 and not found.loose and not found.differences


def test_a_folder_grows_and_what_was_frozen_stays(study):
    freeze(study)
    before = (study / MANIFEST).read_bytes()
    assert freeze(study) == () and (study / MANIFEST).read_bytes() == before
    (study / "predictions.jsonl").write_text("new")
    assert verify(study).loose == ("predictions.jsonl",)
    assert [one.kind for one in freeze(study)] == ["freeze", "file"]
    assert (study / MANIFEST).read_bytes().startswith(before)
    assert not verify(study).loose


def test_inputs_from_elsewhere(study, tmp_path):
    other = tmp_path / "restricted.jsonl"
    other.write_text("transcripts")
    assert "../restricted.jsonl" in [one.path for one in freeze(study, inputs=[other, study / "votes.jsonl"])[1:]]
    assert verify(study)
    other.write_text("transcripts, changed")
    with pytest.raises(FreezeError, match=r"restricted\.jsonl as it was frozen"):
        verify(study)


@pytest.mark.parametrize(("change", "words"), [
    (lambda f: (f / "votes.jsonl").write_text("other"), r"manifest\.jsonl:4: .*votes\.jsonl as it was frozen"),
    (lambda f: (f / "dialogues.jsonl").unlink(), r":2: .*dialogues\.jsonl, which is gone"),
    (lambda f: write(f, lines(f)[:2] + lines(f)[3:]), r":3: .*the line before it"),
    (lambda f: write(f, [*lines(f)[:2], lines(f)[3], lines(f)[2]]), r":3: .*the line before it"),
    (lambda f: write(f, [lines(f)[0] | {"seed": 8}, *lines(f)[1:]]), r":1: .*its own hash"),
    (lambda f: write(f, lines(f)[1:]), r":1: .*the line before it"),
    (lambda f: (f / MANIFEST).write_text("no JSON\n"), r":1: .*a JSON object"),
    (lambda f: (f / MANIFEST).write_bytes(b"\xff"), "UTF-8"),
    (lambda f: write(f, [{"kind": "freeze"}]), r":1: .*text under at"),
    (lambda f: (f / MANIFEST).unlink(), "at least one freeze"),
    (lambda f: shutil.rmtree(f), "a folder"),
])
def test_the_first_broken_link_is_named(study, change, words):
    freeze(study)
    change(study)
    with pytest.raises(FreezeError, match=words):
        verify(study)


def test_nothing_is_added_to_a_chain_that_is_broken(study):
    freeze(study)
    (study / "votes.jsonl").write_text("other")
    (study / "new.jsonl").write_text("new")
    before = (study / MANIFEST).read_bytes()
    with pytest.raises(FreezeError, match="as it was frozen"):
        freeze(study)
    assert (study / MANIFEST).read_bytes() == before


def test_time_goes_forward(study):
    now = datetime.now(UTC)
    freeze(study, now=now)
    (study / "new.jsonl").write_text("new")
    with pytest.raises(FreezeError, match="past the last freeze"):
        freeze(study, now=now - timedelta(days=1))
    os.utime(study / "new.jsonl", (now.timestamp() + 1e6, now.timestamp() + 1e6))
    with pytest.raises(FreezeError, match="from before its freeze"):
        freeze(study, now=now + timedelta(days=1))


def test_an_empty_folder_or_none(tmp_path):
    with pytest.raises(FreezeError, match="at least one file"):
        freeze(tmp_path)
    with pytest.raises(FreezeError, match="a folder"):
        freeze(tmp_path / "none")
    (tmp_path / "a").write_text("a")
    with pytest.raises(FreezeError, match="a file"):
        freeze(tmp_path, inputs=[tmp_path / "b"])


def test_the_commands(study, capfd):
    assert cli.run(["freeze", str(study), "--seed", "3"]) == 0
    assert "3 files frozen" in capfd.readouterr().out
    (study / "later.jsonl").write_text("x")
    assert cli.run(["verify", str(study)]) == 0
    out = capfd.readouterr().out
    assert "the chain holds: 3 files in 1 freezes" in out and "1 files are not frozen" in out
    (study / "votes.jsonl").write_text("my locker code")
    assert cli.run(["verify", str(study)]) == 2
    out, err = capfd.readouterr()
    assert not out and err.startswith("error: ") and err.count("\n") == 1 and "locker" not in err
