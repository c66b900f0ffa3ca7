"""Small dialogues after public bug reports: `python eval/bug_cases.py FILE`.

FILE: dialogues with an `expected` object, {dimension: state}, and a `phenomenon`. Prints the share of right cells over
all, for each language and for each phenomenon that has a miss.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

from common import finish, judged, read_rows, run, table

from evidial_rules.errors import FileFormatError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="cases, JSON lines")
    options = parser.parse_args()
    rows = read_rows(options.file)
    right: dict[str, list[bool]] = defaultdict(list)
    for i, row in enumerate(rows, 1):
        if not isinstance(row.get("expected"), dict):
            raise FileFormatError(
                where=f"{options.file}, dialogue {i}", expected="an object `expected` of states by dimension"
            )
    for row, states in zip(rows, judged(rows), strict=True):
        for dimension, wanted in row["expected"].items():
            ok = states.get(dimension) == wanted
            for key in ("all", row["language"], "| " + str(row.get("phenomenon", "?"))):
                right[key].append(ok)
    shown = {key: hits for key, hits in right.items() if not key.startswith("|") or not all(hits)}
    print(
        table(
            ["", "right", "cells", "rate"], [[key, sum(h), len(h), sum(h) / len(h)] for key, h in sorted(shown.items())]
        )
    )

    def rate(key: str) -> float | None:
        return round(sum(right[key]) / len(right[key]), 4) if right[key] else None

    finish(
        {
            "n": len(right["all"]),
            "right": sum(right["all"]),
            "rate": rate("all"),
            "by_language": {g: rate(g) for g in sorted({r["language"] for r in rows})},
        }
    )
    return 0


if __name__ == "__main__":
    run(main)
