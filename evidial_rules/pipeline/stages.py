"""What each spaCy component does to the dialogue under analysis, one class a component, in pipeline order.

The components share a `DialogueState` (`doc._.evidial`); each writes its own attributes and reads those of the
components before it. No stage decides: verdicts and states are the contract's.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise

from ..contract import ALL, LAST_WEEK, Frame, Interval
from ..contract.frame import UNSPECIFIED, Cue
from .answers.logic import AnswerBinder
from .assertion.logic import Asserter
from .cues import Hit
from .language import Language
from .questions.logic import Ask, AskReader
from .subject.logic import SubjectBinder
from .terms.rules import GROUND_OF
from .time.logic import Ambiguous, TimeBinder, TimeReader, date_said, on_both, plain
from .turns.logic import CueNote, DialogueState, Draft, TurnState, quotations
from .withdrawal.logic import Withdrawer

LONGEST_ANSWER = 14  # characters of a Chinese clause behind its time that can be all of an answer
LONG = 8000  # characters: a turn of more is read in pieces
_PIECE_END = re.compile(r"[.?!。？！\n][\s\"'”’」』]*|[,;，；、]\s*|\s+")


def _pieces(text: str) -> list[tuple[int, int]]:
    """[start, end) of the pieces in which a turn is read: one, unless it is so long that nobody can have said it
    (a pasted document, a broken file). What costs each mention all others of its turn then stays linear.

    A piece ends after a sentence, or at least after a word, if one ends in the second half of it.

    >>> _pieces("Fine.")
    [(0, 5)]
    """
    out, start = [], 0
    while len(text) - start > LONG:
        found = _PIECE_END.finditer(text, start + LONG // 2, start + LONG)
        ends = {m.group()[0] in ".?!。？！\n": m.end() for m in found}
        end = ends.get(True) or ends.get(False) or start + LONG
        out.append((start, end))
        start = end
    return [*out, (start, len(text))]


class Turns:
    """Canonical text of every turn."""

    def __init__(self, language: Language):
        self.language = language

    def __call__(self, turns: list[tuple[str, str]], now: date | None) -> DialogueState:
        state = DialogueState(now=now)
        for i, (speaker, text) in enumerate(turns):
            for start, end in _pieces(text):
                piece = text[start:end]
                canonical = self.language.read(piece)
                state.turns.append(
                    TurnState(
                        len(state.turns),
                        speaker,
                        piece,
                        canonical,
                        origin=i,
                        offset=start,
                        quotations=quotations(piece),
                    )
                )
        return state


class ClauseStage:
    def __init__(self, language: Language):
        self.clauser = language.clauser

    def __call__(self, state: DialogueState) -> None:
        for turn in state.turns:
            turn.clauses = self.clauser(turn.canonical)


class TermStage:
    def __init__(self, language: Language):
        self.terms = language.terms
        self.cues = language.cues

    def __call__(self, state: DialogueState) -> None:
        canonicals = [turn.canonical for turn in state.turns]
        matches = self.terms.index.matches_each(canonicals)
        cues = self.cues.find_each(canonicals, [turn.speaker == "interviewer" for turn in state.turns])
        asked: frozenset[tuple[str, str]] = frozenset()  # what the interviewer's words right before are of
        before = None
        for turn, matched, turn.hits in zip(state.turns, matches, cues, strict=True):
            if turn.speaker == "interviewer":
                found = self.terms.mentions(turn.canonical, matched)
                heard = frozenset((m.dimension, c) for m in found for c in m.components)
                asked = asked | heard if before == "interviewer" else heard
            else:
                found = self.terms.mentions(turn.canonical, matched, asked)
            before = turn.speaker
            turn.mentions = [m for m in found if m.sense != "topic"]
            turn.topics = [m for m in found if m.sense == "topic"]
            if turn.speaker != "interviewer":
                turn.drafts = [turn.drafted(m, turn.clauses.at(m.start)) for m in turn.mentions]


class AssertionStage:
    """Polarity, strength and modality of each mention of a participant or informant."""

    def __init__(self, language: Language):
        self.says = language.says["assertion"]
        self.asserter = Asserter(language.name, self.says)
        self.language = language.name

    def __call__(self, state: DialogueState) -> None:
        for turn in state.turns:
            if turn.speaker != "interviewer":
                if self.language == "zh":  # 我说错了 is no fault owned up to
                    back = [h for h in turn.cues("withdrawal", "retract")]
                    turn.mentions = (
                        [
                            m
                            for m in turn.mentions
                            if not any(
                                m.start <= h.end - 2 and h.start < m.end <= h.end and m.start >= h.start - 1
                                for h in back
                            )
                        ]
                        if back
                        else turn.mentions
                    )
                else:  # "forget what I said about ..." is no trouble with memory
                    back = [
                        h
                        for h in turn.cues("withdrawal", "retract")
                        if self.says["opens_retraction"].search(turn.canonical.text[max(0, h.start - 8) : h.start])
                    ]
                    turn.mentions = (
                        [m for m in turn.mentions if not any(h.start == m.start for h in back)]
                        if back
                        else turn.mentions
                    )
                turn.drafts = [self.asserter.draft(turn.near(m.start, m.end), m) for m in turn.mentions]
                self.asserter.join(turn)
                self._no_return(turn)

    @staticmethod
    def _no_return(turn: TurnState) -> None:
        """ "My eyes snap open at ten to four and that's me up": lying awake is of the waking that it follows. Entries
        whose id ends in `.no_return` say so; on their own they are of waking at night."""
        early = [d for d in turn.drafts if d.components == ("early_waking",) and d.polarity == "affirm"]
        for d in turn.drafts:
            if d.rule.endswith(".no_return") and d.components == ("maintenance",):
                where = turn.clauses.at(d.start)
                if any(
                    turn.clauses.at(e.start).sentence == where.sentence and 0 <= d.start - e.end <= 60 for e in early
                ):
                    d.components = ("early_waking",)


class TurnReader:
    """What questions, answers, subject, time and withdrawal all read of the turns, whichever of them runs first: the
    date of the interview, the times of each turn, and what informants call the participant."""

    def __init__(self, language: Language):
        self.english = language.name == "en"
        self.says = language.says["subject"]
        self.times = TimeReader(language.name, language.says["time"])

    def __call__(self, state: DialogueState) -> None:
        if "turns" in state.bound:
            return
        state.bound.add("turns")
        year = state.now.year if state.now else 2024
        if state.now is None:
            for turn in state.turns:
                said = date_said(turn, self.english, self.times.says, year)
                if said is not None:
                    state.now = said
                    break
        for turn in state.turns:
            turn.times = self.times.read(turn, state)
        role = self._role(state)
        for turn in state.turns:
            turn.participant_role = role

    def _role(self, state: DialogueState) -> str:
        """What informants call the participant: the first person that one of them, or the question to them, names.

        Whoever they called "he" or "she" before they named anybody is the participant; "our son" is then another."""
        pointed = ""
        for turn in state.turns:
            if turn.speaker == "informant":
                previous = state.turns[turn.index - 1] if turn.index else None
                for where in (turn, previous):
                    if where is not None and where.speaker != "participant":
                        for h in where.hits.get("subject", ()):
                            name = where.canonical.text[h.start : h.end].strip()
                            if self.says["presents"].search(where.canonical.text[: h.start]):
                                continue  # "I'm her daughter": who speaks
                            if self.english and where is previous and self._brings(where, h.start):
                                continue  # "and this is your daughter": the same
                            # "他弟弟有抑郁症，他呢……": whoever "he" is, it is not his own brother
                            anothers = (pointed or not self.english) and self.says["anothers_kin"].match(name)
                            if h.category == "person" and name not in self.says.words("addressed_as") and not anothers:
                                return name
                            if h.category == "third" and name in self.says.words("points") and where is turn:
                                pointed = name
        return pointed

    def _brings(self, turn: TurnState, start: int) -> bool:
        return self.says["brings"].search(turn.canonical.text[:start]) is not None


class QuestionStage:
    """What the interviewer asks, and which questions each answer is to."""

    def __init__(self, language: Language):
        self.english = language.name == "en"
        self.reader = TurnReader(language)
        self.asks = AskReader(
            language.name,
            language.says["questions"],
            Asserter(language.name, language.says["assertion"]),
            SubjectBinder(language.name, language.says["subject"]),
        )

    def __call__(self, state: DialogueState) -> None:
        self.reader(state)
        live: list[Ask] = []
        spoken = False  # whether the participant has answered since the last question
        exchanges = 0
        complained = False  # whether a symptom has been named, so that no greetings are exchanged any more
        for turn in state.turns:
            if turn.speaker == "interviewer":
                carried = self._carried(state, turn.index)
                previous = state.turns[turn.index - 1] if turn.index else None
                asks = self.asks.read(turn, carried, exchanges < 2 and not complained, previous)
                self.asks.as_before(asks, live if spoken else [], turn)
                turn.asks = asks
                if asks:
                    if not spoken:
                        shift = max((a.sentence for a in live), default=-1) + 1
                        for a in asks:
                            a.sentence += shift
                        live = live + asks
                    else:
                        live = asks
                elif spoken and self.asks.says["follow_up"].fullmatch(turn.canonical.text):
                    # "And now?" asks the same of another time
                    time = next((h.interval for h in turn.times if h.interval is not None), None)
                    live = [replace(a, time=time, ever=False) for a in live]
                elif spoken and live and self.asks.says["means_you"].fullmatch(turn.canonical.text):
                    # "I meant yours.": the question was of the participant
                    live = [replace(a, subject="participant") for a in live]
                elif spoken and (told := self.asks.same_of_you(turn, previous)):
                    live = told  # "She can't sleep." "And you?"
                elif spoken and self.asks.says["keeps_on"].fullmatch(turn.canonical.text):
                    live = [a for a in live if a.form == "open"]  # "Meaning?": still of what was asked
                elif spoken and (pointed := self._points_back(state, turn)):
                    turn.asks = live = pointed
                elif spoken or not self._murmur(turn):
                    live = []
                spoken = False
            else:
                turn.asks_before = [] if self._replies_to_another(state, turn, live) else live
                # who only hesitates has not answered yet
                spoken = not live or spoken or self.asks.says["hesitates"].fullmatch(turn.text.lower().strip()) is None
                complained = complained or self.english and len(turn.mentions) > 1
                exchanges += 1

    def _replies_to_another(self, state: DialogueState, turn: TurnState, live: list[Ask]) -> bool:
        """ "He reversed into the tank." "Aye.": whether an English speaker, who has had their say since the question,
        speaks again behind another one's statement, which answers nothing that was asked."""
        since = []
        for before in reversed(state.turns[: turn.index]):
            if before.speaker == "interviewer":
                break
            since.append(before)
        if not self.english or not live or not since or since[0].speaker == turn.speaker:
            return False
        said = [t for t in since if t.speaker == turn.speaker]
        if all(self.asks.says["hesitates"].fullmatch(t.text.lower().strip()) for t in said):
            return False
        other = since[0]
        first = other.clauses[0].end if len(other.clauses) else 0
        return (
            "?" not in other.text
            and not any(h.start <= 3 and h.end >= first - 2 for h in other.hits.get("answers", ()))
            and {a.dimension for a in live}.isdisjoint(m.dimension for m in (*other.mentions, *other.topics))
        )

    def _points_back(self, state: DialogueState, turn: TurnState) -> list[Ask]:
        """ "如果我说不想活了，你会报警吗" "你现在有这个想法吗？": a Chinese question only points to what the
        participant has just spoken of, and asks whether it is so."""
        if self.english or turn.index == 0 or self.asks.says["that_feeling"].search(turn.canonical.text) is None:
            return []
        if self.asks.elsewhere(turn):
            return []
        told = state.turns[turn.index - 1]
        said = [m for m in told.mentions if m.sense == "symptom"] if told.speaker == "participant" else []
        if not said:
            return []
        time = next((h.interval for h in turn.times if h.interval is not None), None)
        m = said[-1]
        return [
            Ask(
                m.dimension,
                m.components,
                "symptom",
                "yes_no",
                told.index,
                m,
                0,
                time=time,
                rule=m.rule,
                words=told.canonical.text[m.start : m.end],
                at=m.start,
            )
        ]

    def _murmur(self, turn: TurnState) -> bool:
        text = re.sub(r"[^\w]", "", turn.canonical.text)
        return len(turn.canonical.text.split()) <= 7 and not turn.asks if self.english else len(text) <= 5

    def _carried(self, state: DialogueState, index: int) -> Interval | None:
        for turn in reversed(state.turns[max(0, index - 3) : index]):
            for h in reversed(turn.times):
                if h.interval is not None and h.op not in ("now", "for", "since"):
                    return h.interval
        return None


