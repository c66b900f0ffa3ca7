"""The same parts on Dask: real clusters of two worker processes on this machine, and workers that die."""
from __future__ import annotations

import os
import signal
import sys

import pytest

from evidial_rules import cli
from evidial_rules.corpora import read_jsonl, to_json, write_jsonl
from evidial_rules.raters.scale import Job, JudgeError, Listing, job, local

distributed = pytest.importorskip("distributed")

import cloudpickle  # noqa: E402
import dask  # noqa: E402

from evidial_rules.raters.scale import cluster  # noqa: E402

SECRET = "I can't sleep, and my locker code is 4711."
NAMES = [f"d{i}" for i in range(18)]


def row(name):
    return {"dialogue_id": name, "language": "en", "instrument": "PHQ-8",
            "turns": [{"speaker": "participant", "text": f"{SECRET} That was {len(name)}."}]}


def folder(path, names):
    """Two Parquet files; "bad" is a row without an instrument that is known."""
    path.mkdir()
    half = len(names) // 2
    for number, part in enumerate((names[:half], names[half:])):
        write_jsonl(path / f"part-{number:05d}.parquet",
                    [row(name) | ({"instrument": "PHQ-2"} if name.startswith("bad") else {}) for name in part])
    return path


def lines(path):
    return [to_json(one) for one in read_jsonl(path)]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(job, "ROWS", 2)
    monkeypatch.setattr(cluster, "ROWS", 2)


def children():
    import psutil

    return [one for one in psutil.Process().children(recursive=True) if "spawn_main" in " ".join(one.cmdline())]


def test_a_cluster_of_two_processes_of_which_one_is_killed(tmp_path):
    """The real judge, as `evidial annotate --engine dask` runs it; the other engine goes on with the same folder."""
    source, plain = folder(tmp_path / "in", NAMES), tmp_path / "plain.jsonl"
    assert cli.run(["annotate", str(source), "-o", str(plain)]) == 0
    before, out, kept, killed = children(), tmp_path / "o", [], []

    def tick():
        if not killed:
            workers = [one for one in children() if one not in before]
            assert len(workers) == 2
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

    task = Job.of([source], str(out))
    cluster.write_folder(task, Listing(False, task.names), workers=2, kept=kept.append, tick=tick)
    assert killed and kept == [0] and lines(out) == lines(plain)
    before = {name: (out / name).stat().st_mtime_ns for name in os.listdir(out)}
    assert len(before) == 11 and [name for name in before if "tmp" in name or "probe" in name] == []
    here = tmp_path / "here"
    local.write_folder(Job.of([source], str(here)), Job.of([source], str(here)).rows(Listing(False, task.names)),
                       Listing(False, task.names), workers=1, kept=kept.append)
    for name in before:
        if name.endswith(".parquet"):
            assert (here / name).read_bytes() == (out / name).read_bytes()


class Fakes(distributed.WorkerPlugin):
    """A judge in the workers, restarted ones too, that needs no rules, and that ends its process over some."""

    name = "fakes"

    def setup(self, worker):
        from evidial_rules.raters.scale import cluster

        def outcome(task, dialogue):
            if dialogue.dialogue_id.startswith("dies"):
                os._exit(9)
            if dialogue.dialogue_id.startswith("raises"):
                return cluster.Failed(KeyError(dialogue.turns[0].text))
            return ({"dialogue_id": dialogue.dialogue_id, "dimension": "sleep", "state": "ABSENT", "k": [],
                     "frames": "[]", "contract": 1, "ruleset": "{}"},)

        cluster._outcome = outcome


@pytest.fixture(scope="module")
def running():
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}), \
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50,
                                     memory_limit=0) as made, distributed.Client(made) as client:
        client.register_plugin(Fakes())
        yield made.scheduler_address


@pytest.mark.parametrize("shared", [True, False])
def test_a_running_cluster_and_rows_that_are_left_out(running, tmp_path, monkeypatch, capfd, shared):
    if not shared:
        monkeypatch.setattr(cluster._Run, "shared", lambda self: (False, False))
    dies = [] if shared else ["dies"]  # once is enough: it takes four processes
    names = [*NAMES[:5], "bad0", "raises", *dies, *NAMES[5:9], "bad1", "bad1", *NAMES[9:], "d3", "d4"]
    source, out = folder(tmp_path / "in", names), tmp_path / "o"
    arguments = ["annotate", str(source), "-o", str(out), "--engine", "dask", "--scheduler", running]
    status, err = cli.run([*arguments, "--skip-invalid"]), capfd.readouterr().err
    left_out = 6 + len(dies)
    assert status == 0, err
    assert err == f"{left_out} lines left out, listed in {out}.rejected.jsonl\n"
    assert [one["dialogue_id"] for one in read_jsonl(out)] == NAMES
    listed = list(read_jsonl(f"{out}.rejected.jsonl"))
    assert "4711" not in str(listed) and len(listed) == left_out
    places = [f"{one['file']}:row {one['line']}" for one in listed]
    assert all(place in one["error"] for place, one in zip(places, listed, strict=True))
    assert [one["error"].split()[0] for one in listed] == ["E004", "E225", *["E225"] * len(dies), "E004", "E004",
                                                           "E008", "E008"]
    assert cli.run([*arguments, "--skip-invalid"]) == 0
    assert "parts of an earlier run kept" in capfd.readouterr().err
    # as here, one dialogue that cannot be read is one line
    plain = [one for one in names if one not in ("bad0", "bad1", "dies")]
    source, out = folder(tmp_path / "in2", list(dict.fromkeys(plain))), tmp_path / "o2"
    arguments[1], arguments[3] = str(source), str(out)
    assert cli.run(arguments) == 2
    err = capfd.readouterr().err
    assert err.startswith("error: E225 ") and "part-00000.parquet:row 6" in err and err.count("\n") == 1


def test_standard_input_and_files_of_lines(running, tmp_path, capfd):
    source, out = tmp_path / "in.jsonl", tmp_path / "o"
    write_jsonl(source, [row(name) for name in NAMES])
    assert cli.run(["annotate", str(source), "-o", str(out), "--engine", "dask", "--scheduler", running]) == 0
    assert [one["dialogue_id"] for one in read_jsonl(out)] == NAMES
    assert cli.run(["annotate", "-", "-o", f"{out}2", "--engine", "dask", "--scheduler", running]) == 2
    assert "standard input" in capfd.readouterr().err


def test_a_cluster_that_is_not_there(tmp_path, capfd, monkeypatch):
    source = folder(tmp_path / "in", NAMES)
    monkeypatch.setattr(cluster, "WAIT", 0.5)
    assert cli.run(["annotate", str(source), "-o", str(tmp_path / "o"), "--engine", "dask", "--scheduler",
                    "tcp://127.0.0.1:9"]) == 2
    assert "E227 --scheduler: expected the address" in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.run(["annotate", str(source), "-o", str(tmp_path / "o"), "--engine", "dask"]) == 2
    assert "evidial-rules[cluster]" in capfd.readouterr().err


def test_a_worker_with_other_rules_is_told(tmp_path):
    task = cluster.Task(None, True, "0.0+00000000", False, None)
    part = job.Part(0, 0)
    sent = cluster.Sent(part, list(Job.of([folder(tmp_path / "in", NAMES[:2])], "o").rows(Listing(False, [
        str(tmp_path / "in" / f"part-0000{i}.parquet") for i in range(2)]))))
    assert SECRET not in repr(sent)
    with pytest.raises(cluster.ClusterError, match="rules of this copy"):
        cluster.run_part(sent, task)
    assert JudgeError.code == "E225"
