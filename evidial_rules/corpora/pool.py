"""The reference pool: which dialogues a reference is made of (interface, "The reference pool")."""
from __future__ import annotations

from collections.abc import Collection, Iterable

from ..contract import Dialogue
from ..errors import EvidialError, shown


class PoolError(EvidialError):
    """A choice of dialogues that leaves none, or a source that no dialogue has."""

    code = "E232"
    template = "{where}: expected {expected}"


def reference_pool(
    dialogues: Iterable[Dialogue], *, visit: str | None = None, exclude_sources: Collection[str] = (),
) -> list[Dialogue]:
    """One visit a participant and none of the sources left out, in the order given.

    Without `visit` it is the first one: the lowest number, or else the first in order. With it, the dialogues of that
    visit and those of participants who have one dialogue without any number. Equal participant ids in two sources are
    two people. The paper leaves out repeated PDCH visits and TalkDep.

    Raises :class:`PoolError` for a source that no dialogue has, and where nothing is left.
    """
    held = list(dialogues)
    sources = {one.source or "" for one in held}
    for source in exclude_sources:
        if source not in sources:
            raise PoolError(where="sources left out", expected=f"sources of the dialogues, found {shown(source)}")
    people: dict[tuple[str, str], list[Dialogue]] = {}
    for one in held:
        if (one.source or "") not in exclude_sources:
            people.setdefault((one.source or "", one.participant_id or one.dialogue_id), []).append(one)
    chosen: set[str] = set()
    for visits in people.values():
        if visit is None:
            chosen.add(min(visits, key=_order).dialogue_id)
        else:
            chosen.update(one.dialogue_id for one in visits if one.visit is not None and str(one.visit) == visit)
            chosen.update(one.dialogue_id for one in visits if one.visit is None and len(visits) == 1)
    pool = [one for one in held if one.dialogue_id in chosen]
    if not pool:
        raise PoolError(where="reference pool", expected="at least one dialogue, found none that is asked for")
    return pool


def _order(dialogue: Dialogue) -> tuple[int, float]:
    """Visits with a number by their number, then those without, in the order of the file (`min` keeps the first)."""
    try:
        return 0, float(dialogue.visit)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 1, 0.0
