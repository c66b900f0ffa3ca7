"""The tables of a report, out of what was measured: the paper's Tables 2 to 6, and those that its Figures 2 to 5 are
drawn from."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean, median
from typing import Any

from ...anchors import CLASSES, MODES
from ...audit.table import native_score
from ...contract import STATES, UNRESOLVED, Dialogue
from ...panel.dependence import CAVEAT
from ...panel.votes import Estimate
from ...resources import load_instrument
from ..anchors import GATE, verdict
from ..panel import BUILT_IN
from ..tables import SHORT
from .measures import RULES, Matched, Measures, Recovered, main_human
from .values import Column, Entry, Missing, Sheet, Value

Made = Sheet | Missing
DIRECT, SELECTIVE = ("B0", "B1"), ("B2", "M")
"""Methods of the paper's table 3, panels (a) and (b)."""


def _value(one: Estimate) -> Value:
    return Value(one.value, one.lower, one.upper)


def _missing(measures: Measures, part: str, key: str, title: str) -> Missing:
    return Missing(key, title, measures.needs.get(part, ("votes of two raters or more",)))


def _draws(measures: Measures, what: str = "participants") -> str:
    return f"95% intervals in brackets: percentiles over {measures.settings.replicates:,} draws of the {what}."


def _word(name: str) -> Column:
    return Column(name)


def _count(name: str) -> Column:
    return Column(name, "count")


def _plain(name: str) -> Column:
    """A figure that is given without an interval."""
    return Column(name, "figure", interval=False)


def _of_people(measures: Measures) -> str:
    """Whether the file says who took part."""
    return "" if measures.folder.dialogues is not None else \
        " Without dialogues.jsonl each dialogue counts as a participant."


# -- Votes and references ---------------------------------------------------------------------------------------------


def coverage(measures: Measures) -> Made:
    """Table 2: valid votes of each rater on the cells of each language."""
    key, title = "table-2", "Table 2. Votes of the panel"
    panel = measures.panel
    if panel is None:
        return _missing(measures, "panel", key, title)
    given = (panel.table.votes >= 0).sum(axis=1)
    spread = ", ".join(f"{int((given == n).sum()):,} cells with {n}" for n in range(int(given.max()) + 1))
    gone = tuple(f"Left out by the gate of valid answers ({measures.settings.gate:.0%}): {one.rater} in "
                 f"{one.language}, {one.valid:,} of {one.answers:,} valid." for one in panel.left_out)
    return Sheet(
        key, title, f"Valid votes over the {len(panel.table):,} cells of the pool, one visit a participant. "
                    f"{_draws(measures)}{_of_people(measures)}",
        (_word("rater"), _word("language"), _count("cells"), _count("votes"), _count("invalid"),
         Column("coverage", "percent")),
        tuple((one.rater, one.language, one.cells, one.votes, one.invalid, _value(one.coverage))
              for one in panel.shares),
        (f"Votes that the panel uses, by cell: {spread}.", *gone), measures.folder.simulated("votes"))


_STATES = (*STATES, UNRESOLVED)
_SHARES = tuple(Column(SHORT[state], "percent") for state in _STATES)
_LACKING = Column("not sufficient", "percent")


def _shares(row: Mapping[str, Any]) -> tuple[Value, ...]:
    """The shares of a row of `audit.gap_tables`."""
    return (*(Value.of(row["shares"][state], row["shares_ci"][state]) for state in _STATES),
            Value.of(row["not_sufficient"]["share"], row["not_sufficient"]["ci"]))


def _level(row: Mapping[str, Any]) -> str:
    return "all" if row["stratum"] == "all" else row["level"] or "-"


def _from_reference(measures: Measures, method: str) -> tuple[str, ...]:
    return measures.folder.simulated("reference") if method in measures.folder.references else ()


def references(measures: Measures) -> Made:
    """How many cells each reference resolves, and their states (sections 3.3 and 4.3)."""
    key, title = "table-2b", "Table 2, continued. Coverage of the references"
    if not measures.gaps:
        return _missing(measures, "gaps", key, title)
    rows = []
    for name, found in measures.gaps.items():
        row = next(one for one in found["rows"] if one["stratum"] == "all")
        resolved = row["n"] - row["states"][UNRESOLVED]
        rows.append((name if name in measures.folder.references else f"{name} (cells.jsonl)", row["n"], resolved,
                     *_shares(row)))
    return Sheet(
        key, title, f"States of each reference's cells. Not sufficient: absent, partial or conflicting, over all "
                    f"cells. {_draws(measures)}",
        (_word("reference"), _count("cells"), _count("resolved"), *_SHARES, _LACKING), tuple(rows),
        (), measures.folder.simulated("reference"))


