"""Cue rules: the model, and which of two cues stands."""
from __future__ import annotations

import pytest

from evidial_rules.errors import EvidialError
from evidial_rules.pipeline.cues import CueFile, CueMatcher
from evidial_rules.pipeline.language import COMPONENTS, NOTES, Language, language
from evidial_rules.pipeline.patterns import PatternCompiler
from evidial_rules.pipeline.rulefiles import parse
from evidial_rules.resources import resource

CATEGORIES = {"a": "", "b": ""}


def rule(identifier, category, patterns, **more):
    extra = "".join(f"    {key}: {value}\n" for key, value in more.items())
    return f"  - id: {identifier}\n    set: {category}\n    any: [{patterns}]\n{extra}    yes: x\n    no: y\n"


@pytest.fixture
def matcher(tmp_path):
    def make(*rules, component="one", more=()):
        path = tmp_path / f"{component}.yaml"
        path.write_text("version: 1\nrules:\n" + "".join(rules), encoding="utf-8")
        files = [(component, path, CATEGORIES), *more]
        return CueMatcher(PatternCompiler("en", {}, language("en").normalise.phrase), files)
    return make


def hits(matcher, text, component="one"):
    return [(h.rule, h.category) for h in matcher.find(language("en").read(text)).get(component, ())]


def test_hits_come_in_order_of_the_text(matcher):
    found = matcher(rule("en.x", "a", "late"), rule("en.y", "b", "early"))
    assert hits(found, "late early late") == [("en.x", "a"), ("en.y", "b"), ("en.x", "a")]


def test_the_longer_of_two_stands(matcher):
    found = matcher(rule("en.short", "a", "not"), rule("en.long", "b", "not only"))
    assert hits(found, "not only not") == [("en.long", "b"), ("en.short", "a")]


def test_of_two_equal_ones_the_higher_priority_stands(matcher):
    found = matcher(rule("en.a", "a", "not"), rule("en.b", "b", "not", priority=1))
    assert hits(found, "not") == [("en.b", "b")]
    found = matcher(rule("en.a", "a", "not", priority=2), rule("en.b", "b", "not", priority=1))
    assert hits(found, "not") == [("en.a", "a")]


def test_the_longer_stands_before_the_higher_priority(matcher):
    found = matcher(rule("en.short", "a", "not", priority=9), rule("en.long", "b", "not only"))
    assert hits(found, "not only") == [("en.long", "b")]


def test_components_do_not_silence_one_another(matcher, tmp_path):
    other = tmp_path / "two.yaml"
    other.write_text("version: 1\nrules:\n" + rule("en.two", "a", "not only"), encoding="utf-8")
    found = matcher(rule("en.one", "a", "not"), more=[("two", other, CATEGORIES)])
    assert hits(found, "not only") == [("en.one", "a")]
    assert hits(found, "not only", "two") == [("en.two", "a")]


def test_a_value_goes_with_its_hit(matcher):
    found = matcher(rule("en.x", "a", "yesterday", value="[2, 1]")).find(language("en").read("yesterday"))
    assert found["one"][0].value == [2, 1]


@pytest.mark.parametrize(("broken", "words"), [
    ([rule("en.x", "c", "not")], ["en.x", "set to one of a, b"]),
    ([rule("en.x", "a", "not"), rule("en.x", "a", "never")], ["en.x", "no other rule"]),
    ([rule("en.x", "a", '"(not"')], ["en.x", "closing"]),
    ([rule("en.x", "a", "not", colour="red")], ["en.x", "colour"]),
    ([rule("en.x", "a", "")], ["en.x", "any"]),
    (["  - set: a\n"], ["rules.0.id"]),
    (["  - [\n"], ["one.yaml"]),
])
def test_a_broken_file_names_file_rule_and_what_was_expected(matcher, broken, words):
    with pytest.raises(EvidialError) as caught:
        matcher(*broken)
    for word in ["one.yaml", *words]:
        assert word in str(caught.value)


def test_every_category_has_a_rule_in_one_of_the_languages():
    found = {rule.set for name in ("en", "zh") for rule in language(name).cues.rules.values()}
    found |= {rule.set for path in resource("grammars").rglob(f"*{NOTES}.yaml") for rule in parse(CueFile, path).rules}
    known = {category for categories in COMPONENTS.values() for category in categories}
    assert found <= known
    assert known - found == set(), "categories that no rule has"


def test_an_unknown_language_is_refused():
    with pytest.raises(EvidialError):
        Language("fr")
