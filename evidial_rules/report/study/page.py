"""A report as one page that needs nothing else, and as files beside it."""
from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path

from ...contract import CONTRACT_VERSION
from ...corpora import atomic
from ...errors import OutputError
from .. import NOTICE
from ..html import page
from ..trace import MEANINGS, visible
from . import charts, sheets
from .folder import KINDS, Folder, read_folder
from .measures import Measures, Settings, measure
from .values import WORD, Chart, Item, Missing, Section, Sheet

PAGE = "index.html"
FOLDER = "report"
"""Where a report goes if not told: a folder of this name inside the study's."""

_CSS = """
:root { color-scheme: light; } body { max-width: 84rem; }
h2 { border-bottom: 1px solid #ddd; padding-bottom: .2rem; } h3 { font-size: 1rem; }
.wide { overflow-x: auto; max-width: 100%; } .wide:focus-visible, a:focus-visible { outline: 2px solid #0958d9; }
.wide table { font-size: .84rem; font-variant-numeric: tabular-nums; margin: .3rem 0; }
.wide thead th { border-bottom: 1px solid #888; } .wide td, .wide tbody th { border-bottom: 1px solid #eee; }
.wide .n { text-align: right; } .wide td { white-space: nowrap; }
.wide .w div { width: max-content; max-width: 16rem; white-space: normal; overflow-wrap: anywhere; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.said, figcaption { color: #444; font-size: .9rem; max-width: 60rem; } .said { margin: .3rem 0; }
.note { color: #555; font-size: .86rem; max-width: 60rem; }
figure { margin: 1rem 0; } figure img { width: 100%; max-width: 34rem; height: auto; display: block; }
.sim { display: inline-block; background: #fff1f0; color: #a8071a; border: 1px solid #a8071a; border-radius: .3em;
  padding: 0 .5em; font-weight: 700; } .missing { border-left: 4px dotted #888; padding: .2rem 0 .2rem .8rem; }
nav > ol { columns: 21rem; column-gap: 2.5rem; padding-left: 1.5rem; } nav > ol > li { break-inside: avoid; }
nav li { margin: .15rem 0; } nav ul { padding-left: 1.2rem; }
details { margin: .4rem 0; } summary { cursor: pointer; }
@page { size: A4 landscape; margin: 12mm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } .wide { overflow: visible; }
  .wide table { font-size: 7pt; } .wide td, .wide th { white-space: normal; padding-right: .4rem; }
  figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } figure img { max-width: 12cm; }
  nav { break-after: page; } }
"""


def sections(measures: Measures) -> tuple[Section, ...]:
    """The report's parts in the paper's order. Raises ReportError, which names the extra, without matplotlib."""
    share = None if measures.audit is None else measures.audit.figures["not_sufficient_share"]

    def drawn(made: Sheet | Missing, draw: Callable[[Sheet], Chart]) -> Item:
        return draw(made) if isinstance(made, Sheet) and made.rows else made

    return (
        Section("votes", "Votes and references", (
            sheets.coverage(measures), sheets.references(measures), sheets.changes(measures))),
        Section("evidence", "How much evidence the dialogues hold", (
            drawn(sheets.by_source(measures), charts.stacked), drawn(sheets.by_dimension(measures), charts.stacked),
            sheets.by_label(measures))),
        Section("audit", "The model audit", (
            drawn(sheets.conditions(measures), lambda sheet: charts.audit_points(sheet, share)),
            *(sheets.audited(measures, part) for part in ("a", "b")),
            *(made for made in (sheets.audited(measures, "other"),) if isinstance(made, Sheet)),
            sheets.joint(measures), sheets.by_reference(measures))),
        Section("panel", "The panel of raters", (sheets.panel_quality(measures),)),
        Section("anchors", "Perturbation anchors", (sheets.modes(measures), sheets.classes(measures))),
        Section("human", "Beside people", (
            drawn(sheets.human_agreement(measures), lambda sheet: charts.grouped(
                sheet, "true state", "reference", "exact agreement")),
            drawn(sheets.human_anchors(measures), lambda sheet: charts.grouped(
                sheet, "failure mode", "rater", "share", "anchors")),
            drawn(sheets.rescored(measures), charts.rescored_points))),
        Section("corpora", "Corpora and gold", (sheets.corpora(measures), sheets.gold_agreement(measures))),
    )


