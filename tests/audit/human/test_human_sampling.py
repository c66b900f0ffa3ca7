"""Which items are drawn, by which strata, and what the key's lines look like."""
from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from evidial_rules.audit.human import Annotation, HumanError, import_answers, read_key, sample
from evidial_rules.contract import Dialogue, Reference
from evidial_rules.corpora import write_jsonl


def strata(items):
    return Counter((one.source, one.dimension, one.state) for one in items)


def test_the_shares_of_the_strata_are_those_of_the_reference(study):
    sources = {one.dialogue_id: one.source for one in study.talks}
    all_of = Counter((sources[one.dialogue_id], one.dimension, one.state) for one in study.reference)
    assert all(abs(n - 30 * all_of[name] / len(study.reference)) < 1 for name, n in strata(study.key.cells).items())


def test_weights_add_up_to_the_strata_that_were_drawn_from(study):
    sources = {one.dialogue_id: one.source for one in study.talks}
    all_of = Counter((sources[one.dialogue_id], one.dimension, one.state) for one in study.reference)
    drawn = strata(study.key.cells)
    assert sum(one.weight for one in study.key.cells) == pytest.approx(sum(all_of[name] for name in drawn))


def test_cells_of_strata_without_an_item_are_counted(study, evidial):
    sources = {one.dialogue_id: one.source for one in study.talks}
    all_of = Counter((sources[one.dialogue_id], one.dimension, one.state) for one in study.reference)
    key = sample(study.talks, study.reference, 5)
    without = sum(n for name, n in all_of.items() if name not in strata(key.cells))
    assert without and (key.pool, key.unrepresented) == (len(study.reference), without)
    whole = sample(study.talks, study.reference, len(study.reference))
    assert (whole.pool, whole.unrepresented) == (len(study.reference), 0)
    status, _, err = evidial("human", "sample", "dialogues.jsonl", "--reference", "relca.jsonl", "--n", 5,
                             "-o", "k.jsonl")
    assert status == 0 and f"{without} of the {len(study.reference)} cells are in strata of which none was drawn" in err
    again = read_key(study.folder / "k.jsonl")
    assert (again.pool, again.unrepresented) == (key.pool, key.unrepresented)
    write_jsonl(study.folder / "all.jsonl", [
        Annotation(again.study, one.item, *one.cell, name, "PARTIAL").to_dict()
        for name in "AB" for one in again.cells])
    status, out, _ = evidial("human", "agree", "all.jsonl", "--key", "k.jsonl", "--dialogues", "dialogues.jsonl",
                             "--replicates", 0)
    assert status == 0 and f"{without} of the {len(study.reference)} cells to draw from are in strata" in out
    old = [{name: value for name, value in one.to_dict().items() if name != "pool"} for one in again.cells]
    write_jsonl(study.folder / "old.jsonl", old)
    assert read_key(study.folder / "old.jsonl").unrepresented is None


def test_an_even_draw_takes_as_many_of_each_as_there_are(study):
    talks = study.talks
    lines = [Reference(f"en-{i}", name, "ABSENT" if name != "sleep" or i else "PARTIAL", "r", {}, 0.0, 1)
             for i in range(6) for name in ("sleep", "fatigue")]
    counts = Counter(one.state for one in sample(talks, lines, 6, 1, allocation="even").cells)
    assert counts == {"ABSENT": 5, "PARTIAL": 1}
    assert Counter(one.dimension for one in sample(talks, lines, 6, 1).cells)["fatigue"] == 3


def test_the_draw_follows_from_the_seed_and_only_from_it(study):
    talks, lines = study.talks, study.reference
    assert sample(talks, lines, 20, 3) == sample(talks, lines, 20, 3)
    other = sample(talks, lines, 20, 4)
    assert other.study != sample(talks, lines, 20, 3).study
    assert {one.cell for one in other.cells} != {one.cell for one in sample(talks, lines, 20, 3).cells}


