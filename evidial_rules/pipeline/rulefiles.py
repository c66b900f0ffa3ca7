"""Reads a rule file into its model; says file, rule and what was expected where that fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..errors import RuleError
from ..resources import label, load_yaml

M = TypeVar("M", bound=BaseModel)


def parse(model: type[M], path: Path, read: Callable[[Path], Any] = load_yaml) -> M:
    """The file as `model`. read: gives the file's content. Raises RuleError for an unknown key or category, or a
    missing one."""
    data = read(path)
    try:
        return model.model_validate(data)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        where = data
        rule = "the file itself"
        for step in first["loc"]:
            try:
                where = where[step]
            except (KeyError, IndexError, TypeError):
                break
            if isinstance(where, dict) and "id" in where:
                rule = str(where["id"])
        expected = f"{'.'.join(str(p) for p in first['loc'])}: {first['msg']}"
        raise RuleError(source=label(path), rule=rule, expected=expected) from None
