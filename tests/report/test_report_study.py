"""The report of a study: hand-made folders with figures computed by hand, what is missing, and what is broken."""
from __future__ import annotations

import csv
import html
import json
import re
import shutil

import pytest

from evidial_rules import cli
from evidial_rules.errors import EvidialError
from evidial_rules.report.study import (
    Chart,
    Measures,
    Missing,
    Section,
    Settings,
    Sheet,
    Value,
    charts,
    measure,
    read_folder,
    study_page,
    write_study,
)
from evidial_rules.report.study import sheets as made
from evidial_rules.report.study.charts import STATE_LOOKS, series_look, stacked
from evidial_rules.report.study.values import Column
from evidial_rules.resources import load_instrument, resource

PHQ, HAMD = load_instrument("PHQ-8").ordered, load_instrument("HAMD-17").ordered
SECRET = "I cried all night, my locker code is 4711"
QUICK, FEW = Settings(replicates=200), Settings(replicates=10)


def write(folder, name, rows):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def dialogue(name, source, language, instrument, scores, turns=3):
    return {"dialogue_id": name, "participant_id": name, "source": source, "language": language,
            "instrument": instrument, "turns": [{"speaker": "participant", "text": SECRET}] * turns, "scores": scores}


def cells(name, dimensions, states):
    return [{"dialogue_id": name, "dimension": dimension, "state": state}
            for dimension, state in zip(dimensions, states, strict=True)]


E1 = ["SUFFICIENT_POS", "ABSENT", "PARTIAL", "ABSENT", "CONFLICTING", "SUFFICIENT_NEG", "ABSENT", "UNRESOLVED"]
E2 = ["ABSENT"] * 8
P1 = ["SUFFICIENT_POS"] * 6 + ["PARTIAL", "ABSENT"]


@pytest.fixture
def study(tmp_path):
    """Three participants, two sources, 24 cells; two models on four planned cells; two raters; eleven anchors."""
    folder = tmp_path / "study"
    write(folder, "dialogues.jsonl", [
        dialogue("e1", "E-DAIC", "en", "PHQ-8", dict(zip(PHQ, [1, 0, 2, 0, 1, 1, 0, 3], strict=True))),
        dialogue("e2", "E-DAIC", "en", "PHQ-8", dict.fromkeys(PHQ, 0) | {PHQ[0]: None}, turns=7),
        dialogue("p1", "精神科", "zh", "HAMD-17", dict.fromkeys(HAMD, 1), turns=10)])
    reference = [row for name, dims, states in (("e1", PHQ, E1), ("e2", PHQ, E2), ("p1", HAMD, P1))
                 for row in cells(name, dims, states)]
    write(folder, "reference.jsonl", [row | {"method": "relca"} for row in reference])
    write(folder, "reference-plurality.jsonl", [
        row | {"method": "plurality", "state": "UNRESOLVED" if row["state"] == "PARTIAL" else
               "PARTIAL" if row["state"] == "CONFLICTING" else row["state"]} for row in reference])
    plan = [("e1", PHQ[0]), ("e1", PHQ[1]), ("e1", PHQ[5]), ("e1", PHQ[7])]
    write(folder, "plan.jsonl", [{"dialogue_id": name, "dimension": dim, "split": "dev"} for name, dim in plan])
    # Labels 1, 0, 1, 1; evidence POS, ABSENT, NEG, UNRESOLVED.
    said = {("qwen", "B0"): [1, 0, 1, 1], ("qwen", "B2"): [1, None, 1, None], ("gpt", "B0"): [0, 0, 1, 1]}
    write(folder, "predictions.jsonl", [
        {"dialogue_id": name, "dimension": dim, "model": model, "method": method,
         "status": "abstained" if answer is None else "answered", "prediction": answer}
        for (model, method), answers in said.items() for (name, dim), answer in zip(plan, answers, strict=True)])
    votes = [row | {"rater": "a"} for row in cells("e1", PHQ, ["PARTIAL"] * 4 + ["ABSENT"] * 4)]
    votes += [row | {"rater": "a"} for row in cells("e2", PHQ, ["ABSENT"] * 7 + ["PARTIAL"])]
    votes += [row | {"rater": "b"} for row in cells("e1", PHQ, ["PARTIAL"] * 3 + ["ABSENT"] * 5)]
    votes += [row | {"rater": "b"} for row in cells("p1", HAMD, ["SUFFICIENT_POS"] * 6 + ["ABSENT", "PARTIAL"])]
    write(folder, "votes.jsonl", votes)
    write(folder, "cells.jsonl", cells("e2", PHQ, ["ABSENT"] * 8))
    write(folder, "gold.jsonl", [{"dialogue_id": "e2", "gold": dict.fromkeys(PHQ, "ABSENT") | {"sleep": "PARTIAL"}}])
    write(folder, "anchors.jsonl", [
        dialogue(f"x{i}", "E-DAIC", "en", "PHQ-8", {}) | {"anchor": {
            "class": "P4-op", "dimension": "sleep", "expected": "SUFFICIENT_POS", "base_id": f"b{i % 3}"}}
        for i in range(11)])
    write(folder, "anchor_votes.jsonl", [
        {"dialogue_id": f"x{i}", "dimension": "sleep", "rater": "claude",
         "state": "SUFFICIENT_POS" if i in (0, 4) else "ABSENT"} for i in range(10)])
    people = [("e1", PHQ[0], "SUFFICIENT_POS"), ("e1", PHQ[1], "ABSENT"), ("e1", PHQ[5], "SUFFICIENT_POS"),
              ("e1", PHQ[4], "CONFLICTING"), ("p1", HAMD[6], "PARTIAL")]
    people += [(f"x{i}", "sleep", "SUFFICIENT_POS" if i else "ABSENT") for i in range(5)]
    write(folder, "human.jsonl", [{"dialogue_id": name, "dimension": dim, "state": state, "method": "human"}
                                  for name, dim, state in people])
    return folder


