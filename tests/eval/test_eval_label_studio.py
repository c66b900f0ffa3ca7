"""What eval/label_studio.py posts, without a Label Studio: the server itself is for the program."""
from __future__ import annotations

import json
import sys

import label_studio
import pytest

from evidial_rules.audit.human import FIRST, import_answers, questions, tasks
from evidial_rules.contract import STATES
from evidial_rules.corpora import write_jsonl


@pytest.fixture
def drawn(tmp_path):
    write_jsonl(tmp_path / "d.jsonl", [label_studio.ASTRAL.to_dict() | {"dialogue_id": f"d{i}"} for i in range(3)])
    return label_studio.study(str(tmp_path / "d.jsonl"), 8)


def test_the_study_has_the_cell_with_astral_characters(drawn):
    key, talks = drawn
    assert len(key.cells) == 9 and (label_studio.ASTRAL.dialogue_id, "sleep") in {one.cell for one in key.cells}
    assert label_studio.BY_HAND in talks["astral"].turns[1].text


def test_what_it_posts_is_read_as_what_it_says(drawn, tmp_path):
    key, talks = drawn
    asked = questions(key, talks, "A", "en")
    said = label_studio.answers(asked, 3)
    rows = tasks(asked, study=key.study, annotator="A", language="en", round=FIRST)
    for row, one in zip(rows, asked, strict=True):
        row["annotations"] = [{"result": label_studio.result(said[one.item], one.turns)}]
    (tmp_path / "A.json").write_text(json.dumps(rows), encoding="utf-8")
    merged, _ = import_answers([tmp_path / "A.json"], key, talks)
    got = {one.item: (one.state, [(q.turn, q.start, q.end) for q in one.quotes]) for one in merged}
    assert got == said and sum(len(quotes) for _, quotes in said.values()) > 3
    assert len({state for state, _ in said.values()} & set(STATES)) > 2


def test_without_a_label_studio_it_says_so(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["label_studio.py", "d.jsonl", "--program", "no-such-program"])
    with pytest.raises(label_studio.StudioError, match="the command of a Label Studio"):
        label_studio.main()
