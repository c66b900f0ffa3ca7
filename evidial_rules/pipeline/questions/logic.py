"""What an interviewer's turn asks (contract, section 2): which dimension and components, which direction, which time,
whom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ...contract import Interval
from ..clauses.logic import Clause
from ..cues import Hit
from ..terms.logic import Mention
from ..turns.logic import TurnState, near
from ..wordings import Wordings


@dataclass(slots=True)
class Ask:
    """Something asked. direction: "symptom", "health" or "topic". form: "yes_no", "open", "statement", "how_long"."""

    dimension: str
    components: tuple[str, ...]
    direction: str
    form: str
    turn: int
    mention: Mention
    sentence: int
    time: Interval | None = None
    ever: bool = False
    cause: bool = False
    negated: bool = False
    subject: str = "participant"
    weak: bool = False
    greeting: bool = False
    rule: str = ""
    change: bool = False
    restricted: bool = False
    words: str = ""  # of the asking sentence, canonical
    at: int = 0  # where they begin
    around: str = ""  # all words of the turn, canonical
    count: bool = False  # asks on how many days
    hours: bool = False  # asks how long one sleeps
    told: bool = False  # takes up what was told of somebody else
    announced: bool = False  # only says that this will be talked about
    passed: bool = False  # the turn goes on to ask after another matter, which a bare yes or no is of


WELLBEING = Mention("depressed_mood", ("ALL",), "wellbeing", 0, 0, "contract.wellbeing")


class AskReader:
    def __init__(self, language: str, says: Wordings, asserter, subjects):
        self.english = language == "en"
        self.says = says
        self.asserter = asserter
        self.subjects = subjects

    def read(
        self, turn: TurnState, carried: Interval | None, first_exchange: bool, previous: TurnState | None = None
    ) -> list[Ask]:
        """The asks of an interviewer's turn, in order. previous: the turn before it."""
        asks: list[Ask] = []
        text = turn.canonical.text
        cues = turn.hits.get("questions", [])
        found = self.subjects.clause_subjects(turn)
        last_sentence = max((c.sentence for c in turn.clauses), default=0)
        corrects, same_of_you = False, -1
        if last_sentence:
            final = turn.clauses.sentence(last_sentence)
            if self.says["confirms"].fullmatch(text, final[0].start, final[-1].end):
                last_sentence -= 1  # "The form says you sleep well. Is that right?"
            elif self.english and self.says["confirms_not"].fullmatch(text, final[0].start, final[-1].end):
                last_sentence -= 1  # "... Have I put anything wrong?" "No."
                corrects = True
            elif self.english and self.says["same_of_you"].fullmatch(text, final[0].start, final[-1].end):
                last_sentence -= 1  # "Some people blame themselves. Do you?"
                same_of_you = last_sentence
        claimed: list[Mention] = []
        for m in sorted([*turn.mentions, *turn.topics], key=lambda x: (x.start, -x.end)):
            if any(
                o.start <= m.start
                and m.end <= o.end
                and o.dimension == m.dimension
                and ((o.start, o.end) != (m.start, m.end) or set(o.components) & set(m.components))
                for o in claimed
            ):
                continue
            clause = turn.clauses.at(m.start)
            if self.says["purpose"].search(text[clause.start : m.start]) and m.sense in (
                "health",
                "weak_health",
                "topic",
                "change",
            ):
                continue  # advice, not a question: "something to help you sleep"
            if m.sense in ("health", "weak_health") and any(
                h.category == "mania" for h in turn.hits.get("assertion", ())
            ):
                continue
            sentence = [c for c in turn.clauses if c.sentence == clause.sentence]
            start, end = sentence[0].start, sentence[-1].end
            here = [h for h in cues if start <= h.start < end]
            question = sentence[-1].question
            forms = {h.category for h in here if h.start <= m.end + 12}
            if (
                m.sense != "topic"
                and clause.sentence != last_sentence
                and "open" not in forms
                and "?" in text
                and "." in text[sentence[-1].end - 1 : sentence[-1].end + 2]
            ):
                continue  # "That sounds lively. Shall we keep the dose?": who writes question marks asks with them
            if self.english and (
                not question
                and self._informs(m, clause, turn, start, end)
                or self._asks_another(m, clause, turn, start)
            ):
                continue
            direction = {
                "symptom": "symptom",
                "weak_symptom": "symptom",
                "proxy": "symptom",
                "health": "health",
                "weak_health": "health",
                "topic": "topic",
                "change": "symptom",
                "remark": "topic",
            }.get(m.sense, "topic")
            if direction == "health" and self._acknowledges(m, text):
                direction = "topic"
            ask = Ask(
                m.dimension,
                m.components,
                direction,
                "yes_no",
                turn.index,
                m,
                clause.sentence,
                rule=m.rule,
                weak=m.sense in ("weak_symptom", "proxy"),
                change=m.sense == "change",
            )
            subject = found[clause.index]
            if clause.sentence == same_of_you:
                pass  # whoever it is told of
            elif subject.value == "generic":
                # "有些人会不想活。您有过吗？": whoever is asked in the end
                ask.subject = "participant" if self.says["addressed"].search(" " + text[start:]) else "generic"
            elif self.says["things"].fullmatch(text, subject.start, subject.end) and self.says["to_you"].search(
                text[m.start - 6 : clause.end]
            ):
                pass  # "do they bring you less pleasure?": they are things
            elif subject.value == "other" and (subject.explicit or self.subjects.gives_example(text, clause.start)):
                ask.subject = "other"
            if self._possessed(m, text) or self.english and self._of_others(m, text, start):
                ask.subject = "other"
            self._negated(ask, turn, clause, start)
            ask.count = "how_many" in forms
            ask.hours = "how_many_hours" in forms and m.dimension == "sleep"
            if "how_long" in forms:
                ask.form = "how_long"
            elif "how_easy" in forms and ask.direction in ("topic", "health"):
                ask.direction, ask.form = "health", "yes_no"
            elif "how_hard" in forms:
                ask.direction, ask.form = "symptom", "yes_no"
            elif ask.direction == "topic":
                ask.form = "open"
                if self.says["anything_wrong"].search(text[start - 1 : end]) or self._worse(turn, clause, m, text):
                    ask.direction, ask.form = "symptom", "yes_no"
                elif self._only_mentioned(clause, text, m, here, start, end):
                    continue
            elif "open" in forms and not question and not self.english:
                ask.form = "yes_no"
            elif (
                "open" in forms
                and ask.direction == "health"
                and self.english
                and any(
                    h.category == "open" and h.start <= m.start and text[h.start : h.start + 3] == "how" for h in here
                )
            ):
                ask.form = "open"
            if "statement" in forms or (not question and self._declarative(clause, turn, forms, sentence)):
                ask.form = "statement" if ask.form == "yes_no" and clause.sentence != same_of_you else ask.form
                if clause.sentence != last_sentence and ask.form == "statement" and not question:
                    continue
                if (
                    not question
                    and "statement" not in forms
                    and clause.sentence != same_of_you
                    and not self.says["addressed"].search(
                        " " + text[clause.start if self.english else start : clause.end]
                    )
                ):
                    continue
            ask.announced = (
                self.english
                and not question
                and ask.form == "open"
                and not self._asked_behind(m, clause, turn)
                and (
                    self.says["announces"].search(text, start - 1, m.start + 1) is not None
                    or clause.verb and self.says["asks"].search(text, start - 1, end + 1) is None and "." in text[2:-2]
                )
            )
            tail = text[m.end : end]
            ask.restricted = (
                m.dimension in ("guilt_worthlessness", "depressed_mood")
                and self.says["restricted_after"].match(tail) is not None
                or m.dimension == "anhedonia"
                and ask.direction == "health"
                and self.says["one_thing"].match(text, m.start) is not None
                or ask.direction == "health"
                and self.says["otherwise"].fullmatch(text, m.end, end + 1) is not None
                or m.dimension == "guilt_worthlessness"
                and self.says["restricted_before"].search(text[clause.start : m.start]) is not None
            )
            ask.cause = (
                "cause" in forms
                and direction != "topic"
                or "cause" in forms
                and self.english
                and any(h.category == "cause" and h.start < m.start for h in here)
            )
            ask.cause = ask.cause or ".caused+" in m.rule  # "is it stopping you sleeping?"
            if ask.cause and ask.direction == "topic":
                ask.direction, ask.form = "symptom", "yes_no"
            if (
                not self.english
                and m.sense != "symptom"
                and (aba := re.search(r"(.)不\1", text[max(clause.start, m.start - 2) : m.end + 4]))
                and aba.group(1) not in "是有会能想行对可"
            ):
                ask.direction, ask.form = "health", "yes_no"  # 集不集中, 坐不坐得住
            if not self.english and m.start and self.says["good_or_not"].match(text, m.start - 1):
                ask.direction, ask.form = "health", "yes_no"  # 好不好入睡 holds 不好入睡
            times = [
                h
                for h in turn.times
                if start <= h.start < end
                and h.interval is not None
                and not (m.start <= h.start and h.end <= m.end and h.op == "now")
            ]
            if not self.english and self.says["still"].search(text, clause.start, m.end):
                # "以前常写书法，还想写吗？" asks of now
                times = [h for h in times if h.op != "remote" or clause.start <= h.start]
            # "从前天起，有没有想过": a question that sets a time asks of that time
            ask.ever = not times and any(h.op == "ever" for h in turn.times if start <= h.start < end)
            if times:
                ask.time = (
                    times[-1].interval if len(times) == 1 else min(times, key=lambda h: abs(h.start - m.start)).interval
                )
            elif (
                any(h.op == "anaphor" for h in turn.times if start <= h.start < end)
                or carried is not None
                and self.says["past_question"].search(text[max(0, clause.start - 6) : m.start + 1])
                and not self.says["perfect_question"].search(text[clause.start : clause.end])
            ):
                ask.time = carried
            ask.words, ask.at, ask.around = text[start:end], start, text
            ask.negated = ask.negated or corrects and ask.form == "statement" and clause.sentence == last_sentence
            asks.append(ask)
            claimed.append(m)
        self._go_on(asks, text)
        if self.english:
            self._share_difficulty(asks, text)
        asks = [a for a in asks if not self._when_asked(a, asks, turn)] if self.english else self._put(asks, turn)
        asks = [a for a in asks if not self._taken_up(a, asks, turn, previous) and not self._heads(a, asks, text)]
        # "have you lost interest in things you enjoy?": what is enjoyed is no question of its own
        asks = [
            a
            for a in asks
            if a.direction != "health"
            or not self._attributive(a, text)
            or not any(o is not a and o.dimension == a.dimension and o.sentence == a.sentence for o in asks)
        ]
        # a topic word beside something asked of the same topic only names it
        asks = [
            a
            for a in asks
            if a.form != "open"
            or a.mention.sense != "topic"
            or not any(
                o is not a
                and o.dimension == a.dimension
                and o.sentence == a.sentence
                and o.form != "open"
                and (o.components == a.components or "ALL" in o.components)
                for o in asks
            )
        ]
        if not asks and self._asks_if_low(turn, previous):
            mention = Mention("depressed_mood", ("low_mood",), "symptom", 0, 0, self.says.rules["bare_low"].id)
            asks.append(
                Ask("depressed_mood", ("low_mood",), "symptom", "yes_no", turn.index, mention, 0, rule=mention.rule)
            )
        if not self.english and (m := self.says["understands"].search(text)) is not None:
            # "你刚才说心累，我理解是提不起劲，对吗？": what is asked is what was made of it
            asks = [a for a in asks if a.mention.start >= m.end()] or asks
        if not asks:
            for h in cues:
                if h.category == "wellbeing":
                    ask = Ask(
                        "depressed_mood",
                        ("ALL",),
                        "topic",
                        "open",
                        turn.index,
                        WELLBEING,
                        turn.clauses.at(h.start).sentence,
                        rule=h.rule,
                        weak=True,
                    )
                    ask.greeting = first_exchange and not self.says["feeling_or_lately"].search(text)
                    asks.append(ask)
                    break
        return asks

    def _share_difficulty(self, asks: list[Ask], text: str) -> None:
        """ "Is it hard to get to sleep, or to stay asleep through the night?": what is joined to something that is hard to
        do is asked for as hard to do."""
        for before, ask in pairwise(asks):
            if (
                ask.sentence == before.sentence
                and before.direction == "symptom"
                and ask.direction in ("health", "topic")
                and (
                    ask.mention.start < before.mention.end
                    or self.says["or_to"].fullmatch(text, before.mention.end, ask.mention.start)
                )
                and self.says["hard_to"].match(text, before.mention.start)
            ):
                ask.direction, ask.form = "symptom", before.form

    def _put(self, asks: list[Ask], turn: TurnState) -> list[Ask]:
        """Those of a Chinese turn's asks that are put as questions: not what only says when or beside what something is
        asked ("心情不好的时候，会吃很多吗"), what leads up to the question or explains it ("听起来你很累，我想问…"), what is
        to be relieved, or what pictures another matter that is asked after (elation, voices, menses). What is asked of
        the family is of others."""
        text = turn.canonical.text
        marked = "？" in text
        put: list[Ask] = []
        other = [m for m in self.says["other_matter"].finditer(text)] if asks else []
        family = [m for m in self.says["of_family"].finditer(text)] if asks else []
        elation = [h for h in turn.hits.get("assertion", ()) if h.category == "mania"]
        for a in asks:
            clause = turn.clauses.at(a.mention.start)
            sentence = turn.clauses.sentence(clause.sentence)
            start, end = sentence[0].start, sentence[-1].end
            if marked and text[end : end + 1] != "？" and not self.says["asks_unmarked"].search(text, start, end):
                continue
            if self._circumstance(a, text, clause, end) or self._led_up_to(a, asks, text, start, end):
                continue
            if self._pictures(a, elation, turn, text, start):
                continue
            asking = [m.end() for m in self.says["asks_of"].finditer(text, start, a.mention.end)]
            if any(start <= m.start() < end and not (asking and m.start() < asking[-1]) for m in other) and (
                not asking or any(asking[-1] <= m.start() < a.mention.start for m in other)
            ):
                continue
            if any(m.start() < a.mention.start and not self.says["addressed"].search(text, m.start(), a.mention.start) for m in family):
                a.subject = "other"
            put.append(a)
        questions = [c for c in turn.clauses if c.question]
        own = [a for a in put if a.subject == "participant"]
        if own and questions:
            begins = turn.clauses.sentence(questions[-1].sentence)[0].start
            if own[-1].mention.end <= begins and (
                any(begins <= h.start for h in elation) or self.says["unrelated"].search(text, begins)
            ):
                for a in own:
                    a.passed = True
        return put

    def elsewhere(self, turn: TurnState) -> bool:
        """Whether a Chinese turn asks after another matter, so that it points back to nothing that was told."""
        return any(h.category == "mania" for h in turn.hits.get("assertion", ())) or (
            self.says["unrelated"].search(turn.canonical.text) is not None
        )

    def _when_asked(self, ask: Ask, asks: list[Ask], turn: TurnState) -> bool:
        """ "When that sadness creeps in, do you cry?": whether an English mention only says when what is asked comes."""
        clause = turn.clauses.at(ask.mention.start)
        words = self.says.words("at_what_time")
        if clause.word not in words or self.says["times_when"].search(
            turn.canonical.text[max(0, clause.start - 24) : clause.start]
        ):
            return False
        mains = [
            c
            for c in turn.clauses.sentence(clause.sentence)
            if c.index != clause.index
            and c.word not in words
            and (c.index < clause.index or c.connective != "coordinate" or c.subject_at is not None)
        ]
        if any(turn.clauses.at(o.mention.start) in mains for o in asks if o.sentence == ask.sentence):
            return True
        # "When you feel low, what do you do?"
        text = turn.canonical.text
        return any(c.index > clause.index and self.says["asks"].search(text, c.start - 1, c.end) for c in mains)

    def _circumstance(self, ask: Ask, text: str, clause: Clause, end: int) -> bool:
        """Whether a Chinese mention only says when, beside what or against what something is asked."""
        m = ask.mention
        if self.says["aside"].search(text, clause.start, m.start + 1):
            return True
        if self.says["because"].search(text, clause.start, m.start) and self.says["effect"].match(text, m.end):
            return True
        at = self.says["at_which"].search(text[clause.start : m.start])
        when = self.says["when"].match(text, m.end)
        if when is None or end - when.end() < 4 and at is None:
            return False
        asking = self.says["asks_of"].search(text, clause.start + (at.start() if at else 0), m.start + 2)
        return asking is None

    def _led_up_to(self, ask: Ask, asks: list[Ask], text: str, start: int, end: int) -> bool:
        """Whether a Chinese mention stands in what the interviewer sums up before the question of the same sentence."""
        inquiry = self.says["inquires"].search(text, ask.mention.end, end)
        if inquiry is not None and end - inquiry.end() > 5:
            return True
        if self.says["sums_up"].search(text, start, min(end, ask.mention.start)) is None:
            return False
        if self.says["asks_of"].search(text, start, ask.mention.end):
            return False
        behind = self.says["asks_of"].search(text, ask.mention.end, end)
        return behind is not None and any(behind.start() - 1 <= a.mention.start < end for a in asks)

    def _pictures(self, ask: Ask, elation: list[Hit], turn: TurnState, text: str, start: int) -> bool:
        """ "有没有特别兴奋，不睡也不累的时候？": whether a Chinese mention pictures the elation that is asked after."""
        before = [h for h in elation if h.start < ask.mention.start]
        if not before:
            return False
        if before[-1].start >= start:
            return ask.dimension != "depressed_mood"
        return self.says["goes_on_picturing"].match(text, start) is not None

    def _asks_if_low(self, turn: TurnState, previous: TurnState | None) -> bool:
        """ "Down?": a bare English word for a low mood, where nothing else was asked after that could be low."""
        if not self.english or self.says["bare_low"].fullmatch(turn.canonical.text) is None:
            return False
        before = previous.asks_before if previous is not None else ()
        return not any(a.form == "open" and a.dimension != "depressed_mood" for a in before)

    def same_of_you(self, turn: TurnState, previous: TurnState | None) -> list[Ask]:
        """ "She says she'd be better off dead." "Have you ever thought that about yourself?": asks for the speaker what they
        have just told of somebody else (English)."""
        if not self.english or previous is None or self.says["same_of_you"].fullmatch(turn.canonical.text) is None:
            return []
        found = self.subjects.clause_subjects(previous)
        asks = []
        for m in previous.mentions:
            clause = previous.clauses.at(m.start)
            if m.sense not in ("symptom", "health") or found[clause.index].value != "other":
                continue
            ask = Ask(
                m.dimension,
                m.components,
                "symptom" if m.sense == "symptom" else "health",
                "yes_no",
                previous.index,
                m,
                0,
                rule=m.rule,
                told=True,
            )
            ask.ever = any(h.op == "ever" for h in turn.times)
            asks.append(ask)
        return asks

    def _informs(self, m: Mention, clause: Clause, turn: TurnState, start: int, end: int) -> bool:
        """ "The tablets can make you drowsy.", "If you can't eat, ring us.": whether an English sentence says what something
        can do to people, or what to do in a case that may come, and asks nothing."""
        text = turn.canonical.text
        if self.says["may_cause"].search(text, max(start - 1, m.start - 80), m.end):
            return True
        supposed = any(
            c.sentence == clause.sentence and c.index <= clause.index and self.says["in_case"].match(text, c.start)
            for c in turn.clauses.sentence(clause.sentence)
        )
        return supposed and all(  # "if you bring up any blood": what a case holds is not asked
            self.says["in_case"].match(text, turn.clauses.at(x.start() + 1).start) is not None and x.group() == " any "
            for x in self.says["asks"].finditer(text, start - 1, end + 1)
        )

    def _asks_another(self, m: Mention, clause: Clause, turn: TurnState, start: int) -> bool:
        """ "Does anything ease the tiredness?", "What do you eat when you binge?": whether an English question only names
        the symptom, and asks what helps with it, or for something else that no yes, no or "a bit" can answer of it."""
        text = turn.canonical.text
        if m.sense == "topic":
            return self.says["those_nights"].search(text, start - 1, m.end + 1) is not None
        if m.sense not in ("symptom", "weak_symptom"):
            return False
        if self.says["helps_with"].search(text, max(start - 1, m.start - 48), m.start):
            return True
        other = self.says["asks_what"].match(text, start)
        if other is None or "," in text[other.end() : m.start]:
            return False
        # "what happens at night do you wake up": a second question, which is asked plainly
        return all(x.start() <= other.end() for x in self.says["asks"].finditer(text, other.end() - 1, m.start))

    def _of_others(self, m: Mention, text: str, start: int) -> bool:
        """ "Does anyone else in the family sleep badly?", unless it is what anyone else has noticed about "you"."""
        found = self.says["of_others"].search(text, start, m.end + 1)
        return found is not None and found.start() < m.start

    def _acknowledges(self, m: Mention, text: str) -> bool:
        """ "okay sleep trouble falling asleep", in speech without punctuation: "okay" takes note of the answer before, and
        evaluates no sleep."""
        return self.english and m.start <= 2 and self.says["takes_note"].match(text, m.start) is not None

    def _taken_up(self, ask: Ask, asks: list[Ask], turn: TurnState, previous: TurnState | None) -> bool:
        """ "hungry all the time okay and do you feel tired": whether an English ask only says again what was answered, in a
        sentence that goes on to ask something else."""
        if not self.english or ask.direction == "topic" or previous is None or previous.speaker == "interviewer":
            return False
        text = turn.canonical.text
        after = [a for a in asks if a.sentence == ask.sentence and a.mention.start >= ask.mention.end]
        start = turn.clauses.sentence(turn.clauses.at(ask.mention.start).sentence)[0].start
        if not after or self.says["asks_already"].search(text, start, ask.mention.start + 1):
            return False
        between = text[ask.mention.end - 1 : after[-1].mention.start]
        told = any(m.dimension == ask.dimension for m in previous.mentions)
        return self.says["notes"].search(between) is not None or told and self.says["asks_next"].search(between) is not None

    def _heads(self, ask: Ask, asks: list[Ask], text: str) -> bool:
        """ "Sleep, getting off?": whether an English topic word is the heading of the one part that is asked after."""
        if not self.english or ask.form != "open" or ask.mention.sense != "topic" or "ALL" not in ask.components:
            return False
        parts = [a for a in asks if a is not ask and (a.dimension, a.sentence) == (ask.dimension, ask.sentence)]
        return (
            len(parts) == 1
            and parts[0].form == "open"
            and "ALL" not in parts[0].components
            and self.says["heading"].fullmatch(text, ask.mention.end, parts[0].mention.start) is not None
            and self.says["before_heading"].fullmatch(text, 0, ask.mention.start) is not None
        )

    def as_before(self, asks: list[Ask], live: list[Ask], turn: TurnState) -> None:
        """ "Trouble falling asleep?" "No." "Staying asleep?": an English doing alone is asked in the way of the question
        before."""
        if not self.english or len(asks) != 1 or not live or len(turn.canonical.text.split()) > 7:
            return
        ask, last = asks[0], live[-1]
        if (
            (ask.form, ask.direction, last.form, last.direction) == ("open", "topic", "yes_no", "symptom")
            and ask.rule.endswith(".ability")
            and self.says["doing_alone"].fullmatch(turn.canonical.text, 0, ask.mention.start)
        ):
            ask.direction, ask.form = last.direction, last.form

    def _go_on(self, asks: list[Ask], text: str) -> None:
        """ "Any bother keeping your mind on things, or coming to a decision?": an English doing joined to what was asked
        before it in the same sentence is asked in the same way."""
        for ask in asks:
            if (
                self.english
                and (ask.direction, ask.form) == ("topic", "open")
                and ask.rule.endswith(".ability")
                and self.says["could_you"].search(text, 0, ask.mention.start)
            ):
                ask.direction, ask.form = "health", "yes_no"  # "could you sit still when you wanted to?"
        for ask in asks:
            if (
                self.english
                and (ask.direction, ask.form) == ("topic", "open")
                and "ALL" in ask.components
                and self.says["you_are"].search(text, 0, ask.mention.start)
                and self.says["doing_end"].fullmatch(text, ask.mention.end)
            ):
                ask.direction, ask.form = "health", "yes_no"  # "and you're eating?"
        for last, ask in pairwise(asks):
            if (
                self.english
                and (ask.direction, ask.form, last.form) == ("topic", "open", "yes_no")
                and last.direction != "topic"
                and ask.sentence == last.sentence
                and ask.rule.endswith(".ability")
                and self.says["or_doing"].fullmatch(text, last.mention.end, ask.mention.start)
            ):
                ask.direction, ask.form = last.direction, last.form

    def _worse(self, turn: TurnState, clause: Clause, m: Mention, text: str) -> bool:
        """ "动作有没有比以前慢", "has your appetite been poor": what is asked is whether it is bad."""
        if self.english:
            return (
                m.sense == "topic"
                and clause.question
                and self.says.words("asks_how").isdisjoint(text[clause.start : m.start].split()[:1])
                and " how " not in text[clause.start - 1 : m.start]
                and any(h.category == "bad" and m.end <= h.start < clause.end for h in turn.hits.get("answers", ()))
            )
        following = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else None
        end = clause.end
        if following is not None and following.sentence == clause.sentence:
            if not any(following.start <= x.start < following.end for x in (*turn.mentions, *turn.topics)):
                end = following.end  # 兴趣和乐趣，这两周减少了没有
        own = text[clause.start : end]
        return (
            m.sense == "topic"
            and self.says["asks_whether"].search(own) is not None
            and self.says["worse"].search(text[m.end : end]) is not None
        )

    def _only_mentioned(self, clause: Clause, text: str, m: Mention, here: list[Hit], start: int, end: int) -> bool:
        """A topic word in a longer sentence that does not ask after it."""
        # "how are you with moving about and with keeping still": the second of what is asked is as near as the first
        joined = self.english and clause.connective == "coordinate" and not clause.verb
        near = any(
            (
                h.category in ("open", "how_long", "how_often", "how_easy", "how_hard", "cause")
                or h.category == "wellbeing"
                and self.says["with_it"].search(text, h.start, m.start + 1)
            )
            and h.start < m.end + 6
            and m.start - max(h.end, clause.start if joined else 0) <= (30 if self.english else 8)
            or h.category == "open"
            and not self.english
            and h.start >= m.end
            and (h.start - m.end <= 12 or self.says["as_a_whole"].fullmatch(text, m.end, h.start) is not None)
            for h in here
        )
        short = end - start <= (36 if self.english else 10)
        punctuated = (
            re.search(r"[.?]", text[3:-3]) is not None if self.english else re.search("[。？]", text[1:-2]) is not None
        )
        if self.says["after_change"].search(text[start:end]):
            return False
        if not punctuated and self.says["noun_phrase"].search(text[clause.start - 1 : m.start]):
            return False
        return not near and not short and (punctuated or self.english and end - start > 60)

    def _asked_behind(self, m: Mention, clause: Clause, turn: TurnState) -> bool:
        """ "Tell me about your sleep.", "Let's turn to your sleep. How is it?": whether what is announced is asked too."""
        text = turn.canonical.text
        return any(
            h.category == "open"
            and (
                h.end > m.end
                and turn.clauses.at(h.start).sentence > clause.sentence
                or h.start <= m.start
                and self.says["requests"].match(text, h.start) is not None
            )
            for h in near(turn.hits.get("questions", []), clause.start, m.end)
        )

    def _attributive(self, ask: Ask, text: str) -> bool:
        m = ask.mention
        return (
            self.says["enjoyed_before"].search(" " + text[max(0, m.start - 40) : m.start]) is not None
            or self.says["enjoyed_inside"].search(text[m.start : m.end]) is not None
            or self.says["enjoyed_after"].match(text[m.end : m.end + 3]) is not None
        )

    def _negated(self, ask: Ask, turn: TurnState, clause: Clause, start: int) -> None:
        """Turns an ask round that is negated ("you don't feel sad?"). start: of its sentence.

        A negation inside a mention of health (心里闷闷不乐) is the mention's own and says nothing of the question. What
        only asks, in 有没有, 会不会 and behind (情绪低落过没有), turns nothing round, also where the mention took it
        for its own."""
        text, m = turn.canonical.text, ask.mention
        opposite = {"symptom": "health", "health": "symptom"}
        only_asks = self._a_not_a(text, m)
        negations = [
            h
            for h in self.asserter.negations(turn, m, clause)
            if h.category != "negation_after" or not self.says["closing_question"].search(text[: h.end])
            # the 不 of 难不难受 denies nothing
            if self.english or text[h.start : h.end] not in ("不", "没") or text[h.start - 1] != text[h.end]
        ]
        if not self.english:  # the 不 of "吃不下饭或者没胃口" is of the first
            negations = [
                h
                for h in negations
                if h.start >= m.start
                or not any(x is not m and x.start < h.start < x.end and x.sense == "symptom" for x in turn.mentions)
            ]
        inside = [h for h in negations if m.start <= h.start]
        outside = [h for h in negations if h.start < m.start and not self._asks(text, h)]
        if only_asks:  # "是不是既不自责": what stands between the question and the mention is no part of it
            behind = self._asked_until(text, m)
            outside = [h for h in outside if behind and h.start >= behind and h.end - h.start > 1]
        if (len(inside) + sum(2 if h.category == "double" else 1 for h in outside)) % 2 == 1:
            plain = outside + (inside if m.sense == "symptom" and not only_asks else [])  # 情绪没有低落吧？
            ask.direction = opposite.get(ask.direction, ask.direction)
            ask.negated = (
                any(self.says["plain_negation"].search(text[h.start : h.end]) for h in plain)
                and not self.says["polite_negation"].match(text[clause.start : clause.end])
                and not self.says["asks_plainly"].match(text, start)
                and not self.says["asks_you"].search(" " + text[start : clause.start])
                and not self.says["asks_feeling"].search(text[start : plain[0].start if plain else m.start])
            )
        if m.start and self.says["verb_not_verb"].match(text, m.start - 1):
            ask.direction = "symptom"  # 会不会睡太多 holds 不会睡太多
        elif m.start and self.says["has_or_not"].match(text, m.start - 1):
            ask.direction = opposite.get(ask.direction, ask.direction)  # 有没有精神 holds 没有精神
        elif m.sense == "health" and self.says["short_negation"].match(text, m.start) and not only_asks:
            ask.negated = True  # 你没有不想活的念头吧？

    def _asks(self, text: str, h: Hit) -> bool:
        """Whether a negation is the 没有 of a 有没有 in front of the mention, however far."""
        return h.start > 0 and self.says["has_or_not"].match(text, h.start - 1) is not None

    def _a_not_a(self, text: str, m: Mention) -> bool:
        """Whether a verb, its negation and the verb again ask a question around or before a mention."""
        return self.says["a_not_a"].search(text[max(0, m.start - 8) : m.end + 3]) is not None

    def _asked_until(self, text: str, m: Mention) -> int:
        """Where a Chinese 是不是 right before a mention ends; 0 if there is none."""
        found = [x.end() for x in self.says["whether_so"].finditer(text, max(0, m.start - 8), m.start)]
        return found[-1] if found else 0

    def _possessed(self, m: Mention, text: str) -> bool:
        return self.says["somebody_elses"].search(" " + text[max(0, m.start - 14) : m.start]) is not None

    def _declarative(self, clause: Clause, turn: TurnState, forms: set[str], sentence: list[Clause]) -> bool:
        """A sentence with a full stop that states something. Speech without punctuation is taken as asking."""
        text = turn.canonical.text
        if "open" in forms or "how_often" in forms:
            return False
        if self.english:
            if not re.search(r"[.?]", text[3:-3]):
                return False
            head = text[clause.start : clause.end].split()[:1]
            if not self.says.words("question_opens").isdisjoint(head):
                return False
            # "I'd bring the dose down, because of the restlessness."
            return any(c.subject_at is not None and c.index <= clause.index for c in sentence)
        return (
            # "那会不会自责 或者觉得自己没用": what asks stands before the part that is joined to it
            not self.says["question_word"].search(text[sentence[0].start : clause.end + 1])
            and text[clause.end : clause.end + 1] == "。"
            and (clause.end < len(text) - 1 or turn.text.rstrip().endswith(("。", ".")))  # typed, without any mark
            and self.says["item"].match(text) is None  # "第二项，悲观。"
            and len(text) > 8
        )
