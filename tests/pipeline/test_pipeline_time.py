"""Time expressions as intervals, and the interval of a statement (contract, section 3, operation 2)."""
from __future__ import annotations

from datetime import date

import pytest
from spoken import annotator, asserted, dialogue, frames, state

from evidial_rules.contract import touches
from evidial_rules.pipeline.time.rules import CATEGORIES

NOW = date(2024, 5, 17)  # a Friday
WHOLE = (None, None)
REMOTE = (None, 400)


def interval(text, *before, now=None, **more):
    """The interval of the one statement of the last turn."""
    found = [f for f in asserted(*before, f"P: {text}", now=now, **more) if f.turn == len(before)]
    assert len({f.time for f in found}) == 1, [f.quote for f in found]
    return found[0].time.from_, found[0].time.to


@pytest.mark.parametrize(("operation", "text", "expected"), [
    ("ago", "Three days ago I couldn't sleep.", (4, 3)),
    ("ago", "I couldn't sleep two weeks ago.", (15, 14)),
    ("ago", "I was sad a month ago.", (31, 30)),
    ("ago", "A couple of days ago I was sad.", (4, 2)),
    ("ago", "Twenty one days ago I was sad.", (22, 21)),
    ("ago", "10 days ago I was sad.", (11, 10)),
    ("ago", "三天前我失眠。", (4, 3)),
    ("ago", "两周前我失眠。", (15, 14)),
    ("ago", "十二天前我失眠。", (13, 12)),
    ("ago", "20天前我失眠。", (21, 20)),
    ("ago_over", "Over a week ago I was sad.", (11, 8)),
    ("ago_under", "Nearly three weeks ago I was sad.", (22, 19)),
    ("past", "In the past two weeks I was sad.", (15, 0)),
    ("past", "Over the past ten days I was sad.", (11, 0)),
    ("past", "最近两个星期我失眠。", (15, 0)),
    ("past", "过去十天我失眠。", (11, 0)),
    ("for", "I have been sad for ten days now.", (11, 0)),
    ("for", "失眠十天了。", (11, 0)),
    ("interval", "I was sad yesterday.", (2, 1)),
    ("interval", "I was sad today.", (1, 0)),
    ("interval", "I was sad this week.", (8, 0)),
    ("interval", "The week before last I was sad.", (15, 8)),
    ("interval", "I was sad last month.", (61, 30)),
    ("interval", "昨天我失眠。", (2, 1)),
    ("interval", "前天我失眠。", (3, 2)),
    ("interval", "大前天我失眠。", (4, 3)),
    ("interval", "这周我失眠。", (8, 0)),
    ("interval", "半个月前我失眠。", (17, 14)),
    ("interval", "上上周我失眠。", (15, 8)),
    ("interval", "上个月我失眠。", (61, 30)),
    ("last_week", "Last week I was sad.", (8, 0)),
    ("last_week", "上礼拜我失眠。", (8, 0)),
    ("now", "Lately I'm sad.", WHOLE),
    ("now", "I'm sad these days.", WHOLE),
    ("now", "最近我失眠。", WHOLE),
    ("remote", "I was sad in college.", REMOTE),
    ("remote", "I used to be sad.", REMOTE),
    ("remote", "When I was a kid I was sad.", REMOTE),
    ("remote", "Last year I was sad.", REMOTE),
    ("remote", "以前我失眠。", REMOTE),
    ("remote", "小时候我失眠。", REMOTE),
    ("remote", "去年我失眠。", REMOTE),
    ("since", "Since yesterday I've been sad.", (2, 0)),
    ("since", "Since last month I've been sad.", (61, 0)),
    ("since", "I've been sad since the accident.", WHOLE),
    ("since", "从昨天开始我失眠。", (2, 0)),
    ("since", "自从离婚我就失眠。", WHOLE),
    ("until", "Until last month I was sad.", (None, 30)),
    ("until", "I was sad until yesterday.", (None, 1)),
    ("until", "直到上个月我都失眠。", (None, 30)),
    ("weekday", "On Tuesday I was sad.", (7, 0)),
    ("compare", "I'm more tired than last year.", WHOLE),
    ("compare", "比去年累。", WHOLE),
])
def test_without_a_date(operation, text, expected):
    assert operation in CATEGORIES
    assert interval(text) == expected