def changes(measures: Measures) -> Made:
    """How many cells change between references (section 4.3)."""
    key, title = "references", "Changes between references"
    if not measures.changes:
        return _missing(measures, "changes", key, title)
    return Sheet(
        key, title, "Cells that two references both resolve, and those of them that they put in different states.",
        (_word("one"), _word("other"), _count("cells"), _count("resolved by both"), _count("changed"),
         Column("agreement", "percent", interval=False)),
        tuple((row["a"], row["b"], row["cells"], row["both"], row["changed"], Value(row["agreement"]))
              for row in measures.changes), (), measures.folder.simulated("reference"))


# -- How much evidence ------------------------------------------------------------------------------------------------


def by_source(measures: Measures) -> Made:
    """Figure 2: states by source."""
    return _strata(measures, "figure-2", "Figure 2. Evidence by source", "source", ("all", "source"), scores=False)


def by_dimension(measures: Measures) -> Made:
    """Figure 3: states over all cells and by dimension."""
    return _strata(measures, "figure-3", "Figure 3. Distribution of the evidence states", "dimension",
                   ("all", "dimension"), scores=False)


def by_label(measures: Measures) -> Made:
    """Section 4.1: states by native label."""
    found = _strata(measures, "labels", "Evidence by native label", "label", ("label",), scores=True)
    if isinstance(found, Missing) or not found.rows:
        return found if isinstance(found, Missing) else Missing(found.key, found.title,
                                                                ("native scores in dialogues.jsonl",))
    gaps = measures.gaps[_shown(measures)]
    gap, scores = gaps["positive_minus_negative"], gaps["mean_score"]
    difference = _LACKING.shown(Value.of(gap["difference"], gap["ci"]))
    means = ", ".join(f"{SHORT[state]} {value:.2f}" for state, value in scores.items() if value is not None)
    notes = (f"Not sufficient, positive minus negative labels: {difference}.",
             *([f"Mean native score by state: {means}."] if means else []))
    return Sheet(found.key, found.title, found.caption, found.columns, found.rows, notes, found.simulated)


def _shown(measures: Measures) -> str:
    """Whose states the figures show: those of the reference, or else of the rule judge."""
    return measures.main if measures.main in measures.gaps else RULES


def _strata(measures: Measures, key: str, title: str, head: str, strata: Sequence[str], *, scores: bool) -> Made:
    if not measures.gaps:
        return _missing(measures, "gaps", key, title)
    name = _shown(measures)
    rows = [row for row in measures.gaps[name]["rows"] if row["stratum"] in strata]
    whose = f"the reference {name}" if name in measures.folder.references else \
        "the rule judge's cells, since there is no reference.jsonl"
    simulated = _from_reference(measures, name) + (measures.folder.simulated("dialogues") if scores else ())
    return Sheet(
        key, title, f"Shares of the states of {measures.gaps[name]['cells']:,} cells by {whose}. {_draws(measures)}",
        (_word(head), _count("cells"), *_SHARES, _LACKING),
        tuple((_level(row), row["n"], *_shares(row)) for row in rows), (), tuple(dict.fromkeys(simulated)))


# -- The model audit --------------------------------------------------------------------------------------------------


def _audited(measures: Measures) -> tuple[str, ...]:
    return measures.folder.simulated("predictions", "reference", "plan", "dialogues")


_AUDIT = (_word("model"), _word("method"), _count("N"), _count("C"), _count("U"), _count("D"), _count("R"),
          Column("UCR", "figure"), _plain("UCR at least"), _plain("UCR at most"), Column("hit caliber", "figure"),
          _plain("abstained"), _plain("failed"), _plain("coverage"), _plain("accuracy"))


def _condition(row: Mapping[str, Any]) -> tuple[Entry, ...]:
    return (row["model"], row["method"], *(row[name] for name in ("N", "C", "U", "D", "R")),
            Value.of(row["ucr"], row["ucr_ci"]), *map(Value, row["ucr_bounds"] or (None, None)),
            Value.of(row["hit_caliber"], row["hit_caliber_ci"]),
            *(Value(row[name]) for name in ("abstention", "failure", "coverage", "accuracy")))


