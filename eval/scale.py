"""What a large corpus costs: `python eval/scale.py DIALOGUES... [-o eval/scale.md]`.

DIALOGUES: canonical dialogues; what is measured goes over them again and again, under new ids. In CPU seconds of one
core, the median of the rounds where there are several:

- dialogues and turns a second: judged, and written as Parquet with their frames;
- bytes a cell, as lines of JSON and as Parquet, with and without frames. Only the dialogues themselves are written,
  once: their copies would compress to nothing;
- what the process costs that reads, hands out and writes while two workers judge: how many workers it can feed;
- what a cluster's client does for a dialogue whose rows the workers read: hash the input, look for ids that come again;
- memory over a stream of dialogues that each hold words never seen before, written in parts, and of remembered ids;
- the exponent of cost in the number of dialogues and of turns in one dialogue, fitted over 1x to 64x (1 is linear), and
  what a unit costs at 64x beside 1x; and in the number of terms of a lexicon of one's own, pairs of words that the
  dialogues hold, so that both words of a term occur somewhere.

What follows for a billion turns is calculated from these figures, and says so.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice, permutations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import speed
from common import finish, run, table

from evidial_rules import Annotator, Dialogue, read_dialogues
from evidial_rules.corpora import write_jsonl
from evidial_rules.corpora.files import parquet_ids
from evidial_rules.corpora.seen import Seen
from evidial_rules.raters.rules import CellRows, cell_line
from evidial_rules.raters.scale import Item, Job, Listing, Part, local
from evidial_rules.raters.scale.job import ROWS

FACTORS = (1, 2, 4, 8, 16, 32, 64)
TERMS = 1000  # of the smallest lexicon
TURNS = 1_000_000_000
MANIFEST_LINE = 70
"""Bytes of a manifest's line for a part that leaves nothing out."""


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call, in this process alone."""
    start = time.process_time()
    work()
    return time.process_time() - start


def copies(dialogues: Sequence[Dialogue], n: int) -> Iterator[Dialogue]:
    """n dialogues: the given ones over and over, under new ids."""
    for i, dialogue in enumerate(islice(cycle(dialogues), n)):
        yield dialogue.model_copy(update={"dialogue_id": f"c{i}"})


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of log cost over log size, by least squares.

    >>> exponent([1, 2, 4], [3, 6, 12]), exponent([1, 2, 4], [1, 4, 16])
    (1.0, 2.0)
    """
    return round(statistics.linear_regression([math.log(x) for x in sizes], [math.log(y) for y in costs]).slope, 3)


