"""What a human study is made of: the key's items, and what annotators say of them.

Annotators choose among the paper's four states, and a polarity where the evidence is sufficient; here that is one of
the contract's five. The key ties opaque item ids to cells. It stays with the researcher: whoever has it is not blind.
"""
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...anchors.classes import CLASSES
from ...contract import CONTRACT_VERSION, DIMENSIONS, STATES, UNRESOLVED, Dialogue, Vote
from ...corpora.files import Row, read_rows
from ...corpora.votetable import CellKey
from ...errors import EvidialError, shown

FOUR_STATES: tuple[str, ...] = ("ABSENT", "PARTIAL", "CONFLICTING", "SUFFICIENT")
"""The paper's taxonomy (section 3.2), which annotators choose from."""
SIDES: Mapping[str, str] = {"positive": "SUFFICIENT_POS", "negative": "SUFFICIENT_NEG"}
"""The polarity of sufficient evidence: the binary target that it supports, and the contract's state."""
FIRST, THIRD = 1, 2
"""Rounds: independent annotation, and the third rater's of what differed."""
MAX_QUOTES = 100
MAX_WEIGHT = 1e9
"""Cells that one item can stand for: sums of weights stay far inside what a float holds."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", re.ASCII)
_ID = re.compile(r"[a-z2-7]{6,32}", re.ASCII)


class HumanError(EvidialError):
    """A key, an annotator or annotations that break the form or do not belong together."""

    code = "E452"
    template = "{where}: expected {expected}"


def annotator_name(value: Any, where: str = "annotator") -> str:
    """The name of an annotator, which becomes the name of a file and of a rater.

    Raises :class:`HumanError` for anything but 1 to 32 ASCII letters, digits, - and _, of which the first is a letter
    or a digit.

    >>> annotator_name("A")
    'A'
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise HumanError(where=where, expected="a name of up to 32 ASCII letters, digits, - and _, the first a "
                                               f"letter or digit, found {shown(value)}")
    return value


def state_of(choice: Any, polarity: Any, where: str = "answer") -> str:
    """The contract's state of an annotator's choice and polarity.

    Raises :class:`HumanError` for an unknown state, sufficient evidence without its polarity, and a polarity beside
    another state.

    >>> state_of("SUFFICIENT", "negative"), state_of("PARTIAL", None)
    ('SUFFICIENT_NEG', 'PARTIAL')
    """
    if choice not in FOUR_STATES:
        raise HumanError(where=f"{where}: state", expected=f"one of {', '.join(FOUR_STATES)}, found {shown(choice)}")
    if choice != "SUFFICIENT":
        if polarity is not None:
            raise HumanError(where=f"{where}: polarity", expected=f"none beside {choice}, found {shown(polarity)}")
        return str(choice)
    if not isinstance(polarity, str) or polarity not in SIDES:
        raise HumanError(where=f"{where}: polarity",
                         expected=f"{' or '.join(SIDES)} beside SUFFICIENT, found {shown(polarity)}")
    return SIDES[polarity]


