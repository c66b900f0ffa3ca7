"""The human validation as tables for a terminal (the paper's section 5 and figure 5)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..contract import STATES, UNRESOLVED
from .tables import SHORT, plain_table
from .trace import visible


def human_view(found: Mapping[str, Any]) -> list[RenderableType]:
    """The tables of `audit.human.human_report`, in order."""
    parts: list[RenderableType] = [Text(line) for line in _study(found["study"])]
    parts += [_agreement(found["agreement"]), *map(_confusion, found["agreement"]["confusions"]),
              Text(_quotes(found["agreement"]["quotes"]))]
    if found["anchors"] is not None:
        parts.append(_recovery(found["anchors"]["modes"]))
    if found["references"]:
        parts += [_references(found["references"]), _by_state(found["references"])]
    for one in found["rescoring"] or ():
        parts += [_rescoring(one), *map(Text, _changes(one))]
    out: list[RenderableType] = []
    for place, part in enumerate(parts):
        if place and not (isinstance(part, Text) and isinstance(parts[place - 1], Text)):
            out.append(Text())
        out.append(part)
    return out


def _study(study: Mapping[str, Any]) -> list[str]:
    total = study["cells"] + study["anchors"]
    rounds = [f"{one['annotator']} (round {one['round']}) {one['answered']}" for one in study["annotators"]]
    lines = [f"{study['cells']} cells and {study['anchors']} anchors; answers of {', '.join(rounds)} of {total} items",
             f"{study['differing']} items differ, {study['adjudicated']} of them adjudicated and {study['resolved']} "
             f"resolved; the consensus resolves {study['resolved_cells']} cells"]
    if study["unrepresented"]:
        lines.append(f"{study['unrepresented']} of the {study['pool']} cells to draw from are in strata of which none "
                     "was drawn: the agreement weighted by stratum does not speak for them")
    return lines


def _share(value: float | None, ends: Sequence[float] | None = None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" + ("" if ends is None else f" [{ends[0]:.2f}, {ends[1]:.2f}]")


def _estimate(one: Mapping[str, Any]) -> str:
    return _share(one["value"], one["ci"])


def _agreement(found: Mapping[str, Any]) -> Table:
    table = plain_table(f"Agreement of the annotators on {found['cells']} cells", "", "five states", "four states")
    levels = [found["five_states"], found["four_states"]]
    table.add_row("raw", *(_estimate(one["raw"]) for one in levels))
    for place, pair in enumerate(levels[0]["pairs"]):
        table.add_row(f"Cohen's kappa, {' and '.join(pair['raters'])}",
                      *(_estimate(one["pairs"][place]["cohen"]) for one in levels))
    table.add_row("Krippendorff's alpha", *(_estimate(one["krippendorff"]) for one in levels))
    return table


def _confusion(found: Mapping[str, Any]) -> Table:
    one, other = found["raters"]
    table = plain_table(f"{visible(one)} (rows) and {visible(other)} on {found['n']} cells", "",
                        *(SHORT[state] for state in STATES))
    for state, row in found["counts"].items():
        table.add_row(SHORT[state], *(str(row[name]) for name in STATES))
    return table


def _quotes(found: Mapping[str, Any]) -> str:
    return f"Of {found['pairs']} pairs of answers that both have quotes, {found['overlapping']} share some of the words"


def _recovery(modes: Sequence[Mapping[str, Any]]) -> Table:
    rows = [row for row in modes if row["language"] == "all"]
    raters = list(dict.fromkeys(row["rater"] for row in rows))
    table = plain_table("Anchors recovered (human: consensus)", "mode", *raters)
    for mode in dict.fromkeys(row["mode"] for row in rows):
        held = {row["rater"]: row for row in rows if row["mode"] == mode}
        if held[raters[0]]["n"]:
            table.add_row(mode, *(f"{held[name]['hits']}/{held[name]['n']} {_share(held[name]['rate'])}"
                                  for name in raters))
    return table


def _references(found: Sequence[Mapping[str, Any]]) -> Table:
    table = plain_table(f"Exact agreement with the human consensus on {found[0]['n']} resolved cells", "reference",
                        "both resolve", "agreement", "unresolved as wrong", "weighted by stratum")
    for one in found:
        table.add_row(one["reference"], str(one["both"]), *(
            _share(one[name], one[f"{name}_ci"]) for name in ("agreement", "agreement_planned", "weighted")))
    return table


def _by_state(found: Sequence[Mapping[str, Any]]) -> Table:
    table = plain_table("By human state: agreement (cells), and what the reference says", "reference", "human",
                        "agreement", *(SHORT[state] for state in (*STATES, UNRESOLVED)), left=2)
    for one in found:
        for row in one["by_state"]:
            counts = one["confusion"][row["state"]]
            if sum(counts.values()):
                table.add_row(one["reference"], SHORT[row["state"]],
                              f"{_share(row['agreement'], row['ci'])} ({row['n']})",
                              *(str(counts[state]) for state in (*STATES, UNRESOLVED)))
    return table


def _rescoring(found: Mapping[str, Any]) -> Table:
    name = visible(found["reference"])
    table = plain_table(f"The model audit by {name} and by people ({found['labelled']} labelled cells)", "model",
                        "method", "hit caliber", "human", "change", "UCR", "human", "change", left=2)
    for row in found["conditions"]:
        figures = [text for figure in ("hit_caliber", "ucr") for text in (
            _share(row[figure]["reference"]), _share(row[figure]["human"]),
            "-" if row[figure]["change"] is None else f"{row[figure]['change']:+.3f}")]
        table.add_row(row["model"], row["method"], *figures)
    return table


def _changes(found: Mapping[str, Any]) -> list[str]:
    lines = []
    if found["unresolved"]:
        lines.append(f"{found['unresolved']} of these {found['cells']} cells are unresolved in the reference")
    for figure, name in (("hit_caliber", "hit caliber"), ("ucr", "UCR")):
        one = found[figure]
        if one["conditions"]:
            lines.append(f"{name}: {one['human']:.1%} by people, {one['reference']:.1%} by the reference; absolute "
                         f"change {100 * one['mean_change']:.1f} points in the mean, {100 * one['max_change']:.1f} at "
                         f"most, over {one['conditions']} conditions")
    return lines
