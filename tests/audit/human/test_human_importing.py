"""Answers in: forms and Label Studio exports that are whole, and each way in which they are not."""
from __future__ import annotations

import json

import pytest
from human_study import QUOTE

from evidial_rules.audit.human import (
    HumanError,
    Quote,
    choice_of,
    consensus,
    human_reference,
    import_answers,
    questions,
    read_annotations,
    state_of,
    tasks,
)
from evidial_rules.contract import STATES
from evidial_rules.corpora import write_jsonl
from evidial_rules.errors import EvidialError


def units(text):
    return len(text.encode("utf-16-le")) // 2


def english(study):
    """An item whose dialogue has astral characters before and in the quote."""
    return next(one for one in study.key.items.values() if study.dialogues[one.dialogue_id].language == "en")


def label_studio_file(study, said, name="ls.json", region=None, **changes):
    """An export as Label Studio 1.23 writes it."""
    given = {one.item: one for one in said}
    who, out = said[0].annotator, []
    asked = questions(study.key, study.dialogues, who, "en")
    for number, row in enumerate(tasks(asked, study=study.key.study, annotator=who, language="en")):
        one = given.get(row["data"]["item"])
        result = []
        if one is not None:
            choice, side = choice_of(one.state)
            result = [{"from_name": "state", "to_name": "dialogue", "type": "choices", "value": {"choices": [choice]}}]
            if side:
                result.append({"from_name": "polarity", "to_name": "dialogue", "type": "choices",
                               "value": {"choices": [side]}})
            for quote in one.quotes:
                text = row["data"]["dialogue"][quote.turn]["text"]
                value = {"start": str(quote.turn), "end": str(quote.turn), "text": quote.quote,
                         "startOffset": units(text[:quote.start]), "endOffset": units(text[:quote.end]),
                         "paragraphlabels": ["evidence"]} | (region or {})
                result.append({"from_name": "quotes", "to_name": "dialogue", "type": "paragraphlabels", "value": value})
        annotation = {"id": number, "was_cancelled": False, "result": result}
        out.append({"id": number, **row, "annotations": [annotation] if one is not None else []} | changes)
    path = study.folder / name
    path.write_text(json.dumps(out), encoding="utf-8")
    return path


def test_every_state_of_the_contract_is_a_choice_and_comes_back():
    assert [state_of(*choice_of(state)) for state in STATES] == list(STATES)


@pytest.mark.parametrize("kind", ["form", "label studio"])
def test_a_round_trip(study, kind):
    at = english(study).item
    given = [one if one.item != at else type(one)(**{name: getattr(one, name) for name in one.__slots__} | {
        "quotes": (QUOTE,)}) for one in study.says("A", lambda one: None if one.anchor == "P7" else study.truth(one))]
    path = study.form_file(given) if kind == "form" else label_studio_file(study, given)
    merged, handed = import_answers([path], study.key, study.dialogues)
    assert {one.item: one for one in merged} == {one.item: one for one in given}
    (row,) = handed
    assert (row.items, row.answered, row.missing) == (36, 34, 2)
    assert row.without_quote == sum(one.state != "ABSENT" and not one.quotes for one in given)
    write_jsonl(study.folder / "out.jsonl", (one.to_dict() for one in merged))
    assert read_annotations(study.folder / "out.jsonl", study.key, study.dialogues) == merged


def test_white_space_of_a_browser_and_a_region_over_two_turns(study):
    item = english(study)
    turns = study.dialogues[item.dialogue_id].turns
    said = [one for one in study.says("A", lambda one: "PARTIAL" if one is item else None, quotes=[QUOTE])]
    shown = "4711. He paces, all"
    start = units(turns[1].text[:turns[1].text.index("4711")])
    path = label_studio_file(study, said, region={"end": "2", "startOffset": start, "endOffset": 13, "text": shown})
    (one,), _ = import_answers([path], study.key, study.dialogues)
    assert [quote.quote for quote in one.quotes] == ["4711.", "He paces,\nall"]
    assert [(quote.turn, quote.start) for quote in one.quotes] == [(1, turns[1].text.index("4711")), (2, 0)]


@pytest.mark.parametrize(("region", "said"), [
    ({"startOffset": 4}, "the words of turn 1"), ({"startOffset": 1}, "offsets in UTF-16 units inside turn 1"),
    ({"endOffset": 999}, "offsets in UTF-16 units inside turn 1"), ({"end": "9"}, "turns of the dialogue"),
    ({"start": "x"}, "start, end, startOffset"), ({"endOffset": 15.5}, "whole numbers"),
    ({"start": float("inf")}, "start inf"), ({"start": 0.7, "end": 0.9}, "start 0.7"), ({"start": "9" * 5000}, "start"),
    ({"start": True}, "start true"), ({"endOffset": 10**40}, "offsets in UTF-16 units"),
])
def test_a_region_that_is_not_in_the_text(study, region, said):
    item = english(study)
    path = label_studio_file(study, study.says("A", lambda one: "PARTIAL" if one is item else None, quotes=[QUOTE]),
                             region=region)
    with pytest.raises(HumanError, match=said):
        import_answers([path], study.key, study.dialogues)


