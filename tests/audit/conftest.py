"""Small audits, built from counts."""
from __future__ import annotations

import pytest

from evidial_rules.contract import Dialogue, Prediction, Reference

DIMENSIONS = ("depressed_mood", "anhedonia", "sleep", "fatigue", "appetite_weight", "psychomotor",
              "guilt_worthlessness", "concentration")


class Audit:
    """Cells one by one: label, reference state, and what is predicted under each condition ("-": abstained, "x":
    failed)."""

    def __init__(self):
        self.talks, self.reference, self.predictions, self.n = {}, [], [], 0

    def add(self, label, state, answers, times=1, source="S", dialogue=None):
        for _ in range(times):
            name = dialogue or f"d{self.n // 8}{source}"
            dimension = DIMENSIONS[self.n % 8]
            self.n += 1
            self.talks.setdefault(name, {"source": source, "scores": {}})["scores"][dimension] = label
            self.reference.append(Reference(name, dimension, state, "relca", {}, 0.0, 3))
            for condition, answer in answers.items():
                status = {"-": "abstained", "x": "failed"}.get(answer, "answered")
                self.predictions.append(Prediction(name, dimension, *condition, status,
                                                   None if status != "answered" else answer))

    def dialogues(self):
        return [Dialogue(dialogue_id=name, participant_id=name, source=one["source"], language="en", instrument="PHQ-8",
                         scores=one["scores"], turns=[{"speaker": "participant", "text": "hello"}])
                for name, one in self.talks.items()]


@pytest.fixture
def audit():
    return Audit()