def choice_of(state: str) -> tuple[str, str | None]:
    """The choice and polarity of a state: the inverse of :func:`state_of`.

    >>> choice_of("SUFFICIENT_POS")
    ('SUFFICIENT', 'positive')
    """
    return next((("SUFFICIENT", side) for side, name in SIDES.items() if name == state), (state, None))


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the key: what stands behind an opaque id.

    study: an opaque id that all items of one draw share. state: of the reference by which the cell was drawn ("" for an
    anchor). weight: how many cells of its stratum the item stands for. kind: "cell" or "anchor"; the latter has the
    `anchor` class and the `expected` state. pool: how many cells there were to draw from, in all strata; 0 where the
    key does not say.
    """

    item: str
    study: str
    dialogue_id: str
    dimension: str
    source: str
    kind: str = "cell"
    state: str = ""
    reference: str = ""
    weight: float = 1.0
    anchor: str = ""
    expected: str = ""
    pool: int = 0

    @property
    def cell(self) -> CellKey:
        """(dialogue_id, dimension)."""
        return self.dialogue_id, self.dimension

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the key."""
        row: dict[str, Any] = {"item": self.item, "study": self.study, "dialogue_id": self.dialogue_id,
                               "dimension": self.dimension, "source": self.source, "kind": self.kind}
        if self.kind == "anchor":
            return row | {"class": self.anchor, "expected": self.expected}
        row |= {"state": self.state, "reference": self.reference, "weight": round(self.weight, 6)}
        return row | {"pool": self.pool} if self.pool else row

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], *, where: str = "key") -> Item:
        """An item that was written. Raises :class:`HumanError`, which names the key."""
        for key in ("item", "study"):
            if not isinstance(row.get(key), str) or not _ID.fullmatch(row[key]):
                raise HumanError(where=f"{where}: {key}", expected=f"an id of a draw, found {shown(row.get(key))}")
        for key in ("dialogue_id", "source"):
            if not isinstance(row.get(key), str):
                raise HumanError(where=f"{where}: {key}", expected=f"text, found {shown(row.get(key))}")
        wanted: dict[str, Sequence[str]] = {"dimension": DIMENSIONS, "kind": ("cell", "anchor")}
        if row.get("kind") == "anchor":
            wanted |= {"class": tuple(CLASSES), "expected": STATES}
        else:
            wanted["state"] = (*STATES, UNRESOLVED)
        for key, known in wanted.items():
            if row.get(key) not in known:
                raise HumanError(where=f"{where}: {key}",
                                 expected=f"one of {', '.join(known)}, found {shown(row.get(key))}")
        weight = row.get("weight", 1.0)
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 < weight <= MAX_WEIGHT:
            raise HumanError(where=f"{where}: weight",
                             expected=f"a number above 0, at most {MAX_WEIGHT:.0e}, found {shown(weight)}")
        pool = row.get("pool", 0)
        if type(pool) is not int or not 0 <= pool <= MAX_WEIGHT:
            raise HumanError(where=f"{where}: pool",
                             expected=f"a whole number, at most {MAX_WEIGHT:.0e}, found {shown(pool)}")
        return cls(row["item"], row["study"], row["dialogue_id"], row["dimension"], row["source"], row["kind"],
                   row.get("state") or "", str(row.get("reference") or ""), float(weight), row.get("class") or "",
                   row.get("expected") or "", pool)


@dataclass(frozen=True, slots=True)
class Key:
    """The items of one study, by id and in the order of the draw."""

    study: str
    items: Mapping[str, Item]

    @property
    def cells(self) -> tuple[Item, ...]:
        """The items that are cells."""
        return tuple(one for one in self.items.values() if one.kind == "cell")

    @property
    def anchors(self) -> tuple[Item, ...]:
        """The items that are anchors."""
        return tuple(one for one in self.items.values() if one.kind == "anchor")

    @property
    def pool(self) -> int | None:
        """How many cells there were to draw from; None where the key does not say."""
        return max((one.pool for one in self.cells), default=0) or None

    @property
    def unrepresented(self) -> int | None:
        """How many of these are in strata of which none was drawn: no weight stands for them."""
        return None if self.pool is None else max(0, self.pool - round(sum(one.weight for one in self.cells)))


def key_of(items: Iterable[Item], where: str = "key") -> Key:
    """Checks items and holds them together.

    Raises :class:`HumanError` for none, an id or cell that comes twice, and items of several studies.
    """
    held: dict[str, Item] = {}
    cells: set[CellKey] = set()
    for one in items:
        if one.item in held or one.cell in cells:
            raise HumanError(where=where, expected=f"each item and cell once, found {shown(one.item)} again")
        held[one.item] = one
        cells.add(one.cell)
    if not held:
        raise HumanError(where=where, expected="at least one item")
    studies = {one.study for one in held.values()}
    if len(studies) > 1:
        raise HumanError(where=where, expected=f"the items of one study, found {len(studies)}")
    return Key(studies.pop(), held)


