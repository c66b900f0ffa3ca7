"""Canonical dialogues in and out: JSON Lines and Parquet, bad input, atomic output."""
from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import stat
import sys
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules.contract import Dialogue
from evidial_rules.corpora import (
    atomic,
    read_dialogue_rows,
    read_dialogues,
    read_jsonl,
    read_rows,
    write_jsonl,
)
from evidial_rules.errors import (
    DialogueError,
    DuplicateDialogue,
    EvidialError,
    FileFormatError,
    OutputError,
    UnknownInstrument,
)
from strategies import dialogues

SECRET = "the words that I said in confidence"


def row(ident="d1", **changes):
    return {"dialogue_id": ident, "language": "en", "instrument": "PHQ-8",
            "turns": [{"speaker": "participant", "text": SECRET}]} | changes


def write(path, *rows, end=b"\n", start=b""):
    lines = [r if isinstance(r, bytes) else json.dumps(r, ensure_ascii=False).encode() for r in rows]
    path.write_bytes(start + end.join(lines) + end)
    return path


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
@given(values=st.lists(dialogues(), max_size=5, unique_by=lambda value: value.dialogue_id))
def test_round_trip(tmp_path_factory, name, values):
    path = tmp_path_factory.mktemp("round") / name
    assert write_jsonl(path, values) == len(values)
    again = list(read_dialogues(path))
    if name.endswith(".parquet"):
        # A Parquet column cannot tell a dimension without a label from one that is not mentioned.
        strip = [v.to_dict() | {"scores": {k: s for k, s in (v.scores or {}).items() if s is not None}} for v in values]
        found = [v.to_dict() | {"scores": {k: s for k, s in (v.scores or {}).items() if s is not None}} for v in again]
        assert found == strip
    else:
        assert again == values


@pytest.mark.parametrize("end, start", [(b"\n", b""), (b"\r\n", b""), (b"\n", b"\xef\xbb\xbf"), (b"\r\n\r\n", b""),
                                        (b"\n  \n", b"\xef\xbb\xbf")])
def test_line_ends_marks_and_empty_lines(tmp_path, end, start):
    path = write(tmp_path / "in.jsonl", row("a"), row("b"), end=end, start=start)
    assert [value.dialogue_id for value in read_dialogues(path)] == ["a", "b"]