def study_page(found: Iterable[Section], folder: Folder) -> str:
    """The page: what was read, a table of contents, and every table and figure or what it needs."""
    found = tuple(found)
    contents = "".join(
        f'<li><a href="#{one.key}">{escape(one.title)}</a><ul>'
        + "".join(f'<li><a href="#{_key(item)}">{escape(_title(item))}</a>{_aside(item)}</li>' for item in one.items)
        + "</ul></li>" for one in found)
    simulated = any(_simulated(item) for one in found for item in one.items)
    head = [
        "<h1>Evidence behind the predictions: report of a study</h1>", f'<p class="notice">{NOTICE}</p>',
        f'<p><span class="sim">{WORD}</span> Tables and figures with this mark are made of {WORD} data and say nothing '
        "of any model, rater or person.</p>" if simulated else "",
        f'<nav aria-label="Contents"><h2>Contents</h2><ol><li><a href="#files">Files</a></li>{contents}</ol></nav>',
        '<h2 id="files">Files</h2>', _files(folder),
        "<h2>What the states say</h2>", '<div class="wide" tabindex="0" role="region" aria-label="States"><table>'
        + "".join(f'<tr><th scope="row"><span class="state {state}">{state}</span></th>{_words(escape(text))}</tr>'
                  for state, text in MEANINGS.items()) + "</table></div>"]
    body = [part for one in found for part in (
        f'<section aria-labelledby="{one.key}"><h2 id="{one.key}">{escape(one.title)}</h2>',
        *(_item(item) for item in one.items), "</section>")]
    return page("Report of a study", [*head, "<main>", *body, "</main>"], f"contract {CONTRACT_VERSION}", css=_CSS)


def _key(item: Item) -> str:
    return item.sheet.key if isinstance(item, Chart) else item.key


def _title(item: Item) -> str:
    return item.sheet.title if isinstance(item, Chart) else item.title


def _simulated(item: Item) -> tuple[str, ...]:
    return () if isinstance(item, Missing) else item.sheet.simulated if isinstance(item, Chart) else item.simulated


def _aside(item: Item) -> str:
    if isinstance(item, Missing):
        return f' <span class="dim">(needs {escape(" and ".join(item.needs))})</span>'
    return f' <span class="dim">({WORD})</span>' if _simulated(item) else ""


def _files(folder: Folder) -> str:
    rows = [(one.name, KINDS[one.kind], f"{one.rows:,}", one.sha256[:16], one.simulated) for one in folder.files]
    mark = f'<span class="sim">{WORD}</span>'
    lines = "".join(
        f'<tr>{_words(escape(visible(name)))}{_words(escape(words))}<td class="n">{n}</td>'
        f'<td><code>{digest}</code></td><td>{mark if why else ""}</td></tr>'
        for name, words, n, digest, why in rows)
    gone = [f"{kind}.jsonl" for kind in KINDS if not folder.has(kind)]
    return (
        '<div class="wide" tabindex="0" role="region" aria-label="Files that were read"><table><thead>'
        '<tr><th scope="col">file</th><th scope="col">what</th><th scope="col" class="n">rows</th>'
        '<th scope="col">SHA-256, first 16 digits</th><th scope="col"></th></tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
        + (f'<p class="note">Not in the folder, or empty: {escape(", ".join(gone))}.</p>' if gone else ""))


def _badge(why: Iterable[str]) -> str:
    return f'<span class="sim">{WORD}</span> <span class="dim">made of {escape(visible(", ".join(why)))}</span>'


