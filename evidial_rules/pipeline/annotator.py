"""The rule judge: a dialogue in, the contract's cells out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..contract import Cell, Dialogue, Frame, Instrument, judge
from ..resources import load_instrument
from . import COMPONENTS, load
from .language import check_dimensions, language
from .version import ruleset


class Annotator:
    """Judges dialogues by the rules. A language's pipeline is built on first use.

    lexicons: a folder with somebody's own lexicon files. It is pickled by how it was constructed.

    >>> from evidial_rules.contract import Dialogue
    >>> turns = [{"speaker": "participant", "text": "I can't sleep."}]
    >>> row = {"dialogue_id": "d", "language": "en", "instrument": "PHQ-8", "turns": turns}
    >>> [c.state for c in Annotator().cells(Dialogue.from_dict(row)) if c.dimension == "sleep"]
    ['SUFFICIENT_POS']
    """

    def __init__(self, lexicons: Path | str | None = None):
        self.lexicons = lexicons
        self._pipelines: dict[str, Any] = {}
        self._ruleset: dict[str, str] | None = None
        self._instruments: dict[str, Instrument] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return Annotator, (self.lexicons,)

    @property
    def ruleset(self) -> dict[str, str]:
        """Name and version of the rules: the version changes with any rule file."""
        if self._ruleset is None:
            self._ruleset = ruleset(self.lexicons)
        return self._ruleset

    def pipeline(self, language: str) -> Any:
        """The spaCy pipeline of a language ("en" or "zh")."""
        if language not in self._pipelines:
            self._pipelines[language] = load(language, self.lexicons, spans=False)
        return self._pipelines[language]

    def frames(self, dialogue: Dialogue) -> tuple[Frame, ...]:
        """The frames of a dialogue, in order of the text; nothing is bound yet.

        The components run on the dialogue itself: what they match is text, so that no tokens are made, which would
        cost as much as half of the rest, and would fill the vocabulary with every word that was ever read.
        """
        first, *others = (self.pipeline(dialogue.language).get_pipe(f"evidial_{name}") for name in COMPONENTS)
        state = first.turns([(turn.speaker, turn.text) for turn in dialogue.turns], dialogue.date)
        for component in others:
            component.stage(state)
        return state.frames

    def cells(self, dialogue: Dialogue) -> tuple[Cell, ...]:
        """One cell for each dimension that the instrument has, in the contract's order. Raises UnknownInstrument."""
        instrument = self._instruments.get(dialogue.instrument)
        if instrument is None:  # looking for its file costs as much as a turn
            instrument = self._instruments[dialogue.instrument] = load_instrument(dialogue.instrument)
        if self.lexicons and not self._pipelines.get(dialogue.language):
            check_dimensions(language(dialogue.language, str(self.lexicons)).lexicons)
        return judge(self.frames(dialogue), instrument, dialogue_id=dialogue.dialogue_id, ruleset=self.ruleset)
