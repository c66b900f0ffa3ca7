"""The rule judge with one operation switched off: how much does a state owe to each of them?"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["ABLATIONS"]

ABLATIONS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "no-subject": ("subject",),  # every statement is about the participant
    "no-time": ("time",),  # every statement is of the whole window
    "no-scope": ("assertion",),  # no negation but the lexicon entry's own, no hedge, nothing hypothetical
    "no-withdrawal": ("withdrawal",),  # nothing is taken back or corrected
    "no-answers": ("questions", "answers"),  # words that only answer say nothing, no question gives others a time
})
"""Name -> the components left out (contract, section 3; `evidial_rules.pipeline.OPTIONAL`)."""
