"""Cells and votes in again: JSON Lines and Parquet, bad lines, duplicates."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.contract import Cell, Vote, judge
from evidial_rules.corpora import (
    read_cell_rows,
    read_cells,
    read_judged_rows,
    read_votes,
    write_jsonl,
)
from evidial_rules.errors import DuplicateCell, FileFormatError, FrameError
from strategies import any_frames, instruments

SECRET = "the words that I said in confidence"
FRAME = {
    "id": "f1", "dimension": "sleep", "components": ["onset"], "polarity": "affirm", "turn": 1, "start": 0, "end": 5,
    "quote": SECRET, "verdicts": [{"operation": "subject", "kept": True, "reason": "about-participant", "rule": "r"}],
    "kept": True, "effective": {"components": ["onset"], "strength": "definite"},
}


def cell(ident="d1", **changes):
    return {"dialogue_id": ident, "dimension": "sleep", "state": "SUFFICIENT_POS", "k": [1], "frames": [FRAME],
            "contract": 1, "ruleset": {"name": "evidial", "version": "1.0"}} | changes


def vote(ident="d1", **changes):
    return {"dialogue_id": ident, "dimension": "sleep", "rater": "rules", "state": "SUFFICIENT_POS", "valid": True,
            "reason": None, "frames": [FRAME], "stated": None, "contract": 1} | changes


def write(path, *rows):
    path.write_bytes(b"".join(
        (row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode()) + b"\n" for row in rows))
    return path


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
@given(instrument=instruments(), frames=st.lists(any_frames(), max_size=5))
def test_cells_and_votes_come_back_as_they_were(tmp_path_factory, name, instrument, frames):
    path = tmp_path_factory.mktemp("round") / name
    cells = [Cell.from_dict(one.to_dict()) for one in judge(frames, instrument, dialogue_id="d1",
                                                            ruleset={"name": "evidial", "version": "2"})]
    write_jsonl(path, cells)
    assert list(read_cells(path)) == cells
    votes = [Vote(one.dialogue_id, one.dimension, rater, one.state, frames=one.frames, stated="PARTIAL")
             for rater in ("rules", "negex") for one in cells]
    votes.append(Vote("d2", "sleep", "llm/large", None, False, "no answer"))
    write_jsonl(path, votes)
    assert list(read_votes(path)) == votes


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_states_without_frames(tmp_path, name):
    bare = {"dialogue_id": "d1", "dimension": "sleep", "state": "PARTIAL", "k": [0, 1], "contract": 1}
    path = tmp_path / name
    write_jsonl(path, [bare, bare | {"dimension": "fatigue", "frames": []}])
    rows = [(row.data.get("frames"), found.frames) for row, found in read_cell_rows(path)]
    assert rows == [(None, ()), ([], ())]


def test_ids_that_are_numbers_are_text(tmp_path):
    path = write(tmp_path / "in.jsonl", cell(300))
    assert next(read_cells(path)).dialogue_id == "300"
    with pytest.raises(DuplicateCell):
        list(read_cells(write(tmp_path / "in.jsonl", cell(300), cell("300"))))


def test_one_cell_once_over_all_files(tmp_path):
    one, two = write(tmp_path / "1.jsonl", cell("a")), write(tmp_path / "2.jsonl", cell("b"), cell("a"))
    with pytest.raises(DuplicateCell) as caught:
        list(read_cells([one, two]))
    assert f"{two}:2: " in str(caught.value) and str(caught.value).endswith(f"{one}:1")
    assert len(list(read_cells(write(one, cell("a"), cell("a", dimension="fatigue"))))) == 2


def test_one_vote_a_rater_and_cell(tmp_path):
    path = write(tmp_path / "v.jsonl", vote(), vote(rater="negex"))
    assert [one.rater for one in read_votes(path)] == ["rules", "negex"]
    with pytest.raises(DuplicateCell, match="new to its rater"):
        list(read_votes(write(path, vote(), vote(rater="negex"), vote())))


BAD_CELLS = [
    (b"{", FileFormatError, "broken JSON"),
    (cell(state="GOOD"), FrameError, "cell.state: expected one of ABSENT"),
    (cell(dimension=None), FrameError, "cell.dimension: expected one of"),
    (cell(dialogue_id=" "), FrameError, "dialogue_id: expected text that is not empty"),
    (b'{"dialogue_id": "\\ud800", "dimension": "sleep", "state": "ABSENT"}', FrameError, "lone surrogates"),
    (cell(k=[2]), FrameError, "cell.k: expected"),
    (cell(frames=SECRET), FrameError, "cell.frames: expected a list, found a string of"),
    (cell(frames=[FRAME | {"polarity": SECRET}]), FrameError, "cell.frames[0].polarity: expected one of affirm, deny"),
    (cell(frames=[FRAME | {"verdicts": None}]), FrameError, "cell.frames[0].verdicts: expected a list"),
    (cell(contract="one"), FrameError, "cell.contract: expected a contract's version"),
    (cell(contract=True), FrameError, "cell.contract: expected a contract's version"),
    (cell(ruleset={"name": "evidial"}), FrameError, "cell.ruleset: expected an object with name and version"),
    (vote(), FrameError, "expected a cell, found a vote"),
]
BAD_VOTES = [
    (cell(), FrameError, "vote.rater: expected text, found nothing"),
    (vote(rater=""), FrameError, "rater: expected text that is not empty"),
    (vote(state=SECRET), FrameError, "vote.state: expected one of ABSENT"),
    (vote(stated="GOOD"), FrameError, "vote.stated: expected one of ABSENT"),
    (vote(state=None), FrameError, "vote.state: expected a state in a valid vote"),
    (vote(valid=False), FrameError, "vote.state: expected null in a vote that is not valid"),
    (vote(valid="yes"), FrameError, "vote.valid: expected true or false"),
    (vote(reason=[SECRET]), FrameError, "vote.reason: expected text or null"),
    (vote(dimension="hunger"), FrameError, "vote.dimension: expected one of"),
    (vote(frames=[FRAME | {"turn": -1}]), FrameError, "vote.frames[0].turn: expected a whole number"),
]


@pytest.mark.parametrize(("read", "good", "bad", "kind", "expected"), [
    *((read_cells, cell, *case) for case in BAD_CELLS), *((read_votes, vote, *case) for case in BAD_VOTES)])
def test_a_bad_line_is_one_clear_line_or_left_out(tmp_path, read, good, bad, kind, expected):
    path = write(tmp_path / "in.jsonl", good("a"), bad, good("b"))
    with pytest.raises(kind) as caught:
        list(read(path))
    message = str(caught.value)
    assert f"{path}:2: " in message and expected in message
    assert "\n" not in message and SECRET not in message
    rejected = []
    assert [one.dialogue_id for one in read(path, reject=rejected.append)] == ["a", "b"]
    assert [(one.line, one.error) for one in rejected] == [(2, message)]


def test_a_row_of_parquet_is_named(tmp_path):
    path = tmp_path / "in.parquet"
    write_jsonl(path, [cell("a"), cell("b", state="GOOD")])
    with pytest.raises(FrameError, match=r"in\.parquet:row 2: cell\.state: expected"):
        list(read_cells(path))


def test_components_of_any_instrument_that_ships(tmp_path):
    path = write(tmp_path / "in.jsonl", cell(frames=[FRAME | {"components": ["insomnia"]}]))
    assert next(read_cells(path)).frames[0].frame.components == ("insomnia",)
    with pytest.raises(FrameError, match="components"):
        list(read_cells(write(path, cell(frames=[FRAME | {"components": ["snoring"]}]))))


def test_the_first_line_tells_cells_from_votes(tmp_path):
    cells, votes = write(tmp_path / "c.jsonl", cell("a"), cell("b")), write(tmp_path / "v.jsonl", vote("a"), vote("b"))
    assert [type(one) for _, one in read_judged_rows(cells)] == [Cell, Cell]
    assert [type(one) for _, one in read_judged_rows(votes)] == [Vote, Vote]
    with pytest.raises(FrameError, match=r"v\.jsonl:2: vote\.rater"):
        list(read_judged_rows(write(votes, vote("a"), cell("b"))))
    with pytest.raises(FrameError, match=r"c\.jsonl:2: expected a cell"):
        list(read_judged_rows(write(cells, cell("a"), vote("b"))))
