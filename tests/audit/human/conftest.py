"""A drawn study in a folder of its own."""
from __future__ import annotations

import pytest
from human_study import Study, talk

from evidial_rules import cli
from evidial_rules.anchors import read_anchors
from evidial_rules.audit.human import dialogues_of, sample
from evidial_rules.contract import STATES, Reference
from evidial_rules.corpora import read_dialogues, write_jsonl
from evidial_rules.resources import load_instrument


@pytest.fixture
def study(tmp_path):
    talks = [talk(f"en-{i}") for i in range(6)] + [talk(f"zh-{i}", "PDCH", "zh", "HAMD-17") for i in range(3)]
    reference = [Reference(one.dialogue_id, dimension, STATES[(i + j) % 5 if i else 0], "relca", {}, 0.0, 3)
                 for i, one in enumerate(talks) for j, dimension in enumerate(load_instrument(one.instrument).ordered)]
    classes = {"P2": "ABSENT", "P4-op": "SUFFICIENT_POS", "P7": "CONFLICTING"}
    views = [(f"base{i}.{name}.sleep", name, expected, f"base{i}") for i in range(4)
             for name, expected in classes.items()]
    write_jsonl(tmp_path / "anchors.jsonl", [
        talk(ident).to_dict() | {"anchor": {"class": name, "dimension": "sleep", "expected": expected, "base_id": base}}
        for ident, name, expected, base in views])
    write_jsonl(tmp_path / "dialogues.jsonl", talks)
    write_jsonl(tmp_path / "relca.jsonl", reference)
    anchors = list(read_anchors(tmp_path / "anchors.jsonl"))
    key = sample(talks, reference, 30, 5, anchors=anchors, n_anchors=6)
    write_jsonl(tmp_path / "key.jsonl", (one.to_dict() for one in key.items.values()))
    held = dialogues_of(key, read_dialogues([tmp_path / "dialogues.jsonl", tmp_path / "anchors.jsonl"]))
    return Study(tmp_path, talks, dict(held), reference, anchors, key)


@pytest.fixture
def evidial(study, capfd, monkeypatch):
    monkeypatch.chdir(study.folder)

    def run(*arguments):
        status = cli.run([str(one) for one in arguments])
        return status, *capfd.readouterr()

    return run
