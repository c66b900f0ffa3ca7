"""One look for the tables of figures in a terminal."""
from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from .trace import visible

SHORT = {"ABSENT": "absent", "PARTIAL": "partial", "CONFLICTING": "confl.", "SUFFICIENT_POS": "positive",
         "SUFFICIENT_NEG": "negative", "UNRESOLVED": "unres."}
"""Names of states for the heads of narrow columns."""


def plain_table(title: str, *columns: str, left: int = 1) -> Table:
    """A table without lines; the first `left` columns are words, the others figures."""
    table = _Shown(title=visible(title), title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0),
                   header_style="bold")
    for place, name in enumerate(columns):
        # Folded, not cut: two long names may differ at their end.
        table.add_column(visible(name), justify="left" if place < left else "right", overflow="fold")
    return table


class _Shown(Table):
    """Names of raters, models and sources are anybody's: no control character of them reaches the terminal."""

    def add_row(self, *cells: Any, **options: Any) -> None:
        """Adds a row, its strings as plain text."""
        super().add_row(*(Text(visible(cell)) if isinstance(cell, str) else cell for cell in cells), **options)