@pytest.fixture
def measured(study):
    return measure(read_folder(study), QUICK)


@pytest.fixture
def undrawn(monkeypatch):
    """Charts with their table and words alone: drawing takes most of the time, and other tests look at it."""
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(charts, "_chart", lambda sheet, alt, height, draw: Chart(sheet, alt, b"<svg/>", b"png"))


def by(sheet, *names):
    """Rows of a sheet as dicts, by the entries of some columns."""
    assert isinstance(sheet, Sheet), sheet
    heads = [column.name for column in sheet.columns]
    rows = [dict(zip(heads, row, strict=True)) for row in sheet.rows]
    return {tuple(row[name] for name in names): row for row in rows}


# -- Golden values ----------------------------------------------------------------------------------------------------


def test_table_2_counts_votes_by_language(measured):
    rows = by(made.coverage(measured), "rater", "language")
    assert [rows["a", part]["votes"] for part in ("all", "en", "zh")] == [16, 16, 0]
    assert [rows["b", part]["cells"] for part in ("all", "en", "zh")] == [24, 16, 8]
    assert rows["b", "all"]["coverage"].value == pytest.approx(16 / 24)
    # Of three participants b leaves one out: a draw has none to three of the others.
    assert rows["b", "all"]["coverage"].low < 1 / 2 and rows["b", "all"]["coverage"].high == 1
    assert rows["a", "zh"]["coverage"].value == 0


def test_references_by_their_coverage(measured):
    rows = by(made.references(measured), "reference")
    assert rows[("relca",)]["resolved"] == 23 and rows[("plurality",)]["resolved"] == 21
    assert rows[("relca",)]["not sufficient"].value == pytest.approx(15 / 24)
    assert rows[("rules (cells.jsonl)",)]["cells"] == 8
    [change] = made.changes(measured).rows
    # The two PARTIAL cells have no state by plurality, and the CONFLICTING one another.
    assert change[:5] == ("relca", "plurality", 24, 21, 1) and change[5].value == pytest.approx(20 / 21)


def test_figures_2_and_3_have_every_source_and_dimension(measured):
    rows = by(made.by_source(measured), "source")
    assert list(rows) == [("all",), ("E-DAIC",), ("精神科",)]
    assert rows[("精神科",)]["positive"].value == 0.75 and rows[("E-DAIC",)]["absent"].value == 11 / 16
    assert rows[("E-DAIC",)]["unres."].value == 1 / 16
    # Participants of E-DAIC are one with 3 and one with 8 absent cells: a draw gives 3/8, 11/16 or 1.
    assert (rows[("E-DAIC",)]["absent"].low, rows[("E-DAIC",)]["absent"].high) == (3 / 8, 1)
    dimensions = by(made.by_dimension(measured), "dimension")
    assert dimensions[("sleep",)]["cells"] == 3 and dimensions[("suicidal_ideation",)]["cells"] == 1
    labels = made.by_label(measured)
    assert by(labels, "label")[("positive",)]["cells"] == 5 + 8
    assert any("sufficient" not in note and "positive 1.00" in note for note in labels.notes)


