"""From an answer to a vote: frames bound and projected by the contract, invalid frames and invalid votes."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.contract import STATES, Dialogue, Vote, bind, project
from evidial_rules.raters.llm import prompt
from evidial_rules.raters.llm.reading import invalid_vote, read_vote
from evidial_rules.raters.validity import REASONS
from evidial_rules.resources import load_instrument

PHQ = load_instrument("PHQ-8")
TALK = Dialogue.from_dict({"dialogue_id": "d", "language": "en", "instrument": "PHQ-8", "turns": [
    {"speaker": "interviewer", "text": "Any trouble sleeping?"},
    {"speaker": "participant", "text": "I fall asleep fine, but I wake at three."},
    {"speaker": "interviewer", "text": "And last night?"},
    {"speaker": "participant", "text": "Slept through. Scratch what I said about waking."},
    {"speaker": "informant", "text": "He sleeps badly. My own nights are awful."}]})
ZH = Dialogue.from_dict({"dialogue_id": "z", "language": "zh", "instrument": "HAMD-17", "turns": [
    {"speaker": "interviewer", "text": "这一周睡得怎么样？"},
    {"speaker": "participant", "text": "入睡挺快，就是老醒。"}]})


def frame(quote, turn=1, **changes):
    return {"quote": quote, "turn": turn, "dimension": "sleep", "components": ["maintenance"], "polarity": "affirm",
            "strength": "definite", "subject": "participant", "time": None, "withdrawn_by": None} | changes


WAKE = frame("I wake at three")
FALL = frame("fall asleep fine", components=["onset"], polarity="deny")


def read(*frames, state="PARTIAL", dialogue=TALK, dimension="sleep", text=None, stop="stop"):
    instrument = load_instrument(dialogue.instrument)
    request = prompt.build(dialogue, dimension, instrument)
    text = json.dumps({"frames": list(frames), "state": state}, ensure_ascii=False) if text is None else text
    return read_vote(text, request, dialogue, instrument, "openai/m", stop=stop)


@pytest.mark.parametrize(("frames", "state"), [
    ([], "ABSENT"),
    ([WAKE], "SUFFICIENT_POS"),
    ([FALL], "PARTIAL"),
    ([FALL, WAKE], "SUFFICIENT_POS"),
    ([WAKE, frame("Slept through", 3, components=["maintenance"], polarity="deny")], "CONFLICTING"),
    ([WAKE, frame("Slept through", 3, polarity="deny", time={"from": 2, "to": 0})], "SUFFICIENT_POS"),
    ([frame("I fall asleep fine", components=["ALL"], polarity="deny")], "SUFFICIENT_NEG"),
    ([frame("I wake at three", subject="other")], "ABSENT"),
    ([frame("I wake at three", time={"from": None, "to": 15})], "ABSENT"),
    ([frame("I wake at three", time={"from": 15, "to": 14})], "SUFFICIENT_POS"),
    ([frame("I wake at three", strength="indicator")], "PARTIAL"),
    ([frame("I wake at three", withdrawn_by=3)], "ABSENT"),
    ([frame("I wake at three", components=["early_waking"])], "SUFFICIENT_POS"),
    ([frame("I wake at three", components=["early_waking"], polarity="deny")], "PARTIAL"),
    ([frame("He sleeps badly", 4, components=["ALL"])], "SUFFICIENT_POS"),
    ([frame("trouble sleeping", 0, components=["ALL"])], "ABSENT"),  # an interviewer's words
])
def test_the_state_is_the_contracts_projection(frames, state):
    vote = read(*frames, state="PARTIAL")
    assert (vote.valid, vote.state, vote.stated, vote.reason) == (True, state, "PARTIAL", None)
    assert len(vote.frames) == len(frames) and vote.invalid_frames == 0
    again = project([bind(one.frame, PHQ) for one in vote.frames], PHQ, "sleep")
    assert again.state == vote.state


def test_a_frame_holds_the_dialogues_own_words_and_who_set_what():
    vote = read(frame("i WAKE  at three", 3, time={"from": 8, "to": 0}))
    bound, = vote.frames
    one = bound.frame
    assert (one.id, one.turn, one.start, one.end, one.speaker) == ("f1", 1, 24, 39, "participant")
    assert one.quote == TALK.turns[1].text[24:39] == "I wake at three"
    assert one.time.to_dict() == {"from": 8, "to": 0, "stated": True}
    rules = {cue.attribute: cue.rule for cue in one.cues}
    assert rules["quote"] == "locate.spelling.moved"
    assert {rules[name] for name in ("components", "polarity", "strength", "subject", "time")} == {"prompt-judge-en"}
    assert {verdict.rule for verdict in bound.verdicts} == {"prompt-judge-en", "contract.withdrawal"}
    assert vote.ruleset["name"] == "prompt-judge-en" and vote.rater == "openai/m"


@pytest.mark.parametrize(("turn", "counts"), [(3, True), (1, True), (0, False), (2, False), (4, False)])
def test_only_the_speaker_takes_back_and_not_beforehand(turn, counts):
    vote = read(frame("I wake at three", withdrawn_by=turn))
    assert vote.state == ("ABSENT" if counts else "SUFFICIENT_POS")
    cue = next(cue for cue in vote.frames[0].frame.cues if cue.attribute == "withdrawn_by")
    assert cue.value == turn and cue.lost_to == (None if counts else "contract.withdrawal")
    assert not read(frame("Slept through", 3, polarity="deny", withdrawn_by=1)).frames[0].frame.withdrawn_by


@pytest.fixture
def nearly():
    """For what looks for a quote that is not there word by word."""
    pytest.importorskip("rapidfuzz")


@pytest.mark.usefixtures("nearly")
def test_somebody_elses_quote_is_an_invalid_frame_and_the_rest_counts():
    vote = read(WAKE, frame("Quite other words altogether", polarity="deny", components=["ALL"]))
    assert (vote.valid, vote.state, vote.invalid_frames) == (True, "SUFFICIENT_POS", 1)
    assert [one.frame.id for one in vote.frames] == ["f1"]


@pytest.mark.usefixtures("nearly")
def test_no_quote_of_this_dialogue_is_an_invalid_vote():
    vote = read(frame("Quite other words altogether"), frame("and these"), state="SUFFICIENT_POS")
    assert (vote.valid, vote.state, vote.reason) == (False, None, "no_quote_located")
    assert (vote.stated, vote.invalid_frames, vote.frames) == ("SUFFICIENT_POS", 2, ())


def test_chinese():
    vote = read(frame("入睡挺快", components=["onset"], polarity="deny"), frame("老醒"), dialogue=ZH)
    assert vote.state == "SUFFICIENT_POS" and vote.ruleset["name"] == "prompt-judge-zh"
    assert [one.frame.quote for one in vote.frames] == ["入睡挺快", "老醒"]


@pytest.mark.parametrize(("text", "stop", "reason"), [
    ('{"frames": [', "stop", "no_json"), ('{"frames": [', "max_tokens", "truncated"), ("", "max_tokens", "truncated"),
    ("", "stop", "empty"), ('{"state": 1}', "max_tokens", "schema"), ("I can't assist with that.", "stop", "refusal"),
    ('{"frames": [], "state": "ABSENT"}', "content_filter", "refusal"), ("too long", "model_length", "truncated"),
])
def test_an_answer_that_fails_the_form_is_an_invalid_vote(text, stop, reason):
    vote = read(text=text, stop=stop)
    assert (vote.valid, vote.state, vote.reason, vote.stated, vote.frames) == (False, None, reason, None, ())
    assert reason in REASONS and vote.ruleset["name"] == "prompt-judge-en"


@pytest.mark.usefixtures("nearly")
def test_votes_are_written_and_read_again():
    for vote in (read(WAKE, frame("nothing of the kind")), read(text="?"), read(frame("nothing of the kind"))):
        row = json.loads(json.dumps(vote.to_dict()))
        again = Vote.from_dict(row)
        assert again.to_dict() == vote.to_dict()


def test_a_reason_is_one_of_the_list():
    request = prompt.build(TALK, "sleep", PHQ)
    with pytest.raises(AssertionError):
        invalid_vote(request, "m", "because I wake at three")


frames = st.builds(
    frame, st.sampled_from(["I wake at three", "Slept through", "He sleeps badly", "no such words anywhere", "Any"]),
    st.integers(0, 6), components=st.sampled_from([["ALL"], ["onset"], ["onset", "maintenance"], ["hypersomnia"]]),
    polarity=st.sampled_from(["affirm", "deny"]), strength=st.sampled_from(["definite", "indicator"]),
    subject=st.sampled_from(["participant", "other", "generic"]), withdrawn_by=st.none() | st.integers(0, 4),
    time=st.none() | st.builds(lambda a, b: {"from": a + b + 1, "to": a}, st.integers(-2, 20), st.integers(0, 20)))


@pytest.mark.usefixtures("nearly")
@given(st.lists(frames, max_size=5), st.sampled_from(STATES))
def test_whatever_a_judge_says_its_state_is_the_projection_of_what_is_there(found, stated):
    vote = read(*found, state=stated)
    assert vote.invalid_frames + len(vote.frames) == len(found) or not vote.valid
    if vote.valid:
        assert vote.stated == stated
        assert vote.state == project([one.frame for one in vote.frames], PHQ, "sleep").state
        for bound in vote.frames:
            one = bound.frame
            assert TALK.turns[one.turn].text[one.start:one.end] == one.quote
    else:
        assert vote.reason == "no_quote_located" and vote.invalid_frames == len(found) > 0
