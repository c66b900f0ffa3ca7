from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.app.filters import (
    DISAGREEMENTS,
    NO_SOURCE,
    Filters,
    Found,
    Row,
    cell_address,
    disagreements,
    find,
    neighbours,
    on_page,
)
from evidial_rules.contract import DIMENSIONS, OPERATIONS, STATES, Reference, Vote
from evidial_rules.report.opinions import Opinions

some = {name: st.lists(st.sampled_from(values), unique=True).map(tuple) for name, values in {
    "state": STATES, "only": DIMENSIONS, "disagree": tuple(DISAGREEMENTS), "operation": OPERATIONS,
    "source": ("E-DAIC", "a & b", NO_SOURCE)}.items()}
words = st.text("en.sleep+ &=?%", max_size=8).map(str.strip)


@given(st.builds(Filters, rule=words, find=words, page=st.integers(1, 99), **some))
def test_the_address_says_all_of_the_filters(filters):
    assert Filters.of(filters.address()) == filters


@given(st.dictionaries(st.sampled_from(["state", "page", "rule", "only", "x"]),
                       st.lists(st.text(max_size=5), min_size=1)))
def test_any_address_gives_filters(address):
    filters = Filters.of(address)
    assert set(filters.state) <= set(STATES) and filters.page >= 1


@pytest.fixture
def opened(workspace, talk):
    opinions = Opinions(
        votes={("d1", "fatigue"): (Vote("d1", "fatigue", "a", "PARTIAL"), Vote("d1", "fatigue", "b", "SUFFICIENT_POS"),
                                   Vote("d1", "fatigue", "c", None, False, "nothing usable")),
               ("d2", "sleep"): (Vote("d2", "sleep", "a", "PARTIAL"), Vote("d2", "sleep", "b", "PARTIAL"))},
        references={("d1", "sleep"): (Reference("d1", "sleep", "UNRESOLVED", "m", {}, 0.0, 2),),
                    ("d2", "fatigue"): (Reference("d2", "fatigue", "PARTIAL", "m", {}, 0.0, 2),)},
        gold={"d1": {"fatigue": "SUFFICIENT_POS"}, "d3": {"depressed_mood": "ABSENT"}})
    return workspace(talk("d1", "I am tired", source="X"), talk("d2", "my brother is tired", source="X"),
                     talk("d3", "I was sad", "rested yesterday"), opinions=opinions)


def cells(found):
    return [(row.dialogue.dialogue_id, one) for row in found.rows for one in row.dimensions]


@pytest.mark.parametrize(("filters", "expected"), [
    (Filters(state=("SUFFICIENT_POS",)), [("d1", "fatigue"), ("d3", "depressed_mood")]),
    (Filters(state=("SUFFICIENT_POS", "PARTIAL"), only=("fatigue",)), [("d1", "fatigue"), ("d3", "fatigue")]),
    (Filters(source=(NO_SOURCE,), only=("sleep",)), [("d3", "sleep")]),
    (Filters(operation=("subject",)), [("d2", "fatigue")]),
    (Filters(rule="fake.yest"), [("d3", "fatigue")]),
    (Filters(rule="yesterday"), []),
    (Filters(disagree=("raters",)), [("d1", "fatigue")]),
    (Filters(disagree=("rules",)), [("d1", "fatigue"), ("d2", "sleep")]),
    (Filters(disagree=("reference",)), [("d2", "fatigue")]),
    (Filters(disagree=("gold", "reference")), [("d2", "fatigue"), ("d3", "depressed_mood")]),
    (Filters(find="D2", only=("sleep",)), [("d2", "sleep")]),
    (Filters(state=("CONFLICTING",)), []),
])
def test_filters(opened, filters, expected):
    for name in opened.dialogues:
        opened.cells(name)
    assert cells(find(opened, filters)) == expected


def test_what_is_not_judged_waits_where_cells_are_needed(opened):
    opened.cells("d3")
    found = find(opened, Filters(state=("SUFFICIENT_POS",)))
    assert cells(found) == [("d3", "depressed_mood")] and found.waiting == 2
    assert find(opened, Filters()).cells == 24
    assert cells(find(opened, Filters(disagree=("raters",)))) == [("d1", "fatigue")]
    assert list(disagreements(opened, opened.dialogues["d1"], "fatigue")) == ["raters"]


def test_neighbours_are_those_that_pass(opened, talk):
    rows = (Row(opened.dialogues["d1"], ("sleep", "fatigue")), Row(opened.dialogues["d3"], ("sleep",)))
    found = Found(rows)
    assert neighbours(found, "d1", "fatigue") == (("d1", "sleep"), ("d3", "sleep"))
    assert neighbours(found, "d1", "sleep")[0] is None and neighbours(found, "d3", "sleep")[1] is None
    assert neighbours(found, "d2", "sleep") == (None, None)


@given(st.integers(0, 60), st.integers(1, 9), st.integers(1, 7))
def test_pages_hold_every_row_once(n, page, size):
    found = Found(tuple(Row(number, ()) for number in range(n)))
    rows, shown, pages = on_page(found, page, size)
    assert 1 <= shown <= pages and len(rows) <= size
    every = [row for number in range(1, pages + 1) for row in on_page(found, number, size)[0]]
    assert every == list(found.rows) and (not n or rows)


def test_an_address_escapes_what_an_id_holds():
    assert cell_address('a&b="x"', "sleep", Filters()) == "?dialogue=a%26b%3D%22x%22&dimension=sleep"
