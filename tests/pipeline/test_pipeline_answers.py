"""What an answer says of the question before it (contract, section 2)."""
from __future__ import annotations

import pytest
from spoken import SHORT, asserted, frames, state


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
    # what only asks does not deny
    (["I: 有没有精神？", "P: 有。"], ["deny definite energy"]),
    (["I: 有没有精神？", "P: 没有。"], ["affirm definite energy"]),
    (["I: 情绪低落过没有？", "P: 没有。"], ["deny definite low_mood"]),
    (["I: 会不会睡太多？", "P: 会。"], ["affirm definite hypersomnia"]),
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


DAYS, ZH_DAYS = "I: On how many days did you feel hopeless?", "I: 有几天觉得没有希望？"
HOURS, ZH_HOURS = "I: How many hours do you sleep?", "I: 一晚上睡几个小时？"


@pytest.mark.parametrize(("turns", "expected"), [
    # of days: more than none accepts the question
    ([DAYS, "P: Five or six."], ["affirm definite hopelessness"]),
    ([DAYS, "P: None."], ["deny definite hopelessness"]),
    ([ZH_DAYS, "P: 五六天。"], ["affirm definite hopelessness"]),
    ([ZH_DAYS, "P: 一天都没有。"], ["deny definite hopelessness"]),
    # of hours: few are sleeplessness as a whole, many are too much, an ordinary night is neither
    ([HOURS, "P: Four hours."], ["affirm definite ALL"]),
    ([HOURS, "P: Twelve hours."], ["affirm definite hypersomnia"]),
    ([HOURS, "P: Seven hours."], []),
    ([ZH_HOURS, "P: 四个小时。"], ["affirm definite ALL"]),
    ([ZH_HOURS, "P: 十二个小时。"], ["affirm definite hypersomnia"]),
    ([ZH_HOURS, "P: 七个小时。"], []),
])
def test_a_count_answers(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: Are you slowed down, or restless?", "P: The first one."], ["affirm definite retardation"]),
    (["I: Are you slowed down, or restless?", "P: The second one."], ["affirm definite agitation"]),
    (["I: Are you slowed down, or restless?", "P: The second time I tried."], []),
    (["I: 是入睡困难还是早醒？", "P: 前者。"], ["affirm definite onset"]),
    (["I: 是入睡困难还是早醒？", "P: 后者。"], ["affirm definite early_waking"]),
    # one part taken up and denied
    (["I: 走路慢了还是坐不住？", "P: 慢是没有。"], ["deny definite retardation"]),
    (["I: 走路慢了还是坐不住？", "P: 没有。"], ["deny definite agitation", "deny definite retardation"]),
])
def test_an_answer_picks_one_of_what_was_asked(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "object_"), [
    (["I: Do you feel guilty?", "P: Toward my nephew, no."], "toward my nephew"),
    (["I: Do you feel guilty?", "P: No."], None),
    (["I: 会不会内疚？", "P: 对我侄子，没有。"], "对我侄子"),
    (["I: 会不会内疚？", "P: 没有。"], None),
])
def test_a_denial_toward_one_person_is_of_a_part(turns, object_):
    [frame] = asserted(*turns)
    assert (frame.polarity, frame.object) == ("deny", object_)