def _item(item: Item) -> str:
    key, title = _key(item), escape(_title(item))
    if isinstance(item, Missing):
        return (f'<div class="missing"><h3 id="{key}">{title}</h3><p>Not made: needs '
                f"{escape(' and '.join(item.needs))}.</p></div>")
    why = _simulated(item)
    mark = f"<p>{_badge(why)}</p>" if why else ""
    if isinstance(item, Sheet):
        return f'<h3 id="{key}">{title}</h3>{mark}{_table(item, item.caption)}{_notes(item)}'
    sheet, image = item.sheet, base64.b64encode(item.svg).decode("ascii")
    return (
        f'<h3 id="{key}">{title}</h3>{mark}<figure><img src="data:image/svg+xml;base64,{image}" '
        f'alt="{escape(visible(item.alt))}"><figcaption>{escape(visible(sheet.caption))}</figcaption></figure>'
        f"<details open><summary>The figure's table</summary>{_table(sheet, 'The figures that are drawn.')}</details>"
        f"{_notes(sheet)}")


def _notes(sheet: Sheet) -> str:
    return "".join(f'<p class="note">{escape(visible(words))}</p>' for words in sheet.notes)


def _table(sheet: Sheet, caption: str) -> str:
    head = "".join(f'<th scope="col"{"" if one.form == "word" else _NUMBER}>{escape(visible(one.name))}</th>'
                   for one in sheet.columns)
    lines = []
    for row in sheet.rows:
        cells = [(one.form, escape(visible(one.shown(entry)))) for one, entry in zip(sheet.columns, row, strict=True)]
        lines.append(f'<tr><th scope="row" class="w"><div>{cells[0][1]}</div></th>' + "".join(
            _words(text) if form == "word" else f"<td{_NUMBER}>{text}</td>" for form, text in cells[1:]) + "</tr>")
    return (
        f'<p class="said" id="{sheet.key}-says">{escape(visible(caption))}</p>'
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(sheet.title)}">'
        f'<table aria-describedby="{sheet.key}-says">'
        f'<caption class="spoken">{escape(visible(sheet.title))}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>")


_NUMBER = ' class="n"'


def _words(text: str) -> str:
    """A cell of words, which break where they get too long for the table's other columns."""
    return f'<td class="w"><div>{text}</div></td>'


def files_of(found: Iterable[Section]) -> dict[str, bytes]:
    """The files beside the page by name: a CSV of every table, an SVG and a PNG of every figure."""
    files: dict[str, bytes] = {}
    for item in (item for one in found for item in one.items):
        if isinstance(item, Missing):
            continue
        sheet = item.sheet if isinstance(item, Chart) else item
        files[f"{sheet.key}.csv"] = sheet.csv().encode("utf-8")
        if isinstance(item, Chart):
            files |= {f"{sheet.key}.svg": item.svg, f"{sheet.key}.png": item.png}
    return files


def write_study(
    folder: str | os.PathLike[str], output: str | os.PathLike[str] | None = None, settings: Settings | None = None,
    tick: Callable[[], object] = lambda: None,
) -> tuple[Path, tuple[Section, ...]]:
    """Reads a study's folder and writes its report: the page, and files beside it. Returns the page's path and parts.

    output: a folder, or the page's name if it ends in .html; `FOLDER` inside the study's folder if not given. Files of
    an earlier report that this one does not have are removed, so that none of another state stays beside the page.

    Raises :class:`~evidial_rules.errors.OutputError` where it cannot be written, ReportError without matplotlib, and
    what `read_folder` and `measure` raise. Nothing is written before everything is made.
    """
    charts.check_matplotlib()
    held = read_folder(folder)
    found = sections(measure(held, settings, tick))
    target = Path(folder) / FOLDER if output is None else Path(output)
    place = target if target.suffix.lower() in (".html", ".htm") else target / PAGE
    files: Mapping[str, bytes] = files_of(found) | {place.name: study_page(found, held).encode("utf-8")}
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        stale = {f"{_key(item)}.{ending}" for one in found for item in one.items for ending in ("csv", "svg", "png")}
        for name in sorted((stale | {"table-3-other.csv"}) - set(files)):
            (place.parent / name).unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(where=str(place.parent), expected=f"a folder that can be written ({error.strerror})"
                          ) from None
    for name, data in files.items():
        with atomic(place.parent / name) as stream:
            stream.write(data)
    return place, found