class AnswerStage:
    """Frames of the words that only answer."""

    def __init__(self, language: Language):
        self.language = language
        self.says = language.says["answers"]
        self.whoever = language.says["subject"].words("not_the_one")
        self.subjects = SubjectBinder(language.name, language.says["subject"])
        self.answers = AnswerBinder(language.name, self.says, language.says["assertion"]["listed_hedge"])
        self.asserter = Asserter(language.name, language.says["assertion"])
        self.reader = TurnReader(language)

    def __call__(self, state: DialogueState) -> None:
        self.reader(state)
        after_times = self._after_times(state)
        for turn in state.turns:
            if turn.speaker == "interviewer":
                continue
            asks = turn.asks_before
            before = state.turns[turn.index - 1] if turn.index else None
            if before is not None and any(h.category == "mania" for h in before.hits.get("assertion", ())):
                self._elated(turn)
            if asks:
                for found in after_times.get(turn.index, ()):
                    self._after_time(turn, found)
                self._same_again(turn, state)
                self._first_of_them(turn, asks)
                self._thinks_aloud(turn, asks)
                self._completed(turn, asks, state)
            self._by_another_name(turn, asks)
            self._echoed(turn, asks, state)
            self.answers.over(turn)
            self.answers.better_now(turn)
            self.answers.ended(turn)
            found = self.subjects.clause_subjects(turn, self._about(asks, state, turn))
            turn.subjects = found
            self._other_word(turn)
            answered = self._ditto(turn, state) or self.answers.bind(turn, asks, found)
            turn.drafts = [*turn.drafts, *answered]
            turn.drafts += self.answers.gainsaid(turn, before)
            turn.drafts += self.answers.gapped(turn)
            turn.drafts += self.answers.elliptic(turn, found)
            turn.drafts += self.answers.headed(turn, found)
            self._asked_self(turn, found)
            excepted = self.answers.excepted(turn)
            turn.drafts = [*turn.drafts, *excepted]
            turn.drafts += self.answers.later(turn, asks, found)
            self.answers.of_occasion(turn, before)
            self.answers.mostly(turn)

    def _ditto(self, turn: TurnState, state: DialogueState) -> list[Draft]:
        """What "likewise" says: as the same speaker's last turn, to the question before it, said of another topic."""
        asked, before = (state.turns[turn.index - i] if turn.index >= i else None for i in (1, 2))
        if before is None or before.speaker != turn.speaker:
            return []
        return self.answers.ditto(turn, before, asked)

    def _other_word(self, turn: TurnState) -> None:
        """ "Not a failure, no. A disappointment.": an English fragment that denies a word, and one right behind it that
        affirms the same by another, quarrel over the word; the first denies nothing."""
        if self.language.name != "en":
            return
        quarrels = []
        for d, e in pairwise(turn.drafts):
            if (
                (d.polarity, e.polarity) == ("deny", "affirm")
                and d.mention is not None
                and e.mention is not None
                and (d.dimension, d.mention.sense, e.mention.sense) == (e.dimension, "symptom", "symptom")
                and d.modality == e.modality == "asserted"
                and not {*d.components, "ALL"}.isdisjoint(e.components)
                and 0 <= e.start - d.end <= 14
                and self.says["other_word"].match(turn.canonical.text) is not None
                and not any(c.verb for c in turn.clauses[: turn.clauses.at(e.start).index + 1])
            ):
                quarrels.append(d)
        if quarrels:
            turn.drafts = [d for d in turn.drafts if not any(d is q for q in quarrels)]

    def _after_times(self, state: DialogueState) -> dict[int, list[list[Hit]]]:
        """ "开店到现在都没有": Chinese answers are known by where they begin, and a time may stand before them. By
        turn, the answers that the words behind each time of the first two sentences would be, on their own. All of a
        dialogue are looked up at once, which costs hardly more than one."""
        if self.language.name == "en":
            return {}
        behind = [
            (turn, h.end, clause.end)
            for turn in state.turns
            if turn.asks_before and turn.speaker != "interviewer"
            for h in turn.times
            if (clause := turn.clauses.at(h.start)).sentence <= 1 and 0 < clause.end - h.end <= LONGEST_ANSWER
        ]
        rests = [self.language.read(turn.canonical.text[start:end]) for turn, start, end in behind]
        out: dict[int, list[list[Hit]]] = {}
        for (turn, start, end), hits in zip(
            behind, self.language.cues.find_each(rests, [False] * len(rests)), strict=True
        ):
            shift = start - 1  # the canonical text begins with a full stop
            found = [
                replace(x, start=x.start + shift, end=min(x.end + shift, end))
                for x in hits.get("answers", ())
                if x.start <= 1 and x.category in ("yes", "no", "none", "good", "much", "some")
            ]
            out.setdefault(turn.index, []).append(found)
        return out

    def _after_time(self, turn: TurnState, found: list[Hit]) -> None:
        """Adds the answers behind a time, where none is known there."""
        known = turn.hits.get("answers", [])
        if found and not any(k.start < f.end and f.start < k.end for k in known for f in found):
            turn.hits["answers"] = sorted([*known, *found], key=lambda x: x.start)

    def _same_again(self, turn: TurnState, state: DialogueState) -> None:
        """ "自责？" "没有。" "没价值感？" "同上。": the answer is in the words of the one before."""
        if self.language.name == "en" or self.says["same_again"].fullmatch(turn.canonical.text) is None:
            return
        before = [t for t in state.turns[max(0, turn.index - 4) : turn.index] if t.speaker == turn.speaker]
        plain = [h for h in (before[-1].hits.get("answers", ()) if before else ()) if h.start <= 4]
        if plain:
            turn.hits["answers"] = [replace(plain[0], start=1, end=max(2, turn.clauses[0].end))]

    def _first_of_them(self, turn: TurnState, asks: list[Ask]) -> None:
        """ "你睡不着，没精神，还自责" "前两个对，自责没有": a Chinese answer agrees with the first of what was summed
        up."""
        m = self.says["first_n"].match(turn.canonical.text) if self.language.name != "en" else None
        if m is None:
            return
        listed = sorted((a for a in asks if a.form != "open"), key=lambda a: (a.turn, a.mention.start))
        many = " 一两三四".find((m["n"] or "").replace("二", "两").replace("俩", "两")) if m["n"] else len(listed) - 1
        spoken = {d.dimension for d in turn.drafts if d.modality == "asserted"}
        for ask in listed[:many]:
            if ask.dimension in spoken:
                continue
            polarity = "deny" if ask.direction == "health" else "affirm"
            draft = self.answers.agreed(turn, ask, turn.clauses[0], polarity, self.says.rules["first_n"].id, m.end())
            turn.drafts = [*turn.drafts, draft]

    def _completed(self, turn: TurnState, asks: list[Ask], state: DialogueState) -> None:
        """ "注意力怎么样？" "涣散得厉害。": a Chinese answer leaves out the topic that was asked after, and only says
        what is so of it. Adds the mention that the topic and the first clause would be together, where the clause by
        itself says nothing and answers nothing."""
        if self.language.name == "en":
            return
        text = turn.canonical.text
        # "大夫，涣散得厉害", "老实讲，涣散得厉害": an address or an aside is no answer, and the answer comes behind it
        says = (c for c in turn.clauses if self.says["light"].fullmatch(text, c.start, c.end) is None)
        clause = next(says, turn.clauses[0])
        if clause.question or clause.end - clause.start > LONGEST_ANSWER:
            return
        if any(d.clause is not None and d.clause.index <= clause.index + 1 for d in turn.drafts):
            return
        answers = [h for h in turn.hits.get("answers", ()) if h.start <= clause.start + 2]
        if any(h.category != "yes" for h in answers):  # 减退得厉害 is a yes, but not to what was asked after as a topic
            return
        last = max(a.sentence for a in asks)
        own = text[clause.start : clause.end]
        if self.says["no_completion"].match(own):
            return
        led_up = self.says["before_answer"].match(own)
        opening = led_up.end() if led_up else 0
        for h in turn.cues("assertion", "hedge"):
            if h.start == clause.start + opening:
                opening = h.end - clause.start  # "也许慢了一些": what is doubted begins behind it
        for ask in asks:
            if ask.sentence != last or ask.direction != "topic" or ask.subject != "participant":
                continue
            topic = state.turns[ask.turn].canonical.text[ask.mention.start : ask.mention.end]
            topic = self.says["asks_after"].sub("", topic).strip("，。？")
            shift = clause.start + opening - 1 - len(topic)
            for m in self.language.terms.find(self.language.read(topic + own[opening:])):
                if m.dimension != ask.dimension or m.start > 1 or m.end + shift <= clause.start + opening:
                    continue
                if m.sense == "topic" or m.end + shift > clause.end + 1:
                    continue
                inside = tuple((max(clause.start, a + shift), b + shift) for a, b in m.open)
                here = replace(m, start=clause.start + opening, end=m.end + shift, open=inside, lost=[])
                turn.mentions = sorted([*turn.mentions, here], key=lambda x: x.start)
                draft = self.asserter.draft(turn, here)
                draft.time = ask.time
                turn.drafts = sorted([*turn.drafts, draft], key=lambda x: x.start)
                return

    def _thinks_aloud(self, turn: TurnState, asks: list[Ask]) -> None:
        """ "低落……可能有那么一点吧", "自责……没有。": what was asked, said again by itself while a Chinese speaker
        thinks, before the words that answer. It is no answer of its own."""
        if self.language.name == "en" or len(turn.clauses) < 2:
            return
        text, first = turn.canonical.text, turn.clauses[0]
        behind = turn.clauses[1]
        for d in turn.drafts:
            if d.kind != "mention" or d.clause is not first or (d.sense, d.polarity) != ("symptom", "affirm"):
                continue
            rest = text[first.start : d.start] + text[min(d.end, first.end) : first.end]
            words = text[d.start : d.end].strip("，。")
            if self.says["around_repeated"].fullmatch(rest) is None or not any(
                a.dimension == d.dimension and a.direction == "symptom" and words in a.words for a in asks
            ):
                continue
            said = self.language.read(text[behind.start : behind.end + 1])
            if any(
                x.start <= 1 and x.category in ("no", "weak_yes", "weak_no_amount", "weak_no_doubt", "unknown")
                for x in self.language.cues.find(said).get("answers", ())
            ):
                d.modality = "question"
                d.cues.append(
                    CueNote("modality", "question", self.says.rules["around_repeated"].id, turn.index, d.start, d.end)
                )

    def _asked_self(self, turn: TurnState, found: list) -> None:
        """ "有没有往死上想……兴许闪过一下吧": a question that a Chinese speaker asks, and answers right behind.
        Adds the answers that those words would be on their own, as they stand in no beginning of a turn."""
        if self.language.name == "en":
            return
        for asked in [d for d in turn.drafts if d.modality == "question" and d.mention is not None]:
            clause = turn.clauses.at(asked.end - 1)
            if clause.index + 1 >= len(turn.clauses):
                continue
            behind = turn.clauses[clause.index + 1]
            if any(
                d.start >= behind.start
                and (d.kind == "mention" and d.clause is behind or d.dimension == asked.dimension)
                for d in turn.drafts
                if d.modality == "asserted"
            ):
                continue  # it speaks for itself
            known = turn.hits.get("answers", [])
            rest = self.language.read(turn.canonical.text[behind.start : behind.end + 1])
            hits = [
                replace(x, start=x.start + behind.start - 1, end=min(x.end + behind.start - 1, behind.end))
                for x in self.language.cues.find(rest).get("answers", ())
                if x.start <= 1
            ]
            hits = [x for x in hits if not any(k.start < x.end and x.start < k.end for k in known)]
            turn.hits["answers"] = sorted([*known, *hits], key=lambda x: x.start)
            turn.drafts = [*turn.drafts, *self.answers.to_self(turn, asked, clause, behind, found)]

    @staticmethod
    def _elated(turn: TurnState) -> None:
        """ "Have you been elated?" "No, my mood is even": says nothing against a low one."""
        for draft in turn.drafts:
            if draft.dimension in ("depressed_mood", "fatigue") and draft.sense == "health":
                draft.strength = "indicator"
                draft.because("elation", draft.rule, turn.index, draft.start, draft.end)

    def _echoed(self, turn: TurnState, live: list[Ask], state: DialogueState) -> None:
        """A word of joy that repeats the question's is about that: "are you happy doing them?" "happy, yes",
        还快不快活得起来？快活不起来。"""
        for draft in turn.drafts:
            if (
                draft.dimension != "depressed_mood"
                or draft.sense not in ("health", "symptom")
                or any(a.dimension == "depressed_mood" for a in live)
            ):
                continue
            words = turn.canonical.text[draft.start : draft.end]
            if self.language.name == "zh":
                words = self.says["around_joy"].sub("", words) or words
            for ask in live:
                if (
                    ask.dimension == "anhedonia"
                    and words in state.turns[ask.turn].canonical.text[ask.mention.start : ask.mention.end]
                ):
                    draft.dimension, draft.components = ask.dimension, ask.components
                    draft.cues.append(
                        CueNote(
                            "components", list(ask.components), ask.rule, ask.turn, ask.mention.start, ask.mention.end
                        )
                    )
                    break

    @staticmethod
    def _by_another_name(turn: TurnState, asks: list[Ask]) -> None:
        """ "Any thoughts of suicide?" "It has crossed my mind.": a euphemism is definite where it answers a question
        about what it stands for (contract, "Suicidality by name"). Its doubts of its own stay."""
        for draft in turn.drafts:
            if draft.mention is None or not draft.rule.endswith(".euphemism") or draft.polarity != "affirm":
                continue
            grounds = {note.value for note in draft.cues if note.attribute == "ground"}
            asked = [a for a in asks if a.dimension == draft.dimension and a.direction == "symptom" and not a.weak]
            if asked and grounds <= {GROUND_OF["weak_symptom"]} and draft.strength == "indicator":
                draft.strength = "definite"
                draft.cues = [note for note in draft.cues if note.attribute not in ("ground", "strength")]
                at = asked[0].mention
                draft.cues.append(CueNote("strength", "definite", draft.rule, asked[0].turn, at.start, at.end))

    def _about(self, live: list[Ask], state: DialogueState, turn: TurnState) -> str | None:
        """ "other" where the question before was about somebody else, topic or not; "whoever" where it asks who."""
        if turn.speaker == "informant":
            return None  # asked about "him", an informant speaks of the participant
        if live:
            return "other" if all(a.subject == "other" for a in live) else None
        previous = state.turns[turn.index - 1] if turn.index else None
        if previous is None or previous.speaker != "interviewer":
            return None
        if previous.text.rstrip().endswith((".", "。")):
            return None  # a statement asks after nobody
        last = max((c.sentence for c in previous.clauses), default=0)
        for clause in previous.clauses:
            if clause.sentence == last:
                words = previous.canonical.text[clause.start : clause.end]
                about = state.turns[max(0, turn.index - 4) : turn.index + 1]
                met = any(h.category == "person" for t in about for h in t.hits.get("subject", ()))
                persons = [
                    h
                    for h in previous.hits.get("subject", ())
                    if h.category in ("person", "third")
                    and clause.start <= h.start < clause.end
                    # 对家里人有什么想法: asked of the participant
                    and previous.canonical.text[h.start - 1] not in self.says.words("toward")
                    # "what are they building?": nobody that was spoken of
                    and (met or previous.canonical.text[h.start : h.end].strip() not in self.whoever)
                    and not self.subjects.addressed(previous, h)
                ]
                if self.language.name == "en" and self.says["of_things"].search(" " + words):
                    persons = [h for h in persons if h.category == "person"]  # "what are they building?"
                if self.says["who"].search(" " + words):
                    return "whoever"
                if persons and not self.says["with_you"].search(" " + words.replace(" your ", " ")):
                    return "other"
        return None


