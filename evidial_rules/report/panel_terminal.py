"""A panel's psychometrics for a terminal."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..contract import STATES
from ..panel import CAVEAT
from ..panel.agreement import COEFFICIENTS
from ..panel.mtmm import BLOCKS
from .tables import plain_table
from .terminal import SHORT
from .trace import visible

Row = Mapping[str, Any]


def panel_view(report: Row) -> list[RenderableType]:
    """The tables of a :func:`~evidial_rules.report.panel.panel_report`, in order, with what to keep in mind."""
    parts: list[RenderableType] = [
        Text(f"{report['cells']} cells, {report['voted']} with a vote; {report['participants']} participants"),
        _raters(report["raters"]), *_validity(report["raters"]["validity"]),
        _agreement(report["agreement"]), _pairs(report["agreement"]),
        *_dependence(report["dependence"]), *_generalizability(report["generalizability"]),
        *_severity(report["severity"]), _mtmm(report["mtmm"])]
    if "aggregation" in report:
        parts += [_methods(report["aggregation"]), _comparisons(report["aggregation"]),
                  _without(report["without_rater"]), _fit(report["model_fit"])]
        parts += _notes(_warned(report))
    if "anchors" in report:
        parts += list(_anchors(report["anchors"]))
    return [*parts, Text(report["note"]), Text(CAVEAT)]


def _warned(report: Row) -> Iterator[str]:
    """What is to be said of each method, and of the fits without a rater."""
    for row in report["aggregation"]["methods"]:
        if "why" in row:
            yield f"{row['method']}: {row['why']}"
        for words in row.get("warnings", ()):
            yield f"{row['method']}: {words}"
    for method, row in report["without_rater"].items():
        for one in row["raters"] or ():
            if "why" in one:
                yield f"{method} without {one['rater']}: {one['why']}"


def _said(words: str) -> Text:
    return Text(visible(words))


def _notes(lines: Iterable[str]) -> Iterator[Text]:
    """The lines as one text, if there are any."""
    held = list(lines)
    if held:
        yield Text("\n".join(map(visible, held)))


def _figure(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _estimate(one: Row) -> str:
    interval = "" if one["ci"] is None else " [{:.3f}, {:.3f}]".format(*one["ci"])
    return _figure(one["value"]) + interval


def _raters(part: Row) -> Table:
    languages = list(part["raters"][0]["by_language"]) if part["raters"] else []
    table = plain_table("Raters (votes; invalid votes; no vote; share of each state among the votes)", "rater", "votes",
                        "invalid", "none", *(f"{name}: votes of cells" for name in languages), *SHORT.values())
    for row in part["raters"]:
        blocks = (row["by_language"][name] for name in languages)
        shares = (_share(row["states"][state] / row["votes"] if row["votes"] else None) for state in STATES)
        table.add_row(visible(row["rater"]), *(str(row[key]) for key in ("votes", "invalid", "none")),
                      *(f"{block['votes']}/{block['cells']}" for block in blocks), *shares)
    return table


def _validity(rows: Iterable[Row]) -> Iterator[Table]:
    """Raters with answers that are not valid, and those whose own states are not those of their frames."""
    told = [row for row in rows if row["votes"] > row["valid"] or row["stated"]]
    if not told:
        return
    table = plain_table("Validity of answers (left out where under the gate)", "rater", "language", "answers", "valid",
                        "gate", "left out", "contradict their frames", "of stated", left=2)
    for row in told:
        table.add_row(visible(row["rater"]), row["language"], str(row["answers"]), _share(row["share"]),
                      f"{row['threshold']:.0%}", "yes" if row["left_out"] else "-", str(row["contradictions"]),
                      str(row["stated"]))
    yield table


def _agreement(part: Row) -> Table:
    table = plain_table("Agreement (95% intervals resample participants)", "coefficient", "cells", "states",
                        "assessability: any state but ABSENT")
    for name in COEFFICIENTS:
        state, yes = (part[key]["all"]["coefficients"][name] for key in ("state", "assessability"))
        table.add_row(name, str(state["n"]), _estimate(state), _estimate(yes))
    for block in part["state"]:
        if block != "all":
            found = [part[key][block]["coefficients"]["fleiss"] for key in ("state", "assessability")]
            table.add_row(_said(f"fleiss, {block}"), str(found[0]["n"]), *map(_estimate, found))
    return table


def _pairs(part: Row) -> Table:
    table = plain_table("Pairs of raters", "pair", "cells", "percent", "Cohen's kappa", "assessability: kappa")
    for pair, yes in zip(part["state"]["all"]["pairs"], part["assessability"]["all"]["pairs"], strict=True):
        table.add_row(_said(" - ".join(pair["raters"])), str(pair["cohen"]["n"]), _share(pair["percent"]["value"]),
                      _estimate(pair["cohen"]), _estimate(yes["cohen"]))
    both = part["with_rules"]
    if both["cohen_with"] is not None:
        table.add_row("mean with the rule judge", "", "", _figure(both["cohen_with"]))
        table.add_row("mean among the others", "", "", _figure(both["cohen_among_others"]))
    return table


def _dependence(part: Row) -> Iterator[RenderableType]:
    table = plain_table("Dependence of the raw votes", "votes on", "cells", "raters", "participation ratio",
                        "top share", "fewest cells of a pair", left=2)
    notes = []
    for name, blocks in part.items():
        for block, row in blocks.items():
            table.add_row(name, _said(block), str(len(row["raters"])), _estimate(row["participation_ratio"]),
                          _estimate(row["top_share"]), str(row["fewest_cells"]))
            notes += [f"{name}, {block}: {rater} is left out, {why}" for rater, why in row["left_out"].items()]
            if row["indefinite"]:
                notes.append(f"{name}, {block}: the pairwise correlations fit no common votes (a negative eigenvalue)")
    yield table
    yield from _notes(notes)


def _generalizability(part: Row) -> Iterator[RenderableType]:
    table = plain_table("Generalizability: variance components of (cell : participant) x rater", "measure", "cells",
                        "participant", "cell", "rater", "residual", "E rho2 (raters)", "Phi (raters)")
    notes = [f"generalizability of {name}: {row['why']}" for name, row in part.items() if "why" in row]
    for name, row in part.items():
        if "components" not in row:
            continue
        found = [row["components"][key] for key in ("participant", "unit", "protocol", "residual")]
        study = row["decision_study"]
        shown = [one for one in study if one["raters"] in (1, len(row["raters"]), len(study))]
        table.add_row(name, str(row["cells"]), *("-" if one is None else f"{one['raw']:.4f}" for one in found),
                      *("\n".join(f"{_figure(one[key])} ({one['raters']})" for one in shown)
                        for key in ("relative", "absolute")))
    if table.row_count:
        yield table
    yield from _notes(notes)


def _severity(part: Row) -> Iterator[RenderableType]:
    table = plain_table("Severity by the Rasch model (odds of a yes)", "measure", "rater", "beta", "s.e.", "odds",
                        left=2)
    notes = []
    for row in part["measures"]:
        name, model = row["measure"], row["model"]
        for rater in model["raters"] if model else ():
            table.add_row(name, visible(rater["rater"]), _figure(rater["severity"]), _figure(rater["standard_error"]),
                          _figure(rater["multiplier"]))
        if model:
            notes.append(f"{name}: {model['informative']} of {model['cells']} cells tell raters apart; "
                         f"equal severities {_test(model['homogeneity'])}; halves alike (Andersen) "
                         f"{_test(model['andersen'])}")
        else:
            notes.append(f"{name}: {row['why']}")
        for why in dict.fromkeys(row["left_out"].values()):
            raters = [rater for rater, reason in row["left_out"].items() if reason == why]
            notes.append(f"{name}: left out {', '.join(raters)}: {why}")
    if table.row_count:
        yield table
    yield from _notes(notes)
    names = list(part["plurality"])
    calls = plain_table("Plurality, and severities taken out (many-facet Rasch), in four categories", "", *names)
    for name in ("plurality", "model"):
        calls.add_row(name, *(str(part[name][key]) for key in names))
    ties = part["ties"]
    calls.add_row(f"{ties['n']} ties become", *(str(ties["assigned"][key]) for key in names))
    yield calls
    yield _said(f"{part['changed']} cells that are no ties change")


def _test(test: Row) -> str:
    if test["statistic"] is None:
        return f"not tested ({test['why']})"
    p = f"p {test['p']:.3g}" if test["p"] else f"log10 p {test['log10_p']:.0f}"
    return f"LR {test['statistic']:.2f}, df {test['df']}, {p}"


def _mtmm(part: Row) -> Table:
    table = plain_table("Traits (dimensions) and methods (raters): mean correlations of participants' assessability",
                        "cells", "scores", "participants", *BLOCKS.values(), "ratio", left=2)
    for block, forms in part.items():
        for form, row in forms.items():
            if "blocks" not in row:
                table.add_row(_said(block), form, "-", "-", "-", "-", "-")
                continue
            means = (f"{_figure(one['mean'])} ({one['defined']}/{one['pairs']})" for one in row["blocks"].values())
            table.add_row(_said(block), form, str(row["participants"]), *means, _figure(row["ratio"], 2))
    return table


def _methods(part: Row) -> Table:
    table = plain_table("References", "method", "resolved", *SHORT.values(), "unresolved", "AIC", "sigma")
    for row in part["methods"]:
        if row["states"] is None:
            table.add_row(row["method"], *["-"] * (len(STATES) + 4))
        else:
            table.add_row(row["method"], _share(row["resolved"]), *(str(n) for n in row["states"].values()),
                          str(row["unresolved"]), _figure(row.get("aic"), 1), _figure(row.get("sigma")))
    return table


def _comparisons(part: Row) -> Table:
    table = plain_table("References cell by cell", "pair", "resolved by both", "differ", "agreement",
                        "by the first only", "by the second only")
    for row in part["comparisons"]:
        table.add_row(f"{row['a']} - {row['b']}", str(row["both"]), str(row["changed"]), _share(row["agreement"]),
                      str(row["only_a"]), str(row["only_b"]))
    return table


def _without(part: Row) -> Table:
    table = plain_table("References without a rater, against those with all", "method", "without", "with its vote only",
                        "resolved by both", "differ", "resolved before", "after", left=2)
    for method, row in part.items():
        for one in row["raters"] or ():
            found = one["comparison"]
            figures = ["-"] * 4 if found is None else [
                str(found["both"]), str(found["changed"]), _share(found["coverage"]["a"]),
                _share(found["coverage"]["b"])]
            table.add_row(method, visible(one["rater"]), str(one["sole_votes"]), *figures)
    return table


def _fit(part: Row) -> Table:
    table = plain_table("Votes simulated from the fitted models against ours, by source and dimension", "method",
                        "strata", "fail at .05", "which (p)")
    for method, row in part.items():
        if not row.get("strata"):
            table.add_row(method, "-", "-", _said(row.get("why", "")))
            continue
        p = {one["stratum"]: one["p"] for one in row["strata"]}
        table.add_row(method, str(row["tested"]), str(len(row["failed"])),
                      _said(", ".join(f"{name} ({p[name]:.3f})" for name in row["failed"]) or "-"))
    return table


def _anchors(part: Row) -> Iterator[RenderableType]:
    table = plain_table(f"References on {part['voted']} of {part['anchors']} anchors (those with a vote; "
                        f"{part['single_vote']} have one only)",
                        "method", "hits", "rate", "resolved", "rate of resolved")
    for row in part["methods"]:
        if row["hits"] is None:
            table.add_row(row["method"], "-", "-", "-", "-")
        else:
            table.add_row(row["method"], str(row["hits"]), _share(row["rate"]), str(row["resolved"]),
                          _share(row["rate_of_resolved"]))
    yield table
    tests = plain_table("McNemar on the anchors", "pair", "right by the first only", "by the second only", "chi2", "p",
                        "exact p")
    for row in part["mcnemar"]:
        tests.add_row(f"{row['a']} - {row['b']}", str(row["only_a"]), str(row["only_b"]), _figure(row["statistic"], 2),
                      _p(row["p"]), _p(row["exact_p"]))
    yield tests
    fewer = plain_table("The same without a rater", "method", "without", "hits", "right with it only",
                        "without it only", "chi2", "p", "exact p", left=2)
    for row in part["without_rater"]:
        fewer.add_row(row["method"], visible(row["rater"]), str(row["hits"]), str(row["only_a"]), str(row["only_b"]),
                      _figure(row["statistic"], 2), _p(row["p"]), _p(row["exact_p"]))
    if fewer.row_count:
        yield fewer
    yield from _notes(part[key] for key in ("note", "why") if key in part)
