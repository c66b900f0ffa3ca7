"""What the measuring programs share: reading rows, figures, tables, and how they end."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

# These programs run from the checkout, installed or not; an installed copy goes first.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from evidial_rules.errors import EvidialError, FileFormatError

if TYPE_CHECKING:
    from evidial_rules import Cell, Dialogue

STATES: tuple[str, ...] = ("ABSENT", "PARTIAL", "CONFLICTING", "SUFFICIENT_POS", "SUFFICIENT_NEG")


def read_rows(path: Path | str) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line. Raises FileFormatError with the line."""
    rows = []
    try:
        with open(path, encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except ValueError:
                    row = None
                if not isinstance(row, dict):
                    raise FileFormatError(where=f"{path}:{number}", expected="a JSON object")
                rows.append(row)
    except UnicodeDecodeError:
        raise FileFormatError(where=str(path), expected="UTF-8 text") from None
    return rows


def prf(pairs: Iterable[tuple[bool, bool]]) -> dict[str, float]:
    """Precision, recall and F1 of (gold, predicted) pairs for the class True; 0 where nothing can be counted.

    >>> prf([(True, True), (True, False), (False, False)])
    {'p': 1.0, 'r': 0.5, 'f1': 0.6667}
    """
    count = Counter((bool(g), bool(p)) for g, p in pairs)
    hit, missed, false = count[True, True], count[True, False], count[False, True]
    p = hit / (hit + false) if hit + false else 0.0
    r = hit / (hit + missed) if hit + missed else 0.0
    f1 = 2 * hit / (2 * hit + missed + false) if hit + missed + false else 0.0
    return {"p": round(p, 4), "r": round(r, 4), "f1": round(f1, 4)}


def kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of two raters' labels; None without rows, or where both always say one and the same.

    >>> kappa([("a", "a"), ("b", "b"), ("a", "b"), ("b", "b")])
    0.5
    """
    if not pairs:
        return None
    n = len(pairs)
    agree = sum(a == b for a, b in pairs) / n
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(left[label] * right[label] for label in left) / n**2
    return None if chance == 1 else (agree - chance) / (1 - chance)


def judged_cells(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Dialogue, tuple[Cell, ...]]]:
    """Each row's dialogue with the rule judge's cells of it. Keys that are not the dialogue's are left out.

    Raises EvidialError for a row that is no dialogue.
    """
    from evidial_rules import Annotator, Dialogue

    keys = ("dialogue_id", "participant_id", "source", "language", "instrument", "date", "turns")
    judge = Annotator()
    for row in rows:
        dialogue = Dialogue.from_dict({k: row[k] for k in keys if k in row})
        yield dialogue, judge.cells(dialogue)


def judged(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Their states alone, by dimension. Raises EvidialError for a row that is no dialogue."""
    return [{cell.dimension: cell.state for cell in cells} for _, cells in judged_cells(rows)]


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A plain table; floats with three digits, None as a dash.

    >>> print(table(["who", "f1"], [["a", 0.5], ["b", None]]))
    who     f1
    a    0.500
    b        -
    """

    def shown(value: Any) -> str:
        return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)

    cells = [list(map(shown, row)) for row in (head, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


def finish(result: Mapping[str, Any]) -> None:
    """The last line: one JSON object."""
    print(json.dumps(result, ensure_ascii=False))


def run(main: Callable[[], int | None]) -> None:
    """Calls `main`; bad input is one line and exit status 2."""
    try:
        sys.exit(main() or 0)
    except EvidialError as error:
        print(f"error: {error}", file=sys.stderr)
    except BrokenPipeError:  # whoever read along has gone
        sys.stderr.close()
    except OSError as error:
        print(f"error: {error.filename}: expected a file that can be read ({error.strerror})", file=sys.stderr)
    sys.exit(2)
