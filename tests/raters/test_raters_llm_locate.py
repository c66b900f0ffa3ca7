"""Quotes found in a dialogue: exact, spelt otherwise, nearly, in another turn, or not at all."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.contract import Dialogue
from evidial_rules.raters.llm.locate import locate


def talk(*texts, language="en"):
    """Turns of interviewer and participant in turn."""
    return Dialogue.from_dict({
        "dialogue_id": "d", "language": language, "instrument": "PHQ-8",
        "turns": [{"speaker": ("interviewer", "participant")[n % 2], "text": text} for n, text in enumerate(texts)]})


TALK = talk("Any trouble sleeping?", "No.", "And your mood?", "I\u2019m  pretty low most mornings, to be honest.",
            "Energy?", "I was late again, I ate nothing. No.", "Thank you.", "No.")


@pytest.mark.parametrize(("quote", "turn", "found", "how", "moved"), [
    ("No.", 1, (1, 0, 3), "exact", False),
    ("pretty low most mornings", 3, (3, 5, 29), "exact", False),
    ("I'm pretty low", 3, (3, 0, 15), "spelling", False),
    ("\u201cPRETTY LOW most mornings\u201d", 3, (3, 5, 29), "spelling", False),
    ("pretty low most mornings", 4, (3, 5, 29), "exact", True),
    ("pretty low most mornings", 999, (3, 5, 29), "exact", True),
    ("ate", 5, (5, 20, 23), "exact", False),  # the word, not the end of "late"
    ("hones", 3, (3, 37, 42), "exact", False),  # cut by the judge, in the turn that it named
    ("No.", 0, (1, 0, 3), "exact", True),
    ("trouble sleeping", 0, (0, 4, 20), "exact", False),
])
def test_where_a_quote_stands(quote, turn, found, how, moved):
    place = locate(quote, turn, TALK)
    assert (place.turn, place.start, place.end) == found
    assert (place.how, place.moved, place.score) == (how, moved, 100.0)


@pytest.mark.parametrize(("quote", "turn"), [
    ("", 0), ("  ", 1), ("...", 1), ("\u201c\u201d", 3), ("Maybe.", 1),
    ("No.", 40),  # too short to be looked for far from the turn that was named
    ("hone", 1),  # a word cut short is not found in another turn
])
def test_what_is_found_nowhere_without_looking_nearly(quote, turn):
    assert locate(quote, turn, TALK) is None


def test_a_participants_words_go_before_an_interviewers():
    said = talk("Do you wake at night?", "Hm?", "Do you wake at night?", "You ask: do you wake at night? Yes.")
    assert locate("do you wake at night", 1, said).turn == 3
    assert locate("Do you wake at night", 2, said).turn == 2  # unless it is the turn that was named


@pytest.mark.parametrize(("quote", "found"), [
    ("这周睡不着", (1, 2, 7)), ("这周睡不着，", (1, 2, 8)), ("躺着到２点", (1, 8, 13)), ("睡不着", (1, 4, 7)),
])
def test_chinese_has_no_word_edges_and_two_widths(quote, found):
    place = locate(quote, 1, talk("睡得怎么样？", "我，这周睡不着，躺着到2点。", language="zh"))
    assert (place.turn, place.start, place.end) == found


class TestNear:
    """Near matches need rapidfuzz."""

    @pytest.fixture(autouse=True)
    def library(self):
        pytest.importorskip("rapidfuzz")

    def test_a_letter_off(self):
        place = locate("I'm prety low most mornings", 3, TALK)
        assert (place.turn, place.how, place.moved) == (3, "near", False)
        assert 90 <= place.score < 100
        assert TALK.turns[3].text[place.start:place.end].startswith("I\u2019m  pretty low most morning")

    def test_a_letter_off_in_another_turn(self):
        place = locate("I'm prety low most mornings", 0, TALK)
        assert (place.turn, place.how, place.moved) == (3, "near", True)

    @pytest.mark.parametrize("quote", [
        "I can hardly get out of bed", "Any trouble sleeping? No.", "nobody ever said these words here",
    ])
    def test_somebody_elses_words(self, quote):
        place = locate(quote, 1, TALK)
        # Only the interviewer's own part of a quote over two turns is there, and no evidence.
        assert place is None or TALK.turns[place.turn].speaker == "interviewer"

    def test_a_short_turn_is_not_part_of_a_long_quote(self):
        assert locate("No, never, not once in all these years", 1, talk("Ever?", "No.")) is None

    def test_the_threshold_is_a_parameter(self):
        said = talk("?", "I have been feeling rather low")
        assert locate("I had been feeling pretty low", 1, said) is None
        assert locate("I had been feeling pretty low", 1, said, threshold=60).turn == 1

    @pytest.mark.parametrize(("quote", "text"), [
        ("I can sleep fine these days", "Well, I can't sleep fine these days at all."),
        ("I do want to go on living like this", "I do not want to go on living like this"),
        ("这一个星期我都睡得着觉了", "这一个星期我都睡不着觉了"),
    ])
    def test_a_negation_more_or_less_makes_other_words(self, quote, text):
        said = talk("?", text, language="zh" if "我" in text else "en")
        assert locate(quote, 1, said) is None

    def test_chinese(self):
        place = locate("这一周总是睡不着觉", 1, talk("?", "我这一周总睡不着觉，躺到两点", language="zh"))
        assert (place.turn, place.how) == (1, "near")


@given(st.text(min_size=1, max_size=40), st.text(max_size=10), st.text(max_size=10), st.integers(0, 3))
def test_a_copied_quote_is_found_where_it_was_copied(quote, before, after, turn):
    text = f"{before} {quote} {after}".encode("utf-8", "ignore").decode()
    quote = quote.encode("utf-8", "ignore").decode()
    said = talk("?", text, "!", "-")
    place = locate(quote, 1, said)
    if place is None:  # nothing but punctuation
        assert not any(char.isalnum() for char in quote)
        return
    assert place.turn == 1 and 0 <= place.start <= place.end <= len(text)
    if place.how == "exact":
        assert text[place.start:place.end] == quote
