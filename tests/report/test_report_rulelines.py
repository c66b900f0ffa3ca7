from __future__ import annotations

import pytest

from evidial_rules.corpora import read_dialogues
from evidial_rules.pipeline.annotator import Annotator
from evidial_rules.report.rulelines import RuleLines
from evidial_rules.resources import resource

WITHOUT_FILE = {"subject.question", "subject.default", "time.question", "clauses.conditional"}
"""What the logic sets without a rule of a file, under a name that says so."""


@pytest.fixture(scope="module")
def named():
    """Every rule that a cell of the dialogues that ship names."""
    judge = Annotator()
    return {name for dialogue in read_dialogues(resource("data", "dialogues.jsonl")) for cell in judge.cells(dialogue)
            for bound in cell.frames
            for name in (*(v.rule for v in bound.verdicts), *(cue.rule for cue in bound.frame.cues))}


def test_every_rule_of_a_trace_stands_where_it_is_said_to(named):
    lines = RuleLines()
    assert len(named) > 100
    for name in named:
        if name.startswith("contract.") or name.partition(".")[2] in WITHOUT_FILE:
            assert lines.of(name) == ()
            continue
        places = lines.of(name)
        assert [place.rule for place in places] == name.split("+"), name
        for place in places:
            kind, *parts = place.file.split("/")
            line = resource(kind, *parts).read_text(encoding="utf-8").splitlines()[place.line - 1]
            assert f"id: {place.rule}" in line and line.strip().startswith(("- id:", "id:"))
            assert place.text.startswith("- id:") and place.text.count("\n- id:") == 0


def test_lexicons_of_ones_own_are_looked_at_instead(tmp_path):
    (tmp_path / "mine.yaml").write_text("version: 1\nrules:\n  - id: my.rule\n    words: [x]\n  - id: my.other\n")
    lines = RuleLines(tmp_path)
    place, = lines.of("my.rule")
    assert place.where == f"{tmp_path}/mine.yaml:3" and place.text == "- id: my.rule\n  words: [x]"
    assert lines.of("en.sleep.topic") == () and lines.of("en.subject.first")
