"""What an answer says of the question before it (contract, section 2).

An interviewer's words are no evidence, but they give an answer its content: which dimension and components, which
direction, which time, whom.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ...contract import Interval
from ..clauses.logic import Clause
from ..cues import Hit
from ..questions.logic import Ask
from ..terms.logic import Mention
from ..terms.rules import GROUND_OF
from ..text import stem
from ..time.logic import TimeHit, on_both
from ..turns.logic import CueNote, Draft, TurnState, between
from ..wordings import Wordings
from .rules import ANSWERS, EVALUATIONS

_OWN_WORD = ("weak_yes", "weak_no_doubt", "unknown", "refuse", "pardon")
"""Answers that a statement beside them does not take up: it is hedged, or refused, by them."""
_PUNCTUATION = " ,.;?!，。；？！"
_A_NOT_A = re.compile(r"(.)[不没]\1|(?<=有)没有")
_EITHER = re.compile(r"(.)[不没]\1")
_ECHO = 8  # characters of a question that says again what was asked
_EVENT = 12  # characters of an event that names a time, 我爸刚走
LONGEST_DAY = 30  # characters of a Chinese story of the day that the answer behind it is of
LONGEST_GUESS = 12  # characters of a Chinese clause that guesses at what its speaker has just asked
# what "too much" of it is, for dimensions that have a component for that
_TOO_MUCH = {"appetite_weight": ("overeating",), "sleep": ("hypersomnia",)}


class AnswerBinder:
    """Makes frames of what the words of an answer say of the asks before them."""

    def __init__(self, language: str, says: Wordings, listed_hedge: re.Pattern[str]):
        """listed_hedge: holds a hedge that the contract lists."""
        self.english = language == "en"
        self.language = language
        self.says = says
        self.listed_hedge = listed_hedge

    def bind(self, turn: TurnState, asks: list[Ask], found: list) -> list[Draft]:
        """Drafts of the answer. `asks`: of the interviewer's turn(s) right before."""
        if not asks:
            return []
        return self._bind(turn, asks, found, 3 if self.english else 1)

    def later(self, turn: TurnState, asks: list[Ask], found: list) -> list[Draft]:
        """ "In April, once. These two weeks no.": an answer further on that begins with a time of its own, or that is of
        now only ("not any more")."""
        if not asks or any(d.kind == "answer" and d.timed != "own" and d.time is None for d in turn.drafts):
            return []
        out: list[Draft] = []
        text = turn.canonical.text
        for clause in turn.clauses[1:]:
            times = self._times_of(turn, clause)
            hits = [
                h
                for h in turn.hits.get("answers", ())
                if h.category in ("yes", "no") and clause.start <= h.start < clause.end
            ]
            ended = any(self._says_no_more(turn, h) for h in hits)
            if not (times or ended) or not hits or any(d.clause is clause for d in turn.drafts):
                continue
            rest = text[clause.start : clause.end]
            for h in (*hits, *times):
                rest = rest.replace(text[h.start : h.end], " ")
            if not self._light(rest, turn, clause.start):
                continue
            for ask in self._live(asks, hits):
                draft = self._draft(turn, ask, hits[:1], [ask])
                if draft is None or ask.form == "open":
                    continue
                if times and any(d.kind == "answer" and d.time == times[0].interval for d in turn.drafts):
                    continue  # the time is the first answer's: "没有，天天照样，这半个月没断过"
                if times:
                    draft.time, draft.timed = times[0].interval, "own"
                    draft.cues.append(
                        CueNote("time", times[0].interval, times[0].rule, turn.index, times[0].start, times[0].end)
                    )
                self._subject(draft, turn, ask, found, hits[:1])
                out.append(draft)
        return out

    @staticmethod
    def _times_of(turn: TurnState, clause: Clause) -> list[TimeHit]:
        """The times of a clause, or the one that is all of the clause before it: "Since then, never."."""
        dated = [h for h in turn.times if h.interval is not None]
        times = [h for h in dated if clause.start <= h.start < clause.end and h.op != "for"]
        before = turn.clauses[clause.index - 1]
        if times or before.sentence != clause.sentence:
            return times
        alone = [h for h in dated if before.start <= h.start and h.end >= before.end - 1]
        return alone[-1:] if alone and alone[-1].start <= before.start + 5 else []

    def headed(self, turn: TurnState, found: list) -> list[Draft]:
        """A heading of the speaker's own that the next words speak of: "Sleep: no problems", "胃口嘛，不太好"."""
        out: list[Draft] = []
        text = turn.canonical.text
        for t in turn.topics:
            clause = turn.clauses.at(t.start)
            if clause.index + 1 >= len(turn.clauses) or any(d.clause is clause for d in turn.drafts):
                continue
            if clause.verb and not (self.english and self._bare(turn, clause, t)):
                continue
            following = turn.clauses[clause.index + 1]
            own = text[clause.start : clause.end]
            opens = turn.clauses.sentence(clause.sentence)[0].start
            if any(h.category == "named" and opens <= h.start <= t.start for h in turn.hits.get("assertion", ())):
                continue  # "what I said about my focus and decisions, forget it": a retraction, and no heading
            if (
                following.lead not in ("weak", "strong")
                or (len(own.split()) > 5 if self.english else len(own) > 8)
                or following.start - clause.end > 4
            ):
                continue
            if any(d.clause is following and d.dimension == t.dimension for d in turn.drafts):
                continue
            if any(d.kind == "answer" and d.dimension == t.dimension and d.start >= clause.start for d in turn.drafts):
                continue
            ask = Ask(t.dimension, t.components, "topic", "open", turn.index, t, clause.sentence, rule=t.rule)
            out += self._bind(turn, [ask], found, following.start, own=True)
        return out

    @staticmethod
    def _bare(turn: TurnState, clause: Clause, topic: Mention) -> bool:
        """ "My sleep, bad": whether an English clause is a topic alone, which may look like a verb."""
        words = (turn.canonical.text[clause.start : topic.start] + turn.canonical.text[topic.end : clause.end]).split()
        return {".", ",", "?", "the", "my", "and", "as", "for"}.issuperset(words)

    def to_self(self, turn: TurnState, asked: Draft, clause: Clause, behind: Clause, found: list) -> list[Draft]:
        """What the Chinese clause `behind` says of what the speaker has just asked in `clause`. In words that no rule
        knows, a hedge at its beginning bears on it and settles nothing."""
        mention = asked.mention
        text = turn.canonical.text
        if self.says["no_guess"].search(text, behind.start, behind.end):
            return []
        healthy = mention.sense in ("health", "weak_health")
        healthy = healthy or mention.sense == "symptom" and self.says["can_or_not"].search(
            text, max(clause.start, mention.start - 1), mention.end + 2
        )
        ask = Ask(
            mention.dimension,
            mention.components,
            "health" if healthy else "symptom",
            "yes_no",
            turn.index,
            mention,
            clause.sentence,
            rule=mention.rule,
            weak=mention.sense in ("weak_symptom", "proxy"),
            words=text[clause.start : clause.end],
            at=clause.start,
        )
        if drafts := self._bind(turn, [ask], found, behind.start, own=True):
            return drafts
        own = text[behind.start : behind.end].rstrip("的了啊呀呢嘛哦")
        either = _EITHER.search(ask.words)
        if either is not None and own.removeprefix("不") == either[1]:  # "走不走神？走，天天走"
            polarity = "affirm" if (own == either[1]) != bool(healthy) else "deny"
            draft = self._answer(turn, ask, behind, behind.start, behind.end, polarity, "definite")
            rule = f"{self.language}.answer.echo"
            draft.cues.append(CueNote("polarity", polarity, rule, turn.index, behind.start, behind.end))
            self._as_weak(draft, ask, rule)
            return [draft]
        hedge = next(
            (
                h
                for h in turn.hits.get("assertion", ())
                if h.category == "hedge" and behind.start <= h.start <= behind.start + 2
            ),
            None,
        )
        if hedge is None or behind.end - behind.start > LONGEST_GUESS:
            return []
        draft = self._answer(turn, ask, behind, behind.start, behind.end, "affirm", "indicator")
        draft.weaken("no_direction", hedge.rule, turn.index, hedge.start, hedge.end)
        return [draft]

    def _bind(self, turn: TurnState, asks: list[Ask], found: list, start: int, own: bool = False) -> list[Draft]:
        """Drafts of the words from `start` on. own: what they answer is a heading of the speaker's own, and then only
        words that answer can speak of it."""
        if not own and (
            measured := self._counted(turn, asks)
            or self._slept(turn, asks)
            or self._takes_to_sleep(turn, asks)
            or self._keeps_hours(turn, asks)
        ):
            return measured
        if not own and (each := self._one_by_one(turn, asks, found) or self._by_name(turn, asks, found)):
            return each
        if not own and (lacks := self._lacks(turn, asks)):
            return lacks
        asks = self._chosen(turn, asks)
        if not own and (unwilling := self._unwilling_again(turn, asks)):
            return unwilling
        hits = self._answer_hits(turn, asks, start) or self._of_self(turn, asks, found)
        if not (own and self.english):
            hits = hits or self._summing_up(turn, asks, found) or self._rated(turn, asks) or self._measured(turn, asks)
        hits = [h for h in hits or self._instance(turn, asks) if not self._disowned(turn, h)]
        if hits:
            return self._answered(turn, asks, found, self._no_more(turn, hits))
        return (
            [] if own else self._without_answer_words(turn, asks) or self._behind_retraction(turn, asks, found, start)
        )

    def _unwilling_again(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "有没有不想活？" "不想。": the question holds the unwillingness itself, so that saying it again affirms."""
        if self.english or (m := self.says["unwilling"].match(turn.canonical.text)) is None:
            return []
        if any(h.category == "no" and "没" in turn.canonical.text[h.start : h.end] for h in turn.hits.get("answers", ())):
            return []  # "不想，从来没有过"
        for ask in self._live(asks, []):
            at = ask.words.find(m["word"], ask.mention.start - ask.at, ask.mention.end - ask.at)
            if ask.direction != "symptom" or at < 0 or ask.words[:at].endswith(m["verb"]):
                continue  # and not 想不想
            clause = turn.clauses[0]
            draft = self._answer(turn, ask, clause, m.start("word"), m.end("word"), "affirm", "definite")
            draft.time = ask.time
            rule = self.says.rules["unwilling"].id
            draft.cues.append(CueNote("polarity", "affirm", rule, turn.index, m.start("word"), m.end("word")))
            self._as_weak(draft, ask, rule)
            return [draft]
        return []

    def _disowned(self, turn: TurnState, h: Hit) -> bool:
        """ "Pay that no mind, I borrowed it off him, it ain't me": behind a retraction it says whose words they were."""
        return (
            self.english
            and self.says["disowns"].fullmatch(turn.canonical.text, h.start, h.end) is not None
            and any(w.category == "retract" and w.end <= h.start for w in turn.hits.get("withdrawal", ()))
        )

    def _behind_retraction(self, turn: TurnState, asks: list[Ask], found: list, start: int) -> list[Draft]:
        """ "Scratch what I said about sleeping well. Yes, every night.": the answer stands behind a retraction."""
        taken = [h for h in turn.hits.get("withdrawal", ()) if h.category in ("retract", "retract_named")]
        ends = sorted({turn.clauses.at(h.end - 1).end for h in taken} | {turn.within(*q)[1] for q in turn.quotations})
        behind = [c for c in turn.clauses if ends and c.start >= max(start, ends[0])][:6]
        for clause in behind:
            if any(d.clause is clause for d in turn.drafts):
                continue
            if drafts := self._answered_from(turn, asks, found, clause.start):
                return drafts
        return []

    def _answered_from(self, turn: TurnState, asks: list[Ask], found: list, start: int) -> list[Draft]:
        hits = self._answer_hits(turn, asks, start)
        if not hits:
            bare = [h for h in turn.cues("answers", "measure") if start <= h.start <= start + 2]
            hits = [replace(h, category="some") for h in bare[:1] if all(a.direction == "symptom" for a in asks)]
        return self._answered(turn, asks, found, hits) if hits else []

    def _without_answer_words(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """What a turn says of the asks though it holds no word that answers: it picks, repeats, doubts or dates."""
        if self._ordinal(turn) is not None:
            return self._picked(turn, asks)
        if same := self._same_as_theirs(turn, asks):
            return same
        drafts = self._hedged(turn, asks)
        drafts += self._bare_echo(turn, asks) or self._denied_echo(turn, asks) or self._echo(turn, asks)
        drafts += self._how_long(turn, asks) or self._ended(turn, asks)
        return drafts

    def _lacks(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "What about your energy?" "I don't really have much.": English words that there is little of what was asked
        after, which they leave out."""
        m = self.says["stock_lacked"].match(turn.canonical.text) if self.english else None
        if m is None or any(d.start < m.end() for d in turn.drafts):
            return []
        drafts = []
        for ask in self._live(asks, []):
            if ask.direction == "topic" and self.says["stock_asked"].search(" " + ask.words):
                clause = turn.clauses.at(m.start())
                draft = self._answer(turn, ask, clause, m.start(), m.end(), "affirm", "definite")
                draft.time = ask.time
                rule = self.says.rules["stock_lacked"].id
                draft.cues.append(CueNote("polarity", "affirm", rule, turn.index, m.start(), m.end()))
                drafts.append(draft)
        return drafts

    def over(self, turn: TurnState) -> None:
        """ "I cried a lot, but not any more.", "I slept well, not any more": without a date the statement says nothing
        of the window, and its contrary does (contract, "Ended"). Turns the drafts of such statements round."""
        text = turn.canonical.text
        for h in turn.hits.get("answers", ()):
            where = turn.clauses.at(h.start)
            if not self._says_no_more(turn, h) or where.index == 0:
                continue
            last = turn.clauses[where.index - 1]
            told = [
                d
                for d in between(turn.drafts, last.start, h.start)
                if d.end <= h.start and d.kind == "mention" and d.modality == "asserted"
            ]
            if not told or turn.clauses.at(told[-1].start) is where:
                continue
            if not self._light(text[where.start : h.start], turn, where.start) or text[h.end : where.end].strip(" ,，"):
                continue
            sentence = turn.clauses.sentence(last.sentence)[0].start
            if self._dated(turn, sentence, h.start):
                continue
            for d in told:
                said = (d.mention is not None and d.mention.sense, d.polarity)
                if d.strength != "definite":
                    continue
                if said in (("symptom", "affirm"), ("health", "deny")):  # not "I didn't cry, not any more"
                    d.polarity = "deny" if d.polarity == "affirm" else "affirm"
                    if d.mention.if_negated:
                        d.components = d.mention.if_negated
                    d.cues.append(CueNote("polarity", d.polarity, h.rule, turn.index, h.start, h.end))

    def better_now(self, turn: TurnState) -> None:
        """ "以前睡不好，现在好多了": a change without a level, of what the clause before it tells of the past (Chinese)."""
        for h in turn.cues("answers", "better") if not self.english else ():
            where = turn.clauses.at(h.start)
            if where.index == 0 or turn.canonical.text[h.end : where.end].strip("，。") or h.start - where.start > 3:
                continue
            last = turn.clauses[where.index - 1]
            told = [d for d in between(turn.drafts, last.start, h.start) if d.kind == "mention" and d.polarity == "affirm"]
            if last.sentence != where.sentence or not told or not self._dated(turn, last.start, h.start):
                continue
            if any(d.start >= where.start and d.dimension == told[-1].dimension for d in turn.drafts):
                continue
            fresh = replace(told[-1], start=h.start, end=h.end, clause=where, kind="answer", cues=list(told[-1].cues))
            fresh.time, fresh.timed = Interval(None, None, True), "own"
            fresh.weaken("change", h.rule, turn.index, h.start, h.end)
            turn.drafts.append(fresh)

    def ended(self, turn: TurnState) -> None:
        """ "I was crying every day, now I don't cry at all", 哭过，现在不哭了: what is denied as over, with no date, was not
        affirmed of the window by the words before it (contract, "Ended"). Drops the drafts that did."""
        text = turn.canonical.text
        over: list[Draft] = []
        for d in turn.drafts:
            if d.polarity != "deny" or d.mention is None or d.mention.sense != "symptom" or d.modality != "asserted":
                continue
            clause = turn.clauses.at(d.start)
            if not self.says["ended_now"].search(text, clause.start, clause.end + 1):
                continue
            start = turn.clauses.sentence(clause.sentence)[0].start
            over += [
                e
                for e in turn.drafts
                if e.end <= clause.start
                and turn.clauses.at(e.start).sentence >= clause.sentence - 1
                and (e.dimension, e.components, e.polarity) == (d.dimension, d.components, "affirm")
                and not self._dated(turn, min(start, turn.clauses.at(e.start).start), d.start)
                and not self.says["still_told"].search(text, turn.clauses.at(e.start).start, e.end + 1)
            ]
        if over:
            turn.drafts = [d for d in turn.drafts if not any(d is e for e in over)]

    def of_occasion(self, turn: TurnState, asked: TurnState | None) -> None:
        """ "月经期间有没有情绪变化？" "情绪上也没有明显变化。": what a Chinese speaker denies of the one occasion that was asked of
        speaks for that only (contract, "Restricted denials")."""
        if self.english or asked is None or asked.speaker != "interviewer":
            return
        of: set[str] = set()  # the dimensions asked of an occasion
        for m in self.says["occasion_asked"].finditer(asked.canonical.text):
            end = asked.clauses.sentence(asked.clauses.at(m.start()).sentence)[-1].end
            of |= {x.dimension for x in (*asked.mentions, *asked.topics) if m.end() <= x.start < end}
        for d in turn.drafts if of else ():
            where = turn.clauses.at(d.start)
            start, end = turn.canonical.span(where.start, where.end)  # 一直 is in the turn's own text only
            general = self.says["in_general"].search(turn.text, start, end) is not None
            if d.dimension in of and (d.polarity, d.strength) == ("deny", "definite") and not general:
                d.weaken("restricted", self.says.rules["occasion_asked"].id, turn.index, d.start, d.end)

    def mostly(self, turn: TurnState) -> None:
        """ "虽然有时会入睡困难，但基本上都能入睡": what a Chinese sentence affirms of some times it denies only of the rest."""
        text = turn.canonical.text
        for d in turn.drafts if not self.english else ():
            if (d.polarity, d.strength, d.modality) != ("deny", "definite", "asserted"):
                continue
            where = turn.clauses.at(d.start)
            m = self.says["mostly"].search(text, where.start, d.start + 2)
            start = turn.clauses.sentence(where.sentence)[0].start
            if m is not None and not self._dated(turn, start, d.start) and any(
                e.polarity == "affirm"
                and e.dimension == d.dimension
                and e.end <= where.start
                and turn.clauses.at(e.start).sentence == where.sentence
                and ("ALL" in (*d.components, *e.components) or not set(d.components).isdisjoint(e.components))
                for e in turn.drafts
            ):
                d.weaken("restricted", self.says.rules["mostly"].id, turn.index, m.start(), m.end())

    def _no_more(self, turn: TurnState, hits: list[Hit]) -> list[Hit]:
        """ "Yes, but not any more.": without a date the yes affirms nothing (contract, "Ended")."""
        if hits[0].category != "yes":
            return hits
        sentence = turn.clauses.at(hits[0].start).sentence
        for h in between(turn.hits.get("answers", []), hits[0].end, len(turn.canonical.text)):
            if not self._says_no_more(turn, h):
                continue
            where = turn.clauses.at(h.start)
            if where.sentence > sentence + 1 or any(d.start < h.start for d in turn.drafts):
                break
            return hits if self._dated(turn, 0, h.start) else [h]
        return self._over_now(turn, hits) or hits

    def _over_now(self, turn: TurnState, hits: list[Hit]) -> list[Hit]:
        """ "You were waking at four." "I was. That's stopped.": what English words behind a yes say to be over, without a
        date, is denied."""
        after = turn.clauses.sentence(turn.clauses.at(hits[-1].end - 1).sentence + 1) if self.english else []
        same = [c for c in turn.clauses if self.english and c.start >= hits[-1].end]
        for clause in (*same[:2], *after[:1]):
            m = self.says["over_now"].match(turn.canonical.text, clause.start)
            if m is None and self.says["past_yes"].search(turn.canonical.text, hits[0].start, hits[-1].end):
                m = self.says["until_then"].match(turn.canonical.text, clause.start)  # "It was, till I got the fan."
            if m is None or any(d.start < clause.start for d in turn.drafts) or self._dated(turn, 0, m.end()):
                continue
            return [Hit("answers", "no", None, clause.start, m.end(), self.says.rules["over_now"].id)]
        return []

    def _says_no_more(self, turn: TurnState, h: Hit) -> bool:
        """Whether an answer is "not any more", 没有了."""
        if self.english and h.rule == self.says.rules["over_now"].id:
            return True
        return h.category == "no" and self.says["no_more"].search(turn.canonical.text, h.start, h.end) is not None

    @staticmethod
    def _dated(turn: TurnState, start: int, end: int) -> bool:
        """Whether a time other than now is named in start..end."""
        return any(
            t.interval is not None and t.op != "now" and (t.op != "for" or t.interval.from_ is not None)
            for t in between(turn.times, start, end)
        )

    def _answered(self, turn: TurnState, asks: list[Ask], found: list, hits: list[Hit]) -> list[Draft]:
        """What the words that answer say of each ask."""
        if any(h.category == "refuse" for h in hits) or hits[0].category == "pardon":
            return []
        drafts: list[Draft] = []
        live = self._live(asks, hits)
        if self.english and self.says["all_asked"].search(turn.canonical.text, hits[0].start, hits[-1].end):
            others = [a for a in asks if a.form == live[0].form and a.direction == live[0].direction]
            live = [*live, *(a for a in others if a.dimension not in {x.dimension for x in live})]
        spoken = {d.dimension for d in turn.drafts}
        for ask in self._corrected(turn, live, hits):
            draft = self._draft(turn, ask, hits, live)
            if draft is None:
                continue
            if not self.english and self._of_other_matter(turn, ask, draft, hits):
                continue
            if not self.english and ask.dimension == "suicidal_ideation":
                if thought := self._thinks_of_it(turn, ask, draft, hits):
                    drafts.append(thought)
            self._toward_one(draft, turn, hits)
            part = self._named_part(turn, ask, hits)
            if self.english and draft.dimension in spoken and self.says["so_many"].match(turn.canonical.text, hits[0].start):
                continue  # "Two out of three. I'm eating fine."
            if part is not None:
                draft.components = part
            elif draft.dimension in spoken and (
                self._own_speaks(turn, ask, draft, hits, found) or self._other_part_repeated(turn, ask, draft, hits, live)
            ):
                continue
            self._time(draft, turn, ask, hits)
            self._subject(draft, turn, ask, found, hits)
            drafts.append(draft)
        if not drafts:
            drafts += self._how_long(turn, asks)
        return drafts

    def _corrected(self, turn: TurnState, live: list[Ask], hits: list[Hit]) -> list[Ask]:
        """ "You can't drop off, you're worn out, off your food." "No, no. I'm eating.": of an English statement about several
        topics, those that the speaker, behind a bare no, says otherwise of."""
        if not self.english or live[0].form != "statement" or {h.category for h in hits} != {"no"}:
            return live
        after = turn.clauses.at(hits[-1].start).sentence + 2
        named = {
            d.dimension
            for d in turn.drafts
            if d.start >= hits[-1].end and d.modality == "asserted" and turn.clauses.at(d.start).sentence <= after
        }
        return [a for a in live if a.dimension in named] or live

    def _of_other_matter(self, turn: TurnState, ask: Ask, draft: Draft, hits: list[Hit]) -> bool:
        """Whether the words of a Chinese answer are of something else that the question holds beside this ask: what was
        asked last ("睡得着吗？月经规律吗？" "没有。"), or what the answer itself goes on to name ("没有，我没有暴食的情况")."""
        text = turn.canonical.text
        bare = not any(h.category in EVALUATIONS for h in hits)
        if ask.passed and bare and not self.says["both"].search(text, hits[0].start, turn.clauses.at(hits[-1].start).end):
            return True
        if not bare or hits[-1].category not in ("no", "weak_no_amount", "weak_no_doubt"):
            return False
        named = self._denied_object(turn, hits)
        if named is None or ask.turn == turn.index:
            return False
        start, end = named
        said = [
            x
            for x in (*turn.drafts, *turn.topics, *turn.mentions)
            if x.dimension == ask.dimension and x.start < end and start < x.end
        ]
        if said:  # "不想活，或者想伤害自己？" "没有，没想过伤害自己": of this part, and not of the other
            parts = {c for x in said for c in x.components}
            return "ALL" not in (*parts, *ask.components) and parts.isdisjoint(ask.components)
        own = text[start:end]
        asked = ask.words[ask.mention.start - ask.at : ask.mention.end - ask.at]
        pairs = {own[i : i + 2] for i in range(len(own) - 1)}
        if any(pair in asked for pair in pairs):
            return False
        return any(pair in ask.around for pair in pairs)

    def _thinks_of_it(self, turn: TurnState, ask: Ask, draft: Draft, hits: list[Hit]) -> Draft | None:
        """ "没有，没做过自残的事，但有时会有这样的念头": a Chinese no that is of the act only settles nothing of the thought
        (contract, "Parts of a component"); what affirms the thought behind it."""
        if draft.polarity != "deny" or hits[-1].category != "no":
            return None
        text = turn.canonical.text
        first = turn.clauses.at(hits[-1].start)
        sentence = turn.clauses.sentence(first.sentence)
        m = self.says["but_thinks"].search(text, hits[-1].end, sentence[-1].end)
        if (named := self._denied_object(turn, hits)) is not None:
            behind = turn.clauses.at(named[0]).end
            if self.says["deed"].search(text, named[0] - 4, behind) and not self.says["thought"].search(text, named[0], behind):
                for d in (draft, *between(turn.drafts, named[0] - 4, behind)):
                    if (d.dimension, d.polarity, d.strength) == (ask.dimension, "deny", "definite"):
                        d.weaken("restricted", self.says.rules["deed"].id, turn.index, named[0], behind)
        if m is None:
            return None
        clause = turn.clauses.at(m.end() - 1)
        affirmed = self._answer(turn, ask, clause, m.start(), m.end(), "affirm", "definite")
        affirmed.time = ask.time
        rule = self.says.rules["but_thinks"].id
        affirmed.cues.append(CueNote("polarity", "affirm", rule, turn.index, m.start(), m.end()))
        draft.weaken("restricted", rule, turn.index, m.start(), m.end())
        return affirmed

    def _denied_object(self, turn: TurnState, hits: list[Hit]) -> tuple[int, int] | None:
        """[start, end) of what a Chinese no denies by name, in its own clause or in the next one, which says the no
        again; without the words that any question could be meant by (这种情况)."""
        text = turn.canonical.text
        first = turn.clauses.at(hits[-1].start)
        following = turn.clauses[first.index + 1] if first.index + 1 < len(turn.clauses) else None
        for clause, at in ((first, hits[-1].start), (following, following.start if following else 0)):
            if clause is None or clause is following and clause.sentence > first.sentence + 1:
                continue
            m = self.says["denies"].match(text, at, clause.end)
            if m is None or m.end() >= clause.end:
                continue
            if clause is following and self.says["adding"].match(text, at, m.end()):
                return None
            end = clause.end
            if (tail := self.says["whatever"].search(text, m.end(), end)) is not None:
                end = tail.start()
            if end - m.end() > 1:
                return m.end(), end
            return None  # "没有，没有这种想法，也没有猛吃": of what was asked, and of something else beside it
        return None

    def _toward_one(self, draft: Draft, turn: TurnState, hits: list[Hit]) -> None:
        """ "Toward my nephew, no.": a denial for one person or thing denies a part only."""
        m = self.says["toward_one"].match(turn.canonical.text)
        if m is not None and m.end() <= hits[0].start + 2 and draft.polarity == "deny":
            draft.object = turn.canonical.text[m.start() : m.end()].strip(_PUNCTUATION)
            rule = self.says.rules["toward_one"].id
            draft.cues.append(CueNote("object", draft.object, rule, turn.index, m.start(), m.end()))

    def elliptic(self, turn: TurnState, found: list) -> list[Draft]:
        """ "My mother is depressed and so am I", "..., but I'm not", 我也是: the speaker says the same, or the opposite, of themselves."""
        out: list[Draft] = []
        text = turn.canonical.text
        for clause in turn.clauses[1:]:
            m = self.says["ellipsis"].match(text, clause.start, min(len(text), clause.end + 3))
            if not m or any(d.clause is clause for d in turn.drafts):
                continue
            before = [
                d
                for d in turn.drafts
                if d.clause is not None
                and (d.clause.index in (clause.index - 1, clause.index - 2) or d.clause.sentence == clause.sentence)
                and d.clause.index < clause.index
                and d.kind == "mention"
                and d.modality == "asserted"
                and clause.sentence - d.clause.sentence <= 1
                and found[d.clause.index].value == "other"
            ]
            negative = m.group("not") is not None
            last = turn.clauses[clause.index - 1]
            if self.english and negative and last.verb and not any(d.clause is last for d in turn.drafts):
                continue  # "he's up at one, and when he drops off I don't": I do not drop off
            for d in before[-1:]:
                same = d.polarity if not self._contrary(text, d, m) else ("deny" if d.polarity == "affirm" else "affirm")
                draft = Draft(
                    d.dimension,
                    d.components,
                    same,
                    d.strength,
                    turn.index,
                    m.start(),
                    m.end(),
                    turn.speaker,
                    d.rule,
                    kind="mention",
                    clause=clause,
                    sense=d.sense,
                    statement=(clause.start, clause.end),
                )
                draft.clause = turn.clauses.at(m.end() - 1)  # "and so am | i": the clause of the subject
                draft.cues.append(CueNote("components", list(d.components), d.rule, turn.index, d.start, d.end))
                draft.cues.append(
                    CueNote("polarity", same, self.says.rules["ellipsis"].id, turn.index, m.start(), m.end())
                )
                draft.cues += [note for note in d.cues if note.attribute == "ground"]
                out.append(draft)
        return out

    def _contrary(self, text: str, told: Draft, m: re.Match[str]) -> bool:
        """Whether an ellipsis says the contrary of what is told: "she can't sleep, but I can", "she sleeps, I don't"."""
        negative = m.group("not") is not None
        if not self.english or told.clause is None or m.groupdict().get("verb") is None:
            return negative
        return negative != (self.says["negative_told"].search(text, told.clause.start - 1, told.end) is not None)

    def gapped(self, turn: TurnState) -> list[Draft]:
        """ "Sleep's fine, appetite not so much", "my sleep's bad, my appetite isn't": an English clause of a topic and a
        "not", behind one that evaluates another topic, says the opposite of its own."""
        out: list[Draft] = []
        text = turn.canonical.text
        for t in turn.topics if self.english else ():
            clause = turn.clauses.at(t.start)
            m = self.says["gap"].match(text, t.end)
            if m is None or clause.index == 0 or any(d.clause is clause for d in turn.drafts):
                continue
            last = turn.clauses[clause.index - 1]
            told = [
                d
                for d in turn.drafts
                if d.clause is not None
                and d.clause.index in (last.index, last.index - 1)
                and d.dimension != t.dimension
                and (d.modality, d.strength, d.subject) == ("asserted", "definite", "participant")
                and clause.sentence - d.clause.sentence <= 1
                and (d.mention is None or "topic" in d.mention.rule or "ability" in d.mention.rule or d.mention.sense == "health")
            ]
            if not told or not self.says.words("light").issuperset(
                w for w in text[clause.start : t.start].split() if w not in (",", ".", ";")
            ):
                continue
            polarity = "affirm" if (told[-1].polarity == "deny") == (m["not"] is not None) else "deny"
            rule = self.says.rules["gap"].id
            draft = Draft(
                t.dimension, t.components, polarity, "definite", turn.index, t.start, m.end(), turn.speaker, t.rule,
                kind="mention", clause=clause, sense="symptom", statement=(clause.start, m.end()),
            )
            draft.cues.append(CueNote("components", list(t.components), t.rule, turn.index, t.start, t.end))
            draft.cues.append(CueNote("polarity", polarity, rule, turn.index, t.end, m.end()))
            out.append(draft)
        return out

    def ditto(self, turn: TurnState, before: TurnState | None, asked: TurnState | None) -> list[Draft]:
        """ "Appetite?" "Gone." "Energy?" "Likewise.": an English answer that says of one topic what the last one said of
        another. A bare "the same" does only where the question joins the topics: "And your energy?"."""
        if not self.english or before is None or asked is None or not turn.asks_before:
            return []
        text = turn.canonical.text
        m = self.says["ditto"].fullmatch(text)
        if m is None or m["bare"] and not self.says["asks_along"].match(asked.canonical.text):
            return []
        told = [d for d in before.drafts if (d.modality, d.subject) == ("asserted", "participant")]
        if not told or len({d.polarity for d in told}) > 1:
            return []
        last = told[-1]
        out = []
        for ask in self._live(turn.asks_before, []):
            if ask.subject != "participant" or ask.dimension == last.dimension and ask.components == last.components:
                continue
            draft = self._answer(turn, ask, turn.clauses[0], m.start(), m.end(), last.polarity, last.strength)
            draft.cues.append(
                CueNote("polarity", last.polarity, self.says.rules["ditto"].id, turn.index, m.start(), m.end())
            )
            draft.cues += [note for note in last.cues if note.attribute == "ground"]
            draft.time = ask.time
            out.append(draft)
        return out

    def gainsaid(self, turn: TurnState, before: TurnState | None) -> list[Draft]:
        """ "I sleep fine." "He does not.": the contrary of the participant's last statement, by an English informant who
        says no more of it than its auxiliary."""
        if not self.english or turn.speaker != "informant" or before is None or before.speaker != "participant":
            return []
        m = self.says["gainsays"].match(turn.canonical.text)
        own = [d for d in before.drafts if d.kind == "mention" and (d.modality, d.subject) == ("asserted", "participant")]
        if m is None or not own or own[-1].clause is None or own[-1].strength != "definite":
            return []
        told = own[-1]
        if any(d.dimension == told.dimension for d in turn.drafts):
            return []
        said = self.says["auxiliary_told"].search(before.canonical.text, told.clause.start - 1, told.end + 1)
        same = any(said[verb] and m[verb] for verb in ("be", "can")) if said else not (m["be"] or m["can"])
        if not same or (m["no"] is None) == (said is None or said["no"] is None):
            return []
        polarity, rule = "affirm" if told.polarity == "deny" else "deny", self.says.rules["gainsays"].id
        draft = Draft(
            told.dimension, told.components, polarity, "definite", turn.index, m.start(), m.end(), turn.speaker, told.rule,
            kind="mention", clause=turn.clauses.at(m.end() - 1), sense="symptom", statement=m.span(),
        )
        draft.cues.append(CueNote("components", list(told.components), told.rule, before.index, told.start, told.end))
        draft.cues.append(CueNote("polarity", polarity, rule, turn.index, m.start(), m.end()))
        return [draft]

    def excepted(self, turn: TurnState) -> list[Draft]:
        """ "Fine apart from falling asleep", "除了睡眠，别的都好": what is excepted from health is affirmed, by its bare
        name too; of what was denied as a whole only the rest is."""
        out: list[Draft] = []
        text = turn.canonical.text
        for m in self.says["excepting"].finditer(text):
            clause = turn.clauses.at(m.start())
            if self.says["adding"].match(text, clause.end):
                continue  # "除了睡眠挺好，胃口也挺好": beside it, not but for it
            well = [
                d
                for d in turn.drafts
                if d.polarity == "deny"
                and d.modality == "asserted"
                and turn.clauses.at(d.start).sentence == turn.clauses.at(m.end()).sentence
                and (d.end <= m.start() + 2 if self.english else d.end > clause.end)
            ]
            good = (
                any(
                    h.category in ("good", "okay", "no")
                    and turn.clauses.at(h.start).sentence == turn.clauses.at(m.end()).sentence
                    and (h.end <= m.start() + 2 if self.english else h.start >= clause.end)
                    for h in turn.hits.get("answers", ())
                )
                or self.says["rest_good"].match(text, clause.end) is not None
            )
            for d in well:
                if not self.english and "ALL" in d.components and d.object is None:
                    d.object = text[m.start() : m.end()]
                    d.cues.append(
                        CueNote("object", d.object, self.says.rules["excepting"].id, turn.index, m.start(), m.end())
                    )
            across = [  # "睡眠，别的都好" is no praise of what is excepted
                d
                for d in turn.drafts
                if not self.english
                and d.polarity == "deny"
                and m.end() <= d.start
                and d.start < clause.end <= max(d.end, clause.end)
                and self.says["except_end"].fullmatch(text, d.end, clause.end)
            ]
            for t in (*turn.topics, *across):
                if (
                    0 <= t.start - m.end() <= (6 if self.english else 3)
                    and (well or good or across)
                    and not any(d.start < t.end and t.start < d.end and d not in across for d in turn.drafts)
                ):
                    draft = Draft(
                        t.dimension,
                        t.components,
                        "affirm",
                        "definite",
                        turn.index,
                        t.start,
                        t.end,
                        turn.speaker,
                        t.rule,
                        kind="mention",
                        clause=clause,
                        sense="symptom",
                        statement=(m.start(), t.end),
                    )
                    rule = self.says.rules["excepting"].id
                    draft.cues.append(CueNote("components", list(t.components), t.rule, turn.index, t.start, t.end))
                    draft.cues.append(CueNote("polarity", "affirm", rule, turn.index, m.start(), m.end()))
                    out.append(draft)
                    turn.drafts = [d for d in turn.drafts if d not in across]
                    break
        return out

    def _same_as_theirs(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "Does your wife have trouble sleeping?" "So do I.", 我也是, "I don't.": the same, or not, of the speaker."""
        text = turn.canonical.text
        first = turn.clauses[0]
        opens = 2 if self.english and text.startswith(". ", first.start) else 0
        m = self.says["ellipsis"].match(text, first.start + opens, len(text))
        if m is None:
            return []
        out = []
        for ask in asks:
            if ask.subject != "other" and not ask.told or ask.direction == "topic":
                continue
            affirms = (ask.direction == "symptom") == (m.group("not") is None)
            draft = self._answer(turn, ask, first, m.start(), m.end(), "affirm" if affirms else "deny", "definite")
            draft.subject = "participant"
            rule = self.says.rules["ellipsis"].id
            draft.cues.append(CueNote("polarity", draft.polarity, rule, turn.index, m.start(), m.end()))
            draft.cues.append(CueNote("subject", "participant", rule, turn.index, m.start(), m.end()))
            out.append(draft)
        return out

    def _counted(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "On how many days did you feel hopeless?" "Five or six.": a count of more than none accepts the question."""
        text = turn.canonical.text
        if self.says["not_at_all"].match(text) or not (m := self.says["count"].match(text)):
            return []
        out = []
        spoken = {d.dimension for d in turn.drafts}
        for ask in self._live(asks, []):
            if ask.count and ask.direction == "symptom" and ask.dimension not in spoken:
                draft = self._answer(turn, ask, turn.clauses[0], m.start(), m.end(), "affirm", "definite")
                draft.time = ask.time
                rule = self.says.rules["count"].id
                draft.cues.append(CueNote("polarity", "affirm", rule, turn.index, m.start(), m.end()))
                self._as_weak(draft, ask, rule)
                out.append(draft)
        return out

    def _slept(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "How long do you sleep?" "Four hours." "Twelve.": few hours are sleeplessness as a whole, many are too much
        (contract, "Component borders"); an ordinary night says nothing."""
        ask = next((a for a in self._live(asks, []) if a.hours), None)
        if ask is None and self.english and self.says["only_hours"].match(turn.canonical.text):
            asked = [a for a in self._live(asks, []) if a.dimension == "sleep" and "ALL" in a.components]
            ask = next((a for a in asked if a.form == "open" or self.says["asks_how"].search(" " + a.words)), None)
        if ask is None or any(d.dimension == "sleep" and d.clause and d.clause.index <= 1 for d in turn.drafts):
            return []
        first = turn.clauses.sentence(min(1, turn.clauses[-1].sentence))  # "Too many. Twelve a night."
        for name, pattern, components in (
            ("long_hours", self.says["long_hours"], ("hypersomnia",)),
            ("small_hours", self.says["small_hours"], ("ALL",)),
        ):
            m = pattern.search(turn.canonical.text, 0, first[-1].end)
            if m is not None:
                clause = turn.clauses.at(m.start())
                draft = self._answer(turn, ask, clause, m.start(), m.end(), "affirm", "definite", components)
                draft.sense, draft.time = "symptom", ask.time
                rule = self.says.rules[name].id
                draft.cues.append(CueNote("polarity", "affirm", rule, turn.index, m.start(), m.end()))
                return [draft]
        return []

    def _takes_to_sleep(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "How long does it take you to fall asleep?" "Two hours.", "Ten minutes."."""
        ask = next((a for a in self._live(asks, []) if a.form == "how_long" and "onset" in a.components), None)
        if ask is None or ask.negated or any(d.dimension == "sleep" for d in turn.drafts):
            return []
        end = turn.clauses.sentence(0)[-1].end
        for name, pattern, polarity in (
            ("long_to_sleep", self.says["long_to_sleep"], "affirm"),
            ("soon_asleep", self.says["soon_asleep"], "deny"),
        ):
            m = pattern.search(turn.canonical.text, 0, end)
            if m is not None:
                clause = turn.clauses.at(m.start())
                draft = self._answer(turn, ask, clause, m.start(), m.end(), polarity, "definite", ("onset",))
                draft.sense, draft.time = "symptom", ask.time
                rule = self.says.rules[name].id
                draft.cues.append(CueNote("polarity", polarity, rule, turn.index, m.start(), m.end()))
                return [draft]
        return []

    def _one_by_one(self, turn: TurnState, asks: list[Ask], found: list) -> list[Draft]:
        """ "No to the first, yes to the second.", "The first, not the others.", "No and yes.": an English answer that goes
        through the things asked by their places, or in their order."""
        if not self.english:
            return []
        said, start, end = self._verdicts(turn, asks)
        drafts: list[Draft] = []
        spoken = {d.dimension for d in turn.drafts}
        for ask, verdict in said:
            if ask.dimension in spoken:
                continue
            hit = Hit("answers", verdict, None, start, end, f"{self.language}.answer.{verdict}")
            draft = self._draft(turn, ask, [hit], [ask])
            if draft is not None:
                self._time(draft, turn, ask, [hit])
                self._subject(draft, turn, ask, found, [hit])
                drafts.append(draft)
        return drafts

    def _verdicts(self, turn: TurnState, asks: list[Ask]) -> tuple[list[tuple[Ask, str]], int, int]:
        """What such an answer says of each ask, and the canonical [start, end) of the words that do."""
        text = turn.canonical.text
        parts = self._parts(asks)
        last = max(a.sentence for a in asks)
        here = [part for part in parts if any(a.sentence == last for a in part)]
        m = self.says["verdicts"].match(text)
        if m is not None:
            words = [w.group() for w in self.says["one_verdict"].finditer(text, m.start(), m.end())]
            words = ["weak_no_amount" if w == "not really" else w for w in words]
            for many in (here, parts):
                if 1 < len(words) == len(many):
                    said = [(a, w) for part, w in zip(many, words, strict=True) for a in part]
                    return said, m.start() + 2, m.end()
        if len(here) < 2:
            here = parts  # "Sleep okay? Appetite okay?" "Yes to the first."
        if len(here) < 2:
            return [], 0, 0
        said_of: dict[int, str] = {}
        start = end = 0
        while (m := self.says["at_place"].match(text, end)) is not None and m.end() > end:
            words = (m["before"] or "") + " " + (m["behind"] or "")
            verdict = "no" if self.says["says_no"].search(words) else "yes"
            for i in self._places(m["place"], len(here), said_of):
                said_of[i] = verdict
            start, end = start or m.start() + 2, m.end()
        return [(a, v) for i, v in sorted(said_of.items()) for a in here[i]], start, end

    def _by_name(self, turn: TurnState, asks: list[Ask], found: list) -> list[Draft]:
        """ "Eating, yes. Sleeping, barely.", "Just the sleep.", "All but the energy.": an English answer that goes through
        several things asked by their names, or picks one of them."""
        if not self.english:
            return []
        live = [a for part in self._parts(asks, open_too=True) for a in part]
        dims = {a.dimension for a in live}
        if len(dims) < 2:
            return []
        said, taken = self._named_verdicts(turn, dims)
        if not said:
            return []
        turn.drafts = [d for d in turn.drafts if not any(a <= d.start and d.end <= b for a, b in taken)]
        spoken = {d.dimension for d in turn.drafts}
        good = any(a.direction == "health" or self.says["asks_good"].search(" " + a.words) for a in live)
        drafts = []
        for ask in live:
            if ask.dimension not in said or ask.dimension in spoken:
                continue
            hit = said[ask.dimension]
            if hit.rule == self.says.rules["only_names"].id and ask.direction != "symptom":
                continue
            if ask.direction == "topic":
                if not good or hit.category in EVALUATIONS:
                    continue
                ask = replace(ask, direction="health", form="yes_no")
            draft = self._draft(turn, ask, [hit], [ask])
            if draft is not None and not any(
                (d.dimension, d.components, d.polarity) == (draft.dimension, draft.components, draft.polarity)
                for d in drafts
            ):
                self._time(draft, turn, ask, [hit])
                self._subject(draft, turn, ask, found, [hit])
                drafts.append(draft)
        return drafts

    def _named_verdicts(self, turn: TurnState, dims: set[str]) -> tuple[dict[str, Hit], list[tuple[int, int]]]:
        """What such an answer says of each dimension, and the places of the words that do."""
        text = turn.canonical.text
        said: dict[str, Hit] = {}
        taken: list[tuple[int, int]] = []
        topics = sorted(
            (t for t in (*turn.topics, *turn.mentions) if t.dimension in dims and t.sense != "health"),
            key=lambda t: (t.start, -t.end),
        )
        rest = list(text)
        for t in topics:
            rest[t.start : t.end] = " " * (t.end - t.start)
        if topics and self.says["only_names"].fullmatch(" ".join("".join(rest).split())) is not None:  # "The sleep and the energy."
            rule = self.says.rules["only_names"].id
            for t in topics:
                said.setdefault(t.dimension, Hit("answers", "yes", None, t.start, t.end, rule))
            return said, []
        for t in topics:
            if t.dimension in said:
                continue
            first = turn.clauses.at(t.start)
            opens = turn.clauses.sentence(first.sentence)[0].start
            found = [self.says["picks"].match(text, max(0, at - 2)) for at in (first.start, opens)]
            m = next((x for x in found if x is not None and t.start <= x.end() < t.end), None)
            lone = m is not None
            if m is not None and self.says["picked_end"].fullmatch(text, t.end, max(t.end, first.end)) and first.sentence <= 1:
                verdict = "no" if m["not"] else "yes"
                rule = self.says.rules["picks"].id
                if m["all"]:
                    opposite = Hit("answers", "yes", None, m.start() + 2, t.end, rule)
                    said |= {d: opposite for d in dims if d != t.dimension}
                    verdict = "no"
                said[t.dimension] = Hit("answers", verdict, None, t.start, t.end, rule)
                taken.append((m.start(), t.end))
                continue
            v = self.says["named_verdict"].match(text, t.end)
            head = text[first.start : t.start].split()
            if v is not None and not lone and self.says.words("light").issuperset(w for w in head if w not in ",.;"):
                verdict = "no" if v["not"] else "yes"
                said[t.dimension] = Hit("answers", verdict, None, t.start, v.end(), self.says.rules["named_verdict"].id)
                taken.append((t.start, v.end()))
        return said, taken

    @staticmethod
    def _places(named: str, many: int, said_of: dict[int, str]) -> list[int]:
        """The numbers of the things that words name by their place among `many`."""
        words = named.split()
        if words[0] in ("other", "others", "rest"):
            return [i for i in range(many) if i not in said_of]
        at = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "last": many - 1, "latter": many - 1}
        at["middle"] = many // 2
        if words[-1] == "two":
            return [0, 1] if words[0] == "first" else [many - 2, many - 1]
        return [at[words[0]]] if at[words[0]] < many else []

    @staticmethod
    def _parts(asks: list[Ask], open_too: bool = False) -> list[list[Ask]]:
        """The things asked, in order: each dimension, or each part of one. open_too: also those asked openly."""
        plain = sorted(
            (a for a in asks if open_too or a.form in ("yes_no", "statement") and a.direction != "topic"),
            key=lambda a: (a.sentence, a.mention.start),
        )
        if len({a.dimension for a in plain}) < 2:
            return [[a] for a in plain]
        parts: list[list[Ask]] = []
        for ask in plain:
            if parts and parts[-1][-1].dimension == ask.dimension:
                parts[-1].append(ask)
            else:
                parts.append([ask])
        return parts

    def _keeps_hours(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "When do you get to sleep?" "Gone three.", "What time do you wake?" "Ten past four.", "What time do you get
        up?" "Two in the afternoon.": an hour that nobody keeps who sleeps well."""
        ask = next((a for a in self._live(asks, []) if a.dimension == "sleep" and not a.negated), None)
        if not self.english or ask is None or any(d.dimension == "sleep" for d in turn.drafts):
            return []
        asked = self.says["asks_hour"].search(" " + ask.words)
        if asked is None:
            return []
        end = turn.clauses.sentence(min(1, turn.clauses[-1].sentence))[-1].end
        for name, hour, of, components in (
            ("hour_late", self.says["hour_late"], "bed", ("onset",)),
            ("hour_of_night", self.says["hour_of_night"], "wake", ("maintenance",)),
            ("hour_early", self.says["hour_early"], "wake", ("early_waking",)),
            ("hour_of_day", self.says["hour_of_day"], "wake", ("hypersomnia",)),
            ("hour_of_day", self.says["hour_of_day"], "rise", ("hypersomnia",)),
        ):
            m = hour.match(turn.canonical.text, 0, end) if asked[of] else None
            if m is not None:
                at = m.start("hour")
                draft = self._answer(turn, ask, turn.clauses.at(at), at, m.end(), "affirm", "definite", components)
                draft.sense, draft.time = "symptom", ask.time
                rule = self.says.rules[name].id
                draft.cues.append(CueNote("polarity", "affirm", rule, turn.index, at, m.end()))
                return [draft]
        return []

    def _chosen(self, turn: TurnState, asks: list[Ask]) -> list[Ask]:
        """The asks, or those that "the second one", 后者, "慢是没有" picks."""
        live = self._live(asks, [])
        ordinal = self._ordinal(turn)
        if ordinal is not None and len(live) > 1:
            return [live[int(ordinal.value)]]
        m = self.says["named_part"].match(turn.canonical.text)
        if m and self.english and any(
            h.category in ("yes", "no") and h.start <= m.start("part") < h.end for h in turn.hits.get("answers", ())
        ):
            return asks  # "free of guilt and sure of your worth?" "Sure, no doubt.": no part, but the answer
        named = [a for a in live if m and m["part"] in a.words[a.mention.start - a.at : a.mention.end - a.at]]
        return named if 0 < len(named) < len(live) else asks

    @staticmethod
    def _ordinal(turn: TurnState) -> Hit | None:
        """The words at the beginning of a turn that name one of the things asked by its place."""
        ordinal = next((h for h in turn.hits.get("answers", ()) if h.category == "ordinal"), None)
        return ordinal if ordinal is not None and ordinal.start <= 4 else None

    def _picked(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "Slower, or fidgety?" "The second one.": naming one of the things asked affirms it."""
        if len(asks) != 1 or asks[0].direction != "symptom":
            return []
        first = turn.clauses[0]
        draft = self._answer(turn, asks[0], first, first.start, first.end, "affirm", "definite")
        draft.time = asks[0].time
        return [draft]

    def _ended(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """ "Do you still feel guilty?" "It stopped on Tuesday.": what was asked was so until then."""
        stop = next((h for h in turn.times if h.stop and h.interval is not None), None)
        if stop is None:
            return []
        out = []
        spoken = {d.dimension for d in turn.drafts}
        for ask in self._live(asks, []):
            if ask.direction != "symptom" or ask.dimension in spoken:
                continue
            draft = self._answer(turn, ask, turn.clauses.at(stop.start), stop.start, stop.end, "affirm", "definite")
            draft.time, draft.timed = stop.interval, "own"
            draft.cues.append(CueNote("time", stop.interval, stop.rule, turn.index, stop.start, stop.end))
            out.append(draft)
        return out

    # which words answer ------------------------------------------------------------------------

    def _asked_back(self, turn: TurnState, asks: list[Ask]) -> int:
        """ "Do you feel guilty?" "Guilty? Me? Never.": where the English words end that ask again what was asked, and
        answer nothing. 0 where there are none."""
        end, after = 0, turn.clauses[-1].sentence
        for sentence in range(after if self.english else 0):
            clauses = turn.clauses.sentence(sentence)
            if not clauses or not clauses[-1].question:
                break
            start = clauses[0].start
            again = [d for d in turn.drafts if start <= d.start < clauses[-1].end]
            words = turn.canonical.text[start : clauses[-1].end]
            if words.count(" ") > 7 or any(d.modality != "question" for d in again):
                break
            if not any(d.dimension == a.dimension for d in again for a in asks) and (
                not end or self.says["asks_back"].fullmatch(words) is None
            ):
                break
            end = clauses[-1].end
        return end

    def _answer_hits(self, turn: TurnState, asks: list[Ask], start: int) -> list[Hit]:
        """The run of words that answer, from `start` on, with nothing between them that says anything of its own."""
        start = max(start, self._asked_back(turn, asks))
        quoted = [turn.within(*place) for place in turn.quotations]
        hits = [
            h
            for h in turn.hits.get("answers", ())
            if (h.category in ANSWERS or h.category == "pardon")
            and h.start >= start - 1
            and not any(a < h.end and h.start < b for a, b in quoted)
            # "that is not true" as a part of a retraction is no answer
            and not any(w.start <= h.start and h.end < w.end for w in turn.hits.get("withdrawal", ()))
            and not self._goes_on_retracting(turn, h)
            # "他没有": of whom an informant is asked after, and else of somebody else
            and (turn.speaker == "informant" or self.says["of_another"].match(turn.canonical.text, h.start) is None)
        ]
        text = turn.canonical.text
        if self.english and len(asks) > 1 and self.says["one_of_two"].match(text, max(0, start - 3)):
            return []  # "One's fine, the other isn't.": and which is not said
        if asks and all(a.direction == "symptom" and not a.negated for a in asks):
            hits += [
                replace(h, category="yes") for h in turn.cues("answers", "image") if not hits and h.start >= start - 1
            ]  # "Do you move more slowly?" "Like an old tortoise."
        if not hits and self.says["murmur"].fullmatch(turn.text):
            return [Hit("answers", "yes", None, 0, len(text), self.says.rules["murmur"].id)]
        out: list[Hit] = []
        position = start
        mentions = [d for d in turn.drafts if d.modality != "question"]
        if not self.english and len(mentions) < len(turn.drafts):
            for c in turn.clauses:  # "死？自杀？都没想过": what was asked, said again
                if not c.question or c.end - c.start > _ECHO:
                    break
                position = max(position, c.end + 1)
        toward = self.says["toward_one"].match(text)
        for h in hits:
            if self._opens_retraction(turn, h, bool(out) or any(d.start < h.start for d in mentions)):
                break
            if self._opens_turn(text, h, start) and (self.english or any(d.start > h.end for d in mentions)):
                continue  # "well the doctor ...", "okay that thing i said ...", "是这样的，我...": it opens the turn
            between = text[position : h.start] if h.start > position else ""
            if not out and toward is not None and toward.end() <= h.start:
                between = text[toward.end() : h.start]
            if not self._light(between, turn, position) and (
                out or not self._after_a_time(turn, h, between) and not (
                    not any(d.start < h.start for d in mentions) and self._says_again(between, asks, h)
                )
            ):
                break
            if any(d.start < h.end and h.start < d.end and d.start != h.start for d in mentions):
                break
            if self.english and self._of_statement(turn, h, mentions, asks):
                break
            if h.category in EVALUATIONS and self._says_a_part(turn, h, mentions, asks):
                break  # 入睡没有困难 is of falling asleep, and not of the sleep that was asked after
            if self._inside_other(turn, h, text):
                break
            clause = turn.clauses.at(h.start)
            if (
                clause.question
                and len(text[clause.start : h.start].split() if self.english else text[clause.start : h.start]) > 1
            ):
                break  # "could I have some water?"
            if out and clause.sentence > turn.clauses.at(out[0].start).sentence + 1:
                break
            if (
                out
                and h.category in ("yes", "no")
                and clause.sentence > turn.clauses.at(out[-1].start).sentence
                and any(position <= t.start < h.end and t.interval is not None for t in turn.times)
            ):
                break  # "In April, once. These two weeks no.": an answer of its own, for another time
            if (
                self.english
                and h.category in ("yes", "no")
                and clause.connective in ("contrast", "reason", "conditional")
                and out
            ):
                break
            out.append(h)
            position = max(position, h.end)
        return out

    def _opens_turn(self, text: str, h: Hit, start: int) -> bool:
        """Whether words that could answer only open what is said from `start` on."""
        m = self.says["opens_turn"].match(text, h.start) if h.start <= start + 5 else None
        return m is not None and m.end() == h.end

    def _says_again(self, between: str, asks: list[Ask], h: Hit) -> bool:
        """ "Thoughts of killing yourself?" "Thoughts, yes.": whether all that stands before a yes or no are words of what
        was asked about."""
        words = [w for w in between.split() if w not in ".,;" and w not in self.says.words("light")]
        asked = [a for a in asks if a.direction == "symptom" and a.form == "yes_no"]
        return (
            self.english
            and h.category in ("yes", "no")
            and len(asked) == len(asks)
            and len({a.dimension for a in asked}) == 1
            and 0 < len(words) <= 2
            and all(any(f" {w} " in f" {a.words} " for a in asked) for w in words)
        )

    @staticmethod
    def _goes_on_retracting(turn: TurnState, h: Hit) -> bool:
        """ "Don't put that down, it isn't right": words that take back and would answer alone, right behind others that
        take back."""
        back = [w for w in turn.hits.get("withdrawal", ()) if w.category == "retract"]
        return any(w.start <= h.start and h.end <= w.end for w in back) and any(
            0 <= h.start - w.end <= 12 and w.end <= h.start for w in back
        )

    def _of_statement(self, turn: TurnState, h: Hit, mentions: list[Draft], asks: list[Ask]) -> bool:
        """ "I'm very interested", "I never think of myself as worthless", "nothing wrong with my appetite": whether the word
        stands in a statement that speaks of what was asked by itself. A bare yes or no answers beside one."""
        clause = turn.clauses.at(h.start)
        text = turn.canonical.text
        if h.category in _OWN_WORD:
            return False
        noun = any(x.category == "negation_noun" and x.start == h.start for x in turn.hits.get("assertion", ()))
        if not noun and text[h.start : h.end].strip() in self.says.words("answers_alone"):
            return False  # and not the "no" of "no wish to die", "no lack of interest"
        if not noun and clause.subject_at is not None and clause.subject_at >= h.end:
            return False  # "not really i get no joy from it": the statement begins behind it
        return any(
            d.kind == "mention"
            and (h.end <= d.start or h.start == d.start and d.end > h.end + 3)
            and turn.clauses.at(d.start) is clause
            and any(a.dimension == d.dimension for a in asks)
            and not any(c in _PUNCTUATION.strip() for c in text[h.end : d.start].strip())
            and (noun or text.count(" ", h.end, d.start) <= 3)
            for d in mentions
        )

    def _opens_retraction(self, turn: TurnState, h: Hit, spoken: bool) -> bool:
        """Whether a no (English: or a yes) behind something said opens a retraction of it and answers nothing: "有，不不，撤回",
        "Like a log. No, that's a load of rubbish."."""
        if not spoken or h.category != "no" and not (self.english and h.category == "yes"):
            return False
        reach = 3 if self.english else 8
        back = [w for w in turn.hits.get("withdrawal", ()) if 0 <= w.start - h.end <= reach]
        if self.english:
            return any(w.category == "retract" for w in back) and turn.clauses.at(h.start).sentence > 0
        return bool(back)

    def _says_a_part(self, turn: TurnState, h: Hit, mentions: list[Draft], asks: list[Ask]) -> bool:
        """Whether the words that evaluate are a statement about a part of what was asked after, and not of all of it
        ("How's your mood?" "I'm happy.")."""
        if self.english and self.says["all_in_all"].search(turn.canonical.text, h.start, h.end):
            return False
        return any(
            d.start <= h.start
            and h.end <= d.end + 1
            and "ALL" not in d.components
            and any(a.dimension == d.dimension and "ALL" in a.components for a in asks)
            for d in mentions
        )

    def _after_a_time(self, turn: TurnState, h: Hit, between: str) -> bool:
        """ "开店到现在都没有": whether all that stands before an answer is a short Chinese time and what leads up to it; or
        what was done on the day that the answer is of: "前天陪孩子春游，那天没有"."""
        if self.english or any(d.start < h.start for d in turn.drafts):
            return False
        if len(between) <= 10 and any(t.end == h.start for t in turn.times):
            return True
        clause = turn.clauses.at(h.start)
        return (
            len(between) <= LONGEST_DAY
            and clause.index <= 3
            and any(t.op == "anaphor" and clause.start <= t.start <= clause.start + 2 for t in turn.times)
            and any(
                t.interval is not None and t.op not in ("now", "for", "anaphor") and t.start < clause.start
                for t in turn.times
            )
        )

    def _summing_up(self, turn: TurnState, asks: list[Ask], found: list) -> list[Hit]:
        """The words that answer after a story that says nothing of what was asked."""
        own = turn.clauses if self.english else [c for c in turn.clauses if found[c.index].value != "other"]
        spoken = {c.index for c in own}
        if any(
            d.dimension in {a.dimension for a in asks} and turn.clauses.at(d.start).index in spoken
            for d in turn.drafts
        ):
            return []  # but "我闺蜜想不开过，我自己从来没有" answers behind what it tells of somebody else
        hits = [h for h in turn.hits.get("answers", ()) if h.category in ANSWERS]
        if not self.english and any(d.dimension in {a.dimension for a in asks} for d in turn.drafts):
            hits = [h for h in hits if turn.clauses.at(h.start).index in spoken]  # not "我表弟没劲，真的"
        if any(a.form == "open" for a in asks):
            return self._evaluation_alone(turn, hits, found)
        return self._closing(turn, hits)

    def _of_self(self, turn: TurnState, asks: list[Ask], found: list) -> list[Hit]:
        """ "我室友天天说自己是废物。我嘛，没有这种想法": the Chinese words that answer behind a story of somebody else, where the
        speaker comes back to themselves."""
        if self.english:
            return []
        for clause in turn.clauses[1:]:
            m = self.says["of_self"].match(turn.canonical.text, clause.start)
            if m is None or not any(found[i].value == "other" for i in range(clause.index)):
                continue
            if hits := self._answer_hits(turn, asks, m.end()):
                return hits
        return []

    def _rated(self, turn: TurnState, asks: list[Ask]) -> list[Hit]:
        """ "How would you rate your mood?" "Three." "Nine out of ten.": an English mark, of which ten is the best, for what
        was asked after as a topic; the middle of the scale says nothing either way."""
        m = self.says["mark"].match(turn.canonical.text) if self.english else None
        if m is None or turn.drafts or any((a.form, a.direction) != ("open", "topic") for a in self._live(asks, [])):
            return []
        if m["scale"] is None and not any(self.says["rates"].search(" " + a.words) for a in asks):
            return []
        category = "bad" if m["low"] else "good" if m["high"] else "soso"
        return [Hit("answers", category, None, m.start(), m.end(), self.says.rules["mark"].id)]

    def _measured(self, turn: TurnState, asks: list[Ask]) -> list[Hit]:
        """ "Any trouble sleeping?" "Several nights.": a measure that is all of an answer says that there was some."""
        bare = turn.cues("answers", "measure")[:1]
        live = self._live(asks, [])
        text = turn.canonical.text
        if not bare or any(a.form != "yes_no" or a.hours or a.count for a in live):
            return []
        if any(a.direction != "symptom" for a in live):
            if self.says["brief"].search(text, bare[0].start, bare[0].end) is None:
                return []
            return [replace(bare[0], category="no")]  # "Are you able to concentrate?" "For about two seconds."
        rest = text[: bare[0].start] + text[bare[0].end :]
        return [replace(bare[0], category="some")] if self._light(rest, turn, 0) else []

    def _instance(self, turn: TurnState, asks: list[Ask]) -> list[Hit]:
        """ "Have you let anybody down?" "My whole crew.": who or what, of what was asked after with "any". And one thing
        of what was asked after as a whole, which speaks for itself alone: "Do you enjoy things?" "The garden, yes."."""
        live = self._live(asks, [])
        clause = turn.clauses[0] if turn.clauses else None
        one = self.says["one_of_them"].fullmatch(turn.canonical.text)
        loved = self.says["loves_it"].match(turn.canonical.text) if self.english and clause is not None else None
        if loved is not None and all((a.dimension, a.direction) == ("anhedonia", "health") for a in live):
            same = loved["what"] is None or loved["what"].split()[-1] in live[0].words.split()
            if not turn.drafts:
                category = "yes" if same else "weak_yes"  # "Do you enjoy things?" "I love my garden."
                return [Hit("answers", category, None, loved.start(), loved.end(), self.says.rules["loves_it"].id)]
        if one is not None and not turn.drafts and all(a.direction == "health" and a.form == "yes_no" for a in live):
            return [Hit("answers", "weak_yes", None, one.start(), one.end(), self.says.rules["one_of_them"].id)]
        if clause is None or clause.verb or turn.drafts or any(a.form != "yes_no" or a.negated for a in live):
            return []
        if not any(a.direction == "symptom" and self.says["asks_any"].search(" " + a.words) for a in live):
            return []
        m = self.says["instance"].match(turn.canonical.text, clause.start)
        if m is None or turn.clauses[-1].sentence != clause.sentence or m.end() < turn.clauses[-1].end - 3:
            return []
        return [Hit("answers", "yes", None, m.start(), m.end(), self.says.rules["instance"].id)]

    def _evaluation_alone(self, turn: TurnState, hits: list[Hit], found: list) -> list[Hit]:
        """ "How do you eat?" "Canteen, always the same, so-so.": an evaluation that is a clause of its own."""
        text = turn.canonical.text
        for clause in turn.clauses:
            if clause.sentence > 1:
                break
            for h in hits:
                around = text[clause.start : h.start] + text[h.end : clause.end]
                if (
                    h.category in EVALUATIONS
                    and clause.start <= h.start
                    and h.end <= clause.end + 1
                    and not self._inside_other(turn, h, text)
                    and not (self.english and self._opens_turn(text, h, 3))
                    and not self.says["particles"].sub("", around).strip(_PUNCTUATION)
                    and not (found[clause.index].value == "other" and found[clause.index].explicit)
                ):
                    return [h]
        return []

    def _closing(self, turn: TurnState, hits: list[Hit]) -> list[Hit]:
        """ "..., but no, neither of those.": a yes or no that is all of the last clauses of a longer turn."""
        text = turn.canonical.text
        if len(turn.clauses) <= 2 and not (
            self.english and (self.says["theirs"].match(text, 2) or self.says["otherwise"].search(text))
        ):
            return []
        last = turn.clauses[-1].sentence
        closing: list[Hit] = []
        for clause in turn.clauses[-1:-3:-1]:
            rest = text[clause.start : clause.end]
            here = [h for h in hits if h.category in ("yes", "no") and clause.start <= h.start < clause.end]
            for h in here:
                rest = rest.replace(text[h.start : h.end], " ")
            if not here or not self._light(rest, turn, clause.start) or clause.sentence != last:
                break
            closing = here + closing
        return closing

    def _light(self, between: str, turn: TurnState, start: int) -> bool:
        """Whether the words before an answer say nothing of their own."""
        if not between.strip(" ,.;?!:，。；？！：、"):
            return True
        end = start + len(between)
        named = (*turn.times, *turn.topics, *(d for d in turn.drafts if d.modality == "question"))
        for x in named:
            if start <= x.start and x.end <= end:
                between = between.replace(turn.canonical.text[x.start : x.end], " ")
        between = self.says["clock"].sub(" ", between)
        if self.english:
            if any(start <= t.start and t.end <= end for t in turn.times):
                between = self.says["occasion"].sub(" ", between)  # "Sunday, at the bean supper, it was good"
            words = [w for w in between.split() if w not in ",.;?!:"]
            return self.says.words("light").issuperset(words) and len(words) <= 7
        if not any(start <= d.start and d.end <= end for d in turn.drafts if d.modality == "asserted"):
            between = self.says["occasion"].sub("", between)  # "从四天前回来上班到今天，两样都没有"
        return len(self.says["light"].sub("", between)) <= 1

    def _inside_other(self, turn: TurnState, h: Hit, text: str) -> bool:
        """ "Good at cards", "a lot of work": the evaluation belongs to something else than what was asked."""
        if not self.english:
            return h.category in EVALUATIONS and self.says["other_matter"].search(text, h.start, h.end) is not None
        clause = turn.clauses.at(h.start)
        after = text[h.end : clause.end].split()
        before = text[clause.start : h.start].split()[-3:]
        if (
            h.category in EVALUATIONS
            and after
            and not self.says["negated_value"].match(text, h.start)
            and self.says.words("copula").isdisjoint(before)
            and after[0] not in self.says.words("after_value")
            and not any(
                o.start == h.end and o.category in EVALUATIONS for o in turn.hits.get("answers", ())
            )  # "normal, totally normal"
            and not any(t.start >= h.start and t.end <= clause.end for t in turn.topics)
        ):
            return True
        if h.category == "some" and self.says["degree_of"].match(text, h.start):
            return True  # "I'm a bit run down"
        return (
            h.category in ("much", "some")
            and not self.says.words("amount_of_other").isdisjoint(after[:1])
            and self.says.words("plural_pronoun").isdisjoint(after[1:2])  # "both of them have been fine"
            and not self.says["degree"].search(text[h.start : h.end])
        )

    def _live(self, asks: list[Ask], hits: list[Hit]) -> list[Ask]:
        """The asks that the words answer: of the last asking sentence, and those before it that go with it."""
        last = max(a.sentence for a in asks)
        live = [a for a in asks if a.sentence == last]
        dims = {a.dimension for a in live}
        kinds = {h.category for h in hits}
        evaluated = kinds & set(EVALUATIONS)
        directions = {a.direction for a in live}
        forms = {live[0].form}
        if forms == {"statement"} and live[0].words.lstrip(" .,").startswith("or "):
            forms.add("yes_no")  # "Moving more slowly? Or the opposite, so restless?"
        for a in asks:
            alike = a.form in forms and a.direction in directions
            if a.sentence < last and a.dimension in dims and (alike or evaluated):
                if not any(o.components == a.components and o.direction == a.direction for o in live):
                    live.append(a)
        if not evaluated and len({a.direction for a in live}) > 1:
            # "坐得住不，有没有走来走去？" "没有。": a yes or no is of the last of two ways to ask the same
            live = [
                a
                for a in live
                if not any(
                    (o.dimension, o.components) == (a.dimension, a.components)
                    and o.direction != a.direction
                    and o.mention.start > a.mention.start
                    for o in live
                )
            ]
        return live

    # what they say ------------------------------------------------------------------------------

    def _draft(self, turn: TurnState, ask: Ask, hits: list[Hit], live: list[Ask]) -> Draft | None:
        verdict = self._verdict(ask, hits, turn)
        if verdict is None:
            return None
        polarity, ground, hit = verdict
        if (ask.announced or ask.form == "statement") and self.says["takes_note"].fullmatch(
            turn.canonical.text, hits[0].start, hits[-1].end
        ):
            return None  # "Let's come to your sleep." "Okay."
        if self.english and polarity == "deny" and self.says["first_time"].search(" " + ask.words):
            return None  # "Was that the first time you felt so low?" "No."
        strength = "indicator" if ground else "definite"
        grounds = [ground] if ground else []
        if (
            hit.category in EVALUATIONS
            and ask.form != "open"
            and any(a.form == "open" and (a.dimension == ask.dimension or ask.direction != "health") for a in live)
            and not (  # "入睡、早醒方面呢？" "都正常，三样都没毛病"
                not self.english
                and hit.category == "good"
                and self.says["both"].search(turn.canonical.text, hits[0].start, hits[-1].end)
            )
        ):
            return None  # "how is your mood, do you cry?" "bad": the mood is
        if not self.english and hit.category in ("good", "okay", "bad"):
            held = {d.dimension for d in turn.drafts if d.kind == "mention" and d.start < hit.end and hit.start < d.end}
            if held and ask.dimension not in held:
                return None  # "吃饭睡觉呢？" "吃饭没问题，睡觉不行": what is good is the eating
        if ask.weak and ask.mention.sense == "proxy" and polarity == "deny":
            return None
        if ask.weak:
            grounds.append(GROUND_OF.get(ask.mention.sense, "near"))
        if polarity == "deny" and (ask.restricted or self._at_times(turn, hit)):
            grounds.append("restricted")
        if ask.cause and polarity == "deny":
            grounds.append("cause")
        if ask.change and polarity == "affirm":
            grounds.append("change")
        if grounds:
            strength = "indicator"
        elif ask.ever and polarity == "affirm":
            strength = "ever"
        components = ask.components
        if polarity == "deny" and ask.mention.if_negated:
            components = ask.mention.if_negated
        if polarity == "deny" and ask.change:
            components = ("ALL",)
        named = [a for a in live if a.dimension == ask.dimension]
        if (
            polarity == "affirm"
            and strength == "definite"
            and len(named) > 1
            and not any(h.category in EVALUATIONS for h in hits)
            and not self.says["both"].search(turn.canonical.text)
        ):
            merged = tuple(dict.fromkeys(c for a in named for c in a.components))
            components = ("ALL",) if "ALL" in merged else merged
        if polarity == "affirm" and hit.category == "much" and ask.direction != "symptom":
            components = _TOO_MUCH.get(ask.dimension, components)
        a, b = hits[0].start, hits[-1].end
        if (
            ask.mention.sense == "wellbeing"
            and hit.category == "bad"
            and self.says["low_mood"].search(turn.canonical.text[hit.start : hit.end])
        ):
            components, strength, grounds = ("low_mood",), "definite", []  # said of how one feels, "low" is a mood
        clause = turn.clauses.at(hit.start)
        draft = self._answer(turn, ask, clause, a, b, polarity, strength, components)
        draft.statement = (min(a, clause.start), max(b, clause.end))
        draft.cues.append(CueNote("polarity", polarity, hit.rule, turn.index, hit.start, hit.end))
        draft.cues.append(
            CueNote(
                "strength", "indicator" if strength == "ever" else strength, hit.rule, turn.index, hit.start, hit.end
            )
        )
        for ground in grounds:
            draft.because(ground, hit.rule, turn.index, hit.start, hit.end)
        if (
            ask.greeting
            and all(h.category in ("good", "okay", "soso", "yes") for h in hits)
            and not self.says["feeling_or_lately"].search(turn.canonical.text)
        ):
            draft.modality = "greeting"
        return draft

    def _at_times(self, turn: TurnState, hit: Hit) -> bool:
        """ "Good till noon.", "Fine in the mornings.": an English evaluation that holds for a part of the day, or under a
        condition, only."""
        return (
            self.english
            and hit.category in ("good", "okay")
            and self.says["at_times"].match(turn.canonical.text, hit.end) is not None
        )

    @staticmethod
    def _answer(
        turn: TurnState,
        ask: Ask,
        clause: Clause,
        start: int,
        end: int,
        polarity: str,
        strength: str,
        components: tuple[str, ...] | None = None,
        named: Mention | None = None,
    ) -> Draft:
        """The draft of an answer: what it says is the question's, or the part of it that the answer names."""
        said = ask.components if components is None else components
        where, rule, at = (ask.mention, ask.rule, ask.turn) if named is None else (named, named.rule, turn.index)
        draft = Draft(
            ask.dimension,
            said,
            polarity,
            strength,
            turn.index,
            start,
            end,
            turn.speaker,
            rule,
            asked=ask.turn,
            ask=ask,
            kind="answer",
            clause=clause,
            sense=ask.direction,
            statement=(clause.start, clause.end),
            subject=ask.subject,
        )
        draft.cues.append(CueNote("components", list(said), rule, at, where.start, where.end))
        return draft

    def agreed(self, turn: TurnState, ask: Ask, clause: Clause, polarity: str, rule: str, end: int) -> Draft:
        """The draft of words up to `end` that agree with one thing asked."""
        draft = self._answer(turn, ask, clause, clause.start, end, polarity, "definite")
        draft.time = ask.time
        draft.cues.append(CueNote("polarity", polarity, rule, turn.index, clause.start, end))
        self._as_weak(draft, ask, rule)
        return draft

    def _verdict(self, ask: Ask, hits: list[Hit], turn: TurnState) -> tuple[str, str | None, Hit] | None:
        """(polarity, why it is an indicator or None, deciding cue)."""
        kinds = [h.category for h in hits]
        by = {}
        for h in hits:
            by.setdefault(h.category, h)
        health = ask.direction == "health"
        open_ = ask.form == "open" or ask.direction == "topic"
        if "yes" in by and by["yes"].rule.endswith("not_few") and "少" in ask.words:
            return "deny" if ask.direction == "symptom" else "affirm", None, by["yes"]  # 兴趣少了没？没少
        if (alone := self._intermittent(turn, hits)) is not None:
            if ask.direction == "symptom" and not open_:
                return "affirm", None, alone
            return "affirm", "no_direction", alone
        hedges = [
            h
            for h in turn.hits.get("assertion", ())
            if h.category == "hedge"
            and h.start <= hits[-1].end + 12
            and turn.clauses.at(h.start).sentence == turn.clauses.at(hits[0].start).sentence
        ]
        if not self.english:  # 大概不太好: not well, perhaps
            hedges += [
                h
                for h in turn.hits.get("assertion", ())
                if h.category == "weak_negation"
                and any(x.category == "bad" and x.start <= h.start < x.end for x in hits)
                and self.says["guesses"].match(turn.canonical.text, h.start, h.end)
            ]
        doubted = not self.english and any(
            h.category == "doubt" and hits[0].start <= h.start <= hits[-1].end + 3
            for h in turn.hits.get("assertion", ())
        )

        def out(polarity: str, ground: str | None, hit: Hit) -> tuple[str, str | None, Hit]:
            if ground is None and hedges:
                listed = [h for h in hedges if self._doubt(turn, h) == "hedge"]
                ground = "hedge" if listed else "doubt"
            elif ground is None and doubted and polarity == "deny":
                ground = "doubt"
            return polarity, ground, hit

        if "none" in kinds:
            h = by["none"]
            if open_ and ask.mention.sense != "wellbeing":
                return out("affirm", None, h)
            hits = [
                Hit(x.component, "no", x.value, x.start, x.end, x.rule) if x.category == "none" else x for x in hits
            ]
            kinds = [x.category for x in hits]
        if open_ and self.english and "much" in by and self.says["stock_asked"].search(" " + ask.words):
            h = by["much"]
            if self.says["stock_had"].match(turn.canonical.text, h.start):
                return out("deny", None, h)  # "how's your energy?" "bags of it"
        evaluation = next((h for h in hits if h.category in EVALUATIONS), None)
        direct = next((h for h in hits if h.category not in EVALUATIONS), None)
        if (
            evaluation is not None
            and ask.direction == "symptom"
            and (own := self.says["easily"].match(turn.canonical.text, evaluation.start)) is not None
            and self.says["easily"].search(ask.words) is not None
        ):
            return out("deny" if own["not"] else "affirm", None, evaluation)  # "容易醒吗？" "容易。"
        if evaluation is not None and (
            open_
            or direct is None
            or evaluation.category in ("bad", "good")
            and direct.category in ("much", "some")
            or evaluation.category == "better"
            and direct.start > evaluation.start  # "a bit better than it was"
            or health
            and evaluation.category == "okay"
            and direct.category == "yes"
        ):
            said: tuple[str, str | None] = {
                "good": ("deny", None),
                "okay": ("deny", "passable"),
                "soso": ("affirm", "no_direction"),
                "better": ("affirm", "change"),
                "bad": ("affirm", None),
            }[evaluation.category]
            return out(*said, evaluation)
        if open_ and ask.form != "how_long":
            if "unknown" in kinds:
                return "affirm", "no_direction", by["unknown"]
            if ask.mention.sense == "wellbeing":
                return None
            if evaluation is None:
                # "how about your appetite?" "no appetite" speaks for itself; a bare "not much" is little of it
                if (
                    self.english
                    and ask.dimension in _TOO_MUCH
                    and direct is not None
                    and direct.category == "much"
                    and self.says["excess"].match(turn.canonical.text, direct.start)
                ):
                    return "affirm", None, direct  # "eating?" "too much, if anything"
                hedge = by.get("weak_yes") or by.get("weak_no_doubt")
                if hedge is not None:
                    return "affirm", "no_direction", hedge
                if (
                    direct is not None
                    and direct.category == "weak_no_amount"
                    and self.says["passable"].match(turn.canonical.text[direct.start : direct.end])
                ):
                    return "deny", "passable", direct
                if (
                    direct is not None
                    and direct.category in ("weak_no_amount",)
                    and self.english
                    and ask.mention.sense == "topic"
                ):
                    return out("affirm", "no_direction", direct)
                return None
        if "unknown" in kinds and not {"yes", "no"} & set(kinds):
            return "affirm", "no_direction", by["unknown"]
        # the last of a run decides: "yeah no", "no yeah"; but a weak answer after a plain one weakens it
        order = [k for k in kinds if k in ("yes", "no", "weak_yes", "weak_no_amount", "weak_no_doubt", "some", "much")]
        if not order:
            return None
        if self.english:
            # "you don't have trouble, do you?" "no, I do": the verb says which, of what was asked without its "not"
            for h in hits:
                if h.category in ("yes", "no") and (
                    echo := self.says["auxiliary"].fullmatch(turn.canonical.text, h.start, h.end)
                ):
                    verb = "(?:am|are|is|was|were)" if echo["verb"] in self.says.words("be") else echo["verb"]
                    stated = re.search(f" you (?:still |really |just )?{verb} not ", " " + ask.words)
                    if stated and not self.says["asks_you"].search(" " + ask.words, 0, stated.start() + 1):
                        return out("affirm" if (h.category == "yes") == health else "deny", None, h)
        key = order[0]
        at_once = len(hits) > 1 and (
            turn.clauses.at(hits[0].start).sentence == turn.clauses.at(hits[1].start).sentence
        )  # "yeah no", and not "Neither. Same as ever."
        if order[:3] == ["yes", "no", "yes"] and self.english and at_once:
            pass  # "yeah, no, I am"
        elif key == "yes" and "no" in order[1:2] and hits[0].category == "yes" and self.english and at_once:
            key = "no"
        elif key == "no" and "yes" in order[1:2] and self.english and at_once:
            key = "yes"
        for k in order[1:]:
            if (
                k in ("weak_no_amount", "weak_no_doubt")
                and key in ("no", "yes", "some", "much")
                or k == "weak_yes"
                and key == "yes"
            ):
                key = k
        hit = next(h for h in hits if h.category == key)
        agree_negative = ask.negated  # "you don't feel low?" "no": confirms
        if not self.english and self.says["not_so"].match(turn.canonical.text, hit.start):
            agree_negative = False  # "也不累，是这样吗？" "不是。"
        if key in ("yes", "much"):
            if (
                agree_negative
                and key == "yes"
                and self.says["says_again"].match(turn.canonical.text[hit.start : hit.end])
            ):
                return out("affirm" if health else "deny", None, hit)
            if key == "much" and self.says["excess"].match(turn.canonical.text[hit.start : hit.end]):
                health = False  # "How have you been eating?" "Too much."
            return out("deny" if health else "affirm", None, hit)
        if key == "some":
            return out("deny", "weak", hit) if health else out("affirm", None, hit)
        if key == "no":
            if agree_negative:
                return out("deny" if health else "affirm", None, hit)
            return out("affirm" if health else "deny", None, hit)
        if key == "weak_yes":
            return ("deny" if health else "affirm"), self._doubt(turn, hit), hit
        if key == "weak_no_amount":
            if agree_negative:
                return ("deny" if health else "affirm"), "weak", hit
            return out("affirm", None, hit) if health else ("deny", "weak", hit)
        if agree_negative:
            return ("deny" if health else "affirm"), self._doubt(turn, hit), hit
        return ("affirm" if health else "deny"), self._doubt(turn, hit), hit

    def _doubt(self, turn: TurnState, h: Hit) -> str:
        """The ground of words of doubt: whether they are of the contract's own list."""
        return "hedge" if self.listed_hedge.search(turn.canonical.text, h.start, h.end) else "doubt"

    def _intermittent(self, turn: TurnState, hits: list[Hit]) -> Hit | None:
        """ "It comes and goes.", "On and off.": the one thing that an answer says."""
        said = [h for h in hits if h.category in ("soso", "some")]
        if len(said) != len(hits) or not said:
            return None
        return next((h for h in said if self.says["intermittent"].search(turn.canonical.text, h.start, h.end)), None)

    def _named_part(self, turn: TurnState, ask: Ask, hits: list[Hit]) -> tuple[str, ...] | None:
        """The part that the answer repeats: "Falling or staying asleep?" "Staying asleep, yes."."""
        end = hits[-1].end
        for t in turn.topics:
            if (
                t.dimension == ask.dimension
                and t.components != ask.components
                and "ALL" not in t.components
                and turn.clauses.at(t.start).subject_at
                is None  # "too much, I finish my plate" says something of its own
                and abs(t.start - end) <= (20 if self.english else 6)
            ):
                clause = turn.clauses.at(t.start)
                if clause.sentence != turn.clauses.at(hits[0].start).sentence or clause.verb:
                    continue
                if not self.english and self._says_more(turn, clause, t, hits):
                    continue  # "这两样都没有，体重一直是一百二十": a sentence of its own
                return t.components
        return None

    @staticmethod
    def _says_more(turn: TurnState, clause: Clause, t: Mention, hits: list[Hit]) -> bool:
        """Whether a Chinese clause holds more than the part that it names and the answer."""
        rest = clause.end - clause.start - (t.end - t.start)
        return rest - sum(h.end - h.start for h in hits if clause.start <= h.start < clause.end) > 4

    def _other_part_repeated(self, turn: TurnState, ask: Ask, draft: Draft, hits: list[Hit], live: list[Ask]) -> bool:
        """ "Moving slower, or restless?" "No, I'm not slower.": an answer that repeats one part answers that part only
        (contract, "Either-or and double questions")."""
        asks = [a for a in live if a.dimension == ask.dimension and a.direction == "symptom"]
        own = [
            d
            for d in turn.drafts
            if d.kind == "mention"
            and d.dimension == ask.dimension
            and (d.modality, d.polarity) == ("asserted", "deny")
            and d.start >= hits[-1].end
        ]
        if draft.polarity != "deny" or not own or "ALL" in ask.components:
            return False
        between = turn.canonical.text[hits[0].end : own[0].start]
        if len(between) > (12 if self.english else 4) or re.search("[.?!。？！]", between):
            return False
        if not self.english and self.says["as_well"].search(between + turn.canonical.text[own[0].end : own[0].end + 2]):
            return False  # "没有这种想法，愧疚也没有": denied beside the rest
        said = {c for d in own for c in d.components}
        if "ALL" in said or said & set(ask.components):
            return False
        words = set(turn.canonical.text[own[0].start : own[0].end].split())
        return any(
            set(a.components) <= said
            and (
                words & set(a.words.split()) - self.says.words("light")
                if self.english
                else turn.canonical.text[own[0].start : own[0].end] in a.words
            )
            for a in asks
        )

    def _own_speaks(self, turn: TurnState, ask: Ask, draft: Draft, hits: list[Hit], found: list) -> bool:
        """ "No, I just wake at four": where the speaker goes on to affirm one thing, a bare no is taken back by it;
        "Yes, I fall asleep fine" and the like speak for themselves."""
        sentence = turn.clauses.at(hits[0].start).sentence
        for d in turn.drafts:
            if d.dimension != ask.dimension or d.kind != "mention" or d.modality != "asserted":
                continue
            near = turn.clauses.at(d.start)
            if near.sentence > sentence + 1:
                continue
            subject = found[near.index] if near.index < len(found) else None
            if (
                subject is not None
                and subject.explicit
                and subject.value == "other"
                and hits[-1].end <= subject.start < d.start
            ):
                continue  # "没有，我妈倒是天天失眠": of somebody else
            if not self.english and subject is not None and subject.value == "other" and d.end <= hits[0].start:
                continue  # "我室友老说自己是废物，我嘛，没有": told of somebody else before
            if not self.english and self._words_of(d, draft, hits):
                return True  # the words that answer are those of a statement, of its own part and time
            text = turn.canonical.text[hits[-1].end : d.start]
            if (
                not self.english
                and draft.polarity == "deny"
                and (d.polarity, d.strength) == ("affirm", "definite")
                and ask.direction == "health"
                and hits[0].category == "yes"
                and near.sentence == sentence
                and hits[-1].end <= d.start
            ):
                return True  # "睡得踏实吗？" "是的，我最近一直睡不好": the yes only opens the turn
            if (
                draft.polarity == "deny"
                and d.polarity == "affirm"
                and d.strength == "definite"
                and draft.strength == "definite"
            ):
                # "no, but / just / except": the exception stands alone
                return (
                    self.says["exception"].search(" " + text) is not None
                    or hits[0].category == "no"
                    and near.sentence == sentence
                    and d.mention is not None
                    and d.mention.sense == "symptom"
                    and "ALL" not in d.components
                    and ask.direction == "symptom"
                )
            if (
                draft.polarity == "affirm"
                and d.polarity == "deny"
                and near.sentence == sentence
                and ask.direction == "health"
                and hits[0].category == "no"
            ):
                return False
            if (
                draft.polarity == "affirm"
                and d.polarity == "deny"
                and near.sentence == sentence
                and hits[0].category in ("yes", "much", "some")
                and ask.direction == "symptom"
                and not self.says["contrast"].search(text)
                and d.strength == "definite"
            ):
                return True
        return False

    @staticmethod
    def _words_of(said: Draft, answer: Draft, hits: list[Hit]) -> bool:
        """Whether the Chinese words that answer are a part of a statement (没想过自杀), and not only of the same matter as
        one that they introduce (有一些消极的念头)."""
        if hits[0].category in ("yes", "some", "much"):
            same = (said.polarity, said.components) == (answer.polarity, answer.components)
            return same and said.start <= hits[0].start and hits[-1].end <= said.end + 1
        return said.start <= hits[0].end and hits[0].start < said.end

    def _hedged(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """An answer in words that no rule knows, but with a hedge: it bears on what was asked and settles nothing."""
        first = turn.clauses[0]
        hedges = [
            h
            for h in turn.hits.get("assertion", ())
            if h.category == "hedge"
            and turn.clauses.at(h.start).index <= 1
            and turn.clauses.at(h.start).sentence == first.sentence
        ]
        if not hedges or any(d.clause is not None and d.clause.index <= 1 for d in turn.drafts):
            return []
        out = []
        h = hedges[0]
        for ask in self._live(asks, []):
            if (
                ask.form == "how_long"
                or ask.mention.sense == "wellbeing"
                or any(d.dimension == ask.dimension for d in turn.drafts)
            ):
                continue
            draft = self._answer(turn, ask, first, first.start, first.end, "affirm", "indicator")
            draft.time = ask.time
            draft.weaken("no_direction", h.rule, turn.index, h.start, h.end)
            out.append(draft)
        return out

    def _bare_echo(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """A fragment that only names a part of what was asked: "Trouble falling or staying asleep?" "Staying asleep."."""
        live = self._live(asks, [])
        symptom = [
            a
            for a in live
            if a.direction == "symptom" or len(live) > 1 and a.direction == "topic" and "ALL" not in a.components
        ]
        if not symptom:
            return []
        first = turn.clauses[0]
        content = turn.canonical.text[first.start : first.end]
        if not self.english and turn.clauses.sentence(first.sentence)[-1] is not first:
            return []  # "力气么，怕是不如从前了": it only leads up to what is said of it
        if first.verb or (len(content.split()) > 6 if self.english else len(content) > 8):
            return []
        if any(h.category == "named" and first.start <= h.start < first.end for h in turn.hits.get("assertion", ())):
            return []  # "My words about my energy and tiredness, I withdraw them"
        for t in turn.topics:
            if (
                "ALL" not in t.components
                and first.start <= t.start < first.end
                and not any(d.start <= t.start < d.end for d in turn.drafts)
                # 动作不迟缓 says something of its own of what it names
                and not any(d.dimension == t.dimension and first.start <= d.start < first.end for d in turn.drafts)
            ):
                for ask in symptom:
                    if ask.dimension == t.dimension:
                        draft = self._answer(
                            turn, ask, first, t.start, t.end, "affirm", "definite", t.components, named=t
                        )
                        draft.sense, draft.time = "symptom", ask.time
                        draft.cues.append(
                            CueNote("polarity", "affirm", f"{self.language}.answer.echo", turn.index, t.start, t.end)
                        )
                        return [draft]
        return []

    def _denied_echo(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """The question's own predicate, negated: 入睡困难吗？不困难。"""
        first = turn.clauses[0]
        m = self.says["denied_echo"].fullmatch(turn.canonical.text, first.start, first.end)
        m = m or self.says["cannot_echo"].fullmatch(turn.canonical.text, first.start, first.end)
        if m is None:
            return []
        out: list[Draft] = []
        for ask in self._live(asks, []):
            if (
                ask.direction == "topic"
                or ask.form not in ("yes_no", "statement")
                or m["word"] not in ask.words
                or turn.canonical.text[m.start() : m.end()].strip("。，了啊的") in _A_NOT_A.sub(r"\1", ask.words)
            ):
                continue
            strength = "indicator" if m["weak"] or ask.weak else "definite"
            polarity = "deny" if ask.direction == "symptom" else "affirm"  # 活着值得吗？不值得
            at = ask.words.find(m["word"])
            lack = self.says["lack_asked"].search(ask.words, 0, at)
            if lack and not (lack.start() and lack.end() == at and ask.words[lack.start() - 1] == ask.words[at]):
                # and not the 不 of 难不难受
                if not ask.mention.start <= ask.at + at < ask.mention.end:
                    continue
                if ask.mention.start <= ask.at + lack.start():
                    # 是没力气，还是没那个心思？没心思: what is asked holds the negation, so that this is its echo
                    polarity = "affirm" if polarity == "deny" else "deny"
            if any(
                d.dimension == ask.dimension and (d.polarity != polarity or turn.clauses.at(d.start) is first)
                for d in turn.drafts
                if d.kind == "mention" and d.modality != "question"
            ):
                continue  # "没减少，样样津津有味" goes on to say the same; anything else speaks for itself
            draft = self._answer(turn, ask, first, m.start(), m.end(), polarity, strength)
            draft.time = ask.time
            draft.cues.append(
                CueNote("polarity", polarity, self.says.rules["denied_echo"].id, turn.index, m.start(), m.end())
            )
            grounds = ["weak"] if m["weak"] else []
            if ask.weak:
                grounds.append(GROUND_OF.get(ask.mention.sense, "near"))
            for ground in grounds:
                draft.because(ground, self.says.rules["denied_echo"].id, turn.index, m.start(), m.end())
            out.append(draft)
            if self.says["both"].search(turn.canonical.text, m.start(), m.end()):
                continue  # 哪样都没有变
            behind = [a.mention.start - ask.mention.end for a in asks if a.mention.start >= ask.mention.end]
            if not behind or min(behind) > 2:
                break  # "坐不住，或者变慢？" "没变慢。"; and not "兴趣和乐趣减少了吗？" "没减少。"
        return out

    def _echo(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """The question's own predicate, as it is: 注意力跟得上吗？跟得上。"""
        first = turn.clauses[0]
        if self.english:
            return self._echoed_verb(turn, asks, first)
        if first.question and any(d.modality == "question" for d in turn.drafts):
            # "琢磨过自杀没有？" "自杀？琢磨过。": what was asked, said again, and then answered
            first = next((c for c in turn.clauses if not c.question), first)
        own, there = turn.canonical.text[first.start : first.end], None
        if (there := self.says["is_there"].fullmatch(own)) is not None:
            own = there["what"]  # "觉得自己没用吗？" "没用那种感觉有的。"
        own = own[:1] + own[1:].rstrip("的了啊呀呢嘛哦")
        if not 1 <= len(own) <= 5 or not there and self.says["no_echo"].search(own):
            return []
        spoken = {d.dimension for d in turn.drafts if d.modality != "question"}
        live = self._live(asks, [])
        if len(live) > 1:  # of two parts, the one that is said again
            live = [a for a in live if own in a.words[a.mention.start - a.at : a.mention.end - a.at]] or live
        for ask in live:
            if (
                own not in ask.words
                or len(own) == 1
                and own not in self.says.words("echo_one")
                and f"{own}不{own}" not in ask.words  # "走不走神？" "走。"
                or ask.form not in ("yes_no", "statement")
                or ask.direction == "topic"
                or ask.dimension in spoken
            ):
                continue
            polarity = "deny" if ask.direction == "health" else "affirm"
            draft = self._answer(turn, ask, first, first.start, first.end, polarity, "definite")
            draft.time = ask.time
            rule = f"{self.language}.answer.echo"
            draft.cues.append(CueNote("polarity", polarity, rule, turn.index, first.start, first.end))
            self._as_weak(draft, ask, rule)
            return [draft]
        return []

    def _echoed_verb(self, turn: TurnState, asks: list[Ask], first: Clause) -> list[Draft]:
        """ "Does your mind drift?" "It drifts.": an English clause that says no more than the verb of the question."""
        m = self.says["echoed_verb"].fullmatch(turn.canonical.text, first.start, first.end)
        if m is None or any(d.modality != "question" and d.start < first.end for d in turn.drafts):
            return []
        for ask in self._live(asks, []):
            words = ask.words[ask.mention.start - ask.at : ask.mention.end - ask.at].split()
            if ask.direction != "symptom" or ask.form not in ("yes_no", "statement") or not words:
                continue
            # of "struggle to sleep" the first word is the verb, of "mind drift" the last
            verb = words[0] if len(words) > 1 and not self.says.words("no_verb_echo").isdisjoint(words) else words[-1]
            if stem(m["word"]) != stem(verb):
                continue
            polarity = "deny" if m["no"] else "affirm"
            draft = self._answer(turn, ask, first, m.start(), m.end(), polarity, "definite")
            draft.time = ask.time
            rule = self.says.rules["echoed_verb"].id
            draft.cues.append(CueNote("polarity", polarity, rule, turn.index, m.start(), m.end()))
            self._as_weak(draft, ask, rule)
            return [draft]
        return []

    def _how_long(self, turn: TurnState, asks: list[Ask]) -> list[Draft]:
        """A date or a measure accepts what the question takes for granted (contract, "Accepting the question")."""
        out = []
        for ask in self._live(asks, []):
            if ask.form == "how_long" and not self.english and ask.components == ("onset",) and ask.direction == "health":
                out += self._waits(turn, ask)
            if (
                ask.form != "how_long"
                or ask.direction == "health"
                and not ask.negated
                and ask.mention.sense != "health"
            ):
                continue
            measures = [h for h in turn.times if h.op not in ("now", "ever", "anaphor") and h.interval is not None]
            bare = turn.cues("answers", "measure")
            if not measures and bare and ask.direction == "symptom":
                h = bare[0]
                measures = [TimeHit(h.start, h.end, "for", Interval(None, None, True), h.rule)]
            if not measures or ask.direction != "symptom":
                continue
            h = measures[0]
            interval = h.interval
            if h.op in (
                "ago",
                "remote",
                "interval",
                "last_week",
                "weekday",
                "date",
                "month",
                "holiday",
                "ago_over",
            ) and not self.says["stopped"].search(" " + turn.canonical.text):
                # when it began: from then on
                interval = (
                    on_both(h.interval, lambda time: Interval(time.from_, 0, True))
                    if h.interval.from_ is not None
                    else Interval(None, None, True)
                )
            draft = self._answer(turn, ask, turn.clauses.at(h.start), h.start, h.end, "affirm", "definite")
            draft.time, draft.timed = interval, "own"
            draft.cues.append(
                CueNote("polarity", "affirm", f"{self.language}.answer.accepts", turn.index, h.start, h.end)
            )
            draft.cues.append(CueNote("time", interval, h.rule, turn.index, h.start, h.end))
            self._as_weak(draft, ask, h.rule)
            out.append(draft)
        return out

    @staticmethod
    def _as_weak(draft: Draft, ask: Ask, rule: str) -> None:
        """ "安眠药吃多久了？" "两个月。": what affirms a proxy, or anything else that is weak, is an indicator too."""
        if ask.weak and draft.strength == "definite":
            draft.weaken(GROUND_OF.get(ask.mention.sense, "near"), rule, draft.turn, draft.start, draft.end)

    def _waits(self, turn: TurnState, ask: Ask) -> list[Draft]:
        """ "躺下多久能睡着？" "俩小时。": how long it takes to fall asleep says whether it is hard; half an hour says neither."""
        first = turn.clauses[0]
        text = turn.canonical.text
        long = self.says["waits_long"].match(text, first.start)
        short = self.says["waits_short"].match(text, first.start)
        if not (m := long or short) or any(d.dimension == ask.dimension for d in turn.drafts):
            return []
        polarity, rule = ("affirm", "waits_long") if long else ("deny", "waits_short")
        draft = self._answer(turn, ask, first, m.start(), m.end(), polarity, "definite")
        draft.time = ask.time
        draft.cues.append(CueNote("polarity", polarity, self.says.rules[rule].id, turn.index, m.start(), m.end()))
        return [draft]

    # time and subject ---------------------------------------------------------------------------

    def _time(self, draft: Draft, turn: TurnState, ask: Ask, hits: list[Hit]) -> None:
        """The time of an answer: its own, or that of what the speaker goes on to say, or the question's."""
        sentence = turn.clauses.at(hits[0].start).sentence
        busy = [turn.clauses.at(d.start).index for d in turn.drafts if d.kind == "mention"]
        spoken = range(turn.clauses.at(hits[0].start).index, turn.clauses.at(hits[-1].start).index + 1)
        own = None
        ended = any(self._says_no_more(turn, h) for h in hits)
        for h in turn.times:
            if h.interval is None or h.op in ("ever",):
                continue
            clause = turn.clauses.at(h.start)
            if h.op == "remote" and clause.tense != "past" and self.says["before"].match(turn.canonical.text, h.start):
                continue  # "I'm gone before my head hits the pillow"
            if ended and draft.polarity == "deny" and h.op == "remote":
                continue  # "I used to, not any more": the denial is of now
            if h.op == "now" and clause.index > turn.clauses.at(hits[-1].start).index:
                continue
            if (
                clause.sentence > sentence + 1
                or clause.index in busy
                and clause.index != turn.clauses.at(hits[0].start).index
            ):
                continue
            if clause.sentence == sentence + 1 and (draft.polarity == "deny" or not self._speaks_on(turn, clause)):
                continue
            if (
                clause.sentence == sentence
                and clause.index > turn.clauses.at(hits[-1].start).index
                and not self._speaks_on(turn, clause)
            ):
                continue
            if own is None or clause.index in spoken and turn.clauses.at(own.start).index not in spoken:
                own = h
        if own is not None:
            interval = own.interval
            if draft.polarity == "affirm" and own.op == "for":
                interval = Interval(own.interval.from_, 0, True)
            if own.stop and draft.polarity == "deny" and draft.strength == "definite" and ask.direction == "symptom":
                draft.polarity = (
                    "affirm"  # "No, that stopped on Tuesday.": so until then; the frames deny it from then on
                )
            draft.time, draft.timed = interval, "own"
            draft.cues.append(CueNote("time", interval, own.rule, turn.index, own.start, own.end))
            if draft.strength == "ever":
                draft.strength = "definite"
        elif draft.polarity == "affirm" and (later := self._own_time(turn, ask, sentence)) is not None:
            draft.time, draft.timed = later.interval, "own"  # "yes, three weeks ago i was low": the yes is of then
            draft.cues.append(CueNote("time", later.interval, later.rule, turn.index, later.start, later.end))
            if draft.strength == "ever":
                draft.strength = "definite"
        elif ask.time is not None and not ask.ever and not (self.english and ended and draft.polarity == "deny"):
            draft.time, draft.timed = ask.time, "question"
            draft.cues.append(
                CueNote(
                    "time", ask.time, f"{self.language}.time.question", ask.turn, ask.mention.start, ask.mention.end
                )
            )
        if ask.ever and draft.polarity == "affirm" and draft.timed != "own":
            where = ask.mention.start, ask.mention.end
            draft.because("ever", ask.rule, ask.turn, *where)
        if draft.strength == "ever":
            draft.strength = "indicator"

    def _own_time(self, turn: TurnState, ask: Ask, sentence: int):
        """The time of what the speaker goes on to say of the same dimension in the same sentence."""
        for d in turn.drafts:
            if (
                d.kind == "mention"
                and d.dimension == ask.dimension
                and d.polarity == "affirm"
                and d.clause is not None
                and d.clause.sentence == sentence
            ):
                first = next(
                    (
                        h
                        for h in turn.times
                        if d.clause.start <= h.start < d.clause.end
                        and h.interval is not None
                        and h.op not in ("now", "for", "since")
                    ),
                    None,
                )
                if first is not None:
                    return first
        return None

    def _speaks_on(self, turn: TurnState, clause: Clause) -> bool:
        """Whether a clause goes on about the answer: a fragment, or "it/that was ..."."""
        text = turn.canonical.text[clause.start : clause.end]
        if self.english:
            if not clause.verb and clause.subject_at is None:
                return True
            if self.says["when_then"].match(text) is not None:
                return True  # "I did, when she was first ill"
            return (
                self.says["goes_on"].match(text) is not None
                and len(text.split()) <= 16
                and not any(d.clause is clause for d in turn.drafts)
            )
        first = next((h.start for h in turn.times if clause.start <= h.start < clause.end), clause.end)
        lead = turn.canonical.text[clause.start : first]
        last = max((h.end for h in turn.times if clause.start <= h.start < clause.end), default=clause.start)
        if last >= clause.end - 2 and 0 < first - clause.start <= _EVENT and any(
            h.op in ("anaphor", "remote") for h in turn.times if clause.start <= h.start < clause.end
        ):
            return True  # "想过，我爸刚走那年": no more than when that was
        if not self.says["of_it"].fullmatch(turn.canonical.text, last, clause.end):
            return False  # "昨天儿子家买面": another story
        return self.says["goes_on"].fullmatch(lead) is not None and not self.says["others"].search(text)

    def _topic_itself(self, turn: TurnState, subject, hits: list[Hit]) -> bool:
        """ "Your energy levels?" "They're fine.": the pronoun is what was asked after, and evaluated."""
        words = turn.canonical.text[subject.start : subject.end].strip()
        gap = turn.canonical.text[subject.end : hits[0].start]
        return (
            words in self.says.words("plural_pronoun")
            and hits[0].category in EVALUATIONS
            and self.says.words("copula").issuperset(gap.split())
        )

    def _they_are(self, turn: TurnState, subject, hits: list[Hit]) -> bool:
        """ "So the nights are the worst?" "They are.": the pronoun of an English answer is what was asked after."""
        return (
            self.english
            and hits[0].start <= subject.start < hits[0].end
            and turn.canonical.text[subject.start : subject.end].strip() in self.says.words("plural_pronoun")
        )

    def _subject(self, draft: Draft, turn: TurnState, ask: Ask, found: list, hits: list[Hit]) -> None:
        clause = turn.clauses.at(hits[0].start)
        subject = found[clause.index] if clause.index < len(found) else None
        draft.subject = ask.subject
        if turn.speaker == "informant":
            draft.subject = "participant" if ask.subject != "generic" else "generic"
        if subject is not None and subject.explicit:
            if (
                subject.value == "other"
                and subject.start <= hits[0].start
                and not self._topic_itself(turn, subject, hits)
                and not self._they_are(turn, subject, hits)
            ):
                draft.subject = "other"
            elif subject.value == "participant" and ask.subject == "other":
                draft.subject = "participant"
        draft.cues.append(
            CueNote(
                "subject",
                draft.subject,
                f"{self.language}.subject.question",
                ask.turn,
                ask.mention.start,
                ask.mention.end,
            )
        )
