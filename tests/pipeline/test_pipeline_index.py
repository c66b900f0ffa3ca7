"""The index over patterns: what it tries never hides a match, and many texts at once give what each gives alone."""
from __future__ import annotations

import re
from unittest.mock import patch

import numpy as np
import pytest
from compilers import en, zh
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.errors import RuleError
from evidial_rules.pipeline.index import FEW, PatternIndex, Requirements
from evidial_rules.pipeline.language import language
from evidial_rules.pipeline.units import ChineseUnits, EnglishUnits


def test_what_has_no_fixed_word_is_always_tried():
    compiler, _ = en()
    index = PatternIndex([("stem", compiler.compile("ab*")), ("word", compiler.compile("sad"))])
    assert [payload for payload, _ in index.candidates(set())] == ["stem"]
    assert [payload for payload, _ in index.candidates({"sad"})] == ["stem", "word"]


def test_candidates_come_in_rule_order_and_once():
    compiler, _ = en()
    index = PatternIndex([(n, compiler.compile(["sad", "low"])) for n in range(20)])
    assert [payload for payload, _ in index.candidates(["low", "sad"])] == list(range(20))


WORDS = ("sad", "low", "not", "but", "i", "sleepy", "sleep", "so", ",", ".", "awful", "very", "bad", "7")
CHARS = "难过不但我睡眠很差好，。7累"


def _patterns(atoms, space):
    """Random patterns, most of them sensible."""
    leaf = st.sampled_from(atoms)
    joined = st.lists(leaf, min_size=1, max_size=3).map(space.join)
    group = st.lists(joined, min_size=1, max_size=3).map(lambda xs: "(" + "|".join(xs) + ")")
    option = st.lists(joined, min_size=1, max_size=2).map(lambda xs: "[" + "|".join(xs) + "]")
    look = st.one_of(joined.map(lambda x: f"!({x})"), joined.map(lambda x: f"!(!({x}))"))
    gap = st.sampled_from(["~1", "~2", "~!2", "~~2"])
    return st.lists(st.one_of(leaf, group, option, gap, look, st.sampled_from(["^", "$"])), min_size=1,
                    max_size=5).map(" ".join)


