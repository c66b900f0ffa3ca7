"""The model audit: its figures as one JSON object, and as tables for a terminal (the paper's table 3 and sections 4.1
to 4.3)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..audit import (
    AuditTable,
    Resampling,
    by_reference,
    condition_row,
    confusion,
    contrasts,
    gap_tables,
    jointly_correct,
    label_gaps,
    not_sufficient_share,
    random_errors,
    reference_table,
    risk_coverage,
    scale_errors,
    strata_rows,
    with_errors,
)
from ..contract import Dialogue, Reference
from .tables import SHORT, plain_table


@dataclass(frozen=True, slots=True)
class Settings:
    """replicates: draws of participants, 0 for no intervals. by_source: within their source. rates: of the errors of
    the reference that are simulated. simulations: draws of such errors."""

    replicates: int = 2000
    seed: int = 0
    by_source: bool = False
    rates: tuple[float, ...] = (0.10, 0.13)
    simulations: int = 500


def audit_report(
    table: AuditTable, settings: Settings | None = None, *, others: Mapping[str, Sequence[Reference]] | None = None,
    checked: Sequence[Reference] | None = None,
) -> dict[str, Any]:
    """Everything about an audit. others: further references by name. checked: states that people gave to some cells;
    how they confuse with the reference's is then simulated for all."""
    settings = settings or Settings()
    draws = (Resampling.of(table, settings.replicates, settings.seed, by_source=settings.by_source)
             if settings.replicates else None)
    errors: dict[str, Any] = {}
    for rate in settings.rates:
        errors[f"random {rate:g}"] = with_errors(table, random_errors(rate), settings.simulations, settings.seed)
        errors[f"absent to sufficient {rate:g}"] = with_errors(table, scale_errors(rate), settings.simulations,
                                                               settings.seed)
    if checked:
        errors["as checked"] = with_errors(table, confusion(table, checked), settings.simulations, settings.seed)
    return {
        "reference": table.reference, "planned": len(table), "no_reference": table.no_reference,
        "missing": [{"model": model, "method": method, "cells": n}
                    for (model, method), n in table.missing.items() if n],
        "conditions": [condition_row(table, condition, draws) for condition in table.statuses],
        "strata": strata_rows(table, draws), "label_gaps": label_gaps(table, draws),
        "jointly_correct": jointly_correct(table), "contrasts": contrasts(table, draws),
        "risk_coverage": risk_coverage(table, draws), "not_sufficient_share": not_sufficient_share(table),
        "references": by_reference(table, others) if others else None, "errors": errors,
        "settings": {"replicates": settings.replicates, "seed": settings.seed, "by_source": settings.by_source,
                     "simulations": settings.simulations},
    }


def gap_report(
    reference: Iterable[Reference], dialogues: Iterable[Dialogue], replicates: int = 2000, seed: int = 0,
) -> dict[str, Any]:
    """How much evidence the dialogues hold by a reference (see `audit.gap_tables`)."""
    return gap_tables(reference_table(reference, dialogues), replicates, seed)


def audit_view(found: Mapping[str, Any]) -> list[RenderableType]:
    """The tables, in order."""
    notes = [f"{row['model']} {row['method']}: {row['cells']} planned cells without a prediction, counted as failed"
             for row in found["missing"]]
    if found["no_reference"]:
        notes.append(f"{found['no_reference']} planned cells that the reference lacks, counted as unresolved")
    share = found["not_sufficient_share"]
    if share is not None:
        notes.append(f"{share:.1%} of the labelled cells that the reference resolves lack sufficient evidence. A hit "
                     "caliber near it says that a model's hits lie anywhere, not that it used evidence or ignored it.")
    tables = [_counts(found), _rates(found), *map(Text, notes), _coverage(found["risk_coverage"]),
              _labels(found["label_gaps"])]
    for key, make in (("jointly_correct", _joint), ("contrasts", _contrasts), ("references", _references),
                      ("errors", _errors)):
        if found[key]:
            tables.append(make(found[key]))
    return [part for table in tables for part in (table, Text())][:-1]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _with(value: float | None, ends: Sequence[float] | None) -> str:
    return _share(value) + ("" if ends is None else f" [{ends[0]:.2f}, {ends[1]:.2f}]")


_COUNTS = ("N", "no_label", "answered", "abstained", "failed", "C", "U", "D", "R", "R_c")


def _counts(found: Mapping[str, Any]) -> Table:
    table = plain_table(f"Predictions on {found['planned']} planned cells, by the reference {found['reference']}",
                        "model", "method", *_COUNTS, left=2)
    for row in found["conditions"]:
        table.add_row(row["model"], row["method"], *(str(row[name]) for name in _COUNTS))
    return table


