"""Dialogues, frames, instruments and cells: what they take, what they refuse, and what the refusal says."""
from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given

from evidial_rules.contract import (
    ALL,
    DIMENSIONS,
    MAX_TURN,
    BoundFrame,
    Cell,
    Dialogue,
    Frame,
    Instrument,
    Interval,
    bind,
    dimension_scores,
    judge,
)
from evidial_rules.errors import DialogueError, EvidialError, FrameError, InstrumentError, shown
from evidial_rules.resources import load_yaml, resource
from strategies import any_frames, dialogues, evidence

SECRET = "my own private words about the night"


def dialogue(**changes):
    row = {"dialogue_id": "d1", "language": "en", "instrument": "PHQ-8",
           "turns": [{"speaker": "participant", "text": SECRET}]}
    row |= changes
    return {key: value for key, value in row.items() if value is not ...}


# -- Dialogues -----------------------------------------------------------------------------------------------------


@given(dialogues())
def test_dialogue_round_trip(value):
    assert Dialogue.from_dict(json.loads(json.dumps(value.to_dict()))) == value


@pytest.mark.parametrize("changes, expected", [
    ({"dialogue_id": ...}, "the key dialogue_id"),
    ({"turns": ...}, "the key turns"),
    ({"language": ...}, "the key language"),
    ({"instrument": ...}, "the key instrument"),
    ({"language": "fr"}, "language out of en, zh, found 'fr'"),
    ({"dialogue_id": ""}, "dialogue_id to be text that is not empty"),
    ({"dialogue_id": 1.5}, "dialogue_id to be text, found a number"),
    ({"dialogue_id": True}, "dialogue_id to be text, found true"),
    ({"turns": SECRET}, "turns to be a list of turns, found a string of 36 characters"),
    ({"turns": [{"speaker": "Ellie", "text": SECRET}]},
     "turns[0].speaker out of interviewer, participant, informant, found 'Ellie'"),
    ({"turns": [{"speaker": SECRET, "text": ""}]},
     "turns[0].speaker out of interviewer, participant, informant, found a string of 36 characters"),
    ({"turns": [{"speaker": "participant"}]}, "the key turns[0].text"),
    ({"turns": [{"speaker": "participant", "text": None}]}, "turns[0].text to be text, found nothing"),
    ({"turns": [{"speaker": "participant", "text": SECRET + "\ud800"}]},
     "turns[0].text to be text without lone surrogates"),
    ({"turns": [{"speaker": "participant", "text": "a" * (MAX_TURN + 1)}]},
     "turns[0].text to be a turn of at most 2000000 characters"),
    ({"dialogue_id": "d\udc00"}, "dialogue_id to be text without lone surrogates"),
    ({"scores": {"sleeping": 2}}, "scores to be dimensions out of depressed_mood"),
    ({"scores": {"sleep": "2"}}, "scores.sleep"),
    ({"scores": {"sleep": True}}, "scores.sleep"),
    ({"scores": {"sleep": -1}}, "scores to be scores from 0 to 1000000, or null"),
    ({"scores": {"sleep": float("nan")}}, "scores to be scores from 0 to 1000000, or null"),
    ({"date": "1 May 2024"}, "date to be a date written YYYY-MM-DD"),
    ({"date": "2024-02-30"}, "date to be a date written YYYY-MM-DD"),
    ({"date": 20240501}, "date to be a date written YYYY-MM-DD"),
])
def test_a_bad_dialogue_is_one_clear_line(changes, expected):
    with pytest.raises(DialogueError) as caught:
        Dialogue.from_dict(dialogue(**changes), where="in.jsonl:7")
    message = str(caught.value)
    assert message.startswith("E002 in.jsonl:7: expected ")
    assert expected in message
    assert "\n" not in message
    assert SECRET not in message


@pytest.mark.parametrize("row", [None, [], "text", 3])
def test_a_dialogue_is_an_object(row):
    with pytest.raises(DialogueError, match="expected a JSON object"):
        Dialogue.from_dict(row)


@pytest.mark.parametrize("changes", [
    {"turns": []},
    {"turns": [{"speaker": "informant", "text": ""}]},
    {"turns": [{"speaker": "participant", "text": "a\x00\x07\u2028b \U0001f614"}]},
    {"turns": [{"speaker": "participant", "text": "x" * MAX_TURN}]},
    {"anchor": {"class": "P1"}, "gold": 3},
    {"scores": {"sleep": None, "fatigue": 0}},
])
def test_what_is_taken_is_kept_as_it_came(changes):
    value = Dialogue.from_dict(dialogue(**changes))
    assert [turn.text for turn in value.turns] == [turn["text"] for turn in dialogue(**changes)["turns"]]


def test_a_numeric_id_is_text():
    assert Dialogue.from_dict(dialogue(dialogue_id=300)).dialogue_id == "300"


def test_a_dialogue_is_frozen():
    value = Dialogue.from_dict(dialogue())
    with pytest.raises(ValueError, match="frozen"):
        value.language = "zh"


