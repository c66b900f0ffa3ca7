"""Edits: what each class of anchors says or takes away, with a ledger of the frames that its words are.

Nothing here reads text. A line's frames follow from the place in the grammar that its words were drawn from.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..contract import ALL, Frame, Instrument, Interval, bind, covers
from .grammar import ComponentPhrases, DimensionPhrases, TimePhrase
from .wording import Wording

LAST, TOPIC = "last", "topic"
"""What a retraction takes back: the speaker's last statement, or all that the speaker said of the dimension."""


@dataclass(frozen=True, slots=True)
class Line:
    """One turn of an edit with the frames that it says. `takes` is what it takes back before it says them.

    The frames stand for the whole turn; id, turn and place are set when the edit is put into its dialogue.
    """

    speaker: str
    text: str
    frames: tuple[Frame, ...] = ()
    takes: str | None = None
    takes_own: bool = False
    """Whether the frames of this very line, which stand first in it, are what is taken back."""


Block = tuple[Line, ...]
"""Lines that follow one another, whatever they are put between."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One controlled change: blocks to put in, in their order, and whether the base's last evidence is deleted.

    `parts` names what was drawn, for the record. `edge` says that a time in it lies on the window's edge to the day.
    `dated` says that its words need the dialogue to have a date.
    """

    blocks: tuple[Block, ...] = ()
    delete: bool = False
    parts: tuple[str, ...] = ()
    edge: bool = False
    dated: bool = False


_WAYS = ("said", "yes", "component", "informant", "dated", "besides")
"""How support may be said: as a statement, as an answer to the whole question or to one about a component, by an
informant, dated to a day inside the window, or on the way while talking of something else."""
_SPOKEN = ("said", "yes", "component", "besides")
"""Those that the participant can take back, without a time of their own."""
_DENIED = ("said", "no", "fine", "besides")
"""Denials that are one statement."""


class NoEdit(Exception):
    """The grammar or the base has nothing to make this edit of; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the base's cell holds before the edit: whether anything survives binding, and K of the target cell."""

    any: bool = False
    positive: bool = False
    negative: bool = False


