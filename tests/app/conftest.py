"""Workspaces under a judge of five lines, and the pages as Streamlit's own test runner gives them."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

import fake
from evidial_rules.contract import Dialogue

SCRIPT = Path(__file__).resolve().parents[2] / "evidial_rules" / "app" / "script.py"


@pytest.fixture
def talk():
    """A dialogue of the participant's turns."""
    def say(name, *texts, **more):
        return Dialogue.from_dict({"dialogue_id": name, "language": "en", "instrument": "PHQ-8", "turns": [
            {"speaker": "participant", "text": text} for text in texts]} | more)

    return say


@pytest.fixture
def workspace():
    """Opens dialogues; `opinions` and `cells` as the class takes them."""
    pytest.importorskip("streamlit")
    from evidial_rules.app.workspace import Workspace, set_current

    def open_them(*dialogues, **more):
        made = Workspace(dialogues, **more)
        made.annotator = fake.Annotator()
        set_current(made)
        return made

    yield open_them
    set_current(None)


class Page:
    """One session on the app."""

    def __init__(self):
        from streamlit.testing.v1 import AppTest

        self.test = AppTest.from_file(str(SCRIPT), default_timeout=30)

    def open(self, **address):
        self.test.query_params.clear()
        for key, value in address.items():
            self.test.query_params[key] = value
        return self.run()

    def run(self):
        self.test.run()
        assert not self.test.exception
        return self

    @property
    def panes(self):
        """The HTML of each pane by its key."""
        def walk(node):
            for child in getattr(node, "children", {}).values():
                yield child
                yield from walk(child)

        found = {}
        for element in walk(self.test._tree):
            if element.type == "bidi_component":
                data = json.loads(element.proto.json or element.proto.mixed.json)
                found[element.proto.id.rpartition("-")[2]] = data.get("html", data)
        return found

    @property
    def html(self):
        return "\n".join(part for part in self.panes.values() if isinstance(part, str))


@pytest.fixture
def page():
    pytest.importorskip("streamlit")
    return Page()