def audited(measures: Measures, part: str) -> Made:
    """Table 3, panel (a), direct prompting, or (b), selective and structured prompting, or what other methods there
    are ("other")."""
    names: Mapping[str, tuple[str, str, Callable[[str], bool]]] = {
        "a": ("table-3a", "Table 3 (a). Direct prompting (B0, B1)", lambda method: method in DIRECT),
        "b": ("table-3b", "Table 3 (b). Selective and structured prompting (B2, M)",
              lambda method: method in SELECTIVE),
        "other": ("table-3-other", "Table 3, other methods", lambda method: method not in DIRECT + SELECTIVE),
    }
    key, title, chosen = names[part]
    audit = measures.audit
    if audit is None:
        return _missing(measures, "audit", key, title)
    rows = [row for row in audit.figures["conditions"] if chosen(row["method"])]
    if not rows:
        return Missing(key, title, ("predictions by these methods in predictions.jsonl",))
    missing = sum(row["cells"] for row in audit.figures["missing"])
    share = audit.figures["not_sufficient_share"]
    notes = [f"{audit.figures[name]:,} {words}" for name, words in (
        ("no_reference", "planned cells that the reference lacks, counted as unresolved."),
        ("coded", "scores above what the instrument's items allow (a code): no label.")) if audit.figures[name]]
    if missing:
        notes.append(f"{missing:,} predictions of planned cells are missing and count as failed.")
    if share is not None:
        notes.append(f"{share:.1%} of the labelled cells that the reference resolves lack sufficient evidence: the hit "
                     "caliber of hits that lie anywhere.")
    people = len(set(audit.table.clusters.tolist()))
    return Sheet(
        key, title,
        f"Predictions on {len(audit.table):,} planned cells of {people:,} participants by the reference "
        f"{audit.figures['reference']}. UCR = (U + D) / (N - R); at least and at most: over the whole plan, whatever "
        "the unresolved cells are; hit caliber = (U + D) / (C - R among the correct); abstained, failed and coverage "
        f"are of N, accuracy of the answers. {_draws(measures)}",
        _AUDIT, tuple(_condition(row) for row in rows), tuple(notes), _audited(measures))


def conditions(measures: Measures) -> Made:
    """Figure 4: UCR and hit caliber of every condition."""
    key, title = "figure-4", "Figure 4. UCR and hit caliber by condition"
    if measures.audit is None:
        return _missing(measures, "audit", key, title)
    share = measures.audit.figures["not_sufficient_share"]
    rows = measures.audit.figures["conditions"]
    note = () if share is None else (f"Share of the cells that lack sufficient evidence: {share:.3f}.",)
    return Sheet(
        key, title, f"Unsupported-correct rate and hit caliber of {len(rows)} conditions on "
                    f"{len(measures.audit.table):,} planned cells. {_draws(measures)}",
        (_word("model"), _word("method"), _count("N"), Column("UCR", "figure"), Column("hit caliber", "figure")),
        tuple((row["model"], row["method"], row["N"], Value.of(row["ucr"], row["ucr_ci"]),
               Value.of(row["hit_caliber"], row["hit_caliber_ci"])) for row in rows), note, _audited(measures))


def joint(measures: Measures) -> Made:
    """Section 4.2: cells that all models get right, and that any does, by their evidence."""
    key, title = "joint", "Jointly correct cells"
    if measures.audit is None:
        return _missing(measures, "audit", key, title)
    rows = [(row["method"], name, *(row[name][part] for part in (
        "cells", "sufficient", "not_sufficient", "opposite", "unresolved")))
        for row in measures.audit.figures["jointly_correct"] for name in ("intersection", "union")]
    if not rows:
        return Missing(key, title, ("predictions of two models by one method in predictions.jsonl",))
    return Sheet(
        key, title, "Cells that all models of a method get right (intersection), and that any does (union), by what "
                    "their evidence says of the label.",
        (_word("method"), _word("set"), _count("cells"), _count("sufficient for it"), _count("not sufficient"),
         _count("sufficient against it"), _count("unresolved")), tuple(rows), (), _audited(measures))


