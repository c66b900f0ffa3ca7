"""Prompts: templates by language, filled with the dialogue, the cell and what the instrument says of it.

`prompts/<language>/judge.md` is the judge's, `audit_b0.md` and its like are those of the four audit methods. Each
begins with its name and version between lines of `---`, then has the sections `# System` and `# User`; `{{name}}` is a
placeholder. `terms.yaml` beside them says what dimensions and components mean. Which of them a cell has, how each
counts and how long the window is come from the instrument.
"""
from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ...contract import ALL, COMPONENTS, DIMENSIONS, LANGUAGES, Dialogue, Instrument
from ...errors import EvidialError
from ...resources import label, load_yaml, resource
from .protocol import answer_schema

_HEAD = re.compile(r"---\n(?P<head>(?:[a-z]+: [^\n]*\n)+)---\n", re.ASCII)
_SECTIONS = re.compile(r"\s*# System\n(?P<system>.*)\n# User\n(?P<user>.*)", re.DOTALL)
_PLACE = re.compile(r"\{\{([a-z]+)\}\}", re.ASCII)
_AUDIT = frozenset({"dialogue", "instrument", "window", "today", "dimension", "title", "components"})
PLACES: Mapping[str, frozenset[str]] = {
    "judge": _AUDIT | {"outside", "own", "notes"}, "audit_b0": _AUDIT, "audit_b1": _AUDIT, "audit_b2": _AUDIT,
    "audit_m": _AUDIT,
}
"""The prompts, and the placeholders that each of them has to use."""


class PromptError(EvidialError):
    """A prompt file that breaks the form."""

    code = "E222"
    template = "{where}: expected {expected}"


