"""The table of a panel's votes."""
from __future__ import annotations

import numpy as np
import pytest

from evidial_rules.contract import DIMENSION_GROUPS, DIMENSIONS, Dialogue, Vote
from evidial_rules.corpora import MISSING, VotesError, vote_table
from evidial_rules.errors import DuplicateCell, EvidialError


def talk(name: str, person: str | None = None, source: str | None = None) -> Dialogue:
    return Dialogue(dialogue_id=name, participant_id=person, source=source, language="en", instrument="PHQ-8",
                    turns=[{"speaker": "participant", "text": "hello"}])


def votes(*rows: tuple[str, str, str, str | None]) -> list[Vote]:
    return [Vote(d, dim, rater, state, valid=state is not None, reason=None if state else "no JSON")
            for d, dim, rater, state in rows]


def test_rows_are_all_cells_of_the_dialogues():
    table = vote_table(votes(("b", "sleep", "x", "ABSENT"), ("a", "fatigue", "y", "PARTIAL")),
                       [talk("a", "p1", "S"), talk("b")])
    assert len(table) == 16 and table.raters == ("x", "y")
    row = table.cells.index(("a", "fatigue"))
    assert table.votes[row].tolist() == [MISSING, 1] and table.participants[row] == "p1" and table.sources[row] == "S"
    assert table.participants[table.cells.index(("b", "sleep"))] == "b"
    assert (table.votes != MISSING).sum() == 2


def test_an_invalid_vote_is_none_and_is_kept_apart_from_a_missing_one():
    table = vote_table(votes(("a", "sleep", "x", "ABSENT"), ("a", "fatigue", "x", None),
                             ("a", "fatigue", "y", "ABSENT")))
    assert table.votes.tolist() == [[0, MISSING], [MISSING, 0]]
    assert table.invalid.tolist() == [[False, False], [True, False]]
    assert table.counts.sum(axis=1).tolist() == [1, 1]


def test_participants_of_two_sources_are_two():
    table = vote_table(votes(("a", "sleep", "x", "ABSENT")),
                       [talk("a", "1", "S"), talk("b", "1", "T"), talk("c", "1", "S")])
    a, b, c = (table.clusters[table.cells.index((name, "sleep"))] for name in "abc")
    assert a == c != b
    assert table.strata.tolist() == [0] * 8 + [1] * 8 + [0] * 8


def test_columns_and_rows_are_chosen_by_name_and_number():
    table = vote_table(votes(("a", "sleep", "x", "ABSENT"), ("a", "sleep", "y", "PARTIAL"),
                             ("b", "sleep", "x", "PARTIAL")))
    assert table.only(["y", "x"]).votes.tolist() == [[1, 0], [MISSING, 1]]
    assert table.without("x").raters == ("y",)
    assert table.rows([1]).cells == (("b", "sleep"),)
    assert table.rows(np.array([True, False])).votes.tolist() == [[0, 1]]
    with pytest.raises(VotesError, match="one of x, y"):
        table.column("z")
    with pytest.raises(ValueError):
        table.votes[0, 0] = 1


@pytest.mark.parametrize(("rows", "dialogues", "kind", "words"), [
    ([("a", "suicidal_ideation", "x", "ABSENT")], ["a"], VotesError, "a cell of the dialogues"),
    ([("z", "sleep", "x", "ABSENT")], ["a"], VotesError, "a cell of the dialogues"),
    ([("a", "sleep", "x", "ABSENT")] * 2, ["a"], DuplicateCell, "one vote on .a. sleep"),
    ([("a", "sleep", "x", "ABSENT"), ("a", "sleep", "y", None)], ["a"], VotesError, "at least one valid vote"),
    ([], ["a"], VotesError, "at least one vote"),
])
def test_votes_that_do_not_fit_are_refused(rows, dialogues, kind, words):
    with pytest.raises(kind, match=words) as caught:
        vote_table(votes(*rows), [talk(name) for name in dialogues])
    assert isinstance(caught.value, EvidialError)


def test_only_the_raters_that_are_named_are_read():
    rows = votes(("a", "sleep", "x", "ABSENT"), ("a", "sleep", "y", None))
    assert vote_table(rows, raters=["x"]).raters == ("x",)


def test_each_dimension_has_a_group():
    assert set(DIMENSION_GROUPS) == set(DIMENSIONS)


def test_a_raters_votes_can_be_blanked_on_some_rows():
    table = vote_table(votes(("a", "sleep", "x", "ABSENT"), ("b", "sleep", "x", "PARTIAL"), ("a", "sleep", "y", None),
                             ("b", "sleep", "y", "ABSENT")))
    some = table.blank("x", [True, False])
    assert some.votes.tolist() == [[MISSING, MISSING], [1, 0]] and table.votes.tolist() == [[0, MISSING], [1, 0]]
    assert some.raters == ("x", "y") and some.invalid.tolist() == table.invalid.tolist()
    assert table.blank("x", [0, 1]).raters == ("y",)  # none is left, and neither is the column
    with pytest.raises(VotesError, match="votes beside those of 'y'"):
        table.blank("x", [0, 1]).blank("y", [True, True])
