from __future__ import annotations

import json

import pytest

from evidial_rules.contract import Dialogue, Vote
from evidial_rules.corpora import VotesError
from evidial_rules.report.opinions import Beside, Opinions
from evidial_rules.report.states import GoldError

DIALOGUE = Dialogue.from_dict({"dialogue_id": "d1", "language": "en", "instrument": "PHQ-8", "scores": {"sleep": 2},
                               "turns": [{"speaker": "participant", "text": "hello"}]})
VOTE = {"dialogue_id": "d1", "dimension": "sleep", "rater": "a", "state": "PARTIAL"}
REFERENCE = {"dialogue_id": "d1", "dimension": "sleep", "method": "m", "state": "UNRESOLVED"}


@pytest.fixture
def file(tmp_path):
    def write(name, *rows):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write


def test_everything_said_of_a_cell_stands_beside_it(file):
    opinions = Opinions.read(
        [DIALOGUE], votes=[file("a", VOTE), file("b", VOTE | {"rater": "b", "state": "ABSENT"})],
        reference=[file("r", REFERENCE)], gold=file("g", {"dialogue_id": "d1", "gold": {"sleep": "ABSENT"}}))
    beside = opinions.of(DIALOGUE, "sleep")
    assert [vote.rater for vote in beside.votes] == ["a", "b"] and beside.disagree
    assert beside.references[0].state == "UNRESOLVED" and beside.gold == "ABSENT" and beside.score == 2
    assert not opinions.of(DIALOGUE, "fatigue")


def test_votes_that_cannot_be_used_disagree_with_nobody():
    beside = Beside((Vote("d", "sleep", "a", "PARTIAL"), Vote("d", "sleep", "b", None, False, "no answer")))
    assert not beside.disagree and beside.states == {"PARTIAL"}


@pytest.mark.parametrize("change", [{"dialogue_id": "d2"}, {"dimension": "suicidal_ideation"}])
def test_what_is_of_other_cells_is_refused_with_file_and_line(file, change):
    with pytest.raises(VotesError, match=r"v\.jsonl:2: expected a cell of the dialogues"):
        Opinions.read([DIALOGUE], votes=[file("v", VOTE, VOTE | change)])
    with pytest.raises(VotesError, match=r"r\.jsonl:1: expected a cell of the dialogues"):
        Opinions.read([DIALOGUE], reference=[file("r", REFERENCE | change)])


def test_gold_of_other_dialogues_is_refused(file):
    with pytest.raises(GoldError, match=r"g\.jsonl: expected cells of the dialogues, found 'd2' sleep"):
        Opinions.read([DIALOGUE], gold=file("g", {"dialogue_id": "d2", "gold": {"sleep": "ABSENT"}}))