def test_table_3_counts_the_unsupported(measured):
    row = by(made.audited(measured, "a"), "model", "method")["qwen", "B0"]
    # All four are right: one supported, one absent (U), one against the evidence (D), one unresolved (R).
    assert [row[name] for name in ("N", "C", "U", "D", "R")] == [4, 4, 1, 1, 1]
    assert row["UCR"].value == pytest.approx(2 / 3) and row["hit caliber"].value == pytest.approx(2 / 3)
    assert (row["UCR at least"].value, row["UCR at most"].value) == (0.5, 0.75)
    selective = by(made.audited(measured, "b"), "model", "method")
    assert list(selective) == [("qwen", "B2")] and selective["qwen", "B2"]["abstained"].value == 0.5
    assert isinstance(made.audited(measured, "other"), Missing)
    joint = by(made.joint(measured), "method", "set")
    assert joint["B0", "intersection"]["cells"] == 3 and joint["B0", "union"]["cells"] == 4


def test_table_3c_is_the_panels(measured):
    rows = by(made.panel_quality(measured), "figure")
    # Both voted on the eight cells of e1, and differ on one.
    assert rows[("observed agreement",)]["n"] == 8
    assert rows[("observed agreement",)]["by state"].value == pytest.approx(7 / 8)
    assert rows[("participation ratio",)]["by assessability"].value is not None


def test_table_4_and_6_count_anchors(measured):
    rows = by(made.modes(measured), "mode", "rater")
    row = rows["F1", "claude"]
    assert [row[name] for name in ("anchors", "valid votes", "recovered", "gate")] == [11, 10, 2, "not passed"]
    assert row["share"].value == pytest.approx(2 / 11)
    assert row["lower bound"].value == pytest.approx(0.0719, abs=1e-4)  # of Beta(3, 10)
    # Hits lie in the bases b0 and b1, none in b2.
    assert row["share"].low == 0 and row["share"].high == pytest.approx(1 / 4, abs=0.02)
    assert rows["F2", "claude"]["share"].value is None and rows["F2", "claude"]["gate"] == "too few"
    classes = by(made.classes(measured), "class")
    assert classes[("P4-op",)]["anchors"] == 11 and classes[("P4-op",)]["recovered by claude"] == "2/11"
    assert classes[("P8",)]["failure mode"] == "F2, F6" and classes[("P8",)]["expected final state"] == "PARTIAL"
    assert len(classes) == 12


def test_table_5_counts_transcripts(measured):
    rows = by(made.corpora(measured), "source")
    row = rows[("E-DAIC",)]
    assert (row["transcripts"], row["median segments"], row["segment range"]) == (2, "5", "3–7")
    # e2 has no score of one dimension, so no total.
    assert (row["totals"], row["median total"], row["total range"]) == (1, "8", "8–8")
    assert rows[("精神科",)]["median total"] == "8"


def test_figure_5_sets_people_beside(measured):
    rows = by(made.human_agreement(measured), "reference", "true state")
    assert rows["relca", "all"]["cells"] == 5
    assert rows["relca", "all"]["exact agreement"].value == pytest.approx(4 / 5)
    assert rows["relca", "SUFFICIENT_POS"]["exact agreement"].value == 0.5
    # The PARTIAL cell is unresolved by plurality.
    assert rows["plurality", "all"]["cells"] == 4
    assert rows["plurality", "CONFLICTING"]["exact agreement"].value == 0
    anchors = by(made.human_anchors(measured), "mode", "rater")
    # People were shown five of the eleven.
    assert (anchors["F1", "human"]["anchors"], anchors["F1", "human"]["recovered"]) == (5, 4)
    assert (anchors["F1", "claude"]["anchors"], anchors["F1", "claude"]["who"]) == (11, "judge")
    assert not made.modes(measured).column("rater").count("human")
    rescored = made.rescored(measured)
    row = by(rescored, "model", "method")["qwen", "B0"]
    # On three cells, all right: by the reference one absent and one opposite, by people one absent alone.
    assert (row["N"], row["by the reference"].value, row["by people"].value) == (
        3, pytest.approx(2 / 3), pytest.approx(1 / 3))
    # qwen B2: of two right ones none instead of one; gpt B0: of two right ones one instead of two.
    assert rescored.notes == ("Absolute change over 3 conditions: mean 44.4%, maximum 50.0%.",)


