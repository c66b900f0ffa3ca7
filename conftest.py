"""Doctests are collected from the package; a module of an extra that is not installed cannot be."""
from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("inspect_ai") else ["evidial_rules/raters/inspect_tasks.py"]
