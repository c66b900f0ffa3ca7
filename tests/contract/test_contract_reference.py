"""Reference lines: what they hold, and what is refused."""
from __future__ import annotations

import pytest

from evidial_rules.contract import STATES, UNRESOLVED, Reference
from evidial_rules.errors import FrameError

ROW = {"dialogue_id": "d", "dimension": "sleep", "state": "PARTIAL", "method": "relca",
       "posterior": {"ABSENT": 0.25, "PARTIAL": 0.75}, "entropy": 0.56, "raters": 3, "contract": 1}


def test_there_and_back():
    assert Reference.from_dict(ROW).to_dict() == ROW


def test_people_give_a_state_only():
    one = Reference.from_dict({"dialogue_id": "d", "dimension": "sleep", "state": "ABSENT", "method": "human"})
    assert one.posterior == {state: float(state == "ABSENT") for state in STATES} and one.entropy == 0
    assert Reference.from_dict(ROW | {"state": UNRESOLVED}).state == UNRESOLVED


@pytest.mark.parametrize(("key", "value"), [
    ("dialogue_id", ""), ("method", None), ("dimension", "mood"), ("state", "MAYBE"), ("posterior", [1]),
    ("posterior", {"MAYBE": 1}), ("posterior", {"ABSENT": 1.2}), ("posterior", {"ABSENT": 0.5}),
    ("posterior", {"ABSENT": float("nan")}), ("entropy", -0.1), ("entropy", float("nan")), ("raters", -1),
    ("raters", 1.5), ("contract", 0),
])
def test_what_is_no_reference(key, value):
    with pytest.raises(FrameError, match=key):
        Reference.from_dict(ROW | {key: value})
