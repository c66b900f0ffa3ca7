"""Runs in parts on this machine, around a judge of five lines: interrupted, resumed, refused."""
from __future__ import annotations

import json
import os
import signal

import pytest

import fake
from evidial_rules import cli
from evidial_rules.corpora import read_jsonl, read_rows, to_json, write_jsonl
from evidial_rules.corpora.folders import MANIFEST
from evidial_rules.errors import FileFormatError
from evidial_rules.raters import rules
from evidial_rules.raters.scale import job, local

SECRET = "sad and tired, my locker code is 4711"


class Judge(fake.Annotator):
    """Fails on a dialogue called "raises" and ends its process over one called "dies"."""

    def __reduce__(self):
        return Judge, (self.lexicons,)

    def cells(self, dialogue):
        if dialogue.dialogue_id.startswith("raises"):
            raise KeyError(dialogue.turns[0].text)
        if dialogue.dialogue_id.startswith("dies"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().cells(dialogue)


class Lines(rules.CellLines):
    def __init__(self, lexicons=None, *, trace=True):
        self.trace, self.annotator = trace, Judge()

    def __reduce__(self):
        return Lines, ()


class Rows(rules.CellRows):
    def __init__(self, lexicons=None, *, trace=True):
        self.trace, self.annotator = trace, Judge()
        self.columns = rules.json_columns(rules.cell_keys(trace=trace))

    def __reduce__(self):
        return Rows, ()


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(rules, "CellLines", Lines)
    monkeypatch.setattr(rules, "CellRows", Rows)
    monkeypatch.setattr(job, "ROWS", 4)


def row(name, text=SECRET, **more):
    return {"dialogue_id": name, "language": "en", "instrument": "PHQ-8",
            "turns": [{"speaker": "participant", "text": text}]} | more


def source(tmp_path, names, name="in.jsonl"):
    path = tmp_path / name
    path.write_text("".join(f"{to_json(row(one)) if one else '{'}\n" for one in names), encoding="utf-8")
    return path


@pytest.fixture
def evidial(capfd):
    def call(*arguments):
        status = cli.run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "4711" not in out + err and "Traceback" not in err
        return status, err
    return call


NAMES = [f"d{i}" for i in range(11)]


@pytest.mark.parametrize(("workers", "resume"), [(1, []), (1, ["--resume"]), (2, ["--resume"])])
def test_a_dialogue_that_the_judge_fails_on_costs_only_itself(evidial, tmp_path, workers, resume):
    path = source(tmp_path, [*NAMES[:3], "raises", None, *NAMES[3:]])
    out, whole = tmp_path / "o.jsonl", tmp_path / "whole.jsonl"
    assert evidial("annotate", source(tmp_path, NAMES, "whole.in"), "-o", whole)[0] == 0
    status, err = evidial("annotate", path, "-o", out, "--skip-invalid", "--workers", workers, *resume)
    assert status == 0 and err == f"2 lines left out, listed in {out}.rejected.jsonl\n"
    assert out.read_bytes() == whole.read_bytes()
    listed = list(read_jsonl(f"{out}.rejected.jsonl"))
    assert [one["line"] for one in listed] == [4, 5] and "raised KeyError" in listed[0]["error"]
    assert "4711" not in str(listed) and not os.path.exists(f"{out}.parts")
    status, err = evidial("annotate", path, "-o", out, "--workers", workers)
    assert status == 2 and err == (f"error: E225 {path}:4: expected a dialogue that the judge can read; it raised "
                                   "KeyError (--skip-invalid leaves it out)\n")


def test_a_dialogue_that_kills_workers_costs_only_itself(evidial, tmp_path):
    path, out = source(tmp_path, [*NAMES[:9], "dies", *NAMES[9:]]), tmp_path / "o.jsonl"
    assert evidial("annotate", path, "-o", out, "--skip-invalid", "--workers", 2)[0] == 0
    assert [one["dialogue_id"] for one in read_jsonl(out)][::8] == NAMES
    [listed] = read_jsonl(f"{out}.rejected.jsonl")
    assert listed["line"] == 10 and "ended two worker processes" in listed["error"]


@pytest.mark.parametrize("out", ["o.jsonl", "o/"])
def test_an_interrupted_run_goes_on_from_what_is_done(evidial, tmp_path, monkeypatch, out):
    path, whole, out = source(tmp_path, [*NAMES, "raises"]), tmp_path / "whole.jsonl", f"{tmp_path}/{out}"
    evidial("annotate", path, "-o", whole, "--skip-invalid")
    judged = []

    def cells(self, dialogue):
        if len(judged) == 10:
            raise KeyboardInterrupt
        judged.append(dialogue.dialogue_id)
        return real(self, dialogue)

    real = Judge.cells
    monkeypatch.setattr(Judge, "cells", cells)
    arguments = ("annotate", path, "-o", out, "--skip-invalid", "--resume")
    assert evidial(*arguments)[0] == 130
    parts = out if out.endswith("/") else f"{out}.parts"
    assert len(os.listdir(parts)) == 3 and not os.path.isfile(out)  # two parts and the manifest
    if out.endswith("/"):
        with pytest.raises(FileFormatError, match="whose run has ended"):
            list(read_rows(out))
    with open(os.path.join(parts, MANIFEST), "ab") as stream:
        stream.write(b'{"part": "part-00000-00002')  # a crash cut it short
    monkeypatch.setattr(Judge, "cells", lambda self, dialogue: judged.append(dialogue.dialogue_id) or
                        real(self, dialogue))
    judged.clear()
    status, err = evidial(*arguments)
    assert status == 0 and err.startswith("2 parts of an earlier run kept\n1 lines left out")
    assert judged == [*NAMES[8:], "raises"]
    assert [to_json(one) for one in read_jsonl(out)] == whole.read_text(encoding="utf-8").splitlines()
    listed = (tmp_path / "o.rejected.jsonl" if out.endswith("/") else tmp_path / "o.jsonl.rejected.jsonl")
    assert listed.read_bytes() == (tmp_path / "whole.jsonl.rejected.jsonl").read_bytes()


def test_a_folder_that_is_whole_is_not_done_again(evidial, tmp_path, monkeypatch):
    path, out = source(tmp_path, [*NAMES, "raises", None]), tmp_path / "o"
    evidial("annotate", path, "-o", f"{out}/", "--skip-invalid")
    monkeypatch.setattr(Judge, "cells", None)
    before = {name: (out / name).stat().st_mtime_ns for name in os.listdir(out)}
    status, err = evidial("annotate", path, "-o", out, "--skip-invalid", "--workers", 2)
    assert status == 0 and "3 parts of an earlier run kept" in err and "2 lines left out" in err
    assert {name: (out / name).stat().st_mtime_ns for name in os.listdir(out)} == before
    status, err = evidial("annotate", path, "-o", out)
    assert status == 2 and "--skip-invalid, as in the run that left out line 12" in err


def test_a_part_that_is_gone_is_done_again(evidial, tmp_path):
    path, out = source(tmp_path, NAMES), tmp_path / "o"
    evidial("annotate", path, "-o", f"{out}/")
    before = (out / "part-00000-00001.parquet").read_bytes()
    (out / "part-00000-00001.parquet").write_bytes(before[:50])
    assert evidial("annotate", path, "-o", out) == (0, "2 parts of an earlier run kept\n")
    assert (out / "part-00000-00001.parquet").read_bytes() == before


@pytest.mark.parametrize("what", ["inputs", "rules", "options", "version"])
def test_parts_of_something_else_are_refused(evidial, tmp_path, monkeypatch, what):
    path, out = source(tmp_path, NAMES), tmp_path / "o"
    evidial("annotate", path, "-o", f"{out}/")
    before, more = sorted(os.listdir(out)), []
    if what == "inputs":
        path.write_bytes(path.read_bytes().replace(b"tired", b"TIRED"))
    elif what == "rules":
        monkeypatch.setattr("evidial_rules.pipeline.version.ruleset", lambda lexicons: {"name": "x", "version": "8"})
    elif what == "options":
        more = ["--no-trace"]
    else:
        monkeypatch.setattr(job, "__version__", "0.0")
    status, err = evidial("annotate", path, "-o", out, *more)
    assert status == 2 and err.count("\n") == 1 and f"found other {what} (remove it" in err
    assert sorted(os.listdir(out)) == before


def test_folders_that_cannot_be_written_to(evidial, tmp_path):
    path = source(tmp_path, NAMES)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("mine")
    for out, word in ((f"{tmp_path}/other/", "an empty folder"), (f"{path}/", "another file than the input"),
                      (f"{tmp_path}/no/where/", "can be written")):
        status, err = evidial("annotate", path, "-o", out)
        assert status == 2 and err.count("\n") == 1 and word in err, err
    assert os.listdir(tmp_path / "other") == ["letter.txt"]
    assert evidial("annotate", path, "-o", "-", "--resume")[0] == 2
    assert evidial("annotate", path, "-o", tmp_path / "o", "--scheduler", "tcp://127.0.0.1:1")[0] == 2


def test_two_runs_do_not_write_to_one_folder(evidial, tmp_path):
    path, out = source(tmp_path, NAMES), tmp_path / "o"
    mine = job.Job.of([path], str(out))
    with mine.parts(str(out), "parquet"):
        status, err = evidial("annotate", path, "-o", f"{out}/")
    assert status == 2 and "no other run" in err


def test_folders_in_are_read_part_by_part_in_order(evidial, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for number in (10, 9, 0):
        write_jsonl(folder / f"part.{number}.parquet", [row(f"n{number}"), row(f"m{number}")])
    (folder / "_SUCCESS.parquet").write_bytes(b"")
    out = tmp_path / "o.jsonl"
    assert evidial("annotate", folder, "-o", out) == (0, "")
    assert [one["dialogue_id"] for one in read_jsonl(out)][::8] == ["n0", "m0", "n9", "m9", "n10", "m10"]
    write_jsonl(folder / "part.11.parquet", [row("m0")])
    status, err = evidial("annotate", folder, "-o", out)
    assert status == 2 and "part.11.parquet:row 1" in err and "part.0.parquet:row 2" in err


def test_cells_of_a_folder_are_votes_and_a_reference_without_their_frames(evidial, tmp_path, monkeypatch):
    from evidial_rules.contract import cell

    path, out = source(tmp_path, NAMES), tmp_path / "o"
    evidial("annotate", path, "-o", f"{out}/")
    plain = tmp_path / "o.jsonl"
    evidial("annotate", path, "-o", plain)
    fused, votes = tmp_path / "plain.jsonl", tmp_path / "v.jsonl"
    write_jsonl(votes, [{"dialogue_id": one["dialogue_id"], "dimension": one["dimension"], "rater": "other",
                         "state": "PARTIAL", "valid": True} for one in read_jsonl(plain)])
    assert evidial("fuse", plain, votes, "--method", "plurality", "-o", fused)[0] == 0
    monkeypatch.setattr(cell, "BoundFrame", None)  # nobody makes one
    reference = tmp_path / "reference.jsonl"
    status, err = evidial("fuse", out, votes, "--method", "plurality", "-o", reference)
    assert status == 0, err
    assert reference.read_bytes() == fused.read_bytes()
    assert {one["raters"] for one in read_jsonl(reference)} == {2}
    predictions, talks = tmp_path / "p.jsonl", tmp_path / "scored.jsonl"
    write_jsonl(predictions, [{"dialogue_id": name, "dimension": "fatigue", "model": "m", "method": "B0",
                               "status": "answered", "prediction": 1} for name in NAMES])
    write_jsonl(talks, [row(name, scores={"fatigue": 1}) for name in NAMES])
    monkeypatch.undo()
    figures = []
    for given in (out, plain):
        assert evidial("score", predictions, "--reference", given, "--dialogues", talks, "--replicates", 10, "-o",
                       tmp_path / "s.json")[0] == 0
        figures.append(json.loads((tmp_path / "s.json").read_text())["conditions"])
    assert figures[0] == figures[1] and figures[0][0]["ucr"] is not None and figures[0][0]["N"] == len(NAMES)


def test_rows_out_of_the_middle_of_a_file(tmp_path):
    path = tmp_path / "in.parquet"
    write_jsonl(path, [row(f"d{i}") for i in range(300)])  # several row groups
    for rows in (range(0, 3), range(126, 260), range(299, 300), range(0, 300), range(300, 310)):
        found = list(read_rows(path, rows=rows))
        assert [one.line - 1 for one in found] == [i for i in rows if i < 300]
        assert [one.data["dialogue_id"] for one in found] == [f"d{i}" for i in rows if i < 300]


def test_ids_are_remembered_in_flat_memory(monkeypatch):
    from evidial_rules.corpora import seen

    monkeypatch.setattr(seen, "IN_MEMORY", 10)
    held = seen.Seen()
    assert [held.first(f"d{i}", f"in:{i}") for i in range(50)] == [None] * 50
    assert not held._held
    assert [held.first(f"d{i}", "again") for i in (0, 9, 10, 11, 49)] == ["in:0", "in:9", "in:10", "in:11", "in:49"]


def test_memory_of_the_listing_is_ordered_by_the_inputs(tmp_path):
    listing = job.Listing(True, ["b", "a"])
    for file, line in (("a", 1), ("b", 7), ("b", 2)):
        listing.add(job.Rejected(file, line, "E"))
    assert [(one.file, one.line) for one in listing] == [("b", 2), ("b", 7), ("a", 1)]
    assert [one.line for one in listing.of(job.Part(0, 1))] == [7]
    assert local.parts_folder("x/o.jsonl").as_posix() == "x/o.jsonl.parts"
