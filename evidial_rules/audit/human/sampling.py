"""Which cells people are asked about: drawn by stratum, and given ids that say nothing."""
from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from ...anchors import Anchor
from ...anchors.classes import CLASSES
from ...contract import Dialogue, Reference
from ...corpora.votetable import CellKey
from ...errors import shown
from ...resources import load_instrument
from ..plan import allot
from .values import HumanError, Item, Key, key_of

CELLS = 120
"""Cells of the paper's study (section 5)."""
ALLOCATIONS = ("proportional", "even")


def sample(
    dialogues: Iterable[Dialogue], reference: Iterable[Reference], n: int = CELLS, seed: int = 0, *,
    allocation: str = "proportional", only: Collection[CellKey] | None = None, anchors: Iterable[Anchor] = (),
    n_anchors: int = 0,
) -> Key:
    """Draws n cells of the reference, stratified by source, dimension and state, and anchors by class.

    allocation: each stratum gets its share of n ("proportional": the remainders go to the largest ones), or all get
    the same as far as they have it ("even"); in both cases `Item.weight` says how many cells an item stands for,
    and strata that get none have nobody who stands for them (:attr:`Key.unrepresented`). only:
    the cells that may be drawn, for instance those of a model audit's plan. Anchors are spread evenly over the classes
    that there are, of different base dialogues as far as possible, and mixed in among the cells.

    The draw and the order follow from the seed; the ids from the seed, the cells and their text, so that answers on
    other cells or another text have another study's id. Raises :class:`HumanError` for a reference of several methods
    or on other cells, an unknown allocation, and where there are fewer cells or anchors than asked for.
    """
    if allocation not in ALLOCATIONS:
        raise HumanError(where="allocation", expected=f"{' or '.join(ALLOCATIONS)}, found {shown(allocation)}")
    if n < 1 or n_anchors < 0:
        raise HumanError(where="n", expected="one cell or more, and no anchor or more")
    talks = {one.dialogue_id: one for one in dialogues}
    cells: list[Item] = []
    methods: dict[str, None] = {}
    groups: dict[tuple[str, ...], list[int]] = {}
    for one in reference:
        methods.setdefault(one.method)
        talk = talks.get(one.dialogue_id)
        if talk is None or not load_instrument(talk.instrument).has(one.dimension):
            raise HumanError(where="reference", expected=f"cells of the dialogues, found {shown(one.dialogue_id)} "
                                                         f"{one.dimension}")
        if only is not None and (one.dialogue_id, one.dimension) not in only:
            continue
        source = talk.source or ""
        groups.setdefault((source, one.dimension, one.state), []).append(len(cells))
        cells.append(Item("", "", one.dialogue_id, one.dimension, source, "cell", one.state, one.method))
    if len(methods) > 1:
        raise HumanError(where="reference", expected=f"one method, found {', '.join(map(shown, methods))}")
    if len(cells) < n:
        raise HumanError(where="--n", expected=f"at most {len(cells)}, the number of cells there are, found {n}")
    rng = np.random.default_rng([seed, len(cells)])
    room = {group: len(rows) for group, rows in groups.items()}
    sizes = allot(room, n) if allocation == "proportional" else _even(room, n, rng)
    chosen = [replace(cells[int(i)], weight=room[group] / sizes[group], pool=len(cells))
              for group in sorted(groups) if sizes[group]
              for i in rng.choice(groups[group], sizes[group], replace=False)]
    held = list(anchors)
    chosen += _anchors(held, n_anchors, rng)
    study, ids = _ids(chosen, talks | {one.dialogue.dialogue_id: one.dialogue for one in held}, seed)
    order = rng.permutation(len(chosen))
    return key_of(replace(one, item=ids[one.cell], study=study) for one in (chosen[int(place)] for place in order))


def _even(room: Mapping[tuple[str, ...], int], n: int, rng: np.random.Generator) -> dict[tuple[str, ...], int]:
    """The same for each as far as it has it; who gets one of the last ones is drawn."""
    sizes = dict.fromkeys(room, 0)
    left = n
    while left:
        open_ones = [group for group in sorted(room) if sizes[group] < room[group]]
        if left < len(open_ones):
            open_ones = [open_ones[int(i)] for i in rng.choice(len(open_ones), left, replace=False)]
        for group in open_ones:
            sizes[group] += 1
        left -= len(open_ones)
    return sizes


def _anchors(held: list[Anchor], n: int, rng: np.random.Generator) -> list[Item]:
    if len(held) < n:
        raise HumanError(where="--anchors-n", expected=f"at most {len(held)}, the number of anchors there are, "
                                                       f"found {n}")
    waiting = {name: [one for one in held if one.name == name] for name in CLASSES}
    sizes = _even({(name,): len(rows) for name, rows in waiting.items() if rows}, n, rng) if n else {}
    used: dict[str, int] = {}
    chosen: list[Item] = []
    for (name,), size in sizes.items():
        rows = [waiting[name][int(i)] for i in rng.permutation(len(waiting[name]))]
        for _ in range(size):
            # Two views of one base are nearly one text, and what differs between them is the change.
            one = min(rows, key=lambda row: used.get(row.base, 0))
            rows.remove(one)
            used[one.base] = used.get(one.base, 0) + 1
            chosen.append(Item("", "", one.dialogue.dialogue_id, one.dimension, one.dialogue.source or "", "anchor",
                               anchor=one.name, expected=one.expected))
    return chosen


def _ids(items: Iterable[Item], talks: Mapping[str, Dialogue], seed: int) -> tuple[str, dict[CellKey, str]]:
    """The study's id and one for each cell: different ones of 40 bits, drawn by the seed and by all that is asked.

    Cells go in and get their ids in the order of their names: the order of the draw would tell of strata.
    """
    digest = hashlib.sha256(str(seed).encode())
    cells = sorted(one.cell for one in items)
    for dialogue, dimension in cells:
        talk = talks[dialogue]
        parts = [dialogue, dimension, talk.instrument, talk.language, str(talk.date or ""),
                 *(part for turn in talk.turns for part in (turn.speaker, turn.text))]
        # The length before each part: no two lists of parts are the same bytes.
        digest.update(b"".join(b"%d:%b" % (len(raw), raw) for raw in (part.encode() for part in parts)) + b";")
    rng = np.random.default_rng(int.from_bytes(digest.digest(), "big"))
    found: dict[str, None] = {}
    while len(found) <= len(cells):
        found.setdefault(base64.b32encode(rng.bytes(5)).decode("ascii").lower())
    study, *ids = found
    return study, dict(zip(cells, ids, strict=True))