def test_annotators_are_people_by_their_name(study):
    """`evidial human import` writes what each said of the anchors as votes of human-NAME."""
    write(study, "anchor_votes-people.jsonl", [
        {"dialogue_id": f"x{i}", "dimension": "sleep", "rater": "human-B", "state": "SUFFICIENT_POS"} for i in (1, 2)])
    found = measure(read_folder(study), QUICK)
    anchors = by(made.human_anchors(found), "mode", "rater")
    assert [anchors["F1", "human-B"][name] for name in ("who", "anchors", "recovered")] == ["people", 2, 2]
    assert set(made.modes(found).column("rater")) == {"claude"}


def test_votes_may_lie_in_several_files(study):
    rows = cells("e2", PHQ, ["ABSENT"] * 8)
    write(study, "votes-more.jsonl", [row | {"rater": "b"} for row in rows])
    assert by(made.coverage(measure(read_folder(study), FEW)), "rater", "language")["b", "all"]["votes"] == 24
    write(study, "votes-more.jsonl", [row | {"rater": "a"} for row in rows])
    with pytest.raises(EvidialError, match=r"votes-more.*one of 'a' again"):
        read_folder(study)


def test_gold_is_set_beside_every_source_of_states(measured):
    rows = by(made.gold_agreement(measured), "states", "true state")
    assert rows["the rule judge's cells", "all"]["exact agreement"].value == 7 / 8
    assert rows["reference relca", "PARTIAL"]["exact agreement"].value == 0
    assert rows["votes of a", "all"]["cells"] == 8 and ("votes of b", "all") not in rows


def test_the_same_figures_as_the_other_commands(measured, study, tmp_path):
    """Nothing is computed anew: `score` and `gaps` give what the tables hold."""
    out = tmp_path / "score.json"
    assert cli.run(["score", str(study / "predictions.jsonl"), "--reference", str(study / "reference.jsonl"),
                    "--dialogues", str(study / "dialogues.jsonl"), "--plan", str(study / "plan.jsonl"),
                    "--replicates", "200", "-o", str(out)]) == 0
    scored = {(row["model"], row["method"]): row for row in json.loads(out.read_text())["conditions"]}
    for key, row in by(made.conditions(measured), "model", "method").items():
        assert row["UCR"] == Value.of(scored[key]["ucr"], scored[key]["ucr_ci"])
    assert cli.run(["gaps", str(study / "reference.jsonl"), "--dialogues", str(study / "dialogues.jsonl"),
                    "--replicates", "200", "-o", str(out)]) == 0
    first = json.loads(out.read_text())["rows"][0]
    row = by(made.by_source(measured), "source")[("all",)]
    assert row["absent"] == Value.of(first["shares"]["ABSENT"], first["shares_ci"]["ABSENT"])
    assert row["not sufficient"] == Value.of(first["not_sufficient"]["share"], first["not_sufficient"]["ci"])


# -- What is missing --------------------------------------------------------------------------------------------------

NEEDS = {
    "votes": {"table-2": "votes.jsonl", "table-3c": "votes.jsonl"},
    "reference": {"table-3a": "reference.jsonl", "figure-4": "reference.jsonl", "figure-5a": "reference.jsonl",
                  "figure-5c": "reference.jsonl", "references": "reference.jsonl"},
    "dialogues": {"figure-2": "dialogues.jsonl", "figure-3": "dialogues.jsonl", "table-5": "dialogues.jsonl"},
    "predictions": {"table-3b": "predictions.jsonl", "figure-4": "predictions.jsonl"},
    "anchors": {"table-4": "anchors.jsonl", "figure-5b": "anchors.jsonl"},
    "anchor_votes": {"table-4": "anchor_votes.jsonl"},
    "human": {"figure-5a": "human.jsonl", "figure-5c": "human.jsonl",
              "figure-5b": "people's votes on anchors (human-NAME in anchor_votes.jsonl)"},
    "gold": {"gold": "gold.jsonl"}, "plan": {}, "cells": {},
}


