"""spaCy: a dialogue to frames with their cues. One folder a component: its logic, its categories, its factory."""

from __future__ import annotations

from collections.abc import Iterable
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

OPTIONAL: tuple[str, ...] = ("assertion", "questions", "answers", "subject", "time", "withdrawal")
"""Those that a pipeline can do without: what one of them would set of a frame then has the frame's default, and
polarity, strength and components are what the lexicon itself says of the mention."""

__all__ = ["COMPONENTS", "OPTIONAL", "components", "dialogue_doc", "load"]


def components(without: Iterable[str] = ()) -> tuple[str, ...]:
    """The components in order, without some of the `OPTIONAL` ones. Raises RuleError for any other name.

    >>> components(without=["assertion", "questions", "answers", "subject"])
    ('turns', 'clauses', 'terms', 'time', 'withdrawal', 'frames')
    """
    left_out = set(without)
    if not left_out <= set(OPTIONAL):
        raise RuleError(source="load", rule="without", expected=f"some of {', '.join(OPTIONAL)}")
    return tuple(name for name in COMPONENTS if name not in left_out)


def load(
    language: str, lexicons: Path | str | None = None, *, spans: bool = True, without: Iterable[str] = ()
) -> Pipeline:
    """A blank spaCy pipeline with all components, or `without` some of the `OPTIONAL` ones.

    language: "en" or "zh". lexicons: a folder with somebody's own lexicon files, whose mentions then get negation,
    time and subject from the grammars that ship. spans: whether frames are also written as `doc.spans["evidial"]`.
    Leaving a component out is the same as `nlp.remove_pipe("evidial_<name>")` afterwards.
    Raises RuleError for another language, a component that cannot be left out, or a broken rule file.

    >>> nlp = load("en")
    >>> [(f.dimension, f.polarity) for f in nlp("I can't sleep, but I'm not sad.")._.frames]
    [('sleep', 'affirm'), ('depressed_mood', 'deny')]
    >>> [(f.dimension, f.polarity) for f in load("en", without=["assertion"])("I'm not sad.")._.frames]
    [('depressed_mood', 'affirm')]
    """
    names = components(without)
    if language not in ("en", "zh"):
        raise RuleError(source="load", rule="language", expected="en or zh")
    nlp = spacy.blank(language)
    if language == "zh":
        nlp.tokenizer = JiebaTokenizer(nlp.vocab)
    nlp.max_length = 50_000_000
    folder = str(lexicons) if lexicons else None
    for name in names:
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
