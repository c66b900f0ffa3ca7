"""The `evidial` command: parse, call, print.

Bad input ends in one line, `error: ...`, and exit status 2; it never shows a traceback or the words of a dialogue.
Heavy modules are imported inside the commands, so that `evidial --help` answers at once.
"""
from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from . import __version__
from .errors import EvidialError, OutputError, shown
from .report import NOTICE

if TYPE_CHECKING:
    from .contract import Cell, Dialogue, Vote
    from .corpora import Rejected, VoteTable
    from .raters.validity import Validity

T = TypeVar("T")

app = typer.Typer(name="evidial", add_completion=False, no_args_is_help=True, rich_markup_mode=None,
                  pretty_exceptions_enable=False, help=f"Evidence states of dialogues, by rules. {NOTICE}")

_IN, _OUT = ("JSON Lines, .parquet or a folder of .parquet; - is standard input",
             "JSON Lines or .parquet; - is standard output")
MAX_WORKERS = 256
Dialogues = Annotated[list[str], typer.Argument(metavar="DIALOGUES...", help=_IN)]
Output = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help=_OUT)]
Figures = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="the figures as one JSON object")]
Draws = Annotated[int, typer.Option(min=1, max=100_000, metavar="N", help="draws of participants")]
DrawSeed = Annotated[int, typer.Option(min=0, help="of the draws")]
Gate = Annotated[float | None, typer.Option(min=0, max=1, help=(
    "least share of valid answers; the votes of a rater in a language where it has fewer are left out"))]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="LLM: a server with the provider's interface")]
MaxConnections = Annotated[
    int | None, typer.Option(min=1, max=1000, help="LLM: requests at a time, for each model")]
Temperature = Annotated[float | None, typer.Option(min=0, max=2, help="LLM: of sampling")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="LLM: longest answer")]
Seed = Annotated[int | None, typer.Option(help="LLM: of sampling, where the provider has one")]
Timeout = Annotated[int | None, typer.Option(min=1, metavar="SECONDS", help="LLM: for one attempt")]
MaxRetries = Annotated[int | None, typer.Option(min=0, help="LLM: attempts after one that failed")]
ResponseSchema = Annotated[bool | None, typer.Option(
    "--response-schema/--no-response-schema", help="LLM: hold the provider to the form of the answer")]
Cache = Annotated[bool | None, typer.Option("--cache/--no-cache", help="LLM: inspect_ai's own cache of answers")]
Raw = Annotated[str | None, typer.Option(
    metavar="FILE", help="LLM: raw answers, from which an interrupted run goes on; else OUTPUT.raw.jsonl")]
Lexicons = Annotated[Path | None, typer.Option(metavar="DIR", help="a folder of lexicons instead of those that ship")]

CellVotes = Annotated[list[str] | None, typer.Option(
    "--votes", metavar="VOTES", help="votes of any raters on the dialogues; may be given again")]
CellReference = Annotated[list[str] | None, typer.Option(
    "--reference", metavar="FILE", help="references of the dialogues; may be given again")]
CellGold = Annotated[str | None, typer.Option("--gold", metavar="FILE", help="gold states of the dialogues")]


class OptionError(EvidialError):
    """An option's value, or options that do not go together."""

    code = "E302"
    template = "{where}: expected {expected}"


def _version(wanted: bool) -> None:
    if wanted:
        from .contract import CONTRACT_VERSION

        typer.echo(f"evidial-rules {__version__}, contract {CONTRACT_VERSION}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="versions")] = False,
) -> None:
    pass


@app.command(epilog=NOTICE)
def annotate(
    dialogues: Dialogues,
    output: Output,
    workers: Annotated[
        int, typer.Option(min=1, max=MAX_WORKERS, help="processes; the output is the same for any number")] = 1,
    trace: Annotated[bool, typer.Option("--trace/--no-trace", help="frames and verdicts, or states only")] = True,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="list bad lines in FILE.rejected.jsonl and go on")] = False,
    engine: Annotated[str, typer.Option(metavar="local|dask", help=(
        "where it runs: here, or on Dask (its extra: cluster), which writes a folder"))] = "local",
    scheduler: Annotated[str | None, typer.Option(
        metavar="ADDRESS", help="dask: a cluster that runs; one of --workers processes here if not given")] = None,
    resume: Annotated[bool, typer.Option(
        "--resume", help="keep what is done in FILE.parts until FILE is whole, and go on from there; a folder always "
                         "does")] = False,
    lexicons: Lexicons = None,
) -> None:
    """The rule judge's cells, each with its frames and verdicts. DIALOGUES may be folders of Parquet files; a FILE that
    ends in a slash is such a folder."""
    from .corpora import to_json
    from .raters.scale import Job, Listing, local

    _one_of("--engine", engine, ("local", "dask"))
    if scheduler is not None and engine != "dask":
        raise OptionError(where="--scheduler", expected="--engine dask beside it")
    job = Job.of(dialogues, output, _folder(lexicons), trace=trace)
    listed = _rejected_file(output) if skip_invalid else None
    _check_inputs([*dialogues, *job.inputs], output, *([listed] if listed else []))
    listing = Listing(skip_invalid, job.names)
    if engine == "dask":
        from .raters.scale import cluster

        with _counter("parts") as tick:
            cluster.write_folder(job, listing, workers=workers, scheduler=scheduler, kept=_kept, tick=tick)
    else:
        with _progress(job.rows(listing), "dialogues") as rows:
            if job.is_folder():
                local.write_folder(job, rows, listing, workers=workers, kept=_kept)
            else:
                if resume and _rejected_file(output) is None:
                    raise OptionError(where="--resume", expected="a file as output, or a folder")
                stream = local.resumed_blocks(job, rows, listing, workers=workers, kept=_kept) if resume else \
                    local.blocks(job, rows, listing, workers=workers)
                with closing(stream) as blocks:
                    _write_lines(output, blocks) if listed is None else _write_both(output, blocks, listed, listing)
                if resume:
                    local.clear(job)
    if listed is not None and (engine == "dask" or job.is_folder()):
        _write_text(listed, "".join(f"{to_json(one)}\n" for one in listing))
    if listing and listed is None:
        for one in listing:
            typer.echo(f"skipped: {one.error}", err=True)
    elif listing:
        typer.echo(f"{len(listing)} lines left out, listed in {listed}", err=True)


def _kept(parts: int) -> None:
    if parts:
        typer.echo(f"{parts} part{'s' if parts > 1 else ''} of an earlier run kept", err=True)


@app.command(epilog=NOTICE)
def judge(
    dialogues: Dialogues,
    output: Output,
    rater: Annotated[list[str] | None, typer.Option(
        metavar="NAME", help="rules, negex, context, the rules with one operation off (no-subject, no-time, "
                             "no-scope, no-withdrawal, no-answers), or an LLM as provider/model; may be given "
                             "again")] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=MAX_WORKERS, help="processes; the output is the same for any number")] = 1,
    base_url: BaseUrl = None,
    max_connections: MaxConnections = None,
    temperature: Temperature = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    timeout: Timeout = None,
    max_retries: MaxRetries = None,
    response_schema: ResponseSchema = None,
    cache: Cache = None,
    raw: Raw = None,
    anchor_cells: Annotated[
        bool, typer.Option("--anchor-cells", help="LLM: of an anchor only the cell that it is about")] = False,
    votes: Annotated[list[str] | None, typer.Option(
        metavar="FILE", help="votes that are there already, of any raters; may be given again")] = None,
    gate: Annotated[
        float | None, typer.Option(min=0, max=1, help="LLM: least share of valid answers, for the table")] = None,
) -> None:
    """Votes of one rater or several on each cell, with their frames and verdicts."""
    from .corpora import read_dialogues
    from .raters.pool import ordered_map
    from .raters.registry import VoteLines, is_model

    given = _given(base_url=base_url, connections=max_connections, temperature=temperature, max_tokens=max_tokens,
                   seed=seed, timeout=timeout, retries=max_retries, schema=response_schema, cache=cache)
    rater = rater or []
    if not rater and not votes:
        raise OptionError(where="--rater", expected="a rater, or --votes FILE")
    if not any(is_model(name) for name in rater) and (
            given or raw is not None or gate is not None or anchor_cells):
        raise OptionError(where="--rater", expected="an LLM (provider/model) beside the options that are for one")
    if votes or any(is_model(name) for name in rater):
        _judge_held(dialogues, output, rater, votes or [], given, raw=raw, gate=gate,
                    anchor_cells=anchor_cells, workers=workers)
        return
    _check_inputs(dialogues, output)
    lines = VoteLines(rater)
    with _progress(read_dialogues(dialogues), "dialogues") as shown_stream, \
            closing(ordered_map(lines, shown_stream, workers=workers)) as blocks:
        _write_lines(output, blocks)


