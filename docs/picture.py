"""Draws docs/explain.svg, the README's picture: `evidial explain` of one shipped cell."""
from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console

from evidial_rules import Annotator
from evidial_rules.corpora import read_dialogues
from evidial_rules.report.terminal import cell_view
from evidial_rules.report.trace import Trace
from evidial_rules.resources import load_instrument, resource

DIALOGUE, DIMENSION = "en-phq8-courier", "sleep"


def main() -> None:
    dialogue = next(d for d in read_dialogues(resource("data", "dialogues.jsonl")) if d.dialogue_id == DIALOGUE)
    cell = next(c for c in Annotator().cells(dialogue) if c.dimension == DIMENSION)
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=118, highlight=False, markup=False, file=nowhere)
        console.print(cell_view(Trace.of(dialogue, cell, load_instrument(dialogue.instrument))))
    title = f"evidial explain --dialogue {DIALOGUE} --dimension {DIMENSION}"
    svg = console.export_svg(title=title, unique_id="evidial")
    # The fonts of the template lie on somebody's server; the reader's own monospace does as well.
    svg = re.sub(r"@font-face\s*\{[^}]*\}", "", svg)
    Path(__file__).with_name("explain.svg").write_text(re.sub(r"[ \t]+\n", "\n", svg), encoding="utf-8")


if __name__ == "__main__":
    main()
