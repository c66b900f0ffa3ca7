"""Views: an edit put into a base dialogue, kept if its ledger gives the state of its class (contract, section 5)."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..contract import Dialogue, Frame, Instrument, bind_all, project
from ..resources import load_instrument
from .bases import Base
from .classes import CLASSES
from .draft import Draft
from .edits import Edit, Editor, Evidence, NoEdit
from .grammar import load_grammar
from .wording import Wording

TWINS = {"en": "HAMD-17", "zh": "PHQ-8"}
"""The instrument of the other language's corpora: its anchors tell language and instrument apart (paper,
"Limitations": language, source and instrument are confounded)."""

_TRIES = 25


@dataclass(frozen=True, slots=True)
class View:
    """One anchor: the changed dialogue, what follows, and why.

    `changed` are the turns that the edit put in, and `deleted` those of the base that it took out. `frames` is the
    ledger of the target cell: the base's frames and the edit's, as the grammar means them.
    """

    dialogue: Dialogue
    name: str
    dimension: str
    expected: str
    base_id: str
    changed: tuple[int, ...]
    deleted: tuple[int, ...]
    parts: tuple[str, ...]
    twin: bool
    edge: bool
    frames: tuple[Frame, ...]

    def to_dict(self) -> dict[str, Any]:
        """The canonical dialogue with the `anchor` object of the contract (section 6) and of this project."""
        return self.dialogue.to_dict() | {"anchor": {
            "class": self.name, "dimension": self.dimension, "expected": self.expected, "base_id": self.base_id,
            "changed": list(self.changed), "deleted": list(self.deleted), "parts": list(self.parts),
            "twin": self.twin, "edge": self.edge, "frames": [frame.to_dict() for frame in self.frames],
        }}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A view that was not made, and why."""

    base_id: str
    dimension: str
    name: str
    instrument: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """One JSON object."""
        return {"base_id": self.base_id, "dimension": self.dimension, "class": self.name,
                "instrument": self.instrument, "reason": self.reason}


def make_views(
    bases: Iterable[Base], *, seed: int = 0, classes: Sequence[str] | None = None, twins: bool = True,
    refuse: Callable[[Refusal], None] | None = None,
) -> Iterator[View]:
    """The views of each base: one of each class and dimension, under the base's instrument and (`twins`) the other
    language's. The same bases and seed give the same views.

    No two views of a class share the words that they put in. What cannot be made is handed to `refuse`.
    """
    makers: dict[str, _Maker] = {}
    names = tuple(classes if classes is not None else CLASSES)
    for base in bases:
        language = base.dialogue.language
        if language not in makers:
            makers[language] = _Maker(Wording(load_grammar(language), language, seed))
        maker = makers[language]
        own = base.dialogue.instrument
        for name in dict.fromkeys((own, TWINS[language]) if twins else (own,)):
            instrument = load_instrument(name)
            for dimension, kind in itertools.product(instrument.ordered, names):
                made = maker.view(base, instrument, dimension, kind)
                if isinstance(made, View):
                    yield made
                elif refuse is not None:
                    refuse(made)