def _judge_held(
    dialogues: Sequence[str], output: str, raters: Sequence[str], recorded: Sequence[str], given: Mapping[str, Any], *,
    raw: str | None, gate: float | None, anchor_cells: bool, workers: int,
) -> None:
    """With LLMs or votes of files: first every cell is asked about that the raw answers lack, then all votes are
    written, those of files last."""
    from .corpora import read_dialogue_rows
    from .raters import RaterError
    from .raters.llm import LLMRater, RawLog, Settings, collect
    from .raters.recorded import RecordedRater
    from .raters.registry import VoteLines, is_model, judged_lines
    from .raters.validity import GATE_SHARE, Tally
    from .report.terminal import console
    from .report.validity import validity_view
    from .resources import load_instrument

    models = [name for name in raters if is_model(name)]
    if models:
        raw = _raw_file(raw, output)
    _check_inputs([*dialogues, *recorded], output)
    if raw is not None:
        _check_inputs([*dialogues, *recorded, output], raw)
    local = [name for name in raters if not is_model(name)]
    VoteLines(local)  # a wrong name is told before anything is read or asked
    log = RawLog(raw)
    only: dict[str, str] = {}
    judges = {name: LLMRater(name, Settings(**given), log, only) for name in models}
    readers: dict[str, Callable[[Dialogue], Iterable[Vote]]] = {name: one.read for name, one in judges.items()}
    names = [*raters]
    for one in (rater for path in recorded for rater in RecordedRater.each(path)):
        names.append(one.name)
        readers[one.name] = one.votes
    if len(set(names)) < len(names):
        raise RaterError(where="rater", expected="each rater once")
    held = []
    with _progress(read_dialogue_rows(dialogues), "dialogues") as stream:
        for row, dialogue in stream:
            held.append(dialogue)
            if anchor_cells and isinstance(anchor := row.data.get("anchor"), dict):
                dimension = anchor.get("dimension")
                if dimension not in load_instrument(dialogue.instrument).ordered:
                    raise OptionError(where=f"{row.where}: anchor.dimension",
                                      expected=f"a dimension of the instrument, found {shown(dimension)}")
                only[dialogue.dialogue_id] = dimension
    tally = Tally({one.dialogue_id: one.language for one in held}, GATE_SHARE if gate is None else gate)

    def read(name: str, dialogue: Dialogue) -> Iterator[Vote]:
        for vote in readers[name](dialogue):
            tally.add(vote)
            yield vote

    cells = len(judges) * sum(1 if one.dialogue_id in only else len(load_instrument(one.instrument).ordered)
                              for one in held)
    with log, _counter("cells", cells) as tick:
        usage = collect(list(judges.values()), held, tick=tick)
    _write_lines(output, judged_lines(held, names, read, readers, workers=workers))
    screen = console(stderr=True)
    for part in validity_view(tally.result(), usage):
        screen.print(part)


def _given(**settings: Any) -> dict[str, Any]:
    """The settings of asking that options name, for `Settings`."""
    return {name: value for name, value in settings.items() if value is not None}


def _raw_file(raw: str | None, output: str) -> str:
    """Where raw answers are kept: where the option says, else beside the output."""
    if raw is not None:
        return raw
    if output == "-" or (os.path.exists(output) and not os.path.isfile(output)):
        raise OptionError(where="--raw", expected="a file for the raw answers, since the output is none")
    return f"{output}.raw.jsonl"


@app.command(epilog=NOTICE)
def explain(
    dialogues: Annotated[str, typer.Argument(metavar="DIALOGUES", help=_IN)],
    dialogue: Annotated[str, typer.Option(metavar="ID", help="which dialogue")],
    dimension: Annotated[str, typer.Option(metavar="DIM", help="which dimension, for instance sleep")],
    html: Annotated[str | None, typer.Option(metavar="FILE", help="write the trace as a web page too")] = None,
    votes: CellVotes = None,
    reference: CellReference = None,
    gold: CellGold = None,
    lexicons: Lexicons = None,
) -> None:
    """One cell: the dialogue with its quotes, candidates, verdicts with rule ids, K(u) and state.

    The web page has the lines of the rule files too, and the votes, references and gold that are given.
    """
    from .corpora import read_dialogues
    from .pipeline.annotator import Annotator
    from .report.terminal import cell_view, console
    from .report.trace import Trace
    from .resources import load_instrument

    given = [*(votes or ()), *(reference or ()), *([gold] if gold is not None else [])]
    if html is not None:
        _check_inputs([dialogues, *given], html)
    elif given:
        raise OptionError(where="--votes, --reference, --gold", expected="the web page (--html FILE) that shows them")
    # Votes and the like are held against all dialogues; one cell alone needs no more than its own.
    stream = read_dialogues(dialogues)
    held = list(stream) if given else []
    found = next((one for one in held or stream if one.dialogue_id == dialogue), None)
    if found is None:
        raise OptionError(where="--dialogue", expected=f"the id of a dialogue in {dialogues}, found {shown(dialogue)}")
    instrument = load_instrument(found.instrument)
    if dimension not in instrument.ordered:
        raise OptionError(where="--dimension", expected=f"a dimension of {instrument.name} "
                                                        f"({', '.join(instrument.ordered)}), found {shown(dimension)}")
    cells = Annotator(_folder(lexicons)).cells(found)
    trace = Trace.of(found, next(cell for cell in cells if cell.dimension == dimension), instrument)
    if html is not None:
        from .report.html import cell_page
        from .report.opinions import Opinions
        from .report.rulelines import RuleLines

        opinions = Opinions.read(held or [found], votes=votes or (), reference=reference or (), gold=gold)
        beside = opinions.of(found, dimension)
        _write_text(html, cell_page(trace, beside, RuleLines(lexicons)))
        for option, files, said in (("--votes", votes, beside.votes), ("--reference", reference, beside.references),
                                    ("--gold", [gold] if gold is not None else None, beside.gold)):
            if files and not said:
                typer.echo(f"{option} {', '.join(files)}: nothing on this cell", err=True)
        if html == "-":
            return  # a page with the view for a terminal after it would be no page
    elif sys.stdout is None:
        raise OutputError(where="standard output", expected="an output that is open, or --html FILE")
    console().print(cell_view(trace))


@app.command("app", epilog=NOTICE)
def debugger(
    dialogues: Dialogues,
    votes: CellVotes = None,
    reference: CellReference = None,
    gold: CellGold = None,
    cells: Annotated[str | None, typer.Option(
        metavar="CELLS", help="cells that evidial annotate wrote; without, dialogues are judged when they are looked "
                              "at, and ahead of that")] = None,
    port: Annotated[int | None, typer.Option(
        min=1, max=65535, help="on this machine; the first free one from 8501 on if not given")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="open a browser")] = True,
    workers: Annotated[int, typer.Option(
        min=0, max=MAX_WORKERS, help="processes that judge ahead; 0: only what is looked at is judged")] = 1,
    lexicons: Lexicons = None,
) -> None:
    """The cell debugger in a browser, on this machine only."""
    from .app.serve import FIRST_PAGE, check_installed, free_port, serve
    from .app.workspace import Workspace

    check_installed()
    port = free_port(port)
    workspace = Workspace.open(dialogues, votes=votes or (), reference=reference or (), gold=gold, cells=cells,
                               lexicons=_folder(lexicons))

    def ready(address: str) -> None:
        typer.echo(f"{len(workspace.dialogues)} dialogues at {address} (Ctrl-C ends)")
        if browser:
            import webbrowser

            webbrowser.open(address)

    try:
        first = list(workspace.dialogues)[:FIRST_PAGE]
        others = {one.language: name for name, one in reversed(workspace.dialogues.items())}
        first += [name for name in others.values() if name not in first]
        with _progress(first, "dialogues of the first page", total=len(first)) as names:
            workspace.warm(names)
        workspace.start(workers)
        serve(workspace, port, ready=ready)
    finally:
        workspace.close()


@app.command(epilog=NOTICE)
def convert(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="files or folders")],
    output: Output,
    format: Annotated[
        str, typer.Option("--from", metavar="FORMAT", help="daic-woz, e-daic, pdch, talkdep, mdd5k, text or csv")],
    instrument: Annotated[str | None, typer.Option(metavar="NAME", help="PHQ-8, HAMD-17, BDI-II")] = None,
    language: Annotated[str | None, typer.Option(metavar="en|zh", help="told from the script if not given")] = None,
    speaker: Annotated[
        list[str] | None, typer.Option(metavar="ROLE|LABEL=ROLE", help="who speaks; may be given again")] = None,
    labels: Annotated[str | None, typer.Option(metavar="FILE", help="native item scores, CSV or xlsx")] = None,
    source: Annotated[str | None, typer.Option(metavar="NAME", help="the corpus's name")] = None,
) -> None:
    """Transcripts of published corpora to canonical dialogues."""
    from .corpora import convert_each, input_files, write_jsonl

    _check_inputs([*input_files(paths, format), *([labels] if labels is not None else [])], output)
    stream = convert_each(paths, format, instrument=instrument, language=language, speaker=speaker or None,
                          labels=labels, source=source)
    with _progress(stream, "dialogues") as shown_stream:
        write_jsonl(output, shown_stream)


