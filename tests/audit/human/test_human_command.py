"""evidial human, from the draw to the figures, as a user runs it."""
from __future__ import annotations

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
    assert (status, err) == (0, "30 cells and 6 anchors\n")
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
    assert len(read_annotations(folder / "all.jsonl", study.key)) == 72 + differ
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


def test_annotators_who_agree_leave_nothing_for_a_third(study, evidial):
    write_jsonl(study.folder / "first.jsonl", [one.to_dict() for name in "AB" for one in study.says(name, study.truth)])
    for name, said in (("C", "who differ"), ("A", "not annotated before")):
        status, _, err = evidial("human", "export", "key.jsonl", *FILES, "--third", name,
                                 "--annotations", "first.jsonl", "-o", "out")
        assert status == 2 and said in err
