"""Two versions of a transcript: passages found again, and states that the version alone changes."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidial_rules import cli
from evidial_rules.contract import Dialogue
from evidial_rules.pipeline.annotator import Annotator
from evidial_rules.raters.rules import cell_line
from evidial_rules.report.alignment import Alignment


def talk(*turns, language="en", ident="d1"):
    return Dialogue.model_validate({
        "dialogue_id": ident, "participant_id": "p1", "source": "demo", "language": language, "instrument": "PHQ-8",
        "turns": [{"speaker": {"I": "interviewer", "P": "participant"}[who], "text": text} for who, text in turns]})


RAW = {
    "en": (("I", "how have you been sleeping lately"), ("P", "um badly i wake up at three"),
           ("P", "every night"), ("I", "and your appetite"), ("P", "thats fine i eat three meals")),
    "zh": (("I", "最近睡得怎么样"), ("P", "嗯 不好 老是三点醒"), ("P", "天天这样"), ("I", "胃口呢"), ("P", "胃口挺好")),
}
NEAT = {
    "en": (("I", "How have you been sleeping lately?"), ("P", "Badly. I wake up at three every night."),
           ("I", "And your appetite?"), ("P", "That's fine, I eat three meals.")),
    "zh": (("I", "最近睡得怎么样？"), ("P", "不好，老是三点醒，天天这样。"), ("I", "胃口呢？"), ("P", "胃口挺好。")),
}


@pytest.mark.parametrize(("language", "words", "place"), [
    ("en", "I wake up at three", (1, 9, 27)), ("en", "every night", (2, 0, 11)),
    ("en", "I eat three meals", (4, 11, 28)),
    ("zh", "老是三点醒", (1, 5, 10)), ("zh", "天天这样", (2, 0, 4)), ("zh", "胃口挺好", (4, 0, 4)),
])
def test_a_passage_is_found_in_the_other_version(language, words, place):
    raw, neat = talk(*RAW[language], language=language), talk(*NEAT[language], language=language)
    turn, start = next((n, one.text.find(words)) for n, one in enumerate(neat.turns) if words in one.text)
    assert Alignment.of(raw, neat).place((turn, start, start + len(words))) == place


def test_what_only_one_version_has_stands_nowhere_in_the_other():
    raw, neat = talk(("P", "fine")), talk(("P", "Fine."), ("P", "Goodbye now"))
    assert Alignment.of(raw, neat).place((1, 0, 11)) is None
    assert Alignment.of(raw, neat).place((0, 4, 5)) is None  # a full stop


@given(st.lists(st.tuples(st.sampled_from("IP"), st.text("ab我好 .,'’", max_size=12)), min_size=1, max_size=5))
def test_a_version_stands_in_itself_where_it_stands(turns):
    one = talk(*((who, text + "x") for who, text in turns))
    alignment = Alignment.of(one, one)
    for number, turn in enumerate(one.turns):
        start, end = len(turn.text) - len(turn.text.lstrip(" .,'’")), len(turn.text)
        assert alignment.place((number, start, end)) == (number, start, end)


def run(folder, name, dialogue):
    (folder / f"{name}.jsonl").write_text(json.dumps(dialogue.to_dict(), ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / f"{name}.cells.jsonl").write_bytes(b"".join(map(cell_line, Annotator().cells(dialogue))))


def test_a_state_changed_by_the_version_has_its_operation(tmp_path, capsys, monkeypatch):
    """Who tidied the transcript left out when it was, and joined two turns."""
    raw = talk(("I", "go on"), ("P", "hm"), ("P", "back in college i would wake up at three and lie awake"))
    neat = talk(("I", "Go on."), ("P", "I wake up at three and lie awake."))
    monkeypatch.chdir(tmp_path)
    run(tmp_path, "raw", raw)
    run(tmp_path, "neat", neat)
    versions = ["--dialogues-a", "raw.jsonl", "--dialogues-b", "neat.jsonl"]
    found = {}
    for name, options in (("plain", []), ("aligned", versions)):
        assert cli.run(["diff", "raw.cells.jsonl", "neat.cells.jsonl", *options, "-o", f"{name}.jsonl"]) == 0
        [found[name]] = [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()]
    capsys.readouterr()
    assert found["plain"]["operations"] == ["detection"]
    assert found["aligned"]["operations"] == ["temporal"]
    assert {(frame["turn"], frame["turn_b"]) for frame in found["aligned"]["frames"]["changed"]} == {(2, 1)}


def test_one_version_alone_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(tmp_path, "neat", talk(("P", "I sleep well")))
    assert cli.run(["diff", "neat.cells.jsonl", "neat.cells.jsonl", "--dialogues-a", "neat.jsonl"]) == 2
    assert "--dialogues-b: expected both versions" in capsys.readouterr().err


def test_versions_of_other_dialogues_are_refused_and_the_words_shared_are_told(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(tmp_path, "a", talk(("P", "I sleep badly these days")))
    run(tmp_path, "b", talk(("P", "I sleep badly")))
    run(tmp_path, "other", talk(("P", "I sleep badly"), ident="d2"))
    call = ["diff", "a.cells.jsonl", "b.cells.jsonl", "--dialogues-a", "a.jsonl", "--dialogues-b"]
    assert cli.run([*call, "other.jsonl"]) == 2
    assert "transcripts: expected two versions of the dialogues" in capsys.readouterr().err
    assert cli.run([*call, "b.jsonl"]) == 0
    assert "two versions of 1 of 1 dialogues; A has 100.0% of B's words" in capsys.readouterr().out
    turned = ["diff", "b.cells.jsonl", "a.cells.jsonl", "--dialogues-a", "b.jsonl", "--dialogues-b", "a.jsonl"]
    assert cli.run(turned) == 0
    assert "A has 60.0% of B's words" in capsys.readouterr().out
