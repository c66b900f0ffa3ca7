"""Whom a statement is about (contract, section 3, operation 1), as marked sentences."""
from __future__ import annotations

import pytest
from spoken import asserted, found, frames

SENTENCES = [
    # somebody else
    "My mother is [sad]{affirm other}.", "She [can't sleep]{affirm other}.",
    "My best friend gets so [tired]{affirm other}.",
    "My mother's [sleep is awful]{affirm other}.", "His [sleep is awful]{affirm other}.",
    "It makes her [sad]{affirm other}.",
    "The lady next door is [depressed]{affirm other}.", "They are all [tired]{affirm other}.",
    "My roommate isn't [sad]{deny other}.",
    "我妈[睡不着]{affirm other}。", "他[失眠]{affirm other}。", "我同事很[累]{affirm other}。",
    "我姐姐[抑郁]{affirm other}了。", "隔壁老王[失眠]{affirm other}。",
    "让他很[难过]{affirm other}。", "孩子[睡不着]{affirm other}。",
    # people at large
    "People my age get [tired]{affirm generic}.", "You get [tired]{affirm generic} on nights.",
    "Everyone is [tired]{affirm generic}.",
    "大家都[累]{affirm generic}。", "现在的年轻人都[失眠]{affirm generic}。", "人老了都[失眠]{affirm generic}。",
    # what others say of the speaker, or do to them
    "My wife says I'm [sad]{affirm}.", "My wife says I [can't sleep]{affirm}.", "My son makes me [sad]{affirm}.",
    "The job leaves me [exhausted]{affirm}.", "Her leaving made me [sad]{affirm}.", "我老婆说我[失眠]{affirm}。",
    "这事让我很[难过]{affirm}。",
    "他们说我很[难过]{affirm}。", "孩子吵得我[睡不着]{affirm}。",
    # what others say of themselves
    "My wife says she is [sad]{affirm other}.", "我老婆说她[失眠]{affirm other}。",
    # a first-person clause ends it, and it does not reach back
    "My mother is [sad]{affirm other} and I'm [tired]{affirm}.",
    "My mother is [sad]{affirm other}. I'm [tired]{affirm}.",
    "my mother is [sad]{affirm other} but i'm [tired]{affirm}",
    "I'm [sad]{affirm} and my mother is [tired]{affirm other}.",
    "My mother is [sad]{affirm other} and [can't sleep]{affirm other}.", "My mother died and I'm [sad]{affirm}.",
    "我妈[难过]{affirm other}，我[累]{affirm}。", "我妈[难过]{affirm other}，[睡不着]{affirm other}。",
    "我[难过]{affirm}，我妈[失眠]{affirm other}。",
    "我妈走了，我很[难过]{affirm}。",
    # an object or a companion is no subject
    "Since my mother died I'm [sad]{affirm}.", "I'm [sad]{affirm} about my brother.",
    "I lie there with my dog and I [can't sleep]{affirm}.",
    "跟老公吵架以后我很[难过]{affirm}。", "因为孩子的事我[失眠]{affirm}。", "My husband and I are [tired]{affirm}.",
    "我对不起他们，[睡不着]{affirm}。", "他们[睡不着]{affirm other}。",
    # whom a clause introduces, or its sentence goes on about
    "我还有个师弟，[坐不住]{affirm other}。", "我还有个师弟，我[坐不住]{affirm}。", "我有点事，[坐不住]{affirm}。",
    "My flatmate had a breakdown. [Couldn't sleep]{affirm other}, kept saying she wanted to die.",
    "My flatmate had a breakdown. [Couldn't sleep]{affirm}, kept thinking I wanted to die.",
    # a noun that acts, unless it is a part of the speaker
    "Our drummer [can't focus]{affirm other}.", "My mind [can't focus]{affirm}.",
    "My flatmate's the [tired]{affirm other} one.", "I'm the [tired]{affirm} one.",
    # quotations, and who speaks them
    "\"I [can't sleep]{affirm other},\" he says.", "She says \"you [never sleep]{affirm}\".",
    "I said to my wife \"I [can't sleep]{affirm}\".",
    "我妈说：“我[睡不着]{affirm other}。”", "我妈说：“你[睡不着]{affirm}。”", "我跟我妈说：“我[睡不着]{affirm}。”",
    # ellipsis
    "My mother is [sad]{affirm other}, [me too]{affirm}.",
    "My mother is [sad]{affirm other} but [I'm not]{deny}.", "我妈[失眠]{affirm other}，[我也是]{affirm}。",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_whom_it_is_about(sentence):
    expected, got = found(sentence)
    assert got == expected


@pytest.mark.parametrize(("turns", "subject"), [
    (["F: He can't sleep."], "participant"),
    (["F: My dad can't sleep."], "participant"),
    (["F: I can't sleep."], "other"),
    (["I: How is he?", "F: She is not important, but he can't sleep."], "participant"),
    (["F: My mother can't sleep.", "F: My brother can't sleep."], "other"),
    (["F: 他睡不着。"], "participant"),
    (["F: 我爸睡不着。"], "participant"),
    (["F: 我睡不着。"], "other"),
    (["F: 我最近忙，睡不着。"], "other"),
    (["F: 我最近忙。睡不着。"], "participant"),
    # whom they came with is nobody who is only addressed
    (["F: The doctor saw my dad. My dad can't sleep."], "participant"),
    (["F: My neighbour saw my dad. My dad can't sleep."], "other"),
    (["F: 医生说我爸身体没事，我爸睡不着。"], "participant"),
])
def test_an_informant_speaks_about_the_participant(turns, subject):
    assert asserted(*turns)[-1].subject == subject


@pytest.mark.parametrize(("turns", "subject"), [
    (["I: Does your mother have trouble sleeping?", "P: Yes."], "other"),
    (["I: Do you have trouble sleeping?", "P: Yes."], "participant"),
    (["I: Is your wife sad?", "P: No, I am sad."], "participant"),
    (["I: Your hobbies, do they bring you less pleasure?", "P: Yes."], "participant"),
    (["I: Your sons, do they feel less pleasure?", "P: Yes."], "other"),
    (["I: 您爱人失眠吗？", "P: 失眠。"], "other"),
    (["I: 您失眠吗？", "P: 失眠。"], "participant"),
])
def test_an_answer_is_about_whom_the_question_was(turns, subject):
    assert {f.subject for f in asserted(*turns)} == {subject}


@pytest.mark.parametrize(("text", "subject"), [
    ("我们实验室的师兄天天睡不着。", "other"), ("我店里的小徒弟天天睡不着。", "other"),
    ("我手下的出纳小姑娘天天睡不着。", "other"), ("我在店里天天睡不着。", "participant"),
])
def test_the_people_of_a_place_are_others(text, subject):
    assert {f.subject for f in asserted(f"P: {text}")} == {subject}


@pytest.mark.parametrize(("text", "subject"), [
    ("Dad, come on. You've lost your appetite.", "participant"), ("You can't sleep, Mum.", "participant"),
    ("You lose your appetite at that age.", "generic"), ("Doctor, you lose your appetite on those.", "generic"),
    ("妈，你天天睡不着。", "participant"), ("你天天睡不着，爸。", "participant"),
    ("大夫，你吃这药也睡不着。", "generic"),
])
def test_an_informant_who_calls_one_of_the_family_speaks_to_the_participant(text, subject):
    assert asserted(f"F: {text}")[0].subject == subject


@pytest.mark.parametrize("text", [
    "俺那小孙女吃不下饭。", "我那俩儿子天天睡不着。", "我们家那口子没胃口。", "他那老伴睡不着。",
])
def test_kin_behind_a_demonstrative_are_others(text):
    assert {f.subject for f in asserted(f"P: {text}")} == {"other"}


@pytest.mark.parametrize(("text", "subject"), [
    ("P: My wife is worn out. Sleeps badly.", "other"), ("P: My wife is worn out. Hardly touches dinner.", "other"),
    ("P: My work is dull. Sleep badly.", "participant"), ("F: He sleeps perfectly well.", "participant"),
    ("F: She barely touches her food.", "participant"), ("F: He concentrates fine.", "participant"),
])
def test_a_form_that_an_i_never_takes_goes_on_about_the_other(text, subject):
    assert asserted(text)[-1].subject == subject


@pytest.mark.parametrize("said, expected", [
    ("I hear that a woman at work can't sleep.", "other"), ("I gather my uncle can't sleep.", "other"),
    ("I hear my uncle snoring and can't sleep.", "participant"), ("I think that I can't sleep.", "participant"),
    ("It's my aunt who can't sleep.", "other"), ("It's me who can't sleep.", "participant"),
    ("The one who can't sleep for worry is my aunt.", "other"), ("I'm the one who can't sleep.", "participant"),
    ("My aunt says she has no energy left.", "other"), ("My uncle has an appetite that's all over the place.", "other"),
])
def test_hearsay_clefts_and_relative_clauses(said, expected):
    said_of = [f for f in frames("I: Go on.", f"P: {said}") if f.modality == "asserted"]
    assert said_of and {f.subject for f in said_of} == {expected}