@dataclass(slots=True)
class Editor:
    """Makes edits of one cell: a dimension under an instrument.

    `today` is the dialogue's date; without one, phrases that need a date are not drawn.
    """

    wording: Wording
    instrument: Instrument
    dimension: str
    today: datetime.date | None = None
    _parts: list[str] = field(default_factory=list)
    _edge: bool = False
    _dated: bool = False

    def edit(self, name: str, evidence: Evidence) -> Edit:
        """An edit of the class, beside the evidence that the base has. Raises :class:`NoEdit`."""
        self._parts, self._edge, self._dated = [], False, False
        delete, blocks = _RECIPES[name](self, evidence)
        return Edit(tuple(blocks), delete, tuple(self._parts), self._edge, self._dated)

    # What can be said of the cell.

    @property
    def phrases(self) -> DimensionPhrases:
        """The dimension's part of the grammar."""
        return self.wording.grammar.dimensions[self.dimension]

    def frame(self, component: str, polarity: str, *, asked: bool = False, **attributes: object) -> Frame:
        """A frame of the dimension as the grammar means it; `asked`: its words are those of the question."""
        either = self.phrases.either if component == ALL and polarity == "affirm" else ()
        if component == ALL and polarity == "affirm" and not asked:
            either = self.phrases.said or either
        return Frame("", self.dimension, either or (component,), polarity, **attributes)  # type: ignore[arg-type]

    def _counts(self, component: str, polarity: str) -> bool:
        """Whether a statement of this component is definite under the instrument."""
        return bind(self.frame(component, polarity), self.instrument).effective.strength == "definite"

    def _drawn(self, form: str, polarity: str, *, among: Sequence[str] | None = None) -> tuple[str, str]:
        """(component, phrase) of a form (`affirm`, `past`, ...), of a component that counts as definite."""
        options = [
            (name, phrase) for name, phrases in self.phrases.components.items()
            if (among is None or name in among) and self._counts(name, polarity)
            for phrase in getattr(phrases, form)
        ]
        if not options:
            raise NoEdit(f"no phrase for {self.dimension} ({form})")
        names = sorted({name for name, _ in options})
        name = self.wording.pick(f"{self.dimension} {form}", names)
        return name, self.wording.pick(f"{self.dimension} {form} {name}", [p for n, p in options if n == name])

    def _whole(self) -> list[str]:
        """Names whose denial alone denies every component."""
        every = set(self.instrument.components(self.dimension))
        return [name for name in self.phrases.components
                if (relation := self.instrument.relation(self.dimension, name)).whole and every <= {*relation.targets}]

    def _own(self) -> list[str]:
        """Names whose denial denies some component of several, but not all."""
        whole = self._whole()
        return [name for name in self.phrases.components if self._counts(name, "deny") and name not in whole]

    def _note(self, part: str) -> None:
        self._parts.append(part)

    # Lines.

    def _asked(self, answer: Line, questions: Sequence[str], kind: str) -> Block:
        question = self.wording.fill(self.wording.pick(f"{self.dimension} {kind}", questions))
        return (Line("interviewer", self.wording.sentence(question)), answer)

    def _say(self, *parts: str, frames: Sequence[Frame] = (), takes: str | None = None, own: bool = False) -> Line:
        return Line("participant", self.wording.sentence(*parts), tuple(frames), takes, own)

    def _open(self, answer: Line) -> Block:
        return self._asked(answer, self.phrases.ask, "ask")

    def _stated(self, text: str, frame: Frame, *, besides: bool) -> Block:
        """A statement, after an open question or on the way while talking of something else."""
        if not besides:
            return self._open(self._say(text, frames=[frame]))
        exchange = self.wording.pick("neutral", self.wording.grammar.neutral)
        return (Line("interviewer", self.wording.sentence(exchange.ask)), self._say(exchange.say, text, frames=[frame]))

    def neutral(self) -> Block:
        """An exchange about nothing."""
        exchange = self.wording.pick("neutral", self.wording.grammar.neutral)
        return (Line("interviewer", self.wording.sentence(exchange.ask)), self._say(exchange.say))

    # Support: one definite affirmation inside the window.

    def support(self, kinds: Sequence[str] = _WAYS) -> Block:
        """A qualifying frame. `kinds` are the ways in which it may be said."""
        whole = self._counts(ALL, "affirm")
        kind = self.wording.pick(f"{self.dimension} support", [kind for kind in kinds if whole or kind != "yes"])
        self._note(f"support: {kind}")
        if kind == "yes":
            answer = self._say(self.wording.pattern("yes"), frames=[self.frame(ALL, "affirm", asked=True)])
            return self._asked(answer, self.phrases.ask_trouble, "ask_trouble")
        if kind == "component":
            name, phrases = self._asking("affirm")
            answer = self._say(self.wording.pattern("yes"), frames=[self.frame(name, "affirm")])
            return self._asked(answer, phrases.ask, f"ask {name}")
        if kind == "informant":
            name, phrase = self._drawn("told", "affirm")
            they = self.wording.person()
            text = self.wording.pattern("informant", told=phrase, they=they.they, them=they.them, their=they.their)
            handover = self.wording.pick("handover", self.wording.grammar.handovers)
            return (Line("interviewer", self.wording.sentence(self.wording.fill(handover))),
                    Line("informant", self.wording.sentence(text), (self.frame(name, "affirm", speaker="informant"),)))
        if kind == "dated":
            name, phrase = self._drawn("past", "affirm")
            time, interval = self._inside()
            text = self.wording.pattern("dated", past=phrase, time=time)
            return self._open(self._say(text, frames=[self.frame(name, "affirm", time=interval)]))
        name, phrase = self._drawn("affirm", "affirm")
        text, frame = self.wording.pattern("affirm", affirm=phrase), self.frame(name, "affirm")
        return self._stated(text, frame, besides=kind == "besides")

    def _asking(self, polarity: str, *, among: Sequence[str] | None = None) -> tuple[str, ComponentPhrases]:
        names = [name for name, phrases in self.phrases.components.items()
                 if phrases.ask and name != ALL and self._counts(name, polarity) and (among is None or name in among)]
        if not names:
            raise NoEdit(f"no question for a component of {self.dimension}")
        name = self.wording.pick(f"{self.dimension} component {polarity}", names)
        return name, self.phrases.components[name]

    def denial(self, *, kinds: Sequence[str] = ("said", "no", "fine", "parts", "listed", "besides")) -> Block:
        """A definite denial of every component for the whole window."""
        own = self._own()
        parts = self.instrument.components(self.dimension)
        listed = [self._naming(component, own) for component in parts] if len(parts) > 1 else []
        possible = [kind for kind in kinds if kind not in ("parts", "listed") or (listed and None not in listed)]
        kind = self.wording.pick(f"{self.dimension} denial", possible)
        self._note(f"denial: {kind}")
        if kind == "no":
            answer = self._say(self.wording.pattern("no"), frames=[self.frame(ALL, "deny")])
            return self._asked(answer, self.phrases.ask_trouble, "ask_trouble")
        if kind == "fine":
            answer = self._say(self.wording.pattern("yes_fine"), frames=[self.frame(ALL, "deny")])
            return self._asked(answer, self.phrases.ask_fine, "ask_fine")
        if kind == "parts":
            return tuple(line for name in listed if name for line in self._denied_part(name))
        if kind == "listed":
            drawn = [self._drawn("deny", "deny", among=[name]) for name in listed if name]
            texts = [self.wording.fill(phrase) for _, phrase in drawn]
            return self._open(self._say(*texts, frames=[self.frame(name, "deny") for name, _ in drawn]))
        name, phrase = self._drawn("deny", "deny", among=self._whole())
        text, frame = self.wording.pattern("deny", deny=phrase), self.frame(name, "deny")
        return self._stated(text, frame, besides=kind == "besides")

    def _naming(self, component: str, own: Sequence[str]) -> str | None:
        """A name of the grammar that stands for this component of the instrument alone, with denials to draw."""
        for name in own:
            phrases = self.phrases.components[name]
            if self.instrument.relation(self.dimension, name).targets == (component,) and phrases.deny and phrases.ask:
                return name
        return None

    def _denied_part(self, name: str) -> Block:
        if self.wording.flip():
            answer = self._say(self.wording.pattern("no"), frames=[self.frame(name, "deny")])
            return self._asked(answer, self.phrases.components[name].ask, f"ask {name}")
        _, phrase = self._drawn("deny", "deny", among=[name])
        return self._open(self._say(self.wording.pattern("deny", deny=phrase), frames=[self.frame(name, "deny")]))

    # Evidence that is excluded or weak.

    def outside(self) -> Block:
        """An affirmation that lies wholly before the window."""
        self._note("outside")
        name, phrase = self._drawn("past", "affirm")
        time, interval = self._before()
        text = self.wording.pattern("outside", past=phrase, time=time)
        return self._open(self._say(text, frames=[self.frame(name, "affirm", time=interval)]))

    def other(self) -> Block:
        """Somebody else's symptom."""
        self._note("other")
        name, phrase = self._drawn("other", "affirm")
        person = self.wording.person()
        text = self.wording.pattern("other", other=phrase, person=person.text, they=person.they, them=person.them,
                                    their=person.their)
        return self._open(self._say(text, frames=[self.frame(name, "affirm", subject="other")]))

    def weak(self) -> Block:
        """A weak denial."""
        self._note("weak")
        frame = self.frame(ALL, "deny", strength="indicator")
        return self._asked(self._say(self.wording.pattern("weak"), frames=[frame]), self.phrases.ask_trouble,
                           "ask_trouble")

    def partial(self) -> Block:
        """A definite denial for a part of the window."""
        self._note("partial")
        name, phrase = self._drawn("deny_past", "deny")
        time, interval = self._part()
        text = self.wording.pattern("partial", deny_past=phrase, time=time)
        return self._open(self._say(text, frames=[self.frame(name, "deny", time=interval)]))

    def hint(self, kinds: Sequence[str] = ("hedged", "indicator", "vague", "weak", "component")) -> Block:
        """Something that bears on the cell and settles nothing: an indicator, or (`component`) a definite denial of one
        component of several."""
        possible = [kind for kind in kinds if kind != "component" or self._own()]
        kind = self.wording.pick(f"{self.dimension} hint", possible)
        if kind == "weak":
            return self.weak()
        self._note(kind)
        if kind == "component":
            return self._denied_part(self._drawn("deny", "deny", among=self._own())[0])
        if kind == "hedged":
            name, phrase = self._drawn("affirm", "affirm")
            text, weak = self.wording.pattern("hedged", affirm=phrase), self.frame(name, "affirm", strength="indicator")
        else:
            text = self.wording.pattern("vague") if kind == "vague" else self.wording.fill(
                self.wording.pick(f"{self.dimension} indicator", self.phrases.indicators))
            weak = self.frame(ALL, "affirm", strength="indicator")
        return self._open(self._say(text, frames=[weak]))

    # Times.

    def _fits(self, phrase: TimePhrase) -> bool:
        return (not phrase.for_ or self.dimension in phrase.for_) and (
            self.today is not None or phrase.unit not in ("date", "weekday"))

    def _before(self) -> tuple[str, Interval]:
        """A time wholly before the window; one in three lies on its edge."""
        window = self.instrument.window_days
        phrases = [phrase for phrase in self.wording.grammar.times.outside
                   if self._fits(phrase) and (phrase.unit or phrase.to is not None and phrase.to > window)]
        edge = self.wording.flip(0.34)
        if edge:
            phrases = [phrase for phrase in phrases if phrase.unit in (1, "date")]
        if not phrases:
            raise NoEdit("no time before the window")
        phrase = self.wording.pick(f"outside {edge}", phrases)
        if phrase.unit is None:
            return phrase.text, Interval(phrase.from_, phrase.to)
        if phrase.unit == 7:
            days = 7 * (window // 7 + 1 + self.wording.below(4))
        else:
            days = window + 1 if edge else window + 1 + self.wording.below(20)
        return self._at(phrase, days, edge)

    def _inside(self) -> tuple[str, Interval]:
        """A time in the window; one in two lies on its edge, the last day that counts."""
        window = self.instrument.window_days
        edge = self.wording.flip()
        times = self.wording.grammar.times
        if edge:
            phrases = [phrase for phrase in times.outside if self._fits(phrase) and phrase.unit in (1, "date")]
        else:
            phrases = [phrase for phrase in times.partial if self._fits(phrase)]
        if not phrases:
            raise NoEdit("no time inside the window")
        phrase = self.wording.pick(f"inside {edge}", phrases)
        if phrase.unit is None:
            return phrase.text, Interval(phrase.from_, phrase.to)
        return self._at(phrase, window if edge else 1 + self.wording.below(min(6, window)), edge)

    def _part(self) -> tuple[str, Interval]:
        """A time that is a part of the window."""
        window = self.instrument.window_days
        phrases = [phrase for phrase in self.wording.grammar.times.partial if self._fits(phrase) and (
            phrase.unit or not covers(Interval(phrase.from_, phrase.to), window))]
        if not phrases:
            raise NoEdit("no time that is a part of the window")
        phrase = self.wording.pick("partial", phrases)
        if phrase.unit is None:
            return phrase.text, Interval(phrase.from_, phrase.to)
        return self._at(phrase, 1 + self.wording.below(min(6, window)), False)

    def _at(self, phrase: TimePhrase, days: int, edge: bool) -> tuple[str, Interval]:
        self._edge = self._edge or edge
        self._dated = self._dated or phrase.unit in ("date", "weekday")
        return self.wording.time(phrase, days, self.today), Interval(days + 1, days)

    # Taking back.

    def retraction(self, said: Block, *, kinds: Sequence[str]) -> Block:
        """The block with its last statement taken back: in the `same` turn, the `next` one, after a `pause` (an
        exchange about nothing), by its `topic`, or by a correction of `time` or `subject`."""
        kind = self.wording.pick(f"{self.dimension} retraction", kinds)
        self._note(f"retraction: {kind}")
        wording = self.wording
        prompt = Line("interviewer", wording.sentence(wording.pick("prompt", wording.grammar.prompts)))
        if kind == "topic":
            topic = wording.pick(f"{self.dimension} topic", self.phrases.topic)
            line = self._say(wording.pattern("retract_topic", topic=topic), takes=TOPIC)
            return (*said, *(self.neutral() if said else ()), prompt, line)
        last = said[-1]
        if kind == "same":
            text = wording.sentence(last.text, wording.pattern("retract"))
            return (*said[:-1], Line(last.speaker, text, last.frames, LAST, True))
        if kind in ("next", "pause"):
            between = self.neutral() if kind == "pause" else ()
            return (*said, *between, prompt, self._say(wording.pattern("retract"), takes=LAST))
        frame = last.frames[0]
        if kind == "time":
            time, interval = self._before()
            return (*said, prompt, self._say(wording.pattern("correct_time", time=time), takes=LAST,
                                             frames=[frame.replace(time=interval)]))
        person = wording.person()
        text = wording.pattern("correct_subject", person=person.text, they=person.they, them=person.them,
                               their=person.their)
        return (*said, prompt, self._say(text, takes=LAST, frames=[frame.replace(subject="other")]))


Recipe = Callable[[Editor, Evidence], tuple[bool, Sequence[Block]]]


def _p1(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    if evidence.any:
        return True, ()
    # What was composed and then deleted leaves its question behind, answered by nothing.
    editor._note("evasion")
    grammar = editor.wording.grammar
    line = editor._say(editor.wording.fill(editor.wording.pick("evasion", grammar.evasions)))
    if editor.wording.flip():
        return False, [editor._open(line)]
    return False, [editor._asked(line, editor.phrases.ask_trouble, "ask_trouble")]


def _p2(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    if evidence.any:
        return False, [editor.retraction((), kinds=["topic"])]
    kinds = ["same", "next", "pause", "topic", "time", "subject"]
    return False, [editor.retraction(editor.support(_SPOKEN), kinds=kinds)]


def _p3(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    return False, [editor.denial()]


def _beside(distractor: Callable[[Editor], Block]) -> Recipe:
    def recipe(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
        blocks = [distractor(editor)] if evidence.positive else [editor.support(), distractor(editor)]
        if editor.wording.flip():
            blocks.reverse()
        return False, blocks

    return recipe


def _withdrawn(editor: Editor) -> Block:
    said = editor.denial(kinds=_DENIED) if editor.wording.flip(0.6) else editor.support(_SPOKEN)
    return editor.retraction(said, kinds=["same", "pause", "next"])


def _p5(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    return evidence.any, [editor.outside()]


def _p6a(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    if evidence.any:
        return True, [] if editor.wording.flip() else [editor.hint()]
    own = editor._own()
    names = [name for component in editor.instrument.components(editor.dimension)
             if (name := editor._naming(component, own))]
    if len(names) > 1:
        # A denial of each component in turn, of which some are gone (deleted, or taken back).
        editor._note("half of the denials")
        kept = names[: (len(names) + 1) // 2] if editor.wording.flip() else names[len(names) // 2 + 1:]
        kept = kept or names[:1]
        blocks = [editor._denied_part(name) for name in kept]
        if editor.wording.flip():
            gone = next(name for name in names if name not in kept)
            blocks.append(editor.retraction(editor._denied_part(gone), kinds=["same", "pause"]))
        return False, blocks
    editor._note("the weaker half")
    if editor.wording.flip():
        return False, [editor.hint()]
    return False, [editor.hint(), editor.retraction(editor.support(_SPOKEN), kinds=["same", "pause"])]


def _p6b(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    return evidence.any, [editor.hint()]


def _p7(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    if evidence.positive:
        return False, [editor.denial()]
    if evidence.negative:
        return False, [editor.support()]
    blocks = [editor.support(), editor.denial()]
    if editor.wording.flip():
        blocks.reverse()
    return False, blocks


def _p8(editor: Editor, evidence: Evidence) -> tuple[bool, Sequence[Block]]:
    return evidence.any, [editor.partial()]


_RECIPES: dict[str, Recipe] = {
    "P1": _p1, "P2": _p2, "P3": _p3, "P4-ow": _beside(Editor.outside), "P4-op": _beside(Editor.other),
    "P4-wd": _beside(Editor.weak), "P4-wn": _beside(_withdrawn), "P5": _p5, "P6a": _p6a, "P6b": _p6b, "P7": _p7,
    "P8": _p8,
}