def by_reference(measures: Measures) -> Made:
    """Section 4.3: UCR and hit caliber under each reference."""
    key, title = "audit-references", "The audit under each reference"
    if measures.audit is None:
        return _missing(measures, "audit", key, title)
    found = measures.audit.figures["references"]
    if not found:
        return _missing(measures, "changes", key, title) if "changes" in measures.needs else \
            Missing(key, title, ("a further reference on planned cells",))
    names = [name for name in found[0]["ucr"] if name != "largest_change"]
    return Sheet(
        key, title, "UCR and hit caliber of each condition by each reference, and the largest change from the first.",
        (_word("model"), _word("method"), *(_plain(f"{words} {name}") for words in ("UCR", "hit caliber")
                                            for name in (*names, "largest change"))),
        tuple((row["model"], row["method"], *(Value(row[figure][name]) for figure in ("ucr", "hit_caliber")
                                              for name in (*names, "largest_change"))) for row in found), (),
        _audited(measures))


# -- The panel --------------------------------------------------------------------------------------------------------


_AGREEMENT = {"fleiss": "Fleiss' kappa", "observed": "observed agreement", "unanimous": "unanimous cells",
              "krippendorff": "Krippendorff's alpha", "gwet_ac1": "Gwet's AC1"}
_DEPENDENCE = {"participation_ratio": "participation ratio", "top_share": "share of the first eigenvalue"}


def panel_quality(measures: Measures) -> Made:
    """Table 3, panel (c): agreement, dependence and generalizability of the raters."""
    key, title = "table-3c", "Table 3 (c). Agreement and dependence of the panel"
    panel = measures.panel
    if panel is None or panel.figures is None:
        return _missing(measures, "panel", key, title)
    figures, rows, notes = panel.figures, [], [CAVEAT, BUILT_IN]
    for name, words in _AGREEMENT.items():
        parts = [figures["agreement"][of]["all"]["coefficients"][name] for of in ("state", "assessability")]
        rows.append((words, parts[0]["n"], *map(Value.read, parts)))
    for name, words in _DEPENDENCE.items():
        parts = [figures["dependence"][of]["all"][name] for of in ("state", "assessability")]
        rows.append((words, parts[0]["n"], *map(Value.read, parts)))
    theory = figures["generalizability"]["assessability"]
    raters = len(panel.table.raters)
    if "decision_study" in theory:
        at = theory["decision_study"][raters - 1]
        rows += [(f"E rho squared, {raters} raters", theory["cells"], None, Value(at["relative"])),
                 (f"Phi, {raters} raters", theory["cells"], None, Value(at["absolute"]))]
    matrix = figures["mtmm"].get("all", {}).get("plain", {})
    if "blocks" in matrix:
        for block, words in (("monotrait_heteromethod", "MTMM, same dimension, other rater"),
                             ("heterotrait_monomethod", "MTMM, other dimension, same rater")):
            rows.append((words, None, None, Value(matrix["blocks"][block]["mean"])))
        rows.append(("MTMM ratio", None, None, Value(matrix["ratio"])))
    notes += [f"{words}: {part['why']}." for words, part in (("G-theory", theory), ("MTMM", matrix))
              if part.get("why")]
    return Sheet(
        key, title, f"{raters} raters ({', '.join(panel.table.raters)}) on {figures['voted']:,} cells with a vote, of "
                    f"{figures['participants']:,} participants. By state: five states; by assessability: any state but "
                    f"absent, against absent. {_draws(measures)} G-theory and MTMM come without. n counts the cells "
                    f"that a coefficient of the states rests on.{_of_people(measures)}",
        (_word("figure"), _count("n"), Column("by state", "figure"), Column("by assessability", "figure")),
        tuple(rows), tuple(notes), measures.folder.simulated("votes"))


# -- Anchors ----------------------------------------------------------------------------------------------------------


def modes(measures: Measures) -> Made:
    """Table 4: anchors recovered by failure mode."""
    key, title = "table-4", "Table 4. Perturbation anchors by failure mode"
    found = measures.anchors
    raters = [] if found is None else [one for one in found.scores.raters if one not in found.humans]
    if found is None or not raters:
        needs = "raters' votes in anchor_votes.jsonl" if measures.folder.has("anchor_votes") else "anchor_votes.jsonl"
        return Missing(key, title, measures.needs.get("anchors", (needs,)))
    return Sheet(
        key, title, f"Anchors whose expected state a rater gives; without a valid vote an anchor is not recovered. "
                    f"{_draws(measures, 'base dialogues')} {GATE}",
        (_word("mode"), _word("failure mode"), _word("classes"), *_RECOVERED),
        tuple((name, mode.title, ", ".join(mode.classes), *_recovered(found, name, rater))
              for name, mode in MODES.items() for rater in raters),
        tuple(f"{rater}: {len(found.scores.passed(rater))} of {len(MODES)} modes pass; "
              f"{found.scores.total(rater)[0]:,} of {found.scores.total(rater)[1]:,} anchors recovered, each once."
              for rater in raters),
        measures.folder.simulated("anchors", "anchor_votes"))