@pytest.mark.parametrize(("turns", "expected"), [
    # an evaluation that is a clause of its own
    (["I: How is your appetite?", "P: Canteen every day, always the same, so-so."], ["affirm indicator ALL"]),
    (["I: How is your appetite?", "P: The canteen is so-so."], []),
    (["I: 胃口怎么样？", "P: 食堂天天那几样，一般吧。"], ["affirm indicator ALL"]),
    (["I: 胃口怎么样？", "P: 食堂天天那几样。"], []),
    # a yes or no that is all of the last clause
    (["I: Have you been sleeping badly?", "P: The garden keeps me busy, and my wife helps, but no."],
     ["deny definite ALL"]),
    (["I: Have you been sleeping badly?", "P: The garden keeps me busy, and my wife helps, but there's no money."], []),
    (["I: 有没有失眠？", "P: 每天上班，接孩子，倒是没有。"], ["deny definite insomnia"]),
    (["I: 有没有失眠？", "P: 每天上班，接孩子，家里没有老人。"], []),
])
def test_an_answer_closes_a_story(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: 入睡困难吗？", "P: 困难。"], ["affirm definite onset"]),
    (["I: 入睡困难吗？", "P: 不困难。"], ["deny definite onset"]),
    (["I: 入睡困难吗？", "P: 困难户。"], []),
    (["I: 注意力集中吗？", "P: 集中。"], ["deny definite concentration"]),
    (["I: Any trouble falling asleep or staying asleep?", "P: Staying asleep."], ["affirm definite maintenance"]),
    (["I: Any trouble falling asleep or staying asleep?", "P: Coffee."], []),
])
def test_the_questions_own_words_answer(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: Does your wife have trouble sleeping?", "P: So do I."], "affirm participant"),
    (["I: Does your wife have trouble sleeping?", "P: I don't."], "deny participant"),
    (["I: Does your wife have trouble sleeping?", "P: Yes."], "affirm other"),
    (["I: 您爱人失眠吗？", "P: 我也是。"], "affirm participant"),
    (["I: 您爱人失眠吗？", "P: 我没有。"], "deny participant"),
    (["I: 您爱人失眠吗？", "P: 是的。"], "affirm other"),
])
def test_the_same_as_somebody_else(turns, expected):
    [frame] = asserted(*turns)
    assert f"{frame.polarity} {frame.subject}" == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["P: My sleep is fine apart from falling asleep."], ["deny definite ALL", "affirm definite onset"]),
    (["P: My sleep is fine apart from the noise."], ["deny definite ALL"]),
    (["P: 除了睡眠，别的都好。"], ["affirm definite ALL"]),
    (["P: 除了睡眠挺好，胃口也挺好。"], ["deny definite ALL", "deny definite ALL"]),  # beside it, not but for it
])
def test_what_is_excepted_is_affirmed_by_its_bare_name(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: Do you still feel guilty?", "P: It stopped on Tuesday."], ["affirm 6", "deny 0"]),
    (["I: Do you still feel guilty?", "P: No, that stopped on Tuesday."], ["affirm 6", "deny 0"]),
    (["I: Do you still feel guilty?", "P: No, not since Tuesday."], ["deny 0"]),
    (["I: Do you still feel guilty?", "P: It rained on Tuesday."], []),
    (["I: 还会内疚吗？", "P: 上周就停了。"], ["affirm 7", "deny 0"]),
    (["I: 还会内疚吗？", "P: 上周就没了。"], ["deny 0", "affirm 7"]),
    (["I: 还会内疚吗？", "P: 上周没有。"], ["deny 0"]),
    (["I: 还会内疚吗？", "P: 上周下雨了。"], []),
])
def test_what_ended_was_so_until_then(turns, expected):
    assert [f"{f.polarity} {f.time.to}" for f in asserted(*turns)] == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: How have you been eating?", "P: Too much."], ["affirm definite overeating"]),
    (["I: How have you been sleeping?", "P: Too much."], ["affirm definite hypersomnia"]),
    (["I: Do you enjoy things?", "P: Very much."], ["deny definite pleasure"]),
    (["I: Are you eating?", "P: Well, my sister cooks."], []),
    (["I: Are you eating?", "P: Well, thanks."], ["deny definite ALL"]),
    (["I: 食欲有什么变化？", "P: 没变化 不多吃也不少吃"], ["deny definite ALL", "deny definite overeating"]),
])
def test_how_much_is_too_much_and_what_only_opens(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "polarity"), [
    (["I: 那觉得自己没有价值吗？", "P: 没有。"], "deny"), (["I: 那觉得自己有价值吗？", "P: 没有。"], "affirm"),
    (["I: 情绪低落过没有？", "P: 没有。"], "deny"), (["I: 情绪没有低落吧？", "P: 没有。"], "deny"),
    (["I: 还有没有那股高兴劲？", "P: 没有。"], "affirm"),
    (["I: 有没有觉得心里闷闷不乐？", "P: 没有。"], "deny"),
])
def test_what_asks_does_not_deny(turns, polarity):
    [frame] = asserted(*turns)
    assert frame.polarity == polarity


CRY = "I: Any crying?"