@app.command(epilog=NOTICE)
def lint(lexicons: Lexicons = None) -> None:
    """Checks lexicons and grammars and runs their examples."""
    from .anchors import load_grammar
    from .contract import LANGUAGES
    from .pipeline.lint import lint as run_lint

    if sys.stdout is None:
        raise OutputError(where="standard output", expected="an output that is open")
    for language in LANGUAGES:
        load_grammar(language)  # the wording of anchors is no rule: either its form holds, or it is an error
    findings = run_lint(_folder(lexicons))
    for finding in findings:
        typer.echo(f"{finding.severity}: {finding.file}: {finding.rule}: {finding.problem}")
    errors = sum(finding.severity == "error" for finding in findings)
    typer.echo(f"{errors} errors, {len(findings) - errors} warnings")
    if errors:
        raise typer.Exit(2)


@app.command(epilog=NOTICE)
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="cells or votes, JSON Lines or .parquet; - is standard input")],
    b: Annotated[str, typer.Argument(metavar="B", help="the same of another run")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="a line of JSON for each changed cell")] = None,
    rater_a: Annotated[str | None, typer.Option(metavar="NAME", help="whose votes, where A has several raters")] = None,
    rater_b: Annotated[str | None, typer.Option(metavar="NAME", help="whose votes, where B has several raters")] = None,
    dialogues_a: Annotated[str | None, typer.Option(
        metavar="FILE", help="the transcripts of A, where B read another version of them")] = None,
    dialogues_b: Annotated[str | None, typer.Option(
        metavar="FILE", help="the transcripts of B: frames are matched where the aligned words stand")] = None,
    cells: Annotated[bool, typer.Option("--cells", help="each changed cell in a line")] = False,
    quotes: Annotated[
        bool, typer.Option("--quotes", help="with the dialogue's words, in the lines of --cells and of FILE")] = False,
) -> None:
    """Two runs or raters, cell by cell: which states differ, by which operation and which rule."""

    from .corpora import read_dialogues, read_judged_rows, write_jsonl
    from .corpora.files import name_of
    from .report import diff as comparison
    from .report.diff_terminal import diff_view
    from .resources import instruments, load_instrument

    if a == b == "-":
        raise OptionError(where="B", expected="a file, since A is standard input")
    if quotes and not cells and output is None:
        raise OptionError(where="--quotes", expected="--cells or --output beside it")
    if (dialogues_a is None) != (dialogues_b is None):
        raise OptionError(where="--dialogues-b" if dialogues_b is None else "--dialogues-a",
                          expected="both versions of the transcripts, or neither")
    transcripts = [one for one in (dialogues_a, dialogues_b) if one is not None]
    if output is not None:
        _check_inputs([a, b, *transcripts], output)
    runs = []
    for path, rater, option in ((a, rater_a, "--rater-a"), (b, rater_b, "--rater-b")):
        with _progress(read_judged_rows(path), "cells") as rows:
            runs.append(comparison.Run.of(name_of(path), rows, rater=rater, option=option))
    versions = comparison.alignments(*(read_dialogues([one]) for one in transcripts)) if transcripts else None
    found = comparison.diff(*runs, [load_instrument(name) for name in instruments()], versions)
    if output is not None:
        write_jsonl(output, (one.to_dict(quotes=quotes) for one in found.changed))
        if output == "-":
            return  # lines of JSON with tables after them would be none
    else:
        _open_output()
    _show(diff_view(found, cells=cells, quotes=quotes))


anchors = typer.Typer(name="anchors", no_args_is_help=True, rich_markup_mode=None,
                      help="Perturbation anchors: made from dialogues whose cells are known; raters scored on them.")
app.add_typer(anchors)


@anchors.command("make", epilog=NOTICE)
def anchors_make(
    bases: Annotated[list[str], typer.Argument(metavar="BASES...", help=(
        "dialogues whose cells are known: those that ship, or lines with the keys `frames` or `gold`"))],
    output: Output,
    cells: Annotated[str | None, typer.Option(metavar="FILE", help="the known cells, from any annotator")] = None,
    seed: Annotated[int, typer.Option(help="another seed draws other words")] = 0,
    kinds: Annotated[
        list[str] | None, typer.Option("--class", metavar="CLASS", help="P1 to P8; may be given again")] = None,
    twins: Annotated[
        bool, typer.Option("--twins/--no-twins", help="also under the other language's instrument")] = True,
    refused: Annotated[
        str | None, typer.Option(metavar="FILE", help="a line of JSON for each view that was not made")] = None,
) -> None:
    """Views of every class and dimension of each base, with the state that must follow."""
    from collections import Counter

    from .anchors import CLASSES, Refusal, make_views, read_bases
    from .corpora import atomic, to_json, write_jsonl
    from .report.anchors import refusals

    _check_inputs([*bases, *([cells] if cells is not None else [])], output, *([refused] if refused else []))
    for kind in kinds or ():
        if kind not in CLASSES:
            raise OptionError(where="--class", expected=f"one of {', '.join(CLASSES)}, found {shown(kind)}")
    reasons: Counter[str] = Counter()
    left_out: list[Refusal] = []

    def refuse(one: Refusal) -> None:
        reasons[one.reason] += 1
        left_out.append(one)

    with _progress(read_bases(bases, cells=cells), "bases") as stream:
        views = make_views(stream, seed=seed, classes=kinds, twins=twins, refuse=refuse)
        if refused is None:
            made = write_jsonl(output, (view.to_dict() for view in views))
        else:
            with atomic(refused) as listed:  # both files are whole before the first of them is in place
                made = write_jsonl(output, (view.to_dict() for view in views))
                listed.writelines(to_json(one.to_dict()).encode("utf-8") + b"\n" for one in left_out)
                listed.flush()
    typer.echo(f"{made} views", err=True)
    for line in refusals(reasons.items()):
        typer.echo(line, err=True)


@anchors.command("score", epilog=NOTICE)
def anchors_score(
    file: Annotated[str, typer.Argument(metavar="ANCHORS", help=_IN)],
    votes: Annotated[
        list[str] | None, typer.Option(metavar="VOTES", help="votes of any raters; may be given again")] = None,
    rater: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="a rater to run; `rules` if there are no votes")] = None,
    output: Figures = None,
) -> None:
    """Hits, lower bounds and the gate for each class and failure mode, by rater and language."""

    from .anchors import read_anchors, score
    from .corpora import read_votes, to_json
    from .raters.registry import is_model
    from .raters.registry import rater as rater_of
    from .report.anchors import anchor_view

    if output is not None:
        _check_inputs([file, *(votes or ())], output)
    held = list(read_anchors(file))
    given: dict[str, dict[tuple[str, str], str | None]] = {}
    for vote in read_votes(votes or []):
        given.setdefault(vote.rater, {})[vote.dialogue_id, vote.dimension] = vote.state if vote.valid else None
    for name in rater or ([] if votes else ["rules"]):
        if name in given:
            raise OptionError(where="--rater", expected=f"a rater without votes in a file, found {shown(name)} in both")
        if is_model(name):
            raise OptionError(where="--rater", expected="votes of an LLM in a file (evidial judge), for --votes")
        judge = rater_of(name)
        with _progress(held, f"anchors ({name})", total=len(held)) as stream:
            given[name] = {(vote.dialogue_id, vote.dimension): vote.state if vote.valid else None
                           for anchor in stream for vote in judge.votes(anchor.dialogue)}
    scores = score(held, given)
    if output is not None:
        _write_text(output, to_json(scores.to_dict()) + "\n")
        if output == "-":
            return  # a JSON object with tables after it would be none
    else:
        _open_output()
    _show(anchor_view(scores))


