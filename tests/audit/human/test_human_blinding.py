"""What leaves for an annotator holds nothing that an annotator must not know."""
from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from evidial_rules.anchors.classes import CLASSES
from evidial_rules.audit.human import (
    FIRST,
    Key,
    dialogues_of,
    differing,
    form_page,
    labelling_config,
    questions,
    tasks,
)
from evidial_rules.contract import Dialogue
from evidial_rules.corpora import to_json


def exported(key, dialogues, annotator="ann-one", language="en", **more):
    """Every byte that goes to one annotator, by file."""
    asked = questions(key, dialogues, annotator, language, **more)
    about = {"study": key.study, "annotator": annotator, "language": language}
    return {"form": form_page(asked, **about), "config": labelling_config(language, third=bool(more)),
            "tasks": "\n".join(to_json(one) for one in tasks(asked, **about))}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_byte_tells_of_what_is_behind_an_item(study, language):
    forbidden = {
        "relca", "PHQ-8", "HAMD-17", "BDI-II", "E-DAIC", "PDCH", "ann-two", "SUFFICIENT_POS", "SUFFICIENT_NEG",
        "UNRESOLVED", "anchor", "posterior", "dialogue_id", "participant_id", '"scores"', '"weight"', '"expected"',
        '"reference"', *(name for name in CLASSES if len(name) > 3)}
    for one in study.key.items.values():
        forbidden |= {one.dialogue_id, f"person-of-{one.dialogue_id}", f'"{one.dimension}"'}
    names = re.compile(r"\b(?:P[1-8][ab]?|F[1-6])\b")
    for file, text in exported(study.key, study.dialogues, language=language).items():
        assert {word for word in forbidden if word.casefold() in text.casefold()} == set(), file
        assert not names.search(text), file


def test_the_bytes_are_the_same_whatever_was_found_out_about_the_cells(study):
    """No information flows: other references, labels, votes, weights, classes and sources give the very same files."""
    before = exported(study.key, study.dialogues)
    turned = {"ABSENT": "CONFLICTING"}
    other = Key(study.key.study, {
        name: replace(one, state=turned.get(one.state, "ABSENT"), weight=9.0, reference="x", source="elsewhere",
                      kind="cell" if one.kind == "anchor" else "anchor", anchor="P8", expected="PARTIAL")
        for name, one in study.key.items.items()})
    talks = {name: Dialogue.from_dict(talk.to_dict() | {
        "scores": dict.fromkeys(talk.scores, 0), "source": "elsewhere", "participant_id": "nobody", "visit": 7})
        for name, talk in study.dialogues.items()}
    assert exported(other, talks) == before


def test_each_annotator_has_the_same_items_in_an_order_of_their_own(study):
    orders = {name: [one.item for one in questions(study.key, study.dialogues, name, "en")] for name in ("A", "B", "C")}
    assert all(sorted(order) == sorted(study.key.items) for order in orders.values())
    assert len({tuple(order) for order in orders.values()} | {tuple(study.key.items)}) == 4
    assert orders["A"] == [one.item for one in questions(study.key, study.dialogues, "A", "en")]


def test_a_third_rater_sees_both_answers_without_names_and_shuffled(study):
    items = list(study.key.items)
    given = [*study.says("ann-two", lambda one: "PARTIAL"),
             *study.says("ann-four", lambda one: "PARTIAL" if one.item in items[:6] else "ABSENT")]
    asked = questions(study.key, study.dialogues, "C", "en", differing=differing(given))
    assert sorted(one.item for one in asked) == sorted(items[6:])
    orders = [tuple(choice for choice, _, _ in one.answers) for one in asked]
    assert all(sorted(order) == ["ABSENT", "PARTIAL"] for order in orders)
    assert 5 < orders.count(("ABSENT", "PARTIAL")) < 25  # of 30, each way with one half
    for file, text in exported(study.key, study.dialogues, "C", differing=differing(given)).items():
        assert "ann-two" not in text and "ann-four" not in text, file


def test_whoever_has_the_form_cannot_compute_its_order(study):
    """The order depends on what is not in the form: the dialogues' ids."""
    other = Key(study.key.study, {name: replace(one, dialogue_id=f"{one.dialogue_id}x")
                                  for name, one in study.key.items.items()})
    talks = {f"{name}x": talk for name, talk in study.dialogues.items()}
    assert [one.item for one in questions(other, talks, "A", "en")] != \
        [one.item for one in questions(study.key, study.dialogues, "A", "en")]


def test_what_a_dialogue_says_is_data_in_the_page(study):
    page = exported(study.key, study.dialogues)["form"]
    assert "<script>alert(1)" not in page and "\\u003cscript\\u003ealert(1)" in page
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
    texts = {tuple(turn[1] for turn in text) for text in data["texts"]}
    assert texts == {tuple(turn.text for turn in talk.turns) for talk in study.dialogues.values()}
    assert not re.search(r'(?:src|href)="|url\(|https?:', page)
    assert data["round"] == FIRST and len(data["items"]) == len(study.key.items)


def test_a_dialogue_that_is_not_there(study):
    from evidial_rules.audit.human import HumanError

    with pytest.raises(HumanError, match="every dialogue of the key"):
        dialogues_of(study.key, study.talks)
