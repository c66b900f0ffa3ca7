"""The form of an answer: what is read out of a model's text, and what is refused, with which reason."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.raters.llm.protocol import (
    MAX_FRAMES,
    Answer,
    AnswerFrame,
    AnswerTime,
    BadAnswer,
    answer_schema,
    json_object,
    parse_answer,
)

NAMES = ("onset", "maintenance", "early_waking")
FRAME = {"quote": "I wake", "turn": 1, "dimension": "sleep", "components": ["maintenance"], "polarity": "affirm",
         "strength": "definite", "subject": "participant", "time": None, "withdrawn_by": None}
GOOD = {"frames": [FRAME], "state": "SUFFICIENT_POS"}


def parse(row, turns=4):
    return parse_answer(row if isinstance(row, str) else json.dumps(row), "sleep", NAMES, turns)


def with_frame(**changes):
    return {"frames": [FRAME | changes], "state": "PARTIAL"}


@pytest.mark.parametrize("text", [
    json.dumps(GOOD),
    f"```json\n{json.dumps(GOOD, indent=2)}\n```",
    f"<think>Perhaps {{\"state\": 1}}? No.</think>\n{json.dumps(GOOD)}",
    f"Here is the object {{}} that you want:\n\n{json.dumps(GOOD)}\n\nTell me if anything is missing.",
    json.dumps(GOOD | {"comment": "a key more"}),
    json.dumps(GOOD).replace("I wake", "I\twake"),
])
def test_an_answer_in_whatever_wrapping(text):
    answer = parse(text)
    assert answer.state == "SUFFICIENT_POS" and answer.frames[0].components == ["maintenance"]


@pytest.mark.parametrize(("text", "reason"), [
    ("", "empty"), (" \n", "empty"), ("<think>hm</think>", "empty"),
    ("The state is ABSENT.", "no_json"), ("[1, 2]", "no_json"), ('{"frames": [', "no_json"),
    (json.dumps(GOOD)[:-1], "no_json"), ("{'state': 'ABSENT'}", "no_json"),
    ("I'm sorry, but I can't help with that.", "refusal"), ("I\u2019m unable to discuss self-harm.", "refusal"),
    ("抱歉，我无法协助处理这个请求。", "refusal"), ("作为一个AI，我不能做这个判断。", "refusal"),
    ('I cannot say for sure, but: {"state": "ABSENT"', "no_json"),
    ("{}", "schema"), ('{"state": "ABSENT"}', "schema"), ('{"frames": [], "state": "absent"}', "schema"),
    ('{"frames": [], "state": null}', "schema"), ('{"frames": {}, "state": "ABSENT"}', "schema"),
    ("{" * 5000, "no_json"), ("[" * 100_000 + "{", "no_json"),
])
def test_what_is_no_answer(text, reason):
    with pytest.raises(BadAnswer) as caught:
        parse(text)
    assert caught.value.reason == reason == str(caught.value)


@pytest.mark.parametrize("row", [
    with_frame(quote=""), with_frame(quote=7), with_frame(turn=-1), with_frame(turn="1"), with_frame(turn=1.0),
    with_frame(turn=True), with_frame(dimension="fatigue"), with_frame(components=[]), with_frame(components="onset"),
    with_frame(components=["snoring"]), with_frame(components=["ALL", "onset"]), with_frame(polarity="AFFIRM"),
    with_frame(strength="strong"), with_frame(subject="mother"), with_frame(time={"from": 2}),
    with_frame(time={"from": 1, "to": 2}), with_frame(time={"from": 2, "to": 2}),
    with_frame(time={"from": "2", "to": 1}), with_frame(time="yesterday"), with_frame(withdrawn_by=4),
    with_frame(withdrawn_by=-1), with_frame(withdrawn_by="f1"),
    {"frames": [FRAME] * (MAX_FRAMES + 1), "state": "ABSENT"},
    *({"frames": [{name: FRAME[name] for name in FRAME if name != left}], "state": "ABSENT"} for left in FRAME),
])
def test_a_frame_that_breaks_the_form(row):
    with pytest.raises(BadAnswer, match="schema"):
        parse(row)


@pytest.mark.parametrize("row", [
    with_frame(components=["ALL"]), with_frame(components=["onset", "onset"]), with_frame(time={"from": 2, "to": 1}),
    with_frame(time={"from": None, "to": None}), with_frame(time={"from": None, "to": 30}), with_frame(withdrawn_by=3),
    {"frames": [], "state": "ABSENT"},
])
def test_what_the_form_allows(row):
    assert parse(row).state == row["state"]


def test_the_interval_is_the_contracts():
    assert AnswerTime.model_validate({"from": 2, "to": 1}).interval().to_dict() == {"from": 2, "to": 1, "stated": True}


def test_the_schema_asks_for_what_is_read():
    schema = answer_schema("sleep", NAMES)
    frame = schema["properties"]["frames"]["items"]
    assert schema["required"] == list(Answer.model_fields)
    assert frame["required"] == list(AnswerFrame.model_fields)
    time = frame["properties"]["time"]["anyOf"][0]
    assert time["required"] == [field.alias or name for name, field in AnswerTime.model_fields.items()]
    assert frame["properties"]["components"]["items"]["enum"] == [*NAMES, "ALL"]

    def objects(part):
        if isinstance(part, dict):
            if part.get("type") == "object":
                yield part
            for inner in part.values():
                yield from objects(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from objects(inner)

    # What strict modes ask for: every key required, and no other.
    assert all(one["additionalProperties"] is False and one["required"] == list(one["properties"])
               for one in objects(schema))


@given(st.text(max_size=200))
def test_any_text_is_an_object_or_a_reason(text):
    try:
        assert isinstance(json_object(text), dict)
    except BadAnswer as bad:
        assert bad.reason in ("empty", "refusal", "no_json")