def _rates(found: Mapping[str, Any]) -> Table:
    table = plain_table("Unsupported-correct rate (95%, participants resampled)", "model", "method", "UCR", "bounds",
                        "hit caliber", "accuracy", "abstained", "failed", "coverage", left=2)
    for row in found["conditions"]:
        bounds = row["ucr_bounds"]
        table.add_row(row["model"], row["method"], _with(row["ucr"], row["ucr_ci"]),
                      "-" if bounds is None else f"{bounds[0]:.3f}-{bounds[1]:.3f}",
                      _with(row["hit_caliber"], row["hit_caliber_ci"]), _share(row["accuracy"]),
                      _share(row["abstention"]), _share(row["failure"]), _share(row["coverage"]))
    return table


def _coverage(rows: Sequence[Mapping[str, Any]]) -> Table:
    table = plain_table("UCR against coverage, beside the widest method abstaining at random down to there", "model",
                        "method", "coverage", "UCR", "at random", "difference", "hit caliber", left=2)
    for row in rows:
        table.add_row(row["model"], row["method"], *(_share(row[name]) for name in ("coverage", "ucr", "at_random")),
                      _with(row["excess"], row["excess_ci"]), _share(row["hit_caliber"]))
    return table


def _labels(rows: Sequence[Mapping[str, Any]]) -> Table:
    table = plain_table("UCR by label", "model", "method", "positive", "negative", "positive - negative", left=2)
    for row in rows:
        ucr = row["ucr"]
        table.add_row(row["model"], row["method"], _share(ucr["positive"]), _share(ucr["negative"]),
                      _with(ucr["difference"], ucr["ci"]))
    return table


def _joint(rows: Sequence[Mapping[str, Any]]) -> Table:
    table = plain_table("Cells that all models get right, and that any gets right, by their evidence", "method", "set",
                        "cells", "sufficient for it", "not sufficient", "sufficient against it", "unresolved", left=2)
    for row in rows:
        for name in ("intersection", "union"):
            part = row[name]
            table.add_row(row["method"], name, *(str(part[key]) for key in (
                "cells", "sufficient", "not_sufficient", "opposite", "unresolved")))
    return table


def _contrasts(rows: Sequence[Mapping[str, Any]]) -> Table:
    table = plain_table("Paired contrasts (first minus second, same draws of participants)", "first", "second", "UCR",
                        "hit caliber", left=2)
    for row in rows:
        table.add_row(" ".join(row["one"]), " ".join(row["other"]),
                      *(_with(row[name]["difference"], row[name]["ci"]) for name in ("ucr", "hit_caliber")))
    return table


def _references(rows: Sequence[Mapping[str, Any]]) -> Table:
    names = [name for name in rows[0]["ucr"] if name != "largest_change"]
    table = plain_table("UCR under each reference", "model", "method", *names, "largest change", left=2)
    for row in rows:
        table.add_row(row["model"], row["method"], *(_share(row["ucr"][name]) for name in (*names, "largest_change")))
    return table


def _errors(errors: Mapping[str, Sequence[Mapping[str, Any]]]) -> Table:
    table = plain_table("UCR if the reference were wrong: mean and 95% range over simulated errors", "model", "method",
                        *errors, left=2)
    for rows in zip(*errors.values(), strict=True):
        table.add_row(rows[0]["model"], rows[0]["method"],
                      *(_with(row["ucr"]["mean"], row["ucr"]["range"]) for row in rows))
    return table


def gap_view(found: Mapping[str, Any]) -> list[RenderableType]:
    """Shares of states by stratum, mean scores, and the difference between labels."""
    table = plain_table(f"How much evidence {found['cells']} cells hold, by the reference {found['reference']}", "", "",
                        "cells", *SHORT.values(), "not sufficient (95%)", "within sources", left=2)
    for row in found["rows"]:
        lacking = row["not_sufficient"]
        table.add_row(row["stratum"], row["level"] or "-", str(row["n"]),
                      *(f"{row['shares'][state]:.1%}" for state in SHORT),
                      _percent(lacking["share"], lacking["ci"]), _percent(None, lacking["ci_by_source"]))
    scores = plain_table("Mean native score by state", *(SHORT[state] for state in found["mean_score"]), left=0)
    scores.add_row(*(_share(value) for value in found["mean_score"].values()))
    gap = found["positive_minus_negative"]
    words = "Not sufficient, positive minus negative labels: "
    words += "-" if gap["difference"] is None else (
        f"{gap['difference']:+.1%}" + ("" if gap["ci"] is None else f" [{gap['ci'][0]:+.1%}, {gap['ci'][1]:+.1%}]"))
    return [table, Text(), scores, Text(), Text(words)]


def _percent(value: float | None, ends: Sequence[float] | None) -> str:
    head = "" if value is None else f"{value:.1%} "
    return head + ("" if ends is None else f"[{ends[0]:.1%}, {ends[1]:.1%}]")
