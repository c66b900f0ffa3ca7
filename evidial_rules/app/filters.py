"""Which cells are shown. A choice of filters is part of a page's address, so that it can be linked."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urlencode

from ..contract import DIMENSIONS, OPERATIONS, STATES, Dialogue
from .workspace import Facts, Workspace

NO_SOURCE = "(none)"
"""The source of dialogues that name none."""

DISAGREEMENTS: Mapping[str, str] = MappingProxyType({
    "raters": "two raters",
    "rules": "a rater and the rules",
    "reference": "a reference and the rules",
    "gold": "gold and the rules",
})
"""Who may disagree on a cell."""

_MANY: Mapping[str, Sequence[str] | None] = MappingProxyType({
    "state": STATES, "source": None, "only": DIMENSIONS, "disagree": tuple(DISAGREEMENTS),
    "operation": OPERATIONS,
})
"""The filters that take several values, and which, where these are fixed."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a cell must be; every filter that is set must hold, for one of its values.

    only: dimensions. disagree: keys of `DISAGREEMENTS`. operation: which excluded a frame. rule: a rule's id or its
    beginning. find: a part of a dialogue's id. page: of the grid, from 1.
    """

    state: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    disagree: tuple[str, ...] = ()
    operation: tuple[str, ...] = ()
    rule: str = ""
    find: str = ""
    page: int = 1

    @classmethod
    def of(cls, address: Mapping[str, Sequence[str]]) -> Filters:
        """The filters in an address's query, each key with its values; what nobody knows is passed over.

        >>> Filters.of({"state": ["PARTIAL", "TIRED"], "page": ["x"], "dialogue": ["d1"]})
        Filters(state=('PARTIAL',), source=(), only=(), disagree=(), operation=(), rule='', find='', page=1)
        """
        many = {name: tuple(value for value in dict.fromkeys(address.get(name, ())) if known is None or value in known)
                for name, known in _MANY.items()}
        page = next(iter(address.get("page", ())), "1")
        return cls(**many, rule=next(iter(address.get("rule", ())), "").strip(),
                   find=next(iter(address.get("find", ())), "").strip(),
                   page=max(1, int(page)) if page.isascii() and page.isdigit() and len(page) < 8 else 1)

    def address(self) -> dict[str, list[str]]:
        """The query of the grid's address, without what is not set."""
        query = {name: list(getattr(self, name)) for name in _MANY}
        query |= {name: [getattr(self, name)] for name in ("rule", "find")}
        if self.page > 1:
            query["page"] = [str(self.page)]
        return {name: values for name, values in query.items() if any(values)}

    @property
    def words(self) -> list[str]:
        """The filters that are set, in words."""
        return [f"{name} {', '.join(values)}" for name, values in self.address().items() if name != "page"]

    @property
    def needs_cells(self) -> bool:
        """Whether only judged cells can be told by it."""
        return bool(self.state or self.operation or self.rule or set(self.disagree) - {"raters"})


@dataclass(frozen=True, slots=True)
class Row:
    """One dialogue with the dimensions whose cells pass."""

    dialogue: Dialogue
    dimensions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The dialogues with a cell that passes, in their order. `waiting`: dialogues that could not be told yet."""

    rows: tuple[Row, ...]
    waiting: int = 0
    cells: int = field(init=False)
    """Cells that pass."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", sum(len(row.dimensions) for row in self.rows))


def find(workspace: Workspace, filters: Filters) -> Found:
    """The cells that pass. What is not judged yet passes only filters that need no cells."""
    rows, waiting = [], 0
    part = filters.find.casefold()
    for dialogue in workspace.dialogues.values():
        if part and part not in dialogue.dialogue_id.casefold():
            continue
        if filters.source and (dialogue.source or NO_SOURCE) not in filters.source:
            continue
        facts = workspace.facts(dialogue.dialogue_id)
        if facts is None and filters.needs_cells:
            waiting += 1
            continue
        dimensions = tuple(dimension for dimension in workspace.dimensions(dialogue)
                           if _passes(workspace, filters, dialogue, dimension, facts))
        if dimensions:
            rows.append(Row(dialogue, dimensions))
    return Found(tuple(rows), waiting)


def _passes(
    workspace: Workspace, filters: Filters, dialogue: Dialogue, dimension: str, facts: Mapping[str, Facts] | None,
) -> bool:
    if filters.only and dimension not in filters.only:
        return False
    if filters.disagree and not any(
            name in filters.disagree for name in disagreements(workspace, dialogue, dimension, facts)):
        return False
    if facts is None:
        return True
    cell = facts[dimension]
    if filters.state and cell.state not in filters.state:
        return False
    if filters.operation and not cell.excluded.intersection(filters.operation):
        return False
    return not filters.rule or any(rule.startswith(filters.rule) for rule in cell.rules)


def disagreements(
    workspace: Workspace, dialogue: Dialogue, dimension: str, facts: Mapping[str, Facts] | None = None,
) -> Iterator[str]:
    """Who disagrees on a cell (keys of `DISAGREEMENTS`), as far as its state is known. A reference that leaves the cell
    unresolved disagrees with nobody."""
    beside = workspace.opinions.of(dialogue, dimension)
    if beside.disagree:
        yield "raters"
    if facts is None:
        return
    state = facts[dimension].state
    if beside.states - {state}:
        yield "rules"
    if any(one.state in STATES and one.state != state for one in beside.references):
        yield "reference"
    if beside.gold not in (None, state):
        yield "gold"


def cell_address(dialogue_id: str, dimension: str, filters: Filters) -> str:
    """The address of a cell's page, from the grid that it was opened on.

    >>> cell_address("d 1", "sleep", Filters(state=("PARTIAL",), page=2))
    '?dialogue=d+1&dimension=sleep&state=PARTIAL&page=2'
    """
    return "?" + urlencode({"dialogue": [dialogue_id], "dimension": [dimension]} | filters.address(), doseq=True)


def neighbours(found: Found, dialogue_id: str, dimension: str) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
    """The cells that pass before and after one, (dialogue_id, dimension) each; None at an end or beside none."""
    keys = [(row.dialogue.dialogue_id, one) for row in found.rows for one in row.dimensions]
    try:
        place = keys.index((dialogue_id, dimension))
    except ValueError:
        return None, None
    return keys[place - 1] if place else None, keys[place + 1] if place + 1 < len(keys) else None


def on_page(found: Found, page: int, size: int) -> tuple[tuple[Row, ...], int, int]:
    """The rows of one page, its number and how many there are: the last one for a page that is too high."""
    pages = max(1, -(-len(found.rows) // size))
    page = min(page, pages)
    return found.rows[(page - 1) * size:page * size], page, pages
