"""The pattern language: each operator, and its bounds."""
from __future__ import annotations

import re

import pytest
from compilers import en, zh

from evidial_rules.errors import RuleError
from evidial_rules.pipeline.language import language
from evidial_rules.pipeline.patterns import PatternCompiler


def finds(pattern, text, name="en"):
    compiler, read = en() if name == "en" else zh()
    return compiler.compile(pattern).regex.search(read(text).text) is not None


@pytest.mark.parametrize(("pattern", "yes", "no"), [
    ("no appetite", "I've no appetite", "no big appetite"),
    ("no appetite", "No, no appetite", "no appetizers"),
    ("can't sleep", "i cannot sleep", "i can sleep"),
    ("sleep*", "so sleepy", "asleep"),
    ("(sad|low)", "feeling low", "feeling lower"),
    ("[so] sad $", "so sad", "sad about it"),
    ("feel [so|very] sad", "i feel sad", "i feel rather sad"),
    ("sleep is {bad}", "my sleep is very bad", "my sleep is bad"),
    ("eat {food}", "i eat dinner", "i eat meal"),
    ("lose ~2 sleep", "lose a lot of sleep", "lose one or two hours of sleep"),
    ("lose ~2 sleep", "lose sleep", "lose it, sleep"),
    ("lose ~3 sleep", "lose my good sleep", "lose weight but sleep"),
    ("lose ~3 sleep", "lose my good sleep", "lose weight not sleep"),
    ("sleep ~!3 good", "sleep is not good", "sleep but good"),
    ("sleep ~~3 good", "sleep but not good", "sleep, good"),
    ("^ sad", "well, sad", "very sad"),
    ("sad $", "very sad", "sad again"),
    ("tired !(of|from work)", "tired again", "tired of it"),
    ("tired !(of|from work)", "tired from it", "tired from work"),
    ("<!(not|not so) sad", "so sad", "not so sad"),
    ("# hours", "7 hours", "seven hours"),
    ("on #.#", "on 10.10 no", "on 10 no"),
    ("on #.#", "on 3/14", "on 3-14"),
    ("sleep ?", "and your sleep?", "and your sleep."),
])
def test_english_operators(pattern, yes, no):
    assert finds(pattern, yes)
    assert not finds(pattern, no)


@pytest.mark.parametrize(("pattern", "yes", "no"), [
    ("睡不着", "我睡 不着", "我睡得着"),
    ("睡(不着|不好)", "睡不好", "睡得好"),
    ("[很]难过$", "我很难过", "难过的事"),
    ("睡眠{坏}", "睡眠很差", "睡眠很好"),
    ("吃~2饭", "吃了点饭", "吃得很慢的饭"),
    ("吃~3香", "吃饭挺香", "吃饭不香"),
    ("吃~!3香", "吃饭不香", "吃饭但香"),
    ("吃~~3香", "吃但不香", "吃，香"),
    ("^难过", "嗯，难过", "很难过"),
    ("累!(赘|计)", "很累", "累赘"),
    ("<!(不|不太)累", "很累", "不太累"),
    ("#天", "3天", "三天"),
    ("想不开", "想不開", "想得開"),
    ("什么都不想", "啥都不想", "都不想"),
])
def test_chinese_operators(pattern, yes, no):
    assert finds(pattern, yes, "zh")
    assert not finds(pattern, no, "zh")


def test_a_gap_is_never_wider_than_it_says():
    for n in range(6):
        assert finds("a1 ~3 b1", "a1 " + "x " * n + "b1") == (n <= 3)
        assert finds("甲~3乙", "甲" + "丙" * n + "乙", "zh") == (n <= 3)


def test_a_negation_inside_an_open_gap_is_marked():
    compiler, read = en()
    found = compiler.compile("sleep ~!3 good").regex.search(read("my sleep is not good").text)
    assert found.group(1) == "is not "