@pytest.mark.parametrize("kind", NEEDS)
def test_a_missing_input_is_named_where_its_table_would_stand(undrawn, study, kind):
    for one in study.glob(f"{kind}*.jsonl"):
        if one.stem == kind or one.stem.startswith("reference-"):
            one.unlink()
    place, found = write_study(study, settings=FEW)
    items = {item.sheet.key if isinstance(item, Chart) else item.key: item for one in found for item in one.items}
    page = place.read_text(encoding="utf-8")
    for key, needed in NEEDS[kind].items():
        assert isinstance(items[key], Missing) and needed in items[key].needs, key
        stands = page[page.index(f'<h3 id="{key}">'):]
        assert needed in html.unescape(stands[:stands.index("</div>")])
        assert not (place.parent / f"{key}.csv").exists()
    if kind in ("plan", "cells"):
        assert not any(isinstance(item, Missing) for item in items.values())


@pytest.mark.parametrize("only", ["dialogues", "cells", "votes", "reference", "plan", "predictions", "anchors",
                                  "anchor_votes", "human", "gold"])
def test_any_one_file_alone_makes_a_page(undrawn, study, tmp_path, only):
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(study / f"{only}.jsonl", alone)
    place, found = write_study(alone, settings=FEW)
    assert sum(isinstance(item, Missing) for one in found for item in one.items) >= 10
    assert "Table 6" in place.read_text(encoding="utf-8")


def test_an_empty_file_is_as_good_as_none(undrawn, study):
    for one in study.glob("*.jsonl"):
        one.write_text("")
    place, found = write_study(study, settings=FEW)
    made_ones = [item for one in found for item in one.items if not isinstance(item, Missing)]
    assert [item.key for item in made_ones] == ["table-6"]
    assert "Not in the folder, or empty: dialogues.jsonl" in place.read_text(encoding="utf-8")