class DimensionTerms(BaseModel):
    """What a prompt says of one dimension. `moved_in` is said where an instrument counts a component of another
    dimension here."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    title: str
    components: dict[str, str]
    notes: list[str]
    moved_in: str | None = None


class Terms(BaseModel):
    """`terms.yaml` of one language."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int
    all: str
    speakers: dict[str, str]
    today: str
    undated: str
    weekdays: list[str]
    notes: str
    relations: dict[str, str]
    dimensions: dict[str, DimensionTerms]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt template of one language. `ruleset` is what votes and raw answers carry of it: its name, and its version
    with the first eight digits of a hash over its files."""

    language: str
    system: str
    user: str
    terms: Terms
    ruleset: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Request:
    """One cell, as a model is asked about it. `components` are the names that a judge's frame may use, ALL aside;
    `digest` is a SHA-256 over both messages, in hexadecimal; `form` is the JSON schema of the answer."""

    dialogue_id: str
    dimension: str
    language: str
    components: tuple[str, ...]
    system: str
    user: str
    ruleset: Mapping[str, str]
    form: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def digest(self) -> str:
        """Whether two requests ask the same."""
        return hashlib.sha256(f"{self.system}\0{self.user}".encode()).hexdigest()


def load_prompt(language: str, name: str = "judge") -> Prompt:
    """A prompt of a language, by its file's name. Raises :class:`PromptError` for a file that breaks the form, and for
    a language or name without one.

    >>> load_prompt("en").ruleset["name"], load_prompt("zh", "audit_m").ruleset["name"]
    ('prompt-judge-en', 'prompt-audit-m-zh')
    """
    if language not in LANGUAGES:
        raise PromptError(where="prompts", expected=f"a language out of {', '.join(LANGUAGES)}")
    if name not in PLACES:
        raise PromptError(where="prompts", expected=f"a prompt out of {', '.join(PLACES)}")
    return _load(language, name)


@functools.lru_cache(maxsize=len(LANGUAGES) * len(PLACES))
def _load(language: str, name: str) -> Prompt:
    path, terms_path = resource("prompts", language, f"{name}.md"), resource("prompts", language, "terms.yaml")
    text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    head, system, user = parse_prompt(text, label(path), PLACES[name])
    terms = parse_terms(load_yaml(terms_path), label(terms_path))
    digest = hashlib.sha256()
    for part in (text, terms_path.read_text(encoding="utf-8").replace("\r\n", "\n")):
        digest.update(part.encode())
    ruleset = {"name": head["name"], "version": f"{head['version']}+{digest.hexdigest()[:8]}"}
    return Prompt(language, system, user, terms, ruleset)


def parse_prompt(text: str, where: str, places: Set[str] = PLACES["judge"]) -> tuple[dict[str, str], str, str]:
    """Head, system and user part of a template, which has to use each of the places. Raises :class:`PromptError`."""
    start = _HEAD.match(text)
    head = dict(line.split(": ", 1) for line in start["head"].splitlines()) if start else {}
    if not {"name", "version"} <= head.keys():
        raise PromptError(where=where, expected="name and version between lines of ---")
    assert start is not None
    sections = _SECTIONS.fullmatch(text[start.end():])
    if sections is None:
        raise PromptError(where=where, expected="the sections # System and # User")
    used = set(_PLACE.findall(sections["user"]))
    if used != places or _PLACE.search(sections["system"]):
        raise PromptError(where=where, expected=f"under # User each of the placeholders {', '.join(sorted(places))}, "
                                                "and none elsewhere")
    return head, sections["system"].strip(), sections["user"].strip()


def parse_terms(row: object, where: str) -> Terms:
    """The terms of a language. Raises :class:`PromptError` if a dimension or a component has no word."""
    try:
        terms = Terms.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        path = ".".join(str(part) for part in first["loc"]) or "terms"
        raise PromptError(where=f"{where}: {path}", expected=first["msg"][0].lower() + first["msg"][1:]) from None
    for dimension in DIMENSIONS:
        found = terms.dimensions.get(dimension)
        if found is None or set(found.components) != set(COMPONENTS[dimension]):
            raise PromptError(where=f"{where}: dimensions.{dimension}",
                              expected=f"the components {', '.join(COMPONENTS[dimension])}")
    return terms


def names(instrument: Instrument, dimension: str) -> tuple[str, ...]:
    """What a frame of the dimension may name under the instrument, ALL aside: its components first, then finer ones.

    >>> from evidial_rules.resources import load_instrument
    >>> names(load_instrument("PHQ-8"), "sleep")
    ('onset', 'maintenance', 'hypersomnia', 'early_waking', 'insomnia')
    """
    own = instrument.components(dimension)
    rest = [name for name in instrument.inventory()[dimension]
            if name not in own and instrument.reassigned(dimension, name) == (dimension, name)]
    return (*own, *rest)


def build(
    dialogue: Dialogue, dimension: str, instrument: Instrument, name: str = "judge",
    form: Mapping[str, Any] | None = None,
) -> Request:
    """The request about one cell. name: which prompt; form: the JSON schema of its answer, the judge's if not given.

    Raises :class:`PromptError` for a dimension that the instrument lacks, or a component without a word in the terms.
    """
    prompt = load_prompt(dialogue.language, name)
    if not instrument.has(dimension):
        raise PromptError(where=f"{instrument.name}: {dimension}", expected="a dimension of the instrument")
    terms = prompt.terms
    about = terms.dimensions[dimension]
    known = names(instrument, dimension)
    for part in known:
        if part not in about.components:
            raise PromptError(where=f"prompts/{prompt.language}/terms.yaml: dimensions.{dimension}",
                              expected=f"a word for the component {part} of {instrument.name}")
    if name == "judge":
        lines = [f"- {ALL}: {terms.all}", *(component_line(part, dimension, instrument, terms) for part in known)]
    else:  # the audit's models name no components: they are told what the instrument asks for
        lines = [f"- {part}: {about.components[part]}" for part in instrument.components(dimension)]
    values = {
        "dialogue": "\n".join(_turn(number, terms.speakers[turn.speaker], turn.text)
                              for number, turn in enumerate(dialogue.turns)),
        "instrument": instrument.name, "window": str(instrument.window_days),
        "outside": str(instrument.window_days + 1), "today": today_line(dialogue, terms), "dimension": dimension,
        "title": about.title, "own": ", ".join(instrument.components(dimension)), "components": "\n".join(lines),
        "notes": _notes(instrument, dimension, terms),
    }
    # In one pass: a dialogue that holds {{today}} keeps it.
    user = _PLACE.sub(lambda found: values[found[1]], prompt.user)
    return Request(dialogue.dialogue_id, dimension, dialogue.language, known, prompt.system, user, prompt.ruleset,
                   answer_schema(dimension, known) if form is None else form)


def component_line(name: str, dimension: str, instrument: Instrument, terms: Terms) -> str:
    """A component, what it means, and how it counts under the instrument, as an item of a list."""
    relation = instrument.relation(dimension, name)
    how = terms.relations[relation.kind].replace("{targets}", ", ".join(relation.targets))
    return f"- {name}: {terms.dimensions[dimension].components[name]}" + (f" ({how})" if how else "")


def _turn(number: int, speaker: str, text: str) -> str:
    # One line a turn, and no tag of ours inside of it.
    words = " ".join(text.split())
    return f"[{number}] {speaker}: {re.sub(r'</?dialogue>', '', words, flags=re.IGNORECASE)}"


def today_line(dialogue: Dialogue, terms: Terms) -> str:
    """What day "now" is."""
    if dialogue.date is None:
        return terms.undated
    return terms.today.format(date=dialogue.date.isoformat(), weekday=terms.weekdays[dialogue.date.weekday()])


def note_lines(instrument: Instrument, dimension: str, terms: Terms) -> tuple[str, ...]:
    """What has to be known of a dimension under the instrument beside its components."""
    about = terms.dimensions[dimension]
    notes = list(about.notes)
    targets = [target for target in instrument.reassign.values() if target.startswith(f"{dimension}.")]
    if targets and about.moved_in:
        notes.append(about.moved_in.format(target=targets[0].partition(".")[2]))
    return tuple(notes)


def _notes(instrument: Instrument, dimension: str, terms: Terms) -> str:
    notes = note_lines(instrument, dimension, terms)
    return "".join(f"{line}\n" for line in ("", terms.notes, *(f"- {note}" for note in notes))) if notes else ""
