"""Reports for people: the trace of one cell in a terminal or as a web page, and the table of states."""
from __future__ import annotations

NOTICE = "An evidence state is not a diagnosis, and ABSENT does not mean that the symptom is absent."
"""Stands in the help, the README and every page."""
