"""Which cells a model audit asks: drawn before anything is asked, by participant, in two splits that share nobody."""
from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..contract import SPLITS, Dialogue, PlannedCell
from ..errors import shown
from ..resources import load_instrument
from .table import AuditError, native_score

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
            score, _ = native_score(one, dimension)
            if score is None:
                continue
            about = {"source": source, "language": one.language, "dimension": dimension, "label": str(score > 0)}
            groups.setdefault(tuple(about[name] for name in strata), []).append(len(cells))
            cells.append((one.dialogue_id, dimension))
    if len(cells) < n:
        raise AuditError(where="plan", expected=f"{n} labelled cells in the split {split}, found {len(cells)}")
    rng = np.random.default_rng([seed, SPLITS.index(split)])
    sizes = allot({group: len(rows) for group, rows in groups.items()}, n)
    chosen = sorted(int(i) for group in sorted(groups)
                    for i in rng.choice(groups[group], sizes[group], replace=False))
    return tuple(PlannedCell(*cells[i], split) for i in chosen)


def allot(room: Mapping[tuple[str, ...], int], n: int) -> dict[tuple[str, ...], int]:
    """How many of n each stratum gets, by its size: the whole part of its share, the remainders to the largest ones.

    room: stratum to the number of cells that it has, at least n in all.

    >>> allot({("a",): 6, ("b",): 3, ("c",): 1}, 5)
    {('a',): 3, ('b',): 2, ('c',): 0}
    """
    total = sum(room.values())
    shares = {group: n * size / total for group, size in room.items()}
    sizes = {group: int(share) for group, share in shares.items()}
    order = sorted(room, key=lambda group: (-(shares[group] - sizes[group]), group))
    for group in order[:n - sum(sizes.values())]:
        sizes[group] += 1
    return sizes


def planned_dialogues(plan: Sequence[PlannedCell], dialogues: Iterable[Dialogue]) -> Mapping[str, Dialogue]:
    """The dialogues of a plan by id, in the plan's order; the others are not held.

    Raises :class:`AuditError` for a plan without cells, a cell that is in it twice, a cell of a dialogue that is not
    there or of a dimension that its instrument lacks, and a participant with cells in both splits.
    """
    if not plan:
        raise AuditError(where="plan", expected="at least one cell")
    names = dict.fromkeys(cell.dialogue_id for cell in plan)
    found = {one.dialogue_id: one for one in dialogues if one.dialogue_id in names}
    splits: dict[tuple[str, str], str] = {}
    seen: set[tuple[str, str]] = set()
    for cell in plan:
        told = f"found {shown(cell.dialogue_id)} {cell.dimension}"
        dialogue = found.get(cell.dialogue_id)
        if dialogue is None:
            raise AuditError(where="plan", expected=f"cells of the dialogues, {told}")
        if not load_instrument(dialogue.instrument).has(cell.dimension):
            raise AuditError(where="plan", expected=f"dimensions that {dialogue.instrument} has, {told}")
        if (cell.dialogue_id, cell.dimension) in seen:
            raise AuditError(where="plan", expected=f"each cell once, {told}")
        seen.add((cell.dialogue_id, cell.dimension))
        person = (dialogue.source or "", dialogue.participant_id or dialogue.dialogue_id)
        if splits.setdefault(person, cell.split) != cell.split:
            raise AuditError(where="plan", expected="each participant in one split, found one in both")
    return {name: found[name] for name in names}