@app.command(epilog=NOTICE)
def fuse(
    votes: Annotated[list[str], typer.Argument(metavar="VOTES...", help=_IN)],
    output: Output,
    method: Annotated[str, typer.Option(metavar="NAME", help="plurality, mean, dawid-skene or relca")],
    dialogues: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="the dialogues: each of their cells gets a line, and "
                                                            "participants and sources are known")] = None,
    rater: Annotated[list[str] | None, typer.Option(metavar="NAME", help="only votes of this one")] = None,
    without: Annotated[list[str] | None, typer.Option(metavar="NAME", help="no votes of this one")] = None,
    gate: Gate = None,
    design: Annotated[str, typer.Option(metavar="agree|lean", help="what the cell effect of relca is")] = "agree",
    missing: Annotated[
        str, typer.Option(metavar="random|hard", help="why answers are not valid: at random, or the more of them, the "
                                                      "harder the cell is, which relca estimates")] = "random",
    covariate: Annotated[
        list[str] | None, typer.Option(metavar="source|group|none", help="of the prevalence; both, if there are "
                                                                         "dialogues")] = None,
    anchor_votes: Annotated[list[str] | None, typer.Option(metavar="VOTES", help="the raters' votes on them")] = None,
    anchors: Annotated[str | None, typer.Option(metavar="FILE", help="the anchors")] = None,
    strength: Annotated[
        float | None, typer.Option(min=0, help="pseudo-counts of each rater and state; as many as votes if not given")
    ] = None,
    prior: Annotated[
        float, typer.Option(min=0, help="weight of a weak prior that raters are better than chance; 0 for none")] = 3.0,
    pooled: Annotated[
        float, typer.Option(min=0, help="weight of a prior that a rater meets every state about as often, in place of "
                                        "--prior; 20, say")] = 0.0,
    threshold: Annotated[
        str | None, typer.Option(metavar="posterior|entropy", help="what leaves cells unresolved, if the anchors "
                                                                   "support a threshold")] = None,
    bootstrap: Annotated[int, typer.Option(min=0, max=100_000, metavar="N", help="draws of participants")] = 0,
    by_source: Annotated[bool, typer.Option("--by-source", help="participants drawn within their source")] = False,
    visit: Annotated[str | None, typer.Option(help="the visit to take; each participant's first if not given")] = None,
    exclude_source: Annotated[list[str] | None, typer.Option(metavar="NAME", help="a source to leave out")] = None,
    starts: Annotated[int, typer.Option(min=1, max=100, help="starting points of the climb")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="of starting points and replicates")] = 0,
    allow_unidentified: Annotated[
        bool, typer.Option("--allow-unidentified", help="fit a model that the votes cannot tell")] = False,
    summary: Annotated[str | None, typer.Option(metavar="FILE", help="what the fit says, as one JSON object")] = None,
) -> None:
    """A reference out of votes: one state a cell, with posteriors."""

    from .anchors import read_anchors
    from .corpora import read_votes, to_json, write_jsonl
    from .fusion import Options
    from .fusion import anchor_votes as on_anchors
    from .fusion import fuse as fuse_votes
    from .report.fusion import fusion_view

    read = [*votes, *(dialogues or ()), *(anchor_votes or ()), *([anchors] if anchors else [])]
    _check_inputs(read, output, *([summary] if summary else []))
    _one_of("--design", design, ("agree", "lean"))
    _one_of("--missing", missing, ("random", "hard"))
    if threshold is not None:
        _one_of("--threshold", threshold, ("posterior", "entropy"))
    for name in covariate or ():
        _one_of("--covariate", name, ("source", "group", "none"))
    if (anchors is None) != (anchor_votes is None):
        raise OptionError(where="--anchors", expected="anchors and votes on them (--anchor-votes) together")
    if threshold is not None and anchors is None:
        raise OptionError(where="--threshold", expected="anchors to calibrate it on (--anchors, --anchor-votes)")
    if by_source and not bootstrap:
        raise OptionError(where="--by-source", expected="replicates beside it (--bootstrap)")
    if strength is not None and not strength < float("inf"):
        raise OptionError(where="--strength", expected="a number")
    if output != "-" and summary != "-":
        _open_output()
    table, _ = _table(votes, dialogues, rater, without, visit, exclude_source, gate)
    terms = tuple(covariate) if covariate else ("source", "group") if dialogues else ()
    fused = fuse_votes(
        table, method,
        Options(design=design, missing=missing, terms=tuple(term for term in terms if term != "none"),
                strength=strength, prior=prior, pooled=pooled, threshold=threshold, n_starts=starts, seed=seed,
                allow_unidentified=allow_unidentified),
        None if anchors is None else on_anchors(read_anchors(anchors), read_votes(anchor_votes or ())))
    intervals = None
    if bootstrap:
        with _progress(range(bootstrap), "replicates", total=bootstrap) as ticks:
            step = iter(ticks)
            intervals = fused.bootstrap(bootstrap, seed, by_source=by_source, progress=lambda: next(step, None))
    write_jsonl(output, (one.to_dict() for one in fused.references()))
    if summary is not None:
        _write_text(summary, to_json(fused.to_dict() | {"bootstrap": intervals}) + "\n")
    if "-" in (output, summary):
        return
    _show(fusion_view(fused, intervals))


def _table(
    votes: Sequence[str], dialogues: Sequence[str] | None, rater: Sequence[str] | None, without: Sequence[str] | None,
    visit: str | None, exclude_source: Sequence[str] | None, gate: float | None,
) -> tuple[VoteTable, tuple[Validity, ...]]:
    """The votes as a table: of the reference pool, if there are dialogues, and of the raters that are asked for and
    pass the gate of valid answers; and how valid the answers of all of these raters are.

    The gate is by language, where dialogues tell it: a rater can be left out of the one and stay in the other.
    """
    from .corpora import read_dialogues, read_votes, reference_pool, vote_table
    from .raters.validity import GATE_SHARE, Tally, without_left_out

    if dialogues is None and (visit is not None or exclude_source):
        raise OptionError(where="--visit, --exclude-source", expected="the dialogues (--dialogues) beside them")
    chosen = set(rater) if rater else None
    seen: set[str] = set()
    pool, others = None, set()
    if dialogues is not None:
        held = list(read_dialogues(dialogues))
        pool = reference_pool(held, visit=visit, exclude_sources=exclude_source or ())
        others = {one.dialogue_id for one in held} - {one.dialogue_id for one in pool}
    tally = Tally({one.dialogue_id: one.language for one in pool or ()}, GATE_SHARE if gate is None else gate)

    def given(stream: Iterable[Vote]) -> Iterator[Vote]:
        for vote in stream:
            seen.add(vote.rater)
            if vote.dialogue_id not in others and vote.rater not in (without or ()):
                if chosen is None or vote.rater in chosen:
                    tally.add(vote)
                yield vote
        for option, names in (("--rater", rater), ("--without", without)):
            for name in names or ():
                if name not in seen:
                    raise OptionError(where=option, expected=f"a rater that votes in the files, found {shown(name)}")

    with _progress(read_votes(votes, frames=False, cells=True), "votes") as stream:
        table = vote_table(given(stream), pool, raters=chosen)
    found = tally.result()
    table, gone = without_left_out(table, found)
    for one in gone:
        typer.echo(f"left out: votes of {shown(one.rater)} ({one.language}), {one.valid} of {one.answers} answers "
                   f"valid", err=True)
    return table, found


def _show(parts: Iterable[Any]) -> None:
    """Tables and lines on standard output; lines are not broken."""
    from rich.text import Text

    from .report.terminal import console

    screen = console()
    for part in parts:
        screen.print(part, soft_wrap=isinstance(part, Text))


def _open_output() -> None:
    if sys.stdout is None:
        raise OutputError(where="standard output", expected="an output that is open, or --output FILE")


