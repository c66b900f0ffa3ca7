"""Negation and temporality on somebody else's terms: `python eval/negex.py FILE`.

FILE: the ConText/NegEx test kit, tab-separated: line number, condition, sentence with the condition in capitals,
negation (Negated, Affirmed, Possible), temporality (Historical, Recent, Not particular), experiencer. The conditions
become the target terms of a lexicon, and the binding components say of each its polarity and its time. A mention is
negated where its frame denies, and historical where its time lies wholly outside the past 14 days. negspaCy and
medspaCy read the same rows in the same run, with the same places as targets, if they are installed.
"""

from __future__ import annotations

import argparse
import csv
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import peers
import yaml
from common import finish, prf, run, table

import evidial_rules
from evidial_rules.contract import touches
from evidial_rules.errors import FileFormatError

WINDOW = 14
_CUES = (
    r"histor", r"\bh/o\b", r"\bhx\b", r"\bpmhx?\b", r"status[ -]post", r"\bs/p\b", r"\bpast\b", r"\bprevious",
    r"\bprior\b", r"\bformer", r"\bold\b", r"\bchronic", r"\bknown?\b", r"\bago\b", r"\bsince\b", r"\blast\b",
    r"\balready\b", r"\bsocial\b", r"\ballerg", r"\bquit\b", r"\bremote\b", r"\blong[- ]?standing",
    r"\bunchanged\b", r"\b(?:19|20)\d\d\b", r"\byears?\b(?!-old)", r"\bmonths?\b",
)  # fmt: skip
CUED = re.compile("|".join(_CUES), re.IGNORECASE)
"""Words that place something in time, or head a part of the notes that does. Without any of them nobody can tell."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the kit. start, end: code points of the condition in the sentence."""

    condition: str
    sentence: str
    start: int
    end: int
    negated: bool
    historical: bool
    cued: bool


def read(path: Path | str) -> list[Row]:
    """The rows of a kit file. Raises FileFormatError with the line where one is not what it should be."""
    rows = []
    try:
        with open(path, encoding="utf-8-sig", newline="") as lines:
            for number, cells in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 1):
                if number == 1 or not cells:
                    continue
                if len(cells) < 5:
                    raise FileFormatError(where=f"{path}:{number}", expected="six columns parted by tabs")
                _, condition, sentence, negation, temporality = (c.strip() for c in cells[:5])
                if negation not in ("Negated", "Affirmed", "Possible"):
                    raise FileFormatError(
                        where=f"{path}:{number}", expected="Negated, Affirmed or Possible in the fourth column"
                    )
                start, end = place(condition, sentence)
                before = sentence[max(0, sentence.rfind(". ", 0, start)) :]
                rows.append(
                    Row(
                        condition,
                        sentence,
                        start,
                        end,
                        negation == "Negated",
                        temporality == "Historical",
                        CUED.search(before) is not None,
                    )
                )
    except UnicodeDecodeError:
        raise FileFormatError(where=str(path), expected="UTF-8 text") from None
    return rows


def place(condition: str, sentence: str) -> tuple[int, int]:
    """Where the condition stands: the occurrence in capitals, else the first; (0, 0) if there is none.

    >>> place("chest pain", "No pain, no CHEST   PAIN.")
    (12, 24)
    """
    words = r"\s+".join(map(re.escape, condition.split()))
    found = re.search(r"\s+".join(map(re.escape, condition.upper().split())), sentence) or re.search(
        words, sentence, re.IGNORECASE
    )
    return found.span() if found else (0, 0)


def lexicon(rows: Sequence[Row], folder: Path) -> dict[str, str]:
    """Writes a lexicon of the conditions; returns the rule of each condition."""
    names = {c: f"kit.{i}" for i, c in enumerate(sorted({r.condition.lower() for r in rows}))}
    content = {
        "version": 1,
        "dimension": "condition",
        "genre": "notes",
        "targets": [{"id": i, "terms": [c]} for c, i in names.items()],
    }
    (folder / "conditions.yaml").write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    return names


