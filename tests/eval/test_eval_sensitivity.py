"""What hangs on the contract's decisions, on dialogues in which it can be counted by hand."""
from __future__ import annotations

import json

import pytest
import sensitivity

from evidial_rules.contract import CHOICES
from evidial_rules.errors import DialogueError


def test_each_choice_is_measured_by_language(dialogues, program):
    # both say that they sleep badly and that their appetite is fine; other keys of a row do not matter
    out, last = program(sensitivity, dialogues(gold={"sleep": "PARTIAL"}))
    assert last["n"] == 18 and last["cells"] == {"en": 9, "zh": 9}
    assert {name: list(values) for name, values in last["choices"].items()} \
        == {name: list(known)[1:] for name, known in CHOICES.items()}
    found = last["choices"]["topic_word"]["indicator"]
    assert found["moves"] == {"SUFFICIENT_NEG -> PARTIAL": 2}
    assert (found["n"], found["moved"], found["share"]) == (18, 2, 0.1111) and found["frames"] >= 2
    assert found["by_language"]["zh"]["moves"] == {"SUFFICIENT_NEG -> PARTIAL": 1}
    assert last["choices"]["informants"]["no_evidence"]["moved"] == 0
    assert "topic_word = indicator: SUFFICIENT_NEG -> PARTIAL" in out


def test_several_files_are_one_pool(dialogues, program):
    path = dialogues()
    _, last = program(sensitivity, path, path)
    assert last["n"] == 36 and last["choices"]["topic_word"]["indicator"]["moved"] == 4


def test_without_a_file_it_measures_the_shipped_dialogues(program):
    _, last = program(sensitivity)
    assert last["n"] == 117 and set(last["cells"]) == {"en", "zh"}
    moved = {name: {v: x["moved"] for v, x in values.items()} for name, values in last["choices"].items()}
    assert moved["informants"]["no_evidence"] > 0 and moved["topic_word"]["indicator"] > 0
    assert all(x["frames"] >= x["moved"] for values in last["choices"].values() for x in values.values())
    assert all(x["moved"] == sum(x["moves"].values()) == sum(y["moved"] for y in x["by_language"].values())
               for values in last["choices"].values() for x in values.values())


def test_a_row_that_is_no_dialogue_is_refused(tmp_path, program):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"dialogue_id": "d"}) + "\n", encoding="utf-8")
    with pytest.raises(DialogueError):
        program(sensitivity, path)


def test_no_cells_have_no_share(tmp_path, program):
    path = tmp_path / "rows.jsonl"
    path.write_text("", encoding="utf-8")
    _, last = program(sensitivity, path)
    assert last["n"] == 0 and last["choices"]["hedges"]["definite"]["share"] is None
