"""What a retraction takes back, and what a correction newly says (contract, section 3, operation 4)."""
from __future__ import annotations

from datetime import date

import pytest
from spoken import frames, state

SLEEP, SAD = "P: I can't fall asleep.", "P: I feel sad."
ZH_SLEEP, ZH_SAD = "P: 我睡不着。", "P: 我很难过。"


NOW = date(2024, 5, 17)


def left(*turns, **more):
    """What stands at the end: "dimension polarity" of the frames that were not taken back."""
    return sorted({f"{f.dimension} {f.polarity}" for f in frames(*turns,
        **more) if f.withdrawn_by is None and f.modality == "asserted"})


RETRACTIONS = [
    "Scratch that.", "Strike that.", "I take that back.", "Let me take that back.", "Forget that.", "Ignore that.",
    "That's not true.",
    "That was a lie.", "I lied.", "I made that up.", "I misspoke.", "I was joking.", "Just kidding.", "Only kidding.",
    "Disregard that.",
    "That's not true actually.", "Sorry, I said that wrong.", "Please don't write that down.", "I was exaggerating.",
    "That came out wrong.",
    "That was sarcasm.", "I was being flippant.", "I wasn't being serious.", "I told you a porky.",
    "I take it all back.",
    "It was just the cold medicine talking.", "What I just said isn't true.", "The last thing I said was a fib.",
    "I misread your question.", "Ignore my last answer.",
]
CORRECTIONS = [
    "That's a cousin of mine, not me.", "I was on about my niece.", "I thought you meant my niece.",
    "I had my niece in mind when I said that.", "Come to think of it that was last autumn.", "That's all in the past.",
]
ZH_RETRACTIONS = [
    "收回刚才的话。", "刚才说的不算。", "那是我瞎编的。", "我瞎说的。", "当我没说。", "就当我刚才没说。", "开玩笑的。",
    "别记这个。", "那不是真的。", "没这回事。",
    "更正一下。", "口误。", "逗你玩呢，不作数。", "刚才那话是假的。",
]
NO_RETRACTIONS = [
    "I take my pills.", "I forget things.", "That's true.",
    "I mean it.", "I sleep in my clothes.", "I left my job.", "The thing is, it's my job.", "It was a cold day.",
    "I was thinking of a holiday.", "My sister was sarcastic.", "The problem is that it is in the blood.",
]
ZH_NO_RETRACTIONS = ["我记得清楚。", "这是真的。", "我在编辑部工作。", "我家在这儿。"]


@pytest.mark.parametrize("text", RETRACTIONS)
def test_a_retraction_takes_the_last_statement_back(text):
    assert left(SLEEP, "I: And your mood?", SAD, "I: I see.", f"P: {text}") == ["sleep affirm"]


@pytest.mark.parametrize("text", CORRECTIONS)
def test_a_correction_of_person_or_time_takes_the_last_statement_along(text):
    found = [f for f in frames(SLEEP, "I: And your mood?", SAD, "I: I see.", f"P: {text}") if f.modality == "asserted"]
    assert [f.dimension for f in found if f.withdrawn_by is not None] == ["depressed_mood"]
    (new,) = [f for f in found if f.turn == 4]
    assert new.subject == "other" or new.time.to > 14


@pytest.mark.parametrize("text", ZH_RETRACTIONS)
def test_a_chinese_retraction_takes_the_last_statement_back(text):
    assert left(ZH_SLEEP, "I: 心情呢？", ZH_SAD, "I: 嗯。", f"P: {text}") == ["sleep affirm"]


@pytest.mark.parametrize("text", NO_RETRACTIONS)
def test_what_only_sounds_like_one_takes_nothing_back(text):
    assert "depressed_mood affirm" in left(SAD, "I: And then?", f"P: {text}")


@pytest.mark.parametrize("text", ZH_NO_RETRACTIONS)
def test_what_only_sounds_like_one_in_chinese(text):
    assert "depressed_mood affirm" in left(ZH_SAD, "I: 然后呢？", f"P: {text}")


