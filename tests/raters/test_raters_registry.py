"""Raters by name, and their votes as lines."""
from __future__ import annotations

import json
import pickle
from itertools import groupby

import pytest

from evidial_rules.contract import Vote
from evidial_rules.corpora import read_dialogues
from evidial_rules.raters import RaterError, engines
from evidial_rules.raters.pool import ordered_map
from evidial_rules.raters.registry import VoteLines, judged_lines, rater, raters
from evidial_rules.resources import load_instrument, resource

SHIPPED = list(read_dialogues(resource("data", "dialogues.jsonl")))


@pytest.mark.parametrize("name", ["gpt", "", "no-such", "Rules"])
def test_an_unknown_name_lists_those_that_are_known(name):
    with pytest.raises(RaterError) as caught:
        rater(name)
    for known in (*raters(), "provider/model"):
        assert known in str(caught.value)


@pytest.mark.parametrize(("name", "package"), [("negex", "negspacy"), ("context", "medspacy")])
def test_an_engine_that_is_not_installed_names_the_extra(name, package, monkeypatch):
    def missing(_):
        raise engines.PackageNotFoundError

    monkeypatch.setattr(engines, "version", missing)
    with pytest.raises(RaterError, match=rf"rater {name}: expected {package}, .*evidial-rules\[raters\]"):
        rater(name)


def test_raters_of_both_kinds_are_written_in_the_order_given():
    def read(name, spoken):
        return [Vote(spoken.dialogue_id, "sleep", name, "ABSENT")]

    names = ["openai/a", "rules", "openai/b", "no-time"]
    for workers in (1, 2):
        lines = list(judged_lines(SHIPPED[:3], names, read, {"openai/a", "openai/b"}, workers=workers))
        rows = [json.loads(line) for line in b"".join(lines).splitlines()]
        found = [key for key, _ in groupby((row["dialogue_id"], row["rater"]) for row in rows)]
        assert found == [(spoken.dialogue_id, name) for spoken in SHIPPED[:3] for name in names]
    alone = b"".join(VoteLines(["rules"])(spoken) for spoken in SHIPPED[:3])
    assert b"".join(judged_lines(SHIPPED[:3], ["rules"], read, ())) == alone
    assert len(list(judged_lines(SHIPPED[:2], ["openai/a"], read, ["openai/a"]))) == 2  # nobody judges here


def test_lines_are_rater_by_rater_in_the_order_given():
    spoken = SHIPPED[0]
    rows = [json.loads(line) for line in VoteLines(["no-time", "rules"])(spoken).splitlines()]
    order = load_instrument(spoken.instrument).ordered
    assert [(row["rater"], row["dimension"]) for row in rows] == [
        (name, dimension) for name in ("no-time", "rules") for dimension in order]
    assert set(rows[0]) == {"dialogue_id", "dimension", "rater", "state", "valid", "reason", "frames", "stated",
                            "contract", "ruleset"}
    assert {"verdicts", "kept", "effective"} <= set(next(row for row in rows if row["frames"])["frames"][0])


def test_a_rater_given_twice_is_refused():
    with pytest.raises(RaterError, match="each rater once"):
        VoteLines(["rules", "no-time", "rules"])


def test_lines_are_pickled_by_name_and_the_same_from_a_pool():
    lines = VoteLines(["rules", "no-scope"])
    assert pickle.loads(pickle.dumps(lines)).names == lines.names
    alone = [lines(spoken) for spoken in SHIPPED[:4]]
    assert list(ordered_map(lines, SHIPPED[:4], workers=2, chunk=1)) == alone
