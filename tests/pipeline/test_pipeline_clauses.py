"""Clauses from punctuation, connectives, subjects and discourse words."""
from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoken import language_of

from evidial_rules.pipeline.language import language


def clauses(text):
    rules = language(language_of([text]))
    canonical = rules.read(text)
    return canonical, rules.clauser(canonical)


def cut(text):
    """The clauses' words, with a bar between two of a sentence and two bars between sentences."""
    canonical, found = clauses(text)
    out = ""
    for clause in found:
        if clause.index:
            out += " | " if clause.sentence == found[clause.index - 1].sentence else " || "
        out += canonical.text[clause.start:clause.end].strip(" ,.;?!，。；？！")
    return out


@pytest.mark.parametrize(("text", "expected"), [
    ("I'm sad. I can't sleep.", "i am sad || i can not sleep"),
    ("I'm sad, tired", "i am sad | tired"),
    ("i can't sleep but i'm not sad", "i can not sleep | but i am not sad"),
    ("i'm not sad my brother is", "i am not sad | my brother is"),
    ("i fall asleep fine but wake at three", "i fall asleep fine | but wake at three"),
    ("fine except i wake at four", "fine | except i wake at four"),
    ("if i can't sleep i read", "if i can not sleep | i read"),
    ("i read because i can't sleep", "i read | because i can not sleep"),
    ("my wife says i toss all night", "my wife says | i toss all night"),
    ("no trouble falling or staying asleep", "no trouble falling | or staying asleep"),
    ("when it comes to sleep i do fine", "when it comes to sleep | i do fine"),
    ("她难过，我不难过。我累", "她难过 | 我不难过 || 我累"),
    ("我不难过但是睡不着", "我不难过 | 但是睡不着"),
    ("我不难过只是很累", "我不难过只是很累"),
    ("因为压力大睡不着", "因为压力大睡不着"),
    ("压力大所以睡不着", "压力大 | 所以睡不着"),
    ("我累的时候看电视", "我累的时候 | 看电视"),
    ("我妈让我去睡觉", "我妈让我去睡觉"),
])
def test_where_clauses_are_cut(text, expected):
    assert cut(text) == expected


@pytest.mark.parametrize(("text", "kind"), [
    ("i'm tired but i sleep", "contrast"), ("fine except i wake", "exceptive"), ("i read because i wake", "reason"),
    ("i read if i wake", "conditional"), ("i read when i wake", "temporal"), ("i wake and i read", "coordinate"),
    ("我累但是睡得着", "contrast"), ("我累所以睡了", "reason"), ("我累如果睡不着", "conditional"),
    ("我累然后睡了", "coordinate"),
])
def test_what_joins_a_clause(text, kind):
    assert clauses(text)[1][-1].connective == kind


@pytest.mark.parametrize(("text", "tense"), [
    ("i was sad", "past"), ("i cried", "past"), ("i am sad", "present"), ("i have been sad", "present"),
    ("i feel tired", "present"),
    ("i had to cry", "past"), ("sad", None),
])
def test_the_first_finite_verb_gives_the_tense(text, tense):
    assert clauses(text)[1][0].tense == tense


def test_a_question_mark_reaches_its_sentence_and_no_other():
    found = clauses("I'm sad. When I wake, am I sad? I'm tired.")[1]
    assert {(c.sentence, c.question) for c in found} == {(0, False), (1, True), (2, False)}


@pytest.mark.parametrize(("text", "raised"), [
    ("i think i am sad", [False, True]), ("i feel i am a failure", [False, True]),
    ("i am tired and i am sad", [False, False]),
    ("我觉得我没用", [False, True]),
])
def test_a_clause_that_hangs_on_a_verb_of_thinking(text, raised):
    assert [c.raised for c in clauses(text)[1]] == raised


PIECES = ["I", "sad", "but", "my", "mother", "is", "was", "if", "think", "that", ",", ".", "?", "and", "except", "when",
          "not", "so"]
ZH_PIECES = ["我", "难过", "但是", "妈", "累", "如果", "觉得", "，", "。", "？", "然后", "除了", "的时候", "没有",
             "就是", "可"]


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join),
                 st.lists(st.sampled_from(ZH_PIECES), max_size=25).map("".join)))
def test_clauses_lie_in_order_and_every_place_has_one(text):
    canonical, found = clauses(text)
    assert [c.index for c in found] == list(range(len(found)))
    for one, two in pairwise(found):
        assert one.start < one.end <= two.start
        assert one.sentence <= two.sentence
    for position in range(len(canonical.text)):
        clause = found.at(position)
        assert clause is found[0] or clause.start <= position
        assert clause is found[-1] or position < found[clause.index + 1].start
    assert [c for s in sorted({c.sentence for c in found}) for c in found.sentence(s)] == list(found)
