"""Evidence states for symptom dimensions in interview dialogues, judged by rules.

An evidence state is not a diagnosis, and ABSENT does not mean that the symptom is absent.
"""
from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Loaded on first use: spaCy takes most of a second to import, and the contract does not need it.
_LAZY = {
    "load": "evidial_rules.pipeline",
    "Annotator": "evidial_rules.pipeline.annotator",
    "Dialogue": "evidial_rules.contract",
    "Turn": "evidial_rules.contract",
    "Cell": "evidial_rules.contract",
    "Frame": "evidial_rules.contract",
    "read_dialogues": "evidial_rules.corpora",
    "annotate": "evidial_rules.tabular",
    "fuse": "evidial_rules.tabular",
    "score": "evidial_rules.tabular",
}

__all__ = [
    "Annotator", "Cell", "Dialogue", "Frame", "Turn", "__version__", "annotate", "fuse", "load", "read_dialogues",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