def test_no_last_line_end(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_bytes(json.dumps(row("a")).encode())
    assert [value.dialogue_id for value in read_dialogues(path)] == ["a"]


BAD = [
    (b"{\"dialogue_id\": ", FileFormatError, "broken JSON at column"),
    (b"[1, 2]", FileFormatError, "expected one JSON object, found a list"),
    (b"\"text\"", FileFormatError, "expected one JSON object"),
    (SECRET.encode(), FileFormatError, "broken JSON at column 1"),
    (json.dumps(row("x")).encode().replace(b"PHQ-8", b"PHQ\xff8"), FileFormatError, "expected UTF-8 text"),
    (b"[" * 200000, FileFormatError, "not nested so deep"),
    (b'{"dialogue_id": NaN}', FileFormatError, "finite numbers"),
    (b'{"dialogue_id": ' + b"1" * 5000 + b"}", FileFormatError, "finite numbers"),
    (row("x", instrument="PHQ-9"), UnknownInstrument, "expected an instrument (BDI-II, HAMD-17, PHQ-8), found 'PHQ-9'"),
    (row("x", language="de"), DialogueError, "language out of en, zh, found 'de'"),
    (row("x", turns=[{"speaker": "Doctor", "text": SECRET}]), DialogueError, "turns[0].speaker out of interviewer"),
    (row("x", scores={"mood": 1}), DialogueError, "scores to be dimensions out of"),
    ({"dialogue_id": "x", "language": "en", "instrument": "PHQ-8"}, DialogueError, "expected the key turns"),
    (b'{"dialogue_id": "x", "language": "en", "instrument": "PHQ-8", "turns": [{"speaker": "participant", "text": '
     b'"\\ud83d"}]}', DialogueError, "without lone surrogates"),
    (row("a"), DuplicateDialogue, "found one first seen at"),
]


@pytest.mark.parametrize("bad, kind, expected", BAD)
def test_a_bad_line_is_one_clear_line(tmp_path, bad, kind, expected):
    path = write(tmp_path / "in.jsonl", row("a"), bad, row("b"))
    with pytest.raises(kind) as caught:
        list(read_dialogues(path))
    message = str(caught.value)
    assert f"{path}:2: " in message
    assert expected in message
    assert "\n" not in message
    assert SECRET not in message


@pytest.mark.parametrize("bad, kind, expected", BAD)
def test_bad_lines_can_be_skipped_and_are_listed(tmp_path, bad, kind, expected):
    path = write(tmp_path / "in.jsonl", row("a"), bad, row("b"), bad)
    rejected = []
    values = list(read_dialogues(path, reject=rejected.append))
    assert [value.dialogue_id for value in values] == ["a", "b"]
    assert [(r.file, r.line) for r in rejected] == [(str(path), 2), (str(path), 4)]
    assert all(expected in r.to_dict()["error"] and SECRET not in r.error for r in rejected)
    assert all(r.error.startswith(f"{kind.code} ") for r in rejected)


def test_ids_differ_over_all_files(tmp_path):
    one, two = write(tmp_path / "1.jsonl", row("a")), write(tmp_path / "2.jsonl", row("b"), row("a"))
    with pytest.raises(DuplicateDialogue) as caught:
        list(read_dialogues([one, two]))
    assert f"{two}:2: " in str(caught.value) and f"{one}:1" in str(caught.value)


def test_a_rejected_line_does_not_take_its_id(tmp_path):
    path = write(tmp_path / "in.jsonl", row("a", language="de"), row("a"))
    assert len(list(read_dialogues(path, reject=lambda _: None))) == 1


def test_utf_16_is_named(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_bytes(json.dumps(row("a")).encode("utf-16"))
    with pytest.raises(FileFormatError, match="UTF-8 text, found UTF-16"):
        list(read_dialogues(path))


@pytest.mark.parametrize("name", ["none.jsonl", "none.parquet"])
def test_a_missing_file(tmp_path, name):
    with pytest.raises(FileFormatError, match="a file that can be read"):
        list(read_dialogues(tmp_path / name))


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FileFormatError, match="a file that can be read"):
        list(read_dialogues(tmp_path))


def test_an_empty_file_has_no_dialogues(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"")
    assert list(read_dialogues(path)) == []


def test_control_characters_are_kept(tmp_path):
    text = "a\x00b\tc\u2028d\x85e"
    escaped = write(tmp_path / "1.jsonl", row("a", turns=[{"speaker": "participant", "text": text}]))
    raw = write(tmp_path / "2.jsonl", json.dumps(row("b", turns=[{"speaker": "participant", "text": "a~b"}])).replace(
        "~", "\x01").encode())
    assert [value.turns[0].text for value in read_dialogues([escaped, raw])] == [text, "a\x01b"]


def test_ones_own_keys_come_along(tmp_path):
    path = write(tmp_path / "in.jsonl", row("a", anchor={"class": "P2"}))
    [(found, value)] = read_dialogue_rows(path)
    assert (found.data["anchor"], found.line, value.dialogue_id) == ({"class": "P2"}, 1, "a")


def test_instruments_of_ones_own(tmp_path):
    path = write(tmp_path / "in.jsonl", row("a", instrument="MINE"))
    assert next(read_dialogues(path, instruments=["MINE"])).instrument == "MINE"


def test_reading_is_lazy(tmp_path):
    path = write(tmp_path / "in.jsonl", row("a"), b"broken")
    stream = read_dialogues(path)
    assert next(stream).dialogue_id == "a"
    with pytest.raises(FileFormatError):
        next(stream)


def test_standard_input_and_output(tmp_path, monkeypatch):
    raw = write(tmp_path / "in.jsonl", row("a"), b"broken").read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=out))
    stream = read_dialogues("-")
    write_jsonl("-", [next(stream)])
    assert json.loads(out.getvalue())["dialogue_id"] == "a"
    with pytest.raises(FileFormatError, match="standard input:2: "):
        next(stream)


