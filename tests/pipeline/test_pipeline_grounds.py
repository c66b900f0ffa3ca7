"""Why a frame is an indicator, of ALL, or of last week: what the pipeline notes for the contract's choices."""
from __future__ import annotations

import json

import pytest
from spoken import annotator, asserted, cells, dialogue

from evidial_rules.contract import GROUNDS, LAST_WEEK, Choices, Dialogue, Interval
from evidial_rules.resources import load_instrument, resource

SLEEP_EN, SLEEP_ZH = "I: Any trouble sleeping?", "I: 有失眠吗？"


def frame(*turns, **more):
    """The one frame of the last turn."""
    found = [f for f in asserted(*turns, **more) if f.turn == len(turns) - 1]
    assert len(found) == 1, [f.quote for f in found]
    return found[0]


def grounds(found):
    return {cue.value for cue in found.cues if cue.attribute == "ground"}


@pytest.mark.parametrize(("ground", "turns"), [
    ("hedge", ["P: Maybe I'm sad."]),
    ("hedge", ["P: I'm sad, I guess."]),
    ("hedge", ["P: I might be depressed."]),
    ("doubt", ["P: I'm probably depressed."]),
    ("doubt", ["P: Perhaps I'm sad."]),
    ("hedge", ["I: Do you feel sad?", "P: I guess so."]),
    ("doubt", ["I: Do you feel sad?", "P: I suppose so."]),
    ("doubt", ["I: Do you feel sad?", "P: Probably not."]),
    ("hedge", ["I: Do you feel sad?", "P: I guess not."]),
    ("weak", ["I: Do you feel sad?", "P: Not really."]),
    ("weak", ["P: I'm not really sad."]),
    ("passable", ["P: It's just regular tiredness."]),
    ("passable", ["I: How is your appetite?", "P: It's okay."]),
    ("no_direction", ["I: How is your appetite?", "P: So-so."]),
    ("no_direction", ["I: Do you feel sad?", "P: Hard to say."]),
    ("change", ["I: How is your sleep?", "P: Better than before."]),
    ("proxy", ["P: I take sleeping pills."]),
    ("restricted", ["P: I enjoyed the match."]),
    ("when", ["P: When I can't sleep I read."]),
    ("ever", ["I: Have you ever felt hopeless?", "P: Yes."]),
    ("cause", ["I: Is the stress affecting your sleep?", "P: No."]),
    ("hedge", ["P: 我可能是抑郁。"]),
    ("doubt", ["P: 我大概是抑郁。"]),
    ("doubt", ["P: 也许我很难过。"]),
    ("hedge", ["I: 心情低落吗？", "P: 可能有吧。"]),
    ("doubt", ["I: 心情低落吗？", "P: 应该没有。"]),
    ("weak", ["P: 我不太难过。"]),
    ("passable", ["P: 就是正常的累。"]),
    ("passable", ["I: 胃口怎么样？", "P: 还行。"]),
    ("no_direction", ["I: 胃口怎么样？", "P: 一般般。"]),
    ("no_direction", ["I: 心情低落吗？", "P: 说不好。"]),
    ("change", ["I: 睡眠怎么样？", "P: 好一些了。"]),
])
def test_why_it_is_an_indicator(ground, turns):
    found = frame(*turns)
    assert found.strength == "indicator"
    assert grounds(found) - {"topic"} == {ground}
    cue, = (cue for cue in found.cues if cue.value == ground)
    assert cue.rule and cue.lost_to is None


@pytest.mark.parametrize(("expected", "turns"), [
    ({"doubt", "proxy"}, ["P: Probably I take sleeping pills."]),
    ({"doubt", "when"}, ["P: Perhaps when I can't sleep I read."]),
    ({"hedge", "reason"}, ["P: Maybe I gave up the choir because I can't afford the fare."]),
    ({"hedge", "ever"}, ["I: Have you ever felt hopeless?", "P: I guess so."]),
])
def test_every_reason_is_noted_and_not_only_the_first(expected, turns):
    found = frame(*turns)
    assert found.strength == "indicator" and grounds(found) >= expected


@pytest.mark.parametrize("turns", [
    ["P: I can't fall asleep."], ["P: 我很难过。"], ["I: Do you feel sad?", "P: No, not at all."],
    ["I: Have you ever felt hopeless?", "P: Yes, yesterday."],
])
def test_what_is_definite_has_none(turns):
    found = frame(*turns)
    assert found.strength == "definite" and grounds(found) <= {"topic"}