@pytest.mark.parametrize(("turns", "expected"), [
    # in the same turn
    (["P: I feel sad. Scratch that."], []),
    (["P: I feel sad, no, scratch that, I feel tired."], ["fatigue affirm"]),
    # a denial as well
    (["P: I'm not sad.", "I: I see.", "P: I take that back."], []),
    (["P: 我睡眠很好。", "I: 嗯。", "P: 收回刚才的话。"], []),
    # a dimension or component that it names
    ([SLEEP, "I: Hm.", SAD, "I: I see.", "P: Forget what I said about my sleep."], ["depressed_mood affirm"]),
    ([SLEEP, "I: Hm.", SAD, "I: I see.", "P: Ignore what I said about falling asleep."], ["depressed_mood affirm"]),
    ([ZH_SLEEP, "I: 嗯。", ZH_SAD, "I: 嗯。", "P: 刚才说睡不着的话不算。"], ["depressed_mood affirm"]),
    # words that it repeats
    (["P: I cried at the bus stop.", "I: Hm.", "P: I feel sad at home.", "I: I see.",
      "P: Scratch the bus stop, that never happened."],
     ["depressed_mood affirm"]),
    # a polarity
    (["P: I sleep well.", "I: Hm.", SLEEP, "I: Hm.", "P: Ignore what I said about sleeping well."], ["sleep affirm"]),
    # each speaker their own
    ([SLEEP, "F: Scratch that."], ["sleep affirm"]),
    ([SLEEP, "I: Scratch that."], ["sleep affirm"]),
    (["F: He can't fall asleep.", "F: I take that back."], []),
    # only once
    ([SLEEP, "I: Hm.", SAD, "P: Scratch that.", "I: Hm.", "P: Scratch that."], []),
    # nothing before it
    (["P: Scratch that."], []),
    # saying the opposite takes nothing back
    ([SLEEP, "I: Hm.", "P: I fall asleep right away."], ["sleep affirm", "sleep deny"]),
    # what it newly says
    ([ZH_SLEEP, "I: 嗯。", "P: 我撤回。我睡眠很好。"], ["sleep deny"]),
])
def test_what_is_left(turns, expected):
    assert left(*turns) == expected


@pytest.mark.parametrize(("turns", "days"), [
    ([SAD, "I: I see.", "P: Actually I meant last month."], (61, 30)),
    ([ZH_SAD, "I: 嗯。", "P: 我说的是上个月。"], (61, 30)),
])
def test_a_corrected_time_is_a_frame_of_its_own(turns, days):
    first, second = [f for f in frames(*turns) if f.dimension == "depressed_mood"]
    assert first.withdrawn_by == 2 and second.withdrawn_by is None
    assert (second.time.from_, second.time.to) == days
    assert (second.polarity, second.components) == (first.polarity, first.components)


@pytest.mark.parametrize("turns", [
    [SAD, "I: I see.", "P: No, that's my sister."], [SAD, "I: I see.", "P: That's not me, that's my sister."],
    [ZH_SAD, "I: 嗯。", "P: 不是我，那是我姐。"],
])
def test_a_corrected_subject_is_a_frame_about_somebody_else(turns):
    first, second = [f for f in frames(*turns) if f.dimension == "depressed_mood"]
    assert first.withdrawn_by == 2
    assert (second.withdrawn_by, second.subject, second.polarity) == (None, "other", "affirm")


def test_the_withdrawal_has_its_cue():
    [frame] = frames(SAD, "I: I see.", "P: Well, scratch that.")
    [cue] = [c for c in frame.cues if c.attribute == "withdrawn_by"]
    assert (cue.turn, cue.value, cue.rule) == (2, 2, "en.withdrawal.retract")
    assert "Well, scratch that."[cue.start:cue.end] == "scratch that"


@pytest.mark.parametrize(("text", "expected"), [
    ("I couldn't sleep last month. Correction, last week.", [("affirm", 61, 0), ("affirm", 8, None)]),
    ("I couldn't sleep last month. Correction, I slept well last week.", [("affirm", 61, 0), ("deny", 8, None)]),
])
def test_a_correction_that_is_only_a_time(text, expected):
    assert [(f.polarity, f.time.from_, f.withdrawn_by) for f in frames(f"P: {text}")] == expected


TIRED = "P: I can't sleep and I don't eat. I feel guilty."
ZH_TIRED = "P: 睡不着，没胃口。我很难过。"


@pytest.mark.parametrize(("turns", "expected"), [
    ([TIRED, "P: I misspoke when I said I can't sleep and don't eat."], ["guilt_worthlessness affirm"]),
    ([TIRED, "P: I misspoke when I said I don't eat."], ["guilt_worthlessness affirm", "sleep affirm"]),
    ([ZH_TIRED, "P: 睡不着没胃口那段收回。"], ["depressed_mood affirm"]),
    ([ZH_TIRED, "P: 没胃口那段收回。"], ["depressed_mood affirm", "sleep affirm"]),
    # words that stand inside the retraction
    (["P: I cried all night.", "P: That crying thing was a wind-up."], []),
    (["P: I cried all night.", "P: That crying thing is awful."], ["depressed_mood affirm"]),
])
def test_a_retraction_names_a_list(turns, expected):
    assert left(*turns) == expected


ASLEEP = "P: I hope I won't wake up in the morning, I lie there and I weep."


