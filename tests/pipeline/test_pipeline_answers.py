"""What an answer says of the question before it (contract, section 2)."""
from __future__ import annotations

import pytest
from spoken import asserted, frames


def said(*turns, **more):
    """The frames of the last turn, as "polarity strength components", in order."""
    return [f"{f.polarity} {f.strength} {'+'.join(f.components)}" for f in asserted(*turns,
        **more) if f.turn == len(turns) - 1]


TROUBLE = "I: Any trouble concentrating?"
HEALTH = "I: Can you concentrate well?"
OPEN = "I: How is your concentration?"
ZH_TROUBLE = "I: 有没有失眠？"
ZH_OPEN = "I: 睡眠怎么样？"

# the question asks for the symptom; its component is the question's
SYMPTOM = {
    "affirm definite": ["Yes.", "Yeah.", "Yep, I do.", "Definitely.", "All the time.", "Sometimes.", "A little.",
                        "Every day.", "Yes, a lot.",
                        "Mm-hm.", "Uh-huh.", "Oh yes, constantly."],
    "affirm indicator": ["I guess so.", "Maybe.", "Probably.", "Hard to say.", "I don't know.", "I suppose so."],
    "deny definite": ["No.", "Nope.", "Never.", "Not at all.", "No, none at all.", "Absolutely not.", "No, I don't."],
    "deny indicator": ["Not really.", "Not much.", "I don't think so.", "Probably not.", "Not that I noticed.",
                       "Rarely.", "I guess not.",
                       "Not often.", "Hardly ever."],
}
ASKED_HEALTH = {
    "deny definite": ["Yes.", "Yes, I can.", "Absolutely."],
    "affirm definite": ["No.", "Not really.", "Not at all.", "No, I can't."],
    "deny indicator": ["I guess so.", "Maybe."],
    "affirm indicator": ["I don't think so.", "Probably not."],
}
ASKED_OPEN = {
    "deny definite": ["Fine.", "Good.", "It's great.", "Pretty good.", "Normal.", "No problems."],
    "deny indicator": ["Okay.", "Not bad.", "Alright.", "It's okay I guess."],
    "affirm definite": ["Terrible.", "Not great.", "Not good.", "Pretty bad.", "Awful, really."],
    "affirm indicator": ["Better than before.", "Up and down."],
}
ZH_SYMPTOM = {
    "affirm definite": ["有。", "有的。", "是的。", "经常。", "偶尔有。", "嗯。", "对。", "有一点。"],
    "affirm indicator": ["可能有吧。", "说不好。", "不好说。", "不知道。"],
    "deny definite": ["没有。", "没。", "没有过。", "从来没有。", "完全没有。", "不会。"],
    "deny indicator": ["应该没有。", "不太有。", "没太注意。", "谈不上。", "倒不至于。", "没有吧。", "很少。"],
}
ZH_ASKED_OPEN = {
    "deny definite": ["挺好的。", "很好。", "正常。", "没问题。", "不错。"],
    "deny indicator": ["还行。", "还可以。", "凑合。", "挺好的吧。", "还好。"],
    "affirm definite": ["不好。", "不太好。", "很差。", "糟透了。"],
    "affirm indicator": ["一般般。", "好一些了。", "就那样。"],
}


def _cases():
    for question, component, table in ((TROUBLE, "concentration", SYMPTOM), (HEALTH, "concentration", ASKED_HEALTH),
                                       (OPEN, None, ASKED_OPEN),
                                       (ZH_TROUBLE, "insomnia", ZH_SYMPTOM), (ZH_OPEN, "ALL", ZH_ASKED_OPEN)):
        for expected, answers in table.items():
            for answer in answers:
                yield pytest.param(question, answer, expected, component, id=f"{question[3:]}-{answer}")


@pytest.mark.parametrize(("question", "answer", "expected", "component"), list(_cases()))
def test_one_answer(question, answer, expected, component):
    found = said(question, f"P: {answer}")
    assert [" ".join(one.split()[:2]) for one in found] == [expected]
    if component and not expected.startswith("affirm ind"):
        assert found[0].split()[2] == component


@pytest.mark.parametrize("answer", ["I'd rather not say.", "Pardon?", "What time is it?", "My bus was late.",
                                    "不想说。", "今天下雨。"])
