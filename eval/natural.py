"""Whole dialogues against states that readers gave: `python eval/natural.py FILE`.

FILE: dialogues with a `gold` object, {dimension: state}; a dimension that is missing there was not agreed. Prints exact
agreement and Cohen's kappa over all languages and for each, the recall of every state, and beside them a
constant judge that always says the most frequent state of that language's gold.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import Any

from common import STATES, finish, judged, kappa, read_rows, run, table

from evidial_rules.errors import FileFormatError

Pair = tuple[str, str]
"""(gold, ours) of one cell."""


def figures(pairs: Sequence[Pair]) -> dict[str, Any]:
    """n, agreement, kappa (None where it has no meaning), and the agreement of the constant judge."""
    n = len(pairs)
    if not n:
        return {"n": 0, "agreement": None, "kappa": None, "constant": None}
    agree = sum(a == b for a, b in pairs) / n
    chance_corrected = kappa(pairs)
    return {
        "n": n,
        "agreement": round(agree, 4),
        "kappa": None if chance_corrected is None else round(chance_corrected, 4),
        "constant": round(Counter(a for a, _ in pairs).most_common(1)[0][1] / n, 4),
    }


def recall(pairs: Sequence[Pair]) -> dict[str, float | None]:
    """Of the cells that the gold gives a state, the share that we give it too; None where the gold has none."""
    gold = Counter(a for a, _ in pairs)
    hits = Counter(a for a, b in pairs if a == b)
    return {state: round(hits[state] / gold[state], 4) if gold[state] else None for state in STATES}


def cells(rows: Sequence[dict[str, Any]], path: str) -> dict[str, list[Pair]]:
    """The pairs by language."""
    for i, row in enumerate(rows, 1):
        if not isinstance(row.get("gold"), dict):
            raise FileFormatError(where=f"{path}, dialogue {i}", expected="an object `gold` of states by dimension")
    pairs: dict[str, list[Pair]] = {}
    for row, states in zip(rows, judged(rows), strict=True):
        for dimension, gold in row["gold"].items():
            pairs.setdefault(row["language"], []).append((gold, states.get(dimension, "no cell")))
    return pairs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="dialogues with gold states, JSON lines")
    options = parser.parse_args()
    by_language = dict(sorted(cells(read_rows(options.file), options.file).items()))
    together = [pair for pairs in by_language.values() for pair in pairs]
    parts = {"all": together, **by_language}
    print(
        table(
            ["", "cells", "agreement", "kappa", "constant judge"],
            [
                [name, *(figures(pairs)[k] for k in ("n", "agreement", "kappa", "constant"))]
                for name, pairs in parts.items()
            ],
        )
    )
    print()
    print(
        table(
            ["recall", *(f"{name} (n)" for name in parts)],
            [
                [state, *(_share(recall(pairs)[state], sum(a == state for a, _ in pairs)) for pairs in parts.values())]
                for state in STATES
            ],
        )
    )
    confused = Counter(pair for pair in together if pair[0] != pair[1])
    if confused:
        print()
        print(
            table(
                ["gold -> ours", "cells"],
                [[f"{a} -> {b}", n] for (a, b), n in sorted(confused.items(), key=lambda x: (-x[1], x[0]))],
            )
        )
    overall = figures(together)
    finish(
        {
            "n": overall["n"],
            "agreement": overall["agreement"],
            "kappa": overall["kappa"],
            "constant": overall["constant"],
            "recall": recall(together),
            "by_language": {name: {**figures(p), "recall": recall(p)} for name, p in by_language.items()},
        }
    )
    return 0


def _share(value: float | None, n: int) -> str:
    return "-" if value is None else f"{value:.3f} ({n})"


if __name__ == "__main__":
    run(main)
