"""Validity by rater and language: the gate, the reasons, contradictions."""
from __future__ import annotations

import json

import pytest

from evidial_rules.contract import BoundFrame, Effective, Frame, Vote
from evidial_rules.corpora import read_votes, write_jsonl
from evidial_rules.raters.validity import GATE_SHARE, REASONS, UNANSWERED, excluded_raters, validity
from evidial_rules.report.terminal import console
from evidial_rules.report.validity import validity_view

LANGUAGES = {"e1": "en", "e2": "en", "z1": "zh"}


def vote(rater, dialogue="e1", dimension="sleep", state="ABSENT", **more):
    return Vote(dialogue, dimension, rater, state, **more)


def bad(rater, reason, dialogue="e1", dimension="sleep", **more):
    return Vote(dialogue, dimension, rater, None, False, reason, **more)


VOTES = [
    vote("a/b", stated="ABSENT"), vote("a/b", dimension="fatigue", state="PARTIAL", stated="SUFFICIENT_POS"),
    bad("a/b", "no_json", dimension="anhedonia"), bad("a/b", "timeout", "e2"),
    bad("a/b", "no_quote_located", "z1", invalid_frames=2, stated="PARTIAL"), vote("a/b", "z1", "fatigue"),
    vote("rules"), vote("rules", "z1"),
]


def test_by_rater_and_language():
    found = {(one.rater, one.language): one for one in validity(VOTES, LANGUAGES)}
    assert list(found) == [("a/b", "all"), ("a/b", "en"), ("a/b", "zh"), ("rules", "all"), ("rules", "en"),
                           ("rules", "zh")]
    whole, english, chinese = (found["a/b", name] for name in ("all", "en", "zh"))
    assert (whole.votes, whole.answers, whole.valid) == (6, 5, 3)
    assert (english.votes, english.answers, english.valid) == (4, 3, 2)
    assert whole.reasons == {"no_json": 1, "no_quote_located": 1, "timeout": 1}
    assert (english.share, chinese.share) == (2 / 3, 1 / 2)
    # a stated state of an invalid vote contradicts nothing
    assert (whole.stated, whole.contradictions, whole.pairs) == (2, 1, {("SUFFICIENT_POS", "PARTIAL"): 1})
    assert (whole.contradiction_rate, chinese.contradiction_rate) == (0.5, None)
    assert (whole.invalid_frames, english.invalid_frames) == (2, 0)
    assert excluded_raters(found.values()) == {("a/b", "all"), ("a/b", "en"), ("a/b", "zh")}


def test_the_gate_is_a_parameter_and_counts_answers_only():
    votes = [vote("a", dimension="sleep")] * 19 + [bad("a", "schema")] + [bad("a", "transport")] * 50
    assert GATE_SHARE == 0.95
    assert not validity(votes)[0].excluded
    assert validity(votes, threshold=0.951)[0].excluded
    with pytest.raises(ValueError, match="threshold"):
        validity(votes, threshold=1.1)


@pytest.mark.parametrize("reason", sorted(UNANSWERED))
def test_a_rater_without_a_valid_vote_is_excluded_whatever_the_threshold(reason):
    one, = validity([bad("a", reason)] * 3, threshold=0)
    assert (one.answers, one.share, one.excluded, one.contradiction_rate) == (0, None, True, None)


def test_without_languages_there_is_one_line_a_rater():
    assert [one.language for one in validity(VOTES)] == ["all", "all"]
    assert validity([]) == ()


def test_a_reason_of_somebody_elses_is_not_repeated():
    said = "she told me of the locker"
    one, = validity([bad("a", said)])
    assert one.reasons == {"other": 1} and one.answers == 1
    assert said not in json.dumps(one.to_dict())


def test_frames_are_counted():
    bound = BoundFrame(Frame("f1", "sleep", ("onset",), "affirm"), (), True, Effective(("onset",), "definite"))
    one, = validity([vote("a", frames=(bound,), invalid_frames=3)])
    assert (one.frames, one.invalid_frames) == (1, 3)


def test_a_file_of_votes_says_the_same(tmp_path):
    held = [one for n, one in enumerate(VOTES)]
    for name in ("votes.jsonl", "votes.parquet"):
        write_jsonl(tmp_path / name, held)
        again = validity(read_votes(tmp_path / name), LANGUAGES)
        assert [one.to_dict() for one in again] == [one.to_dict() for one in validity(held, LANGUAGES)]


def test_numbers_are_json():
    for one in validity(VOTES, LANGUAGES):
        row = json.loads(json.dumps(one.to_dict(), allow_nan=False))
        assert row["share"] is None or 0 <= row["share"] <= 1
        assert row["excluded"] is one.excluded


def test_the_table_says_who_is_excluded_and_why(capsys):
    screen = console()
    for part in validity_view(validity(VOTES, LANGUAGES)):
        screen.print(part)
    out = " ".join(capsys.readouterr().out.split())
    assert "excluded" in out and "passed" in out and "66.7%" in out and "1/2 50.0%" in out
    assert REASONS["no_quote_located"] in out and REASONS["empty"] not in out
    assert validity_view([])  # nothing to say is no error
