"""Making anchors: what each class does to a base, what is refused, and what a file of bases must say."""
from __future__ import annotations

import json
from collections import Counter

import pytest

from evidial_rules.anchors import CLASSES, BaseError, make_views, read_bases
from evidial_rules.anchors.bases import Base
from evidial_rules.contract import Dialogue, Frame, Interval, bind_all, project
from evidial_rules.resources import load_instrument, resource


@pytest.fixture(scope="module")
def shipped():
    return list(read_bases(resource("data", "dialogues.jsonl")))


@pytest.fixture(scope="module")
def made(shipped):
    refused = []
    return list(make_views(shipped, seed=3, refuse=refused.append)), refused


def base(*turns, frames=(), language="en", instrument="PHQ-8", **more):
    speakers = {"I": "interviewer", "P": "participant", "F": "informant"}
    dialogue = Dialogue.from_dict({
        "dialogue_id": "b", "language": language, "instrument": instrument,
        "turns": [{"speaker": speakers[turn[0]], "text": turn[2:].strip()} for turn in turns], **more})
    return Base(dialogue, {}, tuple(frames))


def frame(dialogue_turn, quote, component, polarity="affirm", **more):
    return Frame(f"g{dialogue_turn}", "sleep", (component,), polarity, turn=dialogue_turn, quote=quote, **more)


QUIET = ("I: Hello.", "P: Hello.", "I: Which way did you come?", "P: Over the bridge.", "I: Thank you.", "P: Bye.")
AWAKE = (*QUIET[:4], "I: How do you sleep?", "P: I lie awake.", *QUIET[4:])


def views(one, name, dimension="sleep", seed=0):
    refused = []
    kept = [v for v in make_views([one], classes=[name], twins=False, seed=seed, refuse=refused.append)
            if v.dimension == dimension]
    return kept, [r for r in refused if r.dimension == dimension]


def test_every_class_language_and_instrument_is_made(made, shipped):
    kept, _ = made
    assert {(v.name, v.dialogue.language) for v in kept} == {(c, g) for c in CLASSES for g in ("en", "zh")}
    assert {(v.dialogue.language, v.dialogue.instrument) for v in kept} >= {
        ("en", "PHQ-8"), ("en", "BDI-II"), ("zh", "HAMD-17"), ("zh", "PHQ-8"), ("en", "HAMD-17")}
    own = {one.dialogue.dialogue_id: one.dialogue.instrument for one in shipped}
    assert all(v.twin == (v.dialogue.instrument != own[v.base_id]) for v in kept)


def test_the_ledger_gives_the_state_and_quotes_its_turns(made):
    for view in made[0]:
        instrument = load_instrument(view.dialogue.instrument)
        frames = bind_all(view.frames, instrument)
        assert project(frames, instrument, view.dimension).state == view.expected == CLASSES[view.name].expected
        for said in view.frames:
            assert view.dialogue.turns[said.turn].text[said.start:said.end] == said.quote


def test_no_two_views_of_a_class_share_their_words(made):
    for name in CLASSES:
        words = Counter("\n".join(v.dialogue.turns[i].text for i in v.changed).casefold()
                        for v in made[0] if v.name == name and v.changed)
        assert max(words.values()) == 1


def test_the_edge_of_the_window_is_among_them_with_a_date(made):
    edges = [v for v in made[0] if v.edge]
    assert len(edges) >= 20 and any(v.dialogue.date for v in edges)
    for view in edges:
        window = load_instrument(view.dialogue.instrument).window_days
        assert any(f.time.to in (window, window + 1) or f.time.to in (21, 14) for f in view.frames)


def test_a_seed_fixes_the_views(shipped):
    def of(seed):
        return [json.dumps(v.to_dict(), ensure_ascii=False) for v in make_views(shipped[:2], seed=seed)]

    assert of(5) == of(5) != of(6)


def test_deletion_takes_the_exchange_and_nothing_else():
    one = base(*AWAKE, frames=[frame(5, "I lie awake.", "onset")])
    [view], _ = views(one, "P1")
    assert view.deleted == (4, 5) and view.changed == ()
    assert [t.text for t in view.dialogue.turns] == [turn[2:].strip() for turn in QUIET]


def test_deletion_is_refused_where_a_second_piece_of_evidence_is_left():
    one = base(*AWAKE[:6], "I: And after?", "P: I wake at three.", *QUIET[4:], frames=[
        frame(5, "I lie awake.", "onset"), frame(7, "I wake at three.", "maintenance")])
    kept, [refusal] = views(one, "P1")
    assert not kept and refusal.reason == "the ledger gives SUFFICIENT_POS and not ABSENT"


