"""A small human study for tests: dialogues with characters of two UTF-16 units, and what people say of its items."""
from __future__ import annotations

import json
from dataclasses import dataclass

from evidial_rules.audit.human import Annotation, Key, Quote, choice_of
from evidial_rules.contract import Dialogue
from evidial_rules.resources import load_instrument

SECRET = "locker code 4711"
TURNS = {
    "en": [("interviewer", "How do you sleep? <script>alert(1)</script> & so on"),
           ("participant", f"😀 I lie awake 😴 for hours, {SECRET}."), ("informant", "He paces,\nall   night.")],
    "zh": [("interviewer", "睡得怎么样？"), ("participant", "😴每天三点就醒，柜子密码4711。")],
}


def talk(name, source="E-DAIC", language="en", instrument="PHQ-8", **more):
    return Dialogue.from_dict({
        "dialogue_id": name, "participant_id": f"person-of-{name}", "source": source, "language": language,
        "instrument": instrument, "scores": dict.fromkeys(load_instrument(instrument).ordered, 2), "date": "2025-03-04",
        "turns": [{"speaker": who, "text": text} for who, text in TURNS[language]]} | more)


@dataclass
class Study:
    """Everything of a study, as values and as files in a folder."""

    folder: object
    talks: list
    dialogues: dict
    reference: list
    anchors: list
    key: Key

    def says(self, annotator, state_of, round=1, quotes=()):
        """An annotation of each item: state_of(item) is a state, or None for no answer."""
        return [Annotation(self.key.study, one.item, *one.cell, annotator, state, tuple(quotes), round)
                for one in self.key.items.values() if (state := state_of(one)) is not None]

    def truth(self, item):
        """The state by which an item was drawn, or the one that must follow of an anchor."""
        return item.expected or item.state

    def form_file(self, annotations, name="A.json", **changes):
        """Answers as the form hands them out."""
        rows = [{"item": one.item, **dict(zip(("state", "polarity"), choice_of(one.state), strict=True)),
                 "quotes": [quote.to_dict() for quote in one.quotes]} for one in annotations]
        path = self.folder / name
        path.write_text(json.dumps({"form": 1, "study": self.key.study, "annotator": annotations[0].annotator,
                                    "round": annotations[0].round, "answers": rows} | changes), encoding="utf-8")
        return path


QUOTE = Quote(1, 2, 15, "I lie awake 😴")
