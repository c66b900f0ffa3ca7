"""The same without files: pandas in, pandas out.

    >>> import evidial_rules.tabular as tabular
    >>> votes = pd.DataFrame({"dialogue_id": ["d"] * 3, "dimension": ["sleep"] * 3, "rater": ["a", "b", "c"],
    ...                       "state": ["PARTIAL", "PARTIAL", "ABSENT"]})
    >>> tabular.fuse(votes)[["dialogue_id", "dimension", "state", "raters"]].values.tolist()
    [['d', 'sleep', 'PARTIAL', 3]]
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from .contract import DIMENSIONS, STATES, Dialogue, PlannedCell, Prediction, Reference, Vote
from .errors import EvidialError, shown

if TYPE_CHECKING:
    from .fusion import Options


class TabularError(EvidialError):
    """A frame without a column that is needed."""

    code = "E461"
    template = "{where}: expected {expected}"


def annotate(dialogues: Iterable[Dialogue | Mapping[str, Any]] | pd.DataFrame) -> pd.DataFrame:
    """The rule judge's cells, one a row: dialogue_id, dimension, state, k (a tuple), frames (how many were found), kept
    (how many count), ruleset.

    dialogues: `Dialogue` values, mappings in the canonical form, or a frame with its keys as columns. Raises an
    :class:`~evidial_rules.errors.EvidialError` for one that is no dialogue.
    """
    from .pipeline.annotator import Annotator

    annotator = Annotator()
    rows = []
    for dialogue in _dialogues(dialogues):
        for cell in annotator.cells(dialogue):
            rows.append({"dialogue_id": cell.dialogue_id, "dimension": cell.dimension, "state": cell.state, "k": cell.k,
                         "frames": len(cell.frames), "kept": sum(bound.kept for bound in cell.frames),
                         "ruleset": None if cell.ruleset is None else cell.ruleset["version"]})
    return pd.DataFrame(rows, columns=["dialogue_id", "dimension", "state", "k", "frames", "kept", "ruleset"])


def _dialogues(dialogues: Iterable[Dialogue | Mapping[str, Any]] | pd.DataFrame) -> Iterable[Dialogue]:
    rows = _rows(dialogues) if isinstance(dialogues, pd.DataFrame) else dialogues
    for one in rows:
        yield one if isinstance(one, Dialogue) else Dialogue.from_dict(one)


def fuse(
    votes: pd.DataFrame, method: str = "plurality", *,
    dialogues: Iterable[Dialogue | Mapping[str, Any]] | pd.DataFrame | None = None, options: Options | None = None,
) -> pd.DataFrame:
    """A reference: dialogue_id, dimension, state, method, one column of posterior a state (`p_ABSENT`, ...), entropy,
    raters. What a latent class model says of its fit is in the frame's `attrs["fit"]`, warnings in `attrs["warnings"]`.

    votes: columns dialogue_id, dimension, rater, state (missing: an invalid vote). Raises an
    :class:`~evidial_rules.errors.EvidialError` for votes that cannot be fused.
    """
    from .corpora import vote_table
    from .fusion import fuse as fuse_votes

    _need(votes, "votes", "dialogue_id", "dimension", "rater", "state")
    given = [Vote.from_dict({"valid": row.get("state") is not None} | row, where="votes") for row in _rows(votes)]
    seen: set[tuple[str, str, str]] = set()
    for vote in given:
        key = (vote.dialogue_id, vote.dimension, vote.rater)
        if key in seen:
            raise TabularError(where="votes", expected=f"one vote of a rater on {shown(key[0])} {key[1]}")
        seen.add(key)
    fused = fuse_votes(vote_table(given, None if dialogues is None else _dialogues(dialogues)), method, options)
    frame = pd.DataFrame([
        {"dialogue_id": one.dialogue_id, "dimension": one.dimension, "state": one.state, "method": one.method}
        | {f"p_{state}": one.posterior[state] for state in STATES} | {"entropy": one.entropy, "raters": one.raters}
        for one in fused.references()])
    frame.attrs["fit"] = None if fused.result is None else fused.result.to_dict(fused.table.raters)
    frame.attrs["warnings"] = list(fused.warnings)
    return frame


def score(
    predictions: pd.DataFrame, reference: pd.DataFrame, labels: pd.DataFrame, *, plan: pd.DataFrame | None = None,
    replicates: int = 2000, seed: int = 0, by_source: bool = False,
) -> pd.DataFrame:
    """The unsupported-correct rate and its company, one row a model and method, columns as in `evidial score`'s
    `conditions`. Everything else that `evidial score` computes is in `attrs["report"]`.

    predictions: dialogue_id, dimension, model, method, prediction (1, 0 or missing) and, if not every missing one is
    an abstention, status. reference: dialogue_id, dimension, state; method if there is one. labels: dialogue_id,
    dimension, score (the native one; missing: no label) and, for resampling, participant_id and source.

    Raises an :class:`~evidial_rules.errors.EvidialError` for frames that do not belong together.
    """
    from .audit import Labelled, audit_table
    from .report.audit import Settings, audit_report

    _need(predictions, "predictions", "dialogue_id", "dimension", "model", "method", "prediction")
    _need(reference, "reference", "dialogue_id", "dimension", "state")
    _need(labels, "labels", "dialogue_id", "dimension", "score")
    given = []
    for row in _rows(predictions):
        status = row.get("status") or ("abstained" if row.get("prediction") is None else "answered")
        given.append(Prediction.from_dict(row | {"status": status}, where="predictions"))
    lines = [Reference.from_dict({"method": "reference"} | {key: row[key] for key in (
        "dialogue_id", "dimension", "state", "method") if row.get(key) is not None}, where="reference")
        for row in _rows(reference)]
    scores: dict[str, dict[str, float | None]] = {}
    about: dict[str, dict[str, Any]] = {}
    for row in _rows(labels):
        if row.get("dimension") not in DIMENSIONS:
            raise TabularError(where="labels", expected=f"dimensions out of {', '.join(DIMENSIONS)}, found "
                                                        f"{shown(row.get('dimension'))}")
        scores.setdefault(row["dialogue_id"], {})[row["dimension"]] = row.get("score")
        about[row["dialogue_id"]] = row
    people = [Labelled(name, held, about[name].get("participant_id"), about[name].get("source"),
                       about[name].get("language") or "") for name, held in scores.items()]
    cells = None if plan is None else [PlannedCell.from_dict(row, where="plan") for row in _rows(plan)]
    found = audit_report(audit_table(given, lines, people, cells), Settings(replicates, seed, by_source))
    frame = pd.DataFrame(found["conditions"])
    frame.attrs["report"] = found
    return frame


def _need(frame: pd.DataFrame, what: str, *columns: str) -> None:
    lacking: Sequence[str] = [name for name in columns if name not in frame.columns]
    if lacking:
        raise TabularError(where=what, expected=f"a column {lacking[0]}")


def _rows(frame: pd.DataFrame) -> Iterable[dict[str, Any]]:
    """The rows as plain objects; what pandas calls missing is None, and whole numbers are ints again."""
    for row in frame.to_dict("records"):
        yield {str(key): _plain(value) for key, value in row.items()}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, list, tuple, dict)):
        return value
    if pd.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value
