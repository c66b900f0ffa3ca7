"""What hangs on the contract's own decisions: `python eval/sensitivity.py [FILE...]`.

FILE: dialogues; without one, those that ship with the project. Each decision of the contract that is a switch is taken
otherwise, one at a time, and the rule judge's cells are judged anew from their frames. Prints for each the share of
cells whose state moves, over all languages and for each, and from which state to which.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from common import STATES, finish, judged_cells, read_rows, run, table

from evidial_rules import Cell
from evidial_rules.contract import CHOICES, Choices, Instrument
from evidial_rules.resources import load_instrument, resource


@dataclass(frozen=True)
class Moved:
    """One cell under one choice: its states before and after, and how many of its frames are bound otherwise."""

    before: str
    after: str
    frames: int


def moved(cell: Cell, instrument: Instrument, choices: Choices) -> Moved:
    """What other choices make of a cell."""
    after = cell.under(instrument, choices)
    return Moved(cell.state, after.state, sum(a != b for a, b in zip(cell.frames, after.frames, strict=True)))


def figures(cells: Iterable[Moved]) -> dict[str, Any]:
    """n, cells that moved, their share (None without cells), frames bound otherwise, and the moves with their counts.

    >>> figures([Moved("PARTIAL", "SUFFICIENT_POS", 1), Moved("ABSENT", "ABSENT", 0)])
    {'n': 2, 'moved': 1, 'share': 0.5, 'frames': 1, 'moves': {'PARTIAL -> SUFFICIENT_POS': 1}}
    """
    found = list(cells)
    moves = Counter((one.before, one.after) for one in found if one.before != one.after)
    n, total = len(found), sum(moves.values())
    order = sorted(moves, key=lambda move: (-moves[move], *map(STATES.index, move)))
    return {
        "n": n,
        "moved": total,
        "share": round(total / n, 4) if n else None,
        "frames": sum(one.frames for one in found),
        "moves": {" -> ".join(move): moves[move] for move in order},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="dialogues, JSON lines")
    options = parser.parse_args()
    files = options.files or [resource("data", "dialogues.jsonl")]
    judged = [
        (dialogue.language, cell, load_instrument(dialogue.instrument))
        for file in files
        for dialogue, cells in judged_cells(read_rows(file))
        for cell in cells
    ]
    languages = sorted({language for language, _, _ in judged})
    result: dict[str, dict[str, Any]] = {name: {} for name in CHOICES}
    for name, value, choices in Choices.alternatives():
        found = [(language, moved(cell, instrument, choices)) for language, cell, instrument in judged]
        result[name][value] = {
            **figures(one for _, one in found),
            "by_language": {of: figures(one for language, one in found if language == of) for of in languages},
        }
    _print(result, languages)
    finish({"n": len(judged), "cells": dict(Counter(language for language, _, _ in judged)), "choices": result})
    return 0


def _print(result: dict[str, dict[str, Any]], languages: list[str]) -> None:
    head = ["choice", "instead", "cells", "frames"]
    for part in ("all", *languages):
        head += [part, "share"]
    rows, moves = [], []
    for name, values in result.items():
        for value, all_ in values.items():
            parts = {"all": all_, **all_["by_language"]}
            row: list[Any] = [name, value, all_["n"], all_["frames"]]
            for part in parts.values():
                row += [part["moved"], part["share"]]
            rows.append(row)
            moves += [
                [f"{name} = {value}: {move}", *(part["moves"].get(move, 0) for part in parts.values())]
                for move in all_["moves"]
            ]
    print(table(head, rows))
    if moves:
        print()
        print(table(["cells that move", "all", *languages], moves))


if __name__ == "__main__":
    run(main)
