"""What is audited: predictions against a reference, and the chain of files behind a figure."""
from __future__ import annotations

from .company import (
    by_reference,
    confusion,
    contrasts,
    jointly_correct,
    label_gaps,
    not_sufficient_share,
    random_errors,
    risk_coverage,
    scale_errors,
    with_errors,
)
from .freeze import MANIFEST, FreezeError, Link, freeze, verify
from .gaps import gap_tables, reference_table
from .plan import plan_cells, split_of
from .rulebaseline import predictions_of_votes
from .table import AuditError, AuditTable, Condition, Labelled, audit_table, reference_codes
from .ucr import Counts, Resampling, condition_row, count, strata_rows

__all__ = [
    "MANIFEST", "AuditError", "AuditTable", "Condition", "Counts", "FreezeError", "Labelled", "Link", "Resampling",
    "audit_table", "by_reference", "condition_row", "confusion", "contrasts", "count", "freeze", "gap_tables",
    "jointly_correct", "label_gaps", "not_sufficient_share", "plan_cells", "predictions_of_votes", "random_errors",
    "reference_codes", "reference_table", "risk_coverage", "scale_errors", "split_of", "strata_rows", "verify",
    "with_errors",
]