@pytest.mark.parametrize(("operation", "text", "expected"), [
    ("weekday", "On Tuesday I was sad.", (4, 3)),
    ("weekday", "On Friday I was sad.", (1, 0)),
    ("weekday", "Last Friday I was sad.", (8, 7)),
    ("weekday", "周二我失眠。", (4, 3)),
    ("weekday_last", "上周二我失眠。", (11, 10)),
    ("weekday_week", "Tuesday before last I was sad.", (11, 10)),
    ("date", "On May 3rd I was sad.", (15, 14)),
    ("date", "On the third of May I was sad.", (15, 14)),
    ("date", "On May 2nd I was sad.", (16, 15)),
    ("date", "五月三号我失眠。", (15, 14)),
    ("date", "12月30号我失眠。", (140, 139)),
    ("date", "On 3/5 I was sad.", (15, 14)),
    ("month", "In March I was sad.", (78, 47)),
    ("month", "三月份我失眠。", (78, 47)),
    ("month", "I was sad in May.", (17, 0)),
    ("month", "In December I was sad.", (169, 138)),
    ("holiday", "At Christmas I was sad.", (146, 143)),
    ("holiday", "五一那几天我失眠。", (18, 15)),
    ("ago", "Three days ago I couldn't sleep.", (4, 3)),
    ("since", "Since Tuesday I've been sad.", (4, 0)),
    ("until", "Until Tuesday I was sad.", (None, 3)),
])
def test_with_a_date(operation, text, expected):
    assert operation in CATEGORIES
    assert interval(text, now=NOW) == expected


@pytest.mark.parametrize("text", ["On May 3rd I was sad.", "In March I was sad.", "At Christmas I was sad.",
                                  "五月三号我失眠。", "国庆那几天我失眠。"])
def test_a_calendar_day_without_a_date_of_the_talk_cannot_be_now(text):
    assert interval(text) == REMOTE


@pytest.mark.parametrize(("said", "text", "expected"), [
    ("I: Today is May 17th.", "On May 3rd I was sad.", (15, 14)),
    ("P: Today is the seventeenth of May.", "On May 3rd I was sad.", (15, 14)),
    ("I: 今天是五月十七号。", "五月三号我失眠。", (15, 14)),
])
def test_a_date_that_somebody_says(said, text, expected):
    assert interval(text, said) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("I'm sad.", WHOLE), ("I've been sad.", WHOLE), ("我很难过。", WHOLE),
    # a bare past: of its clause, of the time that the turn set last, else the whole window
    ("I was sad.", WHOLE),
    ("In college I worked a lot. I was sad.", REMOTE),
    ("Yesterday was hard, I was sad.", (2, 1)),
    ("In college I worked. I'm sad.", WHOLE),
    # a time beside it
    ("In college, I was sad.", REMOTE), ("I was sad, two weeks ago.", (15, 14)),
    ("I was sad and that was last year.", REMOTE),
    ("昨天放假，我失眠。", (2, 1)), ("我失眠，是去年的事。", REMOTE),
    # each statement its own
    ("Last year I worked, but I'm sad now.", WHOLE), ("去年上班，现在失眠。", WHOLE),
])
def test_which_time_a_statement_takes(text, expected):
    assert interval(text) == expected


@pytest.mark.parametrize(("before", "text", "expected"), [
    ("I: Were you sad last week?", "Yes.", (8, 0)),
    ("I: Were you sad last week?", "Yes, yesterday.", (2, 1)),
    ("I: Were you sad in college?", "I was sad.", REMOTE),
    ("I: Were you sad in college?", "I'm sad now.", WHOLE),
    ("I: In the past two weeks, have you been sad?", "Yes.", (15, 0)),
    ("I: 最近两周失眠吗？", "没有。", (15, 0)),
    ("P: Last spring was hard.", "I was sad that month.", REMOTE),
    ("I: How was last week?", "I was sad that week.", (8, 0)),
])
def test_a_time_from_the_question_or_carried_along(before, text, expected):
    assert interval(text, before) == expected


def test_two_weeks_set_against_each_other():
    last, this = asserted("P: Last week my sleep was awful but this week my sleep is fine.")
    assert (last.time.from_, last.time.to) == (15, 8)
    assert (this.time.from_, this.time.to) == (8, 0)


def test_ever_makes_a_yes_an_indicator_and_a_no_a_full_denial():
    [yes] = asserted("I: Have you ever had trouble concentrating?", "P: Yes.")
    assert yes.strength == "indicator"
    [no] = asserted("I: Have you ever had trouble concentrating?", "P: No.")
    assert (no.strength, no.time.from_, no.time.to) == ("definite", None, None)


def test_an_end_denies_from_then_on():
    found = asserted("P: I couldn't concentrate, it stopped three weeks ago.")
    assert [(f.time.from_, f.time.to) for f in found if f.polarity == "deny"] == [(21, 0)]


