"""What the rule judge costs: `python eval/speed.py DIALOGUES...`.

DIALOGUES: canonical dialogues, of either language or both. In one run, on the same text, by turns and in CPU time:

- English: the judge (a dialogue to its cells) beside `spacy.blank("en")` tokenising the text, and beside medspaCy's
  ConText and negspaCy, which get as many target terms as our lexicons have rules: the wordings that the judge found in
  these dialogues first, so that they have the same mentions to decide on, then the lexicons' own examples;
- Chinese: the judge beside `jieba.Tokenizer().cut`.

Then how much memory grows over a stream of dialogues, each with words that were never seen before, and what one huge
turn costs per character beside a tenth of it (1 is linear). A ratio is the median over the rounds of ours / theirs.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import jieba
import peers
import spacy
from common import finish, run, table

from evidial_rules import Annotator, Dialogue, Turn, read_dialogues
from evidial_rules.pipeline.language import language as rules_of
from evidial_rules.raters.rules import cell_line

Work = Callable[[], object]


def text_of(dialogue: Dialogue) -> str:
    """The turns of a dialogue, one a line."""
    return "\n".join(turn.text for turn in dialogue.turns)


def rounds(works: dict[str, Work], n: int) -> dict[str, list[float]]:
    """CPU seconds of each piece of work, n times, in turn, after one warm round."""
    for work in works.values():
        work()
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(n):
        for name, work in works.items():
            start = time.process_time()
            work()
            seconds[name].append(time.process_time() - start)
    return seconds


def ratio(seconds: dict[str, list[float]], ours: str, theirs: str) -> float | None:
    """Median over the rounds of ours / theirs; None if theirs did not run."""
    if theirs not in seconds:
        return None
    return round(statistics.median(a / b for a, b in zip(seconds[ours], seconds[theirs], strict=True)), 3)


def terms(annotator: Annotator, dialogues: Sequence[Dialogue]) -> list[str]:
    """As many plain terms as the English lexicons have rules: what was found, by frequency, then their examples."""
    lexicons = [lexicon for _, lexicon in rules_of("en").lexicons]
    found = Counter(frame.quote.lower() for d in dialogues for frame in annotator.frames(d))
    examples = [e.yes if isinstance(e.yes, str) else e.yes[0] for lexicon in lexicons for e in lexicon.entries]
    number = sum(len(lexicon.entries) + len(lexicon.topics) for lexicon in lexicons)
    return list(dict.fromkeys([quote for quote, _ in found.most_common() if quote.strip()] + examples))[:number]


def peer_works(texts: Sequence[str], targets: Sequence[str]) -> tuple[dict[str, Work], dict[str, int]]:
    """The peers that are installed, each on all texts with the targets, and how many mentions each found."""
    works: dict[str, Work] = {}
    mentions: dict[str, int] = {}
    for name, make in peers.PEERS.items():
        nlp = make()
        if nlp is None:
            continue
        peers.with_targets(name, nlp, targets)
        works[name] = lambda nlp=nlp: [nlp(text) for text in texts]
        mentions[name] = sum(len(nlp(text).ents) for text in texts)
    return works, mentions


def english(annotator: Annotator, dialogues: Sequence[Dialogue], n: int) -> dict[str, Any]:
    """The English figures, printed and returned."""
    texts = [text_of(d) for d in dialogues]
    nlp = spacy.blank("en")
    nlp.max_length = 50_000_000
    targets = terms(annotator, dialogues)
    others, mentions = peer_works(texts, targets)
    seconds = rounds(
        {
            "ours": lambda: [annotator.cells(d) for d in dialogues],
            "with trace written": lambda: [cell_line(cell) for d in dialogues for cell in annotator.cells(d)],
            "tokenising": lambda: [nlp.make_doc(text) for text in texts],
            **others,
        },
        n,
    )
    mentions["ours"] = sum(len(annotator.frames(d)) for d in dialogues)
    print(f"English, {len(targets)} target terms:")
    turns = shown(seconds, dialogues, mentions)
    for name in peers.PEERS:
        if name not in others:
            print(f"{name}: not installed; pip install 'evidial-rules[raters]'")
    return {
        "vs_tokenising": ratio(seconds, "ours", "tokenising"),
        "vs_medspacy": ratio(seconds, "ours", "medspacy"),
        "vs_negspacy": ratio(seconds, "ours", "negspacy"),
        "turns_per_s": turns,
    }


def chinese(annotator: Annotator, dialogues: Sequence[Dialogue], n: int) -> dict[str, Any]:
    """The Chinese figures, printed and returned."""
    texts = [text_of(d) for d in dialogues]
    tokenizer = jieba.Tokenizer()
    seconds = rounds(
        {
            "ours": lambda: [annotator.cells(d) for d in dialogues],
            "with trace written": lambda: [cell_line(cell) for d in dialogues for cell in annotator.cells(d)],
            "jieba": lambda: [list(tokenizer.cut(text)) for text in texts],
        },
        n,
    )
    print("Chinese:")
    turns = shown(seconds, dialogues, {"ours": sum(len(annotator.frames(d)) for d in dialogues)})
    return {"vs_jieba": ratio(seconds, "ours", "jieba"), "turns_per_s": turns}


def shown(seconds: dict[str, list[float]], dialogues: Sequence[Dialogue], mentions: dict[str, int]) -> float:
    """Prints a table; returns our turns a second."""
    turns = sum(len(d.turns) for d in dialogues)
    print(
        table(
            ["", "ms", "turns/s", "ours / this", "mentions"],
            [
                [
                    name,
                    round(statistics.median(s) * 1000, 1),
                    round(turns / statistics.median(s)),
                    ratio(seconds, "ours", name),
                    mentions.get(name),
                ]
                for name, s in seconds.items()
            ],
        )
    )
    return round(turns / statistics.median(seconds["ours"]), 1)


def rss() -> float:
    """Resident memory of this process in MB."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if platform.system() == "Darwin" else 1e3)