# -- Parquet ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [0, 3, 40, -20, -1])
def test_a_truncated_parquet_is_an_error_of_ours(tmp_path, cut):
    path = tmp_path / "in.parquet"
    write_jsonl(path, [row(f"d{n}") for n in range(50)])
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(FileFormatError) as caught:
        list(read_dialogues(path))
    assert "expected a whole Parquet file" in str(caught.value)
    assert SECRET not in str(caught.value) and "\n" not in str(caught.value)


def test_damage_inside_a_parquet_is_an_error_of_ours(tmp_path):
    path = tmp_path / "in.parquet"
    write_jsonl(path, [row(f"d{n}") for n in range(50)])
    raw = bytearray(path.read_bytes())
    raw[4:400] = bytes(396)
    path.write_bytes(raw)
    with pytest.raises(EvidialError) as caught:
        list(read_dialogues(path))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("scores_type", [
    pa.map_(pa.string(), pa.float64()), pa.struct([("sleep", pa.float64()), ("fatigue", pa.int32())]),
])
def test_scores_as_other_tools_write_them(tmp_path, scores_type):
    path = tmp_path / "in.parquet"
    scores = {"sleep": 2, "fatigue": 0}
    value = list(scores.items()) if pa.types.is_map(scores_type) else scores
    turn = pa.list_(pa.struct([("speaker", pa.string()), ("text", pa.string())]))
    table = pa.table({
        "dialogue_id": pa.array([7]), "language": pa.array(["zh"]), "instrument": pa.array(["HAMD-17"]),
        "turns": pa.array([row()["turns"]], turn), "scores": pa.array([value], scores_type),
        "visit": pa.array([None], pa.string()),
    })
    pq.write_table(table, path)
    [found] = read_dialogues(path)
    assert (found.dialogue_id, found.scores, found.visit) == ("7", scores, None)
    assert all(isinstance(score, int) for score in found.scores.values())


def test_a_row_of_parquet_is_named(tmp_path):
    path = tmp_path / "in.parquet"
    write_jsonl(path, [row("a"), row("b", language="de")])
    with pytest.raises(DialogueError, match=r"in\.parquet:row 2: expected language"):
        list(read_dialogues(path))


def test_nested_and_mixed_values_survive_parquet(tmp_path):
    path = tmp_path / "cells.parquet"
    rows = [{"dialogue_id": "a", "k": [0, 1], "valid": True, "entropy": 0.5, "prediction": None,
             "frames": [{"withdrawn_by": 3}, {"withdrawn_by": "f2"}], "posterior": {"ABSENT": 1.0}, "state": None},
            {"dialogue_id": "b", "k": [], "valid": False, "entropy": 1.0, "prediction": 1, "frames": [],
             "posterior": {}, "state": "ABSENT", "late": [1, "x"]}]
    assert write_jsonl(path, iter(rows)) == 2
    assert list(read_jsonl(path)) == [rows[0] | {"late": None}, rows[1]]


def test_many_rows_come_in_order(tmp_path):
    path = tmp_path / "many.parquet"
    write_jsonl(path, (row(f"d{n}") for n in range(2500)))
    assert [found.data["dialogue_id"] for found in read_rows(path)] == [f"d{n}" for n in range(2500)]


# -- Writing ---------------------------------------------------------------------------------------------------------


def broken_rows():
    yield row("a")
    raise RuntimeError("stop")


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_a_failure_leaves_what_was_there(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"before")
    with pytest.raises(RuntimeError):
        write_jsonl(path, broken_rows())
    assert path.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {1, 2}])
def test_a_row_that_no_file_can_hold(tmp_path, value):
    with pytest.raises(OutputError, match="finite numbers and whole characters"):
        write_jsonl(tmp_path / "out.jsonl", [{"x": value}])
    assert list(tmp_path.iterdir()) == []


def test_input_and_output_may_be_one_file(tmp_path):
    path = write(tmp_path / "in.jsonl", row("a"), row("b"))
    assert write_jsonl(path, read_dialogues(path)) == 2
    assert len(list(read_dialogues(path))) == 2


def test_a_new_file_has_everyday_permissions(tmp_path):
    old = os.umask(0o022)
    try:
        write_jsonl(tmp_path / "out.jsonl", [])
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o644


