"""Writes the simulated part of the sample data: `python eval/simulate.py [--seed N] [-o data/simulated]`.

Nobody's scores, votes or predictions ship with the project, so that there is something to fuse and to score they are
drawn: native scores of the invented dialogues (`scores.jsonl`), votes of three judges that err as LLM judges are said
to (`votes.jsonl`), a plan of every labelled cell (`plan.jsonl`) and predictions of two models under four methods
(`predictions.jsonl`). Raters and models are called simulated-..., and so is every table that is made of them.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

from common import STATES, finish, read_rows, run

ROOT = Path(__file__).resolve().parents[1]
JUDGES = {"simulated-a": 0.85, "simulated-b": 0.75, "simulated-c": 0.70}
"""Judges, and how often each names a cell's state."""
VALID = 0.97
METHODS = {"B0": 0.05, "B1": 0.15, "B2": 0.50, "M": 0.30}
"""The paper's prompting methods, and how often a simulated model abstains under each."""
MODELS = ("simulated-m", "simulated-n")
POSITIVE = {"SUFFICIENT_POS": 0.9, "SUFFICIENT_NEG": 0.08, "PARTIAL": 0.5, "CONFLICTING": 0.6, "ABSENT": 0.35}
"""How often a cell of a state has a positive label."""
NEAR = {"ABSENT": "PARTIAL", "PARTIAL": "ABSENT", "CONFLICTING": "SUFFICIENT_POS", "SUFFICIENT_POS": "PARTIAL",
        "SUFFICIENT_NEG": "ABSENT"}
"""What a judge that errs names most: it credits too little where evidence is negative, and sees no conflict."""


def simulated(gold: dict[str, dict[str, str]], seed: int) -> dict[str, list[dict[str, Any]]]:
    """The rows of each file, from the cells' states."""
    draw = random.Random(seed)
    scores, votes, plan, predictions = [], [], [], []
    for dialogue, states in gold.items():
        points = {name: draw.randint(1, 3) if draw.random() < POSITIVE[state] else 0 for name, state in states.items()}
        missing = draw.choice(sorted(points)) if draw.random() < 0.2 else None
        scores.append({"dialogue_id": dialogue,
                       "scores": {name: None if name == missing else n for name, n in points.items()}})
        for name, state in states.items():
            hard = draw.random() < 0.3
            for judge, right in JUDGES.items():
                valid = draw.random() < VALID
                chance = right - 0.35 if hard else right + 0.1
                given = state if draw.random() < chance else (
                    NEAR[state] if draw.random() < 0.7 else draw.choice(STATES))
                votes.append({"dialogue_id": dialogue, "dimension": name, "rater": judge,
                              "state": given if valid else None, "valid": valid,
                              "reason": None if valid else "simulated", "frames": [], "stated": None, "contract": 1})
            if name == missing:
                continue
            plan.append({"dialogue_id": dialogue, "dimension": name, "split": "dev"})
            for model in MODELS:
                for method, abstains in METHODS.items():
                    luck = draw.random()
                    status = ("failed" if luck < 0.02 else "abstained" if luck < 0.02 + abstains *
                              (0.5 if state.startswith("SUFFICIENT") else 1.2) else "answered")
                    guess = int(points[name] > 0) if draw.random() < 0.72 else draw.randint(0, 1)
                    predictions.append({"dialogue_id": dialogue, "dimension": name, "model": model, "method": method,
                                        "status": status, "prediction": guess if status == "answered" else None,
                                        "reason": "simulated" if status == "failed" else None, "contract": 1})
    return {"scores": scores, "votes": votes, "plan": plan, "predictions": predictions}


def main() -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", default=str(ROOT / "data" / "simulated"))
    arguments = parser.parse_args()
    gold = {row["dialogue_id"]: row["gold"] for row in read_rows(ROOT / "data" / "gold.jsonl")}
    folder = Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    files = simulated(gold, arguments.seed)
    for name, rows in files.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    finish({name: len(rows) for name, rows in files.items()} | {"seed": arguments.seed})
    return 0


if __name__ == "__main__":
    run(main)
