"""Regression cases: a file of dialogues, each with the state that one of its cells must have.

A case is a dialogue as everywhere (contract, section 6) with the key `gold` beside it, {dimension: state}: so that
`evidial annotate` judges the file, and :func:`~evidial_rules.report.states.read_gold` reads what must follow from the
same file (`evidial app FILE --gold FILE`).
"""
from __future__ import annotations

import hashlib
import json
import os
import threading
from dataclasses import dataclass
from pathlib import Path

from ..contract import STATES, Dialogue
from ..corpora import atomic, read_dialogue_rows, to_json
from ..errors import EvidialError, OutputError

_WRITING = threading.Lock()  # two tabs may save at once


class CaseError(EvidialError):
    """A file that is no file of regression cases, or another verdict on a case that is in it."""

    code = "E322"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Saved:
    """Where a case is: the file with its whole path, the line from 1, its id, and whether it was written now (or was
    there already, word for word)."""

    path: Path
    line: int
    case_id: str
    new: bool


def case_of(dialogue: Dialogue, dimension: str, state: str) -> dict[str, object]:
    """The line of a case. Its id is the dialogue's with the dimension and a digest of the words, so that one dialogue
    can be edited into several cases; the participant, the visit and the scores stay out."""
    row = dialogue.to_dict()
    for key in ("participant_id", "visit", "scores"):
        row.pop(key, None)
    words = json.dumps([dialogue.language, dialogue.instrument, row.get("date"), row["turns"]], ensure_ascii=False)
    digest = hashlib.sha256(words.encode("utf-8")).hexdigest()[:8]
    row["dialogue_id"] = f"{dialogue.dialogue_id}.{dimension}.{digest}"
    return row | {"gold": {dimension: state}}


def save(path: str | os.PathLike[str], dialogue: Dialogue, dimension: str, state: str) -> Saved:
    """Adds a case at the end of a file of cases, or begins one. What is in the file stays as it is, byte for byte.

    Raises :class:`CaseError` for a name that is none of a JSON Lines file, for a file with other lines than cases, and
    for a case that is in it with another state; what the readers raise for broken lines; and
    :class:`~evidial_rules.errors.OutputError`.
    """
    target = Path(path).expanduser()
    if target.suffix != ".jsonl":
        raise CaseError(where="the file of cases", expected="a name that ends in .jsonl")
    if state not in STATES:
        raise CaseError(where="the case", expected=f"a state out of {', '.join(STATES)}")
    with _WRITING:
        return _add(target, case_of(dialogue, dimension, state))


def _add(target: Path, case: dict[str, object]) -> Saved:
    lines, before = 0, b""
    if target.exists():
        try:
            before = target.read_bytes()
        except OSError as error:
            raise OutputError(where=str(target), expected=f"a file that can be read ({error.strerror})") from None
        lines = before.count(b"\n") + (not before.endswith(b"\n") and bool(before))
        for row, one in read_dialogue_rows(target):
            gold = row.data.get("gold")
            if not isinstance(gold, dict):
                raise CaseError(where=row.where, expected="a regression case: a dialogue with the key gold")
            if one.dialogue_id == case["dialogue_id"]:
                if gold != case["gold"]:
                    raise CaseError(where=row.where, expected="this case with the same state, or no such case yet")
                return Saved(target.resolve(), row.line, one.dialogue_id, False)
    with atomic(target) as stream:
        stream.write(before)
        if before and not before.endswith(b"\n"):
            stream.write(b"\n")
        stream.write(to_json(case).encode("utf-8") + b"\n")
    return Saved(target.resolve(), lines + 1, str(case["dialogue_id"]), True)
