"""Hypothesis strategies for composed talks: what the grammar of anchors can say, drawn so that it shrinks.

A case is a cell with blocks of lines; its dialogue is what the judge reads, its ledger what the words mean.
"""
from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import note, reject, settings
from hypothesis import strategies as st

from evidial_rules.anchors.draft import Draft
from evidial_rules.anchors.edits import Block, Editor, NoEdit
from evidial_rules.anchors.grammar import load_grammar
from evidial_rules.anchors.wording import Wording
from evidial_rules.contract import Dialogue, Instrument
from evidial_rules.pipeline.annotator import Annotator
from evidial_rules.resources import load_instrument

FUZZ = int(os.environ.get("EVIDIAL_FUZZ", "0"))
"""How many cases `make fuzz` asks for; 0 is the test suite's own small number."""

LANGUAGES = os.environ.get("EVIDIAL_FUZZ_LANGUAGE", "en zh").split()
CELLS = [(language, instrument, dimension) for language in LANGUAGES for instrument in ("PHQ-8", "HAMD-17", "BDI-II")
         for dimension in load_instrument(instrument).ordered]
TODAY = datetime.date(2025, 6, 18)

_annotator = Annotator()


def share(part: float, least: int = 40) -> settings:
    """Settings for a property that takes this part of the cases of a long run. Long runs draw anew each time."""
    if FUZZ:
        return settings(max_examples=max(1, int(FUZZ * part)), derandomize=False, print_blob=True)
    return settings(max_examples=least)


class Drawn(Wording):
    """Wording that Hypothesis draws, and can make simpler: the first phrase of each list is the simplest."""

    def __init__(self, draw: Callable, language: str) -> None:
        super().__init__(load_grammar(language), language, 0)
        self._draw = draw

    def pick(self, place, options):
        if not options:
            raise IndexError(place)
        return self._draw(st.sampled_from(list(options)))

    def flip(self, probability=0.5):
        return self._draw(st.booleans())

    def below(self, n):
        return self._draw(st.integers(0, n - 1))

    def choices(self, options, k):
        return [self.pick("", options) for _ in range(k)]


@dataclass(repr=False)
class Talk:
    """Blocks about one cell, in their order, and the talk that they make."""

    language: str
    instrument: Instrument
    dimension: str
    blocks: list[Block] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"{self.language} {self.instrument.name} {self.dimension}"  # the dialogue is printed by `judged`

    def draft(self, blocks: Sequence[Block] | None = None) -> Draft:
        draft = Draft()
        for block in self.blocks if blocks is None else blocks:
            draft.put(block)
        return draft

    def expected(self, blocks: Sequence[Block] | None = None) -> str:
        """The state that the ledger gives."""
        return self.draft(blocks).state(self.instrument, self.dimension)

    def judged(self, blocks: Sequence[Block] | None = None) -> str:
        """The state that the rule judge reads; the dialogue is shown if the test fails."""
        dialogue = Dialogue(dialogue_id="d", language=self.language, instrument=self.instrument.name, date=TODAY,
                            turns=tuple(self.draft(blocks).turns))
        state = next(c.state for c in _annotator.cells(dialogue) if c.dimension == self.dimension)
        note(f"{self.instrument.name} {self.dimension}, judged {state}, the ledger gives {self.expected(blocks)}:\n"
             + "\n".join(f"  {turn.speaker}: {turn.text}" for turn in dialogue.turns))
        return state


@st.composite
def talks(draw, *parts: Callable[[Editor], Block | Sequence[Block]], cells=None):
    """A talk of the parts, each of which makes a block (or several) with an editor. A neutral exchange goes first."""
    language, name, dimension = draw(st.sampled_from(cells or CELLS))
    editor = Editor(Drawn(draw, language), load_instrument(name), dimension, TODAY)
    talk = Talk(language, editor.instrument, dimension, [editor.neutral()])
    for part in parts:
        try:
            made = part(editor)
        except NoEdit:  # a cell that has no phrase of this kind: Hypothesis draws another
            reject()
        talk.blocks.extend([made] if made and not isinstance(made[0], tuple) else made)
    return talk