def test_deletion_is_refused_where_a_retraction_would_lose_what_it_names():
    one = base(*AWAKE[:6], "I: And after?", "P: I wake at three. No, scratch that.", *QUIET[4:], frames=[
        frame(5, "I lie awake.", "onset"),
        frame(7, "I wake at three.", "maintenance", withdrawn_by=7).replace(id="x"),
        frame(7, "I wake", "maintenance", polarity="deny").replace(id="y")])
    kept, [refusal] = views(one, "P1")
    assert not kept and "retraction" in refusal.reason


def test_a_denial_is_not_inserted_beside_an_affirmation():
    kept, [refusal] = views(base(*AWAKE, frames=[frame(5, "I lie awake.", "onset")]), "P3")
    assert not kept and refusal.reason == "the ledger gives CONFLICTING and not SUFFICIENT_NEG"


def test_a_distractor_uses_the_bases_own_evidence():
    one = base(*AWAKE, frames=[frame(5, "I lie awake.", "onset")])
    for name in ("P4-ow", "P4-op", "P4-wd"):
        [view], _ = views(one, name)
        assert [f.id for f in view.frames if f.polarity == "affirm" and f.time == Interval() and f.subject ==
                "participant"] == ["g5"], name


def test_nothing_is_put_before_a_retraction_of_the_base():
    one = base(*AWAKE[:6], "I: Really?", "P: Forget what I said about sleep.", "I: Which line?", "P: The nine.",
               frames=[frame(5, "I lie awake.", "onset", withdrawn_by=7)])
    for seed in range(6):
        [view], _ = views(one, "P6b", seed=seed)
        assert min(view.changed) > 7


def test_where_only_states_are_known_blocks_stand_at_the_end():
    quiet = base(*QUIET)
    [view], _ = views(Base(quiet.dialogue, {"sleep": "ABSENT"}, None, ("sleep",)), "P3")
    assert min(view.changed) == len(QUIET)
    kept, [refusal] = views(Base(quiet.dialogue, {"sleep": "PARTIAL"}, None, ("sleep",)), "P3")
    assert not kept and "frames are not known" in refusal.reason


def test_a_base_that_tells_the_date_is_given_no_other():
    told = base("I: Today is the fourth of May.", "P: Right.", *QUIET[2:])
    dated = base(*QUIET, date="2025-02-03")
    for seed in range(8):
        assert all(v.dialogue.date is None for v in make_views([told], seed=seed, classes=["P5"], twins=False))
        assert all(str(v.dialogue.date) == "2025-02-03"
                   for v in make_views([dated], seed=seed, classes=["P5"], twins=False))


def write(path, *rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


ROW = {"dialogue_id": "m", "language": "en", "instrument": "PHQ-8",
       "turns": [{"speaker": "interviewer", "text": "How do you sleep?"}, {"speaker": "participant", "text": "Badly."}]}
SAID = {"id": "a", "dimension": "sleep", "components": ["ALL"], "polarity": "affirm", "turn": 1, "start": 0, "end": 6,
        "quote": "Badly."}


def test_bases_may_carry_frames_or_states(tmp_path):
    [one] = read_bases(write(tmp_path / "a.jsonl", {**ROW, "frames": [SAID]}))
    assert one.states["sleep"] == "SUFFICIENT_POS" and one.states["fatigue"] == "ABSENT" and len(one.frames) == 1
    [two] = read_bases(write(tmp_path / "b.jsonl", {**ROW, "gold": {"sleep": "SUFFICIENT_POS"}}))
    assert two.frames is None and two.dimensions == ("sleep",)


def test_cells_of_any_annotator_are_bases(tmp_path):
    rows = [{"dialogue_id": "m", "dimension": "sleep", "state": "SUFFICIENT_POS", "frames": [SAID]},
            {"dialogue_id": "m", "dimension": "fatigue", "state": "ABSENT", "frames": []}]
    [one] = read_bases(write(tmp_path / "d.jsonl", ROW), cells=write(tmp_path / "c.jsonl", *rows))
    assert one.dimensions == ("sleep", "fatigue") and one.frames[0].quote == "Badly."


@pytest.mark.parametrize("more, expected", [
    ({}, "cells are known"),
    ({"gold": {"sleep": "MAYBE"}}, "gold"),
    ({"frames": [{**SAID, "quote": "Well."}]}, "to quote what stands at its place"),
    ({"frames": [SAID], "gold": {"sleep": "ABSENT"}}, "ABSENT, its frames give SUFFICIENT_POS"),
    ({"frames": "none"}, "a list"),
])
def test_bases_that_are_not_known_are_refused_in_one_line(tmp_path, more, expected):
    path = write(tmp_path / "a.jsonl", {**ROW, **more})
    with pytest.raises(BaseError, match=expected) as error:
        list(read_bases(path))
    assert "a.jsonl:1" in str(error.value) and "Badly" not in str(error.value) and "\n" not in str(error.value)
