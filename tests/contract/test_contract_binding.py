"""The four operations, one at a time, and the window's edge to the day."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.contract import (
    ALL,
    MODALITIES,
    OPERATIONS,
    REASONS,
    UNSPECIFIED,
    Cue,
    Frame,
    Interval,
    bind,
    bind_all,
    covers,
    project,
    touches,
)
from strategies import any_frames, cells, excluded, instruments, intervals, surviving

TIRED = Frame("f1", "fatigue", ("energy",), "affirm")


def verdict(frame, instrument, operation):
    return next(v for v in bind(frame, instrument).verdicts if v.operation == operation)


@given(any_frames(), instruments())
def test_bind_never_raises_and_gives_four_verdicts_in_order(frame, instrument):
    for bound in bind_all([frame], instrument):
        assert tuple(v.operation for v in bound.verdicts) == OPERATIONS
        assert bound.kept == all(v.kept for v in bound.verdicts)
        assert all(reason in REASONS for v in bound.verdicts for reason in v.reason.split(", "))
        assert all(v.rule for v in bound.verdicts)


@given(st.data(), cells())
def test_one_fault_is_one_operation(data, cell):
    instrument, dimension = cell
    assert bind(data.draw(surviving(instrument, dimension)), instrument).kept
    bound = bind(data.draw(excluded(instrument, dimension)), instrument)
    assert not bound.kept
    assert [v.kept for v in bound.verdicts].count(False) == 1


@pytest.mark.parametrize("speaker, subject, kept, reason", [
    ("participant", "participant", True, "about-participant"),
    ("informant", "participant", True, "about-participant"),
    ("participant", "other", False, "about-other"),
    ("participant", "generic", False, "about-generic"),
    ("interviewer", "participant", False, "interviewer-words"),
])
def test_subject(phq, speaker, subject, kept, reason):
    found = verdict(TIRED.replace(speaker=speaker, subject=subject), phq, "subject")
    assert (found.kept, found.reason) == (kept, reason)


def test_affirmation_at_the_window_edge_to_the_day(instrument):
    window = instrument.window_days
    for day in range(0, window + 5):
        frame = TIRED.replace(time=Interval(day + 1, day))
        assert bind(frame, instrument).kept == (day <= window), day
    assert not bind(TIRED.replace(time=Interval(0, -1)), instrument).kept
    assert not bind(TIRED.replace(time=Interval(None, window + 1)), instrument).kept
    assert bind(TIRED.replace(time=Interval(None, window)), instrument).kept


def test_denial_at_the_window_edge_to_the_day(instrument):
    window = instrument.window_days
    for days in range(1, window + 5):
        frame = TIRED.replace(polarity="deny", time=Interval(days, 0))
        bound = bind(frame, instrument)
        whole = days >= window + 1
        assert bound.kept
        assert bound.effective.strength == ("definite" if whole else "indicator"), days
        assert (verdict(frame, instrument, "temporal").reason == "window-incomplete") == (not whole)
        assert project([frame], instrument, "fatigue").state == (
            "PARTIAL" if not whole or len(instrument.components("fatigue")) > 1 else "SUFFICIENT_NEG")
    yesterday_back = TIRED.replace(polarity="deny", time=Interval(None, 1))
    assert bind(yesterday_back, instrument).effective.strength == "indicator"


@pytest.mark.parametrize("interval, inside_14, inside_7", [
    (Interval(15, 14), True, False),   # two weeks ago
    (Interval(16, 15), False, False),  # fifteen days ago
    (Interval(8, 7), True, True),      # a week ago
    (Interval(8, 0), True, True),      # the past seven days
    (Interval(11, 8), True, False),    # over a week ago
    (Interval(17, 14), True, False),   # half a month ago
    (Interval(None, 30), False, False),
    (Interval(2, 1), True, True),
    (UNSPECIFIED, True, True),
])
def test_times_that_the_contract_names(interval, inside_14, inside_7):
    assert (touches(interval, 14), touches(interval, 7)) == (inside_14, inside_7)


@given(intervals(), st.integers(0, 30))
def test_touching_and_covering_count_days(interval, window):
    low = -60 if interval.to is None else interval.to
    high = 60 if interval.from_ is None else interval.from_
    days = set(range(low, high))
    target = set(range(0, window + 1))
    assert touches(interval, window) == bool(days & target)
    assert covers(interval, window) == (target <= days)


@pytest.mark.parametrize("modality", MODALITIES)
def test_only_what_is_asserted_is_kept(phq, modality):
    assert bind(TIRED.replace(modality=modality), phq).kept == (modality == "asserted")


def test_a_lacking_dimension_is_not_kept(hamd, phq):
    frame = Frame("f1", "concentration", (ALL,), "affirm")
    assert verdict(frame, hamd, "assertion").reason == "dimension-lacking"
    assert not bind(frame, hamd).kept
    assert bind(frame, phq).kept


@pytest.mark.parametrize("withdrawn_by, kept", [(None, True), ("f9", False), (0, False), (4, False)])
def test_withdrawal(phq, withdrawn_by, kept):
    assert bind(TIRED.replace(withdrawn_by=withdrawn_by), phq).kept == kept


def test_a_mixed_denial_counts_for_its_whole_components(phq):
    bound = bind(Frame("f1", "depressed_mood", ("crying", "hopelessness"), "deny"), phq)
    assert (bound.effective.components, bound.effective.strength) == (("hopelessness",), "definite")


def test_an_affirmation_with_an_alternative_that_settles_nothing_is_an_indicator(phq):
    frame = Frame("f1", "appetite_weight", ("weight_gain", "overeating"), "affirm")
    assert bind(frame, phq).effective.strength == "indicator"
    assert bind(frame.replace(components=("overeating",)), phq).effective.strength == "definite"


def test_a_component_that_nobody_knows_is_an_indicator(phq):
    assert bind(Frame("f1", "sleep", ("snoring",), "affirm"), phq).effective.strength == "indicator"


@pytest.mark.parametrize("change, operation, attribute", [
    ({"subject": "other"}, "subject", "subject"),
    ({"time": Interval(40, 39)}, "temporal", "time"),
    ({"modality": "joke"}, "assertion", "modality"),
    ({"strength": "indicator"}, "assertion", "strength"),
    ({"polarity": "deny", "object": "work"}, "assertion", "object"),
    ({"polarity": "deny"}, "assertion", "polarity"),
    ({"withdrawn_by": "f2"}, "withdrawal", "withdrawn_by"),
])
def test_the_rule_is_that_of_the_winning_cue(phq, change, operation, attribute):
    frame = TIRED.replace(**change)
    assert verdict(frame, phq, operation).rule == f"contract.{operation}"
    cues = (Cue(attribute, "x", "en.won", 1, 0, 3), Cue(attribute, "y", "en.lost", 1, 0, 3, lost_to="en.won"))
    assert verdict(frame.replace(cues=cues), phq, operation).rule == "en.won"