def ours(rows: Sequence[Row]) -> list[tuple[bool, bool] | None]:
    """(negated, historical) of each row by the binding components; None where the condition was not found."""
    with tempfile.TemporaryDirectory() as folder:
        names = lexicon(rows, Path(folder))
        nlp = evidial_rules.load("en", lexicons=folder, spans=False)
        out: list[tuple[bool, bool] | None] = []
        for row in rows:
            doc = nlp.make_doc(row.sentence)
            # a clinician's notes speak of the patient as somebody in the room would
            doc.user_data["evidial_turns"] = [("informant", 0, len(row.sentence))]
            for _, pipe in nlp.pipeline:
                doc = pipe(doc)
            name = names[row.condition.lower()]
            found = [
                f
                for f in doc._.frames
                if f.start < row.end and row.start < f.end and any(q.rule == name for q in f.cues)
            ]
            if not found:
                out.append(None)
                continue
            out.append((any(f.polarity == "deny" for f in found), not any(touches(f.time, WINDOW) for f in found)))
    return out


def peer(name: str, rows: Sequence[Row]) -> list[tuple[bool, bool | None] | None] | None:
    """(negated, historical) of each row by a peer; None if it is not installed."""
    nlp = peers.PEERS[name]()
    if nlp is None:
        return None
    out: list[tuple[bool, bool | None] | None] = []
    for row in rows:
        doc = peers.marked(nlp, row.sentence, [(row.start, row.end)]) if row.end else None
        if doc is None or not doc.ents:
            out.append(None)
        elif name == "negspacy":
            out.append((peers.negated(doc)[0], None))
        else:
            out.append(peers.context(doc)[0])
    return out


def score(rows: Sequence[Row], said: Sequence[tuple[bool, bool | None] | None] | None) -> dict[str, Any] | None:
    """The figures of one judge. A target that was not found counts as affirmed and recent."""
    if said is None:
        return None
    past = not all(s is None or s[1] is None for s in said)
    pairs = [(r.historical, bool(s and s[1]), r.cued) for r, s in zip(rows, said, strict=True)]
    return {
        "negation": prf((r.negated, bool(s and s[0])) for r, s in zip(rows, said, strict=True)),
        "historical": prf((g, p) for g, p, _ in pairs) if past else None,
        "historical_cued": prf((g, p) for g, p, cued in pairs if cued) if past else None,
        "not_found": sum(s is None for s in said),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the kit, tab-separated")
    parser.add_argument(
        "--misses",
        action="store_true",
        help="print the lines of the file (the heading is line 1) that we get wrong",
    )
    options = parser.parse_args()
    rows = read(options.file)
    said = ours(rows)
    result: dict[str, Any] = {"evidial": score(rows, said)}
    for name in peers.PEERS:
        result[name] = score(rows, peer(name, rows))
        if result[name] is None:
            print(f"{name}: not installed; pip install 'evidial-rules[raters]'")
    if options.misses:
        for kind, index in (("negation", 0), ("historical", 1)):
            gold = [(r.negated, r.historical)[index] for r in rows]
            for wanted, what in ((True, "missed"), (False, "false")):
                wrong = [
                    i + 2
                    for i, (g, s) in enumerate(zip(gold, said, strict=True))
                    if g == wanted and bool(s and s[index]) != g
                ]
                print(f"{kind}, {what}:", *wrong)
    cued = [r for r in rows if r.cued]
    print(
        f"{len(rows)} rows: {sum(r.negated for r in rows)} negated, {sum(r.historical for r in rows)} historical; "
        f"{len(cued)} with a word that places something in time, {sum(r.historical for r in cued)} of these historical"
    )
    lines = []
    for name, figures in result.items():
        for what in ("negation", "historical", "historical_cued"):
            part = figures and figures[what] or {}
            lines.append([f"{name} {what}", part.get("p"), part.get("r"), part.get("f1")])
    print(table(["", "p", "r", "f1"], lines))
    finish({**result, "n": len(rows)})
    return 0


if __name__ == "__main__":
    run(main)