def test_a_link_and_the_files_mode_stay(tmp_path):
    target, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    target.write_bytes(b"")
    target.chmod(0o600)
    link.symlink_to(target)
    write_jsonl(link, [{"x": 1}])
    assert link.is_symlink()
    assert target.read_bytes() == b'{"x": 1}\n'
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_device_is_written_to(tmp_path):
    assert write_jsonl("/dev/null", [{"x": 1}]) == 1


@pytest.mark.parametrize("name", ["none/out.jsonl", "."])
def test_what_cannot_be_written(tmp_path, name):
    with pytest.raises(OutputError):
        write_jsonl(tmp_path / name, [{"x": 1}])


def test_a_full_disk_is_an_error_of_ours(tmp_path):
    with pytest.raises(OutputError, match="a file that can be written"), atomic(tmp_path / "out.jsonl"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_other_scripts_are_written_as_they_are(tmp_path):
    value = Dialogue.from_dict(row("a", turns=[{"speaker": "participant", "text": "睡不着\U0001f614"}]))
    write_jsonl(tmp_path / "out.jsonl", [value])
    assert "睡不着\U0001f614" in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


# -- what a hostile file holds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [
    b'{"a": 1, "a": 1}', b'{"turns": [{"speaker": "participant", "text": "x", "text": "y"}]}'])
def test_a_key_given_twice(tmp_path, raw):
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"{}\n" + raw + b"\n")
    with pytest.raises(FileFormatError, match=r"in\.jsonl:2: expected JSON objects with each key once"):
        list(read_rows(path))


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])
def test_utf_32_is_called_so(tmp_path, encoding):
    path = tmp_path / "in.jsonl"
    path.write_bytes(("" if encoding == "utf-32" else "\ufeff").encode(encoding) + "{}\n".encode(encoding))
    with pytest.raises(FileFormatError, match="found UTF-32"):
        list(read_rows(path))


def columns_file(path, columns, metadata=None):
    fields = [pa.field(name, array.type, metadata=metadata) for name, array in columns]
    pq.write_table(pa.Table.from_arrays([array for _, array in columns], schema=pa.schema(fields)), path)


def test_parquet_of_two_columns_of_one_name(tmp_path):
    path = tmp_path / "in.parquet"
    columns_file(path, [("dialogue_id", pa.array(["a"])), ("dialogue_id", pa.array(["b"]))])
    with pytest.raises(FileFormatError, match=r"in\.parquet: expected columns whose names differ"):
        list(read_rows(path))


def test_parquet_of_values_that_python_cannot_hold(tmp_path):
    path = tmp_path / "in.parquet"
    columns_file(path, [("date", pa.array([2**62], pa.timestamp("ms")))])
    with pytest.raises(FileFormatError, match=r"in\.parquet:rows 1 to 1: expected"):
        list(read_rows(path))


@pytest.mark.parametrize(("value", "expected"), [
    (7, "JSON text"), (b"\xff", "JSON text"), ("{", "JSON text"), ("[" * 100_000, "not nested so deep")])
def test_parquet_of_json_columns_that_hold_none(tmp_path, value, expected):
    path = tmp_path / "in.parquet"
    columns_file(path, [("frames", pa.array([value]))], {"evidial_json": "1"})
    with pytest.raises(FileFormatError, match=rf"in\.parquet:row 1: expected .*{expected}"):
        list(read_rows(path))
    rejected = []
    assert list(read_rows(path, reject=rejected.append)) == [] and rejected[0].line == 1


def test_parquet_that_is_not_there(tmp_path):
    with pytest.raises(FileFormatError) as caught:
        list(read_rows(tmp_path / "none.parquet"))
    assert str(caught.value).endswith("none.parquet: expected a file that can be read (No such file or directory)")


def test_a_bit_flipped_anywhere_is_an_error_of_ours_or_none(tmp_path):
    path = tmp_path / "in.parquet"
    write_jsonl(path, [row(f"d{n}", scores={"sleep": 1}, anchor={"class": "P1"}) for n in range(3)])
    raw = path.read_bytes()
    for at in range(0, len(raw), 7):
        path.write_bytes(raw[:at] + bytes([raw[at] ^ 1 << at % 8]) + raw[at + 1:])
        with contextlib.suppress(EvidialError):
            list(read_dialogues(path))
