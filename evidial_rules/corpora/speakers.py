"""Who is who in a transcript: names of roles in both languages, and the caller's own mapping."""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..contract import SPEAKERS
from ..errors import SpeakerError, described, shown

SKIP = "skip"
"""A role of a label whose lines are left out."""

_NAMES: dict[str, tuple[str, ...]] = {
    "interviewer": (
        "interviewer doctor dr physician clinician psychiatrist psychologist therapist counselor counsellor nurse gp",
        "provider examiner ellie",
        "医生 醫生 大夫 医师 醫師 主治医生 咨询师 諮詢師 諮商師 心理咨询师 心理諮詢師 心理諮商師 心理师 心理師 治疗师",
        "治療師 访谈者 訪談者 访谈员 采访者 主试 护士 護士 问",
    ),
    "participant": (
        "participant patient client interviewee respondent",
        "患者 病人 来访者 來訪者 来访 求助者 当事人 當事人 个案 個案 案主 受访者 受訪者 被试 答",
    ),
    "informant": (
        "informant relative mother father mom mum dad wife husband spouse partner son daughter brother sister family",
        "carer caregiver guardian parent",
        "家属 家屬 母亲 母親 父亲 父親 妈妈 媽媽 爸爸 妻子 丈夫 儿子 兒子 女儿 女兒 家长 家長 陪同 陪护",
    ),
}
_ROLES: dict[str, str] = {name: role for role, lines in _NAMES.items() for line in lines
                          for name in line.split()}
_WORDS = re.compile(r"[\s_.\-]+")


def normalise(label: str) -> str:
    """A label without width, case, mark-up and a counting number: "**Doctor 1**" is "doctor".

    >>> normalise("**Doctor 1**"), normalise("Ｄr. ")
    ('doctor', 'dr')
    """
    text = unicodedata.normalize("NFKC", label).casefold().strip(" \t*_#[]()<>.")
    # What is longer than any label is speech in the wrong column.
    return re.sub(r"[\s_.\-]*\d{1,2}$", "", text) if len(text) <= 60 else text


@dataclass(frozen=True, slots=True)
class SpeakerMap:
    """The caller's choice: a role for every line, or roles by label."""

    default: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, speaker: str | Iterable[str] | Mapping[str, str] | None) -> SpeakerMap:
        """From `--speaker`: a role ("participant"), "LABEL=ROLE" (several, apart by commas), or a mapping.

        Raises :class:`~evidial_rules.errors.SpeakerError`.

        >>> SpeakerMap.of("Ann=interviewer,Bo=participant").role("Bo")
        'participant'
        """
        if speaker is None:
            return cls()
        if isinstance(speaker, Mapping):
            pairs = [(str(name), role) for name, role in speaker.items()]
            default = None
        else:
            parts = [part.strip() for item in ([speaker] if isinstance(speaker, str) else speaker)
                     for part in item.split(",") if part.strip()]
            plain = [part for part in parts if "=" not in part]
            if len(plain) > 1:
                raise SpeakerError(where="speaker", expected="one role for every line, or LABEL=ROLE")
            default = plain[0] if plain else None
            pairs = [(name, role.strip()) for name, _, role in (part.rpartition("=") for part in parts if "=" in part)]
        if default is not None and default not in SPEAKERS:
            raise SpeakerError(where="speaker",
                               expected=f"a role out of {', '.join(SPEAKERS)} or LABEL=ROLE, found {shown(default)}")
        for _, role in pairs:
            if role not in (*SPEAKERS, SKIP):
                raise SpeakerError(where="speaker",
                                   expected=f"a role out of {', '.join((*SPEAKERS, SKIP))}, found {shown(role)}")
        return cls(default, {_exact(name): role for name, role in pairs})

    def role(self, label: str) -> str | None:
        """The role of a label, the caller's word before the usual names; None if nobody knows it."""
        if (exact := _exact(label)) in self.roles:
            return self.roles[exact]
        name = normalise(label)
        if name in self.roles:
            return self.roles[name]
        if name in _ROLES:
            return _ROLES[name]
        # "Dr Jones", "guest_family": a title or role beside a name.
        words = _WORDS.split(name)
        known = {_ROLES[word] for word in (words[0], words[-1]) if word in _ROLES}
        return known.pop() if len(words) > 1 and len(known) == 1 else None

    def require(self, label: str, where: str) -> str:
        """The role of a label; raises SpeakerError with `where` if nobody knows it."""
        role = self.role(label)
        if role is None:
            found = described(label, "speaker")  # the columns may be swapped
            raise SpeakerError(where=where, expected=f"a speaker that is known, found {found}; say who it is "
                                                     f"with --speaker LABEL=ROLE ({', '.join((*SPEAKERS, SKIP))})")
        return role


def _exact(label: str) -> str:
    return unicodedata.normalize("NFKC", label).casefold().strip()
