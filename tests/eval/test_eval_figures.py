"""The figures that the measuring programs share, on counts worked out by hand."""
from __future__ import annotations

import doctest
import importlib

import common
import pytest
from natural import figures, recall

from evidial_rules.errors import FileFormatError


@pytest.mark.parametrize("name", ["common", "negex", "natural", "bug_cases", "peers", "sensitivity", "speed"])
def test_the_examples_in_the_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_precision_and_recall():
    pairs = [(True, True)] * 3 + [(True, False)] + [(False, True)] * 2 + [(False, False)] * 4
    assert common.prf(pairs) == {"p": 0.6, "r": 0.75, "f1": 0.6667}
    assert common.prf([]) == {"p": 0.0, "r": 0.0, "f1": 0.0}
    assert common.prf([(True, False)])["f1"] == 0.0


def test_kappa_is_nothing_where_both_say_one_and_the_same():
    assert common.kappa([]) is None and common.kappa([("a", "a")] * 3) is None
    assert common.kappa([("a", "b"), ("b", "a")]) == -1
    assert common.kappa([("a", "a"), ("b", "b")]) == 1


def test_the_constant_judge_says_the_most_frequent_gold_state():
    pairs = [("ABSENT", "ABSENT"), ("ABSENT", "PARTIAL"), ("PARTIAL", "PARTIAL")]
    assert figures(pairs)["constant"] == 0.6667 and figures(pairs)["agreement"] == 0.6667
    assert recall(pairs)["ABSENT"] == 0.5 and recall(pairs)["CONFLICTING"] is None
    assert figures([])["agreement"] is None


@pytest.mark.parametrize("content", ["[1]", "{", "x"])
def test_a_line_that_is_no_object_is_named(tmp_path, content):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n' + content + "\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"rows\.jsonl:3"):
        common.read_rows(path)


def test_bad_input_is_one_line_and_status_two(tmp_path, capsys):
    (tmp_path / "gbk.jsonl").write_bytes('{"a": "睡眠"}\n'.encode("gb18030"))
    for name in ("gbk.jsonl", "nowhere.jsonl"):
        with pytest.raises(SystemExit) as ended:
            common.run(lambda name=name: common.read_rows(tmp_path / name) and 0)
        assert ended.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