class SubjectStage:
    def __init__(self, language: Language):
        self.subjects = SubjectBinder(language.name, language.says["subject"])
        self.reader = TurnReader(language)

    def __call__(self, state: DialogueState) -> None:
        self.reader(state)
        state.bound.add("subject")
        for turn in state.turns:
            if turn.speaker == "interviewer":
                continue
            found = turn.subjects or self.subjects.clause_subjects(turn)
            for draft in turn.drafts:
                if draft.kind == "mention":
                    self.subjects.bind(draft, turn.near(draft.start, draft.end), found)


class TimeStage:
    def __init__(self, language: Language):
        self.language = language.name
        self.wordings = language.says["time"]
        self.reader = TurnReader(language)

    def __call__(self, state: DialogueState) -> None:
        self.reader(state)
        state.bound.add("time")
        binder = TimeBinder(self.language, self.wordings)
        question: Interval | None = None
        for turn in state.turns:
            if turn.speaker == "interviewer":
                asks = [a.time for a in turn.asks if a.time is not None]
                dated = [h for h in turn.times if h.interval is not None and h.op not in ("now", "since", "for")]
                # "how were you back then?": after nothing in particular, so that its time is that of all that is told
                of_nothing = all(a.mention.sense == "wellbeing" for a in turn.asks)
                question = asks[-1] if asks else dated[-1].interval if dated and of_nothing else None
                if self.language == "zh" and not asks and dated:
                    # 以前打羽毛球的，现在呢？: asked of now
                    back = any(h.op == "now" and h.start > dated[-1].end for h in turn.times)
                    question = None if back else question
                if not turn.asks and not dated:
                    told = state.turns[turn.index - 1] if turn.index else None
                    question = binder.follow_up(turn, told)
                if question is None and not asks:
                    question = binder.pointed(turn)
                for h in turn.times:
                    if h.interval is not None and h.op not in ("now", "for"):
                        binder.carried, binder.carried_turn = h.interval, turn.index
                continue
            binder.bind_turn(turn, question)


