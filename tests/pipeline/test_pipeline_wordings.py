"""Wordings: the model, what a file may not hold, and that logic and rule files know the same names."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from evidial_rules.errors import EvidialError
from evidial_rules.pipeline import wordings as module
from evidial_rules.pipeline.cues import CueFile, CueMatcher
from evidial_rules.pipeline.language import WORDINGS, language
from evidial_rules.pipeline.patterns import PatternCompiler
from evidial_rules.pipeline.rulefiles import parse
from evidial_rules.pipeline.wordings import NEVER, compiled, runs_away

NAMES = {"advice": "advises", "fillers": "says nothing"}


def wording(identifier="en.x.says.advice", name="advice", yes="try it", no="tried it", **kind):
    kind = kind or {"regex": "' try '"}
    more = "".join(f"    {key}: {value}\n" for key, value in kind.items())
    return f"  - id: {identifier}\n    name: {name}\n{more}    yes: {yes}\n    no: {no}\n"


@pytest.fixture
def says(tmp_path):
    def make(*texts, name="en"):
        path = tmp_path / "x.yaml"
        path.write_text("version: 1\nrules: []\nwordings:\n" + ("".join(texts) or "  []\n"), encoding="utf-8")
        rules = parse(CueFile, path).wordings
        phrase = language(name).normalise.phrase
        words = {"words": phrase} if name == "en" else {"canonical": phrase}
        compiler = PatternCompiler(name, {"soon": ["soon", "at once"]} if name == "en" else {}, **words)
        return compiled([(str(path), rule) for rule in rules], "x", NAMES, compiler, {"en.taken"})
    return make


def test_a_regex_is_read_as_it_stands(says):
    assert says(wording())["advice"].pattern == " try "


def test_patterns_are_those_of_the_pattern_language(says):
    found = says(wording(any="['try [it] {soon}']"))["advice"]
    assert found.search(" . try it at once . ") and not found.search(" . try it . ")


def test_words_are_a_pattern_and_a_set(says):
    found = says(wording(words="[a, an, and so]"))
    assert found.words("advice") == {"a", "an", "and so"}
    assert found["advice"].fullmatch("an ") and found["advice"].match("and so on ")[0] == "and so "
    assert not found["advice"].search("can be ")
    found = says(wording("zh.x", words="[我, 我们]"), name="zh")
    assert found["advice"].match("我们也")[0] == "我们"


def test_a_name_without_a_wording_never_matches(says):
    found = says(wording())
    assert found["fillers"] is NEVER and NEVER.search("") is None and found.words("fillers") == frozenset()
    assert list(found) == list(NAMES) and len(found) == 2


def test_a_name_that_nobody_declared_is_refused(says):
    found = says()
    for ask in (lambda: found["advise"], lambda: found.words("advise")):
        with pytest.raises(EvidialError, match="x: rule advise: expected a wording out of advice, fillers"):
            ask()


@pytest.mark.parametrize(("broken", "words"), [
    ([wording(name="advise")], ["en.x.says.advice", "name to be one of advice, fillers"]),
    ([wording(), wording("en.y")], ["en.y", "a name that en.x.says.advice has not already"]),
    ([wording(), wording(name="fillers")], ["en.x.says.advice", "no other rule"]),
    ([wording("en.taken")], ["en.taken", "no other rule"]),
    ([wording(regex="'(try'")], ["en.x.says.advice", "a regular expression (missing )"]),
    ([wording(regex="'(?:a|b+)*c'")], ["en.x.says.advice", "a bound"]),
    ([wording(any="['(try']")], ["en.x.says.advice", "closing"]),
    ([wording(any="['try {later}']")], ["en.x.says.advice", "a known macro"]),
    ([wording(any="[try]", words="[try]")], ["en.x.says.advice", "exactly one of regex, any, words"]),
    ([wording(what="nothing at all")], ["en.x.says.advice", "exactly one of regex, any, words"]),
    ([wording(regex="try", colour="red")], ["en.x.says.advice", "colour"]),
    (["  - name: advice\n    regex: try\n    yes: try\n    no: no\n"], ["wordings.0.id"]),
])
def test_a_broken_file_names_file_rule_and_what_was_expected(says, broken, words):
    with pytest.raises(EvidialError) as caught:
        says(*broken)
    for word in ["x.yaml", *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize("regex", [
    "(a+)+", "(?:a*)*", "(?:a|b+)*c", "(?:(?:a+){0,3}b)*", r"(?:\w+ )*?x", "(?:a{2,}b)+", "(?:x(?:a*)?)+", "([^a]+)*",
])
def test_repetition_inside_of_repetition_runs_away(regex):
    assert re.compile(regex) and runs_away(regex)


@pytest.mark.parametrize("regex", [
    "(a+)", "(?:a|b)*c+", r"(?:\w+ ){0,3}x*", "(?:a{2,5}b)+", r"(?:\(\+)*", "(?:[+*]a)*", "[])*]+", "(?:a?b)*",
    "[^]*]*", r"(?:a|\*)+", "(?:不|没)*有+",
])
def test_other_repetition_does_not(regex):
    assert re.compile(regex) and not runs_away(regex)


@pytest.mark.parametrize(("kind", "text", "found"), [
    ({"regex": "' try $'"}, "will you try", True),
    ({"regex": "'^try '"}, "try it", True),
    ({"regex": "'try'"}, "a tryst", True),
    ({"words": "[try]"}, "a tryst", False),
    ({"words": "[try]"}, "just try!", True),
    ({"regex": "'(?:just |try )*'", "whole": "true"}, "just try", True),
    ({"regex": "'(?:just |try )*'", "whole": "true"}, "just try it", False),
    ({"regex": "'just(?: try)?'", "whole": "true"}, "just try", True),
])
def test_examples_are_tried_as_the_logic_would_ask(says, kind, text, found):
    made = says(wording(**kind))
    assert made.rules["advice"].found(made["advice"], language("en").read(text)) is found


@pytest.mark.parametrize(("text", "found"), [("Nope, sorry", True), ("no, sorry", False)])
def test_spoken_words_are_looked_for_as_they_were_said(says, text, found):
    made = says(wording(regex="'nope'", spoken="true"))
    canonical = language("en").read(text)
    assert "nope" not in canonical.text
    assert made.rules["advice"].found(made["advice"], canonical, text) is found


def test_a_matcher_hands_on_the_wordings_of_its_files(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("version: 1\nrules: []\nwordings:\n" + wording(), encoding="utf-8")
    matcher = CueMatcher(PatternCompiler("en"), [("x", path, {})])
    assert [(source, rule.name) for source, rule in matcher.wordings["x"]] == [(str(path), "advice")]


CODE = Path(module.__file__).parent
ASKED = re.compile(r'(?<!language\.)\bsays(?:\[|\.words\()\s*"(\w+)"')


@pytest.mark.parametrize("component", WORDINGS)
def test_logic_and_rule_files_know_the_same_names(component):
    names = set(WORDINGS[component])
    assert names == {name for code in ("en", "zh") for name in language(code).says[component].rules}
    own = {name for path in (CODE / component).glob("*.py") for name in ASKED.findall(path.read_text(encoding="utf-8"))}
    stages = set(ASKED.findall((CODE / "stages.py").read_text(encoding="utf-8")))
    assert own <= names <= own | stages


def test_every_name_that_the_stages_ask_for_is_declared():
    stages = set(ASKED.findall((CODE / "stages.py").read_text(encoding="utf-8")))
    assert stages <= {name for names in WORDINGS.values() for name in names}
