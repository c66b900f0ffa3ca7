from __future__ import annotations

import json

import pytest

from evidial_rules.contract import Reference, Vote
from evidial_rules.report import NOTICE
from evidial_rules.report.opinions import Opinions

pytest.importorskip("streamlit")


def test_the_grid_has_a_link_for_each_cell_with_its_state_as_a_word(workspace, page, talk):
    workspace(talk("d1", "I am tired"), talk("<d2>", "I am sad", instrument="BDI-II"))
    html = page.open().html
    assert '<a href="?dialogue=d1&amp;dimension=fatigue" title="d1, fatigue: SUFFICIENT_POS">' in html
    assert ">positive</span>" in html and ">absent</span>" in html
    assert html.count("<a href=\"?dialogue=") == 8 + 9 and "<d2>" not in html and "&lt;d2&gt;" in html
    assert page.test.caption[0].value == NOTICE


def test_the_grid_shows_who_disagrees(workspace, page, talk):
    votes = {("d1", "fatigue"): (Vote("d1", "fatigue", "a", "PARTIAL"), Vote("d1", "fatigue", "b", "ABSENT"))}
    workspace(talk("d1", "I am tired"), opinions=Opinions(votes=votes, gold={"d1": {"fatigue": "PARTIAL"}}))
    html = page.open().html
    assert "≠ raters, votes" in html and "gold partial" in html


def test_a_thousand_dialogues_are_shown_page_by_page_and_only_those_are_judged(workspace, page, talk):
    opened = workspace(*(talk(f"d{number}", "I am tired") for number in range(1000)))
    html = page.open(page="50").html
    assert opened.judged == 20 and "page 50 of 50" in html and "dialogue=d999&" in html and "dialogue=d1&" not in html
    assert 'href="?page=49"' in html


def test_filters_are_in_the_address_and_in_the_widgets(workspace, page, talk):
    opened = workspace(talk("d1", "I am tired"), talk("d2", "I am sad"))
    for name in opened.dialogues:
        opened.cells(name)
    html = page.open(state="SUFFICIENT_POS", only="fatigue").html
    assert "1 cell of 1 dialogue, filtered: state SUFFICIENT_POS; only fatigue" in html and "dialogue=d2" not in html
    assert page.test.multiselect(key="filter.state").value == ["SUFFICIENT_POS"]
    assert "state=SUFFICIENT_POS" in html.partition("dialogue=d1")[2]  # a cell's link keeps them

    page.test.multiselect(key="filter.only").set_value(["depressed_mood"])
    html = page.run().html
    assert "dialogue=d2" in html and "dialogue=d1" not in html
    assert page.test.query_params["only"] == "depressed_mood"
    page.test.text_input(key="filter.rule").set_value("fake.tired")
    assert "0 cells" in page.run().html


def test_a_cell_has_its_own_address(workspace, page, talk):
    opinions = Opinions(
        votes={("d1", "fatigue"): (Vote("d1", "fatigue", "<r1>", "ABSENT"),
                                   Vote("d1", "fatigue", "r2", None, False, "no JSON"))},
        references={("d1", "fatigue"): (Reference("d1", "fatigue", "PARTIAL", "relca", {"PARTIAL": 0.9, "ABSENT": 0.1},
                                                  0.33, 2),)},
        gold={"d1": {"fatigue": "SUFFICIENT_POS"}})
    workspace(talk("d1", "I am tired", "my brother is tired", scores={"fatigue": 2}), opinions=opinions)
    html = page.open(dialogue="d1", dimension="fatigue", state="PARTIAL").panes["cell"]
    for words in ("K(u) = {1}", "tired<small>f1 affirms</small>", "f2 excluded: subject", "about somebody else",
                  "rater &lt;r1&gt;", "no valid vote", "reason: no JSON", "reference relca", "PARTIAL 0.90", "gold",
                  "label of the dialogue", "Component coverage", "energy", "fake.tired", "rule set fake 7"):
        assert words in html, words
    nav = page.panes["cell.nav"]
    assert 'aria-current="page"' in nav and 'href="?state=PARTIAL"' in nav


def test_an_address_of_nothing_says_so(workspace, page, talk):
    workspace(talk("d1", "I am tired"))
    for address in ({"dialogue": "d9", "dimension": "sleep"}, {"dialogue": "d1", "dimension": "suicidal_ideation"},
                    {"dialogue": "d1"}):
        page.open(**address)
        assert "do not have" in page.test.error[0].value