class WithdrawalStage:
    def __init__(self, language: Language):
        self.withdrawer = Withdrawer(language.name, language.says["withdrawal"])
        self.reader = TurnReader(language)

    def __call__(self, state: DialogueState) -> None:
        self.reader(state)
        for turn in state.turns:
            text = turn.canonical.text
            spoken_of: dict[int, set[str]] = {}  # the dimensions that each clause speaks of
            for draft in turn.drafts:
                if draft.clause is not None:
                    spoken_of.setdefault(draft.clause.index, set()).add(draft.dimension)
            for draft in turn.drafts:
                a, b = self._statement(turn, draft, spoken_of)
                draft.statement_text = text[a:b]
                if draft.ask is not None:
                    asked = state.turns[draft.ask.turn]
                    draft.statement_text += asked.canonical.text[draft.ask.mention.start : draft.ask.mention.end]
        for turn in state.turns:
            if turn.speaker != "interviewer":
                turn.drafts = [*turn.drafts, *self.withdrawer.apply(turn, state)]
                self.withdrawer.remember(turn, state)

    @staticmethod
    def _statement(turn: TurnState, draft: Draft, spoken_of: dict[int, set[str]]) -> tuple[int, int]:
        """The words of the statement that a frame comes from: its clause, and its neighbours in the sentence that
        speak of nothing else."""
        a, b = draft.statement
        if draft.clause is None:
            return a, b
        own = {draft.dimension}
        first = last = draft.clause.index
        for step in (-1, 1):
            index = draft.clause.index + step
            for _ in range(3):
                if (
                    not 0 <= index < len(turn.clauses)
                    or not spoken_of.get(index, own) <= own
                    or turn.clauses[index].sentence != draft.clause.sentence
                ):
                    break
                first, last = min(first, index), max(last, index)
                index += step
        return min(a, turn.clauses[first].start), max(b, turn.clauses[last].end)