@pytest.mark.parametrize(("turns", "expected"), [
    ([CRY, "P: Yes, but not any more."], {"deny"}), ([CRY, "P: Yes. No more wine for me."], {"affirm"}),
    ([CRY, "P: Back then, yes. Not any more."], {"deny"}),
    ([CRY, "P: In the spring, yes. Not any more."], {"affirm", "deny"}),
    (["P: I was crying a lot, but not any more."], {"deny"}), (["P: I was crying a lot, but no longer."], {"deny"}),
    (["P: I cry a lot. I don't drink any more."], {"affirm"}), (["P: I slept well, but not any more."], {"affirm"}),
    (["P: I didn't cry, not any more."], {"deny"}),
    (["I: 会失眠吗？", "P: 会，不过现在不会了。"], {"deny"}), (["I: 会失眠吗？", "P: 会，受不了了。"], {"affirm"}),
    (["P: 我老哭，现在不了。"], {"deny"}), (["P: 失眠过一阵，现在没有了。"], {"deny"}),
])
def test_not_any_more_without_a_date_leaves_only_the_contrary(turns, expected):
    assert {frame.polarity for frame in asserted(*turns)} == expected


TAG = "I: You don't have trouble sleeping, do you?"


@pytest.mark.parametrize(("turns", "polarity"), [
    ([TAG, "P: No, I do."], "affirm"), ([TAG, "P: Yes, I do."], "affirm"),
    ([TAG, "P: No, I don't."], "deny"), ([TAG, "P: No."], "deny"),
    (["I: 你没有失眠吧？", "P: 有。"], "affirm"), (["I: 你没有失眠吧？", "P: 没有。"], "deny"),
    (["I: 你没有不想活的念头吧？", "P: 没有。"], "deny"), (["I: 会不会睡太多？", "P: 不会。"], "deny"),
    (["I: 会不会睡太多？", "P: 没不多睡。"], "deny"),
])
def test_the_verb_of_an_answer_to_a_negated_question_decides(turns, polarity):
    assert [f.polarity for f in asserted(*turns)] == [polarity]


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: 有没有想死？", "P: 开店到现在都没有。"], ["deny definite death_wish"]),
    (["I: 有没有失眠？", "P: 开店到现在都有。"], ["affirm definite insomnia"]),
    (["I: 有没有失眠？", "P: 开店到现在都忙。"], []),
    (["I: Have you felt guilty?", "P: In April, once. Since then, never."],
     ["affirm definite guilt", "deny definite guilt"]),
    (["I: Have you felt guilty?", "P: In April, once. Since then, rain."], ["affirm definite guilt"]),
])
def test_an_answer_stands_behind_a_time(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: 有没有失眠？", "P: 我没有。"], ["deny definite insomnia"]),
    (["I: 有没有失眠？", "P: 我觉得没有。"], ["deny definite insomnia"]),
    (["I: 睡眠怎么样？", "P: 我自己觉得挺好的。"], ["deny definite ALL"]),
    (["I: 有没有失眠？", "P: 他没有。"], []),
])
def test_a_chinese_answer_opens_with_the_speaker(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: Are you sleeping alright?", "P: Alright, yeah."], ["deny indicator ALL"]),
    (["I: Are you sleeping well?", "P: Yeah."], ["deny definite ALL"]),
    (["I: How are you sleeping?", "P: Well."], ["deny definite ALL"]),
    (["I: How are you sleeping?", "P: Well, I have a new bed."], []),
    (["I: How's your concentration?", "P: Both of them have been fine."], ["deny definite concentration"]),
    (["I: Do you tire easily?", "P: No more than any man of my age."], ["deny indicator tiredness"]),
])
def test_what_evaluates_and_what_only_opens(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: Do you still enjoy things?", "P: The garden, certainly."], ["deny indicator pleasure"]),
    (["I: Do you still enjoy things?", "P: Football, yes."], ["deny indicator pleasure"]),
    (["I: Do you still enjoy things?", "P: The garden."], []),
    (["I: Have you let anybody down?", "P: My whole crew."], ["affirm definite guilt"]),
])
def test_one_thing_named_of_what_was_asked(turns, expected):
    assert said(*turns) == expected