@pytest.mark.parametrize("pattern", [
    "(sad", "sad)", "[sad", "sad]", "(sad|)", "(|sad)", "()", "", "[sad]", "{unknown}", "{bad", "bad}", "~13",
    "sad ~20 low",
    "*", "a*b", "<!(a", "sad|low", "<", "^",
])
def test_a_broken_pattern_names_file_and_rule(pattern):
    compiler, _ = en()
    with pytest.raises(RuleError) as caught:
        compiler.compile(["fine", pattern], rule="en.x.y", source="some/file.yaml")
    assert "some/file.yaml" in str(caught.value) and "en.x.y" in str(caught.value)


def test_macros_in_a_circle_are_refused():
    compiler = PatternCompiler("en", {"a": ("{b}",), "b": ("{a}",)}, str.split)
    with pytest.raises(RuleError, match="circle"):
        compiler.compile("{a}")


def test_a_binding_stands_before_a_macro_of_its_name():
    compiler, read = en()
    compiled = compiler.compile("{bad} sleep", bindings={"bad": compiler.node(["poor"])})
    assert compiled.regex.search(read("poor sleep").text)
    assert not compiled.regex.search(read("awful sleep").text)


def test_the_rarest_word_is_the_key():
    compiler, _ = en()
    assert compiler.compile("i am so despondent").keys == {"despondent"}
    assert compiler.compile(["so despondent", "no appetite"]).keys == {"despondent", "appetite"}
    assert compiler.compile("sleepl*").keys == {"slee*"}


@pytest.mark.parametrize("name", ["en", "zh"])
def test_nothing_repeats_without_a_bound(name):
    rules = language(name)
    for index in (rules.terms.index, rules.cues.index):
        for payload, compiled in index.items:
            for alternative in compiled.alternatives:
                # what may repeat: the letters of one word ("[^ ]* ", "[^ ,.;?!:]+ "), and gaps, which have a bound
                rest = re.sub(r"\[\^ [^\]]*\][*+] ", "", alternative.source)
                assert not re.search(r"(?<!\\)[*+]|\{\d*,\}", rest), payload


@pytest.mark.parametrize(("pattern", "expected"), [
    ("~", "operators with their numbers"), ("sad ~ low", "operators with their numbers"),
    ("sad ~² low", "operators with their numbers"),
    ("sad ~" + "9" * 5000 + " low", "at most 12"), ("(" * 3000 + "sad" + ")" * 3000, "brackets inside brackets"),
    ("[" * 60 + "sad" + "]" * 60, "brackets inside brackets"),
    ("wug " + "~12 " * 8 + "dog", "one gap instead of two in a row"), ("wug ~3 ~!2 dog", "one gap instead of two"),
    ("[wug] " * 24 + "dog", "fewer gaps and optional words in a row"),
    ("wug " + "~12 [wug] " * 5 + "dog", "fewer gaps and optional words"),
    ("wug ~12 " * 6 + "dog", "fewer gaps and optional words"),
    ("(wug [wug]) " * 24 + "dog", "fewer gaps and optional words"), ("(wug|wug wug) " * 24 + "dog", "fewer"),
])
def test_a_typo_and_a_search_without_end_are_refused(pattern, expected):
    compiler, _ = en()
    with pytest.raises(RuleError, match="some/file.yaml: rule en.x.y: expected .*" + re.escape(expected)):
        compiler.compile(pattern, rule="en.x.y", source="some/file.yaml")


def test_many_alternatives_are_no_many_ways():
    compiler, read = en()
    words = "|".join(f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300))
    compiled = compiler.compile(f"({words}) ({words}) ({words}) [so] ~3 ({words})")
    assert compiled.regex.search(read("waa wbb wcc dog wdd").text)


def test_a_circle_is_forgotten_after_it_was_refused():
    compiler = PatternCompiler("en", {"a": ("(b",), "c": ("{a}", "d")}, str.split)
    for _ in range(2):
        with pytest.raises(RuleError, match="closing"):
            compiler.compile("{c}")