# -- Frames --------------------------------------------------------------------------------------------------------


@given(any_frames())
def test_frame_round_trip(frame):
    assert Frame.from_dict(json.loads(json.dumps(frame.to_dict()))) == frame


@given(evidence())
def test_cell_round_trip(world):
    instrument, _, frames = world
    for cell in judge(frames, instrument, dialogue_id="d1", ruleset={"name": "core", "version": "1"}):
        assert Cell.from_dict(json.loads(json.dumps(cell.to_dict())), inventory=instrument.inventory()) == cell


ROW = Frame("f1", "sleep", ("onset",), "affirm", quote=SECRET, end=36).to_dict()


@pytest.mark.parametrize("key, value, expected", [
    ("id", "", "frame.id: expected text"),
    ("dimension", "sleeping", "frame.dimension: expected one of depressed_mood"),
    ("dimension", ["sleep"], "frame.dimension: expected one of depressed_mood"),
    ("components", [], "frame.components: expected a list of components"),
    ("components", "onset", "frame.components: expected a list of components"),
    ("components", ["guilt"], "frame.components: expected ALL or some of onset"),
    ("components", ["onset", ALL], "frame.components: expected ALL to stand alone"),
    ("polarity", "negative", "frame.polarity: expected one of affirm, deny"),
    ("strength", "strong", "frame.strength: expected one of definite, indicator"),
    ("subject", "patient", "frame.subject: expected one of participant, other, generic"),
    ("speaker", "doctor", "frame.speaker: expected one of interviewer"),
    ("modality", "ironic", "frame.modality: expected one of asserted"),
    ("time", {"from": 1, "to": 2, "stated": True}, "frame.time: expected `from`"),
    ("time", {"from": 1.5, "to": 0}, "frame.time.from: expected whole days or null"),
    ("time", {"from": 1, "to": 0, "stated": 1}, "frame.time.stated: expected true or false"),
    ("withdrawn_by", -1, "frame.withdrawn_by: expected a frame's id"),
    ("withdrawn_by", True, "frame.withdrawn_by: expected a frame's id"),
    ("turn", "4", "frame.turn: expected a whole number"),
    ("start", 40, "frame.end: expected an end at or after start"),
    ("quote", 3, "frame.quote: expected text"),
    ("object", 3, "frame.object: expected text or null"),
    ("cues", "x", "frame.cues: expected a list"),
    ("cues", [{"attribute": "time"}], "frame.cues[0]"),
])
def test_a_bad_frame_says_which_key(key, value, expected):
    with pytest.raises(FrameError) as caught:
        Frame.from_dict(ROW | {key: value})
    assert expected in str(caught.value)
    assert SECRET not in str(caught.value)


def test_what_a_frame_may_leave_out():
    short = Frame.from_dict({"id": "f1", "dimension": "sleep", "components": ["onset", "onset"], "polarity": "deny",
                             "turn": 2, "start": 0, "end": 4, "more": 1})
    assert (short.strength, short.subject, short.time.unspecified, short.modality) == (
        "definite", "participant", True, "asserted")
    assert short.components == ("onset",)


def test_an_interval_has_an_older_end():
    with pytest.raises(FrameError):
        Interval(3, 3)
    assert Interval(3, 2).stated
    assert not Interval().stated
    assert Interval(3, 2).start == 2
    assert Interval(3, 2).end == 3


def test_frame_keys_are_those_of_the_interface(phq):
    row = bind(Frame.from_dict(ROW), phq).to_dict()
    assert {"id", "dimension", "components", "polarity", "strength", "subject", "time", "withdrawn_by", "turn", "start",
            "end", "quote", "speaker", "cues", "verdicts", "kept", "effective"} <= set(row)
    assert set(row["time"]) == {"from", "to", "stated"}
    assert set(row["effective"]) == {"components", "strength"}
    assert [set(v) for v in row["verdicts"]] == [{"operation", "kept", "reason", "rule"}] * 4
    assert BoundFrame.from_dict(row).to_dict() == row


# -- Cells ---------------------------------------------------------------------------------------------------------


def test_cells_are_in_the_contracts_order_and_carry_versions(instrument):
    rows = [cell.to_dict() for cell in judge([], instrument, dialogue_id="d1", ruleset={"name": "r", "version": "2"})]
    assert [row["dimension"] for row in rows] == [d for d in DIMENSIONS if instrument.has(d)]
    assert all(row == {"dialogue_id": "d1", "dimension": row["dimension"], "state": "ABSENT", "k": [0, 1], "frames": [],
                       "contract": 1, "ruleset": {"name": "r", "version": "2"}} for row in rows)


def test_without_trace_there_are_no_frames(phq):
    cell = judge([Frame("f1", "sleep", ("onset",), "affirm")], phq)[2]
    assert cell.to_dict()["frames"]
    assert "frames" not in cell.to_dict(trace=False)


