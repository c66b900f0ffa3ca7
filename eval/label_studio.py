"""A real Label Studio with the files of a human study: `python eval/label_studio.py DIALOGUES --program PATH`.

Label Studio lives in an environment of its own and is never installed here:

    python -m venv label-studio && label-studio/bin/pip install label-studio
    python eval/label_studio.py data/dialogues.jsonl --program label-studio/bin/label-studio

The program starts it on localhost with a temporary data folder, makes a project for each of two annotators with the
labelling configuration that `evidial human export` writes, imports the tasks and posts annotations over the API. In
Chromium, with Playwright, it annotates one item by hand as a person would (not with --no-browser): it drags the mouse
over words that characters outside the Basic Multilingual Plane stand before and in, and chooses a state and a polarity.
A third project holds what the two left differing. The projects are exported and `evidial human import` is run on
the exports; what comes out is compared with what went in. Exit status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from common import finish, run, table

from evidial_rules import Annotator, cli
from evidial_rules.audit.human import (
    FIRST,
    THIRD,
    Key,
    Question,
    choice_of,
    differing,
    labelling_config,
    questions,
    read_annotations,
    sample,
    tasks,
)
from evidial_rules.contract import STATES, Dialogue, Reference
from evidial_rules.corpora import read_dialogues, write_jsonl
from evidial_rules.errors import EvidialError

EMAIL = "rater@example.org"
ASTRAL = Dialogue.from_dict(
    {
        "dialogue_id": "astral",
        "language": "en",
        "instrument": "PHQ-8",
        "source": "invented",
        "turns": [
            {"speaker": "interviewer", "text": "How do you sleep?"},
            {"speaker": "participant", "text": "😀😀 I lie awake 😴 for hours,\nevery   night. 𠮷 <b>So</b> tired."},
        ],
    }
)
"""Surrogate pairs, a line's end, runs of blanks and mark-up inside a turn."""
BY_HAND = "awake 😴 for hours,\nevery   night"
"""A browser shows white space otherwise than the text has it."""


class StudioError(EvidialError):
    """A Label Studio that does not start or does not answer as expected."""

    code = "E453"
    template = "{where}: expected {expected}"


