"""The contract's own decisions as switches: each value on frames made by hand, and what no choice may do."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.contract import (
    ALL,
    BY_CONTRACT,
    CALENDAR_WEEK,
    CHOICES,
    GROUNDS,
    LAST_WEEK,
    REASONS,
    Cell,
    Choices,
    Cue,
    Frame,
    Interval,
    bind,
    bind_all,
    judge,
    project,
)
from evidial_rules.errors import ChoiceError, EvidialError, FrameError
from strategies import any_frames, instruments


def ground(*values):
    return tuple(Cue("ground", value, "en.rule", 0, 0, 4) for value in values)


def weak(polarity, *grounds, components=("onset",), **more):
    return Frame("f1", "sleep", components, polarity, "indicator", cues=ground(*grounds), **more)


def state(frames, instrument, choices=BY_CONTRACT, dimension="sleep"):
    frames = [frame.replace(id=f"f{i}") for i, frame in enumerate(frames, 1)]
    return next(cell.state for cell in judge(frames, instrument, choices=choices) if cell.dimension == dimension)


ALL_CHOICES = st.builds(Choices, **{name: st.sampled_from(list(known)) for name, known in CHOICES.items()})


@st.composite
def grounded(draw):
    """A frame of any form, with grounds and a second reading of its time on some."""
    frame = draw(any_frames())
    grounds = draw(st.lists(st.sampled_from([*GROUNDS]), max_size=3))
    other = [Cue("time", CALENDAR_WEEK, "en.time.last_week", 0, 0, 4, LAST_WEEK)] if draw(st.booleans()) else []
    return frame.replace(cues=(*frame.cues, *ground(*grounds), *other))


def test_the_contracts_own_value_is_the_first_and_the_default():
    assert {name: getattr(Choices(), name) for name in CHOICES} == {name: next(iter(v)) for name, v in CHOICES.items()}
    assert Choices().changed == {} and Choices() == BY_CONTRACT
    assert len(list(Choices.alternatives())) == sum(len(known) - 1 for known in CHOICES.values())
    for name, value, choices in Choices.alternatives():
        assert choices.changed == {name: value} == Choices.from_dict(choices.changed).changed


@pytest.mark.parametrize("row", [{"hedges": "always"}, {"hedges": None}, {"hedges": ["definite"]}, {"hedge": "listed"},
                                 ["hedges"], {"window_edge": 14}])
def test_a_choice_that_is_none_is_one_line_that_names_the_known_ones(row):
    with pytest.raises(ChoiceError) as caught:
        Choices.from_dict(row, where="cells.jsonl:3")
    assert isinstance(caught.value, EvidialError)
    assert str(caught.value).startswith("E014 cells.jsonl:3") and "\n" not in str(caught.value)


@given(grounded(), instruments())
def test_by_the_contract_nothing_is_read_otherwise(frame, instrument):
    assert BY_CONTRACT.read(frame, instrument) is frame
    bare = frame.replace(cues=tuple(cue for cue in frame.cues if cue.attribute != "ground"))
    was, now = bind_all([bare], instrument), bind_all([frame], instrument, Choices())
    assert [(b.verdicts, b.effective) for b in was] == [(b.verdicts, b.effective) for b in now]


@given(grounded(), instruments(), ALL_CHOICES)
def test_under_any_choices_a_frame_is_bound_and_stays_what_was_detected(frame, instrument, choices):
    for bound in bind_all([frame], instrument, choices):
        assert bound.frame in [b.frame for b in bind_all([frame], instrument)]
        assert all(reason in REASONS for v in bound.verdicts for reason in v.reason.split(", "))
        assert bound.kept == all(v.kept for v in bound.verdicts)


@given(st.lists(grounded(), max_size=5), instruments(), ALL_CHOICES)
def test_a_written_cell_is_judged_anew_from_its_frames_alone(frames, instrument, choices):
    frames = [frame.replace(id=f"f{i}") for i, frame in enumerate(frames)]
    plain, other = judge(frames, instrument), judge(frames, instrument, choices=choices)
    for before, after in zip(plain, other, strict=True):
        written = Cell.from_dict(json.loads(json.dumps(before.to_dict())), inventory=instrument.inventory())
        again = written.under(instrument, choices)
        assert (again.state, again.k, again.choices) == (after.state, after.k, choices)
        assert json.dumps(again.to_dict()) == json.dumps(after.to_dict())
        assert again.under(instrument, BY_CONTRACT).to_dict() == before.to_dict()


@given(st.lists(any_frames(), max_size=5), instruments())
def test_the_windows_last_day_out_is_a_window_of_one_day_less(frames, instrument):
    choices = Choices(window_edge="last_day_out")
    shorter = instrument.model_copy(update={"window_days": instrument.window_days - 1})
    for dimension in instrument.ordered:
        assert project(bind_all(frames, instrument, choices), instrument, dimension, choices) \
            == project(bind_all(frames, shorter), shorter, dimension)


def test_the_windows_edge_to_the_day(instrument):
    window, choices = instrument.window_days, Choices(window_edge="last_day_out")
    for day, kept in ((window - 1, True), (window, False), (window + 1, False)):
        told = Frame("f1", "sleep", ("onset",), "affirm", time=Interval(day + 1, day))
        assert bind(told, instrument, choices).kept == kept
    denied = Frame("f1", "sleep", (ALL,), "deny", time=Interval(window, 0))
    assert state([denied], instrument) == "PARTIAL"
    assert state([denied], instrument, choices) == "SUFFICIENT_NEG"


@pytest.mark.parametrize(("grounds", "listed", "definite"), [
    (["hedge"], "PARTIAL", "SUFFICIENT_POS"),
    (["doubt"], "SUFFICIENT_POS", "SUFFICIENT_POS"),
    (["hedge", "doubt"], "PARTIAL", "SUFFICIENT_POS"),
    (["doubt", "proxy"], "PARTIAL", "PARTIAL"),  # without the doubt it would still be sleeping pills
    (["no_direction"], "PARTIAL", "PARTIAL"),
    (["weak"], "PARTIAL", "PARTIAL"),
    ([], "PARTIAL", "PARTIAL"),  # nobody said why
    (["topic"], "PARTIAL", "PARTIAL"),
    (["topic", "doubt"], "SUFFICIENT_POS", "SUFFICIENT_POS"),
])
def test_hedges(grounds, listed, definite, phq):
    frame = weak("affirm", *grounds)
    assert state([frame], phq) == "PARTIAL"
    assert state([frame], phq, Choices(hedges="listed")) == listed
    assert state([frame], phq, Choices(hedges="definite")) == definite
    assert state([frame], phq, Choices(weak_denials="definite")) == "PARTIAL"


@pytest.mark.parametrize(("grounds", "definite"), [
    (["weak"], "SUFFICIENT_NEG"), (["passable"], "SUFFICIENT_NEG"), (["hedge"], "SUFFICIENT_NEG"),
    (["doubt", "weak"], "SUFFICIENT_NEG"), (["weak", "restricted"], "PARTIAL"), (["near"], "PARTIAL"), ([], "PARTIAL"),
])
def test_weak_denials(grounds, definite, phq):
    frame = weak("deny", *grounds, components=(ALL,))
    assert state([frame], phq) == "PARTIAL"
    assert state([frame], phq, Choices(weak_denials="definite")) == definite
    assert state([frame], phq, Choices(hedges="definite")) == "PARTIAL"
    told = Frame("f2", "sleep", ("onset",), "affirm")
    expected = "CONFLICTING" if definite == "SUFFICIENT_NEG" else "SUFFICIENT_POS"
    assert state([told, frame], phq, Choices(weak_denials="definite")) == expected


def test_a_definite_denial_is_still_bound_by_its_time_and_object(phq):
    choices = Choices(weak_denials="definite")
    for change in ({"time": Interval(3, 0)}, {"object": "work"}):
        assert state([weak("deny", "weak", components=(ALL,), **change)], phq, choices) == "PARTIAL"


def test_topic_word(phq):
    choices = Choices(topic_word="indicator")
    fine = Frame("f1", "sleep", (ALL,), "deny", cues=ground("topic"))
    assert state([fine], phq) == "SUFFICIENT_NEG" and state([fine], phq, choices) == "PARTIAL"
    told = Frame("f2", "sleep", ("onset",), "affirm")
    assert state([fine, told], phq) == "CONFLICTING" and state([fine, told], phq, choices) == "SUFFICIENT_POS"
    # who denies every component by name denies them all, and affirming needs one only
    assert state([fine.replace(cues=())], phq, choices) == "SUFFICIENT_NEG"
    assert state([fine.replace(components=("onset", "maintenance", "hypersomnia"))], phq, choices) == "SUFFICIENT_NEG"
    assert state([fine.replace(polarity="affirm")], phq, choices) == "SUFFICIENT_POS"
    # both choices together: the denial would be definite, but for its reach
    okay = weak("deny", "passable", "topic", components=(ALL,))
    assert state([okay], phq, Choices(weak_denials="definite")) == "SUFFICIENT_NEG"
    assert state([okay], phq, Choices(weak_denials="definite", topic_word="indicator")) == "PARTIAL"


def test_a_topic_that_is_the_only_component_is_that_component(phq, bdi):
    rested = Frame("f1", "fatigue", (ALL,), "deny", cues=ground("topic"))
    choices = Choices(topic_word="indicator")
    assert state([rested], phq, choices, "fatigue") == "SUFFICIENT_NEG"
    assert state([rested], bdi, choices, "fatigue") == "PARTIAL"


def test_informants(phq):
    choices = Choices(informants="no_evidence")
    told = Frame("f1", "sleep", ("onset",), "affirm", speaker="informant")
    assert state([told], phq) == "SUFFICIENT_POS" and state([told], phq, choices) == "ABSENT"
    verdict = bind(told, phq, choices).verdicts[0]
    assert (verdict.operation, verdict.kept, verdict.reason) == ("subject", False, "informant-words")
    assert state([told.replace(speaker="participant")], phq, choices) == "SUFFICIENT_POS"
    assert bind(told.replace(speaker="interviewer"), phq, choices).verdicts[0].reason == "interviewer-words"


@pytest.mark.parametrize("as_written", [False, True])
def test_last_week(hamd, phq, as_written):
    choices = Choices(last_week="calendar_week")
    value = CALENDAR_WEEK.to_dict() if as_written else CALENDAR_WEEK
    other = Cue("time", value, "en.time.last_week", 0, 0, 9, LAST_WEEK)
    fine = Frame("f1", "sleep", (ALL,), "deny", time=Interval(8, 0), cues=(other,))
    assert state([fine], hamd) == "SUFFICIENT_NEG" and state([fine], hamd, choices) == "PARTIAL"
    assert choices.read(fine, hamd).time == Interval(15, 7)
    assert bind(fine, hamd, choices).frame.time == Interval(8, 0)
    # a time that nobody said by those words is that time
    assert state([fine.replace(cues=())], hamd, choices) == "SUFFICIENT_NEG"
    bad = fine.replace(cues=(Cue("time", {"from": 1, "to": 4}, "en.time.last_week", 0, 0, 9, LAST_WEEK),))
    with pytest.raises(FrameError, match="time"):
        choices.read(bad, phq)


def test_a_cell_says_under_which_choices_it_was_judged(phq):
    told = Frame("f1", "sleep", ("onset",), "affirm", speaker="informant")
    plain, = (c for c in judge([told], phq) if c.dimension == "sleep")
    assert "choices" not in plain.to_dict()
    row = plain.under(phq, Choices(informants="no_evidence")).to_dict(trace=False)
    assert row["choices"] == {"informants": "no_evidence"}
    assert Cell.from_dict(row).choices == Choices(informants="no_evidence")
    with pytest.raises(ChoiceError, match=r"cell\.choices"):
        Cell.from_dict({**row, "choices": {"informants": "sometimes"}})
