"""The examples that stand with every rule: each `yes` is found by that very rule, each `no` is not."""
from __future__ import annotations

from functools import cache

import pytest

from evidial_rules.pipeline.cues import CueFile, CueMatcher
from evidial_rules.pipeline.language import COMPONENTS, NOTES, WORDINGS, language
from evidial_rules.pipeline.rulefiles import parse
from evidial_rules.pipeline.terms.rules import Compose, Lexicon
from evidial_rules.resources import resource


def _texts(one):
    return (one,) if isinstance(one, str) else one


def _rules():
    """(language, what kind of rule, rule, component) of every rule that has examples."""
    for name in ("en", "zh"):
        for path in sorted(resource("lexicons", name).glob("*.yaml")):
            lexicon = parse(Lexicon, path)
            for entry in lexicon.entries:
                yield name, "mask" if entry.sense == "mask" else "entry", entry, entry.dimension or lexicon.dimension
        for template in parse(Compose, resource("grammars", name, "compose.yaml")).templates:
            yield name, "template", template, None
        for component in COMPONENTS:
            for path in sorted(resource("grammars", name).glob(f"{component}*.yaml")):
                if not path.stem.endswith("macros"):
                    for rule in parse(CueFile, path).rules:
                        yield name, "note" if path.stem.endswith(NOTES) else "cue", rule, component
        for component in WORDINGS:
            for rule in language(name).says[component].rules.values():
                yield name, "wording", rule, component


RULES = list(_rules())


@cache
def _masks(name):
    return {payload.rule: compiled.regex for payload,
            compiled in language(name).terms.index.items if payload.sense == "mask"}


@cache
def _notes(name):
    """The cue rules of talk and of written notes together."""
    files = [(component, path, categories) for component, categories in COMPONENTS.items()
             for path in sorted(resource("grammars",
                                         name).glob(f"{component}*.yaml")) if not path.stem.endswith("macros")]
    return CueMatcher(language(name).compiler, files)


def _found(name, kind, rule, component, text):
    rules = language(name)
    canonical = rules.read(text)
    if kind == "mask":  # leaves nothing behind: its pattern must fit
        return _masks(name)[rule.id].search(canonical.text) is not None
    if kind == "wording":
        return rule.found(rules.says[component][rule.name], canonical, text)
    if kind in ("cue", "note"):
        cues = rules.cues if kind == "cue" else _notes(name)
        return rule.id in {hit.rule for hit in cues.find(canonical).get(component, ())}
    mentions = rules.terms.find(canonical, {(component, c) for c in rule.asked} if kind == "entry" else frozenset())
    if kind == "entry":
        return rule.id in {mention.rule for mention in mentions}
    # a template composes with the topics of its kind; another rule that says the same may stand before it
    here = [m for mention in mentions if mention.sense == rule.sense for m in (mention, *mention.lost)]
    return any(m.rule.startswith(f"{rule.id}+") for m in here)


@pytest.mark.parametrize("case", RULES, ids=[rule.id for _, _, rule, _ in RULES])
def test_the_examples_of_a_rule(case):
    name, kind, rule, component = case
    yes, no = _texts(rule.yes), _texts(rule.no)
    assert yes and no
    assert [text for text in yes if not _found(name, kind, rule, component, text)] == []
    assert [text for text in no if _found(name, kind, rule, component, text)] == []


def test_rules_are_named_once_and_by_their_language():
    names = [rule.id for _, _, rule, _ in RULES]
    assert len(names) == len(set(names)) > 500
    assert all(rule.id.startswith(f"{name}.") for name, _, rule, _ in RULES)
