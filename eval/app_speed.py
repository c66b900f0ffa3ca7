"""How fast the cell debugger is: `python eval/app_speed.py DIALOGUES... [--dialogues 1000]`.

DIALOGUES: canonical dialogues, repeated under new ids until there are as many as asked for; their cells are judged once
and repeated with them. `evidial app` is started on both files as a user starts it, and a real browser (Chromium by
Playwright; EVIDIAL_CHROMIUM names one) opens its pages. In seconds, from the touch to what is on the screen:

- `start_s`: from the command to its address, the files read and checked;
- `grid_s`: the grid in a new tab, Streamlit's own files included; `turn_s`: another page of it; `filter_s`: the grid
  under a filter by rule;
- `cell_s`: a cell from the grid, the median, and `cell_max_s` the slowest; `cell_tab_s`: a cell in a new tab, by its
  address; `edit_s`: from the last key in a turn to the new state, the median of five, the fifth of a second that the
  box waits included;
- `empty_s`: a page of Streamlit with one word on it in a new tab, in the same browser on the same machine, and
  `grid_vs_empty`: the grid beside it.

`lazy` has the grid without `--cells`, while the rest is judged ahead.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from urllib.request import urlopen

from common import finish, run, table

from evidial_rules import Annotator, Dialogue, read_dialogues
from evidial_rules.app.serve import free_port
from evidial_rules.corpora import write_jsonl
from evidial_rules.errors import EvidialError

CHROMIUM = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--no-first-run")
LIMITS = {"grid_s": 2.0, "turn_s": 2.0, "filter_s": 2.0, "cell_s": 0.5}
"""What is asked of a thousand dialogues."""


class BrowserError(EvidialError):
    """No browser to measure with."""

    code = "E901"
    template = "{where}: expected {expected}"


def write_files(paths: list[str], n: int, folder: Path) -> None:
    """`dialogues.jsonl` and `cells.jsonl` of n dialogues."""
    base = list(read_dialogues(paths))
    judge = Annotator()
    cells = [judge.cells(one) for one in base]

    def copies() -> Iterator[tuple[int, Dialogue]]:
        for number, at in enumerate(islice(cycle(range(len(base))), n)):
            yield at, base[at].model_copy(update={"dialogue_id": f"{base[at].dialogue_id}-{number:04d}"})

    write_jsonl(folder / "dialogues.jsonl", (one for _, one in copies()))
    write_jsonl(folder / "cells.jsonl", (cell.to_dict() | {"dialogue_id": one.dialogue_id}
                                         for at, one in copies() for cell in cells[at]))


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[str, float, subprocess.Popen[str]]]:
    """(address, seconds to it, process) of `evidial app` on the folder's dialogues."""
    start = time.perf_counter()
    root = str(Path(__file__).resolve().parents[1])
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), root]))}
    process = subprocess.Popen(
        [sys.executable, "-m", "evidial_rules", "app", str(folder / "dialogues.jsonl"), "--no-browser", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout is not None and process.stderr is not None
        match = re.search(r"http://\S+", process.stdout.readline())
        if match is None:
            raise BrowserError(where="evidial app", expected=f"an address ({process.stderr.readline().strip()})")
        yield match[0], time.perf_counter() - start, process
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def empty_page(folder: Path) -> Iterator[str]:
    """The address of a page with one word."""
    (folder / "empty.py").write_text('import streamlit\n\nstreamlit.html("<p>ready</p>")\n')
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(folder / "empty.py"), f"--server.port={port}",
         "--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            with suppress(OSError), urlopen(f"{address}/_stcore/health", timeout=1):
                break
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def rss_mb(process: subprocess.Popen[str]) -> float | None:
    """The memory that a process holds, in MB; None where the system does not say so."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return None
    match = re.search(r"VmRSS:\s+(\d+) kB", status)
    return round(int(match[1]) / 1024, 1) if match else None


_WATCH = """
window.parts = (selector) => [document, ...[...document.querySelectorAll("div")].map((one) => one.shadowRoot)
  .filter(Boolean)].flatMap((root) => [...root.querySelectorAll(selector)]);
window.until = (selector, words) => new Promise((resolve, reject) => {
  const start = performance.now();
  const look = () => {
    const now = performance.now();
    if (parts(selector).some((one) => one.textContent.includes(words))) resolve((now - start) / 1000);
    else if (now - start > 30000) reject(new Error("nothing shown"));
    else requestAnimationFrame(look);
  };
  look();
});
"""
"""Time is taken in the page itself, frame by frame: a browser that is driven from outside waits between two looks."""


def clicked(page: Any, link: str, selector: str, words: str) -> float:
    """Seconds from a click on the first link to `link` to an element that holds `words`."""
    return page.evaluate(
        """async ([link, selector, words]) => {
          const shown = until(selector, words);
          parts("a").find((one) => one.getAttribute("href") === link).click();
          return await shown;
        }""", [link, selector, words])


def loaded(page: Any, address: str, selector: str, words: str) -> float:
    """Seconds from the start of a page's loading to an element that holds `words`."""
    page.goto(address)
    page.evaluate("([selector, words]) => until(selector, words)", [selector, words])
    return page.evaluate("performance.now() / 1000")


def settle(page: Any) -> None:
    """Waits until the page is whole, so that nothing of the one before it is left to be clicked on."""
    page.wait_for_selector("[data-test-script-state=notRunning]", state="attached")
    page.wait_for_timeout(100)


def in_new_tabs(browser: Any, address: str, selector: str, n: int = 5) -> float:
    """The median seconds to an element, each time in a new tab, after one that is the browser's own first page."""
    seconds = []
    for _ in range(n + 1):
        page = browser.new_page()
        page.add_init_script(_WATCH)
        seconds.append(loaded(page, address, selector, ""))
        page.close()
    return statistics.median(seconds[1:])


def measured(browser: Any, address: str, cells: int) -> dict[str, float]:
    """The figures of one server; `cells` are opened from the grid."""
    found = {"grid_s": in_new_tabs(browser, address, "table.states a")}
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(_WATCH)
    loaded(page, address, "table.states a", "")
    found["turn_s"] = clicked(page, "?page=2", "nav", "page 2 of")
    found["filter_s"] = loaded(page, f"{address}/?rule=en.withdrawal", "p", "filtered: rule en.withdrawal")

    loaded(page, address, "table.states a", "")
    links = page.evaluate('parts("table.states a").map((one) => one.getAttribute("href"))')
    seconds = []
    for link in links[::max(1, len(links) // cells)][:cells]:
        query = parse_qs(link[1:])
        seconds.append(clicked(page, link, "h1", f"{query['dialogue'][0]} · {query['dimension'][0]}"))
        settle(page)
        clicked(page, "?", "h2", "What the states say")  # back
        settle(page)
    found |= {"cell_s": statistics.median(seconds), "cell_max_s": max(seconds)}
    found["cell_tab_s"] = loaded(page, f"{address}/{links[0]}", "h2", "Component coverage")

    settle(page)
    box = page.get_by_role("textbox", name="says in turn")
    box.focus()
    seconds = []
    for number in range(5):
        seconds.append(page.evaluate(
            """async (word) => {
              const box = parts("textarea")[0];
              box.value += ` I feel hopeless, ${word}.`;
              const shown = until(".turn", word);
              box.dispatchEvent(new Event("input", {bubbles: true}));
              return await shown;
            }""", f"word{number}"))
        settle(page)
    found["edit_s"] = statistics.median(seconds)
    page.close()
    return found


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("files", nargs="+", metavar="DIALOGUES")
    parser.add_argument("--dialogues", type=int, default=1000, metavar="N", help="how many are open (1000)")
    parser.add_argument("--cells", type=int, default=20, metavar="N", help="how many cells are opened (20)")
    options = parser.parse_args()
    program = os.environ.get("EVIDIAL_CHROMIUM") or shutil.which("chromium")
    if program is None:
        raise BrowserError(where="Chromium", expected="a program on the path, or named by EVIDIAL_CHROMIUM")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise BrowserError(where="Playwright", expected="the package playwright") from None
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        write_files(options.files, options.dialogues, folder)
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM))
        with served(folder, "--cells", str(folder / "cells.jsonl")) as (address, start, process):
            found: dict[str, Any] = {"dialogues": options.dialogues, "start_s": start}
            found |= measured(browser, address, options.cells)
            found["rss_mb"] = rss_mb(process)
        with served(folder) as (address, start, process):
            found["lazy"] = {"start_s": start, "grid_s": in_new_tabs(browser, address, "table.states a", 1)}
        with empty_page(folder) as address:
            found["empty_s"] = in_new_tabs(browser, address, "[data-testid=stHtml] p")
        found["grid_vs_empty"] = found["grid_s"] / found["empty_s"]
        browser.close()
    print(table(["what", "seconds", "limit", "of the limit"], (
        [key, value, LIMITS.get(key), value / LIMITS[key] if key in LIMITS else None]
        for key, value in found.items() if key.endswith("_s"))))
    print(f"the grid beside an empty page of Streamlit: {found['grid_vs_empty']:.2f} times")
    print(f"without --cells: start {found['lazy']['start_s']:.2f}, grid {found['lazy']['grid_s']:.2f}")
    finish({key: round(value, 3) if isinstance(value, float) else value for key, value in found.items()}
           | {"lazy": {key: round(value, 3) for key, value in found["lazy"].items()}})
    return 0


if __name__ == "__main__":
    run(main)
