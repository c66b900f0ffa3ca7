"""Two runs beside one another, cell by cell: which states differ, and which operation and rule made the difference.

Pure: cells in, a result out. Frames are matched by place, since ids change from run to run. To say which difference
matters, a cell is projected anew from the frames of A with single attributes of B (contract, sections 3 and 4).
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from ..contract import (
    BY_CONTRACT,
    STATES,
    BoundFrame,
    Cell,
    Choices,
    Dialogue,
    Frame,
    Instrument,
    Verdict,
    Vote,
    bind,
    project,
)
from ..corpora import Row
from ..errors import EvidialError, shown
from .alignment import Alignment, Span

OPERATIONS: Mapping[str, str] = MappingProxyType({
    "detection": "a frame that only one run has",
    "subject": "whom a frame is about",
    "temporal": "a frame's time",
    "assertion": "what a frame says: components, polarity, strength, modality, object",
    "withdrawal": "whether a frame is taken back",
    "projection": "not the frames: the contract, its choices or the instrument",
    "unknown": "a run without frames",
    "invalid": "a run without a valid vote",
})
"""What makes a difference, in the order of the output."""

ATTRIBUTES: Mapping[str, str] = MappingProxyType({
    "subject": "subject", "speaker": "subject", "time": "temporal", "components": "assertion",
    "polarity": "assertion", "strength": "assertion", "modality": "assertion", "object": "assertion",
    "withdrawn_by": "withdrawal",
})
"""The operation that each attribute of a frame belongs to."""

Key = tuple[str, str]
_NAME = re.compile(r"[\w./:@+\-]{1,64}", re.ASCII)


class RunError(EvidialError):
    """A file from which no run can be taken: no rater of that name, or several and none named."""

    code = "E303"
    template = "{where}: expected {expected}"


# -- Runs --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """One cell of a run. `state` is None without a valid vote, `frames` None where the run does not give them.

    `choices` are the decisions of the contract under which it was judged.
    """

    dialogue_id: str
    dimension: str
    state: str | None
    frames: tuple[BoundFrame, ...] | None
    choices: Choices = BY_CONTRACT


@dataclass(frozen=True, slots=True)
class Run:
    """The cells of one rule set or one rater, in the order of the file, with the versions that they carry."""

    name: str
    cells: Mapping[Key, Judged]
    rater: str | None = None
    contracts: tuple[int, ...] = ()
    rulesets: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, name: str, rows: Iterable[tuple[Row, Cell | Vote]], *, rater: str | None = None, option: str = "rater",
    ) -> Run:
        """The run of a file of cells or votes (:func:`~evidial_rules.corpora.read_judged_rows`).

        `rater` says whose votes; it is needed where a file has several, and `option` is its name in messages.
        Frames are taken as not given where the line has no `frames`, and where there are none under a state that
        cannot be without: votes of raters that name states only.

        Raises :class:`RunError`.
        """
        cells: dict[Key, Judged] = {}
        contracts: dict[int, None] = {}
        rulesets: dict[str, None] = {}
        decisions: dict[str, None] = {}
        raters: dict[str | None, None] = {}
        for row, one in rows:
            voter = one.rater if isinstance(one, Vote) else None
            raters[voter] = None
            if voter is None and rater is not None:
                raise RunError(where=option, expected=f"votes in {name}, found cells, which have no rater")
            if voter != (next(iter(raters)) if rater is None else rater):
                continue
            choices = one.choices if isinstance(one, Cell) else BY_CONTRACT
            cells[one.dialogue_id, one.dimension] = Judged(
                one.dialogue_id, one.dimension, one.state, None if row.data.get("frames") is None else one.frames,
                choices)
            decisions[", ".join(f"{name} {value}" for name, value in choices.changed.items())] = None
            contracts[one.contract] = None
            if one.ruleset is not None:
                rulesets[f"{one.ruleset['name']} {one.ruleset['version']}"] = None
        if rater is None and len(raters) > 1 or rater is not None and raters and rater not in raters:
            names = ", ".join(sorted(_named(str(one)) for one in raters))
            raise RunError(where=option, expected=f"one of the raters of {name} ({names})")
        if not any(cell.frames for cell in cells.values()) and any(map(_frameless, cells.values())):
            cells = {key: replace(cell, frames=None) for key, cell in cells.items()}
        else:
            cells = {key: replace(cell, frames=None) if _frameless(cell) else cell for key, cell in cells.items()}
        return cls(name, cells, next(iter(raters), None) if rater is None else rater, tuple(contracts),
                   tuple(rulesets), tuple(filter(None, decisions)))


def _named(rater: str) -> str:
    # A column of that name may hold anybody's words.
    return rater if _NAME.fullmatch(rater) else shown(rater)


def _frameless(cell: Judged) -> bool:
    return not cell.frames and cell.state not in (None, "ABSENT")


# -- What differs ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """One attribute that differs between two frames of one place, with the rule that set it in each run.

    A rule is None where no cue set the attribute. `decisive` says whether it counts for the cell's difference.
    """

    attribute: str
    operation: str
    a: Any
    b: Any
    rule_a: str | None
    rule_b: str | None
    decisive: bool = False

    def to_dict(self, *, quotes: bool = False) -> dict[str, Any]:
        """The JSON object; the words that a statement is restricted to stand in it only with `quotes`."""
        a, b = (self.a, self.b) if quotes or self.attribute != "object" else (
            None if self.a is None else "restricted", None if self.b is None else "restricted")
        return {"attribute": self.attribute, "operation": self.operation, "a": a, "b": b, "rule_a": self.rule_a,
                "rule_b": self.rule_b, "decisive": self.decisive}


@dataclass(frozen=True, slots=True)
class FrameChange:
    """A frame that one run lacks (a or b is None), or one of both that differs.

    `verdicts` are pairs of the two runs' verdicts on one operation. `decisive` is for a frame of one run.
    """

    a: BoundFrame | None
    b: BoundFrame | None
    changes: tuple[Change, ...] = ()
    verdicts: tuple[tuple[Verdict, Verdict], ...] = ()
    decisive: bool = False

    @property
    def kind(self) -> str:
        """added (only B has it), removed (only A has it) or changed."""
        return "added" if self.a is None else "removed" if self.b is None else "changed"

    @property
    def frame(self) -> Frame:
        """The frame of A, or that of B where A has none: its place is shown."""
        bound = self.a or self.b
        assert bound is not None
        return bound.frame

    @property
    def rule(self) -> str | None:
        """The rule of the cue that found the frame."""
        return _rule(self.frame, "components") or _rule(self.frame, "polarity")

    def to_dict(self, *, quotes: bool = False) -> dict[str, Any]:
        """The JSON object: place, what differs, rules; quotes only if asked for."""
        frame = self.frame
        row: dict[str, Any] = {"turn": frame.turn, "start": frame.start, "end": frame.end}
        if self.a is not None and self.b is not None:
            row |= {"turn_b": self.b.frame.turn, "start_b": self.b.frame.start, "end_b": self.b.frame.end,
                    "attributes": [change.to_dict(quotes=quotes) for change in self.changes],
                    "verdicts": [{"operation": a.operation} | {
                        side: {"kept": v.kept, "reason": v.reason, "rule": v.rule} for side, v in (("a", a), ("b", b))
                    } for a, b in self.verdicts]}
        else:
            bound = self.a or self.b
            assert bound is not None
            row |= {"speaker": frame.speaker, "components": list(frame.components), "polarity": frame.polarity,
                    "strength": frame.strength, "excluded_by": bound.excluded_by, "rule": self.rule,
                    "decisive": self.decisive}
        if quotes:
            row["quote"] = frame.quote
            if self.a is not None and self.b is not None and self.b.frame.quote != frame.quote:
                row["quote_b"] = self.b.frame.quote
        return row


@dataclass(frozen=True, slots=True)
class CellChange:
    """One cell whose states differ.

    `operations` (:data:`OPERATIONS`) made the difference: with `alone` true, each of them leads from the state of A
    to that of B by itself; with false, it takes all of them; None where frames do not say.
    """

    dialogue_id: str
    dimension: str
    a: str | None
    b: str | None
    operations: tuple[str, ...]
    alone: bool | None = None
    frames: tuple[FrameChange, ...] = ()

    def rules(self) -> dict[str, set[str]]:
        """The rules behind the decisive differences: each with the runs ("a", "b") in which it set what differs."""
        found: dict[str, set[str]] = {}
        for one in self.frames:
            if one.kind != "changed":
                if one.decisive and one.rule is not None:
                    found.setdefault(one.rule, set()).add("a" if one.a is not None else "b")
                continue
            for change in one.changes:
                if change.decisive:
                    for side, rule in (("a", change.rule_a), ("b", change.rule_b)):
                        if rule is not None:
                            found.setdefault(rule, set()).add(side)
        return found

    def to_dict(self, *, quotes: bool = False) -> dict[str, Any]:
        """The JSON object of `evidial diff -o`; no words of the dialogue without `quotes`."""
        frames: dict[str, list[dict[str, Any]]] = {"added": [], "removed": [], "changed": []}
        for one in self.frames:
            frames[one.kind].append(one.to_dict(quotes=quotes))
        return {"dialogue_id": self.dialogue_id, "dimension": self.dimension, "a": self.a, "b": self.b,
                "operations": list(self.operations), "alone": self.alone, "frames": frames}


@dataclass(frozen=True, slots=True)
class OperationCount:
    """In how many changed cells an operation made the difference, and in how many of them by itself."""

    operation: str
    cells: int
    alone: int


@dataclass(frozen=True, slots=True)
class RuleCount:
    """In how many changed cells a rule set a decisive attribute (or found a decisive frame): at all, in A, in B."""

    rule: str
    cells: int
    a: int
    b: int


@dataclass(frozen=True, slots=True)
class Diff:
    """Two runs compared: `table` counts (state in A, state in B) over the cells that both have.

    `versions` align the transcripts, if the runs read different ones.
    """

    a: Run
    b: Run
    table: Mapping[tuple[str | None, str | None], int]
    changed: tuple[CellChange, ...]
    only_a: tuple[Key, ...]
    only_b: tuple[Key, ...]
    versions: Mapping[str, Alignment] | None = None

    @property
    def compared(self) -> int:
        """The cells that both runs have."""
        return sum(self.table.values())

    @property
    def share(self) -> float | None:
        """The share of compared cells whose states differ, 0 to 1; None if there are none."""
        return len(self.changed) / self.compared if self.compared else None

    def states(self) -> tuple[str | None, ...]:
        """The rows and columns of the table: the five states, and None (no valid vote) where it occurs."""
        return (*STATES, *([None] if any(None in pair for pair in self.table) else []))

    def operations(self) -> tuple[OperationCount, ...]:
        """Counts by operation, those that occur; a cell counts under each of its operations."""
        cells = Counter(name for one in self.changed for name in one.operations)
        alone = Counter(name for one in self.changed if one.alone for name in one.operations)
        return tuple(OperationCount(name, cells[name], alone[name]) for name in OPERATIONS if cells[name])

    def rules(self) -> tuple[RuleCount, ...]:
        """Counts by rule, the most frequent first."""
        sides: dict[str, Counter[str]] = {}
        for one in self.changed:
            for rule, where in one.rules().items():
                sides.setdefault(rule, Counter()).update([*where, "cells"])
        counts = [RuleCount(rule, seen["cells"], seen["a"], seen["b"]) for rule, seen in sides.items()]
        return tuple(sorted(counts, key=lambda count: (-count.cells, count.rule)))


def alignments(a: Iterable[Dialogue], b: Iterable[Dialogue]) -> dict[str, Alignment]:
    """The alignment of each dialogue that two sets of transcripts both have, by its id."""
    first = {one.dialogue_id: one for one in a}
    return {one.dialogue_id: Alignment.of(first[one.dialogue_id], one) for one in b if one.dialogue_id in first}


def diff(a: Run, b: Run, instruments: Collection[Instrument],
         versions: Mapping[str, Alignment] | None = None) -> Diff:
    """Compares two runs cell by cell.

    `versions` align the transcripts where the runs read different ones (:func:`alignments`; paper, section 4.1, raw
    and reformatted): frames are then matched where their words stand in the transcript of A. A dialogue that is not
    among them is compared as if both runs had read the same.

    Raises :class:`RunError` if versions are given and none is of a dialogue that both runs have.

    A cell does not say under which of the `instruments` it was judged: it is the one under which the frames of its
    dialogue, in both runs, give the effects and states that are written there.
    """
    both = [key for key in a.cells if key in b.cells]
    if versions is not None and both and not any(ident in versions for ident, _ in both):
        raise RunError(where="transcripts", expected="two versions of the dialogues that both runs have")
    table = Counter((a.cells[key].state, b.cells[key].state) for key in both)
    moved = [key for key in both if a.cells[key].state != b.cells[key].state]
    judged_under = _judged_under(a, b, {ident for ident, _ in moved}, instruments)
    aligned = versions or {}
    changed = tuple(explain(a.cells[key], b.cells[key], judged_under[key[0]], aligned.get(key[0])) for key in moved)
    return Diff(a, b, table, changed, tuple(key for key in a.cells if key not in b.cells),
                tuple(key for key in b.cells if key not in a.cells), versions)


def _judged_under(
    a: Run, b: Run, dialogues: Collection[str], instruments: Collection[Instrument],
) -> dict[str, tuple[Instrument, ...]]:
    """The instruments that each of the dialogues may have been judged under; nearly always one."""
    cells: dict[str, list[Judged]] = {ident: [] for ident in dialogues}
    for run in (a, b):
        for (ident, _), cell in run.cells.items():
            if ident in cells:
                cells[ident].append(cell)
    found = {}
    for ident, members in cells.items():
        dimensions = {cell.dimension for cell in members}
        fitting = [one for one in instruments if dimensions.issubset(one.ordered)]
        fitting = [one for one in fitting if all(_gives(cell, one) for cell in members)] or fitting
        exact = [one for one in fitting if dimensions.issuperset(one.ordered)]
        found[ident] = tuple(exact if len(exact) == 1 else fitting)
    return found


def _gives(cell: Judged, instrument: Instrument) -> bool:
    """Whether binding and projection under this instrument give what the cell says."""
    if cell.frames is None:
        return True
    for bound in cell.frames:
        again = bind(bound.frame, instrument, cell.choices)
        if again.kept != bound.kept or again.effective != bound.effective:
            return False
    frames = [bound.frame for bound in cell.frames]
    return cell.state in (None, project(frames, instrument, cell.dimension, cell.choices).state)


# -- Which difference matters ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Edit:
    """One step from A towards B: an attribute of a pair, or (attribute None) a frame gained or lost."""

    pair: int
    operation: str
    attribute: str | None = None


_CHOICES = _Edit(-1, "projection")  # the step from A's choices to B's


def explain(
    a: Judged, b: Judged, instruments: Sequence[Instrument], alignment: Alignment | None = None,
) -> CellChange:
    """What made the difference between two states of one cell.

    A difference suffices alone if A's frames with B's value of one attribute (or with the frame that only B has,
    without the one that only A has), or of one operation's attributes together, give the state of B's frames. If none
    does, all operations that differ in a frame that counts in A or B are named.
    """
    if a.state is None or b.state is None:
        return CellChange(a.dialogue_id, a.dimension, a.state, b.state, ("invalid",))
    if a.frames is None or b.frames is None:
        return CellChange(a.dialogue_id, a.dimension, a.state, b.state, ("unknown",))
    pairs = match(a.frames, b.frames, alignment)
    changes = [FrameChange(one, other, _changes(one, other), _verdicts(one, other)) for one, other in pairs]
    edits = [edit for number, change in enumerate(changes) for edit in _edits(number, change)]
    if a.choices != b.choices:
        edits.append(_CHOICES)
    results = [_weigh(a, b, changes, edits, instrument) for instrument in instruments] \
        or [(_in_order({edit.operation for edit in edits}), None, frozenset(edits))]
    operations, alone, decisive = results[0]
    if any(other != results[0] for other in results[1:]):  # the instrument is not known, and it matters
        operations = _in_order({name for names, _, _ in results for name in names})
        alone, decisive = None, frozenset().union(*(edits for _, _, edits in results))
    differing = []
    for number, change in enumerate(changes):
        change = replace(
            change, decisive=_Edit(number, "detection") in decisive,
            changes=tuple(replace(one, decisive=_Edit(number, one.operation, one.attribute) in decisive)
                          for one in change.changes))
        if change.kind != "changed" or change.changes or change.verdicts:
            differing.append(change)
    return CellChange(a.dialogue_id, a.dimension, a.state, b.state, operations, alone, tuple(differing))


def _weigh(
    a: Judged, b: Judged, changes: Sequence[FrameChange], edits: Sequence[_Edit], instrument: Instrument,
) -> tuple[tuple[str, ...], bool | None, frozenset[_Edit]]:
    """(operations, whether each suffices alone, the decisive edits) under one instrument."""

    def after(applied: Collection[_Edit]) -> str:
        choices = b.choices if _CHOICES in applied else a.choices
        return project(_applied(changes, applied), instrument, a.dimension, choices).state

    start, goal = after(()), after(edits)
    if start == goal:
        # The frames do not account for the states, as they are read here: other verdicts, or another K.
        verdicts = {one.operation for change in changes if not change.changes for one, _ in change.verdicts}
        return _in_order(verdicts or {"projection"}), None, frozenset()
    singles = {edit for edit in edits if after((edit,)) == goal}
    operations = {edit.operation for edit in singles}
    decisive = set(singles)
    for name in {edit.operation for edit in edits} - operations:
        group = [edit for edit in edits if edit.operation == name]
        if len(group) > 1 and after(group) == goal:
            operations.add(name)
            decisive.update(group)
    alone = bool(operations)
    if not operations:
        decisive = {edit for edit in edits if edit == _CHOICES or _counts(changes[edit.pair])}
        operations = {edit.operation for edit in decisive}
    if (start, goal) != (a.state, b.state):
        operations.add("projection")
        alone = False
    return _in_order(operations), alone, frozenset(decisive)


def _counts(change: FrameChange) -> bool:
    return any(bound is not None and bound.kept for bound in (change.a, change.b))


def _applied(changes: Sequence[FrameChange], edits: Collection[_Edit]) -> Iterator[Frame]:
    """The frames of A after some steps towards B."""
    steps: dict[int, list[_Edit]] = {}
    for edit in edits:
        steps.setdefault(edit.pair, []).append(edit)
    for number, change in enumerate(changes):
        mine = steps.get(number, ())
        if change.a is None:
            if mine:
                yield change.frame
        elif change.b is None:
            if not mine:
                yield change.frame
        else:
            yield _towards(change.frame, change.b.frame, [edit.attribute for edit in mine if edit.attribute])


def _towards(frame: Frame, other: Frame, attributes: Sequence[str]) -> Frame:
    """The frame with some attributes of another one, and the cues that belong to them."""
    if not attributes:
        return frame
    moved = {*attributes, *(["ground"] if _GROUNDED.intersection(attributes) else [])}
    cues = (*(cue for cue in frame.cues if cue.attribute not in moved),
            *(cue for cue in other.cues if cue.attribute in moved))
    return frame.replace(cues=cues, **{name: getattr(other, name) for name in attributes})


def _edits(number: int, change: FrameChange) -> list[_Edit]:
    if change.kind != "changed":
        return [_Edit(number, "detection")]
    return [_Edit(number, one.operation, one.attribute) for one in change.changes]


def _in_order(names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in OPERATIONS if name in names)


# -- Frames of one place -----------------------------------------------------------------------------------------------


def match(
    a: Sequence[BoundFrame], b: Sequence[BoundFrame], alignment: Alignment | None = None,
) -> list[tuple[BoundFrame | None, BoundFrame | None]]:
    """Pairs of the frames of two runs on one cell, in the order of the text; None where a run has no such frame.

    Two frames may be a pair if they stand in the same turn and their spans overlap (or are the same, if empty). Those
    that overlap most, and of these those that agree most, are paired first; each frame is in one pair. With an
    `alignment` a frame of B stands where its words stand in the transcript of A.
    """
    spans = [_span(other.frame) for other in b]
    places = spans if alignment is None else [alignment.place(span) for span in spans]
    rated = []
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            place = places[j]
            shared = 0.0 if place is None else _overlap(_span(one.frame), place)
            if shared > 0:
                agreeing = sum(_same(name, one.frame, other.frame) for name in ATTRIBUTES)
                rated.append((-shared, -agreeing, i, j))
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in sorted(rated):
        if i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)
    pairs: list[tuple[BoundFrame | None, BoundFrame | None]] = [
        (one, b[partner[i]] if i in partner else None) for i, one in enumerate(a)]
    pairs += [(None, other) for j, other in enumerate(b) if j not in taken]
    return sorted(pairs, key=_place)


def _place(pair: tuple[BoundFrame | None, BoundFrame | None]) -> Span:
    bound = pair[0] or pair[1]
    assert bound is not None
    return _span(bound.frame)


def _span(frame: Frame) -> Span:
    return frame.turn, frame.start, frame.end


def _overlap(a: Span, b: Span) -> float:
    """The share of both spans together that they have in common, 0 to 1; in different turns 0."""
    if a == b:
        return 1.0
    if a[0] != b[0]:
        return 0.0
    (_, start_a, end_a), (_, start_b, end_b) = a, b
    shared = min(end_a, end_b) - max(start_a, start_b)
    return max(shared, 0) / (max(end_a, end_b) - min(start_a, start_b))


_GROUNDED = frozenset({"components", "polarity", "strength"})  # what a cue of the ground says something of

_VALUES: Mapping[str, Callable[[Frame], Hashable]] = {
    "components": lambda frame: frozenset(frame.components),
    # Whether the words named the unspecified is no matter of any operation.
    "time": lambda frame: (frame.time.from_, frame.time.to),
    # What took it back has another id in another run; whether it was taken back is what counts.
    "withdrawn_by": lambda frame: frame.withdrawn_by is None,
}


def _same(attribute: str, a: Frame, b: Frame) -> bool:
    value = _VALUES.get(attribute)
    return value(a) == value(b) if value is not None else getattr(a, attribute) == getattr(b, attribute)


def _changes(a: BoundFrame | None, b: BoundFrame | None) -> tuple[Change, ...]:
    if a is None or b is None:
        return ()
    return tuple(
        Change(name, operation, _json(getattr(a.frame, name)), _json(getattr(b.frame, name)), _rule(a.frame, name),
               _rule(b.frame, name))
        for name, operation in ATTRIBUTES.items() if not _same(name, a.frame, b.frame))


def _verdicts(a: BoundFrame | None, b: BoundFrame | None) -> tuple[tuple[Verdict, Verdict], ...]:
    if a is None or b is None:
        return ()
    theirs = {verdict.operation: verdict for verdict in b.verdicts}
    return tuple((one, theirs[one.operation]) for one in a.verdicts if one.operation in theirs
                 and (one.kept, one.reason) != (theirs[one.operation].kept, theirs[one.operation].reason))


def _json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value.to_dict() if hasattr(value, "to_dict") else value


def _rule(frame: Frame, attribute: str) -> str | None:
    """The rule of the winning cue of an attribute, the last writer if there are several (as in binding)."""
    return next((cue.rule for cue in reversed(frame.cues) if cue.attribute == attribute and cue.lost_to is None), None)
