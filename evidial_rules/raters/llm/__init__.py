"""LLM judges as raters (the extra `llm`): prompt, answer's form, quotes located, transport, raw answers.

    >>> from evidial_rules.raters.llm import LLMRater, Settings
    >>> Settings(temperature=None).asked["max_tokens"]
    8192
"""
from __future__ import annotations

from .predictor import Forecast, Predictor, RecordedPredictor
from .rater import LLMRater, Usage, ask, collect
from .rawlog import RawAnswer, RawLog, RawLogError
from .transport import Settings

__all__ = [
    "Forecast", "LLMRater", "Predictor", "RawAnswer", "RawLog", "RawLogError", "RecordedPredictor", "Settings", "Usage",
    "ask", "collect",
]
