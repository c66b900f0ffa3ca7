"""What every spaCy component of the pipeline is: a name, a stage, and the state that they share on the Doc."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spacy.language import Language as Pipeline
from spacy.tokens import Doc

from ..errors import RuleError
from .language import Language, language

if not Doc.has_extension("evidial"):
    Doc.set_extension("evidial", default=None)
if not Doc.has_extension("frames"):
    Doc.set_extension("frames", default=())


def rules_of(nlp: Pipeline, lexicons: str | None) -> Language:
    """The rules for the pipeline's language."""
    if nlp.lang not in ("en", "zh"):
        raise RuleError(source="pipeline", rule=nlp.lang, expected="a pipeline of language en or zh")
    return language(nlp.lang, lexicons)


class StageComponent:
    """Runs one stage on the dialogue under analysis (`doc._.evidial`).

    Raises RuleError where the components before it have not run.
    """

    def __init__(self, name: str, stage: Callable[[Any], Any]):
        self.name = name
        self.stage = stage

    def __call__(self, doc: Doc) -> Doc:
        if doc._.evidial is None:
            raise RuleError(source="pipeline", rule=self.name, expected="evidial_turns before it in the pipeline")
        self.stage(doc._.evidial)
        return doc