_RECOVERED = (_word("rater"), _count("anchors"), _count("valid votes"), _count("recovered"), Column("share", "percent"),
              _plain("lower bound"), _word("gate"))


def _recovered(found: Recovered, mode: str, rater: str) -> tuple[Entry, ...]:
    one = found.scores.modes[mode, rater, "all"]
    words = {"-": "not passed"}.get(verdict(one), verdict(one))
    return rater, one.n, one.valid, one.hits, _value(found.rates[mode, rater]), Value(one.lower), words


def classes(measures: Measures) -> Made:
    """Table 6: classes of anchors with the state that must follow, and how many there are and who recovers them."""
    key, title = "table-6", "Table 6. Perturbation classes and expected states"
    folder = measures.folder
    languages = sorted({one.dialogue.language for one in folder.anchors or ()})
    scores = None if measures.anchors is None else measures.anchors.scores
    rows = []
    for name, one in CLASSES.items():
        held = [anchor for anchor in folder.anchors or () if anchor.name == name]
        counts: list[Entry] = [len(held), *(sum(anchor.dialogue.language == language for anchor in held)
                                            for language in languages)]
        hits: list[Entry] = []
        for rater in scores.raters if scores else ():
            cell = scores.classes[name, rater, "all"]  # type: ignore[union-attr]
            hits.append(f"{cell.hits}/{cell.n}" if cell.n else None)
        rows.append((name, one.change, one.expected, ", ".join(mode.name for mode in MODES.values()
                                                               if name in mode.classes),
                     *(counts if folder.anchors is not None else []), *hits))
    columns = [_word("class"), _word("manipulation"), _word("expected final state"), _word("failure mode")]
    if folder.anchors is not None:
        columns += [_count("anchors"), *map(_count, languages)]
        columns += [_word(f"recovered by {rater}") for rater in (scores.raters if scores else ())]
    notes = () if folder.anchors is not None else ("The numbers of anchors need anchors.jsonl.",)
    simulated = folder.simulated("anchors", *(("anchor_votes", "human") if scores else ()))
    caption = "The twelve classes and the state that must follow in each"
    if folder.anchors is not None:
        caption += f", with the {len(folder.anchors):,} anchors of this folder"
    return Sheet(key, title, f"{caption}.", tuple(columns), tuple(rows), notes, simulated)


# -- People -----------------------------------------------------------------------------------------------------------


def human_agreement(measures: Measures) -> Made:
    """Figure 5 (a): each reference beside the people's consensus, over all cells and by the people's state."""
    return _agreement_sheet(measures, "matched", measures.matched, "figure-5a",
                            "Figure 5 (a). References beside people", "reference",
                            f"the people's states ({main_human(measures.folder)})",
                            measures.folder.simulated("human", "reference"))


def gold_agreement(measures: Measures) -> Made:
    """States beside gold."""
    return _agreement_sheet(measures, "gold", measures.gold, "gold", "States beside gold", "states", "gold states",
                            measures.folder.simulated("gold", "votes", "reference", "cells"))


def _agreement_sheet(
    measures: Measures, part: str, found: Iterable[Matched], key: str, title: str, head: str, truth: str,
    simulated: tuple[str, ...],
) -> Made:
    if not measures.folder.has(part if part == "gold" else "human") or not found:
        return _missing(measures, part, key, title)
    rows: list[tuple[Entry, ...]] = []
    for one in found:
        rows.append((one.name, "all", one.exact.n, _value(one.exact), _value(one.kappa)))
        rows += [(one.name, state, share.n, _value(share), None) for state, share in one.of.items()]
    return Sheet(
        key, title, f"Exact agreement with {truth} on the cells that both resolve, over all of them and by the state "
                    f"that counts as true. {_draws(measures)}",
        (_word(head), _word("true state"), _count("cells"), Column("exact agreement", "percent"),
         Column("Cohen's kappa", "figure")), tuple(rows), (), simulated)