def test_another_text_or_another_cell_is_another_study(study, evidial):
    """Answers of one are not taken for the other's, though seed, strata and numbers are the same."""
    def drawn(talks, ids=lambda name: name):
        lines = [replace(one, dialogue_id=ids(one.dialogue_id)) for one in study.reference]
        return sample(talks, lines, 20, 3)

    first = drawn(study.talks)
    text = [Dialogue.from_dict(one.to_dict() | {"turns": [{"speaker": "participant", "text": "Well."}]})
            for one in study.talks]
    names = [Dialogue.from_dict(one.to_dict() | {"dialogue_id": f"x{one.dialogue_id}"}) for one in study.talks]
    for other in (drawn(text), drawn(names, lambda name: f"x{name}")):
        assert strata(other.cells) == strata(first.cells)
        assert other.study != first.study and not set(other.items) & set(first.items)
    given = [Annotation(first.study, one.item, *one.cell, "A", "PARTIAL") for one in first.cells]
    path = study.form_file(given, study=first.study)
    with pytest.raises(HumanError, match="answers on other cells"):
        import_answers([path], drawn(text), study.dialogues)
    scores = [Dialogue.from_dict(one.to_dict() | {"scores": dict.fromkeys(one.scores, 0)}) for one in study.talks]
    assert drawn(scores).study == first.study  # what was found out about the cells does not go in


def test_ids_are_opaque_and_anchors_lie_among_the_cells(study):
    ids = [*study.key.items, study.key.study]
    assert len(set(ids)) == 37 and all(re.fullmatch(r"[a-z2-7]{8}", one) for one in ids)
    kinds = [one.kind for one in study.key.items.values()]
    assert kinds.count("anchor") == 6 and kinds[:30].count("anchor") > 0 and kinds != sorted(kinds)


def test_anchors_are_spread_over_classes_and_bases(study):
    assert Counter(one.anchor for one in study.key.anchors) == {"P2": 2, "P4-op": 2, "P7": 2}
    assert max(Counter(one.dialogue_id.split(".")[0] for one in study.key.anchors).values()) == 2


def test_only_the_cells_of_a_plan(study):
    only = {("en-1", "sleep"), ("en-2", "fatigue"), ("zh-0", "sleep")}
    assert {one.cell for one in sample(study.talks, study.reference, 3, only=only).cells} == only


@pytest.mark.parametrize(("change", "said"), [
    ({"n": 1000}, "at most 72"), ({"n_anchors": 99}, "at most 12"), ({"allocation": "odd"}, "proportional or even"),
    ({"n": 0}, "one cell or more"),
])
def test_what_cannot_be_drawn(study, change, said):
    options = {"n": 5, "anchors": study.anchors} | change
    talks = study.talks
    with pytest.raises(HumanError, match=said):
        sample(talks, study.reference, **options)


def test_references_of_two_methods_or_on_other_cells(study):
    two = [*study.reference[:5], Reference("en-5", "sleep", "PARTIAL", "mean", {}, 0.0, 1)]
    with pytest.raises(HumanError, match="one method"):
        sample(study.talks, two, 3)
    for dialogue, dimension in (("nobody", "sleep"), ("en-1", "suicidal_ideation")):
        with pytest.raises(HumanError, match="cells of the dialogues"):
            sample(study.talks, [Reference(dialogue, dimension, "PARTIAL", "r", {}, 0.0, 1)], 1)


def test_a_key_comes_back_as_it_was_written(study):
    again = read_key(study.folder / "key.jsonl")
    assert [one.cell for one in again.items.values()] == [one.cell for one in study.key.items.values()]
    assert again.study == study.key.study and len(again.anchors) == 6


@pytest.mark.parametrize(("change", "said"), [
    ({"item": "../up"}, "an id of a draw"), ({"state": "MAYBE"}, "one of ABSENT"),
    ({"kind": "x"}, "one of cell, anchor"),
    ({"pool": 1.5}, "a whole number"), ({"pool": 10**400}, "a whole number"),
    ({"weight": 0}, "above 0"), ({"weight": 1e300}, "at most"),
    ({"weight": 10**400}, r"at most 1e\+09, found a huge number"),
    ({"dimension": "mood"}, "one of depressed_mood"), ({"study": "another2"}, "one study"),
    ({"kind": "anchor", "class": "P9", "expected": "ABSENT"}, "one of P1"), (None, "once"),
])
def test_a_key_that_breaks_the_form(study, change, said):
    rows = [one.to_dict() for one in study.key.cells[:3]]
    rows = [*rows, rows[0]] if change is None else [rows[0], rows[1] | change]
    write_jsonl(study.folder / "bad.jsonl", rows)
    with pytest.raises(HumanError, match=said):
        read_key(study.folder / "bad.jsonl")