def _one_of(option: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise OptionError(where=option, expected=f"{' or '.join(known)}, found {shown(value)}")


@app.command(epilog=NOTICE)
def panel(
    votes: Annotated[list[str], typer.Argument(metavar="VOTES...", help=_IN)],
    dialogues: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="the dialogues: participants, sources, languages")] = None,
    output: Figures = None,
    rater: Annotated[list[str] | None, typer.Option(metavar="NAME", help="only votes of this one")] = None,
    without: Annotated[list[str] | None, typer.Option(metavar="NAME", help="no votes of this one")] = None,
    gate: Gate = None,
    anchor_votes: Annotated[list[str] | None, typer.Option(metavar="VOTES", help="the raters' votes on them")] = None,
    anchors: Annotated[str | None, typer.Option(metavar="FILE", help="anchors, to compare the references on")] = None,
    replicates: Annotated[
        int, typer.Option(min=0, max=100_000, metavar="N", help="of the participants, for intervals")] = 1000,
    by_source: Annotated[bool, typer.Option("--by-source", help="participants drawn within their source")] = False,
    simulated: Annotated[
        int, typer.Option(min=0, max=100_000, metavar="N", help="votes drawn from each fitted model")] = 200,
    fusion: Annotated[bool, typer.Option("--fusion/--no-fusion", help="references, made and compared")] = True,
    visit: Annotated[str | None, typer.Option(help="the visit to take; each participant's first if not given")] = None,
    exclude_source: Annotated[list[str] | None, typer.Option(metavar="NAME", help="a source to leave out")] = None,
    starts: Annotated[int, typer.Option(min=1, max=100, help="starting points of each fit")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="of what is drawn, and of starting points")] = 0,
) -> None:
    """How raters agree, depend, generalize and differ in severity, and what references fusions make of their votes."""
    from rich.text import Text

    from .anchors import read_anchors
    from .corpora import read_votes, to_json
    from .fusion import anchor_votes as on_anchors
    from .report import panel as psychometrics
    from .report.panel_terminal import panel_view
    from .report.terminal import console

    if output is not None:
        _check_inputs([*votes, *(dialogues or ()), *(anchor_votes or ()), *([anchors] if anchors else [])], output)
    else:
        _open_output()
    if (anchors is None) != (anchor_votes is None):
        raise OptionError(where="--anchors", expected="anchors and votes on them (--anchor-votes) together")
    table, found = _table(votes, dialogues, rater, without, visit, exclude_source, gate)
    held = None if anchors is None else on_anchors(read_anchors(anchors), read_votes(anchor_votes or ()))
    settings = psychometrics.Settings(replicates, seed, by_source, simulated, fusion=fusion, starts=starts)
    parts = psychometrics.panel_parts(table, settings, anchors=held, validity=found)
    with _progress(parts, "parts", total=len(settings.parts(anchors=held is not None))) as stream:
        report = psychometrics.gather(table, settings, dict(stream))
    if output is not None:
        _write_text(output, to_json(report) + "\n")
        if output == "-":
            return  # a JSON object with tables after it would be none
    screen = console()
    for part in panel_view(report):
        screen.print(part, soft_wrap=isinstance(part, Text))
        screen.print()


@app.command(epilog=NOTICE)
def plan(
    dialogues: Dialogues,
    output: Output,
    n: Annotated[int, typer.Option("--n", min=1, help="cells")],
    split: Annotated[str, typer.Option(metavar="dev|test", help="of the participants")],
    seed: Annotated[int, typer.Option(min=0, help="of the split and of the draw")] = 0,
    visit: Annotated[str | None, typer.Option(help="the visit to take; each participant's first if not given")] = None,
    exclude_source: Annotated[list[str] | None, typer.Option(metavar="NAME", help="a source to leave out")] = None,
) -> None:
    """Which cells a model audit will ask: labelled ones, by source, dimension and label, of one split."""
    from .audit import plan_cells
    from .corpora import read_dialogues, reference_pool, write_jsonl

    _check_inputs(dialogues, output)
    pool = reference_pool(read_dialogues(dialogues), visit=visit, exclude_sources=exclude_source or ())
    write_jsonl(output, (one.to_dict() for one in plan_cells(pool, n, split, seed)))


@app.command(epilog=NOTICE)
def predict(
    dialogues: Dialogues,
    plan: Annotated[str, typer.Option(metavar="FILE", help="which cells; evidial plan makes it")],
    method: Annotated[list[str], typer.Option(
        metavar="NAME", help="B0, B1, B2 or M, each with every model; or rules, which is the rule judge; may be given "
                             "again")],
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help=_OUT)] = None,
    model: Annotated[list[str] | None, typer.Option(
        metavar="NAME", help="provider/model; may be given again")] = None,
    recorded: Annotated[str | None, typer.Option(
        metavar="FILE", help="raw answers of an earlier run; nobody is asked, and without --model all its models "
                             "predict")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="how much would be asked; nothing is")] = False,
    base_url: BaseUrl = None,
    max_connections: MaxConnections = None,
    temperature: Temperature = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    timeout: Timeout = None,
    max_retries: MaxRetries = None,
    response_schema: ResponseSchema = None,
    cache: Cache = None,
    raw: Raw = None,
) -> None:
    """Predictions of native labels on planned cells, by model and method: one each, whatever fails."""
    from .audit.rulebaseline import METHOD as RULES
    from .raters.llm.methods import METHODS

    given = _given(base_url=base_url, connections=max_connections, temperature=temperature, max_tokens=max_tokens,
                   seed=seed, timeout=timeout, retries=max_retries, schema=response_schema, cache=cache)
    for name in method:
        _one_of("--method", name, (*METHODS, RULES))
    for option, names in (("--method", method), ("--model", model or [])):
        if len(set(names)) < len(names):
            raise OptionError(where=option, expected="each once")
    asking = [name for name in method if name != RULES]
    if output is None and not dry_run:
        raise OptionError(where="--output", expected="a file for the predictions, or --dry-run")
    if not asking and (model or given or raw is not None or recorded is not None):
        raise OptionError(where="--method", expected=f"one of {', '.join(METHODS)} beside what is for models; rules "
                                                     "takes none")
    if asking and not model and recorded is None:
        raise OptionError(where="--model", expected=f"a model as provider/model for the method {asking[0]}, or "
                                                    "--recorded FILE")
    if recorded is not None:
        if dry_run or raw is not None:
            raise OptionError(where="--recorded", expected="neither --dry-run nor --raw, since nobody is asked")
        if given.keys() - {"temperature", "max_tokens", "seed", "schema"}:
            raise OptionError(where="--recorded", expected="no option of how a provider is reached, since nobody is "
                                                           "asked")
    inputs = [*dialogues, plan, *([recorded] if recorded is not None else [])]
    if inputs.count("-") > 1:
        raise OptionError(where="DIALOGUES", expected="one input at most that is standard input")
    if output is not None:
        _check_inputs(inputs, output)
    if asking and recorded is None and (raw is not None or output is not None):
        raw = _raw_file(raw, output or "-")
        _check_inputs([*inputs, *([output] if output is not None else [])], raw)
    _predict(dialogues, plan, output, asking, model or [], given, raw=raw, recorded=recorded, dry_run=dry_run,
             rules=RULES in method)


def _predict(
    dialogues: Sequence[str], plan: str, output: str | None, methods: Sequence[str], models: Sequence[str],
    given: Mapping[str, Any], *, raw: str | None, recorded: str | None, dry_run: bool, rules: bool,
) -> None:
    """First every request is made that the raw answers lack, then all predictions are written."""
    from .audit import planned_dialogues, rule_predictions
    from .corpora import read_dialogues, read_plan, to_json
    from .raters.llm import Predictor, RawLog, RecordedPredictor, Settings, ask
    from .raters.llm.predictor import recorded_models
    from .raters.llm.transport import check_model
    from .report.predictions import Outcomes, forecast_view, outcome_view
    from .report.terminal import console

    if models and recorded is None and not dry_run:
        for name in models:
            check_model(name, given.get("base_url"))  # a package that is missing is told before anything is read
    if recorded is not None:
        log = RawLog.reading(recorded)
        models = list(models) or list(recorded_models(log))
        if not models:
            raise OptionError(where="--recorded", expected="a file with raw answers, found none")
    elif dry_run:
        log = RawLog.reading(raw) if raw is not None and os.path.exists(raw) else RawLog()
    else:
        log = RawLog(raw)
    cells = list(read_plan(plan))
    with _progress(read_dialogues(dialogues), "dialogues") as stream:
        held = planned_dialogues(cells, stream)
    talks = list(held.values())
    if recorded is None:
        predictors = [Predictor(name, methods, cells, Settings(**given), log) for name in models]
    else:
        replayed = [RecordedPredictor(name, methods, cells, log, given) for name in models]
        for one in replayed:
            one.check(talks)
        predictors = [*replayed]
    if dry_run:
        screen = console()
        for part in forecast_view(row for one in predictors for row in one.forecast(talks)):
            screen.print(part)
        return
    assert output is not None
    screen = console(stderr=True)
    asked: Mapping[str, set[str]] = {name: set() for name in models}
    if predictors and recorded is None:
        with log:
            for part in forecast_view(row for one in predictors for row in one.forecast(talks)):
                screen.print(part)
            with _counter("requests", len(predictors) * len(methods) * len(cells)) as tick:
                asked = ask(predictors, talks, tick=tick)
    found = Outcomes()

    def lines() -> Iterator[bytes]:
        from .raters.rules import RulesRater

        parts = [one.predictions(held, name) for one in predictors for name in methods]
        if rules:
            parts.append(iter(rule_predictions(cells, talks, RulesRater())))
        for prediction in (one for part in parts for one in part):
            found.add(prediction)
            yield to_json(prediction.to_dict()).encode("utf-8") + b"\n"

    _write_lines(output, lines())
    usage = {f"{one.name} {name}": one.usage(talks, name, asked[one.name]) for one in predictors for name in methods}
    for part in outcome_view(found, usage):
        screen.print(part)