class _Maker:
    """Makes the views of one language, and remembers the words that they were given."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self._said: set[tuple[str, str]] = set()

    def view(self, base: Base, instrument: Instrument, dimension: str, name: str) -> View | Refusal:
        """One view, or why there is none."""
        def refusal(reason: str) -> Refusal:
            return Refusal(base.dialogue.dialogue_id, dimension, name, instrument.name, reason)

        twin = instrument.name != base.dialogue.instrument
        if dimension not in base.dimensions or twin and base.frames is None:
            return refusal("the base's cell is not known")
        if base.frames is None and base.states[dimension] != "ABSENT":
            return refusal(f"the base's cell is {base.states[dimension]}, and its frames are not known")
        evidence = _evidence(base, instrument, dimension)
        reason = "no words are left that no other view of the class has"
        for _ in range(_TRIES):
            today = self._today(base, evidence)
            try:
                edit = Editor(self.wording, instrument, dimension, today).edit(name, evidence)
                view = self._put(base, instrument, dimension, name, edit, today)
            except NoEdit as error:
                return refusal(str(error))
            state = project(bind_all(view.frames, instrument), instrument, dimension).state
            if state != CLASSES[name].expected:
                reason = f"the ledger gives {state} and not {CLASSES[name].expected}"
                continue
            words = (name, "\n".join(view.dialogue.turns[i].text for i in view.changed).casefold())
            if words[1] and words in self._said:
                continue
            self._said.add(words)
            return view
        return refusal(reason)

    def _today(self, base: Base, evidence: Evidence) -> datetime.date | None:
        """The dialogue's date, or one that it may be given: where nothing that it says depends on one."""
        if base.dialogue.date is not None:
            return base.dialogue.date
        says = self.wording.grammar.today
        if base.frames is None or any(frame.time.stated for frame in base.frames) or any(
            phrase in turn.text.casefold() for turn in base.dialogue.turns for phrase in says
        ):
            return None
        return datetime.date(2024, 1, 1) + datetime.timedelta(days=self.wording.below(1000))

    def _put(
        self, base: Base, instrument: Instrument, dimension: str, name: str, edit: Edit, today: datetime.date | None,
    ) -> View:
        deleted = _exchange(base, instrument, dimension) if edit.delete else ()
        places = sorted(self.wording.choices(_places(base, instrument, dimension), len(edit.blocks)))
        blocks = {place: [block for at, block in zip(places, edit.blocks, strict=True) if at == place]
                  for place in places}
        spoken = self.wording.language == "en" and self.wording.flip(0.25)
        write = self.wording.transcribed if spoken else str
        draft = Draft()
        for number, turn in enumerate((*base.dialogue.turns, None)):
            for block in blocks.get(number, ()):
                draft.put(block, write)
                if turn is not None:
                    # The base's next question may lean on the one before it ("And in the daytime?").
                    draft.put(Editor(self.wording, instrument, dimension).neutral(), write)
            if turn is not None and number not in deleted:
                draft.keep(number, turn, [frame for frame in base.frames or ()
                                          if frame.dimension == dimension and frame.turn == number])
        dialogue = base.dialogue.model_copy(update={
            "dialogue_id": f"{base.dialogue.dialogue_id}.{dimension}.{name}.{instrument.name}",
            "participant_id": base.dialogue.participant_id or base.dialogue.dialogue_id,
            "instrument": instrument.name, "turns": tuple(draft.turns), "scores": None,
            "date": today if edit.dated else base.dialogue.date,
        })
        return View(dialogue, name, dimension, CLASSES[name].expected, base.dialogue.dialogue_id,
                    tuple(draft.changed), deleted, edit.parts, instrument.name != base.dialogue.instrument, edit.edge,
                    tuple(draft.frames))


def _evidence(base: Base, instrument: Instrument, dimension: str) -> Evidence:
    if base.frames is None:
        return Evidence()
    frames = [frame for frame in base.frames if frame.dimension == dimension]
    bound = [one for one in bind_all(frames, instrument) if one.kept and one.dimension == dimension]
    projection = project(bound, instrument, dimension)
    return Evidence(bool(bound), projection.state == "SUFFICIENT_POS", projection.state == "SUFFICIENT_NEG")


def _kept_turns(base: Base, instrument: Instrument, dimension: str) -> list[int]:
    return sorted({one.frame.turn for one in bind_all(base.frames or (), instrument)
                   if one.kept and one.dimension == dimension})


def _exchange(base: Base, instrument: Instrument, dimension: str) -> tuple[int, ...]:
    """The turns of the exchange that holds the last evidence: the answer and the question before it.

    Raises :class:`NoEdit` where a later retraction names what would be gone: it would take back something else.
    """
    turn = _kept_turns(base, instrument, dimension)[-1]
    turns = base.dialogue.turns
    gone = tuple(i for i in (turn - 1, turn) if i == turn or i >= 0 and turns[i].speaker == "interviewer")
    if any(frame.withdrawn_by is not None and (frame.turn in gone or frame.withdrawn_by in gone)
           for frame in base.frames or ()):
        raise NoEdit("a retraction in the base names what would be deleted")
    return gone


def _places(base: Base, instrument: Instrument, dimension: str) -> list[int]:
    """Where a block may stand: before a question of the interviewer's, or at the end.

    Nothing stands before a retraction of the base's, which might take back the new words as well; where the frames are
    not known, that leaves the end.
    """
    turns = base.dialogue.turns
    if base.frames is None:
        return [len(turns)]
    retractions = [frame.withdrawn_by for frame in base.frames if isinstance(frame.withdrawn_by, int)]
    first = max((*_kept_turns(base, instrument, dimension), *retractions, 1)) + 1
    return [i for i in range(first, len(turns))
            if turns[i].speaker == "interviewer" and turns[i - 1].speaker != "interviewer"] + [len(turns)]