@pytest.mark.parametrize(("instrument", "window"), [("PHQ-8", 14), ("HAMD-17", 7), ("BDI-II", 14)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_edge_of_the_window_to_the_day(instrument, window, language):
    for days in range(window - 2, window + 4):
        text = f"P: {days} days ago I was sad." if language == "en" else f"P: {days}天前我很难过。"
        assert state("depressed_mood", text,
                     instrument=instrument) == ("SUFFICIENT_POS" if days <= window else "ABSENT")


@pytest.mark.parametrize(("instrument", "window"), [("PHQ-8", 14), ("HAMD-17", 7)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_denial_must_cover_the_window_to_the_day(instrument, window, language):
    for days in range(window - 2, window + 4):
        text = f"P: I've slept well for {days} days now." if language == "en" else f"P: 最近{days}天睡眠很好。"
        assert state("sleep", text, instrument=instrument) == ("SUFFICIENT_NEG" if days >= window else "PARTIAL")


@pytest.mark.parametrize("day", range(12, 18))
def test_a_date_at_the_edge_of_the_window(day):
    then = date.fromordinal(NOW.toordinal() - day)
    for text in (f"On {then:%B} {then.day} I was sad.", f"{then.month}月{then.day}号我很难过。"):
        [frame] = asserted(f"P: {text}", now=NOW, instrument="PHQ-8")
        assert touches(frame.time, 14) == (day <= 14)


def test_the_time_has_its_cue():
    turn = "Three days ago I was sad."
    [frame] = annotator().frames(dialogue(f"P: {turn}"))
    assert [(turn[c.start:c.end], c.rule) for c in frame.cues if c.attribute == "time"] == [("Three days ago",
        "en.time.ago")]


@pytest.mark.parametrize(("text", "now"), [
    ("In December I could not sleep.", date(9999, 12, 31)), ("In February I could not sleep.", date(1, 1, 10)),
    ("十二月我睡不着。", date(9999, 12, 31)), ("二月我睡不着。", date(1, 1, 10)),
])
def test_a_month_beyond_the_calendar_is_remote(text, now):
    assert interval(text, now=now) == REMOTE


@pytest.mark.parametrize(("text", "expected"), [
    ("I couldn't sleep, I felt sad all day, that was ten years ago.", {(3651, 3650)}),
    ("I couldn't sleep, I would sit there, that was ten years ago.", {(3651, 3650)}),
    ("I can't sleep, I have a dog, that was ten years ago.", {WHOLE}),
    ("I couldn't sleep, last week I felt sad, that was ten years ago.", {(8, 0)}),
    ("睡不着，天天难过，那都是十年前的事了。", {(3651, 3650)}),
    ("睡不着，天天难过。我爸走了，那都是十年前的事了。", {WHOLE}),
    ("睡不着，上周天天难过，那都是十年前的事了。", {WHOLE, (8, 0)}),
])
def test_a_time_sums_up_what_was_told(text, expected):
    assert {(f.time.from_, f.time.to) for f in asserted(f"P: {text}")} == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("I couldn't sleep, it's over five weeks ago.", (39, 36)),
    ("It's over. Five weeks ago I couldn't sleep.", (36, 35)),
    ("Since they did my knee in March I've been sad.", (78, 0)),
    ("Since they did my knee I was sad in March.", (78, 47)),
])
def test_what_stands_before_a_time_is_of_it(text, expected):
    assert interval(text, now=NOW) == expected


@pytest.mark.parametrize(("text", "remote"), [
    ("That first week I hardly slept.", True), ("I couldn't keep my mind on anything at his age.", True),
    ("This week I hardly slept.", False), ("At my age I hardly sleep.", False),
    ("年轻那会儿我坐不住。", True), ("这会儿我坐不住。", False),
])
def test_long_ago_without_a_date(text, remote):
    assert all((f.time.to or 0) >= 400 for f in asserted(f"P: {text}")) is remote


@pytest.mark.parametrize(("text", "since"), [
    ("When I got home from surgery, back in March, I couldn't sleep.", False),
    ("From March I couldn't sleep.", True), ("Since, um, March I can't sleep.", True),
])
def test_from_a_place_and_then_a_date_is_no_beginning(text, since):
    assert [f.time.to is None for f in asserted(f"P: {text}", now=NOW)] == [since]


@pytest.mark.parametrize("said, days", [
    ("十七八天前我很难过。", (19, 17)), ("七八天前我很难过。", (9, 7)), ("二十三四天前我很难过。", (25, 23)),
    ("十七天前我很难过。", (18, 17)),
])
def test_chinese_rough_counts_above_ten(said, days):
    found = [f for f in frames("I: 心情呢？", f"P: {said}") if f.dimension == "depressed_mood"]
    assert [(f.time.from_, f.time.to) for f in found] == [days]
