"""Mentions: which of two that overlap stands, masks, templates, and what negation is left to later components."""
from __future__ import annotations

from pathlib import Path

import pytest

from evidial_rules.errors import RuleError
from evidial_rules.pipeline.language import language
from evidial_rules.pipeline.patterns import PatternCompiler
from evidial_rules.pipeline.rulefiles import parse
from evidial_rules.pipeline.terms.logic import TermMatcher
from evidial_rules.pipeline.terms.rules import SENSES, Compose, Entry, Lexicon, Template, Topic
from evidial_rules.resources import resource


def entry(name, *patterns, sense="symptom", components=("a",), **more):
    return Entry(id=f"en.{name}", sense=sense, components=components, any=patterns, yes="x", no="y", **more)


def topic(name, *words, kinds=("noun",), **more):
    return Topic(id=f"en.{name}", kinds=kinds, components=("ALL",), words=words, **more)


def template(name, *patterns, kind="noun", sense="health"):
    return Template(id=f"en.{name}", kind=kind, sense=sense, any=patterns, yes="x", no="y")


def matcher(*rules, dimension="d", others=(), templates=()):
    def lexicon(name, items):
        return Lexicon(version=1, dimension=name, topics=tuple(r for r in items if isinstance(r, Topic)),
                       entries=tuple(r for r in items if isinstance(r, Entry)))

    compiler = PatternCompiler("en", {}, language("en").normalise.phrase)
    lexicons = [("one.yaml", lexicon(dimension, rules)), *(("two.yaml", lexicon(n, items)) for n, items in others)]
    return TermMatcher(compiler, lexicons, Compose(version=1, templates=tuple(templates)) if templates else None)


def find(found, text):
    return [m.rule.replace("en.", "") for m in found.find(language("en").read(text))]


def test_mentions_come_in_order_of_the_text():
    assert find(matcher(entry("b", "late"), entry("a", "early")), "late and early") == ["b", "a"]


def test_a_longer_mention_silences_the_shorter_inside_it_and_keeps_it_as_its_loser():
    found = matcher(entry("short", "sleep"), entry("long", "can not sleep"))
    [mention] = found.find(language("en").read("I can't sleep"))
    assert mention.rule == "en.long" and [lost.rule for lost in mention.lost] == ["en.short"]


def test_it_does_not_silence_another_dimension():
    found = matcher(entry("long", "too tired to eat"), others=[("e", [entry("short", "eat")])])
    assert find(found, "too tired to eat") == ["long", "short"]


def test_also_lets_the_shorter_speak():
    found = matcher(entry("short", "sleep"), entry("long", "can not sleep", also=True))
    assert sorted(find(found, "I can't sleep")) == ["long", "short"]


def test_of_two_that_overlap_by_half_the_longer_stands():
    found = matcher(entry("one", "no good sleep"), entry("two", "good sleep at all times"))
    assert find(found, "no good sleep at all times") == ["two"]
    # a smaller overlap leaves both
    found = matcher(entry("one", "no real nice good"), entry("two", "good sleep every single night"))
    assert find(found, "no real nice good sleep every single night") == ["one", "two"]


def test_a_fixed_expression_stands_before_a_composed_one_of_its_extent():
    composed = template("good", "{T} is fine")
    found = matcher(topic("t", "sleep"), entry("fixed", "sleep is fine"), templates=[composed])
    assert find(found, "sleep is fine") == ["fixed"]
    assert find(matcher(topic("t", "sleep"), templates=[composed]), "sleep is fine") == ["good+t"]


@pytest.mark.parametrize(("mask_dimension", "left"), [("any", []), (None, ["e"]), ("e", ["d"])])
def test_a_mask_hides_what_lies_inside_it(mask_dimension, left):
    hide = entry("mask", "tired of life", sense="mask", components=(), dimension=mask_dimension)
    found = matcher(entry("d", "tired"), hide, others=[("e", [entry("e", "tired of")])])
    assert find(found, "tired of life") == left
    assert sorted(find(found, "tired of work")) == ["d", "e"]


