"""evidial human, from the draw to the figures, as a user runs it."""
from __future__ import annotations

import io
import json

import pytest

from evidial_rules.audit.human import read_annotations
from evidial_rules.contract import Prediction
from evidial_rules.corpora import read_references, read_votes, write_jsonl
from evidial_rules.resources import load_instrument

FILES = ("--dialogues", "dialogues.jsonl", "--dialogues", "anchors.jsonl")


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_whole_study(study, evidial):
    folder, third = study.folder, [one.item for one in study.key.cells][:2]
    status, _, err = evidial("human", "sample", "dialogues.jsonl", "--reference", "relca.jsonl", "--n", 30, "--seed", 5,
                             "--anchors", "anchors.jsonl", "--anchors-n", 6, "-o", "key2.jsonl")
    assert status == 0 and err.startswith("30 cells and 6 anchors\n")
    assert (folder / "key2.jsonl").read_bytes() == (folder / "key.jsonl").read_bytes()
    status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--annotator", "A", "--annotator", "B",
                             "-o", "out", "--label-studio")
    assert status == 0 and err.startswith("36 items for A, B")
    assert sorted(one.name for one in (folder / "out").iterdir()) == [
        "A.html", "A.label-studio.json", "B.html", "B.label-studio.json", "label-studio.xml"]
    assert len(json.loads((folder / "out" / "A.label-studio.json").read_text(encoding="utf-8"))) == 36
    study.form_file(study.says("A", study.truth), "A.json")
    study.form_file(study.says("B", lambda one: "PARTIAL" if one.item in third else study.truth(one)), "B.json")
    status, _, err = evidial("human", "import", "A.json", "B.json", "--key", "key.jsonl", *FILES, "-o", "first.jsonl",
                             "--votes", "votes.jsonl", "--anchor-votes", "av.jsonl")
    assert status == 0 and "A (round 1): 36 of 36 items answered, 0 missing" in err
    differ = sum(study.truth(study.key.items[one]) != "PARTIAL" for one in third)
    assert f"{differ} items differ, 0 of them adjudicated" in err
    assert {one.rater for one in read_votes(folder / "votes.jsonl")} == {"human-A", "human-B"}
    assert len(lines_of(folder / "votes.jsonl")) == 60 and len(lines_of(folder / "av.jsonl")) == 12
    assert evidial("panel", "votes.jsonl", "--dialogues", "dialogues.jsonl", "--replicates", 5, "--simulated", 0,
                   "--no-fusion", "-o", "p.json")[0] == 0
    assert evidial("anchors", "score", "anchors.jsonl", "--votes", "av.jsonl", "-o", "a.json")[0] == 0
    assert differ
    status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--third", "C", "--annotations", "first.jsonl",
                             "-o", "out")
    assert status == 0 and (folder / "out" / "C.round2.html").exists()
    study.form_file(study.says("C", lambda one: study.truth(one) if one.item in third and study.truth(one) != "PARTIAL"
                               else None, round=2), "C.json")
    status, _, err = evidial("human", "import", "C.json", "--key", "key.jsonl", *FILES, "--annotations", "first.jsonl",
                             "-o", "all.jsonl", "--reference", "human.jsonl")
    assert status == 0 and f"{differ} items differ, {differ} of them adjudicated, {differ} resolved" in err
    assert len(read_annotations(folder / "all.jsonl", study.key, study.dialogues)) == 72 + differ
    human = {(one.dialogue_id, one.dimension): one.state for one in read_references(folder / "human.jsonl")}
    assert human == {one.cell: study.truth(one) for one in study.key.cells}
    write_jsonl(folder / "predictions.jsonl", [
        Prediction(one.dialogue_id, dimension, "m", method, "answered", 1) for one in study.talks
        for dimension in load_instrument(one.instrument).ordered for method in ("B0", "B1")])
    assert evidial("score", "predictions.jsonl", "--reference", "human.jsonl", "--dialogues", "dialogues.jsonl",
                   "--replicates", 5, "-o", "s.json")[0] == 0
    status, out, err = evidial("human", "agree", "all.jsonl", "--key", "key.jsonl", *FILES,
                               "--reference", "relca.jsonl", "--predictions", "predictions.jsonl",
                               "--replicates", 20, "-o", "agree.json")
    assert status == 0, err
    found = json.loads((folder / "agree.json").read_text(encoding="utf-8"))
    assert found["references"][0]["agreement"] == 1.0  # by the key they say what the reference says
    assert found["rescoring"][0]["hit_caliber"]["max_change"] == 0.0 and found["rescoring"][0]["cells"] == 30
    assert found["study"]["adjudicated"] == differ and "NaN" not in (folder / "agree.json").read_text(encoding="utf-8")
    for title in ("Agreement of the annotators on 30 cells", "Anchors recovered", "Exact agreement", "The model audit"):
        assert title in out


