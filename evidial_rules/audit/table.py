"""The cells of an audit as arrays: labels, reference states and what each model and method predicted."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..contract import STATES, UNRESOLVED, Dialogue, PlannedCell, Prediction, Reference
from ..corpora.votetable import CellKey
from ..errors import EvidialError, shown
from ..resources import load_instrument

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
    no_reference: planned cells that the reference does not have, which count as unresolved. coded: cells whose score is
    above what the instrument allows, which have no label.
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
    coded: int = 0

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def sources(self) -> Ints:
        """(n,), the source of each cell as a number, for stratified resampling."""
        numbers = {name: i for i, name in enumerate(dict.fromkeys(self.strata["source"]))}
        return np.array([numbers[name] for name in self.strata["source"]])

    def with_reference(self, states: Ints, name: str) -> AuditTable:
        """The same audit against another reference, (n,) codes."""
        return AuditTable(self.cells, self.labels, self.scores, states, self.statuses, self.predictions, self.clusters,
                          self.strata, self.missing, int((states == UNRESOLVED_CODE).sum()), name, self.coded)


def native_score(talk: Dialogue | Labelled, dimension: str) -> tuple[float | None, bool]:
    """A dialogue's score of a dimension, and whether it had to be left out: a score above what the instrument's items
    can sum to is a code, such as HAMD's 9 for "not assessed", and no label.

    Raises :class:`AuditError` for a score that is no finite number of 0 or more.
    """
    score = (talk.scores or {}).get(dimension)
    if score is None:
        return None, False
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score < float("inf"):
        raise AuditError(where=f"score of {shown(talk.dialogue_id)} {dimension}",
                         expected=f"a number of 0 or more, found {shown(score)}")
    if isinstance(talk, Dialogue):
        instrument = load_instrument(talk.instrument)
        items = instrument.items.get(dimension)
        if items and instrument.item_max is not None and score > len(items) * instrument.item_max:
            return None, True
    return float(score), False


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What dialogues say of n cells, in the words of :class:`AuditTable`."""

    cells: tuple[CellKey, ...]
    labels: Ints
    scores: npt.NDArray[np.float64]
    clusters: Ints
    strata: Mapping[str, tuple[str, ...]]
    coded: int

    @classmethod
    def of(cls, cells: tuple[CellKey, ...], about: Sequence[Dialogue | Labelled]) -> Facts:
        """From the dialogue of each cell. Raises :class:`AuditError` for a score that is none (see `native_score`)."""
        people: dict[tuple[str, str], int] = {}
        clusters = np.array([people.setdefault((talk.source or "", talk.participant_id or talk.dialogue_id),
                                               len(people)) for talk in about])
        found = [native_score(talk, dimension) for talk, (_, dimension) in zip(about, cells, strict=True)]
        labels = [NO_LABEL if score is None else int(score > 0) for score, _ in found]
        names = {1: "positive", 0: "negative", NO_LABEL: "none"}
        strata = {"source": tuple(talk.source or "" for talk in about),
                  "language": tuple(talk.language for talk in about),
                  "dimension": tuple(dimension for _, dimension in cells),
                  "label": tuple(names[label] for label in labels)}
        scores = np.array([np.nan if score is None else score for score, _ in found])
        return cls(cells, np.array(labels), scores, clusters, strata, sum(code for _, code in found))

    def table(
        self, states: Ints, reference: str, statuses: Mapping[Condition, Ints] | None = None,
        predictions: Mapping[Condition, Ints] | None = None, missing: Mapping[Condition, int] | None = None,
        no_reference: int = 0,
    ) -> AuditTable:
        """With a reference's states, and predictions if there are any."""
        return AuditTable(self.cells, self.labels, self.scores, states, statuses or {}, predictions or {},
                          self.clusters, self.strata, missing or {}, no_reference, reference, self.coded)


def reference_codes(cells: Sequence[CellKey], reference: Iterable[Reference]) -> tuple[Ints, int, str]:
    """The states of cells as codes (n,), -1 unresolved or not there; how many are not there; and the method's name.

    Raises :class:`AuditError` for references of several methods, and for one that has none of the cells.
    """
    held: dict[CellKey, int] = {}
    methods: dict[str, None] = {}
    for one in reference:
        methods.setdefault(one.method)
        key = (one.dialogue_id, one.dimension)
        if key in held and len(methods) == 1:
            raise AuditError(where="reference", expected=f"one line on {shown(key[0])} {key[1]}")
        held[key] = UNRESOLVED_CODE if one.state == UNRESOLVED else STATES.index(one.state)
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
        if (one.dialogue_id, one.dimension) in splits:
            raise AuditError(where="plan", expected=f"one line on {shown(one.dialogue_id)} {one.dimension}")
        splits[one.dialogue_id, one.dimension] = one.split
    if plan is not None and not splits:
        raise AuditError(where="plan", expected="at least one cell")
    cells = tuple(splits) if plan is not None else tuple(
        dict.fromkeys((one.dialogue_id, one.dimension) for one in held))
    place = {cell: i for i, cell in enumerate(cells)}
    talks = {one.dialogue_id: one for one in dialogues}
    where = "plan" if plan is not None else "predictions"
    for dialogue, dimension in cells:
        talk = talks.get(dialogue)
        if talk is None or isinstance(talk, Dialogue) and dimension not in load_instrument(talk.instrument).ordered:
            raise AuditError(where=where, expected=f"cells of the dialogues, found {shown(dialogue)} {dimension}")
    facts = Facts.of(cells, [talks[dialogue] for dialogue, _ in cells])
    of_person: dict[int, set[str]] = {}
    for cell, person in zip(cells, facts.clusters, strict=True):
        of_person.setdefault(int(person), set()).add(splits.get(cell, ""))
    if any(len(parts) > 1 for parts in of_person.values()):
        raise AuditError(where="plan", expected="each participant in one split, found one in both")
    if (facts.labels == NO_LABEL).all():
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
    return facts.table(states, name, statuses, answers, missing, absent)
