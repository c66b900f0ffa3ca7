"""Plain transcripts, a speaker and a colon a line, and TalkDep's Markdown."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..errors import FileFormatError, SpeakerError, described
from .decode import read_text
from .drafts import Draft, Options, kept
from .speakers import SpeakerMap, normalise

# An optional list number and emphasis, a short label, a colon in either width. A label that starts with a digit is a
# time of day, and one that goes on with // an address. Every repeat before the text is bounded.
_LINE = re.compile(
    r"^\s*(?:\d{1,4}[.)、]\s{0,4})?(?:[-*>]\s{1,4})?[*_]{0,3}"
    r"([^\W\d_][^:：*]{0,29})[*_]{0,3}\s?[:：](?!//)[*_]{0,3}(.*)$")
_HEADING = re.compile(r"^\W*(?:conversation|session|dialogue|对话|对话记录)\W*(\d{1,4})\W*$", re.IGNORECASE)
_NAME = re.compile(r"^\W*(?:patient(?:'s)? name|name|persona)\W*[:：]\W*([\w .'-]{1,60}?)\W*$", re.IGNORECASE)
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$|^\s*[*_#]+\s*$")


def _split(line: str) -> tuple[str, str] | None:
    """(label, text) of a line that opens a turn, or None: a long label is a sentence with a colon in it."""
    match = _LINE.match(line)
    if not match or len(match[1].split()) > 3:
        return None
    return match[1].strip(), match[2].strip()


def read_text_dialogue(path: Path, options: Options) -> Iterator[Draft]:
    """One file, one dialogue: "Speaker: text" lines, English or Chinese.

    A line without a label goes on with the turn before it. A short label that nobody knows is an error, because its
    words would go to another speaker; `--speaker LABEL=ROLE` says who it is. A file without labels is one role's,
    given by `--speaker ROLE`; then each line is a turn.
    """
    yield Draft(str(path), path.stem, text_turns(read_text(path), options.speaker, where=str(path)),
                participant_id=path.stem)


def text_turns(text: str, speakers: SpeakerMap, *, where: str) -> list[tuple[str, str]]:
    """The turns, (role, words), of "Speaker: text" lines; see :func:`read_text_dialogue`. `where` is for messages.

    Raises :class:`~evidial_rules.errors.SpeakerError` and, where there are no lines,
    :class:`~evidial_rules.errors.FileFormatError`.

    >>> text_turns("Doctor: Any trouble?\\nPatient: I can't sleep.", SpeakerMap(), where="text")
    [('interviewer', 'Any trouble?'), ('participant', "I can't sleep.")]
    """
    turns: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        parts = _split(line)
        if parts is not None and speakers.default is not None:
            # The caller says that all of it is one speaker's; known labels are still taken off.
            if (role := speakers.role(parts[0])) is not None:
                turns.append((role, parts[1]))
                continue
            parts = None
        if parts is not None:
            turns.append((speakers.require(parts[0], f"{where}:{number}"), parts[1]))
        elif speakers.default is not None:
            turns.append((speakers.default, line.strip()))
        elif turns:
            turns[-1] = (turns[-1][0], f"{turns[-1][1]}\n{line.strip()}")
        else:
            raise SpeakerError(where=f"{where}:{number}", expected="SPEAKER: TEXT, or --speaker ROLE for a transcript "
                                                                  "without speakers")
    if not turns:
        raise FileFormatError(where=where, expected="lines of SPEAKER: TEXT, found none")
    return list(kept(turns))


def read_talkdep(path: Path, options: Options) -> Iterator[Draft]:
    """One TalkDep file: a persona with several conversations, each a dialogue and a visit.

    Lines may be numbered and headings vary; words before the first heading are the conversation before it. The
    persona is the one label beside the therapist's.
    """
    persona = re.split(r"[-_ ]", path.stem)[0].casefold()
    names = {persona, "patient"}
    lines: list[tuple[int | None, int, str, str]] = []  # conversation, line, label, text
    number: int | None = None
    for at, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip() or _RULE.match(line):
            continue
        if heading := _HEADING.match(line):
            number = int(heading[1])
            # Headings that count wrong must not glue two conversations together.
            used = {conversation for conversation, *_ in lines if conversation is not None}
            if number in used:
                number = max(used) + 1
            continue
        if not lines and len(line) < 200 and (name := _NAME.match(line)):
            names |= {normalise(name[1]), normalise(name[1].split()[0])}
            continue
        if line.lstrip().startswith("#"):
            continue
        parts = _split(line)
        if parts is not None:
            lines.append((number, at, *parts))
        elif lines and lines[-1][0] == number:
            lines[-1] = (*lines[-1][:3], f"{lines[-1][3]}\n{line.strip()}")
        else:
            raise FileFormatError(where=f"{path}:{at}", expected="a heading or SPEAKER: TEXT")
    if not lines:
        raise FileFormatError(where=str(path), expected="conversations of SPEAKER: TEXT, found none")
    roles = _talkdep_roles(path, lines, names, options.speaker)
    numbers = [conversation for conversation, *_ in lines if conversation is not None]
    opening = max(numbers[0] - 1, 0) if numbers else 1
    talks: dict[int, list[tuple[str, str]]] = {}
    for conversation, _, label, text in lines:
        talks.setdefault(opening if conversation is None else conversation, []).append((roles[normalise(label)], text))
    for conversation, turns in talks.items():
        yield Draft(str(path), f"talkdep-{persona}-{conversation}", list(kept(turns)),
                    participant_id=f"talkdep-{persona}", visit=conversation)


def _talkdep_roles(
    path: Path, lines: list[tuple[int | None, int, str, str]], names: set[str], speaker: SpeakerMap,
) -> dict[str, str]:
    roles: dict[str, str] = {}
    strangers: dict[str, tuple[int, str]] = {}
    for _, at, label, _ in lines:
        name = normalise(label)
        if name in roles or name in strangers:
            continue
        role = speaker.role(label) or ("participant" if name in names else None)
        if role is None:
            strangers[name] = (at, label)
        else:
            roles[name] = role
    if len(strangers) == 1 and "participant" not in roles.values():
        roles[next(iter(strangers))] = "participant"
    elif strangers:
        at, label = next(iter(strangers.values()))
        found = described(label, "speaker")
        raise SpeakerError(where=f"{path}:{at}", expected=f"the therapist or the persona, found {found}; say who it is "
                                                          f"with --speaker LABEL=ROLE")
    return roles
