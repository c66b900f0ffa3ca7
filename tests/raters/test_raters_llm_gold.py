"""A judge that says what gold says: the protocol can carry every frame of the dialogues that ship, to gold's state."""
from __future__ import annotations

import json

import pytest

from evidial_rules.corpora import read_dialogues, read_rows
from evidial_rules.raters.llm.prompt import build
from evidial_rules.raters.llm.reading import read_vote
from evidial_rules.resources import load_instrument, resource

DIALOGUES = list(read_dialogues(resource("data", "dialogues.jsonl")))
GOLD = {row.data["dialogue_id"]: row.data["gold"] for row in read_rows(resource("data", "gold.jsonl"))}
FRAMES = {row.data["dialogue_id"]: row.data["frames"] for row in read_rows(resource("data", "frames.jsonl"))}


def said(frame, turns):
    """A gold frame as a judge would give it; a denial of one object only is an indicator, as the prompt says."""
    back, time = frame["withdrawn_by"], frame["time"]
    restricted = frame["polarity"] == "deny" and frame["object"] is not None
    return {
        "quote": frame["quote"], "turn": frame["turn"], "dimension": frame["dimension"],
        "components": frame["components"], "polarity": frame["polarity"],
        "strength": "indicator" if restricted else frame["strength"], "subject": frame["subject"],
        "time": None if time["from"] is time["to"] is None else {"from": time["from"], "to": time["to"]},
        "withdrawn_by": turns[back] if isinstance(back, str) else back,
    }


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.dialogue_id)
def test_gold_frames_project_to_gold(dialogue):
    instrument = load_instrument(dialogue.instrument)
    frames = FRAMES[dialogue.dialogue_id]
    turns = {frame["id"]: frame["turn"] for frame in frames}
    states = {}
    for dimension in instrument.ordered:
        mine = [said(frame, turns) for frame in frames
                if frame["dimension"] == dimension and frame["modality"] == "asserted"]
        answer = json.dumps({"frames": mine, "state": GOLD[dialogue.dialogue_id][dimension]}, ensure_ascii=False)
        vote = read_vote(answer, build(dialogue, dimension, instrument), dialogue, instrument, "gold/m")
        assert vote.valid and vote.invalid_frames == 0
        assert [bound.frame.quote for bound in vote.frames] == [frame["quote"] for frame in mine]
        states[dimension] = vote.state
    assert states == GOLD[dialogue.dialogue_id]
