"""LLM judges as raters (the extra `llm`): prompt, answer's form, quotes located, transport, raw answers.

    >>> from evidial_rules.raters.llm import LLMRater, Settings
    >>> Settings(temperature=None).asked["max_tokens"]
    8192
"""
from __future__ import annotations

from .rater import LLMRater, Usage, collect
from .rawlog import RawAnswer, RawLog, RawLogError
from .transport import Settings

__all__ = ["LLMRater", "RawAnswer", "RawLog", "RawLogError", "Settings", "Usage", "collect"]