def stream(dialogues: Sequence[Dialogue], n: int) -> Iterator[Dialogue]:
    """n dialogues: the given ones over and over, each with a turn of words that no other has."""
    for i, dialogue in enumerate(islice(cycle(dialogues), n)):
        words = (
            " ".join(f"w{i:x}q{k}" for k in range(8))
            if dialogue.language == "en"
            else "".join(chr(0x4E00 + (i * 8 + k * 7919) % 20000) for k in range(16))
        )
        yield dialogue.model_copy(
            update={"dialogue_id": f"s{i}", "turns": (*dialogue.turns, Turn(speaker="participant", text=words))}
        )


def growth(annotator: Annotator, dialogues: Sequence[Dialogue], n: int) -> float:
    """MB by which memory grows from the first tenth of a stream of n dialogues to its end."""
    warm, start = max(1, n // 10), 0.0
    for i, dialogue in enumerate(stream(dialogues, n), 1):
        annotator.cells(dialogue)
        if i == warm:
            start = rss()
    return round(rss() - start, 1)


def huge(annotator: Annotator, dialogues: Sequence[Dialogue], size: int) -> dict[str, float]:
    """Seconds for one turn of `size` bytes and for a tenth of it, and how much more a character costs in the larger."""
    speech = " ".join(turn.text for d in dialogues for turn in d.turns if turn.speaker != "interviewer") or "well"

    def seconds(length: int) -> tuple[float, int]:
        text = speech * (length // len(speech.encode()) + 1)
        text = text.encode()[:length].decode(errors="ignore")
        one = dialogues[0].model_copy(
            update={"dialogue_id": "huge", "turns": (Turn(speaker="participant", text=text),)}
        )
        start = time.process_time()
        annotator.cells(one)
        return time.process_time() - start, len(text)

    seconds(size // 10)
    (short, few), (long, many) = seconds(size // 10), seconds(size)
    return {"s_tenth": round(short, 2), "s": round(long, 2), "per_character": round(long / many / (short / few), 2)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="canonical dialogues, JSON lines or Parquet")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--stream", type=int, default=5000, help="dialogues in the stream; 0: no stream")
    parser.add_argument("--size", type=int, default=1_000_000, help="bytes in the huge turn; 0: none")
    options = parser.parse_args()
    dialogues = list(read_dialogues(options.files))
    annotator = Annotator()
    packages = ("spacy", "jieba", "negspacy", "medspacy")
    print(f"Python {platform.python_version()}, {', '.join(f'{name} {installed(name)}' for name in packages)}")
    parts = {name: [d for d in dialogues if d.language == name] for name in ("en", "zh")}
    for name, part in parts.items():
        characters = sum(len(turn.text) for d in part for turn in d.turns)
        print(f"{name}: {len(part)} dialogues, {sum(len(d.turns) for d in part)} turns, {characters} characters")
    result: dict[str, Any] = {}
    for name, measure in (("en", english), ("zh", chinese)):
        result[name] = measure(annotator, parts[name], options.rounds) if parts[name] else None
    result["rss_mb"] = None
    if options.stream and dialogues:
        result["rss_mb"] = growth(annotator, dialogues, options.stream)
        print(
            f"memory: {result['rss_mb']} MB more after {options.stream} dialogues than after the first tenth, "
            f"{rss():.0f} MB in all"
        )
    result["one_turn"] = {}
    if options.size:
        for name, part in parts.items():
            if part:
                result["one_turn"][name] = figures = huge(annotator, part, options.size)
                print(
                    f"{name}, one turn: {options.size // 10} bytes in {figures['s_tenth']} s, {options.size} in "
                    f"{figures['s']} s; a character costs {figures['per_character']} times as much"
                )
    finish(result)
    return 0


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    run(main)
