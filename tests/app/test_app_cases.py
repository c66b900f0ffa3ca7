from __future__ import annotations

import json

import pytest

from evidial_rules.app.cases import CaseError, save
from evidial_rules.corpora import read_dialogues
from evidial_rules.errors import EvidialError
from evidial_rules.report.states import read_gold


def test_a_case_is_a_dialogue_and_its_gold(tmp_path, talk):
    path = tmp_path / "cases.jsonl"
    dialogue = talk("d1", "I can't sleep.\tNo.", source="X", participant_id="p1", scores={"sleep": 2},
                    date="2024-03-01")
    first = save(path, dialogue, "sleep", "SUFFICIENT_POS")
    second = save(path, dialogue, "fatigue", "ABSENT")
    assert (first.line, second.line, first.path) == (1, 2, path.resolve()) and first.new
    read = list(read_dialogues(path))
    assert [one.dialogue_id for one in read] == [first.case_id, second.case_id]
    assert read[0].turns == dialogue.turns and read[0].date == dialogue.date and read[0].source == "X"
    assert read[0].participant_id is None and read[0].scores is None
    assert read_gold(path) == {first.case_id: {"sleep": "SUFFICIENT_POS"}, second.case_id: {"fatigue": "ABSENT"}}


def test_other_words_are_another_case_and_the_same_one_is_not_written_twice(tmp_path, talk):
    path = tmp_path / "cases.jsonl"
    save(path, talk("d1", "I can't sleep."), "sleep", "SUFFICIENT_POS")
    save(path, talk("d1", "I can sleep."), "sleep", "SUFFICIENT_NEG")
    before = path.read_bytes()
    again = save(path, talk("d1", "I can't sleep."), "sleep", "SUFFICIENT_POS")
    assert not again.new and again.line == 1 and path.read_bytes() == before
    with pytest.raises(CaseError, match=r"cases\.jsonl:1: expected this case with the same state"):
        save(path, talk("d1", "I can't sleep."), "sleep", "ABSENT")
    assert path.read_bytes() == before


def test_what_is_in_the_file_stays_byte_for_byte(tmp_path, talk):
    path = tmp_path / "cases.jsonl"
    row = talk("old", "Hm.").to_dict() | {"gold": {"sleep": "ABSENT"}, "why": "é"}
    path.write_bytes(json.dumps(row, indent=None).encode() + b"\n\n" + json.dumps(row | {"dialogue_id": "o2"}).encode())
    before = path.read_bytes()
    saved = save(path, talk("d1", "I can't sleep."), "sleep", "SUFFICIENT_POS")
    assert path.read_bytes().startswith(before + b"\n") and saved.line == 4
    assert len(list(read_dialogues(path))) == 3


@pytest.mark.parametrize("text", ['{"dialogue_id": "a"}\n', "secret words\n"])
def test_a_file_of_something_else_is_left_alone(tmp_path, talk, text):
    path = tmp_path / "notes.jsonl"
    path.write_text(text)
    with pytest.raises(EvidialError, match=r"notes\.jsonl:1") as error:
        save(path, talk("d1", "Hm."), "sleep", "ABSENT")
    assert "secret" not in str(error.value) and path.read_text() == text


def test_a_file_of_plain_dialogues_is_no_file_of_cases(tmp_path, talk):
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(talk("d2", "Hm.").to_dict()) + "\n")
    with pytest.raises(CaseError, match="the key gold"):
        save(path, talk("d1", "Hm."), "sleep", "ABSENT")


@pytest.mark.parametrize(("name", "state", "words"), [
    ("cases.txt", "ABSENT", r"ends in \.jsonl"), ("cases.jsonl", "TIRED", "a state out of"),
    ("missing/cases.jsonl", "ABSENT", "can be written"),
])
def test_what_cannot_be_saved(tmp_path, talk, name, state, words):
    with pytest.raises(EvidialError, match=words):
        save(tmp_path / name, talk("d1", "Hm."), "sleep", state)
    assert not list(tmp_path.iterdir())