def human_anchors(measures: Measures) -> Made:
    """Figure 5 (b): anchors recovered by people and by the raters, by failure mode."""
    key, title = "figure-5b", "Figure 5 (b). Anchors recovered by people and by judges"
    found = measures.anchors
    if found is None or not found.humans:
        lacks = () if measures.folder.has("anchors") else ("anchors.jsonl",)
        return Missing(key, title, (*lacks, "people's votes on anchors (human-NAME in anchor_votes.jsonl)"))
    order = sorted(found.scores.raters, key=lambda rater: rater not in found.humans)
    notes = () if set(order) > found.humans else ("The judges' shares need anchor_votes.jsonl.",)
    return Sheet(
        key, title, f"Anchors whose expected state is given, by failure mode; of people those that they were shown. "
                    f"{_draws(measures, 'base dialogues')}",
        (_word("mode"), _word("failure mode"), _word("who"), *_RECOVERED[:5]),
        tuple((name, mode.title, "people" if rater in found.humans else "judge", *_recovered(found, name, rater)[:5])
              for name, mode in MODES.items() for rater in order), notes,
        measures.folder.simulated("anchors", "anchor_votes", "human"))


def rescored(measures: Measures) -> Made:
    """Figure 5 (c): hit caliber of each condition by the reference and by people, on the cells that people judged."""
    key, title = "figure-5c", "Figure 5 (c). The audit rescored by people"
    if not measures.rescored:
        return _missing(measures, "rescored", key, title)
    rows = [(one.automatic["model"], one.automatic["method"], one.automatic["N"],
             *(Value.of(row["hit_caliber"], row["hit_caliber_ci"]) for row in (one.automatic, one.human)),
             Value(one.change)) for one in measures.rescored]
    changes = [abs(one.change) for one in measures.rescored if one.change is not None]
    notes = () if not changes else (
        f"Absolute change over {len(changes)} conditions: mean {mean(changes):.1%}, maximum {max(changes):.1%}.",)
    return Sheet(
        key, title, f"Hit caliber (the unsupported among the resolved correct predictions) on the planned cells that "
                    f"people judged: by the reference {measures.main}, and by people. {_draws(measures)}",
        (_word("model"), _word("method"), _count("N"), Column("by the reference", "figure"),
         Column("by people", "figure"), _plain("change")), tuple(rows), notes,
        measures.folder.simulated("human", "reference", "predictions", "plan", "dialogues"))


# -- Corpora ----------------------------------------------------------------------------------------------------------


def corpora(measures: Measures) -> Made:
    """Table 5: transcripts, segments and total scores of each source."""
    key, title = "table-5", "Table 5. Source corpora"
    dialogues = measures.folder.dialogues
    if not dialogues:
        return Missing(key, title, ("dialogues.jsonl",))
    sources: dict[str, list[Dialogue]] = {}
    for one in dialogues:
        sources.setdefault(one.source or "-", []).append(one)
    rows = []
    for source, talks in sources.items():
        lengths = [len(one.turns) for one in talks]
        totals = [total for one in talks if (total := total_score(one)) is not None]
        people = {one.participant_id or one.dialogue_id for one in talks}
        words = [", ".join(sorted({getattr(one, name) for one in talks})) for name in ("language", "instrument")]
        rows.append((source, *words, len(talks), len(people), _number(median(lengths)),
                     f"{min(lengths)}–{max(lengths)}", len(totals), _number(median(totals)) if totals else None,
                     f"{_number(min(totals))}–{_number(max(totals))}" if totals else None))
    return Sheet(
        key, title, f"{len(dialogues):,} transcripts as read; segments are turns. A total is the sum of the native "
                    "scores of a transcript that has one in every dimension of its instrument. Counts and ranges of "
                    "what is there: no intervals.",
        (_word("source"), _word("language"), _word("instrument"), _count("transcripts"), _count("participants"),
         _word("median segments"), _word("segment range"), _count("totals"), _word("median total"),
         _word("total range")), tuple(rows), (), measures.folder.simulated("dialogues"))


def total_score(talk: Dialogue) -> float | None:
    """The sum of a dialogue's native scores; None if one of its instrument's dimensions has none, or a code."""
    scores = [native_score(talk, dimension)[0] for dimension in load_instrument(talk.instrument).ordered]
    return None if None in scores else float(sum(one for one in scores if one is not None))


def _number(value: float) -> str:
    return f"{value:g}"