@pytest.mark.parametrize(("result", "said"), [
    ([{"from_name": [], "value": {}}], "the name of a tag"), ([{"from_name": {}, "value": {}}], "the name of a tag"),
    ([{"from_name": "state", "value": {"choices": ["SUFFICIENT"]}},
      {"from_name": "polarity", "value": {"choices": [["positive"]]}}], "polarity: expected one choice"),
    ([{"from_name": "state", "value": {"choices": [{}]}}], "state: expected one choice"),
])
def test_results_of_no_such_project(study, result, said):
    path = label_studio_file(study, study.says("A", study.truth), annotations=[{"result": result}])
    with pytest.raises(HumanError, match=said):
        import_answers([path], study.key, study.dialogues)


@pytest.mark.parametrize("given", [[5], [None], [{"result": [], "was_cancelled": True}, "x"]])
def test_an_annotation_that_is_no_object_is_not_left_out_in_silence(study, given):
    path = label_studio_file(study, study.says("A", study.truth), annotations=given)
    with pytest.raises(HumanError, match="task 1: expected annotations that are objects"):
        import_answers([path], study.key, study.dialogues)


def edit(position, **changes):
    def apply(data):
        data["answers"][position] |= changes
    return apply


def add(row):
    return lambda data: data["answers"].append(row)


