"""Each measuring program on a few rows of its own."""
from __future__ import annotations

import bug_cases
import natural
import negex
import pytest
import speed

from evidial_rules.errors import FileFormatError

HEAD = "line number\tCondition\tsentence\tnegation_status\ttemporality\texperiencer\n"
KIT = [
    ("wheeze", "There is no WHEEZE or stridor.", "Negated", "Recent"),
    ("stridor", "There is no wheeze or STRIDOR.", "Negated", "Recent"),
    ("joint pain", "She denies fever,   chills and JOINT   PAIN.", "Negated", "Recent"),
    ("hives", "The HIVES have since resolved.", "Negated", "Recent"),
    ("hernia", "Imaging cannot rule out a HERNIA.", "Possible", "Recent"),
    ("eczema", "PMH: asthma, ECZEMA.", "Affirmed", "Historical"),
    ("stroke", "A man with a history of STROKE who presents with vertigo.", "Affirmed", "Historical"),
    ("vertigo", "A man with a history of stroke who presents with VERTIGO.", "Affirmed", "Recent"),
    ("tonsillectomy", "Status post TONSILLECTOMY.", "Affirmed", "Historical"),
    ("cough", "A two day history of COUGH.", "Affirmed", "Recent"),
    ("FEV1 (post) [l]", "Reduced FEV1 (POST) [L] today.", "Affirmed", "Recent"),
    ("nowhere", "This sentence does not hold it.", "Affirmed", "Recent"),
]


def kit(tmp_path, rows):
    path = tmp_path / "kit.tsv"
    lines = [f"{i}\t" + "\t".join(row) + "\tPatient\n" for i, row in enumerate(rows, 1)]
    path.write_text(HEAD + "".join(lines), encoding="utf-8")
    return path


def test_negex(tmp_path, program):
    out, last = program(negex, kit(tmp_path, KIT))
    assert last["n"] == len(KIT) and last["negspacy"] is None and last["medspacy"] is None
    assert last["evidial"]["negation"] == {"p": 1.0, "r": 1.0, "f1": 1.0}
    assert last["evidial"]["historical"] == {"p": 1.0, "r": 1.0, "f1": 1.0}
    assert last["evidial"]["not_found"] == 1
    assert "not installed" in out


def test_negex_counts_what_we_get_wrong(tmp_path, program):
    out, last = program(negex, kit(tmp_path, [("rash", "He has a RASH.", "Negated", "Historical")]), "--misses")
    assert last["evidial"]["negation"]["r"] == 0.0 and last["evidial"]["historical"]["r"] == 0.0
    assert "negation, missed: 2" in out


@pytest.mark.parametrize("row", ["1\tcough\tNo COUGH.\tno\tRecent\tPatient\n", "1\tcough\n"])
def test_negex_names_the_line_that_is_wrong(tmp_path, row):
    path = tmp_path / "kit.tsv"
    path.write_text(HEAD + row, encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"kit\.tsv:2"):
        negex.read(path)


def test_natural(dialogues, program):
    gold = {"sleep": "SUFFICIENT_POS", "appetite_weight": "SUFFICIENT_NEG", "fatigue": "ABSENT", "anhedonia": "PARTIAL"}
    _, last = program(natural, dialogues(gold=gold))
    assert last["n"] == 8 and last["agreement"] == 0.75 and set(last["by_language"]) == {"en", "zh"}
    assert last["recall"] == {"ABSENT": 1.0, "PARTIAL": 0.0, "CONFLICTING": None, "SUFFICIENT_POS": 1.0,
                              "SUFFICIENT_NEG": 1.0}
    assert last["by_language"]["en"]["constant"] == 0.25


def test_bug_cases(dialogues, program):
    expected = {"sleep": "SUFFICIENT_POS", "fatigue": "PARTIAL"}
    out, last = program(bug_cases, dialogues(expected=expected, phenomenon="made up"))
    assert last == {"n": 4, "right": 2, "rate": 0.5, "by_language": {"en": 0.5, "zh": 0.5}}
    assert "made up" in out


@pytest.mark.parametrize("module", [natural, bug_cases])
def test_rows_without_gold_are_refused(module, dialogues, program):
    with pytest.raises(FileFormatError, match="dialogue 1"):
        program(module, dialogues())


def test_speed(dialogues, program):
    _, last = program(speed, dialogues(), "--rounds", "1", "--stream", "20", "--size", "20000")
    assert set(last["en"]) == {"vs_tokenising", "vs_medspacy", "vs_negspacy", "turns_per_s"}
    assert last["en"]["vs_tokenising"] > 0 and last["en"]["vs_medspacy"] is None
    assert last["zh"]["vs_jieba"] > 0 and last["zh"]["turns_per_s"] > 0
    assert isinstance(last["rss_mb"], float) and set(last["one_turn"]) == {"en", "zh"}
