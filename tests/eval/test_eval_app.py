from __future__ import annotations

import app_speed

from evidial_rules.app.workspace import read_whole_cells
from evidial_rules.corpora import read_dialogues


def test_as_many_dialogues_as_asked_for_each_with_its_own_cells(dialogues, tmp_path):
    app_speed.write_files([str(dialogues())], 5, tmp_path)
    held = list(read_dialogues(tmp_path / "dialogues.jsonl"))
    assert len({one.dialogue_id for one in held}) == 5
    cells = read_whole_cells(str(tmp_path / "cells.jsonl"), held)
    assert list(cells) == [one.dialogue_id for one in held]
    assert {cell.state for cell in cells[held[3].dialogue_id]} > {"ABSENT"}
