"""Dialogues in a CSV file: a row a turn."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import FileFormatError
from .decode import read_table
from .drafts import Draft, Options
from .speakers import SKIP

_MORE = ("participant_id", "language", "instrument", "source", "date", "visit")


def read_csv(path: Path, options: Options) -> Iterator[Draft]:
    """One CSV file: columns dialogue_id, speaker, text; rows of one dialogue in the order of the file.

    Columns participant_id, language, instrument, source, date and visit are read if they are there; a dialogue's
    rows must agree on them.
    """
    table = read_table(path)
    names = {name: table.column(name) for name in ("dialogue_id", "speaker", "text", *_MORE)}
    missing = [name for name in ("dialogue_id", "text") if names[name] is None]
    if names["speaker"] is None and options.speaker.default is None:
        missing.append("speaker")
    if missing:
        raise FileFormatError(where=f"{path}:1", expected=f"columns dialogue_id, speaker, text; {', '.join(missing)} "
                                                          f"not found")
    drafts: dict[str, Draft] = {}
    for line, row in table.rows:
        where = f"{path}:{line}"
        ident = row[names["dialogue_id"]].strip()
        if not ident:
            raise FileFormatError(where=where, expected="a dialogue_id")
        label = row[names["speaker"]].strip() if names["speaker"] else ""
        role = options.speaker.default if not names["speaker"] else options.speaker.require(label, where)
        draft = drafts.setdefault(ident, Draft(where, ident, []))
        for name in _MORE:
            value = row[names[name]].strip() if names[name] else ""
            if value:
                if getattr(draft, name) not in (None, value):
                    raise FileFormatError(where=where, expected=f"one {name} a dialogue")
                setattr(draft, name, value)
        if role is not None and role != SKIP:
            draft.turns.append((role, row[names["text"]].strip()))
    if not drafts:
        raise FileFormatError(where=str(path), expected="rows under the header, found none")
    yield from drafts.values()
