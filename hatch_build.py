"""Build hook: the wheel carries the rule files and the sample data under evidial_rules/_resources/."""
from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("lexicons", "grammars", "data")


class ResourcesHook(BuildHookInterface):
    """Copies nothing into an editable install: there the checkout's own folders are read, so an edit shows at once."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"].update({folder: f"evidial_rules/_resources/{folder}" for folder in FOLDERS})