def test_no_answer_leaves_no_frame(answer):
    question = ZH_TROUBLE if any(c >= "\u4e00" for c in answer) else TROUBLE
    assert said(question, f"P: {answer}") == []


@pytest.mark.parametrize(("turns", "expected"), [
    # the question's components and direction
    (["I: Any trouble falling asleep?", "P: No."], ["deny definite onset"]),
    (["I: Any trouble falling or staying asleep?", "P: No."], ["deny definite onset+maintenance"]),
    (["I: Any trouble falling or staying asleep?", "P: Yes."], ["affirm definite onset+maintenance"]),
    (["I: Do you have trouble sleeping?", "P: No."], ["deny definite ALL"]),
    (["I: How easy is it to fall asleep?", "P: Very easy."], ["deny definite onset"]),
    (["I: How easy is it to fall asleep?", "P: Not easy."], ["affirm definite onset"]),
    (["I: How hard is it to fall asleep?", "P: Very."], ["affirm definite onset"]),
    (["I: You don't feel sad?", "P: No."], ["deny definite low_mood"]),
    (["I: 有没有早醒？", "P: 没有。"], ["deny definite early_waking"]),
    # a statement acknowledged, or denied
    (["I: So you wake up at night.", "P: Yes."], ["affirm definite maintenance"]),
    (["I: You said you wake up at night.", "P: Mm-hm."], ["affirm definite maintenance"]),
    (["I: 您说您失眠。", "P: 嗯。"], ["affirm definite insomnia"]),
    # what causes it
    (["I: Does the noise affect your sleep?", "P: No."], ["deny indicator ALL"]),
    (["I: Does the noise affect your sleep?", "P: Yes."], ["affirm definite ALL"]),
    # accepting the question
    (["I: How long have you felt guilty?", "P: Two weeks."], ["affirm definite guilt"]),
    (["I: How long have you felt guilty?", "P: I don't feel guilty."], ["deny definite guilt"]),
    # an answer that goes on
    (["I: Do you feel guilty?", "P: No. My mother does."], ["deny definite guilt"]),
])
def test_the_question_gives_the_answer_its_content(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: Do you feel sad? Do you feel guilty?", "P: No."], {"guilt_worthlessness": "deny"}),
    (["I: How are your sleep and appetite?", "P: Fine."], {"sleep": "deny", "appetite_weight": "deny"}),
    (["I: How are your sleep and appetite?", "P: Both bad."], {"sleep": "affirm", "appetite_weight": "affirm"}),
    (["I: 睡眠和胃口怎么样？", "P: 都挺好。"], {"sleep": "deny", "appetite_weight": "deny"}),
])
def test_several_questions_in_one_turn(turns, expected):
    assert {f.dimension: f.polarity for f in asserted(*turns)} == expected


def test_an_interviewers_murmur_leaves_the_question_open():
    assert said("I: Any trouble concentrating?", "I: Hm?", "P: No.") == ["deny definite concentration"]


def test_a_new_topic_ends_the_question():
    assert said("I: Any trouble concentrating?", "P: No.", "I: Did you come by bus?", "P: Yes.") == []


def test_a_question_about_somebody_else_gives_a_frame_about_them():
    assert {f.subject for f in asserted("I: Does your brother have trouble concentrating?", "P: Yes.")} == {"other"}


def test_the_content_has_its_cue_in_the_question():
    question, answer = "Any trouble concentrating?", "No, never."
    [frame] = frames(f"I: {question}", f"P: {answer}")
    cues = {c.attribute: ((question, answer)[c.turn][c.start:c.end], c.turn) for c in frame.cues}
    assert cues["components"] == ("trouble concentrating", 0)
    assert cues["polarity"] == ("No", 1)
    assert frame.turn == 1 and answer[frame.start:frame.end] == frame.quote


@pytest.mark.parametrize(("turns", "modality"), [
    (["I: How are you?", "P: Fine, thanks."], "greeting"),
    (["I: How have you been feeling lately?", "P: Fine."], "asserted"),
    (["I: Hello.", "P: Hi.", "I: What do you do?", "P: I drive.", "I: How are you doing lately?", "P: Good."],
     "asserted"),
])
def test_greetings_and_well_being(turns, modality):
    [frame] = frames(*turns)
    assert (frame.dimension, frame.modality) == ("depressed_mood", modality)
    assert frame.strength == "indicator"