def read_key(path: str | os.PathLike[str]) -> Key:
    """The key of a study. Raises an :class:`~evidial_rules.errors.EvidialError` with file and line."""
    return key_of((Item.from_dict(row.data, where=row.where) for row in read_rows(path)), where=os.fspath(path))


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that an annotator chose: `start` and `end` are code points in the turn's own text, half-open."""

    turn: int
    start: int
    end: int
    quote: str

    def to_dict(self) -> dict[str, Any]:
        """`{"turn", "start", "end", "quote"}`."""
        return {"turn": self.turn, "start": self.start, "end": self.end, "quote": self.quote}


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator says of one item: a state of the contract, and the quotes that it rests on."""

    study: str
    item: str
    dialogue_id: str
    dimension: str
    annotator: str
    state: str
    quotes: tuple[Quote, ...] = ()
    round: int = FIRST

    @property
    def cell(self) -> CellKey:
        """(dialogue_id, dimension)."""
        return self.dialogue_id, self.dimension

    @property
    def rater(self) -> str:
        """The annotator's name among raters of other kinds."""
        return f"human-{self.annotator}"

    def vote(self) -> Vote:
        """The vote of the interface. It has no frames: people choose words, and not components and intervals."""
        return Vote(self.dialogue_id, self.dimension, self.rater, self.state)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of an annotations file."""
        return {"study": self.study, "item": self.item, "dialogue_id": self.dialogue_id, "dimension": self.dimension,
                "annotator": self.annotator, "round": self.round, "state": self.state,
                "quotes": [one.to_dict() for one in self.quotes], "contract": CONTRACT_VERSION}

    @classmethod
    def from_row(cls, row: Row, key: Key) -> Annotation:
        """An annotation that was written. Raises :class:`HumanError` with file and line."""
        data = row.data
        item = key.items.get(data["item"]) if isinstance(data.get("item"), str) else None
        if data.get("study") != key.study or item is None or \
                (data.get("dialogue_id"), data.get("dimension")) != item.cell:
            raise HumanError(where=row.where, expected="an item of the key")
        if data.get("state") not in STATES:
            raise HumanError(where=f"{row.where}: state",
                             expected=f"one of {', '.join(STATES)}, found {shown(data.get('state'))}")
        if not is_round(data.get("round")):
            raise HumanError(where=f"{row.where}: round",
                             expected=f"{FIRST} or {THIRD}, found {shown(data.get('round'))}")
        name = annotator_name(data.get("annotator"), f"{row.where}: annotator")
        return cls(key.study, item.item, *item.cell, name, data["state"],
                   quotes_of(data.get("quotes", []), f"{row.where}: quotes"), data["round"])


def enter(annotators: dict[str, tuple[str, int]], name: str, round: int, where: str) -> None:
    """Adds an annotator of a round to those there are, by the name without case.

    Raises :class:`HumanError` for a name that differs from another by case alone (their forms would be one file where
    case does not count), and for one annotator in both rounds.
    """
    held, before = annotators.setdefault(name.casefold(), (name, round))
    if held != name:
        raise HumanError(where=where, expected=f"names that differ by more than case, found {held} and {name}")
    if before != round:
        raise HumanError(where=where,
                         expected=f"a third rater who has not annotated before, found {name} in both rounds")


def is_round(value: Any) -> bool:
    """Whether a value of a file is the number of a round; true and 1.0 are none.

    >>> is_round(1), is_round(True), is_round(1.0)
    (True, False, False)
    """
    return type(value) is int and value in (FIRST, THIRD)


def check_quotes(quotes: Iterable[Quote], dialogue: Dialogue, where: str) -> None:
    """Raises :class:`HumanError` for a quote that the dialogue does not have where it says."""
    for number, one in enumerate(quotes, 1):
        if one.turn >= len(dialogue.turns) or one.start >= one.end or \
                dialogue.turns[one.turn].text[one.start:one.end] != one.quote:
            raise HumanError(where=f"{where}: quote {number}",
                             expected=f"the words of turn {shown(one.turn)} from {shown(one.start)} to "
                                      f"{shown(one.end)}")


def quotes_of(value: Any, where: str) -> tuple[Quote, ...]:
    """Quotes of a form or of an annotations file; whether the dialogue has them is another check.

    Raises :class:`HumanError`.
    """
    if not isinstance(value, list) or len(value) > MAX_QUOTES:
        raise HumanError(where=where, expected=f"a list of at most {MAX_QUOTES} quotes")
    out = []
    for number, one in enumerate(value):
        if not isinstance(one, Mapping) or not isinstance(one.get("quote"), str) or any(
                isinstance(one.get(name), bool) or not isinstance(one.get(name), int) or one[name] < 0
                for name in ("turn", "start", "end")):
            raise HumanError(where=f"{where}[{number}]", expected="turn, start and end as whole numbers, and a quote")
        out.append(Quote(one["turn"], one["start"], one["end"], one["quote"]))
    return tuple(out)


def read_annotations(
    path: str | os.PathLike[str], key: Key, dialogues: Mapping[str, Dialogue],
) -> tuple[Annotation, ...]:
    """The annotations of a study. dialogues: those of the key, by id.

    Raises an :class:`~evidial_rules.errors.EvidialError` with file and line, also for a second label of an annotator
    on an item, an annotator in both rounds, names that differ by case alone, and quotes that the dialogue does not
    have.
    """
    held: dict[tuple[str, str], Annotation] = {}
    annotators: dict[str, tuple[str, int]] = {}
    for row in read_rows(path):
        one = Annotation.from_row(row, key)
        enter(annotators, one.annotator, one.round, f"{row.where}: annotator")
        check_quotes(one.quotes, dialogues[one.dialogue_id], row.where)
        if (one.annotator, one.item) in held:
            raise HumanError(where=row.where, expected=f"one label of {one.annotator} on {one.item}, found two")
        held[one.annotator, one.item] = one
    if not held:
        raise HumanError(where=os.fspath(path), expected="at least one annotation")
    return tuple(held.values())