def linear(sizes: Sequence[int], works: Sequence[Callable[[], object]], rounds: int) -> dict[str, Any]:
    """Fits cost over size; small sizes are run more often, since a clock is coarse."""
    works[0]()
    costs = []
    for size, work in zip(sizes, works, strict=True):
        often = max(rounds, 16 * sizes[0] // size)
        costs.append(statistics.median(cpu(work) for _ in range(often)))
    return {"exponent": exponent(sizes, costs), "unit_64x": round(costs[-1] / sizes[-1] / (costs[0] / sizes[0]), 2),
            "s": [round(cost, 4) for cost in costs], "sizes": list(sizes)}


def in_dialogues(annotator: Annotator, dialogues: Sequence[Dialogue], rounds: int) -> dict[str, Any]:
    """Cost over the number of dialogues."""
    def work(factor: int) -> Callable[[], object]:
        return lambda: [annotator.cells(one) for one in copies(dialogues, factor * len(dialogues))]

    return linear([factor * len(dialogues) for factor in FACTORS], [work(factor) for factor in FACTORS], rounds)


def in_turns(annotator: Annotator, dialogues: Sequence[Dialogue], rounds: int) -> dict[str, Any]:
    """Cost over the number of turns of one dialogue, which has those of all dialogues of one language again and again,
    so that what is found grows with it."""
    turns = tuple(turn for one in dialogues for turn in one.turns)[:24]

    def work(factor: int) -> Callable[[], object]:
        long = dialogues[0].model_copy(update={"turns": turns * factor})
        return lambda: annotator.cells(long)

    return linear([factor * len(turns) for factor in FACTORS], [work(factor) for factor in FACTORS], rounds)


def in_terms(dialogues: Sequence[Dialogue], rounds: int, folder: Path) -> dict[str, Any]:
    """Cost over the number of terms of a lexicon of one's own: pairs of words that the dialogues hold, and of others
    where these are too few."""
    language = dialogues[0].language
    sizes = [TERMS * factor for factor in FACTORS]
    text = " ".join(turn.text for one in dialogues for turn in one.turns)
    words = sorted(set(re.findall(r"[a-z]{2,}" if language == "en" else r"[\u4e00-\u9fff]{2}", text.lower())))
    others = (f"q{n}" if language == "en" else chr(0x4E00 + n) * 2 for n in range(sizes[-1]))
    words += islice(others, max(0, math.isqrt(sizes[-1]) + 2 - len(words)))
    pairs = [(" " if language == "en" else "").join(pair) for pair in permutations(words, 2)]
    random.Random(0).shuffle(pairs)

    def work(n: int) -> Callable[[], object]:
        own = folder / f"terms-{language}-{n}"
        own.mkdir()
        target = {"id": f"{language}.own.pairs", "terms": pairs[:n]}
        lexicon = {"version": 1, "dimension": "sleep", "targets": [target]}
        (own / "own.yaml").write_text(json.dumps(lexicon, ensure_ascii=False), encoding="utf-8")
        judge = Annotator(lexicons=own)
        for one in dialogues:  # its rules are compiled as they come up
            judge.cells(one)
        return lambda: [judge.cells(one) for one in dialogues]

    return linear(sizes, list(map(work, sizes)), rounds)


def rates(dialogues: Sequence[Dialogue], rounds: int, folder: Path) -> dict[str, Any]:
    """Dialogues and turns a second of one core: judged, and written too."""
    rows = CellRows()
    local.write_part(folder / "warm.parquet", map(rows, dialogues), trace=True)
    judged = statistics.median(cpu(lambda: [rows.annotator.cells(one) for one in dialogues]) for _ in range(rounds))
    written = statistics.median(cpu(lambda: local.write_part(
        folder / "rate.parquet", map(rows, dialogues), trace=True)) for _ in range(rounds))
    turns = sum(len(one.turns) for one in dialogues)
    return {"dialogues_per_s": round(len(dialogues) / judged, 1), "turns_per_s": round(turns / judged, 1),
            "dialogues_per_s_written": round(len(dialogues) / written, 1),
            "turns_per_s_written": round(turns / written, 1)}


def sizes(annotator: Annotator, dialogues: Sequence[Dialogue], folder: Path) -> dict[str, float]:
    """Bytes a cell, by form; and of the input's Parquet, a turn."""
    cells = [cell for one in dialogues for cell in annotator.cells(one)]
    found: dict[str, float] = {}
    for name, trace in (("frames", True), ("states", False)):
        found[f"json_{name}"] = round(sum(len(cell_line(cell, trace=trace)) for cell in cells) / len(cells), 1)
        path = folder / f"{name}.parquet"
        rows = CellRows(trace=trace)
        local.write_part(path, map(rows, dialogues), trace=trace)
        found[f"parquet_{name}"] = round(path.stat().st_size / len(cells), 1)
    write_jsonl(folder / "in.parquet", (one.model_dump(mode="json") for one in dialogues))
    turns = sum(len(one.turns) for one in dialogues)
    found["input_per_turn"] = round((folder / "in.parquet").stat().st_size / turns, 1)
    return found


def parent(dialogues: Sequence[Dialogue], n: int, folder: Path) -> float:
    """CPU milliseconds a dialogue of the process that reads, hands out and writes, with two workers."""
    source = folder / "many.parquet"
    write_jsonl(source, (one.model_dump(mode="json") for one in copies(dialogues, n)))
    job = Job.of([source], str(folder / "parted"))
    listing = Listing(False, job.names)
    seconds = cpu(lambda: local.write_folder(job, job.rows(listing), listing, workers=2, kept=lambda _: None))
    return round(seconds / n * 1000, 3)


def client(dialogues: Sequence[Dialogue], n: int, folder: Path) -> dict[str, float]:
    """What a cluster's client does for each dialogue, in microseconds, and how fast it hashes its inputs."""
    source = folder / "ids.parquet"
    write_jsonl(source, ({"dialogue_id": f"c{i}"} for i in range(n)))

    def ids() -> None:
        seen = Seen()
        for row, ident in enumerate(parquet_ids(source)):
            seen.first(ident, f"0 {row}")

    blob = folder / "blob.bin"
    blob.write_bytes(os.urandom(1 << 20) * 64)
    before = speed.rss()
    seconds = cpu(ids)
    grown = speed.rss() - before
    hashed = cpu(lambda: Job((blob,), "o").about("parquet"))
    return {"ids_us": round(seconds / n * 1e6, 2), "ids": n, "ids_rss_mb": round(grown, 1),
            "hash_mb_per_s": round(64 * 1.048576 / hashed, 0)}


def growth(dialogues: Sequence[Dialogue], n: int, folder: Path) -> dict[str, float]:
    """Memory of this process over a stream of n dialogues that is judged and written in parts: MB at its end beside
    those when the first part has been written and the second one read, since a writer keeps its buffers."""
    marks: list[float] = []
    begin = min(2 * ROWS, n // 2)

    def items() -> Iterator[Item]:
        for i, one in enumerate(speed.stream(dialogues, n)):
            if i in (begin, n - 1):
                marks.append(speed.rss())
            yield Item(Part.of(0, i + 1), f"stream:{i + 1}", "stream", i + 1, one)

    name = folder / "empty.jsonl"
    name.touch()
    job = Job((name,), str(folder / "stream"))
    local.write_folder(job, items(), Listing(False, ["stream"]), workers=1, kept=lambda _: None)
    return {"dialogues": n, "from": begin, "grown_mb": round(marks[-1] - marks[0], 1), "rss_mb": round(marks[-1])}


def billion(found: dict[str, Any]) -> dict[str, Any]:
    """What a billion turns cost on a cluster, from the figures; an even mixture of the languages measured."""
    languages = found["rates"]
    turns_per_s = len(languages) / sum(1 / one["turns_per_s_written"] for one in languages.values())
    dialogues = TURNS / found["turns_per_dialogue"]
    cells = dialogues * found["cells_per_dialogue"]
    parts = dialogues / ROWS
    bytes_in = TURNS * found["bytes"]["input_per_turn"]
    hours = TURNS / turns_per_s / 3600
    return {
        "core_hours": round(hours, 1), "hours_1000_cores": round(hours / 1000, 3), "dialogues": round(dialogues),
        "cells": round(cells), "parts": round(parts), "s_a_part": round(hours * 3600 / parts, 1),
        "frames_tb": round(cells * found["bytes"]["parquet_frames"] / 1e12, 2),
        "states_gb": round(cells * found["bytes"]["parquet_states"] / 1e9, 1),
        "input_gb": round(bytes_in / 1e9, 1),
        "client_hours": round((dialogues * found["client"]["ids_us"] / 1e6
                               + bytes_in / 1e6 / found["client"]["hash_mb_per_s"]) / 3600, 2),
        "manifest_mb": round(parts * MANIFEST_LINE / 1e6, 1),
    }


def tables(found: dict[str, Any]) -> list[tuple[str, list[str], list[list[Any]]]]:
    """The figures as tables: title, head, rows."""
    rates_, size, end = found["rates"], found["bytes"], found["billion"]
    return [
        ("One core, a second", ["", "dialogues", "turns", "dialogues, written", "turns, written"],
         [[name, *one.values()] for name, one in rates_.items()]),
        ("Bytes a cell", ["", "JSON Lines", "Parquet"],
         [["with frames", size["json_frames"], size["parquet_frames"]],
          ["states only", size["json_states"], size["parquet_states"]]]),
        ("Linear, 1x to 64x", ["", "from", "to", "exponent", "a unit at 64x / at 1x"],
         [[name, one["sizes"][0], one["sizes"][-1], one["exponent"], one["unit_64x"]]
          for name, one in found["linear"].items()]),
        ("What does not run in parallel", ["", ""],
         [["this machine: the process that reads and writes, ms a dialogue", found["parent_ms"]],
          ["workers that it feeds", found["feeds"]],
          ["Dask: ids looked at by the client, microseconds a dialogue", found["client"]["ids_us"]],
          ["Dask: inputs hashed by the client, MB a second", found["client"]["hash_mb_per_s"]]]),
        ("Memory", ["", "MB"],
         [[f"grown from dialogue {found['memory']['from']} to {found['memory']['dialogues']}, each with new words",
           found["memory"]["grown_mb"]],
          ["in all at the end", found["memory"]["rss_mb"]],
          [f"{found['client']['ids']} ids remembered", found["client"]["ids_rss_mb"]]]),
        ("A billion turns, calculated", ["", ""],
         [["dialogues like those measured", end["dialogues"]], ["cells", end["cells"]],
          ["core hours", end["core_hours"]],
          ["hours on 1,000 cores that are kept busy", end["hours_1000_cores"]],
          ["parts (tasks, files)", end["parts"]], ["seconds of a core a part", end["s_a_part"]],
          ["input as Parquet, GB", end["input_gb"]], ["cells with frames as Parquet, TB", end["frames_tb"]],
          ["states only, GB", end["states_gb"]],
          ["the client before and beside the tasks, hours of one core", end["client_hours"]],
          ["manifest, MB", end["manifest_mb"]]]),
    ]


INTRO = """# What a large corpus costs

`python eval/scale.py {files} --stream {stream} --rounds {rounds} -o eval/scale.md`, Python {python}, {dialogues}
dialogues with {turns} turns, CPU time of one core; what each figure is says the program's head. The machine
was shared, so that wall-clock time is not given.

**Shuffle-free by design.** A dialogue's cells depend on that dialogue alone. So a part of the input is a task, and its
output is a file: no two workers exchange anything, nothing is sorted, grouped or joined, and what a worker holds is
one part. The one thing that looks over all parts is whether an id comes twice; for Parquet that reads the column of
ids, and remembers ids on disk beyond 50,000.
"""

OUTRO = """
The last table is calculation, not measurement: the figures above, multiplied. It takes dialogues like those measured,
an even mixture of the languages by turns, and cores like this one, kept busy; with parts of {s_a_part} s a scheduler
has {tasks_per_s} tasks a second to hand out to 1,000 cores. Parquet's bytes come from few dialogues in one small row
group: a corpus's compress better. Not in it: what a file system takes to list and open so many files (fewer, larger
parts are `ROWS` in `evidial_rules/raters/scale/job.py`), machines that fail (a part is done again), and a cluster's
start.
"""


def markdown(found: dict[str, Any], files: Sequence[str], rounds: int) -> str:
    """The page."""
    text = INTRO.format(files=" ".join(files), stream=found["memory"]["dialogues"], rounds=rounds,
                        **{key: found[key] for key in ("python", "dialogues", "turns")})
    for title, head, rows in tables(found):
        lines = [head, ["---"] * len(head), *([shown(value) for value in row] for row in rows)]
        text += f"\n## {title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)
    end = found["billion"]
    return text + OUTRO.format(s_a_part=end["s_a_part"], tasks_per_s=round(1000 / end["s_a_part"]))


def shown(value: Any) -> str:
    """A figure for the page.

    >>> shown(1234567), shown(0.25), shown("x")
    ('1,234,567', '0.25', 'x')
    """
    return f"{value:,}" if isinstance(value, (int, float)) else str(value)


def main() -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="canonical dialogues, JSON lines or Parquet")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--stream", type=int, default=5000, help="dialogues in the stream")
    parser.add_argument("--ids", type=int, default=1_000_000, help="ids that are remembered")
    parser.add_argument("-o", "--output", help="the page, Markdown")
    options = parser.parse_args()
    dialogues = list(read_dialogues(options.files))
    parts = {name: part for name in ("en", "zh") if (part := [one for one in dialogues if one.language == name])}
    annotator = Annotator()
    turns = sum(len(one.turns) for one in dialogues)
    found: dict[str, Any] = {"python": platform.python_version(), "dialogues": len(dialogues), "turns": turns,
                             "turns_per_dialogue": round(turns / len(dialogues), 2)}
    # lexicons of a moment would push the user's own out of the cache
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, EVIDIAL_CACHE=name):
        folder = Path(name)
        found["rates"] = {language: rates(part, options.rounds, folder) for language, part in parts.items()}
        found["bytes"] = sizes(annotator, dialogues, folder)
        found["cells_per_dialogue"] = round(sum(len(annotator.cells(one)) for one in dialogues) / len(dialogues), 2)
        found["linear"] = {"dialogues": in_dialogues(annotator, dialogues, 1)}
        for language, part in parts.items():
            found["linear"][f"turns of one dialogue, {language}"] = in_turns(annotator, part, 1)
        found["client"] = client(dialogues, options.ids, folder)
        found["memory"] = growth(dialogues, options.stream, folder)
        found["parent_ms"] = parent(dialogues, max(200, options.stream // 5), folder)
        for language, part in parts.items():  # last: large lexicons stay in memory, for the collector to look through
            found["linear"][f"terms of a lexicon, {language}"] = in_terms(part, options.rounds, folder)
    judging = statistics.mean(1000 / one["dialogues_per_s"] for one in found["rates"].values())
    found["feeds"] = round(judging / found["parent_ms"], 1)
    found["billion"] = billion(found)
    for title, head, rows in tables(found):
        print(f"{title}\n{table(head, rows)}\n")
    if options.output:
        Path(options.output).write_text(markdown(found, options.files, options.rounds), encoding="utf-8")
    finish(found)
    return 0


if __name__ == "__main__":
    run(main)