def test_votes_of_one_rater_and_dialogues_without_scores(study):
    write(study, "votes.jsonl", [row | {"rater": "a"} for row in cells("e1", PHQ, ["ABSENT"] * 8)])
    rows = [json.loads(line) for line in (study / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()]
    write(study, "dialogues.jsonl", [{key: value for key, value in row.items() if key != "scores"} for row in rows])
    measured = measure(read_folder(study), QUICK)
    assert made.panel_quality(measured) == Missing(
        "table-3c", "Table 3 (c). Agreement and dependence of the panel", ("votes of two raters or more",))
    assert "native scores" in made.audited(measured, "a").needs[0]
    assert "native scores" in made.by_label(measured).needs[0]
    assert "native score" in made.rescored(measured).needs[0]
    assert by(made.corpora(measured), "source")[("E-DAIC",)]["median total"] is None


def test_a_rater_without_a_valid_vote_is_named_and_left_out(study):
    with open(study / "votes.jsonl", "a") as stream:
        for dimension in PHQ:
            stream.write(json.dumps({"dialogue_id": "e1", "dimension": dimension, "rater": "c", "state": None,
                                     "valid": False, "reason": "no_json"}) + "\n")
    sheet = made.coverage(measure(read_folder(study), QUICK))
    assert "c" not in sheet.column("rater") and any("c in en, 0 of 8 valid" in note for note in sheet.notes)


# -- Simulated --------------------------------------------------------------------------------------------------------


def test_simulated_data_are_marked_by_name_by_folder_and_by_scores(undrawn, study):
    write(study, "votes.jsonl", [row | {"rater": rater} for rater in ("a", "simulated-x")
                                 for row in cells("e1", PHQ, ["ABSENT"] * 4 + ["PARTIAL"] * 4)])
    measured = measure(read_folder(study), QUICK)
    assert made.coverage(measured).simulated == ("votes.jsonl (simulated-x)",)
    # A reference beside simulated votes is taken to be made of them; the anchors are not.
    assert made.by_source(measured).simulated and made.audited(measured, "a").simulated
    assert not made.modes(measured).simulated and not made.corpora(measured).simulated
    assert made.coverage(measured).csv().splitlines()[1].endswith(",simulated")
    inside = study / "simulated"
    inside.mkdir()
    (study / "anchor_votes.jsonl").rename(inside / "anchor_votes.jsonl")
    shutil.copy(resource("data", "dialogues.jsonl"), inside / "dialogues.jsonl")
    folder = read_folder(study)
    assert folder.simulated("anchor_votes") == ("simulated/anchor_votes.jsonl",)
    assert len(folder.dialogues) == 14  # the one inside stands in place of the other
    place, _ = write_study_of_anchors(study)
    page = place.read_text(encoding="utf-8")
    table = page[page.index('<h3 id="table-4">'):]
    assert '<span class="sim">simulated</span>' in table[:300]


def write_study_of_anchors(study):
    for one in study.glob("*.jsonl"):
        if one.stem != "anchors":
            one.unlink()
    return write_study(study, settings=FEW)


def test_the_simulated_scores_that_ship_are_known(tmp_path):
    from evidial_rules.corpora import read_dialogues
    from evidial_rules.report.demo import scored

    write(tmp_path / "s", "dialogues.jsonl", [
        one.to_dict() for one in scored(read_dialogues(resource("data", "dialogues.jsonl")))])
    assert read_folder(tmp_path / "s").simulated("dialogues") == ("the scores of dialogues.jsonl",)


def test_people_are_simulated_if_an_annotator_is(study):
    rows = [json.loads(line) for line in (study / "human.jsonl").read_text().splitlines()]
    write(study, "human.jsonl", [row | {"annotators": ["simulated-1", "simulated-2"]} for row in rows])
    assert read_folder(study).simulated("human")


# -- What is broken ---------------------------------------------------------------------------------------------------


@pytest.fixture
def evidial(capfd):
    def call(*arguments):
        status = cli.run([str(one) for one in arguments])
        out, err = capfd.readouterr()
        return status, out, err
    return call


def failed(result, *words):
    status, out, err = result
    assert status == 2 and not out and err.startswith("error: ") and err.count("\n") == 1, result
    assert "Traceback" not in err and "4711" not in err
    for word in words:
        assert word in err
    return True


@pytest.mark.parametrize("name", ["dialogues", "cells", "votes", "reference", "reference-plurality", "plan",
                                  "predictions", "anchors", "anchor_votes", "human", "gold"])
def test_a_line_that_is_none_is_told_with_file_and_line(study, evidial, name):
    path = study / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], '{"dialogue_id": "x", "state": "locker 4711"']), encoding="utf-8")
    assert failed(evidial("report", study), f"{name}.jsonl:2")
    path.write_text("\n".join([lines[0], json.dumps({"dialogue_id": "zz", "dimension": SECRET, "state": 7})]),
                    encoding="utf-8")
    assert failed(evidial("report", study), f"{name}.jsonl:2")
    assert not (study / "report").exists()


def test_files_that_do_not_belong_together(study, evidial):
    write(study, "votes.jsonl", [{"dialogue_id": "nobody", "dimension": "sleep", "rater": "a", "state": "ABSENT"}])
    assert failed(evidial("report", study), "a cell of the dialogues")
    write(study, "cells.jsonl", cells("nobody", PHQ, ["ABSENT"] * 8))
    (study / "votes.jsonl").unlink()
    assert failed(evidial("report", study), "cells: expected cells of the dialogues, found 'nobody'")


def test_folders_that_are_none(tmp_path, evidial, study):
    assert failed(evidial("report", tmp_path / "nowhere"), "the folder of a study")
    assert failed(evidial("report", study / "votes.jsonl"), "the folder of a study")
    (tmp_path / "empty").mkdir()
    assert failed(evidial("report", tmp_path / "empty"), "dialogues.jsonl", "gold.jsonl")
    shutil.copy(study / "anchor_votes.jsonl", study / "anchor-votes.jsonl")
    assert failed(evidial("report", study), "found both")
    (study / "anchor-votes.jsonl").unlink()
    shutil.copy(study / "reference.jsonl", study / "reference-other.jsonl")
    assert failed(evidial("report", study), "another method")


