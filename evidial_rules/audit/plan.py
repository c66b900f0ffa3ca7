"""Which cells a model audit asks: drawn before anything is asked, by participant, in two splits that share nobody."""
from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from ..contract import SPLITS, Dialogue, PlannedCell
from ..errors import shown
from ..resources import load_instrument
from .table import AuditError

TEST_SHARE = 161 / 343
"""Share of the participants that is held out, as in the paper (161 of 343)."""
STRATA = ("source", "dimension", "label")


def split_of(source: str, participant: str, seed: int, test_share: float = TEST_SHARE) -> str:
    """The split of a participant: by a hash of source, name and seed, so that it does not depend on who else there is.

    >>> split_of("PDCH", "12", seed=0) in ("dev", "test")
    True
    """
    digest = hashlib.sha256(f"{seed}\0{source}\0{participant}".encode()).digest()
    return "test" if int.from_bytes(digest[:8], "big") / 2 ** 64 < test_share else "dev"


def plan_cells(
    dialogues: Iterable[Dialogue], n: int, split: str, seed: int, *, strata: Sequence[str] = STRATA,
    test_share: float = TEST_SHARE,
) -> tuple[PlannedCell, ...]:
    """Draws n labelled cells of one split, in the order of the dialogues.

    Each stratum (source, dimension and label together, by default) gets its share of n, the remainders going to the
    largest ones; within it cells are drawn without replacement. Cells without a label are never drawn: they could not
    be scored. A cell's participant, not its dialogue, belongs to a split.

    Raises :class:`AuditError` for an unknown split or stratum, and where the split has fewer than n labelled cells.
    """
    if split not in SPLITS:
        raise AuditError(where="split", expected=f"{' or '.join(SPLITS)}, found {shown(split)}")
    for name in strata:
        if name not in ("source", "language", "dimension", "label"):
            raise AuditError(where="strata", expected=f"source, language, dimension or label, found {shown(name)}")
    if n < 1:
        raise AuditError(where="n", expected="one cell or more")
    cells: list[tuple[str, str]] = []
    groups: dict[tuple[str, ...], list[int]] = {}
    for one in dialogues:
        source = one.source or ""
        if split_of(source, one.participant_id or one.dialogue_id, seed, test_share) != split:
            continue
        for dimension in load_instrument(one.instrument).ordered:
            score = (one.scores or {}).get(dimension)
            if score is None:
                continue
            about = {"source": source, "language": one.language, "dimension": dimension, "label": str(score > 0)}
            groups.setdefault(tuple(about[name] for name in strata), []).append(len(cells))
            cells.append((one.dialogue_id, dimension))
    if len(cells) < n:
        raise AuditError(where="plan", expected=f"{n} labelled cells in the split {split}, found {len(cells)}")
    rng = np.random.default_rng([seed, SPLITS.index(split)])
    shares = {group: n * len(rows) / len(cells) for group, rows in groups.items()}
    sizes = {group: int(share) for group, share in shares.items()}
    order = sorted(groups, key=lambda group: (-(shares[group] - sizes[group]), group))
    for group in order[:n - sum(sizes.values())]:
        sizes[group] += 1
    chosen = sorted(int(i) for group in sorted(groups)
                    for i in rng.choice(groups[group], sizes[group], replace=False))
    return tuple(PlannedCell(*cells[i], split) for i in chosen)
