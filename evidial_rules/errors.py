"""Error classes: one code, one line, and where to look.

Every error that a user can cause is an :class:`EvidialError`. Its text starts with a code, then says where (file,
line or rule) and what was expected. Nobody's words leave through an error message, so no class takes free text from
a dialogue, and values are quoted through :func:`shown`.
"""
from __future__ import annotations

import re
from typing import Any, ClassVar

_TOKEN = re.compile(r"[A-Za-z0-9_.+\-]{1,24}", re.ASCII)


class EvidialError(ValueError):
    """Base of the errors that a user can cause.

    A subclass sets `code` and `template`; the keyword arguments fill the template's placeholders and stay available
    as `details`.

    >>> class Teapot(EvidialError):
    ...     code = "E999"
    ...     template = "{where}: expected a kettle"
    >>> str(Teapot(where="kitchen"))
    'E999 kitchen: expected a kettle'
    """

    code: ClassVar[str] = "E000"
    template: ClassVar[str] = "{where}: {expected}"

    def __init__(self, **details: Any) -> None:
        self.details: dict[str, Any] = details
        # One line, whatever the placeholders hold.
        super().__init__(" ".join(f"{self.code} {self.template.format(**details)}".split()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Keyword-only construction would not survive the way home from a worker process.
        return (_rebuild, (type(self), self.details))


def _rebuild(kind: type[EvidialError], details: dict[str, Any]) -> EvidialError:
    return kind(**details)


class FrameError(EvidialError):
    """A frame, cue, interval, verdict or cell that breaks the contract's form."""

    code = "E001"
    template = "{where}: expected {expected}"


class DialogueError(EvidialError):
    """A dialogue that breaks the canonical form; `where` is a file and line, or a dialogue."""

    code = "E002"
    template = "{where}: expected {expected}"


class InstrumentError(EvidialError):
    """An instrument file that breaks the form, or native items that do not fit the instrument."""

    code = "E003"
    template = "{where}: expected {expected}"


class UnknownInstrument(EvidialError):
    """No instrument file of that name."""

    code = "E004"
    template = "{where}: expected an instrument ({known}), found {found}"


class ResourceError(EvidialError):
    """A lexicon, grammar, prompt or data file that is not there."""

    code = "E005"
    template = "{where}: expected {expected}"


class YamlError(EvidialError):
    """A YAML file that cannot be read: syntax, encoding, or a key given twice."""

    code = "E006"
    template = "{where}: expected {expected}"


class FileFormatError(EvidialError):
    """An input file that is not what its name or the chosen format says (encoding, JSON, CSV, Parquet, xlsx)."""

    code = "E007"
    template = "{where}: expected {expected}"


class DuplicateDialogue(EvidialError):
    """Two dialogues with one id."""

    code = "E008"
    template = "{where}: expected a new dialogue_id, found one first seen at {first}"


class SpeakerError(EvidialError):
    """A transcript whose speakers cannot be told."""

    code = "E009"
    template = "{where}: expected {expected}"


class LabelError(EvidialError):
    """A labels file that does not give the native items."""

    code = "E010"
    template = "{where}: expected {expected}"


class OutputError(EvidialError):
    """An output that cannot be written."""

    code = "E011"
    template = "{where}: expected {expected}"


class WorkerError(EvidialError):
    """A worker process that was ended from outside."""

    code = "E012"
    template = "{where}: expected {expected}"


class DuplicateCell(EvidialError):
    """Two cells of one dialogue and dimension, or two votes of one rater on it."""

    code = "E013"
    template = "{where}: expected {expected}, found one first seen at {first}"


class ChoiceError(EvidialError):
    """A value that a decision of the contract does not have, or a decision that it does not know."""

    code = "E014"
    template = "{where}: expected {expected}"


class RuleError(EvidialError):
    """A rule file that breaks the form: unknown key or category, bad pattern, duplicate or shadowed rule."""

    code = "E201"
    template = "{source}: rule {rule}: expected {expected}"


def shown(value: Any) -> str:
    """Text for a value in an error message: a short token is quoted, anything that may be speech is described.

    >>> shown("PHQ-9")
    "'PHQ-9'"
    >>> shown("well I could not sleep at all")
    'a string of 29 characters'
    >>> shown([1, 2])
    'a list'
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        # A number of a thousand digits does not help, and cannot always be printed.
        return str(value) if isinstance(value, float) or -(10**18) < value < 10**18 else "a huge number"
    if isinstance(value, str):
        if _TOKEN.fullmatch(value):
            return repr(value)
        return "an empty string" if not value else f"a string of {len(value)} characters"
    names = {dict: "an object", list: "a list", tuple: "a list"}
    return names.get(type(value), f"a {type(value).__name__}")


_KNOWN: dict[str, re.Pattern[str]] = {
    name: re.compile(words, re.ASCII | re.IGNORECASE) for name, words in {
        "speaker": r"(?:doctor|dr|physician|clinician|psychiatrist|psychologist|therapist|counsell?or|nurse|provider|"
                   r"ellie|patient|client|interviewee|respondent|user|human|assistant|system|bot|agent|speaker|guest|host|other|"
                   r"unknown|family|relative|carer|caregiver|spouse|interviewer|participant|informant|[abqps])"
                   r"[ _-]?\d{0,2}",
        "language": r"(?:english|chinese|mandarin|eng|zho|chi|cmn|yue|en|zh|cn|fr|de|es|it|pt|nl|ru|ja|ko|ar)"
                    r"(?:[-_](?:us|gb|cn|tw|hk|sg|hans|hant))?",
        "instrument": r"(?:phq|gad|hamd|ham-d|hdrs|hrsd|bdi|madrs|ces-d|cesd|qids|ids|epds|gds|sds|sas|dass|hads|ymrs|"
                      r"mini|scid)[-_ ]?(?:\d{1,2}|i{1,3}|sr|c)?",
    }.items()
}


def described(value: Any, known: str = "") -> str:
    """Like :func:`shown`, for a value that comes with a dialogue: a word may have been said by somebody, so text and
    numbers are never quoted. known: "speaker", "language" or "instrument", of which the usual names are.

    >>> described("suicidal"), described("doctor", "speaker"), described("suicidal", "speaker"), described(7)
    ('a string of 8 characters', "'doctor'", 'a string of 8 characters', 'a number')
    """
    if isinstance(value, str) and value:
        if known and _KNOWN[known].fullmatch(value):
            return repr(value)
        return f"a string of {len(value)} character{'s' if len(value) > 1 else ''}"
    return "a number" if isinstance(value, (int, float)) and not isinstance(value, bool) else shown(value)
