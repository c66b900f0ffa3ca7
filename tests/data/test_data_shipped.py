"""The dialogues that ship: form, variety, gold, and what the README says of them."""
from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from evidial_rules.contract import DIMENSIONS, STATES
from evidial_rules.corpora import read_dialogues
from evidial_rules.report.states import read_gold
from evidial_rules.resources import load_instrument, resource

DIALOGUES = list(read_dialogues(resource("data", "dialogues.jsonl")))
GOLD = read_gold(resource("data", "gold.jsonl"))


def test_every_cell_has_a_gold_state():
    assert {d.dialogue_id for d in DIALOGUES} == set(GOLD)
    for dialogue in DIALOGUES:
        assert tuple(GOLD[dialogue.dialogue_id]) == load_instrument(dialogue.instrument).ordered


def test_variety():
    kinds = Counter((d.language, d.instrument) for d in DIALOGUES)
    assert set(kinds) == {(language, name) for language in ("en", "zh") for name in ("PHQ-8", "HAMD-17", "BDI-II")}
    for language in ("en", "zh"):
        assert sum(count for (spoken, _), count in kinds.items() if spoken == language) >= 7
        states = {state for d in DIALOGUES if d.language == language for state in GOLD[d.dialogue_id].values()}
        assert states == set(STATES)
    assert all(12 <= len(d.turns) <= 24 for d in DIALOGUES)
    assert any(turn.speaker == "informant" for d in DIALOGUES for turn in d.turns)
    assert len({d.participant_id for d in DIALOGUES}) == len(DIALOGUES)


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda d: d.dialogue_id)
def test_the_rules_find_the_gold_states(dialogue):
    from evidial_rules.pipeline.annotator import Annotator

    states = {cell.dimension: cell.state for cell in Annotator().cells(dialogue)}
    assert states == GOLD[dialogue.dialogue_id]


def test_readme_shows_the_gold_states():
    readme = Path(__file__).parents[2] / "README.md"
    short = {"ABSENT": "-", "PARTIAL": "part", "CONFLICTING": "**conf**", "SUFFICIENT_POS": "pos",
             "SUFFICIENT_NEG": "neg"}
    rows = {}
    for line in readme.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `") and line.count("|") == 12:
            name, _, *states = (part.strip() for part in line.strip("|").split("|"))
            rows[name.strip("`")] = states
    assert rows == {name: [short.get(gold.get(d), "") for d in DIMENSIONS] for name, gold in GOLD.items()}
