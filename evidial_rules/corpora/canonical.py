"""Canonical dialogues: JSON Lines or Parquet (contract, section 6)."""
from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ..contract import Dialogue
from ..errors import DuplicateDialogue, EvidialError, UnknownInstrument, described
from ..resources import instruments as shipped_instruments
from .files import Reject, Rejected, Row, name_of, read_rows
from .folders import expand
from .seen import Seen


def read_dialogues(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *,
    reject: Reject | None = None, instruments: Collection[str] | None = None,
) -> Iterator[Dialogue]:
    """The dialogues of one or several files, or folders of Parquet files, one at a time.

    `instruments` are the names that a dialogue may have (the shipped ones if not given). With `reject`, a bad line
    is handed to it and the rest goes on. Ids must differ over all the files together.

    Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and line.
    """
    for _, dialogue in read_dialogue_rows(path, reject=reject, instruments=instruments):
        yield dialogue


def read_dialogue_rows(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *,
    reject: Reject | None = None, instruments: Collection[str] | None = None,
) -> Iterator[tuple[Row, Dialogue]]:
    """Like :func:`read_dialogues`, with the row beside each dialogue, for keys of one's own (`anchor`, `gold`)."""
    known = tuple(shipped_instruments() if instruments is None else instruments)
    seen = Seen()
    for one in expand(path):
        for row in read_rows(one, reject=reject):
            try:
                dialogue = dialogue_of(row, known)
                if (first := seen.first(dialogue.dialogue_id, row.where)) is not None:
                    raise DuplicateDialogue(where=row.where, first=first)
            except EvidialError as error:
                if reject is None:
                    raise
                reject(Rejected(name_of(one), row.line, str(error)))
                continue
            yield row, dialogue


def dialogue_of(row: Row, instruments: Collection[str] | None = None) -> Dialogue:
    """The dialogue that a row holds. Raises an :class:`~evidial_rules.errors.EvidialError` that starts with file and
    line; whether its id is new is not asked."""
    known = tuple(shipped_instruments()) if instruments is None else instruments
    dialogue = Dialogue.from_dict(_unfold(row.data), where=row.where)
    if dialogue.instrument not in known:
        raise UnknownInstrument(where=row.where, known=", ".join(known),
                                found=described(dialogue.instrument, "instrument"))
    return dialogue


_OPTIONAL = ("participant_id", "source", "scores", "date", "visit")


def _unfold(data: dict[str, Any]) -> dict[str, Any]:
    """The row with Parquet's habits undone: maps as pairs, whole numbers as floats, nulls for what is not there."""
    data = {key: value for key, value in data.items() if value is not None or key not in _OPTIONAL}
    scores = data.get("scores")
    if isinstance(scores, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in scores):
        scores = dict(scores)
    if isinstance(scores, dict):
        data["scores"] = {key: int(value) if isinstance(value, float) and value.is_integer() else value
                          for key, value in scores.items()}
    return data
