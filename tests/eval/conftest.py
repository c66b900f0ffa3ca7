"""The measuring programs are scripts beside the package: their folder goes on the path, as when they run."""
from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

EVAL = Path(__file__).resolve().parents[2] / "eval"
sys.path.insert(0, str(EVAL))

TALK = {
    "en": [("interviewer", "How have you been sleeping?"), ("participant", "Badly. I lie awake for hours."),
           ("interviewer", "And your appetite?"), ("participant", "My appetite is fine.")],
    "zh": [("interviewer", "最近睡眠怎么样？"), ("participant", "很差，整晚睡不着。"),
           ("interviewer", "胃口呢？"), ("participant", "胃口挺好的。")],
}


@pytest.fixture
def program(monkeypatch, capsys):
    """Runs a program's main; returns what it printed and the object on its last line. No peer is installed."""
    import peers

    monkeypatch.setattr(peers, "PEERS", dict.fromkeys(peers.PEERS, lambda: None))

    def run(module, *arguments):
        monkeypatch.setattr(sys, "argv", ["program", *map(str, arguments)])
        assert module.main() == 0
        out = capsys.readouterr().out
        return out, json.loads(out.rstrip("\n").rsplit("\n", 1)[-1])

    return run


@pytest.fixture
def dialogues(tmp_path):
    """Writes one dialogue a language, each with further keys; returns the file."""
    def write(**more):
        path = tmp_path / "dialogues.jsonl"
        rows = [{"dialogue_id": language, "language": language, "instrument": "BDI-II",
                 "turns": [{"speaker": speaker, "text": text} for speaker, text in turns], **more}
                for language, turns in TALK.items()]
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