@pytest.mark.parametrize("dimension", ["any", None])
def test_a_mask_hides_nothing_that_goes_on_beyond_it(dimension):
    hide = entry("mask", "tired of", sense="mask", components=(), dimension=dimension)
    assert find(matcher(entry("d", "tired of living"), hide), "tired of living") == ["d"]
    assert find(matcher(entry("d", "of living like this"), hide), "tired of living like this") == ["d"]


def test_a_bare_topic_gives_way_to_everything():
    found = matcher(topic("t", "sleep at night"), entry("e", "sleep"))
    assert find(found, "sleep") == ["e"]
    [mention] = matcher(topic("t", "sleep")).find(language("en").read("sleep"))
    assert mention.sense == "topic"


def test_templates_take_topics_of_their_kind():
    templates = [template("have", "have {T}", kind="resource"),
                 template("can", "can {T}", "{ING} well", kind="ability")]
    found = matcher(topic("r", "energy", kinds=("resource",)),
                    topic("a", "focus", kinds=("ability",), ing=("focusing",)),
                    templates=templates)
    assert find(found, "i have energy and i can focus") == ["have+r", "can+a"]
    assert find(found, "i have focus and i can energy") == ["a", "r"]
    assert find(found, "focusing well") == ["can+a"]


def test_a_topic_without_a_form_is_not_read_as_if_it_had_it():
    found = matcher(topic("a", "focus", kinds=("ability",)),
                    templates=[template("past", "{PAST} well", kind="ability")])
    assert find(found, "i focus well") == ["a"]


def test_joy_in_doing_something_is_not_moods():
    joy = entry("mood", "happy", sense="health", components=("low_mood",))
    doing = entry("doing", "happy doing things", sense="health", components=("pleasure",))
    found = matcher(joy, dimension="depressed_mood", others=[("anhedonia", [doing])])
    assert find(found, "happy doing things") == ["doing"]
    assert find(found, "happy") == ["mood"]


def test_a_gap_that_may_hold_a_negation_says_where():
    found = matcher(entry("e", "sleep ~!3 good"))
    canonical = language("en").read("sleep is not good")
    [mention] = found.find(canonical)
    assert [canonical.text[a:b] for a, b in mention.open] == ["is not "]


def test_if_negated_and_negated_travel_with_the_mention():
    rule = entry("e", "sad", components=("low_mood",), negated="weak", if_negated=("crying",))
    [mention] = matcher(rule).find(language("en").read("sad"))
    assert (mention.negated, mention.if_negated, mention.components) == ("weak", ("crying",), ("low_mood",))


@pytest.mark.parametrize(("text", "words"), [
    ("version: 1\ndimension: x\nentries:\n  - {id: en.x.y, sense: odd, any: [a], yes: a, no: b}\n",
     ["en.x.y", "sense"]),
    ("version: 1\ndimension: x\nentries:\n  - {id: en.x.y, sense: symptom, any: [], yes: a, no: b}\n",
     ["en.x.y", "any"]),
    ("version: 1\ndimension: x\ntopics:\n  - {id: en.x.t, kinds: [stuff], components: [a], words: [b]}\n",
     ["en.x.t", "kinds"]),
    ("version: 1\ndimension: x\ncolour: red\n", ["colour"]),
    ("version: 1\n", ["dimension"]),
    ("", ["the file itself"]),
    ("- 1\n", ["the file itself"]),
])
def test_a_lexicon_that_breaks_the_model(tmp_path, text, words):
    path = Path(tmp_path / "mine.yaml")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleError) as caught:
        parse(Lexicon, path)
    for word in ["mine.yaml", *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["en", "zh"])
def test_the_shipped_lexicons_use_every_sense(name):
    senses = {entry.sense for _, lexicon in language(name).lexicons for entry in lexicon.entries}
    senses |= {template.sense for template in parse(Compose, resource("grammars", name, "compose.yaml")).templates}
    assert senses == set(SENSES)
