"""Compilers of small patterns for the tests of the pattern language and of its index, each with its clean-up."""
from __future__ import annotations

from evidial_rules.pipeline.language import language
from evidial_rules.pipeline.patterns import PatternCompiler

MACROS = {"bad": ("awful", "very bad"), "food": ("{meal}", "bread"), "meal": ("lunch", "dinner")}
ZH_MACROS = {"坏": ("很差", "不好")}


def en():
    read = language("en").normalise
    return PatternCompiler("en", MACROS, read.phrase), read


def zh():
    read = language("zh").normalise
    return PatternCompiler("zh", ZH_MACROS, None, read.phrase), read