@app.command(epilog=NOTICE)
def score(
    predictions: Annotated[list[str], typer.Argument(metavar="PREDICTIONS...", help=_IN)],
    reference: Annotated[str, typer.Option(metavar="FILE", help="a reference, by one method")],
    dialogues: Annotated[list[str], typer.Option(metavar="FILE", help="the dialogues, with scores")],
    plan: Annotated[str | None, typer.Option(metavar="FILE", help="what was to be asked")] = None,
    other: Annotated[
        list[str] | None, typer.Option("--other-reference", metavar="FILE", help="to set beside it")] = None,
    checked: Annotated[
        str | None, typer.Option(metavar="FILE", help="states that people gave to some of the cells")] = None,
    replicates: Annotated[int, typer.Option(min=0, max=100_000, metavar="N", help="draws of participants")] = 2000,
    by_source: Annotated[bool, typer.Option("--by-source", help="participants drawn within their source")] = False,
    seed: DrawSeed = 0,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="all figures as one JSON object")] = None,
) -> None:
    """The unsupported-correct rate of each model and method, and what has to stand beside it."""

    from .audit import audit_table
    from .corpora import read_dialogues, read_plan, read_predictions, read_references, to_json
    from .report.audit import Settings, audit_report, audit_view

    inputs = [*predictions, reference, *dialogues, *([plan] if plan else []), *(other or ()),
              *([checked] if checked else [])]
    if output is not None:
        _check_inputs(inputs, output)
    else:
        _open_output()
    table = audit_table(read_predictions(predictions), read_references(reference, cells=True),
                        read_dialogues(dialogues), None if plan is None else read_plan(plan))
    others: dict[str, list[Any]] = {}
    for file in other or ():
        lines = list(read_references(file, cells=True))
        name = lines[0].method if lines else file
        if name in others or name == table.reference:
            raise OptionError(where="--other-reference", expected=f"another method than {shown(name)}")
        others[name] = lines
    found = audit_report(table, Settings(replicates, seed, by_source), others=others,
                         checked=None if checked is None else list(read_references(checked)))
    if output is not None:
        _write_text(output, to_json(found) + "\n")
        if output == "-":
            return
    _show(audit_view(found))


@app.command(epilog=NOTICE)
def gaps(
    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help=_IN)],
    dialogues: Annotated[list[str], typer.Option(metavar="FILE", help="the dialogues, with scores if there are any")],
    replicates: Draws = 2000,
    seed: DrawSeed = 0,
    output: Figures = None,
) -> None:
    """How much evidence the dialogues hold: states by source, language, dimension and label."""

    from .corpora import read_dialogues, read_references, to_json
    from .report.audit import gap_report, gap_view

    if output is not None:
        _check_inputs([reference, *dialogues], output)
    else:
        _open_output()
    found = gap_report(read_references(reference, cells=True), read_dialogues(dialogues), replicates, seed)
    if output is not None:
        _write_text(output, to_json(found) + "\n")
        if output == "-":
            return
    _show(gap_view(found))


human = typer.Typer(name="human", no_args_is_help=True, rich_markup_mode=None,
                    help="Blinded human validation: cells drawn, forms out, answers in, agreement and rescoring.")
app.add_typer(human)
Key = Annotated[str, typer.Option(metavar="KEY", help="the key of the study, which stays with you")]
Texts = Annotated[list[str], typer.Option(
    metavar="FILE", help="the dialogues, and the anchors if some were drawn; may be given again")]


@human.command("sample", epilog=NOTICE)
def human_sample(
    dialogues: Dialogues,
    output: Annotated[str, typer.Option("-o", "--output", metavar="KEY", help="the key, which stays with you")],
    reference: Annotated[str, typer.Option(metavar="FILE", help="a reference, by one method: its cells are drawn")],
    n: Annotated[int, typer.Option("--n", min=1, help="cells")] = 120,
    seed: Annotated[int, typer.Option(min=0, help="of the draw, the ids and the order")] = 0,
    allocation: Annotated[
        str, typer.Option(metavar="proportional|even", help="how n is spread over the strata")] = "proportional",
    plan: Annotated[
        str | None, typer.Option(metavar="FILE", help="only cells of this plan, which a model audit asked")] = None,
    anchors: Annotated[str | None, typer.Option(metavar="FILE", help="anchors to mix in")] = None,
    anchors_n: Annotated[int, typer.Option("--anchors-n", min=0, help="how many, evenly over the classes")] = 0,
) -> None:
    """Draws cells by source, dimension and reference state, and gives them ids that say nothing."""
    from .anchors import read_anchors
    from .audit.human import ALLOCATIONS, sample
    from .corpora import read_dialogues, read_plan, read_references, write_jsonl

    _one_of("--allocation", allocation, ALLOCATIONS)
    if (anchors is None) != (anchors_n == 0):
        raise OptionError(where="--anchors", expected="a file of anchors and how many of them (--anchors-n) together")
    _check_inputs([*dialogues, reference, *([plan] if plan else []), *([anchors] if anchors else [])], output)
    only = None if plan is None else {(one.dialogue_id, one.dimension) for one in read_plan(plan)}
    key = sample(read_dialogues(dialogues), read_references(reference), n, seed, allocation=allocation, only=only,
                 anchors=() if anchors is None else read_anchors(anchors), n_anchors=anchors_n)
    write_jsonl(output, (one.to_dict() for one in key.items.values()))
    typer.echo(f"{len(key.cells)} cells and {len(key.anchors)} anchors", err=True)
    if key.unrepresented:
        typer.echo(f"{key.unrepresented} of the {key.pool} cells are in strata of which none was drawn: no weight "
                   "stands for them", err=True)


@human.command("export", epilog=NOTICE)
def human_export(
    key: Annotated[str, typer.Argument(metavar="KEY", help="of evidial human sample")],
    dialogues: Texts,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="where the forms go")],
    annotator: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="a form for this one; may be given again")] = None,
    third: Annotated[
        str | None, typer.Option(metavar="NAME", help="a form for the third rater, of what differs")] = None,
    annotations: Annotated[
        str | None, typer.Option(metavar="FILE", help="what the annotators said, for the third rater")] = None,
    language: Annotated[
        str | None, typer.Option(metavar="en|zh", help="of the form; that of the dialogues, else en")] = None,
    label_studio: Annotated[
        bool, typer.Option("--label-studio", help="tasks and a labelling configuration beside each form")] = False,
) -> None:
    """For each annotator a form that works offline, in an order of its own, and on request Label Studio tasks."""
    from .audit import human as study
    from .contract import LANGUAGES
    from .corpora import read_dialogues, to_json

    if (third is None) == (not annotator):
        raise OptionError(where="--annotator", expected="annotators, or a third rater (--third)")
    if (third is None) != (annotations is None):
        raise OptionError(where="--third", expected="a name and the annotators' answers (--annotations) together")
    names = [study.annotator_name(name, "--annotator") for name in annotator or [third]]
    if len({name.casefold() for name in names}) < len(names):
        raise OptionError(where="--annotator", expected="each name once")
    if language is not None:
        _one_of("--language", language, LANGUAGES)
    held = study.read_key(key)
    talks = study.dialogues_of(held, read_dialogues(dialogues))
    differing, settled = None, 0
    if third is not None and annotations is not None:
        earlier = study.read_annotations(annotations, held, talks)
        for one in earlier:
            alike = one.annotator.casefold() == third.casefold()
            if alike and one.round == study.FIRST:
                raise OptionError(where="--third", expected="somebody who has not annotated before")
            if alike and one.annotator != third:
                raise OptionError(where="--third",
                                  expected=f"a name that differs by more than case from {one.annotator}")
        differing, every = study.unsettled(earlier, third), study.differing(earlier)
        if not every:
            raise OptionError(where="--annotations", expected="annotators who differ on at least one item")
        if not differing:
            raise OptionError(where="--annotations", expected="an item that differs, that no third rater has resolved "
                                                              f"and that {third} has not judged")
        settled = len(every) - len(differing)
    spoken = language or study.language_of(held, talks)
    number = study.FIRST if third is None else study.THIRD
    mark = "" if third is None else f".round{number}"
    files: dict[str, str] = {}
    for name in names:
        asked = study.questions(held, talks, name, spoken, differing=differing)
        files[f"{name}{mark}.html"] = study.form_page(asked, study=held.study, annotator=name, language=spoken,
                                                      round=number)
        if label_studio:
            made = study.tasks(asked, study=held.study, annotator=name, language=spoken, round=number)
            files[f"{name}{mark}.label-studio.json"] = "[" + ",\n".join(map(to_json, made)) + "]\n"
    if label_studio:
        files[f"label-studio{mark}.xml"] = study.labelling_config(spoken, third=third is not None)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(where=str(output), expected=f"a folder that can be made ({error.strerror})") from None
    for file in files:
        _check_inputs([key, *dialogues, *([annotations] if annotations else [])], str(output / file))
    _write_together({str(output / file): text.encode("utf-8") for file, text in files.items()})
    typer.echo(f"{len(held.items if differing is None else differing)} items for {', '.join(names)}: "
               f"{', '.join(files)}", err=True)
    if settled:
        typer.echo(f"{settled} more that differ are resolved, or judged by {third}, and not asked again", err=True)