@pytest.mark.parametrize("text", [
    "P: What I said about not waking up and the weeping, I want that taken back.",
    "P: Please remove what I said about not waking and weeping.",
    "P: Everything I told you about the weeping and the waking and all, cross that out.",
    "P: No now I take that back about weeping and not waking up.",
])
def test_a_name_in_another_form_of_the_word(text):
    assert left(ASLEEP, "I: Are you eating?", "P: I nibble, I have no appetite.", "I: Anything else?", text) == [
        "appetite_weight affirm"
    ]


@pytest.mark.parametrize(("turns", "expected"), [
    (["P: 我心里难过。", "I: 手怎么了？", "P: 刀口子划了两回手。"], ["depressed_mood affirm"]),
    (["P: 我心里难过。", "I: 还有吗？", "P: 那句划了吧。"], []),
    (["P: 我瘦了十斤。", "I: 是吗？", "P: 我随口答的。"], []),
    (["P: 我睡不着。", "I: 是吗？", "P: 我乱应你的。"], []),
])
def test_what_strikes_out_in_chinese(turns, expected):
    assert left(*turns) == expected


RESTLESS = "P: I can't sit still. I'm up walking round and round the kitchen table."


@pytest.mark.parametrize(("turns", "expected"), [
    ([RESTLESS, "I: Right.", "P: Walking round the kitchen table and not sitting still, bin that."], []),
    # a sentence beside it that says the same of the same component is part of the statement
    ([RESTLESS, "I: Right.", "P: Walking round the table, bin that table."], []),
    (["P: I feel low. I'm miserable.", "I: Right.", "P: I said I feel low. That was false."], []),
    (["P: I feel low. I also cry.", "I: Right.", "P: I said I feel low. That was false."], ["depressed_mood affirm"]),
    (["P: I can't fall asleep. I wake at four.", "I: Right.", "P: Cross out the falling asleep."], ["sleep affirm"]),
    (["P: I feel low oh wait I'm mixing that up that was back in October.", "I: Right."], ["depressed_mood affirm"]),
    (["P: 没胃口，瘦了五六斤。", "I: 还有吗？", "P: 我前头讲没胃口、瘦了五六斤，你莫信，是扯谎的。"], []),
])
def test_each_part_that_a_retraction_names(turns, expected):
    assert left(*turns) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("It comes on after dinner, dinner at twelve, I mean.", "SUFFICIENT_POS"),
    ("Last year, I mean.", "ABSENT"),
    ("We went once, that was before Christmas.", "SUFFICIENT_POS"),
    ("Thanks, nurse. No wait, thanks, doctor.", "SUFFICIENT_POS"),
])
def test_who_mends_their_own_sentence_takes_nothing_back(text, expected):
    assert state("sleep", "P: I can't fall asleep.", "I: Right.", f"P: {text}", now=NOW) == expected


@pytest.mark.parametrize("text", [
    "你别跟大夫瞎扯。", "你少在这胡说。", "他叫我，我装作没看见。", "老师讲什么，我都觉得跟我没有关系。",
    "队长喊我，我都当没听见。",
])
def test_indifference_takes_nothing_back(text):
    assert left("P: 我心里难过。", "I: 还有吗？", f"P: {text}")[0] == "depressed_mood affirm"


@pytest.mark.parametrize(("text", "stays"), [
    ("The sleep thing was a joke.", ["depressed_mood affirm"]),
    ("The sleep trouble I mentioned is my husband's, not mine.", ["depressed_mood affirm"]),
    ("What I told you about sleep was last winter.", ["depressed_mood affirm"]),
    ("The insomnia? Made that up.", ["depressed_mood affirm"]),
    ("Everything I told you was a lie.", []),
    ("My sleep comment was meant.", ["depressed_mood affirm", "sleep affirm"]),
])
def test_a_retraction_names_its_statement_by_a_noun(text, stays):
    found = frames(SLEEP, "I: And your mood?", SAD, "I: I see.", f"P: {text}")
    now = {f"{f.dimension} {f.polarity}" for f in found if f.withdrawn_by is None and f.modality == "asserted"
           and f.subject == "participant" and f.turn < 4}
    assert sorted(now) == stays


def test_another_answer_stands_in_place_of_the_one_taken_back():
    assert left("I: Are you tired?", "P: Yes.", "I: I see.", "P: Sorry, I meant no.") == ["fatigue deny"]


def test_what_is_taken_back_in_its_own_turn_leaves_what_was_said_before():
    assert left("P: I'm tired.", "I: Okay.", "P: I can tell you I'm not tired. Just kidding.") == ["fatigue affirm"]
    assert left("P: i'm tired", "I: okay", "P: i'm not tired scratch that") == ["fatigue affirm"]
    said = left("P: My eating is poor.", "I: Okay.", "P: My eating is fine. I made that up.")
    assert said == ["appetite_weight affirm"]
