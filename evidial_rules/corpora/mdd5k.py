"""MDD-5k: one JSON file a patient, a list of conversations of doctor-patient exchanges."""
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import FileFormatError, described
from .decode import read_text
from .drafts import Draft, Options
from .files import Twice, once

_ROLES = {"doctor": "interviewer", "patient": "participant"}


def read_mdd5k(path: Path, options: Options) -> Iterator[Draft]:
    """One `patient_N.json`: each conversation is a dialogue (`mdd5k-patient_N-1`, ...) and a visit of the patient."""
    try:
        data = json.loads(read_text(path), strict=False, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise FileFormatError(where=f"{path}:{error.lineno}", expected="JSON") from None
    except Twice:
        raise FileFormatError(where=str(path), expected="JSON objects with each key once") from None
    except (RecursionError, ValueError):
        raise FileFormatError(where=str(path), expected="JSON") from None
    if not isinstance(data, list) or not data:
        raise FileFormatError(where=str(path), expected=f"a list of conversations, found {described(data)}")
    for number, talk in enumerate(data, 1):
        where = f"{path}: conversation {number}"
        exchanges = talk.get("conversation") if isinstance(talk, dict) else None
        if not isinstance(exchanges, list):
            raise FileFormatError(where=where, expected="the key `conversation` with a list of exchanges")
        turns = [turn for at, exchange in enumerate(exchanges, 1) for turn in _turns(exchange, f"{where}, {at}")]
        yield Draft(where, f"mdd5k-{path.stem}-{number}", turns, participant_id=path.stem, visit=number)


def _turns(exchange: Any, where: str) -> list[tuple[str, str]]:
    if not isinstance(exchange, dict) or not _ROLES.keys() & exchange.keys():
        raise FileFormatError(where=where, expected="an exchange with `doctor` and `patient`")
    turns = []
    for key, role in _ROLES.items():
        words = exchange.get(key)
        if words is None:
            continue
        if not isinstance(words, str):
            raise FileFormatError(where=where, expected=f"`{key}` to be text, found {described(words)}")
        if words.strip():
            turns.append((role, words.strip()))
    return turns
