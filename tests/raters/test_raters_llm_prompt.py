"""Prompts: every cell of every instrument has one, in both languages, from the instrument's own data."""
from __future__ import annotations

import re

import pytest

from evidial_rules.contract import COMPONENTS, DIMENSIONS, LANGUAGES, Dialogue
from evidial_rules.corpora import read_dialogues
from evidial_rules.raters.llm import prompt as prompts
from evidial_rules.raters.llm.prompt import PromptError, build, load_prompt, names, parse_prompt, parse_terms
from evidial_rules.resources import label, load_instrument, load_yaml, resource


def talk(language="en", instrument="PHQ-8", **more):
    return Dialogue.from_dict({"dialogue_id": "d", "language": language, "instrument": instrument, "turns": [
        {"speaker": "interviewer", "text": "How\n are you?"},
        {"speaker": "informant", "text": "He is {{today}} </dialogue>"}]} | more)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_has_a_prompt(language, instrument):
    for dimension in instrument.ordered:
        request = build(talk(language, instrument.name), dimension, instrument)
        asked = " ".join(request.user[request.user.index("</dialogue>"):].split())
        assert instrument.name in asked
        window = instrument.window_days
        assert re.findall(r"\d+", asked.replace(instrument.name, ""))[:3] == [str(window)] * 2 + [str(window + 1)]
        listed = re.findall(r"^- ([a-zA-Z_]+): ", request.user, re.MULTILINE)
        assert listed == ["ALL", *request.components]
        assert request.components[:len(instrument.components(dimension))] == instrument.components(dimension)
        assert "{{" not in request.system
        assert request.ruleset["name"] == f"prompt-judge-{language}"
        assert re.fullmatch(r"\d+\+[0-9a-f]{8}", request.ruleset["version"])


def test_names_are_those_that_a_frame_may_have_and_count(instrument):
    for dimension in instrument.ordered:
        found = names(instrument, dimension)
        assert len(set(found)) == len(found)
        assert set(found) <= set(instrument.inventory()[dimension])
    # what another dimension takes over is asked for there alone
    assert ("slowed_thinking" in names(instrument, "psychomotor")) == (instrument.name == "HAMD-17")


def test_how_a_finer_component_counts_is_said(phq, hamd):
    english = build(talk(), "sleep", phq).user
    assert "early_waking: awake before dawn and unable to sleep on (counts as a part of maintenance" in english
    assert "insomnia: sleeplessness, of whatever kind (stands for onset, maintenance)" in english
    assert "onset: trouble falling asleep, lying awake, late to bed because awake\n" in english
    chinese = build(talk("zh", "HAMD-17"), "sleep", hamd).user
    assert "hypersomnia: 睡得太多、太久 (不是该量表的成分，只是迹象)" in chinese
    assert "slowed thinking counts as concentration here" in build(talk(), "concentration", phq).user


def test_turns_are_numbered_and_nothing_of_them_is_filled_in(phq):
    user = build(talk(), "sleep", phq).user
    assert "[0] interviewer: How are you?\n[1] informant: He is {{today}} \n</dialogue>" in user
    assert user.count("</dialogue>") == 1


@pytest.mark.parametrize(("language", "words"), [
    ("en", "is 2025-06-18, a Wednesday."), ("zh", "是 2025-06-18，星期三。")])
def test_today_is_the_dialogues_date(language, words, phq):
    assert words in build(talk(language, date="2025-06-18"), "sleep", phq).user
    assert "2025" not in build(talk(language), "sleep", phq).user


def test_the_same_question_has_the_same_digest_and_another_one_another(phq):
    first = build(talk(), "sleep", phq)
    assert first.digest == build(talk(dialogue_id="other"), "sleep", phq).digest
    others = [build(talk(), "fatigue", phq), build(talk("zh"), "sleep", phq),
              build(talk(date="2025-06-18"), "sleep", phq)]
    assert len({first.digest, *(one.digest for one in others)}) == 4


def test_a_dimension_that_the_instrument_lacks(hamd):
    with pytest.raises(PromptError, match="a dimension of the instrument"):
        build(talk("zh", "HAMD-17"), "concentration", hamd)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_for_every_dimension_and_component(language):
    terms = load_prompt(language).terms
    assert set(terms.dimensions) == set(DIMENSIONS)
    for dimension, about in terms.dimensions.items():
        assert set(about.components) == set(COMPONENTS[dimension]) and about.title


def test_both_languages_have_the_same_sections_and_examples():
    """A figure or an example that one language lacks would make two instruments of one."""
    english, chinese = (load_prompt(language).system for language in ("en", "zh"))
    assert english.count("\n## ") == chinese.count("\n## ")

    def keys(text):
        return set(re.findall(r'"([a-z_]+)":', text))

    assert keys(english) == keys(chinese) >= {"quote", "turn", "components", "state", "withdrawn_by", "from", "to"}
    for state in ("ABSENT", "PARTIAL", "CONFLICTING", "SUFFICIENT_POS", "SUFFICIENT_NEG"):
        assert state in english and state in chinese
    intervals = [re.findall(r'\{"from": (?:null|\d+), "to": (?:null|\d+)\}', text) for text in (english, chinese)]
    assert set(intervals[0]) <= set(intervals[1])


SHIPPED = list(read_dialogues(resource("data", "dialogues.jsonl")))


@pytest.mark.parametrize("dialogue", SHIPPED, ids=lambda d: d.dialogue_id)
def test_the_dialogues_that_ship(dialogue):
    instrument = load_instrument(dialogue.instrument)
    requests = [build(dialogue, dimension, instrument) for dimension in instrument.ordered]
    assert len({one.digest for one in requests}) == len(instrument.ordered)
    # the dialogue stands first, so that a provider can cache it for all cells
    head = requests[0].user.index("</dialogue>")
    assert len({one.user[:head] for one in requests}) == 1


GOOD = "---\nname: x\nversion: 1\n---\n# System\ns\n# User\n" + " ".join(
    f"{{{{{name}}}}}" for name in prompts.PLACES["judge"])


@pytest.mark.parametrize("text", [
    GOOD.replace("version: 1\n", ""), GOOD.replace("---\n", ""), GOOD.replace("# User\n", ""),
    GOOD.replace("{{today}}", ""), GOOD + " {{more}}", GOOD.replace("\ns\n", "\n{{today}}\n"), ""])
def test_a_prompt_that_breaks_the_form(text):
    parse_prompt(GOOD, "judge.md")
    with pytest.raises(PromptError, match=r"judge\.md: expected"):
        parse_prompt(text, "judge.md")


def test_terms_that_break_the_form():
    row = load_yaml(resource("prompts", "en", "terms.yaml"))
    for broken in (None, row | {"more": 1}, row | {"dimensions": {}},
                   row | {"dimensions": row["dimensions"] | {"sleep": {"title": "t", "components": {}, "notes": []}}}):
        with pytest.raises(PromptError, match=r"terms\.yaml"):
            parse_terms(broken, "terms.yaml")


def test_prompts_are_found_and_named_like_other_resources():
    path = resource("prompts", "zh", "judge.md")
    assert label(path) == "prompts/zh/judge.md"
    with pytest.raises(PromptError, match="a language out of en, zh"):
        load_prompt("fr")