def test_outputs_that_cannot_be_written(undrawn, study, evidial, tmp_path):
    (tmp_path / "taken").write_text("")
    assert failed(evidial("report", study, "-o", tmp_path / "taken"), "taken")
    assert (tmp_path / "taken").read_text() == ""
    (tmp_path / "page.html").mkdir()
    assert failed(evidial("report", study, "-o", tmp_path / "page.html", "--replicates", 10), "page.html")


def test_without_matplotlib_the_extra_is_named(study, evidial, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert failed(evidial("report", study), "evidial-rules[report]")
    assert not (study / "report").exists()


# -- The page and its files -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo_page(tmp_path_factory):
    """The report of the shipped data: dialogues with simulated scores, votes and predictions."""
    pytest.importorskip("matplotlib")
    from evidial_rules.corpora import read_dialogues, read_votes, vote_table, write_jsonl
    from evidial_rules.fusion import fuse
    from evidial_rules.report.demo import scored

    folder = tmp_path_factory.mktemp("demo")
    people = scored(read_dialogues(resource("data", "dialogues.jsonl")))
    votes = list(read_votes(resource("data", "simulated", "votes.jsonl")))
    write_jsonl(folder / "dialogues.jsonl", people)
    for name in ("votes", "plan", "predictions"):
        shutil.copy(resource("data", "simulated", f"{name}.jsonl"), folder)
    write_jsonl(folder / "reference.jsonl", fuse(vote_table(votes, people), "plurality").references())
    shutil.copy(resource("data", "gold.jsonl"), folder)
    return write_study(folder, settings=QUICK)[0]


def files(folder):
    return {one.name: one.read_bytes() for one in folder.iterdir()}


def test_two_runs_give_the_same_bytes(study, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    copy = tmp_path / "elsewhere"
    shutil.copytree(study, copy)
    first, _ = write_study(study, settings=QUICK)
    second, _ = write_study(copy, tmp_path / "out" / "page.html", QUICK)
    assert (first.name, second.name) == ("index.html", "page.html")
    one, other = files(first.parent), files(second.parent)
    assert one.pop("index.html") == other.pop("page.html")
    assert one == other and {"figure-2.svg", "figure-2.png", "figure-2.csv", "table-3c.csv"} <= set(one)
    assert not any(name.endswith(".tmp") for name in one)
    # Without predictions nothing of the audit stays from before.
    (study / "predictions.jsonl").unlink()
    monkeypatch.setattr(charts, "_chart", lambda sheet, alt, height, draw: Chart(sheet, alt, b"<svg/>", b"png"))
    write_study(study, settings=FEW)
    assert not {"figure-4.svg", "table-3a.csv", "figure-5c.csv"} & set(files(first.parent))


def test_the_page_needs_nothing_from_elsewhere(demo_page):
    page = demo_page.read_text(encoding="utf-8")
    assert "http:" not in page and "https:" not in page and "<script" not in page and "<link" not in page
    assert re.findall(r'(?:src|href)="(?!data:image/svg|#)', page) == []
    images = re.findall(r"<img [^>]*>", page)
    assert len(images) == 3 and all(re.search(r'alt="[^"]{40,}"', one) for one in images)
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert anchors <= set(re.findall(r' id="([^"]+)"', page)) and "table-5" in anchors
    assert len(re.findall(r' id="([^"]+)"', page)) == len(set(re.findall(r' id="([^"]+)"', page)))
    # What is said of the states stays beside them, and nobody's words are in it.
    assert "not a diagnosis" in page and "Thanks for coming in" not in page


def test_names_are_escaped_and_no_formula_in_a_csv(study):
    pytest.importorskip("matplotlib")
    rows = [json.loads(line) for line in (study / "predictions.jsonl").read_text().splitlines()]
    write(study, "predictions.jsonl", [
        row | {"model": "<img src=x>" if row["model"] == "gpt" else "=2+5 $x^"} for row in rows])
    place, _ = write_study(study, settings=FEW)
    page = place.read_text(encoding="utf-8")
    assert "&lt;img src=x&gt;" in page and "<img src=x" not in page
    with open(place.parent / "table-3a.csv", encoding="utf-8", newline="") as stream:
        models = {row["model"] for row in csv.DictReader(stream)}
    assert models == {"<img src=x>", "'=2+5 $x^"}


def test_a_csv_has_figures_in_full_and_nothing_where_undefined():
    sheet = Sheet("k", "t", "c", (Column("who"), Column("n", "count"), Column("share", "percent"),
                                  Column("sigma", "figure", interval=False)),
                  (("甲", 3, Value(1 / 3, 0.25, 0.5), Value(None)), ("b", None, Value(0.0), Value(2e-7))))
    assert sheet.csv() == ("who,n,share,share low,share high,sigma\n"
                           "甲,3,0.333333,0.250000,0.500000,\nb,,0,,,0\n")
    assert [column.shown(entry) for column, entry in zip(sheet.columns, sheet.rows[0], strict=True)] == [
        "甲", "3", "33.3% [25.0, 50.0]", "-"]


def test_no_two_looks_are_alike():
    looks = [series_look(number) for number in range(36)]
    assert len({(one.color, one.hatch) for one in looks}) == 36
    hatches = {(one.hatch, one.color) for one in STATE_LOOKS.values()}
    assert len(hatches) == 6 and len({one.hatch for one in STATE_LOOKS.values()}) >= 5


def test_a_chart_says_in_words_what_it_shows(measured):
    pytest.importorskip("matplotlib")
    chart = stacked(made.by_source(measured))
    assert "精神科: absent 12.5%" in chart.alt and chart.png.startswith(b"\x89PNG") and b"<svg" in chart.svg
    assert b"<dc:date>" not in chart.svg and b"matplotlib" not in chart.png[:400].lower()


def test_a_section_may_be_missing_as_a_whole():
    page = study_page([Section("s", "Words", (Missing("m", "A table", ("votes.jsonl", "gold.jsonl")),))],
                      Measures(read_nothing(), QUICK).folder)
    assert "Not made: needs votes.jsonl and gold.jsonl." in page and "simulated" not in page.split("</style>")[1]


def read_nothing():
    from evidial_rules.report.study import Folder

    return Folder(())


def test_unknown_files_are_left_alone(study):
    (study / "notes.txt").write_text("4711")
    (study / "reference.txt").write_text("4711")
    (study / "votes.raw.jsonl").write_text("4711")
    (study / "plan-old.jsonl").write_text("4711")
    assert {one.kind for one in read_folder(study).files} == {
        "dialogues", "cells", "votes", "reference", "plan", "predictions", "anchors", "anchor_votes", "human", "gold"}


def test_parquet_is_read_too(study):
    from evidial_rules.corpora import read_votes, write_jsonl

    votes = list(read_votes(study / "votes.jsonl"))
    write_jsonl(study / "votes.parquet", votes)
    with pytest.raises(EvidialError, match="found both"):
        read_folder(study)
    (study / "votes.jsonl").unlink()
    assert len(read_folder(study).votes) == len(votes)


def test_the_command_says_what_it_made(undrawn, study, evidial, tmp_path):
    (study / "gold.jsonl").unlink()
    status, out, err = evidial("report", study, "-o", tmp_path / "out", "--replicates", 50,
                               "--exclude-source", "精神科")
    assert status == 0 and not err
    lines = out.splitlines()
    assert lines[0].startswith(f"{tmp_path / 'out' / 'index.html'}: ") and "18 tables and figures" in lines[0]
    assert lines[1:] == ["not made: States beside gold (needs gold.jsonl)"]
    with open(tmp_path / "out" / "table-2.csv", encoding="utf-8") as stream:
        assert {row["language"] for row in csv.DictReader(stream)} == {"all", "en"}
    assert failed(evidial("report", study, "--exclude-source", "nowhere"), "sources of the dialogues")
    assert evidial("report", "--help")[0] == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_a_browser_opens_the_page(browser, demo_page, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(demo_page.as_uri())
    assert not said
    assert {url.split(":")[0] for url in asked} <= {"file", "data"}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    images = page.locator("figure img")
    for number in range(images.count()):
        image = images.nth(number)
        image.scroll_into_view_if_needed()
        assert image.evaluate("one => one.complete && one.naturalWidth > 300")
        assert image.bounding_box()["width"] <= width
    # By keyboard: the first stop is the table of contents, and it leads where it says.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#files"
    page.locator('nav a[href="#table-5"]').focus()
    page.keyboard.press("Enter")
    assert page.locator("#table-5").is_visible() and page.url.endswith("#table-5")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1030, "height": 700})  # A4, landscape, without its margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 1030
    page.close()
