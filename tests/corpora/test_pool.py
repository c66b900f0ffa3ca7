"""The reference pool: one visit a participant, sources left out."""
from __future__ import annotations

import pytest

from evidial_rules.contract import Dialogue
from evidial_rules.corpora import reference_pool
from evidial_rules.corpora.pool import PoolError


def talk(name, person=None, source=None, visit=None):
    return Dialogue(dialogue_id=name, participant_id=person, source=source, visit=visit, language="zh",
                    instrument="HAMD-17", turns=[{"speaker": "participant", "text": "好"}])


TALKS = [talk("a2", "p", "S", 2), talk("a1", "p", "S", 1), talk("b", "q", "S"), talk("c", "p", "T"),
         talk("e", "r", "S", "x"), talk("f", "r", "S", "10"), talk("g", "r", "S", "9")]


@pytest.mark.parametrize(("options", "left"), [
    ({}, ["a1", "b", "c", "g"]),
    ({"visit": "2"}, ["a2", "b", "c"]),
    ({"visit": "x"}, ["b", "c", "e"]),
    ({"exclude_sources": ["S"]}, ["c"]),
])
def test_which_dialogues_are_left(options, left):
    assert [one.dialogue_id for one in reference_pool(TALKS, **options)] == left


def test_a_source_that_nobody_has_and_nothing_left():
    with pytest.raises(PoolError, match="sources of the dialogues"):
        reference_pool(TALKS, exclude_sources=["U"])
    with pytest.raises(PoolError, match="at least one dialogue"):
        reference_pool(TALKS, exclude_sources=["S", "T"])
    with pytest.raises(PoolError, match="at least one dialogue"):
        reference_pool([], visit="3")