def test_an_edit_is_judged_and_set_against_the_dialogue_as_it_was(workspace, page, talk):
    workspace(talk("d1", "I am tired", "hm"))
    page.open(dialogue="d1", dimension="fatigue")
    assert "moved" not in page.panes
    page.test.session_state["edits"]["d1"][0] = "my brother is tired"
    page.run()
    assert "Edited: turn 0" in page.panes["cell"] and "about somebody else" in page.panes["cell"]
    assert "SUFFICIENT_POS</span> → <span" in page.panes["moved"] and ">ABSENT<" in page.panes["moved"]
    next(button for button in page.test.button if button.label == "Undo all edits").click()
    page.run()
    assert "Edited" not in page.html and page.test.session_state["edits"]["d1"] == {}


def test_the_chosen_turn_stays_under_edits_until_another_is_chosen(workspace, page, talk):
    workspace(talk("d1", "hm", "I am tired", "yes", "so tired"))
    page.open(dialogue="d1", dimension="fatigue")
    box = page.test.selectbox(key="turn.d1.fatigue")
    assert box.value == 1 and "text.d1.1.0" in page.panes
    for text in ("I am tired again", "The weather is fine", ""):
        page.test.session_state["edits"]["d1"][1] = text
        page.run()
        box = page.test.selectbox(key="turn.d1.fatigue")
        assert box.value == 1 and box.options[1] == f"1 participant: {text}" and "text.d1.1.0" in page.panes
    box.set_value(2)
    page.run()
    page.run()
    assert page.test.selectbox(key="turn.d1.fatigue").value == 2 and "text.d1.2.0" in page.panes


def test_an_edited_cell_is_saved_with_the_state_it_must_have(workspace, page, talk, tmp_path):
    workspace(talk("d1", "I am tired"))
    path = tmp_path / "cases.jsonl"
    page.open(dialogue="d1", dimension="fatigue")
    page.test.session_state["edits"]["d1"][0] = "I am so tired"
    page.run()
    page.test.text_input(key="case.path").set_value(str(path))
    page.run()
    page.test.selectbox(key="case.state.d1.fatigue.SUFFICIENT_POS").set_value("PARTIAL")
    next(button for button in page.test.button if button.label == "Save this cell").click()
    page.run()
    row = json.loads(path.read_text())
    assert row["gold"] == {"fatigue": "PARTIAL"} and row["turns"][0]["text"] == "I am so tired"
    assert f"line 1 of {path}" in page.test.success[0].value

    page.test.text_input(key="case.path").set_value(str(tmp_path / "cases.txt"))
    page.run()
    next(button for button in page.test.button if button.label == "Save this cell").click()
    page.run()
    assert "ends in .jsonl" in page.test.error[0].value


def test_a_dialogue_is_typed(workspace, page, talk):
    workspace(talk("d1", "I am tired"))
    page.open(view="new", dimension="fatigue")
    page.test.session_state["typed"]["text"] = "Patient: I am tired"
    html = page.run().panes["new"]
    assert "typed · fatigue" in html and "SUFFICIENT_POS" in html
    page.test.session_state["typed"]["text"] = "Zebra: I am tired"
    page.run()
    assert "expected" in page.test.error[0].value and "tired" not in page.test.error[0].value


def test_a_dialogue_is_typed_on_from_one_that_is_open(workspace, page, talk):
    workspace(talk("d1", "I am tired", instrument="BDI-II"))
    page.open(dialogue="d1", dimension="fatigue")
    next(button for button in page.test.button if button.label.startswith("Edit the whole")).click()
    page.run()
    assert page.test.session_state["typed"]["text"] == "Participant: I am tired"
    assert page.test.query_params["view"] == "new" and "state and frames as before" in page.panes["moved"]
    page.test.session_state["typed"]["text"] += "\nParticipant: rested"
    assert "fatigue" in page.run().panes["moved"] and "1 frame added" in page.panes["moved"]


def test_an_unexpected_error_shows_no_words(workspace, page, talk, monkeypatch):
    opened = workspace(talk("d1", "I am tired"))

    def fail(dialogue):
        raise KeyError("I am tired")

    monkeypatch.setattr(opened.annotator, "cells", fail)
    page.open(dialogue="d1", dimension="fatigue")
    assert "unexpected KeyError" in page.test.error[0].value and "tired" not in page.test.error[0].value