def test_the_order_of_frames_does_not_reach_the_bytes(phq):
    frames = [Frame(f"f{n}", "sleep", ("onset",), "affirm", turn=turn, start=start, end=start + 1)
              for n, (turn, start) in enumerate([(4, 3), (1, 9), (1, 2), (4, 3)])]
    one, two = (json.dumps([c.to_dict() for c in judge(order, phq)]) for order in (frames, frames[::-1]))
    assert one == two


def test_an_excluded_frame_stays_in_the_trace(phq):
    cell = judge([Frame("f1", "sleep", ("onset",), "affirm", subject="other")], phq)[2]
    assert cell.state == "ABSENT"
    assert cell.frames[0].excluded_by == "subject"


# -- Instruments ---------------------------------------------------------------------------------------------------

PHQ = load_yaml(resource("grammars", "instruments", "PHQ-8.yaml"))


@pytest.mark.parametrize("path, value, expected", [
    (("window",), 14, "instrument: expected a key out of name, source"),
    (("window_days",), "14", "window_days"),
    (("window_days",), -1, "window_days"),
    (("dimensions", "sleeping"), {"components": ["a"]}, "dimensions out of depressed_mood"),
    (("dimensions", "sleep", "parts"), [], "dimensions.sleep: expected a key out of components, fine, found 'parts'"),
    (("dimensions", "sleep", "components"), [], "dimensions.sleep.components"),
    (("dimensions", "sleep", "components"), ["onset", "onset"], "named once"),
    (("dimensions", "sleep", "fine", "early_waking"), {"part_of": "waking"}, "target of early_waking out of onset"),
    (("dimensions", "sleep", "fine", "early_waking"), {"within": "onset"}, "one of {own: true}"),
    (("dimensions", "sleep", "fine", "onset"), {"indicator": True}, "either among the components"),
    (("dimensions", "sleep", "fine", "naps"), {"own": True}, "naps among the components"),
    (("items", "suicidal_ideation"), [9], "items only of dimensions that it has"),
    (("items", "sleep"), [3, "3"], "listed once each"),
    (("reassign", "psychomotor.slowed_thinking"), "concentration.memory", "DIMENSION.COMPONENT that it has"),
    (("reassign", "slowed"), "concentration.concentration", "reassign to go from DIMENSION.COMPONENT"),
])
def test_a_bad_instrument_says_file_key_and_what_was_expected(path, value, expected):
    row = copy.deepcopy(PHQ)
    place = row
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(InstrumentError) as caught:
        Instrument.from_dict(row, where="mine.yaml")
    assert str(caught.value).startswith("E003 mine.yaml: ")
    assert expected in str(caught.value)


def test_a_missing_key_is_named():
    with pytest.raises(InstrumentError, match=r"mine\.yaml: window_days: expected this key"):
        Instrument.from_dict({k: v for k, v in PHQ.items() if k != "window_days"}, where="mine.yaml")


@pytest.mark.parametrize("items, expected", [
    ({4: 0, 5: 0, 6: 0}, 0),
    ({4: 1, 5: 0, 6: 2}, 3),
    ({4: 0, 5: 9, 6: 0}, None),     # not assessed
    ({4: 2, 5: 9, 6: 0}, 2),        # another is above 0
    ({4: 0, 5: 0}, None),           # missing
    ({4: 0, 5: 1}, 1),
    ({"4": 0, "5": None, "6": float("nan")}, None),
    ({4: 9, 5: 9, 6: 9}, None),
    ({4: 1.0, 5: 0, 6: 0.5}, 1.5),
])
def test_dimension_scores(hamd, items, expected):
    assert dimension_scores(items, hamd)["sleep"] == expected


def test_scores_of_all_dimensions(hamd, phq):
    scores = dimension_scores({n: 1 for n in range(1, 18)}, hamd)
    assert scores == {"depressed_mood": 1, "anhedonia": 1, "sleep": 3, "fatigue": 1, "appetite_weight": 2,
                      "psychomotor": 2, "guilt_worthlessness": 1, "suicidal_ideation": 1}
    assert set(dimension_scores({}, phq).values()) == {None}


@pytest.mark.parametrize("value", [9, -1, 4, "two", True, float("inf")])
def test_a_value_that_the_instrument_does_not_allow(phq, value):
    with pytest.raises(InstrumentError, match="item"):
        dimension_scores({3: value}, phq, where="labels.csv:4")


# -- Errors --------------------------------------------------------------------------------------------------------


def test_errors_survive_the_way_from_a_worker():
    error = DialogueError(where="in.jsonl:3", expected="text")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.details) == (DialogueError, str(error), error.details)
    assert isinstance(again, EvidialError) and isinstance(again, ValueError)


def test_codes_are_unique():
    kinds = EvidialError.__subclasses__()
    assert len({kind.code for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("value", [SECRET, [SECRET], {SECRET: 1}, "我睡不着", "a\nb"])
def test_values_that_may_be_speech_are_described(value):
    assert SECRET not in shown(value)
    assert "睡" not in shown(value)
