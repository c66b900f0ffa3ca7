"""Votes of a file as a rater."""
from __future__ import annotations

import pickle
from itertools import groupby

import pytest

from evidial_rules import cli
from evidial_rules.contract import Dialogue, Vote
from evidial_rules.corpora import read_dialogues, read_votes, write_jsonl
from evidial_rules.errors import EvidialError
from evidial_rules.raters import Rater, RaterError
from evidial_rules.raters.recorded import RecordedRater
from evidial_rules.raters.rules import RulesRater
from evidial_rules.resources import load_instrument, resource

SHIPPED = list(read_dialogues(resource("data", "dialogues.jsonl")))[:3]


@pytest.fixture(scope="module")
def votes():
    judge = RulesRater()
    return [vote for one in SHIPPED for vote in judge.votes(one)]


@pytest.mark.parametrize("name", ["votes.jsonl", "votes.parquet"])
def test_the_votes_come_back_in_the_contracts_order(tmp_path, votes, name):
    write_jsonl(tmp_path / name, reversed(votes))
    recorded = RecordedRater(tmp_path / name)
    assert isinstance(recorded, Rater) and recorded.name == "rules"
    found = [vote for one in SHIPPED for vote in recorded.votes(one)]
    assert [vote.to_dict() for vote in found] == [vote.to_dict() for vote in votes]
    again = pickle.loads(pickle.dumps(recorded))
    assert again.votes(SHIPPED[0]) == recorded.votes(SHIPPED[0]) and again.name == "rules"


def test_a_cell_without_a_vote_is_missing(tmp_path, votes):
    write_jsonl(tmp_path / "v.jsonl", [vote for vote in votes if vote.dimension != "sleep"])
    found = RecordedRater(tmp_path / "v.jsonl").votes(SHIPPED[0])
    assert [vote.dimension for vote in found] == list(load_instrument(SHIPPED[0].instrument).ordered)
    missing = {vote.dimension: (vote.valid, vote.reason, vote.state) for vote in found if not vote.valid}
    assert missing == {"sleep": (False, "missing", None)}
    stranger = Dialogue.from_dict(SHIPPED[0].to_dict() | {"dialogue_id": "another"})
    assert {vote.reason for vote in RecordedRater(tmp_path / "v.jsonl").votes(stranger)} == {"missing"}


def test_one_of_several_raters_is_named(tmp_path):
    write_jsonl(tmp_path / "v.jsonl", [Vote("d", "sleep", rater, "ABSENT") for rater in ("openai/m", "rules")])
    assert RecordedRater(tmp_path / "v.jsonl", "openai/m").name == "openai/m"
    for name in (None, "negex", "who said what to whom"):
        with pytest.raises(RaterError, match=r"v\.jsonl: expected votes of .*'openai/m', 'rules'") as caught:
            RecordedRater(tmp_path / "v.jsonl", name)
        assert "whom" not in str(caught.value)


def test_several_files_are_one_rater(tmp_path, votes):
    write_jsonl(tmp_path / "a.jsonl", votes[:4])
    write_jsonl(tmp_path / "b.jsonl", votes[4:])
    recorded = RecordedRater([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    assert all(vote.valid for one in SHIPPED for vote in recorded.votes(one))


def test_judge_passes_votes_of_a_file_on(tmp_path, votes, capfd):
    """Beside a rater that judges now: votes of others, cell by cell; a rater in both places is refused."""
    write_jsonl(tmp_path / "talks.jsonl", SHIPPED)
    others = [Vote(vote.dialogue_id, vote.dimension, name, "PARTIAL") for name in ("b", "openai/a") for vote in votes]
    write_jsonl(tmp_path / "others.jsonl", others[1:])
    arguments = ["judge", str(tmp_path / "talks.jsonl"), "--votes", str(tmp_path / "others.jsonl"), "-o"]
    assert cli.run([*arguments, str(tmp_path / "out.jsonl"), "--rater", "no-time"]) == 0
    found = list(read_votes(tmp_path / "out.jsonl"))
    assert [key for key, _ in groupby((vote.dialogue_id, vote.rater) for vote in found)] == [
        (one.dialogue_id, name) for one in SHIPPED for name in ("no-time", "b", "openai/a")]
    assert [(vote.rater, vote.reason) for vote in found if not vote.valid] == [("b", "missing")]
    assert "missing 1" in capfd.readouterr().err
    assert cli.run([*arguments, str(tmp_path / "only.jsonl")]) == 0
    assert {vote.rater for vote in read_votes(tmp_path / "only.jsonl")} == {"b", "openai/a"}
    capfd.readouterr()
    write_jsonl(tmp_path / "others.jsonl", votes)
    assert cli.run([*arguments, str(tmp_path / "twice.jsonl"), "--rater", "rules"]) == 2
    assert "each rater once" in capfd.readouterr().err and not (tmp_path / "twice.jsonl").exists()


def test_a_file_without_votes(tmp_path):
    (tmp_path / "v.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(RaterError, match="it has none"):
        RecordedRater(tmp_path / "v.jsonl")
    with pytest.raises(EvidialError, match="a file that can be read"):
        RecordedRater(tmp_path / "nowhere.jsonl")
