"""Raw answers on disk: kept, read again, cut off, damaged, held by another run."""
from __future__ import annotations

import errno
import json
import os

import pytest

from evidial_rules.raters.llm import RawAnswer, RawLog, RawLogError
from evidial_rules.raters.llm.rawlog import key_of

SECRET = "the words that I said in confidence"


def answer(key="a", **more):
    return RawAnswer(**{"key": key, "dialogue_id": "d", "dimension": "sleep", "model": "openai/m",
                        "prompt": {"name": "p", "version": "1"}, "settings": {"seed": None}, "text": SECRET,
                        "tokens": {"total": 3}} | more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "votes.jsonl.raw.jsonl"


def write(path, *answers):
    with RawLog(path) as log:
        for one in answers:
            log.append(one)


def test_what_was_appended_is_there_again(path):
    odd = answer("b", text="睡不着 \ud800 \u2028 {\"x\"}\n", failure=None, stop="max_tokens", attempts=3, status=200)
    write(path, answer("a"), odd)
    with RawLog(path) as log:
        assert len(log) == 2 and log.get("a") == answer("a") and log.get("b") == odd and log.get("c") is None
    assert len(path.read_bytes().splitlines()) == 2


def test_in_memory_without_a_path():
    with RawLog() as log:
        log.append(answer())
        assert log.get("a") == answer() and list(log) == [answer()]


def test_the_last_line_of_a_key_counts(path):
    write(path, answer(text=None, failure="timeout"), answer("b"))
    write(path, answer(text="now"))
    with RawLog(path) as log:
        assert log.get("a").text == "now" and len(log) == 2


@pytest.mark.parametrize("torn", [
    b'{"key": "c", "dialogue_id": "d", "dimension": "sl', b"{", b'{"key"', b"\0" * 40, b'{"key": "c"}\n', b"\0\0\n"])
def test_a_torn_end_is_dropped_and_the_next_line_is_whole(path, torn):
    write(path, answer("a"), answer("b"))
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    write(path, answer("d"))
    assert path.read_bytes().startswith(whole)
    with RawLog(path) as log:
        assert [one.key for one in log] == ["a", "b", "d"]


@pytest.mark.parametrize("at", range(1, 300, 13))
def test_cut_anywhere_the_whole_lines_are_kept(path, at):
    write(path, answer("a"), answer("b"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-at])
    with RawLog(path) as log:
        assert [one.key for one in log] == ["a"][:1 if at <= len(whole) // 2 else 0]


@pytest.mark.parametrize("text", ["some notes of mine", "some notes\n", "{}\n{}\n", '{"dialogue_id": "d"}', "[1]\n"])
def test_another_file_is_refused_and_not_touched(path, text):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RawLogError, match="raw") as caught, RawLog(path):
        pass
    assert path.read_text(encoding="utf-8") == text and "notes" not in str(caught.value)


def test_a_damaged_line_in_the_middle_is_named(path):
    write(path, answer("a"), answer("b"), answer("c"))
    lines = path.read_bytes().splitlines(keepends=True)
    wrong = json.dumps(answer("b").to_dict() | {"attempts": "2"}).encode() + b"\n"
    for broken in (b"{}\n", lines[1][:40] + b"\n", wrong):
        path.write_bytes(lines[0] + broken + lines[2])
        with pytest.raises(RawLogError, match=r"raw\.jsonl:2: expected a raw answer") as caught, RawLog(path):
            pass
        assert SECRET not in str(caught.value)
        assert path.read_bytes() == lines[0] + broken + lines[2]


def test_empty_lines_do_no_harm(path):
    write(path, answer("a"))
    path.write_bytes(b"\n" + path.read_bytes() + b"\n")
    with RawLog(path) as log:
        assert [one.key for one in log] == ["a"]


def test_one_run_at_a_time(path):
    pytest.importorskip("fcntl")
    with RawLog(path), pytest.raises(RawLogError, match="no other run"), RawLog(path):
        pass
    with RawLog(path):
        pass


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(RawLogError, match="a file that can be written"), RawLog(tmp_path):
        pass


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no such device")
def test_a_device_is_no_file():
    with pytest.raises(RawLogError, match="a file, since it is read again"), RawLog("/dev/null"):
        pass


def test_a_disk_that_is_full(path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with RawLog(path) as log:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(RawLogError, match=r"a file that can be written \(No space left"):
            log.append(answer())
        assert log.get("a") is None  # what is not on the disk does not count


def test_the_key_is_of_everything_that_was_asked():
    base = ("d", "sleep", "openai/m", "digest", {"temperature": 0.0, "seed": None})
    assert key_of(*base) == key_of(*base[:4], {"seed": None, "temperature": 0.0})
    others = [(*base[:n], other, *base[n + 1:]) for n, other in enumerate(
        ["e", "fatigue", "openai/n", "other", {"temperature": 1.0, "seed": None}])]
    assert len({key_of(*base), *(key_of(*one) for one in others)}) == 6