class Studio:
    """A running Label Studio and its API."""

    def __init__(self, address: str, token: str, password: str) -> None:
        self.address, self.password, self._token = address, password, token

    def call(self, path: str, data: Any = None, timeout: float = 60) -> Any:
        """A GET, or a POST of data; the JSON that comes back."""
        request = urllib.request.Request(
            self.address + path,
            None if data is None else json.dumps(data).encode(),
            {"Authorization": f"Token {self._token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise StudioError(where=path, expected=f"an answer, found status {error.code}") from None

    def project(self, title: str, config: str, rows: Sequence[Any]) -> tuple[int, dict[str, int]]:
        """A new project with its tasks; its id, and the task of each item."""
        number = self.call("/api/projects/", {"title": title, "label_config": config})["id"]
        self.call(f"/api/projects/{number}/import", rows)
        held = self.call(f"/api/tasks?project={number}&page_size={len(rows) + 1}")["tasks"]
        return number, {one["data"]["item"]: one["id"] for one in held}

    def export(self, project: int) -> Any:
        """The project's export as JSON."""
        return self.call(f"/api/projects/{project}/export?exportType=JSON")


@contextmanager
def studio(program: str, wait: float) -> Iterator[Studio]:
    """Starts Label Studio on a free port of localhost with an empty data folder, and ends it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token, password = secrets.token_hex(20), secrets.token_urlsafe(12)
    with tempfile.TemporaryDirectory(prefix="evidial-label-studio-") as folder:
        environment = os.environ | {
            "LABEL_STUDIO_BASE_DATA_DIR": folder,
            "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
            "COLLECT_ANALYTICS": "false",
            "LATEST_VERSION_CHECK": "false",
            "SENTRY_DSN": "",
            "FRONTEND_SENTRY_DSN": "",
        }
        environment.pop("PYTHONPATH", None)  # an environment of its own
        where = ["--data-dir", folder, "--port", str(port), "--internal-host", "127.0.0.1", "--no-browser"]
        command = [program, "start", *where, "--username", EMAIL, "--password", password, "--user-token", token]
        with open(Path(folder) / "log", "wb") as log:
            server = subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, cwd=folder
            )
        try:
            found = Studio(f"http://127.0.0.1:{port}", token, password)
            end = time.monotonic() + wait
            while True:
                with suppress(OSError, ValueError, StudioError):
                    found.call("/api/projects/", timeout=5)
                    break
                if server.poll() is not None or time.monotonic() > end:
                    raise StudioError(where=program, expected=f"a server that answers within {wait:g} s")
                time.sleep(1)
            yield found
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(20)
            if server.poll() is None:
                server.kill()
                server.wait()


Said = tuple[str, list[tuple[int, int, int]]]
"""A state, and quotes as (turn, start, end) in code points."""


def answers(asked: Sequence[Question], seed: int) -> dict[str, Said]:
    """A state and some quotes for each item, drawn."""
    rng = np.random.default_rng(seed)
    out = {}
    for one in asked:
        quotes = set()
        spoken = [i for i, (_, text) in enumerate(one.turns) if text.strip()]
        for _ in range(int(rng.integers(0, 3))):
            turn = int(rng.choice(spoken))
            text = one.turns[turn][1]
            start = int(rng.integers(0, len(text)))
            end = int(rng.integers(start + 1, len(text) + 1))
            if text[start:end].strip():
                quotes.add((turn, start, end))
        out[one.item] = (STATES[int(rng.integers(len(STATES)))], sorted(quotes))
    return out


def result(said: Said, turns: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """An annotation's result as Label Studio's own front end makes it."""
    choice, side = choice_of(said[0])
    out = [_choice("state", choice), *([_choice("polarity", side)] if side else [])]
    for number, (turn, start, end) in enumerate(said[1]):
        text = turns[turn][1]
        out.append(
            {
                "id": f"region{number}",
                "from_name": "quotes",
                "to_name": "dialogue",
                "type": "paragraphlabels",
                "value": {
                    "start": str(turn),
                    "end": str(turn),
                    "startOffset": _units(text[:start]),
                    "endOffset": _units(text[:end]),
                    "text": text[start:end],
                    "paragraphlabels": ["evidence"],
                },
            }
        )
    return out


def _choice(name: str, value: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": "dialogue", "type": "choices", "value": {"choices": [value]}}


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def by_hand(server: Studio, project: int, task: int, words: str) -> None:
    """Annotates a task in a browser: words dragged over, sufficient, present."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("EVIDIAL_CHROMIUM") or shutil.which("chromium")
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=options)
        page = browser.new_page(viewport={"width": 1280, "height": 1600})
        local = (server.address, "blob:", "data:")
        page.route("**/*", lambda route: route.continue_() if route.request.url.startswith(local) else route.abort())
        page.goto(f"{server.address}/user/login")
        page.fill("input[name=email]", EMAIL)
        page.fill("input[name=password]", server.password)
        page.click("button[type=submit]")
        page.wait_for_url(lambda address: "login" not in address, wait_until="domcontentloaded")
        page.goto(f"{server.address}/projects/{project}/data?task={task}")
        page.wait_for_selector("input[name=SUFFICIENT]", state="attached", timeout=60_000)
        page.keyboard.press("q")
        ends = page.evaluate(
            """(words) => {
              const walker = document.createTreeWalker(document.querySelector('[data-testid="phrase:1"]'),
                                                       NodeFilter.SHOW_TEXT);
              while (walker.nextNode()) {
                const at = walker.currentNode.data.indexOf(words);
                if (at < 0) continue;
                walker.currentNode.parentElement.scrollIntoView({block: "center"});
                const range = document.createRange();
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + words.length);
                const box = range.getBoundingClientRect();
                return [box.left, box.right, (box.top + box.bottom) / 2];
              }
            }""",
            words,
        )
        if ends is None:
            raise StudioError(where="browser", expected="the words in the dialogue")
        page.mouse.move(ends[0] + 1, ends[2])
        page.mouse.down()
        page.mouse.move(ends[1] - 1, ends[2], steps=8)
        page.mouse.up()
        page.wait_for_selector(".htx-highlight", timeout=10_000)
        page.check("input[name=SUFFICIENT]", force=True)
        page.check("input[name=positive]", force=True)
        page.click('button[aria-label="Submit current annotation"]')
        end = time.monotonic() + 30
        while not server.call(f"/api/tasks/{task}/annotations/"):
            if time.monotonic() > end:
                raise StudioError(where="browser", expected="an annotation that is submitted")
            page.wait_for_timeout(500)
        browser.close()


def study(path: str, n: int) -> tuple[Key, dict[str, Dialogue]]:
    """A key on the rule judge's cells of the dialogues, and one cell of :data:`ASTRAL`."""
    talks = {one.dialogue_id: one for one in (*read_dialogues(path), ASTRAL)}
    judge = Annotator()
    lines = [
        Reference(cell.dialogue_id, cell.dimension, cell.state, "rules", {}, 0.0, 1)
        for talk in talks.values()
        for cell in judge.cells(talk)
    ]
    others = [one for one in lines if one.dialogue_id != ASTRAL.dialogue_id]
    drawn = sample(talks.values(), others, min(n, len(others)), 0)
    chosen = {one.cell for one in drawn.cells} | {(ASTRAL.dialogue_id, "sleep")}
    return sample(talks.values(), lines, len(chosen), 0, only=chosen), talks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="dialogues")
    parser.add_argument("--program", default="label-studio", help="Label Studio's command, in its own environment")
    parser.add_argument("--n", type=int, default=20, help="cells beside the one with astral characters")
    parser.add_argument("--wait", type=float, default=300, help="seconds for the server to start")
    parser.add_argument("--no-browser", action="store_true", help="annotations over the API only")
    options = parser.parse_args()
    program = shutil.which(options.program)
    if program is None:
        raise StudioError(where="--program", expected="the command of a Label Studio")
    key, talks = study(options.file, options.n)
    hand = next(one.item for one in key.cells if one.dialogue_id == ASTRAL.dialogue_id)
    start = ASTRAL.turns[1].text.index(BY_HAND)
    wanted: dict[tuple[str, str], Said] = {}
    with tempfile.TemporaryDirectory() as temporary, studio(program, options.wait) as server:
        folder = Path(temporary)
        version = server.call("/api/version")["release"]
        for seed, name in enumerate(("A", "B")):
            asked = questions(key, talks, name, "en")
            rows = tasks(asked, study=key.study, annotator=name, language="en", round=FIRST)
            project, places = server.project(f"annotator {name}", labelling_config("en"), rows)
            for one, said in zip(asked, answers(asked, seed).values(), strict=True):
                if name == "A" and one.item == hand and not options.no_browser:
                    by_hand(server, project, places[hand], BY_HAND)
                    said = ("SUFFICIENT_POS", [(1, start, start + len(BY_HAND))])
                else:
                    posted = {"result": result(said, one.turns)}
                    server.call(f"/api/tasks/{places[one.item]}/annotations/", posted)
                wanted[name, one.item] = said
            (folder / f"{name}.json").write_text(json.dumps(server.export(project)), encoding="utf-8")
        write_jsonl(folder / "key.jsonl", (one.to_dict() for one in key.items.values()))
        write_jsonl(folder / "dialogues.jsonl", talks.values())
        files = [str(folder / f"{name}.json") for name in ("A", "B")]
        where = ["--key", str(folder / "key.jsonl"), "--dialogues", str(folder / "dialogues.jsonl")]
        if cli.run(["human", "import", *files, *where, "-o", str(folder / "first.jsonl")]):
            return 1
        earlier = read_annotations(folder / "first.jsonl", key)
        asked = questions(key, talks, "C", "en", differing=differing(earlier))
        rows = tasks(asked, study=key.study, annotator="C", language="en", round=THIRD)
        project, places = server.project("third rater", labelling_config("en", third=True), rows)
        for one, said in zip(asked, answers(asked, 2).values(), strict=True):
            server.call(f"/api/tasks/{places[one.item]}/annotations/", {"result": result(said, one.turns)})
            wanted["C", one.item] = said
        (folder / "C.json").write_text(json.dumps(server.export(project)), encoding="utf-8")
        where += ["--annotations", str(folder / "first.jsonl"), "-o", str(folder / "out.jsonl")]
        if cli.run(["human", "import", str(folder / "C.json"), *where]):
            return 1
        rows = [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    got: dict[tuple[str, str], Said] = {
        (row["annotator"], row["item"]): (row["state"], [(q["turn"], q["start"], q["end"]) for q in row["quotes"]])
        for row in rows
    }
    quotes = sum(len(said[1]) for said in wanted.values())
    wrong = sum(got.get(place) != said for place, said in wanted.items()) + len(got.keys() - wanted.keys())
    found = {
        "items": len(key.items),
        "annotations": len(wanted),
        "quotes": quotes,
        "by_hand": 0 if options.no_browser else 1,
        "differing": wrong,
    }
    print(table(["", "n"], [[name.replace("_", " "), number] for name, number in found.items()]))
    finish({"label_studio": version} | found)
    return 1 if wrong else 0


if __name__ == "__main__":
    run(main)
