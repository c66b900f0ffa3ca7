"""Canonical text: what the patterns read, and the way back to the turn's own offsets."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.pipeline.language import language
from evidial_rules.pipeline.text import same_length_lower

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
# what speech files hold: controls, emoji with joiners, combining marks, full width, Traditional, right to left
ODD = st.text(st.sampled_from("aA'’iİßﬁ .,?!-—…()[]<>\"“”\n\r\t\0\x07\x1b\u200b\u200d\ufeff\u00a0\u3000\u0301\u0308"
                              "😀👩‍💻ＡＢ１２，。？睡覺睡觉没有嗯呃我很難過啥咋"
                              "שלוםمرحبا７/10can't gonna um uh"), max_size=60)
TEXTS = st.one_of(ANY, ODD)


def words(text):
    return language("en").read(text).words[1:-1]


def characters(text):
    return language("zh").read(text).text[1:-1]


@pytest.mark.parametrize(("text", "expected"), [
    ("I can't, cannot, CANT", "i can not , can not , can not"),
    ("I’m sad", "i am sad"),
    ("they're we've she'd", "they are we have she would"),
    ("She'd never slept", "she had never slept"),
    ("my mother's sleep", "my mother 's sleep"),
    ("nothin' goin' on", "nothing going on"),
    ("um I uh, I I just", "i , i just"),
    ("yeah nope", "yes no"),
    ("a lot", "alot"),
    ("used to", "used-to"),
    ("[inaudible] ok", "@inaudible okay"),
    ("[laughs] fine", "fine"),
    ("so tired... really", "so tired . . . really"),
    ("on 10.10. no sleep", "on 10.10 no sleep"),
    ("sad — tired", "sad , tired"),
    ("😀 sad", "sad"),
])
def test_english(text, expected):
    assert " ".join(words(text)) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("睡 不 着", "睡不着"),
    ("睡不著覺", "睡不着觉"),
    ("啥都不想幹", "什么都不想干"),
    ("嗯，没有", "，没有"),
    ("没有...", "没有。。。"),
    ("ＯＫ！", "ok！"),
    ("10.5公斤", "10.5公斤"),
    ("我很難過 晚上睡不着", "我很难过，晚上睡不着"),
])
def test_chinese(text, expected):
    assert characters(text) == expected


@pytest.mark.parametrize("text", ["İİ can't", "ǅ ß ﬁ", "ΑΣ", "İ"])
def test_lower_case_keeps_the_length(text):
    assert len(same_length_lower(text)) == len(text)


@given(ANY)
def test_lower_case_always_keeps_the_length(text):
    assert len(same_length_lower(text)) == len(text)


@pytest.mark.parametrize(("name", "text", "word", "original"), [
    ("en", "Honestly, I CAN'T sleep", "can not ", "CAN'T"),
    ("en", "I’m sad 😀 today", "sad ", "sad"),
    ("en", "e\u0301 sad", "sad ", "sad"),
    ("zh", "我，睡 不 著。", "睡不着", "睡 不 著"),
    ("zh", "啥都行", "什么", "啥"),
    ("zh", "嗯嗯难过", "难过", "难过"),
])
def test_a_canonical_stretch_has_its_original(name, text, word, original):
    canonical = language(name).read(text)
    at = canonical.text.index(word)
    a, b = canonical.span(at, at + len(word))
    assert text[a:b] == original


@pytest.mark.parametrize("name", ["en", "zh"])
@given(text=TEXTS)
def test_every_span_lies_within_the_original(name, text):
    canonical = language(name).read(text)
    assert canonical.length == len(text)
    assert len(canonical.starts) == len(canonical.origin) == len(canonical.words)
    last = 0
    for start, (a, b) in zip(canonical.starts, canonical.origin, strict=True):
        assert 0 <= a <= b <= len(text)
        assert a >= last or a == 0  # in order of the text
        last = a
        assert canonical.span(start, start + 1) == (a, b)
    assert canonical.span(0, len(canonical.text))[1] <= len(text)


@given(text=TEXTS)
def test_a_word_that_was_not_rewritten_comes_back_as_it_stood(text):
    canonical = language("en").read(text)
    plain = language("en").normalise
    for start, (a, b), word in zip(canonical.starts, canonical.origin, canonical.words, strict=True):
        assert canonical.text[start:start + len(word)] == word
        if word.isalpha() and word.isascii() and plain.split(text[a:b].lower()) == [word] and text[a:b].isalpha():
            assert same_length_lower(text[a:b]) == word or word in plain.words.get(text[a:b].lower(), [word])


@given(text=st.text(st.sampled_from("我很难过睡眠，。？a1"), max_size=40))
def test_simple_chinese_comes_back_character_by_character(text):
    canonical = language("zh").read(text)
    for c, (a, b) in list(zip(canonical.words, canonical.origin, strict=True))[1:-1]:
        if b - a == 1:
            assert text[a:b] == c


@pytest.mark.parametrize(("name", "word"), [("en", "sad"), ("zh", "难过")])
@given(text=TEXTS)
def test_a_word_among_anything_is_found_where_it_is(name, word, text):
    text = text.translate(dict.fromkeys(map(ord, "[]<>")))  # what stands in brackets is the transcriber's
    canonical = language(name).read(f"{text}. {word}. {text}")
    needle = f" {word} " if name == "en" else word
    places = [at + needle.index(word) for at in range(len(canonical.text)) if canonical.text.startswith(needle, at)]
    origins = [canonical.span(at, at + len(word)) for at in places]
    assert (len(text) + 2, len(text) + 2 + len(word)) in origins


@pytest.mark.parametrize("name", ["en", "zh"])
@pytest.mark.parametrize("text", ["", " ", "\n", "...", "？", "\0", "😀"])
def test_next_to_nothing_is_still_a_text_with_edges(name, text):
    canonical = language(name).read(text)
    assert canonical.text.strip(" ")[0] in ".。" and canonical.text.strip(" ")[-1] in ".。"
    a, b = canonical.span(0, len(canonical.text))
    assert 0 <= a <= b <= len(text)


@given(TEXTS)
def test_reading_twice_gives_the_same(text):
    first, second = language("zh").read(text), language("zh").read(text)
    assert (first.text, first.origin, first.keys) == (second.text, second.origin, second.keys)


@pytest.mark.parametrize(("original", "canonical"), [
    ("ill read a page", "i will read a page"), ("ill just sit there", "i will just sit there"),
    ("i feel ill just about daily", "i feel ill just about daily"), ("he is ill", "he is ill"),
    ("i done lost interest", "i have lost interest"), ("i done it", "i done it"), ("he sleeps well", "he sleeps well"),
])
def test_forms_that_speech_is_written_in(original, canonical):
    assert language("en").read(original).text.strip(" .") == canonical


@pytest.mark.parametrize(("said", "canonical"), [
    ("That's, um, that's all fine.", "that is all fine"),
    ("I'm not, I'm not well.", "i am not well"),
    ("i'm not i'm not well", "i am not well"),
    # what is no false start
    ("No, no.", "no , no"),
    ("Very, very sad.", "very , very sad"),
    ("I walk, I eat.", "i walk , i eat"),
])
def test_a_false_start_is_said_once(said, canonical):
    assert [w for w in words(said) if w != "."] == canonical.split()
