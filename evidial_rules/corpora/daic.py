"""DAIC-WOZ and E-DAIC transcripts."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..errors import FileFormatError, SpeakerError
from .decode import read_table
from .drafts import Draft, Options, kept, merged

_ID = re.compile(r"^(.+?)_transcript$", re.IGNORECASE)
# The interviewer's prompts may carry their script's name: "how_doingV (how are you doing today)".
_PROMPT = re.compile(r"^\s*(?=[A-Za-z]*(?:[_0-9]|[a-z][A-Z]))[A-Za-z0-9_]{1,60} \(([^()]*)\)\s*$")
_MARKED = re.compile(r"</?UNSURE>")
_INAUDIBLE = re.compile(r"<(?:UNIN|INAUDIBLE_SPEECH)/>")


def _id(path: Path) -> str:
    match = _ID.match(path.stem)
    return match[1] if match else path.stem


def read_daic_woz(path: Path, options: Options) -> Iterator[Draft]:
    """One `{id}_TRANSCRIPT.csv`: tab-separated, columns start_time, stop_time, speaker, value.

    Neighbouring rows of one speaker become one turn. A prompt's script name is taken off, `<UNSURE>` tags are
    dropped and an inaudible stretch reads "[inaudible]".
    """
    table = read_table(path, "\t")
    speaker, value = table.column("speaker"), table.column("value")
    if speaker is None or value is None:
        raise FileFormatError(where=f"{path}:1", expected="tab-separated columns start_time, stop_time, speaker, value")
    lines = []
    for line, row in table.rows:
        role = options.speaker.default or options.speaker.require(row[speaker], f"{path}:{line}")
        text = _INAUDIBLE.sub("[inaudible]", _MARKED.sub("", row[value])).strip()
        if role == "interviewer" and (prompt := _PROMPT.match(text)):
            text = prompt[1].strip()
        lines.append((role, text))
    yield Draft(str(path), _id(path), merged(kept(lines)), participant_id=_id(path))


def read_e_daic(path: Path, options: Options) -> Iterator[Draft]:
    """One `{id}_Transcript.csv`: columns Start_Time, End_Time, Text, Confidence, and a speaker column if one was added.

    Without that column both speakers are mixed: the reader refuses, unless the caller gives one role for every
    line. Then each row stays a turn, since the rows are the only boundaries that the recogniser left.
    """
    table = read_table(path, ",")
    text, speaker = table.column("text", "value"), table.column("speaker", "role", "personname")
    if text is None:
        raise FileFormatError(where=f"{path}:1", expected="comma-separated columns Start_Time, End_Time, Text, "
                                                          "Confidence")
    rows = [(line, row, row[text].strip()) for line, row in table.rows]
    if speaker is None:
        if options.speaker.default is None:
            raise SpeakerError(where=str(path), expected=(
                "a speaker column: this format mixes both speakers in one stream, and who is meant and what an answer "
                "answers cannot be told without it; add one, or take every line as the participant's with "
                "--speaker participant"))
        turns = [(options.speaker.default, words) for _, _, words in rows if words]
    else:
        turns = merged(kept((options.speaker.require(row[speaker], f"{path}:{line}"), words)
                            for line, row, words in rows))
    yield Draft(str(path), _id(path), turns, participant_id=_id(path))
