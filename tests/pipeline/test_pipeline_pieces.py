"""Very long turns are read in pieces; what comes out points into the turn all the same."""
from __future__ import annotations

import sys

import pytest
from spoken import annotator, dialogue

from evidial_rules import Annotator, Dialogue
from evidial_rules.pipeline import COMPONENTS
from evidial_rules.pipeline.stages import LONG, _pieces


@pytest.mark.parametrize("text", [
    "", "a", "b " * LONG, "Fine. " * LONG, "x" * (3 * LONG + 1), "我睡不着。" * LONG, " " * (LONG + 1),
])
def test_pieces_make_up_the_turn_and_none_is_too_long(text):
    pieces = _pieces(text)
    assert "".join(text[a:b] for a, b in pieces) == text
    assert all(0 < b - a <= LONG for a, b in pieces) or text == ""


@pytest.mark.parametrize(("unit", "last"), [
    ("one two. ", "."), ("word ", "word"), ("一句话。", "。"), ("一，二", "，"),
])
def test_a_piece_ends_after_a_sentence_or_else_after_a_word(unit, last):
    text = unit * LONG
    assert all(text[:end].rstrip().endswith(last) for _, end in _pieces(text)[:-1])


@pytest.mark.parametrize(("language", "filler", "said"), [
    ("en", "The weather was grey and the bus was late. ", "I can't sleep at night."),
    ("zh", "那天天气不好，公交车也晚了。", "我晚上睡不着。"),
])
def test_offsets_and_turns_of_a_huge_turn_are_those_of_the_dialogue(language, filler, said):
    huge = filler * (3 * LONG // len(filler)) + said + " " + filler
    back = "Scratch that." if language == "en" else "我说错了，收回刚才的话。"
    rows = [("interviewer", "?"), ("participant", huge), ("interviewer", "?"), ("participant", back)]
    dialogue = Dialogue.from_dict({"dialogue_id": "d", "language": language, "instrument": "BDI-II",
                                   "turns": [{"speaker": s, "text": t} for s, t in rows]})
    frames = [f for f in Annotator().frames(dialogue) if f.dimension == "sleep"]
    assert len(frames) == 1
    frame = frames[0]
    assert frame.turn == 1 and rows[1][1][frame.start:frame.end] == frame.quote and huge.index(said) <= frame.start
    assert frame.withdrawn_by == 3
    for cue in frame.cues:
        assert cue.turn in (1, 3) and 0 <= cue.start <= cue.end <= len(rows[cue.turn][1])
    assert [cue.value for cue in frame.cues if cue.attribute == "withdrawn_by"] == [3]


def work(*turns):
    """How many lines of code run to settle the retractions of a dialogue: a cost that no other program disturbs."""
    told = dialogue(*turns)
    pipeline = annotator().pipeline(told.language)
    state = pipeline.get_pipe("evidial_turns").turns([(t.speaker, t.text) for t in told.turns], None)
    for name in COMPONENTS[1:COMPONENTS.index("withdrawal")]:
        pipeline.get_pipe(f"evidial_{name}").stage(state)
    lines = 0

    def trace(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        pipeline.get_pipe("evidial_withdrawal").stage(state)
    finally:
        sys.settrace(before)
    assert any(draft.withdrawn_by is not None for turn in state.turns for draft in turn.drafts)
    return lines


@pytest.mark.parametrize("text", ["我睡不着。刚才说的不对，开玩笑的。", "I cannot sleep. Scratch that, I was joking. "])
def test_many_retractions_cost_in_proportion(text):
    turn = f"P: {text}"
    assert work(*[turn] * 120) < 6 * work(*[turn] * 30)  # turns of a dialogue: as many times as much
    assert work(f"P: {text * 120}") < 24 * work(f"P: {text * 30}")  # in a piece of a turn: its square, not its cube
