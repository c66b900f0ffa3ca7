"""A rule judge of five lines, for tests of what surrounds the real one."""
from __future__ import annotations

from evidial_rules.contract import Cue, Frame, Interval, judge
from evidial_rules.corpora import to_json
from evidial_rules.resources import load_instrument

WORDS = {
    "tired": ("fatigue", "energy", "affirm"),
    "rested": ("fatigue", "energy", "deny"),
    "sad": ("depressed_mood", "low_mood", "affirm"),
    "入睡困难": ("sleep", "onset", "affirm"),
}


class Annotator:
    """Finds the words above; "yesterday" limits the time, "brother" makes another subject."""

    def __init__(self, lexicons=None, without=()):
        self.lexicons, self.without = lexicons, tuple(without)
        self.ruleset = {"name": "fake", "version": "7"}

    def __reduce__(self):
        return Annotator, (self.lexicons,)

    def frames(self, dialogue):
        out = []
        for number, turn in enumerate(dialogue.turns):
            for word, (dimension, component, polarity) in WORDS.items():
                start = turn.text.find(word)
                if start < 0:
                    continue
                end = start + len(word)
                cues = [Cue("polarity", polarity, f"fake.{word}", number, start, end)]
                time = Interval()
                if (at := turn.text.find("yesterday")) >= 0:
                    time = Interval(2, 1)
                    cues.append(Cue("time", time, "fake.yesterday", number, at, at + 9))
                    cues.append(Cue("time", Interval(), "fake.always", number, start, end, lost_to="fake.yesterday"))
                subject = "other" if "brother" in turn.text else "participant"
                out.append(Frame(f"f{len(out) + 1}", dimension, (component,), polarity, subject=subject, time=time,
                                 turn=number, start=start, end=end, quote=word, speaker=turn.speaker,
                                 cues=tuple(cues)))
        return tuple(out)

    def cells(self, dialogue):
        return judge(self.frames(dialogue), load_instrument(dialogue.instrument), dialogue_id=dialogue.dialogue_id,
                     ruleset=self.ruleset)


class CellLines:
    """Stands in for the real one, whose import in a worker process would load the real judge."""

    def __init__(self, lexicons=None, *, trace=True):
        self.annotator = Annotator(lexicons)

    def __call__(self, dialogue):
        return b"".join(to_json(cell.to_dict()).encode() + b"\n" for cell in self.annotator.cells(dialogue))
