"""The cells of an audit as arrays: labels, reference states and what each model and method predicted."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..contract import STATES, UNRESOLVED, Dialogue, PlannedCell, Prediction, Reference
from ..corpora.votetable import CellKey
from ..errors import EvidialError, shown

NO_LABEL = -1
UNRESOLVED_CODE = -1
ANSWERED, ABSTAINED, FAILED = 0, 1, 2
Ints = npt.NDArray[np.int64]
Condition = tuple[str, str]
"""(model, method)."""


class AuditError(EvidialError):
    """Predictions, plan, reference and dialogues that do not belong together."""

    code = "E451"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Labelled:
    """What an audit has to know of a dialogue, where its text is not at hand: native scores by dimension, whose it is
    and where it comes from."""

    dialogue_id: str
    scores: Mapping[str, float | None]
    participant_id: str | None = None
    source: str | None = None
    language: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class AuditTable:
    """n planned cells and what is known of each.

    labels: (n,), 1 or 0, `NO_LABEL` where the dialogue has no score. scores: (n,), the native score, nan without one.
    states: (n,), an index into `STATES`, -1 unresolved. statuses, predictions: of each condition (n,), the status and
    the predicted label (-1 without an answer). clusters: (n,), the participant as a number. strata: name of a stratum
    to its n values. missing: of each condition, planned cells without any prediction, which count as failed.
    no_reference: planned cells that the reference does not have, which count as unresolved.
    """

    cells: tuple[CellKey, ...]
    labels: Ints
    scores: npt.NDArray[np.float64]
    states: Ints
    statuses: Mapping[Condition, Ints]
    predictions: Mapping[Condition, Ints]
    clusters: Ints
    strata: Mapping[str, tuple[str, ...]]
    missing: Mapping[Condition, int]
    no_reference: int
    reference: str

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def sources(self) -> Ints:
        """(n,), the source of each cell as a number, for stratified resampling."""
        numbers = {name: i for i, name in enumerate(dict.fromkeys(self.strata["source"]))}
        return np.array([numbers[name] for name in self.strata["source"]])

    def rows(self, chosen: npt.ArrayLike) -> AuditTable:
        """The cells that a mask chooses; what is missing of the others is not counted."""
        index = np.flatnonzero(np.asarray(chosen, dtype=bool))
        return AuditTable(
            tuple(self.cells[i] for i in index), self.labels[index], self.scores[index], self.states[index],
            {key: one[index] for key, one in self.statuses.items()},
            {key: one[index] for key, one in self.predictions.items()}, self.clusters[index],
            {name: tuple(values[i] for i in index) for name, values in self.strata.items()}, {}, 0, self.reference)

    def with_reference(self, states: Ints, name: str) -> AuditTable:
        """The same audit against another reference, (n,) codes."""
        return AuditTable(self.cells, self.labels, self.scores, states, self.statuses, self.predictions, self.clusters,
                          self.strata, self.missing, int((states == UNRESOLVED_CODE).sum()), name)


def reference_codes(cells: Sequence[CellKey], reference: Iterable[Reference]) -> tuple[Ints, int, str]:
    """The states of cells as codes (n,), -1 unresolved or not there; how many are not there; and the method's name.

    Raises :class:`AuditError` for references of several methods, and for one that has none of the cells.
    """
    held: dict[CellKey, int] = {}
    methods: dict[str, None] = {}
    for one in reference:
        methods.setdefault(one.method)
        held[one.dialogue_id, one.dimension] = (
            UNRESOLVED_CODE if one.state == UNRESOLVED else STATES.index(one.state))
    if len(methods) > 1:
        raise AuditError(where="reference", expected=f"one method, found {', '.join(map(shown, methods))}")
    absent = sum(cell not in held for cell in cells)
    if absent == len(cells):
        raise AuditError(where="reference", expected="a line for at least one planned cell")
    codes = np.array([held.get(cell, UNRESOLVED_CODE) for cell in cells], dtype=np.int64)
    return codes, absent, next(iter(methods))


def audit_table(
    predictions: Iterable[Prediction], reference: Iterable[Reference], dialogues: Iterable[Dialogue | Labelled],
    plan: Iterable[PlannedCell] | None = None,
) -> AuditTable:
    """Sets an audit's files side by side. Without a plan, the cells that any prediction is on are the plan.

    Raises :class:`AuditError` for a prediction on a cell that is not planned, a planned cell that the dialogues do not
    have, participants in both splits, and where there is no prediction, no plan or no label.
    """
    held = list(predictions)
    if not held:
        raise AuditError(where="predictions", expected="at least one")
    splits: dict[CellKey, str] = {}
    for one in plan or ():
        splits[one.dialogue_id, one.dimension] = one.split
    if plan is not None and not splits:
        raise AuditError(where="plan", expected="at least one cell")
    cells = tuple(splits) if plan is not None else tuple(
        dict.fromkeys((one.dialogue_id, one.dimension) for one in held))
    place = {cell: i for i, cell in enumerate(cells)}
    talks = {one.dialogue_id: one for one in dialogues}
    for dialogue, dimension in cells:
        if dialogue not in talks:
            raise AuditError(where="plan" if plan is not None else "predictions",
                             expected=f"cells of the dialogues, found {shown(dialogue)} {dimension}")
    people: dict[tuple[str, str], int] = {}
    of_person: dict[int, set[str]] = {}
    clusters, labels, scores = [], [], []
    for cell in cells:
        talk = talks[cell[0]]
        person = people.setdefault((talk.source or "", talk.participant_id or talk.dialogue_id), len(people))
        clusters.append(person)
        of_person.setdefault(person, set()).add(splits.get(cell, ""))
        score = (talk.scores or {}).get(cell[1])
        scores.append(np.nan if score is None else float(score))
        labels.append(NO_LABEL if score is None else int(score > 0))
    if any(len(parts) > 1 for parts in of_person.values()):
        raise AuditError(where="plan", expected="each participant in one split, found one in both")
    if all(label == NO_LABEL for label in labels):
        raise AuditError(where="dialogues", expected="scores for at least one planned cell")
    statuses: dict[Condition, Ints] = {}
    answers: dict[Condition, Ints] = {}
    for one in held:
        key, condition = (one.dialogue_id, one.dimension), (one.model, one.method)
        if key not in place:
            raise AuditError(where=f"prediction of {shown(one.model)}",
                             expected=f"a planned cell, found {shown(key[0])} {key[1]}")
        if condition not in statuses:
            statuses[condition] = np.full(len(cells), -1)
            answers[condition] = np.full(len(cells), -1)
        i = place[key]
        if statuses[condition][i] != -1:
            raise AuditError(where=f"prediction of {shown(one.model)}",
                             expected=f"one prediction of a method on {shown(key[0])} {key[1]}")
        statuses[condition][i] = ("answered", "abstained", "failed").index(one.status)
        answers[condition][i] = -1 if one.prediction is None else one.prediction
    missing = {condition: int((codes == -1).sum()) for condition, codes in statuses.items()}
    for codes in statuses.values():
        codes[codes == -1] = FAILED
    states, absent, name = reference_codes(cells, reference)
    about = [talks[dialogue] for dialogue, _ in cells]
    label = np.array(labels)
    return AuditTable(
        cells, label, np.array(scores), states, statuses, answers, np.array(clusters),
        {"source": tuple(one.source or "" for one in about), "language": tuple(one.language for one in about),
         "dimension": tuple(dimension for _, dimension in cells),
         "label": tuple({1: "positive", 0: "negative", NO_LABEL: "none"}[int(one)] for one in label)},
        missing, absent, name)