@pytest.mark.parametrize(("arguments", "said"), [
    (("sample", "dialogues.jsonl", "--reference", "relca.jsonl", "-o", "relca.jsonl"), "--output"),
    (("sample", "dialogues.jsonl", "--reference", "relca.jsonl", "-o", "k", "--anchors-n", 3), "--anchors"),
    (("sample", "dialogues.jsonl", "--reference", "relca.jsonl", "-o", "k", "--allocation", "x"), "--allocation"),
    (("export", "key.jsonl", *FILES, "-o", "out"), "--annotator"),
    (("export", "key.jsonl", *FILES, "-o", "out", "--annotator", "A", "--annotator", "a"), "each name once"),
    (("export", "key.jsonl", *FILES, "-o", "out", "--annotator", "a/b"), "a name of up to 32 ASCII letters"),
    (("export", "key.jsonl", *FILES, "-o", "out", "--third", "C"), "--annotations"),
    (("export", "key.jsonl", *FILES, "-o", "out", "--annotator", "A", "--language", "fr"), "--language"),
    (("export", "key.jsonl", "--dialogues", "dialogues.jsonl", "-o", "out", "--annotator", "A"), "every dialogue"),
    (("export", "key.jsonl", *FILES, "-o", "key.jsonl", "--annotator", "A"), "a folder that can be made"),
    (("import", "key.jsonl", "--key", "key.jsonl", *FILES, "-o", "o.jsonl"), "JSON"),
    (("import", "A.json", "--key", "key.jsonl", *FILES, "-o", "o.jsonl", "--votes", "o.jsonl"), "second output"),
    (("agree", "first.jsonl", "--key", "key.jsonl", *FILES, "--predictions", "p.jsonl"), "--reference"),
    (("agree", "first.jsonl", "--key", "key.jsonl", *FILES, "--plan", "p.jsonl"), "predictions"),
    (("agree", "first.jsonl", "--key", "key.jsonl", *FILES, "--reference", "human.jsonl"), "found the human one"),
])
def test_what_does_not_go_together_is_one_line(study, evidial, arguments, said):
    given = study.says("A", study.truth)
    study.form_file(given, "A.json")
    write_jsonl(study.folder / "first.jsonl", [one.to_dict() for one in given])
    write_jsonl(study.folder / "human.jsonl", [{"dialogue_id": "en-1", "dimension": "sleep", "state": "PARTIAL",
                                                "method": "human"}])
    before = sorted(one.name for one in study.folder.iterdir())
    status, out, err = evidial("human", *arguments)
    assert status == 2 and not out and said in err and err.count("\n") == 1
    assert sorted(one.name for one in study.folder.iterdir() if one.name != "out") == before


@pytest.mark.parametrize("option", ["--reference", "--votes", "--anchor-votes"])
@pytest.mark.parametrize("bad", ["none/x.jsonl", "out", "none/x.parquet"])
def test_of_several_outputs_all_are_written_or_none(study, evidial, option, bad):
    study.form_file(study.says("A", study.truth), "A.json")
    (study.folder / "out").mkdir()
    before = sorted(study.folder.iterdir())
    for output, other in (("o.jsonl", bad), (bad, "o.jsonl")):
        status, _, err = evidial("human", "import", "A.json", "--key", "key.jsonl", *FILES, "-o", output, option, other)
        assert status == 2 and bad in err and err.count("\n") == 1
        assert sorted(study.folder.iterdir()) == before and not list((study.folder / "out").iterdir())


def test_outputs_may_be_parquet_and_standard_output(study, evidial):
    given = study.says("A", study.truth)
    study.form_file(given, "A.json")
    status, out, _ = evidial("human", "import", "A.json", "--key", "key.jsonl", *FILES, "-o", "-", "--votes",
                             "v.parquet")
    assert status == 0 and len(out.splitlines()) == len(given)
    assert len(list(read_votes(study.folder / "v.parquet"))) == len(study.key.cells)


def test_of_several_forms_all_are_written_or_none(study, evidial):
    (study.folder / "out" / "B.html").mkdir(parents=True)
    status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--annotator", "A", "--annotator", "B",
                             "-o", "out", "--label-studio")
    assert status == 2 and "B.html" in err and err.count("\n") == 1
    assert [one.name for one in (study.folder / "out").iterdir()] == ["B.html"]


EDITED = {
    "other words": ({"quotes": [{"turn": 1, "start": 0, "end": 3, "quote": "zzz"}]}, "the words of turn 1"),
    "a turn beyond": ({"quotes": [{"turn": 999, "start": 0, "end": 1, "quote": "I"}]}, "the words of turn 999"),
    "an end before the start": ({"quotes": [{"turn": 1, "start": 3, "end": 1, "quote": ""}]}, "the words of turn 1"),
    "a round that is true": ({"round": True}, "round: expected 1 or 2, found true"),
    "a round with a point": ({"round": 1.0}, "round: expected 1 or 2, found 1.0"),
    "another round": ({"round": 2}, "found A in both rounds"),
    "another case": ({"annotator": "a"}, "names that differ by more than case, found A and a"),
}


