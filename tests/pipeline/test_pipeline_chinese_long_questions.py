"""Chinese questions that go on at length: what a short answer to them is of, and what it is not of."""
from __future__ import annotations

import pytest
from spoken import asserted


def said(*turns, **more):
    return {f"{f.dimension} {f.polarity} {f.strength} {'+'.join(f.components)}"
            for f in asserted(*turns, **more) if f.turn == len(turns) - 1 and f.subject == "participant"}


@pytest.mark.parametrize("question", [
    "心情不好的时候，您会猛吃东西吗？",
    "您在心里难受的时候，会不会猛吃东西？",
    "一到情绪低落的时候就猛吃东西，有没有？",
    "有没有猛吃东西，尤其是在情绪低落的时候？",
    "当你觉得没希望的时候，会不会猛吃东西？",
    "除了心情差之外，有没有猛吃东西？",
    "面对情绪低落的情况时，你会不会猛吃东西？",
    "听起来您最近情绪低落，我想问一下，您会不会猛吃东西？",
    "您会不会猛吃东西？有些人心情差了就吃很多，这也常见。",
    "您会不会猛吃东西？心情不好和胃口往往是连着的。",
    "猛吃东西会不会在你情绪低落的时候更明显？",
])
def test_a_no_is_not_of_when_or_beside_what_it_is_asked(question):
    assert not any(x.startswith("depressed_mood") for x in said(f"I: {question}", "P: 没有。"))


@pytest.mark.parametrize("question", [
    "最近有没有觉得没希望的时候？",
    "会不会有心里绝望的时候？",
    "有过觉得没希望的时候吗？",
    "您觉得没希望的时候多吗？",
    "平时忙的时候，会不会觉得没希望？",
    "听起来您挺难的，会不会觉得没希望？",
    "您会不会觉得没希望？这种感觉常见吗？",
])
def test_a_time_that_is_itself_asked_after(question):
    assert "depressed_mood deny definite hopelessness" in said(f"I: {question}", "P: 没有。")


@pytest.mark.parametrize("question", [
    "有没有特别兴奋、精力过剩的时候？比如说几天睡不着也不困？",
    "有没有情绪高涨？像是睡得很少还停不下来？这些会让你静不下来吗？",
    "有没有听到别人听不到的声音？有的人太累了会这样。",
    "最近睡得着吗？月经规律吗？",
    "家里有没有人得过失眠？",
    "您睡得着吗？家里有没有人失眠？",
    "晚上老醒吗？家族里有谁得过精神病？",
    "您家族中，有没有谁有过类似的睡眠问题？",
    "有没有试过什么方法来缓解失眠？",
    "为了改善睡眠，您有没有试过早点躺下？",
])
def test_a_no_to_another_matter_says_nothing_of_sleep(question):
    assert not any(x.startswith(("sleep", "fatigue", "concentration")) for x in said(f"I: {question}", "P: 没有。"))


def test_beside_another_matter_an_evaluation_still_answers():
    assert said("I: 最近睡得怎么样？月经规律吗？", "P: 睡得挺好。") == {"sleep deny definite ALL"}



@pytest.mark.parametrize("answer", ["没有，我没有猛吃东西。", "没有猛吃东西。", "没有，我从来没有猛吃过东西。"])
def test_an_answer_that_names_its_object_is_of_that(answer):
    kinds = said("I: 最近有没有猛吃东西，或者心里难过？", f"P: {answer}")
    assert not any(x.startswith("depressed_mood") for x in kinds)


@pytest.mark.parametrize("answer", ["没有，没有这种情况。", "没有那种情况。", "都没有。", "没有，我没去上班。"])
def test_an_answer_that_names_nothing_of_the_question_is_of_all(answer):
    kinds = said("I: 最近有没有猛吃东西，或者心里难过？", f"P: {answer}")
    assert any(x.startswith("depressed_mood deny") for x in kinds)
    assert any(x.startswith("appetite_weight deny") for x in kinds)


def test_of_two_parts_the_one_that_is_denied_by_name():
    kinds = said("I: 有没有不想活，或者想过伤害自己？", "P: 没有，我没想过伤害自己。")
    assert "suicidal_ideation deny definite death_wish" not in kinds


def test_an_act_denied_and_the_thought_affirmed():
    kinds = said("I: 有没有自杀的想法或行为？", "P: 没有，我没做过自杀的事，不过有时候会冒出这种念头。")
    assert "suicidal_ideation affirm definite suicidal_thoughts" in kinds
    assert "suicidal_ideation deny definite suicidal_thoughts" not in kinds
    assert "suicidal_ideation deny definite suicidal_thoughts" in said(
        "I: 有没有自杀的想法或行为？", "P: 没有，我没有自杀的念头。")


def test_a_yes_that_only_opens_the_turn():
    assert not any("deny" in x for x in said("I: 睡眠怎么样？睡得踏实吗？", "P: 是的，我最近睡眠一直不好。"))
    assert said("I: 睡得踏实吗？", "P: 是的。") == {"sleep deny definite ALL"}


@pytest.mark.parametrize("answer", ["我一般在家里待着。", "我一直都是一个要强的人。"])
def test_words_that_open_a_statement_and_answer_nothing(answer):
    assert not said("I: 胃口怎么样？", f"P: {answer}")


def test_menses_and_marriage_are_evaluated_for_themselves():
    assert not said("I: 月经怎么样？来之前情绪怎么样？", "P: 月经挺规律的。")
    assert not said("I: 婚姻怎么样？情绪怎么样？", "P: 婚姻方面挺稳定的。")


def test_a_negation_of_another_mention_turns_no_question_round():
    assert not any("deny" in x for x in said("I: 有没有吃不下饭或者没胃口？", "P: 有的。"))


def test_what_is_denied_besides_takes_nothing_from_the_no():
    assert "suicidal_ideation deny definite suicidal_thoughts" in said(
        "I: 有没有想过伤害自己，或者猛吃东西？", "P: 没有，我没有过这样的想法，也没有猛吃东西。")


@pytest.mark.parametrize(("question", "answer", "kind"), [
    ("晚上睡觉的时候容易醒吗？", "容易。", "sleep affirm definite maintenance"),
    ("您吃饭的时候，有没有胃口？", "没有。", "appetite_weight affirm definite ALL"),
    ("看电视的时候能集中注意力吗？", "不能。", "concentration affirm definite concentration"),
    ("和亲戚相处的时候，会不会觉得自己是累赘？", "会。", "guilt_worthlessness affirm definite worthlessness"),
    ("除了睡不着，还有没有早醒？", "有。", "sleep affirm definite early_waking"),
    ("您家里人知道您不想活吗？要紧的是，您还想不想活？", "不想。", "suicidal_ideation affirm definite death_wish"),
])
def test_what_is_asked_behind_a_time_or_an_exception(question, answer, kind):
    assert kind in said(f"I: {question}", f"P: {answer}")
