"""Instruments as data: window, dimensions, components, item map (contract, section 1)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from ..errors import InstrumentError, shown
from .dialogue import DIMENSIONS, MAX_SCORE
from .frame import ALL, COMPONENTS

KINDS: tuple[str, ...] = ("own", "alias", "part_of", "covers", "indicator")


@dataclass(frozen=True, slots=True)
class Relation:
    """How a fine component counts under an instrument.

    | kind | means |
    |---|---|
    | own | the instrument has it |
    | alias | another word for one of its components: denying either denies it |
    | part_of | finer than one of its components: affirming affirms it, denying is an indicator |
    | covers | coarser: over several of its components, or ALL of them |
    | indicator | the instrument lacks it: an indicator of the dimension, whichever the polarity |

    `targets` are the instrument's components that it stands for, empty for an indicator.
    """

    kind: str
    targets: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether denying the fine component denies its targets, and not just a part of them."""
        return self.kind in ("own", "alias", "covers")


_INDICATOR = Relation("indicator", ())


def _relation(value: Any) -> Relation:
    if isinstance(value, Relation):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        kind, target = next(iter(value.items()))
        if kind in ("alias", "part_of") and isinstance(target, str):
            return Relation(kind, (target,))
        if kind == "covers" and isinstance(target, (list, tuple)) and target \
                and all(isinstance(name, str) for name in target):
            return Relation(kind, tuple(target))
        if kind == "indicator" and target is True:
            return _INDICATOR
        if kind == "own" and target is True:
            return Relation("own", ())
    raise PydanticCustomError(
        "relation", "one of {own: true}, {alias: NAME}, {part_of: NAME}, {covers: [NAME, ...]}, {indicator: true}",
    )


class DimensionSpec(BaseModel):
    """One dimension under one instrument: its components, and how finer or coarser names count."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    components: Annotated[tuple[str, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)] \
        = Field(min_length=1)
    fine: dict[str, Annotated[Relation, BeforeValidator(_relation)]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> DimensionSpec:
        if len(set(self.components)) < len(self.components) or ALL in self.components:
            raise PydanticCustomError("components", "components that are named once, none of them ALL")
        for name, relation in self.fine.items():
            if relation.kind == "own" and name not in self.components:
                raise PydanticCustomError("own", "{name} among the components, since it is its own", {"name": name})
            if relation.kind != "own" and name in self.components:
                raise PydanticCustomError("own", "{name} either among the components or with another relation",
                                          {"name": name})
            unknown = [target for target in relation.targets if target not in self.components]
            if unknown:
                raise PydanticCustomError(
                    "target", "the target of {name} out of {known}",
                    {"name": name, "known": ", ".join(self.components)},
                )
        return self


class Instrument(BaseModel):
    """An instrument: one YAML file in `grammars/instruments/`.

    `window_days` W makes the window [0, W + 1) days before now. `items` maps a dimension to the native items whose sum
    is its score, `item_max` is the highest value of an item and `not_assessed` lists codes that are no value.
    `reassign` moves a fine component into another dimension ("psychomotor.slowed_thinking" ->
    "concentration.concentration").
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(min_length=1)
    source: str
    version: int | str
    window_days: int = Field(ge=0)
    dimensions: dict[str, DimensionSpec] = Field(min_length=1)
    items: dict[str, list[int | str]] = Field(default_factory=dict)
    item_max: int | None = Field(default=None, ge=1)
    not_assessed: list[int] = Field(default_factory=list)
    reassign: dict[str, str] = Field(default_factory=dict)

    _relations: dict[tuple[str, str], Relation] = PrivateAttr(default_factory=dict)
    _reassigned: dict[tuple[str, str], tuple[str, str]] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> Instrument:
        for key in (*self.dimensions, *self.items):
            if key not in DIMENSIONS:
                raise PydanticCustomError("dimension", "dimensions out of {known}, found {found}",
                                          {"known": ", ".join(DIMENSIONS), "found": shown(key)})
        for key, items in self.items.items():
            if key not in self.dimensions:
                raise PydanticCustomError("items", "items only of dimensions that it has, found {key}", {"key": key})
            if not items or len({str(item) for item in items}) < len(items):
                raise PydanticCustomError("items", "items of {key} that are listed once each", {"key": key})
        for source, target in self.reassign.items():
            if source.count(".") != 1 or source.split(".")[0] not in DIMENSIONS:
                raise PydanticCustomError("reassign", "reassign to go from DIMENSION.COMPONENT, found {found}",
                                          {"found": shown(source)})
            dimension, _, component = target.partition(".")
            if component not in self.inventory().get(dimension, ()):
                raise PydanticCustomError("reassign", "reassign to go to a DIMENSION.COMPONENT that it has, "
                                          "found {found}", {"found": shown(target)})
            if target in self.reassign:
                raise PydanticCustomError("reassign", "reassign to go one step, found a chain at {found}",
                                          {"found": shown(target)})
        return self

    def model_post_init(self, context: Any, /) -> None:
        # One dictionary look-up a component: binding runs once for every frame of every dialogue.
        for dimension, spec in self.dimensions.items():
            for name, relation in spec.fine.items():
                self._relations[dimension, name] = relation
            for name in spec.components:
                self._relations[dimension, name] = Relation("own", (name,))
            self._relations[dimension, ALL] = Relation("covers", spec.components)
        for source, target in self.reassign.items():
            self._reassigned[tuple(source.split("."))] = tuple(target.split("."))  # type: ignore[index,assignment]

    @classmethod
    def from_dict(cls, row: Any, *, where: str = "instrument") -> Instrument:
        """An instrument from its file's content; raises InstrumentError with `where`, the key and what was expected."""
        if not isinstance(row, Mapping):
            raise InstrumentError(where=where, expected=f"a mapping with the keys of an instrument, found {shown(row)}")
        try:
            return cls.model_validate(dict(row))
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            path = ".".join(str(part) for part in first["loc"] if part not in ("int", "str")) or "instrument"
            if first["type"] == "extra_forbidden":
                scope = cls if len(first["loc"]) == 1 else DimensionSpec
                expected = f"a key out of {', '.join(scope.model_fields)}, found {shown(first['loc'][-1])}"
                path = ".".join(str(part) for part in first["loc"][:-1]) or "instrument"
            elif first["type"] == "missing":
                expected = "this key"
            else:
                message = first["msg"]
                expected = message[0].lower() + message[1:] if message.startswith("Input ") else message
            raise InstrumentError(where=f"{where}: {path}", expected=expected) from None

    def components(self, dimension: str) -> tuple[str, ...]:
        """The instrument's components of a dimension; empty if it lacks the dimension."""
        spec = self.dimensions.get(dimension)
        return spec.components if spec else ()

    def has(self, dimension: str) -> bool:
        """Whether the instrument has the dimension."""
        return dimension in self.dimensions

    @property
    def ordered(self) -> tuple[str, ...]:
        """Its dimensions, in the contract's order."""
        return tuple(dimension for dimension in DIMENSIONS if dimension in self.dimensions)

    def relation(self, dimension: str, component: str) -> Relation:
        """How a fine component (or ALL) of a dimension counts; one that it does not know is an indicator."""
        return self._relations.get((dimension, component), _INDICATOR)

    def reassigned(self, dimension: str, component: str) -> tuple[str, str]:
        """The dimension and component that a fine component belongs to under this instrument."""
        return self._reassigned.get((dimension, component), (dimension, component))

    def inventory(self) -> dict[str, tuple[str, ...]]:
        """The names that a frame of each dimension may use: the common inventory, and the instrument's own."""
        return {
            dimension: tuple(dict.fromkeys((*COMPONENTS[dimension], *spec.components, *spec.fine)))
            if (spec := self.dimensions.get(dimension)) else COMPONENTS[dimension]
            for dimension in DIMENSIONS
        }