@pytest.mark.parametrize(("topic", "turns"), [
    (True, ["P: My sleep is fine."]), (True, ["P: I sleep terribly."]), (True, [SLEEP_EN, "P: No."]),
    (True, ["P: My appetite is fine."]), (True, ["I: How is your mood?", "P: Good."]),
    (False, ["P: I'm neither slowed down nor restless."]), (False, ["P: I have no trouble falling asleep."]),
    (True, ["P: 我胃口没问题。"]), (True, ["P: 睡眠挺好的。"]), (True, ["I: 睡眠怎么样？", "P: 挺好。"]),
    (False, ["P: 我没有入睡困难。"]),
])
def test_all_by_the_topics_word(topic, turns):
    assert ("topic" in grounds(frame(*turns))) == topic


def other_week(found):
    return [(cue.value.from_, cue.value.to) for cue in found.cues if cue.lost_to == LAST_WEEK]


@pytest.mark.parametrize(("turns", "time", "other"), [
    (["P: I couldn't sleep last week."], (8, 0), [(15, 7)]),
    (["P: 上周我失眠。"], (8, 0), [(15, 7)]),
    (["I: Did you feel sad last week?", "P: Yes."], (8, 0), [(15, 7)]),
    (["I: 上周心情低落吗？", "P: 没有。"], (8, 0), [(15, 7)]),
    (["P: 从上周开始我失眠。"], (8, 0), [(15, 0)]),
    (["P: I was sad until last week."], (None, 0), [(None, 7)]),
    (["P: I was sad this week."], (8, 0), []),
    (["P: In the last week I was sad."], (8, 0), []),
    (["P: The week before last I was sad."], (15, 8), []),
    (["P: I was sad yesterday."], (2, 1), []),
])
def test_last_week_has_a_second_reading(turns, time, other):
    found = frame(*turns)
    assert (found.time.from_, found.time.to) == time and other_week(found) == other
    assert type(found.time) is Interval and all(type(c.value) is not type(found.time) or type(c.value) is Interval
                                                for c in found.cues)


def test_set_against_this_week_it_has_none():
    found = [f for f in asserted("P: Last week I was sad, but this week I'm not sad.") if f.polarity == "affirm"]
    assert [(f.time.from_, f.time.to) for f in found] == [(15, 8)] and not other_week(found[0])


def test_a_correction_to_another_time_drops_it():
    turns = "P: Last week I was sad.", "P: No wait, that was last year."
    first, second = annotator().frames(dialogue(*turns))
    assert other_week(first) == [(15, 7)] and other_week(second) == []


@pytest.mark.parametrize(("choices", "dimension", "turns", "before", "after"), [
    ({"hedges": "definite"}, "depressed_mood", ["P: Maybe I'm sad."], "PARTIAL", "SUFFICIENT_POS"),
    ({"hedges": "listed"}, "depressed_mood", ["P: Maybe I'm sad."], "PARTIAL", "PARTIAL"),
    ({"hedges": "listed"}, "depressed_mood", ["P: 我大概是抑郁。"], "PARTIAL", "SUFFICIENT_POS"),
    ({"weak_denials": "definite"}, "sleep", [SLEEP_EN, "P: Not really."], "PARTIAL", "SUFFICIENT_NEG"),
    ({"weak_denials": "definite"}, "appetite_weight", ["I: 胃口怎么样？", "P: 还行。"], "PARTIAL", "SUFFICIENT_NEG"),
    ({"weak_denials": "definite"}, "anhedonia", ["P: I enjoyed the match."], "PARTIAL", "PARTIAL"),
    ({"topic_word": "indicator"}, "sleep", ["P: My sleep is fine."], "SUFFICIENT_NEG", "PARTIAL"),
    ({"topic_word": "indicator"}, "appetite_weight", ["P: 我胃口没问题。"], "SUFFICIENT_NEG", "PARTIAL"),
    ({"informants": "no_evidence"}, "sleep", [SLEEP_ZH, "F: 他整晚睡不着。"], "SUFFICIENT_POS", "ABSENT"),
    ({"last_week": "calendar_week"}, "appetite_weight", ["P: 上周我胃口没问题。"], "SUFFICIENT_NEG", "PARTIAL"),
    ({"window_edge": "last_day_out"}, "sleep", ["P: I couldn't sleep two weeks ago."], "SUFFICIENT_POS", "ABSENT"),
])
def test_a_cell_moves_with_the_choice(choices, dimension, turns, before, after):
    cell = cells(*turns)[dimension]
    instrument = load_instrument(dialogue(*turns).instrument)
    assert (cell.state, cell.under(instrument, Choices(**choices)).state) == (before, after)


def test_every_indicator_of_the_shipped_dialogues_says_why():
    lines = resource("data", "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
    found = [f for line in lines for f in annotator().frames(Dialogue.from_dict(json.loads(line)))]
    assert len(found) > 100
    for f in found:
        assert grounds(f) <= set(GROUNDS)
        assert bool(grounds(f) - {"topic"}) == (f.strength == "indicator"), (f.dimension, f.cues)
        assert "topic" not in grounds(f) or f.components == ("ALL",)
