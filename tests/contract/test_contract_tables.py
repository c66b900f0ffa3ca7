"""Each row of the component tables (contract, section 1), written out here apart from the instrument files."""
from __future__ import annotations

import pytest

from evidial_rules.contract import ALL, COMPONENTS, DIMENSIONS, Frame, bind, judge, project
from evidial_rules.resources import load_instrument
from strategies import COMPONENT_TABLE, FINE_TABLE
from strategies import INSTRUMENTS as NAMES

WINDOWS = {"PHQ-8": 14, "HAMD-17": 7, "BDI-II": 14}
ITEM_TABLE = {
    "PHQ-8": {"anhedonia": [1], "depressed_mood": [2], "sleep": [3], "fatigue": [4], "appetite_weight": [5],
              "guilt_worthlessness": [6], "concentration": [7], "psychomotor": [8]},
    "HAMD-17": {"depressed_mood": [1], "guilt_worthlessness": [2], "suicidal_ideation": [3], "sleep": [4, 5, 6],
                "anhedonia": [7], "psychomotor": [8, 9], "appetite_weight": [12, 16], "fatigue": [13]},
    "BDI-II": {"depressed_mood": [1, 2, 10], "guilt_worthlessness": [5, 7, 8, 14], "suicidal_ideation": [9],
               "anhedonia": [4, 12], "sleep": [16], "fatigue": [15, 20], "appetite_weight": [18], "psychomotor": [11],
               "concentration": [13, 19]},
}


def test_the_fine_table_covers_the_inventory():
    named = {(dimension, fine) for fine, (dimension, *_) in FINE_TABLE.items()}
    assert {(d, f) for d, names in COMPONENTS.items() for f in names} - named == {
        ("sleep", "insomnia"), ("psychomotor", "slowed_thinking")}


@pytest.mark.parametrize("at, name", list(enumerate(NAMES)))
def test_window_dimensions_and_components(at, name):
    instrument = load_instrument(name)
    assert instrument.window_days == WINDOWS[name]
    expected = {d: row[at] for d, row in COMPONENT_TABLE.items() if row[at] is not None}
    assert {d: instrument.components(d) for d in instrument.ordered} == expected
    assert list(instrument.ordered) == [d for d in DIMENSIONS if d in expected]


@pytest.mark.parametrize("name", NAMES)
def test_item_map(name):
    assert load_instrument(name).items == ITEM_TABLE[name]


@pytest.mark.parametrize("at, name", list(enumerate(NAMES)))
@pytest.mark.parametrize("fine", FINE_TABLE)
def test_fine_component(fine, at, name):
    instrument = load_instrument(name)
    dimension, *rows = FINE_TABLE[fine]
    rule = rows[at]
    affirmed = Frame("f1", dimension, (fine,), "affirm")
    denied = Frame("f2", dimension, (fine,), "deny")
    if rule == "-":
        assert not bind(affirmed, instrument).kept
        assert dimension not in [cell.dimension for cell in judge([affirmed], instrument)]
        return
    yes = project([affirmed], instrument, dimension)
    no = project([denied], instrument, dimension)
    whole = {fine} if rule == "own" else {rule[1:]} if rule[0] == "=" else set()
    target = rule[1:] if rule[0] in "=>" else fine
    if rule == "?":
        assert (yes.state, yes.pos) == ("PARTIAL", ())
    else:
        assert (yes.state, yes.pos) == ("SUFFICIENT_POS", (target,))
    assert set(no.neg) == whole
    everything = whole == set(instrument.components(dimension))
    assert no.state == ("SUFFICIENT_NEG" if everything else "PARTIAL")


@pytest.mark.parametrize("name, covered, indicator", [
    ("PHQ-8", {"onset", "maintenance"}, False), ("HAMD-17", {"onset", "maintenance", "early_waking"}, False),
    ("BDI-II", {"insomnia"}, False),
])
def test_insomnia_is_a_coarser_name(name, covered, indicator):
    instrument = load_instrument(name)
    denied = project([Frame("f1", "sleep", ("insomnia",), "deny")], instrument, "sleep")
    assert set(denied.neg) == covered
    affirmed = Frame("f2", "sleep", ("insomnia",), "affirm")
    assert project([affirmed], instrument, "sleep").state == "SUFFICIENT_POS"
    # It is one of them, unnamed: the denial of one leaves the others.
    one = Frame("f3", "sleep", ("onset",), "deny")
    assert project([affirmed, one], instrument, "sleep").state == "SUFFICIENT_POS"
    each = Frame("f4", "sleep", tuple(covered), "deny")
    assert project([affirmed, each], instrument, "sleep").state == "CONFLICTING"


@pytest.mark.parametrize("name, dimension, component, denial", [
    ("PHQ-8", "concentration", "concentration", "SUFFICIENT_NEG"),
    ("BDI-II", "concentration", "concentration", "PARTIAL"),
    ("HAMD-17", "psychomotor", "retardation", "PARTIAL"),
])
def test_slowed_thinking_moves(name, dimension, component, denial):
    instrument = load_instrument(name)
    frame = Frame("f1", "psychomotor", ("slowed_thinking",), "affirm")
    found = {cell.dimension: cell for cell in judge([frame], instrument) if cell.frames}
    assert list(found) == [dimension]
    assert found[dimension].state == "SUFFICIENT_POS"
    assert project([frame], instrument, dimension).pos == (component,)
    assert project([frame.replace(polarity="deny")], instrument, dimension).state == denial


def test_a_split_frame_is_sure_of_neither_dimension(phq):
    frame = Frame("f1", "psychomotor", ("retardation", "slowed_thinking"), "affirm")
    states = {cell.dimension: cell.state for cell in judge([frame], phq)}
    assert (states["psychomotor"], states["concentration"]) == ("PARTIAL", "PARTIAL")
    denied = {cell.dimension: cell for cell in judge([frame.replace(polarity="deny")], phq)}
    assert denied["concentration"].state == "SUFFICIENT_NEG"
    assert project(denied["psychomotor"].frames, phq, "psychomotor").neg == ("retardation",)
    assert len({bound.frame.id for cell in denied.values() for bound in cell.frames}) == 2


def test_all_is_every_component_denied_and_one_affirmed(instrument):
    for dimension in instrument.ordered:
        denial = project([Frame("f1", dimension, (ALL,), "deny")], instrument, dimension)
        assert (denial.state, denial.k, denial.coverage) == ("SUFFICIENT_NEG", (0,), 1.0)
        assert denial.neg == instrument.components(dimension)
        affirmation = project([Frame("f1", dimension, (ALL,), "affirm")], instrument, dimension)
        assert (affirmation.state, affirmation.k) == ("SUFFICIENT_POS", (1,))
