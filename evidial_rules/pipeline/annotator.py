"""The rule judge: a dialogue in, the contract's cells out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..contract import Cell, Dialogue, Frame, Instrument, judge
from ..resources import load_instrument
from . import COMPONENTS, OPTIONAL, components, load
from .language import check_dimensions, language
from .terms.logic import Mention
from .turns.logic import DialogueState, TurnState
from .version import ruleset


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mention as the lexicon has it, before anything around it is read.

    frame: its frame, said plainly, with the defaults for subject and time. negated: the frame if the mention is
    negated: the other polarity, and the strength and components that the lexicon gives its negation. core: [start, end)
    in the turn's own text of what is said, without the words before it that the lexicon leaves open, where a negation
    can stand (心情 ... 低落).
    """

    frame: Frame
    negated: Frame
    core: tuple[int, int]


class Annotator:
    """Judges dialogues by the rules. A language's pipeline is built on first use.

    lexicons: a folder with somebody's own lexicon files. without: components to leave out (see
    `evidial_rules.pipeline.OPTIONAL`); the rule set's name then says so. It is pickled by how it was constructed.
    Raises RuleError for a component that cannot be left out.

    >>> from evidial_rules.contract import Dialogue
    >>> turns = [{"speaker": "participant", "text": "I can't sleep."}]
    >>> row = {"dialogue_id": "d", "language": "en", "instrument": "PHQ-8", "turns": turns}
    >>> [c.state for c in Annotator().cells(Dialogue.from_dict(row)) if c.dimension == "sleep"]
    ['SUFFICIENT_POS']
    """

    def __init__(self, lexicons: Path | str | None = None, without: Iterable[str] = ()):
        self.lexicons = lexicons
        self.components = components(without)
        self.without = tuple(name for name in COMPONENTS if name not in self.components)
        self._pipelines: dict[str, Any] = {}
        self._ruleset: dict[str, str] | None = None
        self._instruments: dict[str, Instrument] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return Annotator, (self.lexicons, self.without)

    @property
    def ruleset(self) -> dict[str, str]:
        """Name and version of the rules: the version changes with any rule file."""
        if self._ruleset is None:
            self._ruleset = ruleset(self.lexicons, self.without)
        return self._ruleset

    def pipeline(self, language: str) -> Any:
        """The spaCy pipeline of a language ("en" or "zh")."""
        if language not in self._pipelines:
            self._pipelines[language] = load(language, self.lexicons, spans=False, without=self.without)
        return self._pipelines[language]

    def frames(self, dialogue: Dialogue) -> tuple[Frame, ...]:
        """The frames of a dialogue, in order of the text; nothing is bound yet.

        The components run on the dialogue itself: what they match is text, so that no tokens are made, which would
        cost as much as half of the rest, and would fill the vocabulary with every word that was ever read.
        """
        return self._run(dialogue, self.components).frames

    def candidates(self, dialogue: Dialogue) -> tuple[Candidate, ...]:
        """The mentions that the lexicons find in the turns of participants and informants, in order of the text, for
        another engine to say what the words around them make of them."""
        state = self._run(dialogue, components(OPTIONAL))
        found = []
        for frame, draft in zip(state.frames, state.drafts, strict=True):
            assert draft.mention is not None  # what has none comes from a component that did not run
            _, strength, names = draft.mention.reading(negated=True)
            polarity = "affirm" if frame.polarity == "deny" else "deny"
            negated = frame.replace(polarity=polarity, strength=strength, components=names)
            found.append(Candidate(frame, negated, _core(state.turns[draft.turn], draft.mention)))
        return tuple(found)

    def _run(self, dialogue: Dialogue, names: Iterable[str]) -> DialogueState:
        pipeline = self.pipeline(dialogue.language)
        first, *others = (pipeline.get_pipe(f"evidial_{name}") for name in names)
        state: DialogueState = first.turns([(turn.speaker, turn.text) for turn in dialogue.turns], dialogue.date)
        for component in others:
            component.stage(state)
        return state

    def cells(self, dialogue: Dialogue) -> tuple[Cell, ...]:
        """One cell for each dimension that the instrument has, in the contract's order. Raises UnknownInstrument."""
        instrument = self._instruments.get(dialogue.instrument)
        if instrument is None:  # looking for its file costs as much as a turn
            instrument = self._instruments[dialogue.instrument] = load_instrument(dialogue.instrument)
        if self.lexicons and not self._pipelines.get(dialogue.language):
            check_dimensions(language(dialogue.language, str(self.lexicons)).lexicons)
        return judge(self.frames(dialogue), instrument, dialogue_id=dialogue.dialogue_id, ruleset=self.ruleset)


def _core(turn: TurnState, mention: Mention) -> tuple[int, int]:
    """[start, end) in the turn's own text of the last stretch of a mention that is not open, or else of all of it."""
    last, start = (mention.start, mention.end), mention.start
    text = turn.canonical.text
    for a, b in (*sorted(mention.open), (mention.end, mention.end)):
        if text[start:a].strip():
            last = start + len(text[start:a]) - len(text[start:a].lstrip()), a
        start = b
    start, end = turn.canonical.span(*last)
    return turn.offset + start, turn.offset + end
