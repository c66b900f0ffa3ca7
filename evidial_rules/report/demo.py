"""The demonstration beyond the rule judge: votes, a reference, predictions and their audit, and anchors, on what ships.

Nobody's votes, scores and predictions ship. They are simulated (`data/simulated/`, made by `eval/simulate.py`), and so
is what is computed from them, except for the votes of the rule judge and of the engines that are installed.
"""
from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from ..anchors import Anchor, AnchorScores, Base, make_views, read_bases, score
from ..audit import audit_table, predictions_of_votes
from ..contract import Cell, Dialogue, Vote
from ..corpora import (
    atomic,
    read_jsonl,
    read_plan,
    read_predictions,
    read_votes,
    to_json,
    vote_table,
    write_jsonl,
)
from ..fusion import fuse
from ..raters import RaterError
from ..raters.registry import rater
from ..resources import resource
from .audit import Settings, audit_report, audit_view
from .fusion import fusion_view

ENGINES = ("negex", "context")
WORD = "simulated"


def scored(dialogues: Iterable[Dialogue]) -> list[Dialogue]:
    """The dialogues with the simulated native scores."""
    with open(resource("data", "simulated", "scores.jsonl"), encoding="utf-8") as lines:
        scores = {row["dialogue_id"]: row["scores"] for row in map(json.loads, lines)}
    return [one.model_copy(update={"scores": scores[one.dialogue_id]}) for one in dialogues]


def votes_of_cells(cells: Iterable[Cell]) -> list[Vote]:
    """The rule judge's cells as its votes."""
    return [Vote(cell.dialogue_id, cell.dimension, "rules", cell.state, frames=cell.frames, contract=cell.contract,
                 ruleset=cell.ruleset) for cell in cells]


def gold_and_anchors(folder: Path) -> AnchorScores:
    """Gold, the anchors of the first base dialogue of each language, and the rule judge's votes on them, written to a
    folder; how many it recovers."""
    first: dict[str, Base] = {}
    for base in read_bases(resource("data", "dialogues.jsonl")):
        first.setdefault(base.dialogue.language, base)
    judge = rater("rules")
    views = list(make_views(first.values(), twins=False))
    votes = [vote for view in views for vote in judge.votes(view.dialogue) if vote.dimension == view.dimension]
    write_jsonl(folder / "gold.jsonl", read_jsonl(resource("data", "gold.jsonl")))
    write_jsonl(folder / "anchors.jsonl", (view.to_dict() for view in views))
    write_jsonl(folder / "anchor_votes.jsonl", (vote.to_dict() for vote in votes))
    given = {(vote.dialogue_id, vote.dimension): vote.state for vote in votes}
    return score([Anchor(view.dialogue, view.name, view.dimension, view.expected, view.base_id) for view in views],
                 {"rules": given})


def panel_and_audit(dialogues: Sequence[Dialogue], cells: Sequence[Cell], folder: Path) -> list[RenderableType]:
    """Votes, plurality reference, predictions and scores, written to a folder and as tables.

    Plurality, because 117 cells are too few for a model with dozens of parameters. The rule judge stands beside the
    simulated models as a method of its own.
    """
    people = scored(dialogues)
    votes, notes = votes_of_cells(cells), []
    for name in ENGINES:
        try:
            engine = rater(name)
        except RaterError:
            notes.append(f"{name} is not installed and does not vote (the extra `raters`)")
            continue
        votes += [vote for one in dialogues for vote in engine.votes(one)]
    rules = [vote for vote in votes if vote.rater == "rules"]
    votes += read_votes(resource("data", "simulated", "votes.jsonl"))
    fused = fuse(vote_table(votes, people), "plurality")
    reference = list(fused.references())
    mean = fuse(vote_table(votes, people), "mean").references()
    plan = list(read_plan(resource("data", "simulated", "plan.jsonl")))
    predictions = [*read_predictions(resource("data", "simulated", "predictions.jsonl")),
                   *predictions_of_votes(rules, plan, "evidial-rules")]
    found = audit_report(audit_table(predictions, reference, people, plan), Settings(replicates=500, simulations=100))
    for name, rows in (("dialogues", people), ("votes", votes), ("reference", reference),
                       ("reference-mean", mean), ("plan", plan), ("predictions", predictions)):
        write_jsonl(folder / f"{name}.jsonl", (row.to_dict() for row in rows))
    with atomic(folder / "score.json") as stream:
        stream.write(to_json(found).encode("utf-8"))
    head = Text(f"What follows is {WORD}: scores, the votes of {WORD}-a to -c and the predictions of {WORD}-m and -n "
                "were drawn by a program, and say nothing of any model.", style="bold")
    tables = audit_view(found)
    return [head, *map(Text, notes), Text(), *fusion_view(fused), Text(), *tables[:4]]
