"""negspaCy and medspaCy as peers: the same targets on the same text. Optional: the extra `raters`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import common  # noqa: F401 - puts the checkout on the path
from spacy.tokens import Doc

from evidial_rules.raters import engines

Place = tuple[int, int]
"""Code points of one target in its text, half-open."""


def negspacy() -> Any | None:
    """A pipeline with negspaCy's clinical terms, or None if it is not installed."""
    return _made(engines.negspacy)


def medspacy() -> Any | None:
    """medspaCy's tokenizer, sentences (PyRuSH) and ConText with its own rules, or None if it is not installed."""
    return _made(engines.medspacy)


def _made(make: Callable[[str], Any]) -> Any | None:
    try:
        nlp = make("en")
    except ImportError:
        return None
    warnings.filterwarnings("ignore")  # medspaCy's matchers warn while they run
    return nlp


def marked(nlp: Any, text: str, places: Sequence[Place]) -> Doc:
    """The text through all pipes of a peer, with the targets as entities from the start, in order."""
    doc = nlp.make_doc(text)
    spans = [doc.char_span(a, b, label="CONDITION", alignment_mode="expand") for a, b in places]
    doc.ents = [span for span in spans if span is not None and len(span)]
    for _, pipe in nlp.pipeline:
        doc = pipe(doc)
    return doc


def with_targets(name: str, nlp: Any, terms: Sequence[str]) -> None:
    """Gives a peer terms to look for by itself, as its users do: a target matcher or an entity ruler."""
    if name == "medspacy":
        from medspacy.target_matcher import TargetRule

        matcher = nlp.add_pipe("medspacy_target_matcher", before="medspacy_context")
        matcher.add([TargetRule(term, "CONDITION") for term in terms])
    else:
        ruler = nlp.add_pipe("entity_ruler", before="negex", config={"phrase_matcher_attr": "LOWER"})
        ruler.add_patterns([{"label": "CONDITION", "pattern": term} for term in terms])


def negated(doc: Doc) -> list[bool]:
    """What negspaCy says of each entity."""
    return [bool(ent._.negex) for ent in doc.ents]


def context(doc: Doc) -> list[tuple[bool, bool]]:
    """What medspaCy says of each entity: (negated, historical)."""
    return [(bool(ent._.is_negated), bool(ent._.is_historical)) for ent in doc.ents]


PEERS: dict[str, Callable[[], Any | None]] = {"negspacy": negspacy, "medspacy": medspacy}
