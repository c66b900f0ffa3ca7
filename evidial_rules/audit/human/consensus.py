"""Where annotators differ, and what they say together: the human reference (paper, section 5)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy.stats import entropy

from ...contract import STATES, UNRESOLVED, Reference
from .values import FIRST, THIRD, Annotation, Key

METHOD = "human"
"""The reference's method and, among raters of anchors, the name of the consensus."""


def by_item(annotations: Iterable[Annotation]) -> dict[str, list[Annotation]]:
    """The annotations of each item."""
    found: dict[str, list[Annotation]] = {}
    for one in annotations:
        found.setdefault(one.item, []).append(one)
    return found


def differing(annotations: Iterable[Annotation]) -> dict[str, tuple[Annotation, ...]]:
    """The items on which the first round's annotators give several states, with what they give."""
    first = by_item(one for one in annotations if one.round == FIRST)
    return {item: tuple(given) for item, given in first.items() if len({one.state for one in given}) > 1}


def consensus(annotations: Sequence[Annotation]) -> str:
    """One item's state: that of more than half of its annotations, first and third rater together, if there are two or
    more; else unresolved. Two who differ are unresolved until a third agrees with one of them.

    >>> def said(state, name): return Annotation("s", "i", "d", "sleep", name, state)
    >>> pair = [said("ABSENT", "A"), said("PARTIAL", "B")]
    >>> consensus(pair), consensus([*pair, said("PARTIAL", "C")])
    ('UNRESOLVED', 'PARTIAL')
    """
    counts = Counter(one.state for one in annotations)
    state, most = counts.most_common(1)[0]
    return state if len(annotations) > 1 and 2 * most > len(annotations) else UNRESOLVED


def settled(annotations: Sequence[Annotation]) -> bool:
    """Whether one item's annotations have a consensus; without any there is none."""
    return bool(annotations) and consensus(annotations) != UNRESOLVED


def unsettled(annotations: Sequence[Annotation], rater: str) -> dict[str, tuple[Annotation, ...]]:
    """What a third rater is to be asked: of the items that differ those that nobody has settled and that this rater has
    not judged yet, with what the first round gives."""
    held = by_item(annotations)
    return {item: given for item, given in differing(annotations).items()
            if not settled(held[item]) and all(one.annotator != rater for one in held[item])}


def human_reference(key: Key, annotations: Sequence[Annotation]) -> tuple[Reference, ...]:
    """The reference lines of the key's cells that anybody annotated, in the key's order; anchors are no cells of the
    pool. `posterior` has the shares of the annotations, `raters` counts them."""
    found = by_item(annotations)
    lines = []
    for item in key.cells:
        given = found.get(item.item)
        if given:
            shares = [sum(one.state == state for one in given) / len(given) for state in STATES]
            lines.append(Reference(*item.cell, consensus(given), METHOD, dict(zip(STATES, shares, strict=True)),
                                   float(entropy(np.array(shares))) + 0.0, len(given)))
    return tuple(lines)


def adjudication(annotations: Iterable[Annotation]) -> Mapping[str, int]:
    """How many items the first round left differing, how many of these a third rater has judged, and how many of
    these are resolved."""
    held = by_item(annotations)
    open_ones = differing(one for given in held.values() for one in given)
    third = [item for item in open_ones if any(one.round == THIRD for one in held[item])]
    return {"differing": len(open_ones), "adjudicated": len(third),
            "resolved": sum(consensus(held[item]) != UNRESOLVED for item in third)}
