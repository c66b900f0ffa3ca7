"""What is audited: the chain of files behind a figure."""
from __future__ import annotations

from .freeze import MANIFEST, FreezeError, Link, freeze, verify

__all__ = [
    "MANIFEST", "FreezeError", "Link", "freeze", "verify",
]
