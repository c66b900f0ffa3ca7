"""The demonstration's second half: simulated, said to be so, and computed like anything else."""
from __future__ import annotations

import io
import json

from rich.console import Console

from evidial_rules.corpora import read_dialogues, read_jsonl, read_predictions, read_votes
from evidial_rules.report.demo import panel_and_audit, scored
from evidial_rules.resources import resource


def gold_cells():
    for row in read_jsonl(resource("data", "gold.jsonl")):
        for dimension, state in row["gold"].items():
            yield row["dialogue_id"], dimension, state


def test_files_and_tables(tmp_path):
    from evidial_rules.pipeline.annotator import Annotator

    annotator = Annotator()
    everything = list(read_dialogues(resource("data", "dialogues.jsonl")))
    cells = [cell for dialogue in everything for cell in annotator.cells(dialogue)]
    stream = io.StringIO()
    console = Console(file=stream, width=120)
    for part in panel_and_audit(everything, cells, tmp_path):
        console.print(part)
    out = stream.getvalue()
    assert "simulated" in out and "Unsupported-correct rate" in out and "evidial-rules" in out
    assert {vote.rater for vote in read_votes(tmp_path / "votes.jsonl")} >= {"rules", "simulated-a"}
    assert len(json.loads((tmp_path / "score.json").read_text())["conditions"]) == 9
    assert {one.model for one in read_predictions(tmp_path / "predictions.jsonl")} == {
        "simulated-m", "simulated-n", "evidial-rules"}
    assert all(one.scores for one in scored(everything))


def test_what_ships_is_what_the_program_writes(monkeypatch):
    from pathlib import Path

    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "eval"))
    import simulate

    gold = {}
    for dialogue, dimension, state in gold_cells():
        gold.setdefault(dialogue, {})[dimension] = state
    for name, rows in simulate.simulated(gold, 0).items():
        assert list(read_jsonl(resource("data", "simulated", f"{name}.jsonl"))) == rows, name
