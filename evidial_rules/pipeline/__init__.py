"""spaCy: a dialogue to frames with their cues. One folder a component: its logic, its categories, its factory."""

from __future__ import annotations

from pathlib import Path

import spacy
from spacy.language import Language as Pipeline
from spacy.tokens import Doc

from ..contract import Dialogue
from ..errors import RuleError
from .answers import factory as _answers
from .assertion import factory as _assertion
from .clauses import factory as _clauses
from .frames import factory as _frames
from .questions import factory as _questions
from .subject import factory as _subject
from .terms import factory as _terms
from .time import factory as _time
from .tokenizer import JiebaTokenizer
from .turns import factory as _turns
from .withdrawal import factory as _withdrawal

COMPONENTS: tuple[str, ...] = (
    "turns",
    "clauses",
    "terms",
    "assertion",
    "questions",
    "answers",
    "subject",
    "time",
    "withdrawal",
    "frames",
)
"""The components, in order; each is the factory `evidial_<name>`."""

__all__ = ["COMPONENTS", "dialogue_doc", "load"]


def load(language: str, lexicons: Path | str | None = None, *, spans: bool = True) -> Pipeline:
    """A blank spaCy pipeline with all components.

    language: "en" or "zh". lexicons: a folder with somebody's own lexicon files, whose mentions then get negation,
    time and subject from the grammars that ship. spans: whether frames are also written as `doc.spans["evidial"]`.
    Raises RuleError for another language or a broken rule file.

    >>> nlp = load("en")
    >>> [(f.dimension, f.polarity) for f in nlp("I can't sleep, but I'm not sad.")._.frames]
    [('sleep', 'affirm'), ('depressed_mood', 'deny')]
    """
    if language not in ("en", "zh"):
        raise RuleError(source="load", rule="language", expected="en or zh")
    nlp = spacy.blank(language)
    if language == "zh":
        nlp.tokenizer = JiebaTokenizer(nlp.vocab)
    nlp.max_length = 50_000_000
    folder = str(lexicons) if lexicons else None
    for name in COMPONENTS:
        config: dict[str, object] = {"lexicons": folder}
        if name == "frames":
            config["spans"] = spans
        nlp.add_pipe(f"evidial_{name}", config=config)
    return nlp


def dialogue_doc(nlp: Pipeline, dialogue: Dialogue) -> Doc:
    """The tokenised dialogue, one turn a line, with the turns' places in `doc.user_data`, ready for the components."""
    places: list[tuple[str, int, int]] = []
    position = 0
    for turn in dialogue.turns:
        places.append((turn.speaker, position, position + len(turn.text)))
        position += len(turn.text) + 1
    doc = nlp.make_doc("\n".join(turn.text for turn in dialogue.turns))
    doc.user_data["evidial_turns"] = places
    doc.user_data["evidial_now"] = dialogue.date
    return doc
