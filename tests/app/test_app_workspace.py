from __future__ import annotations

import json
import time

import pytest

import fake
from evidial_rules.app.workspace import Facts, Workspace, WorkspaceError, current, read_whole_cells, set_current
from evidial_rules.contract import Cue, Frame, judge
from evidial_rules.corpora import write_jsonl
from evidial_rules.resources import load_instrument


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_facts_name_what_excluded_and_the_parts_of_a_composed_rule():
    frames = [Frame("f1", "sleep", ("onset",), "affirm", subject="other", cues=(
        Cue("components", ["onset"], "a.can+a.sleep", 0, 0, 1), Cue("polarity", "affirm", "a.lost", 0, 0, 1, "a.can")))]
    cell = next(one for one in judge(frames, load_instrument("PHQ-8")) if one.dimension == "sleep")
    facts = Facts.of(cell)
    assert facts.state == "ABSENT" and facts.excluded == {"subject"}
    assert {"a.can+a.sleep", "a.can", "a.sleep", "a.lost", "contract.temporal"} <= facts.rules


def test_cells_are_judged_once_and_only_when_they_are_looked_at(workspace, talk):
    opened = workspace(talk("d1", "I am tired"), talk("d2", "I am sad"))
    calls = []
    judge_one = opened.annotator.cells
    opened.annotator.cells = lambda dialogue: calls.append(dialogue.dialogue_id) or judge_one(dialogue)
    assert opened.judged == 0 and opened.facts("d1") is None
    assert {cell.dimension: cell.state for cell in opened.cells("d1")}["fatigue"] == "SUFFICIENT_POS"
    opened.cells("d1")
    assert calls == ["d1"] and opened.judged == 1 and not opened.whole and opened.facts("d2") is None
    opened.judge(talk("other", "hello"))
    assert opened.judged == 1  # what is typed is not kept


def test_judging_ahead_gets_all_and_ends_when_it_is_told(workspace, talk):
    opened = workspace(*(talk(f"d{number}", "I am tired") for number in range(5)))
    opened.cells("d3")
    opened.start(2)
    limit = time.monotonic() + 30
    while not opened.whole and time.monotonic() < limit:
        time.sleep(0.05)
    assert opened.whole and opened.failure is None
    assert opened.facts("d4")["fatigue"].state == "SUFFICIENT_POS"
    opened.close()
    assert not opened.ahead

    unfinished = workspace(talk("d", "I am tired"))
    unfinished.start(1)
    unfinished.close()
    assert not unfinished.ahead and unfinished.failure is None


class Broken(fake.Annotator):
    """Ends the process that it judges in."""

    def __reduce__(self):
        return Broken, ()

    def cells(self, dialogue):
        raise SystemExit(3)


def test_a_process_that_ends_is_told_and_the_rest_still_judged_when_looked_at(workspace, talk):
    opened = workspace(talk("d1", "I am tired"))
    opened.annotator = Broken()
    opened.start(1)
    opened._ahead.join(30)
    assert "ended" in opened.failure
    opened.annotator = fake.Annotator()
    assert len(opened.cells("d1")) == 8


def test_without_processes_nothing_is_judged_ahead_and_nothing_failed(workspace, talk):
    opened = workspace(talk("d1", "I am tired"))
    opened.start(0)
    assert not opened.ahead and opened._ahead is None and opened.failure is None and opened.judged == 0


def test_cells_of_a_file_are_taken_if_a_dialogue_has_them_all(tmp_path, talk):
    one, two = talk("d1", "I am tired"), talk("d2", "I am sad")
    cells = [*fake.Annotator().cells(one), *fake.Annotator().cells(two)[:3]]
    write_jsonl(tmp_path / "cells.jsonl", cells)
    found = read_whole_cells(str(tmp_path / "cells.jsonl"), [one, two])
    assert list(found) == ["d1"] and found["d1"] == tuple(cells[:8])


def test_cells_that_are_not_of_the_dialogues_are_refused(tmp_path, talk):
    one = talk("d1", "I am tired")
    rows = [cell.to_dict() for cell in fake.Annotator().cells(one)]
    fatigue = next(number for number, row in enumerate(rows) if row["frames"])
    shifted = json.loads(json.dumps(rows[fatigue]))
    shifted["frames"][0]["turn"] = 4
    for row, words in (
        (rows[0] | {"dialogue_id": "d9"}, "a cell of the dialogues, found 'd9'"),
        (rows[0] | {"dimension": "suicidal_ideation"}, "a cell of the dialogues"),
        ({key: value for key, value in rows[0].items() if key != "frames"}, "with its frames"),
        (shifted, "found another text"),
    ):
        path = lines(tmp_path / "cells.jsonl", rows[1], row)
        with pytest.raises(WorkspaceError, match=rf"cells\.jsonl:2: expected .*{words}") as error:
            read_whole_cells(path, [one])
        assert "tired" not in str(error.value)


def test_no_dialogues_and_no_workspace_are_errors(tmp_path):
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(WorkspaceError, match="at least one dialogue"):
        Workspace.open([str(tmp_path / "none.jsonl")])
    set_current(None)
    with pytest.raises(WorkspaceError, match="evidial app DIALOGUES"):
        current()
