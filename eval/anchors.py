"""Perturbation anchors: `python eval/anchors.py FILE [--by dimension]`.

FILE: dialogues with an `anchor` object (class, dimension, expected state). Prints hits for each class, failure mode and
language with the 5th percentile of the rate under a flat Beta prior, and whether the condition passes the gate: at
least 85% recovered and a lower bound of at least 75%. Under ten anchors there is no verdict.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import Any

from common import STATES, finish, judged, lower_bound, read_rows, run, table

from evidial_rules.errors import FileFormatError

MODES: dict[str, tuple[str, ...]] = {
    "F1": ("P4-op",),
    "F2": ("P5", "P4-ow", "P8"),
    "F3": ("P4-wd", "P3"),
    "F4": ("P2", "P4-wn"),
    "F5": ("P7", "P1"),
    "F6": ("P6a", "P6b", "P8"),
}
"""The anchor classes that exercise each failure mode."""

RATE, BOUND, FEWEST = 0.85, 0.75, 10


def condition(states: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """One condition's figures from its (expected, ours) pairs.

    >>> condition([("ABSENT", "ABSENT")] * 20)["passed"]
    True
    """
    n, hits = len(states), sum(a == b for a, b in states)
    rate, bound = (hits / n, lower_bound(hits, n)) if n else (None, None)
    passed = None if n < FEWEST else rate >= RATE and bound >= BOUND
    spread = Counter(b for _, b in states)
    return {
        "n": n,
        "hits": hits,
        "rate": rate and round(rate, 4),
        "lower": bound and round(bound, 4),
        "passed": passed,
        "states": {s: spread[s] for s in STATES if spread[s]},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="anchors, JSON lines")
    parser.add_argument("--by", choices=("dimension", "instrument", "expected"), help="another way to part them")
    options = parser.parse_args()
    rows = read_rows(options.file)
    for i, row in enumerate(rows, 1):
        if not isinstance(row.get("anchor"), dict) or not {"class", "dimension", "expected"} <= set(row["anchor"]):
            raise FileFormatError(
                where=f"{options.file}, dialogue {i}", expected="an object `anchor` with class, dimension and expected"
            )
    pairs = [
        (row, (row["anchor"]["expected"], states.get(row["anchor"]["dimension"], "no cell")))
        for row, states in zip(rows, judged(rows), strict=True)
    ]
    languages = ["all", *sorted({row["language"] for row in rows})]

    def of(language: str, classes: Sequence[str] | None = None, **where: str) -> dict[str, Any]:
        return condition(
            [
                p
                for row, p in pairs
                if language in ("all", row["language"])
                and (classes is None or row["anchor"]["class"] in classes)
                and all(row["anchor"].get(k, row.get(k)) == v for k, v in where.items())
            ]
        )

    found = sorted({row["anchor"]["class"] for row in rows})
    out = {
        "classes": [{"class": c, "language": g, **of(g, [c])} for c in found for g in languages],
        "modes": [{"mode": m, "language": g, **of(g, classes)} for m, classes in MODES.items() for g in languages],
        "languages": [{"language": g, **of(g)} for g in languages],
    }
    lines = [
        [
            x.get("class") or x.get("mode") or "total",
            x["language"],
            f"{x['hits']}/{x['n']}",
            x["rate"],
            x["lower"],
            _verdict(x["passed"]),
        ]
        for part in out.values()
        for x in part
        if x["n"]
    ]
    if options.by:
        values = sorted({str(row["anchor"].get(options.by, row.get(options.by))) for row in rows})
        out[options.by] = [
            {options.by: v, "language": g, **of(g, **{options.by: v})} for v in values for g in languages
        ]
        lines += [
            [x[options.by], x["language"], f"{x['hits']}/{x['n']}", x["rate"], x["lower"], _verdict(x["passed"])]
            for x in out[options.by]
            if x["n"]
        ]
    print(table(["condition", "language", "hits", "rate", "lower", "gate"], lines))
    finish({"n": len(rows), "hits": sum(a == b for _, (a, b) in pairs), **out})
    return 0


def _verdict(passed: bool | None) -> str:
    return "too few" if passed is None else "passed" if passed else "-"


if __name__ == "__main__":
    run(main)
