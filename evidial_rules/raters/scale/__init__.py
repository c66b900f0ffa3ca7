"""The rule judge over a large corpus: in parts that an interrupted run need not do again, here or on a cluster."""
from __future__ import annotations

from .job import Item, Job, JudgeError, Listing, Part
from .manifest import Manifest, ManifestError

__all__ = ["Item", "Job", "JudgeError", "Listing", "Manifest", "ManifestError", "Part"]