@given(st.lists(_patterns((*WORDS[:8], "sleep*", "slee*", "so*", "{bad}", "#"), " "), min_size=1, max_size=6),
       st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_candidates_lose_no_match_in_english(patterns, text):
    _brute(en(), patterns, text)


@given(st.lists(_patterns((*"难过不但我睡眠很差好累", "睡眠", "很差", "{坏}", "#"), ""), min_size=1, max_size=6),
       st.text(CHARS, max_size=14))
def test_candidates_lose_no_match_in_chinese(patterns, text):
    _brute(zh(), patterns, text)


def _brute(language_of, patterns, text):
    compiler, read = language_of
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(compiler.compile(pattern))
        except RuleError:
            continue
    canonical = read(text)
    expected = {n for n, c in enumerate(compiled) if c.regex.search(canonical.text)}
    index = PatternIndex(enumerate(compiled))
    tried = dict(index.candidates(canonical.keys))
    assert {n for n, regex in tried.items() if regex.search(canonical.text)} == expected
    # the index finds what a search through the text would, and in that order
    spans = [(n, m.span(), m.groups()) for n,
             c in enumerate(compiled) for m in c.regex.finditer(canonical.text) if m.group()]
    for few in (FEW, 0):  # whether or not the places are worth a comparison
        with patch("evidial_rules.pipeline.index.FEW", few):
            assert [(n, m.span(), m.groups()) for n, m in index.matches(canonical)] == spans
    for n, c in enumerate(compiled):
        if c.keys and not c.keys & canonical.keys:
            assert n not in tried and n not in expected


@pytest.mark.parametrize("name", ["en", "zh"])
def test_shipped_patterns_match_nothing_in_a_text_without_their_keys(name):
    rules = language(name)
    for index in (rules.terms.index, rules.cues.index):
        # A pattern without keys is tried on every turn, which is slow; there may be a handful.
        always = [payload for payload, compiled in index.items if not compiled.keys]
        assert len(always) <= 5 < len(index.items), always
        canonical = rules.read("zzz qqq zzz" if name == "en" else "龘龘龘")
        assert not [payload for payload, regex in index.candidates(canonical.keys) if regex.search(canonical.text)]


@pytest.mark.parametrize(("name", "pattern", "text", "found"), [
    ("en", "^ no", "I know no one. No, no", ["no ", "no "]),
    ("en", "^ slee*", "sleeping, sleepy", ["sleeping ", "sleepy "]),
    ("en", "^ # weeks", "about 3 weeks, 4 weeks", ["4 weeks "]),
    ("zh", "^没有", "我没有，没有啊", ["没有"]), ("zh", "^~2没有", "都没有，我没有，真的没有", ["都没有", "真的没有"]),
])
def test_a_pattern_that_begins_after_punctuation_is_found_there_alone(name, pattern, text, found):
    rules = language(name)
    index = PatternIndex([("rule", rules.compiler.compile(pattern))])
    assert [m.group() for _, m in index.matches(rules.read(text))] == found


def test_what_a_mask_uncovers_stands_after_punctuation():
    rules = language("zh")
    index = PatternIndex([("rule", rules.compiler.compile("^没有"))])
    masked = rules.read("我没有，我倒没有").masked(re.compile("我倒?"), "，")
    assert [m.span() for _, m in index.matches(masked)] == [(2, 4), (7, 9)]


UNITS = st.frozensets(st.sampled_from("abcdefgh"), max_size=4)
NUMBERS = {unit: number for number, unit in enumerate("abcdefgh", 1)}


@given(st.lists(st.lists(UNITS.filter(bool), max_size=5), max_size=8), st.lists(UNITS, min_size=1, max_size=6))
def test_requirements_are_met_where_each_set_has_a_unit(required, texts):
    lookup = Requirements(required, NUMBERS)
    held = {NUMBERS[u]: sum(1 << n for n, text in enumerate(texts) if u in text) for u in frozenset().union(*texts)}
    sets = lookup.sets(np.array([*held], np.intp), np.array([*held.values()], np.uint64))
    met = lookup.met(sets, np.arange(len(required))).tolist()
    for n, text in enumerate(texts):
        assert [m for m, mask in enumerate(met) if mask >> n & 1] == [
            m for m, sets in enumerate(required) if not any(map(text.isdisjoint, sets))]


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=1, max_size=4),
       st.lists(st.text(CHARS, max_size=10), min_size=1, max_size=4))
def test_units_are_found_where_they_stand(english, chinese):
    for (_, read), finder, texts in ((en(), EnglishUnits, english), (zh(), ChineseUnits, chinese)):
        canonicals = list(map(read, texts))
        keys = sorted(set().union(*(canonical.keys for canonical in canonicals)))
        found = finder({unit: number for number, unit in enumerate(keys, 1)}).find(canonicals)
        units = [set() for _ in texts]
        for unit, text, start in zip(found.units.tolist(), found.texts[found.places].tolist(),
                                     found.starts[found.places].tolist(), strict=True):
            name = keys[unit - 1]
            units[text].add(name)
            stands = name.lstrip("^").removesuffix("*")
            assert stands == "#" or canonicals[text].text.startswith(stands, start)
        assert units == [canonical.keys for canonical in canonicals]


@pytest.mark.parametrize(("name", "said"), [
    ("en", ["I can't sleep.", "", "No.", "My appetite is fine, my sleep is not.", "She said I was sad."]),
    ("zh", ["我睡不着。", "", "没有。", "胃口挺好，就是睡不好。", "她说我不高兴。"]),
])
def test_many_texts_at_once_give_what_each_gives_alone(name, said):
    rules = language(name)
    texts = [rules.read(text) for text in said * 30]
    alone = [rules.read(text) for text in said * 30]
    asks = [n % 3 == 0 for n in range(len(texts))]
    for text, matches in zip(alone, rules.terms.index.matches_each(texts), strict=True):
        assert rules.terms.mentions(text, matches) == rules.terms.find(text)
    assert list(rules.cues.find_each(texts, asks)) == [
        rules.cues.find(text, asks=asked) for text, asked in zip(alone, asks, strict=True)]
    assert any(rules.terms.find(text) for text in alone)