@pytest.mark.parametrize(("question", "answer", "object_"), [
    ("How's your concentration?", "On the road it's fine.", "on the road"),
    ("How's your concentration?", "At work it's fine.", "at work"),
    ("How's your concentration?", "On the whole it's fine.", None),
])
def test_a_place_restricts_the_evaluation_behind_it(question, answer, object_):
    assert [f.object for f in asserted(f"I: {question}", f"P: {answer}")] == [object_]


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: That sounds lively. Shall we keep the dose?", "P: Yes."], []),
    (["I: Feeling low, no energy. Anything else?", "P: No."], []),
    (["I: You've been feeling low. Is that right?", "P: Yes."], ["affirm definite low_mood"]),
    (["I: 睡得好吗？有没有半夜醒？", "P: 没有。"], ["deny definite maintenance"]),
    (["I: Trouble falling asleep? Waking in the night?", "P: No."],
     ["deny definite onset", "deny definite maintenance"]),
])
def test_which_of_several_sentences_is_answered(turns, expected):
    assert sorted(said(*turns)) == sorted(expected)


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: Any crying?", "P: In April, once. These two weeks no."], [("affirm", None), ("deny", 15)]),
    (["I: 哭过吗？", "P: 四月份有。这两个星期没有。"], [("affirm", None), ("deny", 15)]),
    (["I: 有没有做什么都没兴趣？", "P: 没有，天天照样，这半个月没断过。"], [("deny", 16)]),
])
def test_an_answer_for_another_time_stands_by_itself(turns, expected):
    assert [(f.polarity, f.time.from_) for f in asserted(*turns)] == expected


@pytest.mark.parametrize(("turns", "expected"), [
    (["I: How long does it take you to fall asleep?", "P: Twenty minutes."], ["deny"]),
    (["I: How long does it take you to fall asleep?", "P: Three hours."], ["affirm"]),
])
def test_how_long_it_takes_to_fall_asleep(turns, expected):
    assert [f.polarity for f in asserted(*turns)] == expected


@pytest.mark.parametrize(("turns", "polarity"), [
    (["I: 是没力气，还是没那个心思？", "P: 没心思。"], "affirm"),
    (["I: 是没力气，还是没那个心思？", "P: 没力气。"], "affirm"),
    (["I: 你不累吗？", "P: 不累。"], "deny"), (["I: 入睡困难吗？", "P: 不困难。"], "deny"),
])
def test_the_echo_of_a_lack_that_was_asked_affirms_it(turns, polarity):
    assert [f.polarity for f in asserted(*turns)] == [polarity]


@pytest.mark.parametrize("turns", [
    ["I: Are you still interested in the things you like, and do they still give you pleasure?", "P: Yes, both."],
    ["I: 平常喜欢的东西，还有兴趣吗？还能从里面得到快乐吗？", "P: 都有啊。"],
])
def test_pleasure_in_what_was_named_before_is_asked_too(turns):
    assert {(f.components, f.polarity) for f in asserted(*turns)} == {(("interest",), "deny"), (("pleasure",), "deny")}


@pytest.mark.parametrize("said, expected", [
    ("I'm still very interested in everything.", "PART"),
    ("I'm still very interested in everything, and I enjoy it all.", "NEG"),
])
def test_a_word_inside_a_statement_does_not_answer_for_the_whole(said, expected):
    turns = ("I: How are things with your interest and enjoyment?", f"P: {said}")
    assert state("anhedonia", *turns) == SHORT[expected]


def test_a_word_before_a_statement_still_answers():
    assert state("sleep", "I: Any trouble sleeping?", "P: Nothing at all, I fall asleep fine.") == "SUFFICIENT_NEG"
    assert state("guilt_worthlessness", "I: Any guilt or feelings of being worthless?",
                 "P: I never think of myself as worthless.") == "PARTIAL"


@pytest.mark.parametrize(("turns", "expected"), [
    # the topic asked after is left out
    (["I: 注意力怎么样？", "P: 涣散得厉害。"], ["affirm definite concentration"]),
    (["I: 注意力怎么样？", "P: 不好意思，我接个电话。"], []),
    # what was asked, said again while one thinks
    (["I: 有没有自责？", "P: 自责……没有。"], ["deny definite guilt"]),
    # the words of the answer before
    (["I: 自责？", "P: 没有。", "I: 没价值感？", "P: 同上。"], ["deny definite worthlessness"]),
    # the first of what was summed up
    (["I: 我总结一下 你白天没精神 还很自责", "P: 前面都对，最后一个不是。"], ["affirm definite energy"]),
    # a part that is joined, without a mark that asks
    (["I: 那会不会自责 或者觉得自己没用", "P: 不会"], ["deny definite guilt", "deny definite worthlessness"]),
    # a question that only points to what was said
    (["P: 要是我坐不住咋办", "I: 你现在有这种情况吗", "P: 有"], ["affirm definite agitation"]),
])
def test_a_chinese_answer_takes_its_words_from_before(turns, expected):
    assert said(*turns) == expected
