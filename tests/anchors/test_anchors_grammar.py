"""The grammars of anchors: their form, what breaks it, and the words for counts and days."""
from __future__ import annotations

import datetime
import shutil

import pytest

from evidial_rules.anchors import AnchorGrammarError, load_grammar, read_grammar
from evidial_rules.anchors.grammar import PATTERNS, SLOT
from evidial_rules.anchors.numbers import count, day, weekday
from evidial_rules.anchors.wording import Wording
from evidial_rules.contract import COMPONENTS, DIMENSIONS
from evidial_rules.resources import resource


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_dimension_has_phrases_of_every_form(language):
    grammar = load_grammar(language)
    assert set(grammar.dimensions) == set(DIMENSIONS)
    for dimension, phrases in grammar.dimensions.items():
        assert len(phrases.indicators) >= 8 and len(phrases.ask) >= 6 and "ALL" in phrases.components
        for component, forms in phrases.components.items():
            assert component in (*COMPONENTS[dimension], "ALL")
            for form in ("affirm", "past", "other", "told", "deny", "deny_past"):
                assert len(getattr(forms, form)) >= 3, (dimension, component, form)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_patterns_hold_a_place_for_what_they_are_filled_with(language):
    grammar = load_grammar(language)
    for name, needed in PATTERNS.items():
        assert len(grammar.patterns[name]) >= 5
        assert all(set(needed) <= set(SLOT.findall(pattern)) for pattern in grammar.patterns[name])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_times_lie_where_their_list_says(language):
    times = load_grammar(language).times
    assert all(t.unit or (t.to is not None and t.to > 14) for t in times.outside)
    assert all(t.unit or (t.from_ is not None and t.from_ <= 14 and t.to is not None) for t in times.partial)
    assert {t.unit for t in times.outside} >= {1, 7, "date"}


@pytest.mark.parametrize("change, key", [
    (("version: 1", "version: 1\nextra: 2"), "extra"), (("prompts:", "prompt:"), "prompt"),
    (('"{opener}{affirm}{tail}"', '"{opener}{tail}"'), "grammar"),
    (("  opener:", "  opening:"), "grammar"),
    (("unit: 7", "unit: 9"), "times.outside"),
])
def test_a_broken_grammar_names_file_and_key(tmp_path, change, key):
    path = tmp_path / "anchors.yaml"
    shutil.copy(resource("grammars", "en", "anchors.yaml"), path)
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(AnchorGrammarError, match=key) as error:
        read_grammar(path)
    assert "anchors.yaml" in str(error.value) and "\n" not in str(error.value)


def test_counts_dates_and_weekdays_in_words():
    assert [count(n, "en") for n in (1, 15, 20, 42)] == ["one", "fifteen", "twenty", "forty-two"]
    assert [count(n, "zh") for n in (1, 2, 10, 12, 20, 22)] == ["一", "两", "十", "十二", "二十", "二十二"]
    days = [day(datetime.date(2025, 5, n), "en") for n in (1, 2, 11, 23)]
    assert days == ["May 1st", "May 2nd", "May 11th", "May 23rd"]
    assert day(datetime.date(2025, 12, 31), "zh") == "十二月三十一号"
    assert weekday(datetime.date(2025, 6, 18), "en") == "Wednesday"
    with pytest.raises(ValueError, match="1 to 99"):
        count(100, "en")


def test_a_list_is_used_up_before_anything_comes_twice():
    wording = Wording(load_grammar("en"), "en", 1)
    drawn = [wording.pick("here", "abcde") for _ in range(10)]
    assert sorted(drawn[:5]) == sorted(drawn[5:]) == list("abcde")


def test_sentences_are_written_with_capitals_and_stops_or_as_transcribed():
    english, chinese = Wording(load_grammar("en"), "en", 0), Wording(load_grammar("zh"), "zh", 0)
    assert english.sentence("well, I'm tired", "scratch that.") == "Well, I'm tired. Scratch that."
    assert english.sentence("") == "" and chinese.sentence("我很累", "说错了。") == "我很累。说错了。"
    assert english.transcribed("Well, I'm tired.") == "well i'm tired"
