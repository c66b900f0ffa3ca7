"""The unsupported-correct rate and its company (paper, section 3.4), with participants resampled.

Of N planned predictions with a label, C are correct; U of these have a reference that is absent, partial or
conflicting, D a sufficient one of the other direction; R nonfailed predictions have an unresolved reference, R_c of
them correct. UCR = (U + D) / (N - R) is an incidence over what was planned, and hit caliber = (U + D) / (C - R_c) the
share of the resolved correct predictions. No library's metric is used: those divide by what was scored.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..contract import STATES
from .table import ABSTAINED, ANSWERED, FAILED, NO_LABEL, UNRESOLVED_CODE, AuditError, AuditTable, Condition

POS, NEG = STATES.index("SUFFICIENT_POS"), STATES.index("SUFFICIENT_NEG")
COUNTS = ("N", "C", "U", "D", "R", "R_c", "answered", "abstained", "failed")
LEVEL = (2.5, 97.5)
MOST = 100_000
"""Most draws of participants."""
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of one condition."""

    N: int
    C: int
    U: int
    D: int
    R: int
    R_c: int
    answered: int
    abstained: int
    failed: int
    no_label: int = 0

    @property
    def figures(self) -> dict[str, float | None]:
        """The rates; None where nothing can be divided by.

        >>> Counts(87, 52, 43, 0, 0, 0, 82, 5, 0).figures["ucr"]
        0.4942528735632184
        """
        row = np.array([[getattr(self, name) for name in COUNTS]], dtype=float)
        return {name: None if np.isnan(value[0]) else float(value[0]) for name, value in rates(row).items()}

    @property
    def bounds(self) -> tuple[float, float] | None:
        """UCR over the whole plan if no unresolved correct prediction were unsupported, and if all were."""
        return None if not self.N else ((self.U + self.D) / self.N, (self.U + self.D + self.R_c) / self.N)


def indicators(table: AuditTable, condition: Condition) -> Floats:
    """What each cell adds to each of `COUNTS`, (n, 9); zero without a label."""
    status, prediction = table.statuses[condition], table.predictions[condition]
    labelled = table.labels != NO_LABEL
    answered = labelled & (status == ANSWERED)
    correct = answered & (prediction == table.labels)
    resolved = table.states != UNRESOLVED_CODE
    sufficient = (table.states == POS) | (table.states == NEG)
    direction = (table.states == POS).astype(int)
    columns = (
        labelled, correct, correct & resolved & ~sufficient, correct & sufficient & (direction != prediction),
        labelled & (status != FAILED) & ~resolved, correct & ~resolved, answered, labelled & (status == ABSTAINED),
        labelled & (status == FAILED))
    return np.stack(columns, axis=1).astype(float)


def rates(counts: Floats) -> dict[str, Floats]:
    """The rates of rows of `COUNTS` (B, 9), each (B,), nan where nothing can be divided by."""
    c = dict(zip(COUNTS, counts.T, strict=True))
    wrong = c["U"] + c["D"]

    def share(top: Floats, bottom: Floats) -> Floats:
        return np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0)

    return {
        "ucr": share(wrong, c["N"] - c["R"]), "ucr_planned": share(wrong, c["N"]),
        "hit_caliber": share(wrong, c["C"] - c["R_c"]), "abstention": share(c["abstained"], c["N"]),
        "failure": share(c["failed"], c["N"]), "coverage": share(c["answered"], c["N"]),
        "accuracy": share(c["C"], c["answered"]),
    }


def count(table: AuditTable, condition: Condition, chosen: Bools | None = None) -> Counts:
    """The counts of a condition, over the chosen cells if a mask (n,) is given."""
    rows = indicators(table, condition)
    here = np.ones(len(table), dtype=bool) if chosen is None else chosen
    sums = rows[here].sum(axis=0).astype(int)
    return Counts(*(int(one) for one in sums), int((table.labels[here] == NO_LABEL).sum()))