class FrameStage:
    """Drafts become frames: offsets in the turn's original text, cues with their rules, ids in order of the text.

    Where the subject or the time component has not run, what questions, answers and retractions noted of it goes too.
    """

    def __init__(self, language: Language):
        # where ALL is said by a word for all of it, and does not name the components one by one
        self.whole = {
            lexicon.dimension
            for _, lexicon in language.lexicons
            for topic in lexicon.topics
            if topic.components == (ALL,)
        }

    def __call__(self, state: DialogueState) -> tuple[Frame, ...]:
        drafts: list[Draft] = []
        for attribute, value in (("subject", "participant"), ("time", None)):
            if attribute not in state.bound:
                for draft in [d for turn in state.turns for d in turn.drafts]:
                    setattr(draft, attribute, value)
                    draft.cues = [note for note in draft.cues if note.attribute != attribute]
        for turn in state.turns:
            drafts += self._ended(turn)
        drafts.sort(key=lambda d: (d.turn, d.start, d.end, d.dimension, d.polarity, d.rule))
        state.drafts = drafts
        state.frames = tuple(self._frame(state, d, f"f{i}") for i, d in enumerate(drafts, 1))
        return state.frames

    def _ended(self, turn: TurnState) -> list[Draft]:
        """A symptom that ended at a stated time is denied from then to now (contract, "Ended")."""
        out = list(turn.drafts)
        for draft in turn.drafts:
            stop = next((h for h in turn.times if h.stop and draft.time is not None and h.interval == draft.time), None)
            if (
                stop is not None
                # "the shop was shut, it stopped for three months, I cried": not the crying
                and (draft.kind == "answer" or stop.end > draft.end)
                and draft.polarity == "affirm"
                and draft.strength == "definite"
                and draft.time.to is not None
                and draft.time.to > 0
            ):
                out.append(
                    replace(
                        draft,
                        polarity="deny",
                        time=on_both(draft.time, lambda time: Interval(time.to, 0, True)),
                        start=stop.start,
                        end=stop.end,
                        cues=[*draft.cues, CueNote("polarity", "deny", stop.rule, turn.index, stop.start, stop.end)],
                    )
                )
        return out

    def _frame(self, state: DialogueState, d: Draft, identifier: str) -> Frame:
        turn = state.turns[d.turn]
        start, end = turn.canonical.span(d.start, d.end)
        withdrawn_by = None if d.withdrawn_by is None else state.turns[d.withdrawn_by].origin
        cues = []
        for note in [*d.cues, *self._decided(d)]:
            if note.attribute == "ground" and d.strength == "definite" and note.value != "topic":
                continue  # what came later made it definite
            where = state.turns[note.turn]
            a, b = (
                (where.offset + x for x in where.canonical.span(note.start, note.end))
                if note.end > note.start
                else (0, 0)
            )
            value = withdrawn_by if note.attribute == "withdrawn_by" else plain(note.value)
            cues.append(Cue(note.attribute, value, note.rule, where.origin, a, b, note.lost_to))
        return Frame(
            id=identifier,
            dimension=d.dimension,
            components=tuple(d.components),
            polarity=d.polarity,
            strength=d.strength,
            subject=d.subject,
            time=plain(d.time) if d.time is not None else UNSPECIFIED,
            withdrawn_by=withdrawn_by,
            turn=turn.origin,
            start=turn.offset + start,
            end=turn.offset + end,
            quote=turn.text[start:end],
            speaker=d.speaker,
            cues=tuple(cues),
            modality=d.modality,
            object=d.object,
        )

    def _decided(self, d: Draft) -> list[CueNote]:
        """The cues of what the contract may decide in another way than the drafts have it: that a topic's word stands
        for ALL, and which days "last week" is."""
        notes = []
        if tuple(d.components) == (ALL,) and d.dimension in self.whole:
            said = [note for note in d.cues if note.attribute == "components" and note.lost_to is None]
            notes += [replace(note, attribute="ground", value="topic") for note in said[-1:]]
        if isinstance(d.time, Ambiguous):
            told = [note for note in d.cues if note.attribute == "time" and note.lost_to is None]
            notes += [replace(note, value=d.time.other, lost_to=LAST_WEEK) for note in told[-1:]]
        return notes
