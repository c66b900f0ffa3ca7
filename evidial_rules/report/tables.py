"""One look for the tables of figures in a terminal."""
from __future__ import annotations

from rich.table import Table

SHORT = {"ABSENT": "absent", "PARTIAL": "partial", "CONFLICTING": "confl.", "SUFFICIENT_POS": "positive",
         "SUFFICIENT_NEG": "negative", "UNRESOLVED": "unres."}
"""Names of states for the heads of narrow columns."""


def plain_table(title: str, *columns: str, left: int = 1) -> Table:
    """A table without lines; the first `left` columns are words, the others figures."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0),
                  header_style="bold")
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if place < left else "right")
    return table