def dimension_scores(
    items: Mapping[Any, float | int | None], instrument: Instrument, *, where: str = "items",
) -> dict[str, float | int | None]:
    """Native item scores summed into dimension scores (contract, section 1).

    `items` maps an item (1 or "1") to its value; a missing key, None, NaN or a `not_assessed` code is no value. A
    sum is None if one of its items has no value, unless another of them is above 0: then the score is known to be
    above 0, and it is the sum of those that have a value.

    Raises :class:`~evidial_rules.errors.InstrumentError` for a value that is no number, below 0 or above `item_max`.
    """
    values: dict[str, float | int | None] = {}
    for key, value in items.items():
        if isinstance(value, bool) or not (value is None or isinstance(value, (int, float))):
            raise InstrumentError(where=where, expected=f"item {shown(key)} to be a number, found {shown(value)}")
        if value is None or value != value or value in instrument.not_assessed:
            values[str(key)] = None
            continue
        # Compared and not asked of `math`, which cannot take an integer of 400 digits.
        if not 0 <= value <= (MAX_SCORE if instrument.item_max is None else instrument.item_max):
            top = "" if instrument.item_max is None else f" to {instrument.item_max}"
            codes = "".join(f" or {code} (not assessed)" for code in instrument.not_assessed)
            raise InstrumentError(where=where,
                                  expected=f"item {shown(key)} from 0{top}{codes}, found {shown(value)}")
        values[str(key)] = int(value) if float(value).is_integer() else value
    scores: dict[str, float | int | None] = {}
    for dimension in instrument.ordered:
        if dimension not in instrument.items:
            continue
        parts = [values.get(str(item)) for item in instrument.items[dimension]]
        total = sum(part for part in parts if part is not None)
        scores[dimension] = None if None in parts and not total > 0 else total
    return scores