@human.command("import", epilog=NOTICE)
def human_import(
    files: Annotated[list[str], typer.Argument(
        metavar="ANSWERS...", help="of forms, or Label Studio exports (JSON); - is standard input")],
    key: Key,
    dialogues: Texts,
    output: Output,
    annotations: Annotated[
        str | None, typer.Option(metavar="FILE", help="earlier annotations, to which these are added")] = None,
    reference: Annotated[
        str | None, typer.Option(metavar="FILE", help="the human reference, for evidial score")] = None,
    votes: Annotated[str | None, typer.Option(metavar="FILE", help="votes on the cells, for evidial panel")] = None,
    anchor_votes: Annotated[str | None, typer.Option(metavar="FILE", help="votes on the anchors")] = None,
) -> None:
    """Checks answers against the key and the text; writes annotations, votes and the human reference."""
    from .audit import human as study
    from .corpora import read_dialogues

    wanted = [one for one in (output, reference, votes, anchor_votes) if one is not None]
    for place, one in enumerate(wanted):
        _check_inputs([*files, key, *dialogues, *([annotations] if annotations else [])], one)
        for other in wanted[:place]:
            _check_inputs([], one, other)
    held = study.read_key(key)
    talks = study.dialogues_of(held, read_dialogues(dialogues))
    earlier = study.read_annotations(annotations, held, talks) if annotations is not None else ()
    merged, handed = study.import_answers(files, held, talks, earlier)
    made: list[tuple[str, Iterable[Any]]] = [(output, merged)]
    for file, kind in ((votes, "cell"), (anchor_votes, "anchor")):
        if file is not None:
            made.append((file, [one.vote() for one in merged if held.items[one.item].kind == kind]))
    if reference is not None:
        made.append((reference, study.human_reference(held, merged)))
    _write_together({file: _rendered(file, rows) for file, rows in made})
    for row in handed:
        typer.echo(f"{row.annotator} (round {row.round}): {row.answered} of {row.items} items answered, {row.missing} "
                   f"missing, {row.without_quote} without a quote", err=True)
    state = study.adjudication(merged)
    typer.echo(f"{state['differing']} items differ, {state['adjudicated']} of them adjudicated, {state['resolved']} "
               "resolved", err=True)


@human.command("agree", epilog=NOTICE)
def human_agree(
    annotations: Annotated[str, typer.Argument(metavar="ANNOTATIONS", help="of evidial human import")],
    key: Key,
    dialogues: Texts,
    reference: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="to compare with people; may be given again")] = None,
    predictions: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="a model audit, to score anew; may be given again")] = None,
    plan: Annotated[str | None, typer.Option(metavar="FILE", help="what the audit asked")] = None,
    replicates: Annotated[int, typer.Option(min=0, max=100_000, metavar="N", help="draws of participants")] = 2000,
    seed: DrawSeed = 0,
    output: Figures = None,
) -> None:
    """Agreement of the annotators, anchors recovered, references beside people, the model audit under both."""
    from .audit import human as study
    from .corpora import read_dialogues, read_plan, read_predictions, read_reference_rows, to_json
    from .corpora.files import name_of
    from .report.human import human_view

    if predictions and not reference:
        raise OptionError(where="--predictions", expected="a reference beside them (--reference)")
    if plan is not None and not predictions:
        raise OptionError(where="--plan", expected="predictions beside it (--predictions)")
    if output is not None:
        _check_inputs([annotations, key, *dialogues, *(reference or ()), *(predictions or ()),
                       *([plan] if plan else [])], output)
    else:
        _open_output()
    held = study.read_key(key)
    texts = {one.dialogue_id: one for one in read_dialogues(dialogues)}
    given = study.read_annotations(annotations, held, study.dialogues_of(held, texts.values()))
    by_method: dict[str, list[Any]] = {}
    filled: set[str] = set()
    for row, line in read_reference_rows(reference or []):
        filled.add(row.file)
        by_method.setdefault(line.method, []).append(line)
    for file in reference or ():
        if not filled or (name_of(file) not in filled and not os.path.isdir(file)):
            raise OptionError(where="--reference", expected=f"at least one cell in {name_of(file)}, found none")
    if study.METHOD in by_method:
        raise OptionError(where="--reference", expected="references to compare with people, found the human one")
    found = study.human_report(
        held, given, texts.values(), references=by_method, plan=None if plan is None else read_plan(plan),
        predictions=None if predictions is None else read_predictions(predictions), replicates=replicates, seed=seed)
    if output is not None:
        _write_text(output, to_json(found) + "\n")
        if output == "-":
            return
    _show(human_view(found))


@app.command(epilog=NOTICE)
def freeze(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="the folder of a study")],
    add: Annotated[
        list[str] | None, typer.Option("--input", metavar="FILE", help="a file elsewhere that the study reads")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="the study's, for the record")] = None,
) -> None:
    """Adds the folder's new files, hidden ones apart, to its manifest: a chain of hashes in the order of time."""
    from .audit import MANIFEST
    from .audit import freeze as freeze_folder

    added = freeze_folder(folder, inputs=add or (), seed=seed)
    files = sum(one.kind == "file" for one in added)
    typer.echo(f"{files} files frozen in {folder / MANIFEST}" if added else "nothing is new since the last freeze")


@app.command(epilog=NOTICE)
def verify(folder: Annotated[Path, typer.Argument(metavar="DIR", help="a folder that was frozen")]) -> None:
    """Computes a frozen folder's chain again; status 2 at the first broken link."""
    from .audit import verify as verify_folder
    from .audit.freeze import shown_path

    found = verify_folder(folder)
    freezes = [one for one in found.links if one.kind == "freeze"]
    typer.echo(f"the chain holds: {len(found.links) - len(freezes)} files in {len(freezes)} freezes, the last of "
               f"{freezes[-1].data['at']}; last link {found.links[-1].data['link'][:16]}")
    for name, (frozen, now) in found.differences.items():
        typer.echo(f"note: {name} of the last freeze: {shown_path(frozen)}; here: {shown_path(now)}")
    if found.loose:
        typer.echo(f"note: {len(found.loose)} files are not frozen, the first of them {shown_path(found.loose[0])}")


@app.command(epilog=NOTICE)
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=(
        "a study's folder: dialogues, cells, votes, reference, plan, predictions, anchors, anchor_votes, human and "
        "gold, each .jsonl or .parquet, as many as there are; further votes, references and anchor_votes as "
        "KIND-NAME"))],
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="OUT", help="a folder, or a page's name (.html); DIR/report if not given")] = None,
    replicates: Draws = 2000,
    gate: Gate = None,
    visit: Annotated[str | None, typer.Option(help="the visit to take; each participant's first if not given")] = None,
    exclude_source: Annotated[list[str] | None, typer.Option(metavar="NAME", help="a source to leave out")] = None,
    seed: DrawSeed = 0,
) -> None:
    """The paper's tables and figures from the files in DIR: one page that opens offline, and CSV, SVG and PNG files."""
    from .report.study import Settings

    defaults = Settings()
    _report(folder, output, Settings(replicates, seed, defaults.gate if gate is None else gate, visit,
                                     tuple(exclude_source or ())))


def _report(folder: Path, output: Path | None, settings: Any) -> None:
    from .report.study import Missing, write_study
    from .report.study.measures import PARTS

    with _counter("parts", len(PARTS)) as tick:
        place, found = write_study(folder, output, settings, tick)
    items = [item for section in found for item in section.items]
    made = sum(not isinstance(item, Missing) for item in items)
    typer.echo(f"{place}: {made} tables and figures, CSV, SVG and PNG files beside it")
    for item in items:
        if isinstance(item, Missing):
            typer.echo(f"not made: {item.title} (needs {' and '.join(item.needs)})")