BROKEN = {
    "of other cells": (lambda data: data.update(study="otherone"), "these are answers on other cells"),
    "an unknown item": (edit(0, item="aaaaaaaa"), "an item of the key"),
    "an unknown state": (edit(0, state="PRESENT"), "one of ABSENT, PARTIAL, CONFLICTING, SUFFICIENT"),
    "no state": (edit(0, state=None), "one of ABSENT"),
    "no polarity": (edit(0, state="SUFFICIENT", polarity=None), "positive or negative beside SUFFICIENT"),
    "a polarity too much": (edit(0, state="PARTIAL", polarity="positive"), "none beside PARTIAL"),
    "two labels": (lambda data: data["answers"].append(dict(data["answers"][0])), "one label of A on"),
    "a quote elsewhere": (edit(0, quotes=[{"turn": 1, "start": 0, "end": 3, "quote": "zzz"}]), "the words of turn 1"),
    "a quote beyond": (edit(0, quotes=[{"turn": 99, "start": 0, "end": 1, "quote": "I"}]), "the words of turn 99"),
    "an empty quote": (edit(0, quotes=[{"turn": 1, "start": 1, "end": 1, "quote": ""}]), "the words of turn 1"),
    "a quote without a turn": (edit(0, quotes=[{"start": 0, "end": 1, "quote": "I"}]), "turn, start and end"),
    "no list of quotes": (edit(0, quotes="I lie awake"), "a list of at most"),
    "no object": (add("x"), "an object"),
    "a round that is none": (lambda data: data.update(round=3), "1 or 2"),
    "a name that is a path": (lambda data: data.update(annotator="../A"), "a name of up to 32 ASCII letters"),
    "another version": (lambda data: data.update(form=2), "form: expected 1"),
    "no answers": (lambda data: data.pop("answers"), "a list"),
    "a polarity in a list": (edit(0, state="SUFFICIENT", polarity=["positive"]), "positive or negative beside"),
    "a polarity that is an object": (edit(0, state="SUFFICIENT", polarity={}), "positive or negative beside"),
    "a quote in units": (edit(0, quotes=[{"units": True}]), "turn, start and end"),
    "units and a number": (edit(0, quotes=[{"units": True, "turn": 0, "last": 0, "start": 0, "end": 1}, 5]),
                           "turn, start and end"),
    "a huge turn": (edit(0, quotes=[{"turn": 10**30, "start": 0, "end": 1, "quote": "I"}]), "turn a huge number"),
    "a round with a point": (lambda data: data.update(round=1.0), "1 or 2"),
    "a round that is true": (lambda data: data.update(round=True), "1 or 2"),
    "a version with a point": (lambda data: data.update(form=1.0), "form: expected 1"),
    "a version that is true": (lambda data: data.update(form=True), "form: expected 1"),
    "nothing as the last answer": (add(None), "A.json: answer 37: expected an object, found nothing"),
    "no form": (lambda data: data.pop("form"), "the answers of a form"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_nothing_of_a_broken_file_is_merged(study, evidial, name):
    change, said = BROKEN[name]
    path = study.form_file(study.says("A", study.truth))
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(HumanError, match=said):
        import_answers([path], study.key, study.dialogues)
    study.form_file(study.says("B", study.truth), "B.json")
    status, out, err = evidial("human", "import", "B.json", "A.json", "--key", "key.jsonl", "--dialogues",
                               "dialogues.jsonl", "--dialogues", "anchors.jsonl", "-o", "out.jsonl", "--reference",
                               "human.jsonl")
    assert status == 2 and not out and err.startswith("error: E452") and err.count("\n") == 1
    assert "4711" not in err and "lie awake" not in err
    assert not list(study.folder.glob("out.*")) and not (study.folder / "human.jsonl").exists()


@pytest.mark.parametrize("raw", [b"{", b"\xff\xfe1", b'{"form": 1, "form": 1}', b"[1]", b'[{"data": {}}]', b"3",
                                 b"[" * 99999])
def test_a_file_that_is_neither(study, raw):
    (study.folder / "bad.json").write_bytes(raw)
    with pytest.raises(EvidialError, match=r"bad\.json"):
        import_answers([study.folder / "bad.json"], study.key, study.dialogues)


def test_the_same_annotator_in_two_files(study):
    given = study.says("A", study.truth)
    parts = [study.form_file(given[:20], "1.json"), study.form_file(given[20:], "2.json")]
    assert len(import_answers(parts, study.key, study.dialogues)[0]) == 36
    with pytest.raises(HumanError, match="one label of A"):
        import_answers([parts[0], study.form_file(given[19:], "2.json")], study.key, study.dialogues)
    with pytest.raises(HumanError, match="one label of A"):
        import_answers([parts[0]], study.key, study.dialogues, earlier=given[:1])


def test_two_annotations_of_a_task_and_a_skipped_one(study):
    given = study.says("A", study.truth)
    path = label_studio_file(study, given)
    data = json.loads(path.read_text(encoding="utf-8"))
    data[0]["annotations"] *= 2
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(HumanError, match="one annotation, found 2"):
        import_answers([path], study.key, study.dialogues)
    data[0]["annotations"][0] = data[0]["annotations"][0] | {"was_cancelled": True}
    path.write_text(json.dumps(data), encoding="utf-8")
    assert len(import_answers([path], study.key, study.dialogues)[0]) == 36


def test_a_polarity_that_was_hidden_again_does_not_count(study):
    given = study.says("A", lambda one: "SUFFICIENT_POS")
    path = label_studio_file(study, given)
    data = json.loads(path.read_text(encoding="utf-8"))
    for task in data:
        task["annotations"][0]["result"][0]["value"]["choices"] = ["PARTIAL"]
    path.write_text(json.dumps(data), encoding="utf-8")
    merged, _ = import_answers([path], study.key, study.dialogues)
    assert {one.state for one in merged} == {"PARTIAL"}


def test_the_third_rater_decides_what_differed_and_nothing_else(study):
    items = [one.item for one in study.key.cells]
    first = [*study.says("A", lambda one: "PARTIAL"),
             *study.says("B", lambda one: "ABSENT" if one.item in items[:3] else "PARTIAL")]
    decided = {items[0]: "ABSENT", items[1]: "CONFLICTING"}
    third = study.says("C", lambda one: decided.get(one.item), round=2)
    merged, (row,) = import_answers([study.form_file(third, "C.json")], study.key, study.dialogues, first)
    assert (row.items, row.answered, row.missing) == (3, 2, 1)
    states = {(one.dialogue_id, one.dimension): one for one in human_reference(study.key, merged)}
    cells = [study.key.items[item].cell for item in items]
    assert [states[cell].state for cell in cells[:4]] == ["ABSENT", "UNRESOLVED", "UNRESOLVED", "PARTIAL"]
    assert len(states) == len(study.key.cells)  # anchors are no cells of the pool
    assert states[cells[0]].raters == 3 and states[cells[0]].posterior["ABSENT"] == pytest.approx(2 / 3)
    assert states[cells[3]].entropy == 0 and states[cells[3]].method == "human"
    with pytest.raises(HumanError, match="items on which the annotators differ"):
        stray = study.says("C", lambda one: "PARTIAL" if one.item == items[9] else None, round=2)
        import_answers([study.form_file(stray, "C.json")], study.key, study.dialogues, first)
    with pytest.raises(HumanError, match="not annotated before"):
        again = study.says("A", lambda one: "PARTIAL" if one.item == items[0] else None, round=2)
        import_answers([study.form_file(again, "C.json")], study.key, study.dialogues, first)


def test_a_lone_annotator_is_no_consensus(study):
    assert consensus(study.says("A", study.truth)[:1]) == "UNRESOLVED"


def test_a_quote_is_in_code_points():
    assert Quote(1, 2, 15, "x").to_dict() == {"turn": 1, "start": 2, "end": 15, "quote": "x"}
    assert "😀 I lie awake 😴 for"[2:15] == QUOTE.quote