@dataclass(frozen=True, slots=True, eq=False)
class Resampling:
    """Draws of participants, the same for everything that is computed from them, so that differences are paired.

    weights: (B, P), how often each participant counts in each draw. clusters: (n,), the participant of each cell.
    """

    weights: Floats
    clusters: npt.NDArray[np.int64]

    @classmethod
    def once(cls, table: AuditTable) -> Resampling:
        """Every participant once: the figures themselves."""
        return cls(np.ones((1, int(table.clusters.max()) + 1)), table.clusters)

    @classmethod
    def of(cls, table: AuditTable, replicates: int, seed: int = 0, *, by_source: bool = False) -> Resampling:
        """Draws as many participants as there are, with replacement, within their source if asked.

        Raises :class:`AuditError` for no replicate or too many.
        """
        if not isinstance(replicates, int) or not 1 <= replicates <= MOST:
            raise AuditError(where="bootstrap", expected=f"replicates from 1 to {MOST}")
        if not isinstance(seed, int) or seed < 0:
            raise AuditError(where="bootstrap", expected="a seed of 0 or more")
        rng = np.random.default_rng(seed)
        people = int(table.clusters.max()) + 1
        home = np.zeros(people, dtype=np.int64)
        if by_source:
            home[table.clusters] = table.sources
        present = np.zeros(people, dtype=bool)
        present[table.clusters] = True
        weights = np.zeros((replicates, people))
        for stratum in np.unique(home[present]):
            members = np.flatnonzero(present & (home == stratum))
            weights[:, members] = rng.multinomial(len(members), np.full(len(members), 1 / len(members)), replicates)
        return cls(weights, table.clusters)

    def sums(self, rows: Floats) -> Floats:
        """Sums of rows (n, m) over the cells of each draw, (B, m)."""
        people = self.weights.shape[1]
        of_people = [np.bincount(self.clusters, column, minlength=people) for column in rows.T]
        return self.weights @ np.stack(of_people, axis=1)

    def share(self, top: Floats, bottom: Floats) -> Floats:
        """The sum of one (n,) by that of another in each draw, (B,), nan where there is nothing to divide by."""
        return self.shares(top[:, None], bottom)[:, 0]

    def shares(self, tops: Floats, bottom: Floats) -> Floats:
        """The sums of several (n, m) by that of one (n,) in each draw, (B, m)."""
        sums = self.sums(np.column_stack([tops, bottom]))
        below = sums[:, -1:]
        return np.divide(sums[:, :-1], below, out=np.full((len(sums), tops.shape[1]), np.nan), where=below > 0)

    def counts(self, table: AuditTable, condition: Condition, chosen: Bools | None = None) -> Floats:
        """`COUNTS` of each draw, (B, 9)."""
        rows = indicators(table, condition)
        if chosen is not None:
            rows = rows * chosen[:, None]
        return self.sums(rows)


def interval(values: Floats) -> list[float] | None:
    """95% percentile interval of the draws where there is a value; None if fewer than half have one."""
    good = values[~np.isnan(values)]
    if not len(good) or len(good) < len(values) / 2:
        return None
    low, high = np.percentile(good, LEVEL)
    return [float(low), float(high)]


def condition_row(
    table: AuditTable, condition: Condition, draws: Resampling | None = None, chosen: Bools | None = None,
) -> dict[str, Any]:
    """One object of the interface's `conditions`."""
    counts = count(table, condition, chosen)
    figures = counts.figures
    drawn = None if draws is None else rates(draws.counts(table, condition, chosen))
    bounds = counts.bounds
    return {
        "model": condition[0], "method": condition[1],
        **{name: getattr(counts, name) for name in ("N", "C", "U", "D", "R", "R_c", "no_label", "answered", "abstained",
                                                    "failed")},
        "ucr": figures["ucr"], "ucr_ci": None if drawn is None else interval(drawn["ucr"]),
        "ucr_planned": figures["ucr_planned"], "ucr_bounds": None if bounds is None else list(bounds),
        "hit_caliber": figures["hit_caliber"],
        "hit_caliber_ci": None if drawn is None else interval(drawn["hit_caliber"]),
        **{name: figures[name] for name in ("abstention", "failure", "coverage", "accuracy")},
    }


STRATA = ("source", "language", "dimension", "label")


def strata_rows(
    table: AuditTable, draws: Resampling | None = None, names: Sequence[str] = STRATA,
) -> list[dict[str, Any]]:
    """The same by stratum: one object a condition and level, with `stratum` and `level`."""
    rows = []
    for name in names:
        values = np.array(table.strata[name], dtype=object)
        for level in dict.fromkeys(table.strata[name]):
            if name == "label" and level == "none":
                continue
            for condition in table.statuses:
                rows.append({"stratum": name, "level": level}
                            | condition_row(table, condition, draws, np.asarray(values == level, dtype=bool)))
    return rows


def difference(
    table: AuditTable, draws: Resampling | None, figure: Callable[[Mapping[str, Floats]], Floats],
    one: tuple[Condition, Bools | None], other: tuple[Condition, Bools | None],
) -> dict[str, Any]:
    """A figure of one condition (or of some of its cells) minus that of another, with the interval of the difference
    over the same draws of participants."""
    once = Resampling.once(table)

    def of(part: tuple[Condition, Bools | None], resampling: Resampling) -> Floats:
        return figure(rates(resampling.counts(table, *part)))

    value = float((of(one, once) - of(other, once))[0])
    drawn = None if draws is None else interval(of(one, draws) - of(other, draws))
    return {"difference": None if np.isnan(value) else value, "ci": drawn}
