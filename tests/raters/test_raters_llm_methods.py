"""The four audit methods: what each asks, and how its answers are read."""
from __future__ import annotations

import json
import re

import pytest

from evidial_rules.contract import LANGUAGES, Dialogue, Prediction
from evidial_rules.raters.llm.methods import METHODS, ask_for_prediction, method_schema, read_prediction
from evidial_rules.raters.validity import REASONS
from evidial_rules.resources import load_instrument

PHQ = load_instrument("PHQ-8")
TALK = Dialogue.from_dict({"dialogue_id": "d", "language": "en", "instrument": "PHQ-8", "turns": [
    {"speaker": "interviewer", "text": "Any trouble sleeping lately?"},
    {"speaker": "participant", "text": "I wake at three every night."}]})
CHECKED = {"quote": "I wake at three", "turn": 1, "subject": True, "window": True, "scope": True, "prediction": 1}
JOINT = {"frames": [{"quote": "I wake", "turn": 1, "polarity": "affirm", "subject": "participant", "window": True,
                     "withdrawn": False}], "state": "SUFFICIENT", "polarity": "positive"}


def read(method, answer, **more):
    request = ask_for_prediction(TALK, "sleep", PHQ, method)
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return read_prediction(text, request, TALK, method, "openai/m", **more)


@pytest.mark.parametrize(("method", "answer", "status", "prediction"), [
    ("B0", {"prediction": 1}, "answered", 1),
    ("B0", {"prediction": 0}, "answered", 0),
    ("B0", {"prediction": None}, "abstained", None),
    ("B1", CHECKED, "answered", 1),
    ("B1", CHECKED | {"prediction": 0}, "answered", 0),
    ("B1", CHECKED | {"prediction": None}, "abstained", None),
    ("B1", CHECKED | {"window": False}, "abstained", None),
    ("B1", CHECKED | {"subject": False}, "abstained", None),
    ("B1", CHECKED | {"scope": False}, "abstained", None),
    ("B1", CHECKED | {"quote": None, "turn": None}, "abstained", None),
    ("B2", {"sufficient": True, "prediction": 0}, "answered", 0),
    ("B2", {"sufficient": False, "prediction": 1}, "abstained", None),
    ("M", JOINT, "answered", 1),
    ("M", JOINT | {"polarity": "negative"}, "answered", 0),
    ("M", JOINT | {"state": "CONFLICTING", "polarity": None}, "abstained", None),
    ("M", {"frames": [], "state": "ABSENT", "polarity": None}, "abstained", None),
])
def test_a_prediction_or_an_abstention(method, answer, status, prediction):
    found = read(method, f"Here: ```json\n{json.dumps(answer)}\n```")
    assert (found.status, found.prediction, found.reason) == (status, prediction, None)
    assert (found.dialogue_id, found.dimension, found.model, found.method) == ("d", "sleep", "openai/m", method)
    assert Prediction.from_dict(json.loads(json.dumps(found.to_dict()))) == found


@pytest.mark.parametrize(("method", "answer", "reason"), [
    *((method, answer, reason) for method in METHODS for answer, reason in [
        ("", "empty"), ("1", "no_json"), ("I'm sorry, I can't.", "refusal"), ("{}", "schema"), ("[1]", "no_json")]),
    ("B0", {"prediction": 2}, "schema"), ("B0", {"prediction": True}, "schema"), ("B0", {"prediction": "1"}, "schema"),
    ("B1", CHECKED | {"quote": "She never said these words"}, "no_quote_located"),
    ("B1", CHECKED | {"quote": "Any trouble sleeping lately", "turn": 0}, "no_quote_located"),
    ("B1", CHECKED | {"turn": None}, "schema"), ("B1", CHECKED | {"scope": "yes"}, "schema"),
    ("B2", {"sufficient": True, "prediction": None}, "schema"), ("B2", {"prediction": 1}, "schema"),
    ("M", JOINT | {"polarity": None}, "schema"), ("M", JOINT | {"state": "PARTIAL"}, "schema"),
    ("M", JOINT | {"state": "SUFFICIENT_POS"}, "schema"), ("M", JOINT | {"frames": [{}]}, "schema"),
])
def test_what_is_no_prediction_has_failed(method, answer, reason):
    if reason == "no_quote_located":
        pytest.importorskip("rapidfuzz")
    found = read(method, answer)
    assert (found.status, found.prediction, found.reason) == ("failed", None, reason) and reason in REASONS


@pytest.mark.parametrize("method", METHODS)
def test_cut_off_or_filtered(method):
    assert read(method, '{"pred', stop="max_tokens").reason == "truncated"
    assert read(method, '{"prediction": 1}', stop="content_filter").reason == "refusal"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("method", METHODS)
def test_every_cell_has_a_prompt_that_asks_for_the_form(language, method, instrument):
    talk = Dialogue.from_dict(TALK.to_dict() | {"language": language, "instrument": instrument.name})
    keys = method_schema(method)["required"]
    for dimension in instrument.ordered:
        request = ask_for_prediction(talk, dimension, instrument, method)
        assert request.form == method_schema(method)
        assert request.ruleset["name"] == f"prompt-{METHODS[method].replace('_', '-')}-{language}"
        assert re.findall(r"^- ([a-z_]+): ", request.user, re.MULTILINE) == list(instrument.components(dimension))
        assert f" {instrument.window_days} " in request.user and "{{" not in request.user + request.system
        assert all(f'"{key}"' in request.system for key in keys)