@app.command(epilog=NOTICE)
def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="where the files go")] = Path("evidial-demo"),
) -> None:
    """From dialogues to a report on what ships: states beside gold, a simulated panel and audit, anchors."""
    from rich.text import Text

    from .contract import DIMENSIONS
    from .corpora import read_dialogues, write_jsonl
    from .pipeline.annotator import Annotator
    from .raters.rules import cell_line
    from .report.anchors import mode_table
    from .report.demo import gold_and_anchors, panel_and_audit
    from .report.html import cell_page, states_page
    from .report.states import StateRow, read_gold
    from .report.study import ReportError, Settings
    from .report.study.charts import check_matplotlib
    from .report.terminal import console, states_table
    from .report.trace import Trace
    from .resources import load_instrument, resource

    dialogues = list(read_dialogues(resource("data", "dialogues.jsonl")))
    gold = read_gold(resource("data", "gold.jsonl"))
    try:
        for name in ("cells", "simulated"):
            (output / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(where=str(output), expected=f"a folder that can be made ({error.strerror})") from None
    annotator = Annotator()
    judged: list[tuple[Dialogue, tuple[Cell, ...]]] = []
    provenance = ""
    with _progress(dialogues, "dialogues", total=len(dialogues)) as shown_stream:
        for dialogue in shown_stream:
            cells = annotator.cells(dialogue)
            judged.append((dialogue, cells))
            for cell in cells:
                trace = Trace.of(dialogue, cell, load_instrument(dialogue.instrument))
                provenance = trace.provenance
                _write_text(output / "cells" / _cell_file(dialogue.dialogue_id, cell.dimension), cell_page(trace))
    rows = [StateRow.of(dialogue, cells, gold.get(dialogue.dialogue_id)) for dialogue, cells in judged]
    write_jsonl(output / "dialogues.jsonl", dialogues)
    _write_lines(str(output / "cells.jsonl"), (cell_line(cell) for _, cells in judged for cell in cells))
    page = states_page(rows, DIMENSIONS, provenance, link=lambda i, d: f"cells/{_cell_file(i, d)}",
                       title="Evidence states of the dialogues that ship")
    _write_text(output / "report.html", page)
    screen = console()
    screen.print(states_table(rows, DIMENSIONS))
    screen.print(f"{provenance}\n{NOTICE}\n", soft_wrap=True)
    for part in panel_and_audit(dialogues, [cell for _, cells in judged for cell in cells], output / "simulated"):
        screen.print(part, soft_wrap=isinstance(part, Text))
    screen.print()
    screen.print(mode_table(gold_and_anchors(output)))
    screen.print(f"\n{output}/report.html has the states, with a page that says why for each cell; {output}/simulated "
                 "has the files of the panel and the audit", soft_wrap=True)
    try:
        check_matplotlib()
    except ReportError:
        screen.print("no report: the extra `report` is missing (pip install 'evidial-rules[report]')", soft_wrap=True)
    else:
        _report(output, None, Settings())


def _cell_file(dialogue_id: str, dimension: str) -> str:
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else f"%{ord(c):x}" for c in dialogue_id)
    return f"{safe}.{dimension}.html"


def _folder(path: Path | None) -> Path | None:
    if path is not None:
        from .resources import own_lexicons

        own_lexicons(path)
    return path


def _check_inputs(inputs: Sequence[str | Path], *outputs: str) -> None:
    """An output that is one of the inputs would end them both, and so would two outputs that are one."""
    for output in outputs:
        for one in inputs:
            if os.fspath(one) != "-" and output != "-" and _same(one, output):
                raise OptionError(where="--output", expected=f"another file than the input ({output} is read)")
    if len(outputs) == 2 and _same(*outputs):
        raise OptionError(where="--output", expected=f"another file than the second output ({outputs[1]})")


def _same(one: str | Path, other: str | Path) -> bool:
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def _rejected_file(output: str) -> str | None:
    """Where the bad lines are listed; None beside standard output, a device or a pipe: then standard error has them."""
    if output == "-" or (os.path.exists(output) and not os.path.isfile(output) and not os.path.isdir(output)):
        return None
    return f"{output.rstrip('/' + os.sep)}.rejected.jsonl"


def _write_lines(output: str, blocks: Iterable[bytes]) -> None:
    from .corpora import atomic, write_jsonl
    from .corpora.files import is_parquet

    if is_parquet(output):
        import json

        write_jsonl(output, (json.loads(line) for block in blocks for line in block.splitlines()))
        return
    with atomic(output) as stream:
        for block in blocks:
            stream.write(block)


def _write_text(output: str | Path, text: str) -> None:
    from .corpora import atomic

    with atomic(output) as stream:
        stream.write(text.encode("utf-8"))


def _rendered(output: str, rows: Iterable[Any]) -> bytes:
    """What `write_jsonl` makes of rows under this name."""
    import tempfile

    from .corpora import write_jsonl
    from .corpora.files import is_parquet

    with tempfile.TemporaryDirectory() as folder:
        staged = Path(folder) / ("rows.parquet" if is_parquet(output) else "rows.jsonl")
        write_jsonl(staged, rows)
        return staged.read_bytes()


def _write_together(files: Mapping[str, bytes]) -> None:
    """Several outputs, all of them or none: each is whole, and its name known to be free, before the first is in
    place."""
    from .corpora import atomic

    with ExitStack() as whole:
        streams = {file: whole.enter_context(atomic(file)) for file in files}
        # Standard output is not taken back: last.
        for file in sorted(files, key=lambda name: name == "-"):
            streams[file].write(files[file])
            streams[file].flush()


def _write_both(output: str, blocks: Iterable[bytes], listed: str, rejected: Iterable[Rejected]) -> None:
    """The output and the list of bad lines: both are whole before the first of them is in place.

    The list is written even if it is empty, so that none of an earlier run stays beside this output.
    """
    from .corpora import atomic, to_json

    with atomic(listed) as stream:
        def then_list() -> Iterator[bytes]:
            yield from blocks
            for one in rejected:
                stream.write(to_json(one).encode("utf-8") + b"\n")
            stream.flush()

        _write_lines(output, then_list())


@contextmanager
def _progress(items: Iterable[T], what: str, *, total: int | None = None) -> Iterator[Iterable[T]]:
    """The items, counted on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield items
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from .report.terminal import console

    columns = (BarColumn(), TextColumn("{task.completed} {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def counted() -> Iterator[T]:
            for item in items:
                yield item
                bar.advance(task)

        yield counted()


@contextmanager
def _counter(what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """A function that counts one more, shown on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from .report.terminal import console

    shown_total = "" if total is None else " of {task.total}"
    columns = (BarColumn(), TextColumn("{task.completed}" + shown_total + " {task.description}"), TimeElapsedColumn(),
               TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


class _Ended(BaseException):
    """Asked to end by a signal: unwinds, so that temporary files and workers go."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


def _end(number: int, frame: object) -> None:
    for other in _SIGNALS:  # the first one counts: a second must not interrupt the clearing up
        signal.signal(other, signal.SIG_IGN)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise _Ended(number)


_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP unwind like Ctrl-C. What is ignored (nohup) or caught by somebody stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in before.items():
        if handler in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)


def _open_streams() -> None:
    """Closed standard streams (`2>&-`) lead nowhere. Else the next file that is opened would get their numbers, and
    what is printed with it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)
            except OSError:
                os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one
            if name == "stderr":
                sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and gives its exit status; `arguments` are those of the process if not given."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Chinese is no reason to fail
    try:
        with _ended_by_signals():
            return _run(arguments)
    except _Ended as ended:
        return _fail(f"ended by {signal.Signals(ended.number).name}", 128 + ended.number)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        status = app(args=None if arguments is None else list(arguments), prog_name="evidial", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        if status == 130:  # typer's for Ctrl-C
            return _fail("interrupted", 130)
        return status if isinstance(status, int) else 0
    except EvidialError as error:
        return _fail(str(error))
    except BrokenPipeError:
        # The reader has seen enough (head). Python would complain of it once more while it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        return _fail(f"{where}{error.strerror or type(error).__name__}")
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except Exception as error:
        return _unexpected(error)


def _unexpected(error: Exception) -> int:
    message: Any = getattr(error, "format_message", None)  # usage errors of typer and of click alike
    if message is not None:
        # Shown by what they ask for: a bare `evidial` gives the help.
        text = message()
        if "\n" in text:
            typer.echo(text, err=True)
            return 2
        return _fail(text)
    if type(error).__name__ == "Abort":
        return _fail("interrupted", 130)
    if os.environ.get("EVIDIAL_DEBUG"):
        raise error
    # An exception's own text may hold what was said.
    return _fail(f"unexpected {type(error).__name__}; this is a bug (EVIDIAL_DEBUG=1 shows where)", 1)


def _fail(message: str, status: int = 2) -> int:
    with suppress(OSError):  # a disk that is full, a terminal that is gone
        print(f"error: {' '.join(message.split())}", file=sys.stderr, flush=True)
    return status


def main() -> None:
    """Entry point of the `evidial` command."""
    sys.exit(run())