@pytest.mark.parametrize("command", ["agree", "import", "export"])
@pytest.mark.parametrize("name", EDITED)
def test_annotations_that_somebody_has_edited_are_refused_with_their_line(study, evidial, name, command):
    change, said = EDITED[name]
    rows = [one.to_dict() for name in "AB" for one in study.says(name, study.truth)]
    rows[4] |= change
    write_jsonl(study.folder / "first.jsonl", rows)
    study.form_file(study.says("D", study.truth), "D.json")
    rest = {"agree": ("agree", "first.jsonl", "--key", "key.jsonl"),
            "import": ("import", "D.json", "--annotations", "first.jsonl", "--key", "key.jsonl", "-o", "o.jsonl"),
            "export": ("export", "key.jsonl", "--third", "C", "--annotations", "first.jsonl", "-o", "out")}[command]
    status, out, err = evidial("human", *rest, *FILES)
    assert status == 2 and not out and "first.jsonl:5" in err and said in err and err.count("\n") == 1


@pytest.mark.parametrize("empty", ["first", "second", "both"])
def test_an_empty_reference_is_not_passed_over(study, evidial, empty):
    write_jsonl(study.folder / "first.jsonl", [one.to_dict() for name in "AB" for one in study.says(name, study.truth)])
    (study.folder / "empty.jsonl").write_text("", encoding="utf-8")
    files = {"first": ("empty.jsonl", "relca.jsonl"), "second": ("relca.jsonl", "empty.jsonl"),
             "both": ("empty.jsonl",)}[empty]
    status, out, err = evidial("human", "agree", "first.jsonl", "--key", "key.jsonl", *FILES,
                               *(part for file in files for part in ("--reference", file)))
    assert status == 2 and not out and "at least one cell in empty.jsonl, found none" in err


def test_names_that_differ_by_case_are_one_rule_everywhere(study, evidial):
    study.form_file(study.says("A", study.truth), "1.json")
    study.form_file(study.says("a", lambda one: "PARTIAL"), "2.json")
    status, _, err = evidial("human", "import", "1.json", "2.json", "--key", "key.jsonl", *FILES, "-o", "o.jsonl")
    assert status == 2 and "2.json: annotator: expected names that differ by more than case, found A and a" in err
    given = [*study.says("A", study.truth), *study.says("B", lambda one: "PARTIAL"),
             *study.says("C", lambda one: "CONFLICTING" if study.truth(one) == "ABSENT" else None, round=2)]
    write_jsonl(study.folder / "first.jsonl", [one.to_dict() for one in given])
    for name, said in (("a", "not annotated before"), ("c", "differs by more than case from C")):
        status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--third", name,
                                 "--annotations", "first.jsonl", "-o", "out")
        assert status == 2 and said in err


def test_answers_from_standard_input(study, evidial, monkeypatch):
    path = study.form_file(study.says("A", study.truth))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    status, _, err = evidial("human", "import", "-", "--key", "key.jsonl", *FILES, "-o", "o.jsonl")
    assert status == 0 and "A (round 1): 36 of 36 items answered" in err


def test_a_further_third_rater_is_asked_what_is_still_open(study, evidial):
    items = [one.item for one in study.key.cells][:5]
    given = [*study.says("A", lambda one: "PARTIAL"),
             *study.says("B", lambda one: "ABSENT" if one.item in items else "PARTIAL"),
             *study.says("C", lambda one: {items[0]: "ABSENT", items[1]: "CONFLICTING"}.get(one.item), round=2)]
    write_jsonl(study.folder / "all.jsonl", [one.to_dict() for one in given])
    asked = {}
    for name, more in (("C", 2), ("E", 1)):
        status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--third", name, "--annotations", "all.jsonl",
                                 "-o", "out")
        assert status == 0 and f"{more} more that differ are resolved, or judged by {name}, and not asked" in err
        page = (study.folder / "out" / f"{name}.round2.html").read_text(encoding="utf-8")
        asked[name] = {item for item in study.key.items if f'"{item}"' in page}
    assert asked == {"C": set(items[2:]), "E": set(items[1:])}
    study.form_file(study.says("E", lambda one: "ABSENT" if one.item in items[1:3] else None, round=2), "E.json")
    status, _, err = evidial("human", "import", "E.json", "--annotations", "all.jsonl", "--key", "key.jsonl", *FILES,
                             "-o", "o.jsonl")
    assert status == 0 and "E (round 2): 2 of 4 items answered, 2 missing" in err
    write_jsonl(study.folder / "all.jsonl", [one.to_dict() for one in given if one.item == items[0]])
    status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--third", "E", "--annotations", "all.jsonl",
                             "-o", "out")
    assert status == 2 and "no third rater has resolved" in err


def test_annotators_who_agree_leave_nothing_for_a_third(study, evidial):
    write_jsonl(study.folder / "first.jsonl", [one.to_dict() for name in "AB" for one in study.says(name, study.truth)])
    for name, said in (("C", "who differ"), ("A", "not annotated before")):
        status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--third", name,
                                 "--annotations", "first.jsonl", "-o", "out")
        assert status == 2 and said in err
