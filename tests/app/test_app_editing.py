from __future__ import annotations

import pytest

import fake
from evidial_rules.app.editing import as_text, edited, moves, typed
from evidial_rules.errors import DialogueError, EvidialError, SpeakerError

JUDGE = fake.Annotator()


def test_an_edit_replaces_words_and_nothing_else(talk):
    dialogue = talk("d1", "I am tired", "hello", scores={"sleep": 1})
    new = edited(dialogue, {1: "I am sad"})
    assert [turn.text for turn in new.turns] == ["I am tired", "I am sad"] and new.scores == {"sleep": 1}
    assert edited(dialogue, {0: "I am tired"}) is dialogue and edited(dialogue, {}) is dialogue


def test_a_dialogue_as_text_and_back(talk):
    dialogue = talk("d1", "I am\ntired", "So: fine")
    again = typed(as_text(dialogue), language="en", instrument="PHQ-8", date="2024-03-01")
    assert [turn.text for turn in again.turns] == ["I am tired", "So: fine"]
    assert again.turns[0].speaker == "participant" and str(again.date) == "2024-03-01"


@pytest.mark.parametrize(("text", "more", "error"), [
    ("Zebra: I am tired", {}, SpeakerError), ("", {}, EvidialError),
    ("Patient: hm", {"date": "1 March"}, DialogueError),
])
def test_what_cannot_be_read_is_one_line_without_words(text, more, error):
    with pytest.raises(error) as found:
        typed(text, language="en", instrument="PHQ-8", **more)
    assert "tired" not in str(found.value) and "\n" not in str(found.value)


@pytest.mark.parametrize(("text", "words"), [
    ("Doctor: Well?\nZebra: I am tired", "line 2 of the dialogue: expected one who speaks (Interviewer, Participant, "),
    ("\nI am tired", "line 2 of the dialogue: expected one who speaks"),
    (" \n", "the dialogue: expected one line at least"),
])
def test_errors_are_in_words_of_the_page(text, words):
    with pytest.raises(EvidialError) as found:
        typed(text, language="en", instrument="PHQ-8")
    assert words in str(found.value) and "--" not in str(found.value) and "SPEAKER" not in str(found.value)


def moved(talk, before, after):
    return moves("PHQ-8", JUDGE.cells(talk("d", *before)), JUDGE.cells(talk("d", *after)))


def test_moves_say_states_frames_and_why(talk):
    found, = moved(talk, ["I am tired"], ["my brother is tired"])
    assert (found.dimension, found.before, found.after) == ("fatigue", "SUFFICIENT_POS", "ABSENT")
    assert found.frames and "subject" in found.why or "detection" in found.why
    assert not moved(talk, ["I am tired"], ["I am tired"])


def test_a_frame_more_under_the_same_state_is_a_move_without_a_reason(talk):
    found, = moved(talk, ["I am tired", "hm"], ["I am tired", "tired"])
    assert found.before == found.after == "SUFFICIENT_POS" and found.frames == {"added": 1} and found.why == ""
