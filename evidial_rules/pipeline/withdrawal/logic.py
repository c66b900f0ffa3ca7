"""Which earlier frames a retraction takes back (contract, section 3, operation 4; section 2, "What a retraction names")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from ..clauses.logic import Clause
from ..cues import Hit
from ..text import stem
from ..turns.logic import REACH, CueNote, DialogueState, Draft, Said, TurnState, between
from ..wordings import Wordings

_NEAR_TIME = 16  # characters from a correction of time to the time
_INTEREST = frozenset({"interest", "activity"})  # what one no longer cares for, one no longer does
_MOST_QUOTATIONS, _LONGEST_QUOTATION, _FAR_BACK = 20, 120, 60  # in a turn; characters; turns


def _denied(draft: Draft) -> bool:
    """ "As for not feeling guilty": the words name a denial, and no affirmation."""
    return draft.sense == "symptom" and draft.polarity == "deny"


class Withdrawer:
    """Marks withdrawn drafts, turn by turn, and adds what a correction newly says."""

    def __init__(self, language: str, says: Wordings):
        self.english = language == "en"
        self.language = language
        self.says = says

    def apply(self, turn: TurnState, dialogue: DialogueState) -> list[Draft]:
        """Sets `withdrawn_by` on earlier drafts of the same speaker; returns new drafts (corrected time or subject)."""
        if turn.speaker == "interviewer":
            return []
        taken_back = self._quotes_own(turn, dialogue)
        hits = [x for x in (self._settled(turn, h, dialogue) for h in turn.hits.get("withdrawal", ())) if x is not None]
        hits = [h for h in hits if not any(a <= h.start < b for a, b in taken_back)]
        if not hits:
            return []
        new: list[Draft] = []
        everything = [
            h
            for h in hits
            if h.category == "everything" or self.says["everything"].search(turn.canonical.text, h.start, h.end + 24)
        ]
        done_until = -1
        corrected: list[Hit] = []
        for h in hits:
            if h.category == "everything" or h.start < done_until:
                continue
            near = 90 if self.english else 40
            aside = self.says["aside"].match(turn.canonical.text[h.start : h.end])
            if aside and any(
                x.category in ("retract", "subject_correction", "time_correction")
                and 0 <= x.start - h.end <= near
                and not any(
                    h.end <= d.start < x.start
                    and d.modality == "asserted"
                    and d.kind == "mention"
                    and not self._repeats(d, turn, dialogue)
                    for d in turn.drafts
                )
                for x in hits
            ):
                continue  # "no wait, ... strike that": the last one says what is meant
            if h.category in ("time_correction", "subject_correction") and not self._corrects(turn, h, hits, dialogue):
                continue
            if self._corrected_already(turn, h, corrected):
                continue
            if h.category == "retract" and (self._answers_instead(turn, h, dialogue) or self._mends(turn, h)):
                continue
            if h.category == "retract" and self._says_again(turn, h, hits, done_until):
                continue
            self._restated(turn, h, dialogue)
            self._answers_to_check(turn, h, dialogue)
            region = self._region(turn, h)
            candidates = self._candidates(turn, h, dialogue)
            if not candidates:
                continue
            if any(region[0] <= e.start <= region[1] for e in everything):
                chosen = candidates
            elif self._names_what_is_back(turn, h, region, candidates, dialogue):
                continue
            else:
                chosen = self._choose(turn, h, region, candidates, dialogue)
            if self._only_part(turn, region):
                named = self._named_components(turn, region)
                for draft in chosen:
                    if draft.turn != turn.index:
                        self._split(draft, named.get(draft.dimension, set()), dialogue, self._said(turn, dialogue))
            sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)[0].start
            start = region[0] if self.english else max(region[0], sentence)  # "近来都这样。说错了" is of one thing
            if chosen and self.says["all_of_it"].search(turn.canonical.text, start, min(region[1], h.end + 12)):
                # "the band and the pizza night, walk all that back": everything said to that effect
                alike = {(d.dimension, d.polarity) for d in chosen}
                chosen = [d for d in candidates if (d.dimension, d.polarity) in alike]
            corrections = (
                [
                    x
                    for x in hits
                    if x.category != h.category
                    and region[0] <= x.start <= region[1]
                    and x.category in ("time_correction", "subject_correction")
                ]
                if h.category == "retract"
                else [h]
            )
            if not corrections and h.category == "retract" and self._only_a_time(turn, h):
                corrections = [replace(h, category="time_correction")]  # "last month, correction, last week"
            corrected += corrections
            for draft in chosen:
                draft.withdrawn_by = turn.index
                draft.cues.append(CueNote("withdrawn_by", turn.index, h.rule, turn.index, h.start, h.end))
                if (other := self._other_answer(draft, turn, h)) is not None:
                    new.append(other)
                for x in corrections[:1]:
                    fresh = self._corrected(draft, turn, x, region)
                    if fresh is not None:
                        new.append(fresh)
            done_until = region[1] if h.category == "retract" else h.end
        self._names_left(turn, hits, dialogue)
        return new

    @staticmethod
    def _corrected_already(turn: TurnState, h: Hit, corrected: list[Hit]) -> bool:
        """ "说的是我姨，不是我", "that's my sister, that's not me": the rest of a sentence that corrects whose it was says so
        again, and takes back nothing more."""
        return h.category == "subject_correction" and any(
            x.category == h.category and turn.clauses.at(x.start).sentence == turn.clauses.at(h.start).sentence
            for x in corrected
        )

    def _quotes_own(self, turn: TurnState, dialogue: DialogueState) -> list[tuple[int, int]]:
        """ "“没有变慢”不能算，改掉", "when I said 'fine', ignore it": takes back what a speaker quotes of their own earlier
        words, and disowns. Canonical [start, end) of the words that do. What is quoted so says nothing again."""
        places = turn.quotations[:_MOST_QUOTATIONS]
        if not places:
            return []
        done: list[tuple[int, int]] = []
        text = turn.canonical.text
        for a, b in (turn.within(*place) for place in places):
            said = self._said_before(a, b, turn, dialogue)
            if said is None:
                continue
            inside = [d for d in turn.drafts if a - 1 <= d.start < b and d.end <= b + 1]
            inside += [d for d in turn.drafts if d.kind == "answer" and d.start < b and a < d.end and d not in inside]
            sentence = turn.clauses.at(b).sentence
            end = turn.clauses.sentence(sentence + 1)[-1].end if sentence < turn.clauses[-1].sentence else len(text)
            if (m := self.says["disowns"].search(text, b, end)) is None:
                continue
            for d in inside:
                self._quote(d, self.says.rules["disowns"].id, turn, a, b)
            for d in said:
                d.withdrawn_by = turn.index
                d.cues.append(
                    CueNote("withdrawn_by", turn.index, self.says.rules["disowns"].id, turn.index, m.start(), m.end())
                )
            done.append((a, end))
        return done

    def _said_before(self, start: int, end: int, turn: TurnState, dialogue: DialogueState) -> list[Draft] | None:
        """The frames of the speaker's last words that hold those quoted at [start, end), all or the most of them in their
        order: in the turn before the quotation, else in an earlier turn. None where nothing does."""
        quoted = turn.canonical.text[start:end]
        parts = [part for part in re.split(r"[ ]*[,.;:?!，。；：？！、]+[ ]*", quoted.strip()) if part.strip()]
        if not self.english:
            parts = [part for part in parts if len(part) > 1]
        if not parts or sum(map(len, parts)) > _LONGEST_QUOTATION:
            return None
        gap, join = (r"(?: \w+){0,2} ", str.split) if self.english else (".{0,2}?", list)
        patterns = [re.compile(gap.join(map(re.escape, join(part)))) for part in parts]
        for past in reversed(dialogue.turns[max(0, turn.index - _FAR_BACK) : turn.index + 1]):
            if past.speaker != turn.speaker:
                continue
            until = start - 1 if past is turn else len(past.canonical.text)
            spans = [m.span() for m in (p.search(past.canonical.text, 0, until) for p in patterns) if m is not None]
            if len(spans) < len(patterns):
                continue
            drafts = [d for d in past.drafts if d.withdrawn_by in (None, turn.index) and d.modality == "asserted"]
            drafts = [d for d in drafts if d.start < until]
            sentences = {past.clauses.at(s).sentence for s, _ in spans}
            beside = [d for d in drafts if past.clauses.at(d.start).sentence in sentences]
            here = [d for d in drafts if any(d.start < e and s < d.end for s, e in spans)]
            alike = {(d.dimension, d.polarity) for d in here}
            return [d for d in beside if not here or d in here or (d.dimension, d.polarity) in alike]
        return None

    def _names_left(self, turn: TurnState, hits: list[Hit], dialogue: DialogueState) -> None:
        """ "难过、发沉，说的都是我妹": makes names of what still asserts, before a correction in its sentence, what the turn has
        taken back."""
        back: dict[tuple[str, str], set[Set[str]]] = {}
        for d in self._said(turn, dialogue).live:
            if d.withdrawn_by == turn.index:
                words = self._statement_words(d) if self.english else _characters(d.statement_text)
                back.setdefault((d.dimension, d.polarity), set()).add(words)
        for draft in turn.drafts if back else ():
            if draft.modality != "asserted" or draft.kind != "mention" or draft.withdrawn_by is not None:
                continue
            sentence = turn.clauses.at(draft.start).sentence
            after = [h for h in hits if h.start >= draft.end and turn.clauses.at(h.start).sentence == sentence]
            if after and self._says_the_same(turn, draft, back):
                rule = f"{self.language}.withdrawal.restated"
                self._quote(draft, rule, turn, after[0].start, after[0].end)

    @staticmethod
    def remember(turn: TurnState, dialogue: DialogueState) -> None:
        """Adds a turn, whose own retractions are settled, to what its speaker said."""
        dialogue.said.setdefault(turn.speaker, Said()).fresh.append(turn)

    def _said(self, turn: TurnState, dialogue: DialogueState) -> Said:
        """What the speaker said in the turns before. A look through all of them for each retraction would make the
        cost of a long dialogue grow with its square."""
        said = dialogue.said.setdefault(turn.speaker, Said())
        for past in said.fresh:
            drafts = sorted(past.drafts, key=lambda d: (d.turn, d.start, d.end))
            said.live = [d for d in (*said.live, *drafts) if d.withdrawn_by is None and d.modality == "asserted"]
            for d in drafts:
                said.dimensions.add(d.dimension)
                if self.english:
                    said.words |= self._statement_words(d)
                if d.modality == "asserted" and d.subject != "other":
                    words = self._statement_words(d) if self.english else _characters(d.statement_text)
                    said.alike.setdefault((d.dimension, d.polarity), set()).add(words)
        said.fresh.clear()
        return said

    def _only_a_time(self, turn: TurnState, h: Hit) -> bool:
        """Whether all that the sentence says after a retraction is a time."""
        sentence = turn.clauses.sentence(turn.clauses.at(max(h.start, h.end - 1)).sentence)
        text = turn.canonical.text
        rest = text[h.end : sentence[-1].end]
        if self.says["of_talk"].search(text, h.end, sentence[-1].end + 1):
            return False  # "I was fibbing just now": when it was said
        times = [t for t in turn.times if t.start >= h.end and t.interval is not None and t.end <= sentence[-1].end]
        for t in times:
            rest = rest.replace(turn.canonical.text[t.start : t.end], " ")
        return bool(times) and self.says["around_time"].fullmatch(rest) is not None

    def _settled(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> Hit | None:
        """A hit, None where its words do something else: "I drop the kids off", 他开玩笑惹我."""
        if h.category == "time_points":
            # the time begins behind it, or the words that name the time hold it: 那是失恋那年
            text, up_to = turn.canonical.text, self.says["up_to_time"]
            dated = any(
                t.interval is not None
                and t.end > h.end
                and h.start <= t.start <= h.end + _NEAR_TIME
                and (
                    t.start <= h.end + 2
                    or up_to.fullmatch(text, h.end, t.start) is not None
                    or up_to.fullmatch(text, h.start, t.start) is not None
                )
                for t in turn.times
            )
            return replace(h, category="time_correction") if dated else None
        if h.category not in ("retract", "retract_named"):
            return h
        text = turn.canonical.text
        if any(
            m.sense == "symptom"
            and (
                m.start < h.start < m.end
                and h.end <= m.end + 4
                or m.start == h.start
                and h.category == "retract_named"
                and h.end <= m.end
            )
            for m in turn.mentions
        ):
            return None  # the mention's own words: "lose track and forget what I said"
        if self.english:
            told = (
                self.says["told"].search(text[: h.start])
                and self.says["things"].match(text[h.start : h.end])
                and not self._asks_for_it(turn, h)
            )
            if self.says["others_think"].search(text, max(0, h.start - 60), h.start):
                return None  # "they might think I'm being dramatic": what somebody else says of it
            if h.category == "retract":
                return None if told else h
            if told:
                return None
            clause = turn.clauses.at(h.start)
            named = any(h.start <= d.start < clause.end for d in (*turn.drafts, *turn.topics))
            if not named:
                words = self._content(text[h.start : h.end])
                named = not words.isdisjoint(self._said(turn, dialogue).words) or any(
                    words & self._statement_words(d) for d in turn.drafts if d.end < h.start
                )
            return replace(h, category="retract") if named else None
        if h.category == "retract_named":
            sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
            if not self.says["refers"].search(text, sentence[0].start, sentence[-1].end):
                return None
            h = replace(h, category="retract")
        if self.says["others"].search(text[: h.start]) or self.says["no_retraction"].search(text[: h.start + 1]):
            return None  # 他开玩笑惹我; 不是瞎说的
        if any(m.end() > h.start for m in self.says["lies_to"].finditer(text, max(0, h.start - 8), h.end + 8)):
            return None  # 我撒谎骗了我妈
        if self._others_say(turn, h):
            return None
        clause = turn.clauses.at(h.start)
        if any(m.start() < h.start and m.end() > h.end for m in self.says["likened"].finditer(text, clause.start, clause.end)):
            return None  # 那表排得跟闹着玩似的
        if self.says["does_things"].search(text, max(0, h.start - 14), h.start) and not any(
            h.start - 14 <= m.start < h.start for m in (*turn.mentions, *turn.topics)
        ):
            return None  # 我把照片都删了
        return h

    def _others_say(self, turn: TurnState, h: Hit) -> bool:
        """ "我老公说话不算数", "朋友劝我别当真": whose words they are that do not count, where the speaker names none of their
        own."""
        text = turn.canonical.text
        clause = turn.clauses.at(h.start)
        sentence = turn.clauses.sentence(clause.sentence)
        return (
            "我" not in text[h.start : h.end]
            and self.says["others_say"].search(text[clause.start : h.start]) is not None
            and self.says["refers"].search(text, sentence[0].start, sentence[-1].end) is None
        )

    def _asks_for_it(self, turn: TurnState, h: Hit) -> bool:
        """ "Go back to where I said I'm worn out and cross it out": a verb of things after what was said, or in a request,
        is of words."""
        start = turn.clauses.sentence(turn.clauses.at(h.start).sentence)[0].start
        return self.says["requests"].search(turn.canonical.text, start, h.end) is not None or any(
            x.category == "named" and start <= x.start < h.start for x in turn.hits.get("assertion", ())
        )

    def _says_again(self, turn: TurnState, h: Hit, hits: list[Hit], done_until: int) -> bool:
        """ "That's not true. I take that back.": the second retraction takes back nothing more, unless it names something."""
        before = [x for x in hits if x.category == "retract" and x.end <= h.start]
        if done_until < 0 or not before:
            return False
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        return not any(
            before[-1].end <= d.start < sentence[-1].end and not self._stands(turn, d.end)
            for d in (*turn.drafts, *turn.topics)
        ) and not any(
            x.category in ("named", "quoted")
            and before[-1].end <= x.start < sentence[-1].end
            and (self.english or self._content(turn.canonical.text[x.start : x.end]))  # not 那话, which names nothing
            for x in turn.hits.get("assertion", ())
        )

    def _stands(self, turn: TurnState, end: int) -> bool:
        """ "划掉，吃不下是真的": whether what is named up to `end` is said again to stand."""
        return self.says["stands"].match(turn.canonical.text, end) is not None

    def _answers_to_check(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> None:
        """ "Was that this week?" "No, I muddled it, it was last year.": the answer to a question that takes up what the
        speaker said is no statement beside the retraction. Makes a name of it."""
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        if previous is None or previous.speaker != "interviewer":
            return
        if not self.english and not self._asks_again(turn, h, previous):
            return
        if self.english and not self.says["checks"].search(" " + previous.canonical.text):
            return  # a question of its own: "Are you tired?" "Certainly not. I made that up."
        for d in turn.drafts:
            if d.kind != "answer" or d.modality != "asserted" or d.end > h.start or d.asked != previous.index:
                continue
            before = turn.canonical.text[d.end : h.start].strip(" ,.，。")
            told = any(x.dimension == d.dimension for x in self._said(turn, dialogue).live if x.withdrawn_by is None)
            if told and (before.count(" ") <= 5 if self.english else len(before) <= 4):
                self._quote(d, f"{self.language}.withdrawal.checked", turn, h.start, h.end)

    def _asks_again(self, turn: TurnState, h: Hit, previous: TurnState) -> bool:
        """Whether the Chinese question before takes up what was said, or the retraction corrects its time or person: else
        "不是，说错了" takes back that very answer."""
        return (
            h.category != "retract"
            or self.says["asks_again"].search(previous.canonical.text) is not None
            or any(
                x.category in ("time_correction", "subject_correction") and abs(x.start - h.start) < 40
                for x in turn.hits.get("withdrawal", ())
            )
        )

    def _stops_first(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> bool:
        """ "不对，那是半年前的事": Chinese words that stop, as all that stands before a time, where nothing was asked; "嗨，
        那是前年的事了", said at no question at all."""
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        asked = previous is not None and previous.speaker == "interviewer" and bool(previous.asks)
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        before = turn.canonical.text[sentence[0].start : h.start].strip("，。")
        if asked:
            return False
        if self.says["stops_first"].fullmatch(before) is not None:
            return True
        return (
            previous is not None
            and sentence[0].sentence == 0
            and self.says["sighs"].fullmatch(before) is not None
            and self.says["asks_anything"].search(previous.canonical.text) is None
            and not any(d.kind == "mention" and d.modality == "asserted" for d in turn.drafts)
        )

    def _corrects_first(self, turn: TurnState, h: Hit) -> bool:
        """ "更正一下，吃不下是三个月前", "刚说坐不住，那是上大学那几年": a Chinese sentence announces a correction, or names what was
        said."""
        start = turn.clauses.sentence(turn.clauses.at(h.start).sentence)[0].start
        return self.says["announces"].search(turn.canonical.text, start, h.start) is not None or any(
            x.category == "named" and start <= x.start < h.start for x in turn.hits.get("assertion", ())
        )

    def _dates_itself(self, turn: TurnState, h: Hit) -> bool:
        """ "昨天睡得好，我说的是昨天", "说的是去年，我老哭": a Chinese time that is of a statement in its own sentence, and corrects
        none before."""
        text = turn.canonical.text
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        either = {x.start for x in turn.cues("assertion", "pseudo")}  # 我不是累就是没劲: this 不是 stops nothing
        asides = (m.start() for m in self.says["aside"].finditer(text, sentence[0].start, h.start))
        if not either.issuperset(asides) or self.says["says_not"].search(text, h.start, h.end):
            return False
        times = [t.interval for t in turn.times if h.start <= t.start <= h.end + 12 and t.interval is not None]
        return any(
            d.kind == "mention"
            and d.modality == "asserted"
            and turn.clauses.at(d.start).sentence == turn.clauses.at(h.start).sentence
            and not h.start <= d.start < h.end
            and d.time in times
            for d in turn.drafts
        )

    def _redated(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> bool:
        """ "吃不下那是上个月发烧的时候": Chinese words of an earlier statement, said again, and when that was; "不是，是坐月子那会儿",
        where the question before takes up what was said."""
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        if h.start <= 2 and previous is not None and previous.speaker == "interviewer":
            return self.says["asks_again"].search(previous.canonical.text) is not None
        asked = previous.asks if previous is not None and previous.speaker == "interviewer" else []
        if any(
            d.kind == "mention" and any(a.dimension == d.dimension for a in asked) and d.end <= h.start and self._full_statement(turn, turn.clauses.at(d.start), d)
            for d in turn.drafts
        ):
            return False  # "内疚这一块呢？" "我觉得自己没用，那是半个月前的事": says, and dates, a thing of its own
        said = self._said(turn, dialogue).alike
        sentence = turn.clauses.at(h.start).sentence
        return any(
            d.kind == "mention"
            and -2 <= h.start - d.end <= 6
            and turn.clauses.at(d.start).sentence == sentence
            and self.says["of_something"].match(turn.canonical.text, d.end) is not None
            and self._says_the_same(turn, d, said)
            for d in turn.drafts
        )

    def _mends(self, turn: TurnState, h: Hit) -> bool:
        """ "五楼。哦不对，六楼", "说错了，我住三楼，不是二楼": the Chinese words mend an answer about something else, in a turn
        that says nothing of any symptom."""
        if self.english or turn.drafts or turn.topics:
            return False
        at = turn.clauses.at(h.start).sentence
        start = turn.clauses.sentence(max(0, at - 1))[0].start
        end = turn.clauses.sentence(min(at + 1, turn.clauses[-1].sentence))[-1].end
        return self.says["mends"].search(turn.canonical.text, start, end) is not None

    def _repeats(self, draft: Draft, turn: TurnState, dialogue: DialogueState) -> bool:
        """Whether an earlier turn of the same speaker holds a frame of the same dimension."""
        return draft.dimension in self._said(turn, dialogue).dimensions

    def _restated(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> None:
        """What only names an earlier statement for a retraction is no statement of its own: "I said I can't sleep.
        That's not true.". It stands in the retraction's sentence, or in the two before."""
        at = turn.clauses.at(h.start)
        first = next((c for s in (-2, -1, 0) for c in turn.clauses.sentence(at.sentence + s)), at)
        earliest = first.start if first.index else 0
        # one sentence on, for the parts that are named there: "“没用”那条收回；愧疚那条照旧"
        latest = turn.clauses.sentence(min(at.sentence + 1, turn.clauses[-1].sentence))[-1].end
        beside = [d for d in turn.drafts if earliest <= d.start < latest]
        naming = self._naming_sentences(turn, earliest, h.start)
        for draft in beside:
            sentence = turn.clauses.at(draft.start).sentence
            if sentence in naming and sentence < at.sentence <= sentence + 2 and draft.modality == "asserted":
                self._quote(draft, f"{self.language}.withdrawal.named_sentence", turn, h.start, h.end)
        earlier = self._said(turn, dialogue).alike
        for draft in beside:
            if self.english and draft.kind == "answer" and h.start <= draft.start < h.end:
                # "the being dead thing. that was not true": no "true" that answers the topic named before
                self._quote(draft, f"{self.language}.withdrawal.restated", turn, h.start, h.end)
        for draft in beside:
            where = turn.clauses.at(draft.start)
            if draft.modality != "asserted" or draft.kind != "mention" or at.sentence - where.sentence > 2:
                continue
            if draft.start > h.start and self._stands(turn, draft.end):
                continue
            if self.english and h.category == "retract" and self._own_statement(turn, draft, where, at):
                continue  # "I'm tired, lately. Sorry, I misspoke.": said in full, and not named again
            restated = f"{self.language}.withdrawal.restated"
            if (
                h.start <= draft.start < h.end
                or draft.start < h.start < draft.end
                or self._behind_i_said(turn, draft, h)
                or self._as_noun(turn, draft, h)
                or self._fronted(turn, draft, h)
                or self._dislocated(turn, draft, h)
                or self._only_named(turn, draft, h)
                or self._as_doing(turn, draft, h)
                or self._said_not_true(turn, draft, h, earlier)
                or self._called(turn, draft, h)
                or self._gathered(turn, draft, dialogue)
            ):
                # "that crying thing was a wind-up", "scrub where I said I sit still", "as for the guilt, I made that up"
                self._quote(draft, restated, turn, h.start, h.end)
                continue
            if (
                draft.start >= h.start
                and (self.english or where.sentence != at.sentence)
                and not self.says["part_named"].match(turn.canonical.text, draft.end)
            ):
                continue  # only Chinese names behind the retraction as well, in its sentence
            if place := self._pointed_at(turn, draft, where, at):
                self._quote(draft, self.says.rules["naming"].id, turn, *place)
            elif not self.english and where.sentence != at.sentence and (
                self._full_statement(turn, where, draft)
                or where.subject_at is not None
                and not self._said_in_words(turn, draft, dialogue)
            ):
                continue  # "我坐不住，近来都这样。说错了": said in full, and not named again
            elif self._says_the_same(turn, draft, earlier) or self._says_of(turn, draft, h, dialogue):
                self._quote(draft, restated, turn, h.start, h.end)

        self._named_along(turn, h, earlier)
        self._said_anew(turn, h, earlier.keys())

    def _says_of(self, turn: TurnState, draft: Draft, h: Hit, dialogue: DialogueState) -> bool:
        """ "早醒是我怀孕那会儿的事，说混了": whether a Chinese mention before a retraction is what that says something of, and
        the speaker said something to that effect."""
        return (
            not self.english
            and draft.end <= h.start
            and self.says["of_something"].match(turn.canonical.text, draft.end) is not None
            and any(
                d.dimension == draft.dimension
                and d.polarity == draft.polarity
                and ("ALL" in (*d.components, *draft.components) or not set(d.components).isdisjoint(draft.components))
                for d in self._said(turn, dialogue).live
            )
        )

    def _said_in_words(self, turn: TurnState, draft: Draft, dialogue: DialogueState) -> bool:
        """Whether the speaker has said the like of a mention before in words of their own, and not only answered."""
        return any(
            (d.kind, d.dimension, d.polarity) == ("mention", draft.dimension, draft.polarity)
            for d in self._said(turn, dialogue).live
        )

    def _full_statement(self, turn: TurnState, clause: Clause, draft: Draft) -> bool:
        """Whether a Chinese sentence says more than the mentions in it: four characters and a subject, or eight; or any
        that answers an open question about the matter."""
        sentence = turn.clauses.sentence(clause.sentence)
        start, end = sentence[0].start, sentence[-1].end
        named = sum(m.end - m.start for m in turn.mentions if start <= m.start and m.end <= end)
        own = any(c.subject_at is not None for c in sentence) or "我" in turn.canonical.text[start:end]
        names = self.says["speaks_of"].search(turn.canonical.text, start, end) is not None
        asked = any(a.form == "open" and a.dimension == draft.dimension for a in turn.asks_before)
        return not names and (asked or end - start - named >= (4 if own else 8))

    def _own_statement(self, turn: TurnState, draft: Draft, clause: Clause, at: Clause) -> bool:
        """Whether an English sentence before that of a retraction is one that the speaker makes of themselves: it says
        "I", has a verb, and speaks of no words."""
        sentence = turn.clauses.sentence(clause.sentence)
        start, end = sentence[0].start, sentence[-1].end
        start = turn.behind_times(start, end, gap=3)  # "over the past month, I have plenty of energy"
        text = " " + turn.canonical.text[start : end]
        return (
            clause.sentence == at.sentence - 1
            and any(c.verb or c.subject_at is not None for c in sentence)
            and (
                self.says["of_oneself"].match(text) is not None
                or self.says["with_oneself"].search(text) is not None
                or any(c.verb and c.subject_at is not None and c.connective is None for c in sentence)
                and not sentence[-1].question
                or clause.verb  # "even the football doesn't interest me"
                and clause.connective is None
                and clause.verb_at is not None
                and clause.verb_at < draft.end
                and self.says["object_me"].search(turn.canonical.text, clause.verb_at, clause.end) is not None
            )
            and self.says["of_words"].search(self.says["assures"].sub(" ", text)) is None
        )

    @staticmethod
    def _quote(draft: Draft, rule: str, turn: TurnState, start: int, end: int) -> None:
        """Makes a name of a statement."""
        draft.modality = "quoted"
        draft.cues.append(CueNote("modality", "quoted", rule, turn.index, start, end))

    @staticmethod
    def _naming_sentences(turn: TurnState, start: int, end: int) -> set[int]:
        """The sentences that begin by naming, and name to their end: "What I said about being useless and letting them
        down. Cross it out."."""
        named = [x for x in between(turn.hits.get("assertion", []), start, end) if x.category == "named"]
        sentences = {x.start: turn.clauses.at(x.start).sentence for x in named}
        return {s for at, s in sentences.items() if at - turn.clauses.sentence(s)[0].start <= 16}

    def _behind_i_said(self, turn: TurnState, draft: Draft, h: Hit) -> bool:
        return draft.start >= h.end and self.says["quoting"].search(turn.canonical.text[: draft.start]) is not None

    def _as_noun(self, turn: TurnState, draft: Draft, h: Hit) -> bool:
        """ "The eating past full, the four kilos: rub it out", "me being ashamed, tear that page out": whether the mention
        is a noun of a list that the retraction behind it takes back."""
        if not self.english or draft.start > h.start:
            return False
        text = turn.canonical.text
        m = self.says["nominal"].search(text[: draft.start])
        if m is None:
            return False
        if self.says["predicates"].search(text, draft.start, draft.end):
            return False  # "my eating is perfectly normal": said in full
        first = text[draft.start : draft.end].split()[:1]
        gerund = bool(first) and first[0].endswith("ing") and not first[0].endswith("thing")  # not "nothing gives me joy"
        return bool(first) and (gerund or m.group().rstrip().endswith(("being", "feeling", "having")))

    def _fronted(self, turn: TurnState, draft: Draft, h: Hit) -> bool:
        """ "As for slowness and fidgeting, I made that up": what a sentence puts first is what its retraction is of."""
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        m = self.says["fronted"].match(turn.canonical.text, sentence[0].start)
        return m is not None and m.end() <= draft.start < h.start <= m.end() + 90

    def _dislocated(self, turn: TurnState, draft: Draft, h: Hit) -> bool:
        """ "Hoping I won't wake up, and the pills, I take both of those back", "the toast every night, the pies, I had you on
        with all of that": whether English words stand in a list of doings, or of things, that opens a sentence and says
        nothing by itself, and which the clause of the retraction takes up."""
        at = turn.clauses.at(h.start)
        sentence = turn.clauses.sentence(at.sentence)
        if not self.english or at.index == sentence[0].index or draft.start >= at.start:
            return False
        text = turn.canonical.text
        m = self.says["dislocated"].match(text, sentence[0].start)
        taken_up = self.says["resumes"].search(text, at.start - 1, max(at.end, h.end))
        if m is None or m.end() > at.start or taken_up is None or draft.start < sentence[0].start:
            return False
        doing = m["doing"] is not None
        return (doing or taken_up["one"] is None) and not any(
            c.subject_at is not None and (c.comma or c.connective is not None)
            or (c.verb or c.subject_at is not None) and not doing
            for c in sentence
            if c.index < at.index
        )

    def _called(self, turn: TurnState, draft: Draft, h: Hit) -> bool:
        """ "The miserable thing. That wasn't true.", "the wrong idea with the miserable thing": an English noun that is all
        of a sentence before a retraction, or what stands before it in its own, calls a statement by a word."""
        if not self.english:
            return False
        text = turn.canonical.text
        sentence = turn.clauses.sentence(turn.clauses.at(draft.start).sentence)
        m = self.says["called"].match(text, sentence[0].start)
        if m is not None and draft.end <= m.end() <= h.start:
            return not text[m.end() : min(h.start, sentence[-1].end)].strip(" .,;?!")
        # "cross that out, that let them down business", "the wrong idea with the miserable thing"
        about = [x.end() for x in self.says["of_what"].finditer(text, h.start, draft.start + 1)]
        for start in (h.end, *about[-1:]):
            m = self.says["called"].match(text, start)
            if m is not None and start <= draft.start and draft.end <= m.end() <= sentence[-1].end + 1:
                return True
        return False

    def _gathered(self, turn: TurnState, draft: Draft, dialogue: DialogueState) -> bool:
        """ "心情低落、流眼泪那几句是我编的", "问心无愧、不亏欠谁，那是我逞强说的": whether Chinese words are of a list that the words
        behind it in the sentence sum up as what was said; the speaker has spoken of the matter before."""
        if self.english or not self._repeats(draft, turn, dialogue):
            return False
        end = turn.clauses.sentence(turn.clauses.at(draft.start).sentence)[-1].end
        m = self.says["gathers"].search(turn.canonical.text, draft.end, end)
        return m is not None and self.says["listed"].fullmatch(turn.canonical.text, draft.end, m.start()) is not None

    def _only_named(self, turn: TurnState, draft: Draft, h: Hit) -> bool:
        """ "Strike what I said about my energy and tiredness", "I was joking about how much I enjoy things": English
        words behind a retraction, in its sentence, that say neither yes nor no of what they name."""
        text = turn.canonical.text
        if not self.english or draft.start < h.end:
            return False
        if turn.clauses.at(draft.start).sentence != turn.clauses.at(h.start).sentence:
            return False
        if self.says["how_much"].search(text, max(h.start, draft.start - 40), draft.start):
            return True
        about = [m.end() for m in self.says["of_what"].finditer(text, h.start, draft.start + 1)]
        return bool(about) and self.says["bare_noun"].fullmatch(text, about[-1], draft.end) is not None

    def _as_doing(self, turn: TurnState, draft: Draft, h: Hit) -> bool:
        """ "I take that back, about having no appetite", "..., about not enjoying anything": English words behind a
        retraction, in its sentence, that name by a doing and state nothing."""
        text = turn.canonical.text
        if not self.english or draft.start < h.end:
            return False
        if turn.clauses.at(draft.start).sentence != turn.clauses.at(h.start).sentence:
            return False
        about = [m.end() for m in self.says["of_what"].finditer(text, h.start, draft.start + 1)]
        m = self.says["doing"].fullmatch(text, about[-1], draft.start) if about else None
        words = text[draft.start : draft.end].split()
        first = next((w for w in words if w not in ("not", "never", "no")), "")
        return m is not None and (m["be"] is not None or first.endswith("ing"))

    def _said_not_true(
        self, turn: TurnState, draft: Draft, h: Hit, earlier: Mapping[tuple[str, str], Set[Set[str]]]
    ) -> bool:
        """ "That isn't true, actually, that I can't sit still": what an English retraction says again, as what is not so."""
        m = self.says["complement"].match(turn.canonical.text, h.end) if self.english else None
        return m is not None and m.end() <= draft.start <= m.end() + 12 and self._says_the_same(turn, draft, earlier)

    def _pointed_at(self, turn: TurnState, draft: Draft, clause: Clause, at: Clause) -> tuple[int, int] | None:
        """[start, end) of the words behind a mention that make a name of it: 睡不着那段; "..., 这几句话收回", in a later
        clause of the sentence, up to that of the retraction (`at`)."""
        text = turn.canonical.text
        if self.says["part_named"].match(text, draft.end):
            return clause.start, clause.end
        if clause.sentence != at.sentence:
            return None
        after = turn.clauses[clause.index + 1 : max(at.index, clause.index + 1) + 1]
        if any(self.says["named_after"].match(text[c.start : c.end + 12]) for c in after):
            return after[0].start, after[0].end
        if self.says["naming"].search(text[draft.end : clause.end]):
            return clause.start, clause.end
        return None

    def _says_the_same(self, turn: TurnState, draft: Draft, earlier: Mapping[tuple[str, str], Set[Set[str]]]) -> bool:
        """Whether a mention repeats the words of an earlier statement. Chinese restates in fewer words ("心口坠铅" of
        "心口像坠了块铅"): characters are compared, not pairs."""
        own = turn.canonical.text[draft.start : draft.end]
        words = self._content(own)
        alike = earlier.get((draft.dimension, draft.polarity), ())
        if self.english:
            if words and any(len(words & old) * 2 >= len(words) for old in alike):
                return True
            # "me not wanting my food and pushing the plate away": a name that a negation beside it seems to turn round
            where = turn.clauses.at(draft.start)
            while where.index and where.subject_at is None and where.connective == "coordinate":
                where = turn.clauses[where.index - 1]
            if where.subject_at is not None and where.verb:
                return False  # "i haven't lost interest scratch that": said in full
            other = earlier.get((draft.dimension, "deny" if draft.polarity == "affirm" else "affirm"), ())
            return len(words) >= 2 and any(words <= old for old in other)
        least = 7 if words else 10  # tenths; all of common characters (没劲)
        return any(len(old.intersection(own)) * 10 >= len(set(own)) * least for old in alike)

    def _named_along(self, turn: TurnState, h: Hit, earlier: Mapping[tuple[str, str], Set[Set[str]]]) -> None:
        """What is joined to a named part is named too: "I misspoke when I said I'm tired and don't have any energy";
        in Chinese also what stands before it in a list, 转笔抖腿停不下来那条. A clause with a subject is, where it says again
        what was said: "delete where I said I can't sit still and I pace"."""
        rule = f"{self.language}.withdrawal.named_along"
        drafts = sorted((d for d in turn.drafts if d.kind == "mention"), key=lambda d: d.start)
        if not self.english:
            for named, draft in pairwise(reversed(drafts)):
                if (named.modality, draft.modality) == ("quoted", "asserted") and self._listed(turn, draft, named):
                    self._quote(draft, rule, turn, h.start, h.end)
        for named, draft in pairwise(drafts):
            if (named.modality, draft.modality) != ("quoted", "asserted"):
                continue
            where = turn.clauses.at(draft.start)
            first = turn.clauses.at(named.start)
            if where is first or (
                where.sentence == first.sentence
                and where.connective == "coordinate"
                and (
                    where.index == first.index + 1
                    and where.subject_at is None
                    or self.english
                    and where.index <= first.index + 2
                    and self._says_the_same(turn, draft, earlier)
                )
            ):
                self._quote(draft, rule, turn, h.start, h.end)

    def _listed(self, turn: TurnState, first: Draft, second: Draft) -> bool:
        """Whether two Chinese mentions are parts of one list: next to each other, or with a comma or "and" between."""
        return self.says["list_gap"].fullmatch(turn.canonical.text[first.end : second.start]) is not None

    @staticmethod
    def _said_anew(turn: TurnState, h: Hit, earlier: Set[tuple[str, str]]) -> None:
        """ "I can't sleep scratch that I sleep fine": the opposite of what was said is no name of it."""
        said = {*earlier}  # dimensions and polarities
        said |= {(d.dimension, d.polarity) for d in turn.drafts if d.modality == "asserted" and d.end <= h.start}
        for draft in turn.drafts:
            if (
                draft.modality == "quoted"
                and turn.canonical.text[h.start : h.end].endswith("that ")
                and turn.clauses.at(draft.start).start == h.end
                and any(dimension == draft.dimension for dimension, polarity in said)
                and (draft.dimension, draft.polarity) not in said
            ):
                draft.modality = "asserted"

    # when it is none ---------------------------------------------------------------------------

    def _answers_instead(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> bool:
        """ "That's not true" right after an interviewer's statement is an answer to it."""
        text = turn.canonical.text
        if not self.says["contradicts"].search(text[h.start : h.end]):
            return False
        if not self.english and self.says["refers"].search(
            text, turn.clauses.sentence(turn.clauses.at(h.start).sentence)[0].start, h.end
        ):
            return False  # "刚才说的不是真的"
        before = text[: h.start].strip(" ,.。，")
        if len(before.split()) > 2 if self.english else len(before) > 5:
            return False
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        if previous is not None and previous.speaker not in ("interviewer", turn.speaker):
            return True  # somebody else's words, which nobody else takes back
        return (
            previous is not None
            and previous.speaker == "interviewer"
            and any(a.form in ("statement", "yes_no") for a in previous.asks)
        )

    def _checked(self, turn: TurnState, dialogue: DialogueState) -> bool:
        """Whether the interviewer before takes up words of what the speaker said last: "a full hour over onions"."""
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        live = self._said(turn, dialogue).live
        if previous is None or previous.speaker != "interviewer" or not live:
            return False
        return len(self._content(previous.canonical.text) & self._statement_words(live[-1])) >= 2

    def _corrects(self, turn: TurnState, h: Hit, hits: list[Hit], dialogue: DialogueState) -> bool:
        """A correction of time or person stands at the start of its clause, after the statement, or beside a retraction."""
        text = turn.canonical.text
        if any(
            x.category == "retract"
            and abs(x.start - h.start) < (90 if self.english else 40)
            and not (x.end <= h.start and self.says["aside"].match(text[x.start : x.end]))
            for x in hits
        ):
            return False  # the retraction takes it along
        if self.english and self.says["of_named"].match(text, h.start, h.end) and not any(
            h.start <= x.start < h.end for x in (*turn.drafts, *turn.topics)
        ):
            return False  # "the problem was last year": it names no statement
        if h.category == "time_correction":
            plain = self.says["corrects_time"].search(text[h.start : h.end]) is not None
            if not self.english:
                plain = plain or self._corrects_first(turn, h) or self._stops_first(turn, h, dialogue)
                if self._redated(turn, h, dialogue):
                    return True
                return plain and not self._dates_itself(turn, h)
            if not plain:
                return self._only_dates(turn, h, dialogue) or self._stops_and_dates(turn, h)
            if self._repairs_itself(turn, h) or self._dates_another(turn, h) or self._goes_on_saying(turn, h):
                return False
            return any(
                t.interval is not None and h.start <= t.start <= h.end + 40 or h.start - 3 <= t.end <= h.end + 40
                for t in turn.times
            )
        words = text[h.start : h.end]
        head = text[max(0, h.start - 14) : h.start]
        sentence = turn.clauses.at(h.start).sentence
        said = self._said(turn, dialogue).alike
        if any(
            d.kind == "mention"
            and d.end <= h.start
            and turn.clauses.at(d.start).sentence == sentence
            and self._says_the_same(turn, d, said)
            for d in between(turn.drafts, h.start - REACH, h.start)
        ):
            return True  # "the church clock, the ceiling, that was my sister": it repeats what was said
        if self.says["points_at"].match(words):
            # "that is my brother" as a correction: no, wait, not me
            of_another = any(
                d.kind == "mention"
                and d.subject == "other"
                and any(
                    c.connective == "relative" and h.start < c.start <= d.start
                    for c in turn.clauses.sentence(turn.clauses.at(d.start).sentence)
                )
                for d in between(turn.drafts, h.end, h.end + 60)
            )
            if h.start <= 5 and not of_another and self._checked(turn, dialogue):
                return True  # but "it's my brother who dithers over every choice" says a thing of its own
            return (
                self.says["stops"].search(head) is not None
                or self.says["not_me"].search(text[h.start : h.end + 24]) is not None
            )
        ends = turn.clauses.sentence(sentence)[-1].end + 1
        if not self.english:
            words = text[max(0, h.start - 2) : h.end]  # 我讲的是我猫: the person may be all of the hit
        return (
            self.says["corrects_subject"].search(words) is not None
            or self.english
            and self.says["not_me"].search(text, h.start, min(h.end + 50, ends)) is not None
            or self.says["talking_about"].search(words) is not None
            and self.says["takes_up"].search(words + head) is not None
            and turn.index > 0
        )

    def _repairs_itself(self, turn: TurnState, h: Hit) -> bool:
        """ "It comes on after dinner, dinner at twelve, I mean.": a sentence that ends so mends its own words."""
        text = turn.canonical.text
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        before = text[sentence[0].start : h.start]
        closes = not text[h.end : sentence[-1].end].strip(" ,.;?!")
        return closes and len(before.split()) > 5 and not any(self.says["that"].match(text, c.start) for c in sentence)

    def _goes_on_saying(self, turn: TurnState, h: Hit) -> bool:
        """ "I mean, at that time yes.", "I meant to ring last week": whether a verb of meaning only fills a pause, or has an
        object of its own. It corrects where the time is all that it says: "I mean last month.", "I meant back in May"."""
        text = turn.canonical.text
        if not self.english or self.says["means"].fullmatch(text, h.start, h.end) is None:
            return False
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        if not text[h.end : sentence[-1].end].strip(" ,.;?!"):
            return False  # "Last year, I mean."
        before = max(sentence[0].start - 1, h.start - 24)
        if self.says["rethinks"].search(text, before, h.start) is not None:
            return False  # "no, I mean the month before"
        for t in turn.times:
            if t.op == "anaphor" or t.interval is None or t.end <= h.start or t.start > h.end + _NEAR_TIME:
                continue
            if t.start < h.end or self.says["around_time"].fullmatch(text, h.end, t.start) is not None:
                if self.says["says_on"].match(text, t.end) is None:
                    return False
        return True

    def _dates_another(self, turn: TurnState, h: Hit) -> bool:
        """ "I can't sleep and I moved out oh no that was back in March", "we went to the lake, no wait, that was in May":
        whether what the English words date is a clause of its own right before them, in which no symptom is named."""
        at = turn.clauses.at(h.start)
        if not self.english or at.index == 0:
            return False
        text = turn.canonical.text
        inside = text[at.start : h.start].count(" ") > 2 and at.connective == "coordinate"  # "and I moved out oh no that"
        before = at if inside else turn.clauses[at.index - 1]
        while not inside and before.index and (m := self.says["rethinks"].search(text, before.start - 1, before.end)):
            if text[before.start : m.start()].count(" ") > 2:
                break  # "I moved out oh no"
            before = turn.clauses[before.index - 1]
        return (
            before.sentence == at.sentence
            and before.subject_at is not None
            and before.verb
            and before.connective in (None, "coordinate")
            and not before.raised
            and self.says["of_words"].search(text, before.start - 1, before.end) is None
            and not any(before.start <= x.start < before.end for x in (*turn.drafts, *turn.topics))
            and not any(before.start <= x.start < min(before.end, h.start - 1) for x in turn.hits.get("answers", ()))
        )

    def _only_dates(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> bool:
        """ "Sorry, that was last year." as all that is said: the statement before was about then."""
        clause = turn.clauses.at(h.start)
        opens = turn.clauses.sentence(clause.sentence)[0]
        taken_up = all(c.question for c in turn.clauses[: opens.index])  # "Oh, you mean lately? That's all in the past."
        before = turn.canonical.text[opens.start : h.start]
        for t in turn.times:
            if t.end <= h.start:
                before = before.replace(turn.canonical.text[t.start : t.end], " ")
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        asked: set[str] = set()  # "he says you pace. do you?": it dates that, and not what was said before
        asks = previous is not None and previous.speaker == "interviewer"
        if asks:
            asked = {a.dimension for a in previous.asks} or {m.dimension for m in previous.mentions}
        told = {d.dimension for d in self._said(turn, dialogue).live}
        if self.english and asks and not asked and (m := self.says["asks_when"].search(previous.canonical.text)):
            # "When did the knee go?" "It was in March."; "When was that?" is of what was said last
            last = [t for t in dialogue.turns[: turn.index] if t.speaker == turn.speaker][-1:]
            if m["what"] or m["began"] or not any(d.modality == "asserted" for t in last for d in t.drafts):
                return False
        # "that was after the operation, in March"
        reach = 24 if self.says["beside_event"].search(turn.canonical.text, h.start, h.end) else 3
        return (
            taken_up
            and (not asked or not asked.isdisjoint(told))
            and any(t.interval is not None and h.start <= t.start <= h.end + reach for t in turn.times)
            and self.says["that"].match(turn.canonical.text[h.start :]) is not None
            and not any(d.kind == "mention" for d in turn.drafts)
            and self.says.words("before_date").issuperset(w for w in before.split() if w.isalpha())
        )

    def _stops_and_dates(self, turn: TurnState, h: Hit) -> bool:
        """ "I'm awake at four oh wait no I'm mixing that up that was back in October": English words that stop a statement
        of the same turn, and no other statement between, before what dates it."""
        text = turn.canonical.text
        own = [d for d in turn.drafts if d.modality == "asserted" and d.end <= h.start and d.withdrawn_by is None]
        if not own:
            return False
        last = max(own, key=lambda d: d.end)
        after, at = turn.clauses.at(last.end - 1), turn.clauses.at(h.start)
        stops = self.says["rethinks"]
        return (
            at.sentence - after.sentence <= 2
            and stops.search(text, last.end - 1, h.start) is not None
            and all(
                stops.search(text, c.start - 1, c.end) or text[c.start : c.end].count(" ") <= 2  # "no", "oh well"
                for c in turn.clauses[after.index + 1 : at.index]
            )
            and any(t.interval is not None and t.start <= h.end + 40 and h.start <= t.end for t in turn.times)
        )

    # what it names -------------------------------------------------------------------------------

    def _region(self, turn: TurnState, h: Hit) -> tuple[int, int]:
        """The stretch in which the retraction names what it takes back: its own clause and those that hang on it,
        bounded by statements of their own."""
        clause = turn.clauses.at(h.start)
        last = turn.clauses.at(max(h.start, h.end - 1))
        # the searches below look at six clauses before and three behind
        low = turn.clauses[clause.index - 7].start if clause.index > 7 else 0
        high = turn.clauses[last.index + 4].start if last.index + 4 < len(turn.clauses) else len(turn.canonical.text)
        busy = {
            index
            for d in turn.drafts
            for index in range(turn.clauses.at(d.start).index, turn.clauses.at(max(d.start, d.end - 1)).index + 1)
            if low <= d.start <= high and d.modality == "asserted" and not (h.start <= d.start < h.end)
        }
        first = clause.index
        home = clause.sentence
        while self.english and home and turn.canonical.text.endswith(": ", 0, turn.clauses.sentence(home)[0].start):
            home -= 1  # "the buttons, the slowness: I made that up"
        steps = 0
        while first > 0 and steps < 6:
            previous = turn.clauses[first - 1]
            if previous.index in busy:
                break
            if (
                previous.sentence < home
                and not any(
                    d.modality == "quoted" and turn.clauses.at(d.start).sentence == previous.sentence
                    for d in turn.drafts
                )
                and not any(
                    x.category == "named" and previous.start <= x.start < previous.end
                    for x in turn.hits.get("assertion", ())
                )
                and steps > 0
                and not any(d.modality == "quoted" and d.start < previous.start for d in turn.drafts)
                and not self._asks_of_words(turn, previous)
            ):
                break
            first -= 1
            steps += 1
        end = last.index
        steps = 0
        while end + 1 < len(turn.clauses) and steps < 3:
            following = turn.clauses[end + 1]
            if following.index in busy or following.sentence > last.sentence:
                break
            end += 1
            steps += 1
        start = turn.clauses[first].start
        if self.english:  # "i am not tired scratch that", "no guilt | or shame scratch that": said, and no name
            own = [d.statement[1] if d.kind == "answer" else d.end for d in turn.drafts if d.modality == "asserted"]
            # "I have no trouble with energy or tiredness. I made that up.": the rest of a sentence said before it
            own = [turn.clauses.sentence(turn.clauses.at(end - 1).sentence)[-1].end
                   if turn.clauses.at(end - 1).sentence < clause.sentence else end for end in own if end <= h.start]
            start = max([start, *(end for end in own if start < end <= h.start)])
        else:  # "我心情很差，照实讲。刚才那句不算": the rest of a sentence said before it names nothing
            said = {turn.clauses.at(d.end - 1).sentence for d in turn.drafts if d.modality == "asserted"}
            own = [turn.clauses.sentence(s)[-1].end for s in said if s < clause.sentence]
            start = max([start, *own])
        return start, turn.clauses[end].end

    def _asks_of_words(self, turn: TurnState, clause: Clause) -> bool:
        """ "You remember me saying I'm low, I can hardly talk?": an English question in which a speaker names their own
        words, all of it."""
        sentence = turn.clauses.sentence(clause.sentence)
        return (
            self.english
            and sentence[-1].question
            and self.says["of_words"].search(turn.canonical.text, sentence[0].start - 1, clause.start + 1) is not None
        )

    def _candidates(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> list[Draft]:
        """What can be taken back: all that the speaker asserted before, and has not taken back."""
        here = [d for d in turn.drafts if d.withdrawn_by is None and d.modality == "asserted" and d.start < h.start]
        here.sort(key=lambda d: (d.start, d.end))
        before = [d for d in self._said(turn, dialogue).live if d.withdrawn_by is None]
        if before and not self.english:
            clause = turn.clauses.at(h.start)
            sentence = turn.clauses.sentence(clause.sentence)[0].start
            # "我记性不好，说岔了": the excuse for it
            here = [d for d in here if d.dimension != "concentration" or not sentence <= d.start < clause.start]
            names = any(x.category == "named" and x.start >= sentence for x in turn.hits.get("assertion", ()))
            if not names and self.says["just_said"].search(turn.canonical.text, clause.start, h.end):
                # "其实我不抑郁，刚才是逗您的": not of what this sentence denies of what was affirmed
                said = {d.dimension for d in before if d.polarity == "affirm"}
                here = [
                    d for d in here if d.start < sentence or d.polarity == "affirm" or d.dimension not in said
                ]
        return before + here

    def _names_what_is_back(
        self, turn: TurnState, h: Hit, region: tuple[int, int], candidates: list[Draft], dialogue: DialogueState
    ) -> bool:
        """ "That's wrong, cancel the deciding quickly": whether a retraction names in words what the turn took back before."""
        words = self._content(turn.canonical.text[h.start : region[1]]) if self.english else frozenset()
        back = [d for d in (*self._said(turn, dialogue).live, *turn.drafts) if d.withdrawn_by == turn.index]
        best = max((len(words & self._statement_words(d)) for d in back), default=0)
        live = max((len(words & self._statement_words(d)) for d in candidates), default=0)
        return best >= 2 and best > live

    @staticmethod
    def _named_components(turn: TurnState, region: tuple[int, int]) -> dict[str, set[str]]:
        """The components that a retraction names, by dimension."""
        named: dict[str, set[str]] = {}
        for x in (*(d for d in turn.drafts if d.modality != "asserted"), *turn.topics):
            if region[0] <= x.start < region[1]:
                named.setdefault(x.dimension, set()).update(x.components)
        return named

    def _several(self, turn: TurnState, region: tuple[int, int], candidates: list[Draft]) -> list[Draft]:
        """ "刚才两个回答都不算": the frames of the last so many turns, where a Chinese retraction names none and says how many."""
        m = None if self.english else self.says["how_many"].search(turn.canonical.text, *region)
        if m is None:
            return []
        many = {"整": 1, "三": 3, "仨": 3, "四": 4}.get(m["n"], 2)
        turns = sorted({d.turn for d in candidates})[-many:]
        return [d for d in candidates if d.turn in turns]

    def _of_whose_mood(self, turn: TurnState, topic) -> bool:
        """ "这整段划掉，那是隔壁班导师的心情": a Chinese word for how one feels, behind whose it is, names no statement."""
        text = turn.canonical.text
        if not self.says["feeling"].fullmatch(text, topic.start, topic.end):
            return False
        clause = turn.clauses.at(topic.start)
        return any(
            x.category == "subject_correction" and clause.start <= x.start < topic.start
            for x in turn.hits.get("withdrawal", ())
        )

    def _choose(
        self, turn: TurnState, h: Hit, region: tuple[int, int], candidates: list[Draft], dialogue: DialogueState
    ) -> list[Draft]:
        text = turn.canonical.text
        names = [d for d in turn.drafts if d.modality != "asserted" and region[0] <= d.start < region[1]]
        if self.english:  # "what I said about my mood, forget it": its own words, which answer nothing and name nothing
            names = [d for d in names if not (d.kind == "answer" and h.start <= d.start < h.end)]
        topics = [
            t
            for t in turn.topics
            if region[0] <= t.start < region[1] and not any(d.start <= t.start < d.end for d in names)
        ]
        if not self.english:
            topics = [t for t in topics if not self._of_whose_mood(turn, t)]
        naming = any(
            x.category == "named" and region[0] - 1 <= x.start < region[1] for x in turn.hits.get("assertion", ())
        )
        named = list(text[region[0] : region[1]])
        for t in turn.times:  # a time is no name, and neither are the affairs of then
            of = None if self.english else self.says["of_then"].match(text, t.end)
            for i in range(max(t.start, region[0]), min(of.end() if of else t.end, region[1])):
                named[i - region[0]] = " " if self.english else "，"
        for m in self.says["idiom"].finditer(text, *region):  # "I was pulling your leg": no leg was spoken of
            named[m.start() - region[0] : m.end() - region[0]] = " " * (m.end() - m.start())
        corrects = any(
            x.category == "subject_correction" and region[0] <= x.start < region[1] for x in turn.hits.get("withdrawal", ())
        )
        for x in turn.hits.get("subject", ()) if self.english and corrects else ():
            if x.category == "person":  # "that is my brother-in-law": whose it is, whoever else spoke of him
                for i in range(max(x.start, region[0]), min(x.end, region[1])):
                    named[i - region[0]] = " "
        of_correction = ("subject_correction",) if self.english else ("time_correction", "subject_correction", "time_points")
        for x in turn.hits.get("withdrawal", ()):  # nor is the correction itself: 说的是我姨，不是我自己
            if x.category in of_correction:
                for i in range(max(x.start, region[0]), min(x.end, region[1])):
                    named[i - region[0]] = " " if self.english else "，"
        words = self._content("".join(named))
        scores = {}
        for d in candidates if words else ():
            if d.turn == turn.index and region[0] <= d.start:
                # what stands in the retraction's own clause, before it, is named by the words behind it
                own = self._content(text[d.start : d.end]) & self._content(text[h.end : region[1]])
                scores[id(d)] = len(own) + 1 if own and self.english else 0
                continue
            scores[id(d)] = len(words & self._statement_words(d))
        best = max(scores.values(), default=0)
        by_words = (
            [d for d in candidates if scores.get(id(d), 0) >= max(1, best * (0.3 if self.english else 0.5))]
            if best
            else []
        )
        if not self.english and best < 2 and not naming:
            by_words = []
        dims: dict[str, set[str]] = {}
        for part in (*names, *topics):
            dims.setdefault(part.dimension, set()).update(part.components)
        if dims and (names or naming or topics):
            matching = [
                d
                for d in candidates
                if d.dimension in dims
                and (
                    ("ALL" in dims[d.dimension])
                    or "ALL" in d.components
                    or set(d.components) & dims[d.dimension]
                    or d.kind == "answer"
                )
            ]
            if not matching:
                matching = [d for d in candidates if d.dimension in dims]
            if self._names_the_whole_topic(turn, names, topics, region):
                return self._parts(matching, dims, turn, region, (*names, *topics), dialogue)
            whole = self._topics_named(turn, names, topics, region, candidates)
            if whole:
                matching += [d for d in candidates if d.dimension in whole and d not in matching]
                for dimension in whole:
                    dims[dimension].add("ALL")
            spoken = set() if whole else {id(d) for d in by_words}
            both = [d for d in matching if id(d) in spoken]
            if both:  # "not caring, the skates and getting no joy": each part names its own
                if self.english:
                    # "walking round the table and not sitting still": a name that shares one word beside one that shares four
                    called = set().union(*(self._content(text[t.start : t.end]) for t in (*names, *topics)))
                    own = by_words + [d for d in matching if called & self._statement_words(d)]
                else:
                    own = [d for d in candidates if self._named_by(d, names, turn)]
                both += [d for d in own if d not in both and d.dimension in dims]
                if self.english:  # "feeling useless, letting people down": a part whose words none repeats names a component
                    for name in names:
                        parts = {x for d in both if d.dimension == name.dimension for x in d.components}
                        if "ALL" not in (*parts, *name.components) and parts.isdisjoint(name.components):
                            both += [
                                d
                                for d in matching
                                if d.dimension == name.dimension and not set(d.components).isdisjoint(name.components)
                            ]
            if both:
                places = {(b.turn, b.clause.sentence if b.clause else -1) for b in both}
                matching = both + [
                    d
                    for d in matching
                    if id(d) not in spoken and (d.turn, d.clause.sentence if d.clause else -1) in places
                ]
            if both and not self.english:
                matching += [d for d in candidates if d not in matching and self._told_on(d, matching, candidates)]
            polarity = {
                d.polarity
                for d in names
                if d.sense in ("health", "symptom")
                and (
                    (d.polarity == "affirm") != (d.sense == "symptom")
                    or not self._names_either_way(turn, d.start, d.end)
                )
            }
            if len(polarity) == 1 and not self._names_a_topic(turn, names, topics, region):
                limited = [d for d in matching if d.polarity in polarity]
                if limited:
                    matching = limited
            if naming and names and not self.english:
                matching += self._named_beside(named, names, turn, region, matching, candidates)
            if (
                naming and matching
            ):  # "about the weeping and not waking up": a part that no lexicon knows names by its words
                for part in (*names, *topics):
                    for i in range(max(part.start, region[0]), min(part.end, region[1])):
                        named[i - region[0]] = " " if self.english else "，"
                rest = self._content("".join(named))
                matching += [
                    d
                    for d in candidates
                    if (d.dimension not in dims or self.english and dims[d.dimension].isdisjoint((*d.components, "ALL")))
                    and d not in matching
                    and len(rest & self._statement_words(d)) >= (1 if self.english else 2)
                ]
            if matching:
                whole = self._whole(matching, candidates)
                return self._parts(whole, dims, turn, region, (*names, *topics), dialogue)
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        if h.category != "retract" and previous is not None and previous.speaker == "interviewer":
            # "you said you can't eat, is that these two weeks?" "no, that was years ago"
            asked = [d for d in candidates if any(a.dimension == d.dimension for a in previous.asks)]
            if asked:
                return self._last_statement(asked)
        if h.category != "retract" and not naming:
            return self._last_statement(candidates)
        if naming and not by_words and not self.english and (said := self._in_its_words(named, candidates)):
            return self._whole(said, candidates)
        if by_words and (naming or best >= 1 and self.english or best >= 2):
            return self._whole(by_words, candidates)
        if naming and names and not self.english and self._said_without_frames(names, turn, candidates, dialogue):
            return []
        if self.english and not names and not topics and self._of_other_words(turn, h, region, dialogue):
            return []
        return self._several(turn, region, candidates) or self._last_statement(candidates)

    def _said_without_frames(
        self, names: list[Draft], turn: TurnState, candidates: list[Draft], dialogue: DialogueState
    ) -> bool:
        """Whether what a Chinese retraction names was said in words that made no frame: then nothing else is meant."""
        named = {
            word
            for d in names
            for word in re.split("讲|说|自己|觉得|感觉|认为|我|，|、", turn.canonical.text[d.start : d.end])
            if len(word) > 1
        }
        if not named or any(word in d.statement_text for word in named for d in candidates):
            return False
        return any(
            past.speaker == turn.speaker and any(word in past.canonical.text for word in named)
            for past in dialogue.turns[max(0, turn.index - _FAR_BACK) : turn.index]
        )

    def _of_other_words(
        self, turn: TurnState, h: Hit, region: tuple[int, int], dialogue: DialogueState
    ) -> bool:
        """Whether an English retraction is of words that made no frame: it names them by a noun, and the same speaker
        said it in an earlier turn ("scrap the bit about the vending machines"); or it calls a joke what the clause
        before it in the same turn would do ("I could strangle him, that's a joke")."""
        text = turn.canonical.text
        for x in turn.hits.get("assertion", ()):
            if x.category == "named" and region[0] - 1 <= x.start < region[1]:
                end = h.start if x.end < h.start else region[1]
                words = self._content(text[x.end : end])
                if words and any(
                    past.speaker == turn.speaker and words & self._content(past.canonical.text)
                    for past in dialogue.turns[max(0, turn.index - _FAR_BACK) : turn.index]
                ):
                    return True
        at = turn.clauses.at(h.start)
        before = text[turn.clauses[max(0, at.index - 1)].start - 1 : h.start + 1]
        return (
            self.says["jokes"].search(text, h.start, h.end) is not None
            and self.says["would_do"].search(before) is not None
            and self.says["of_words"].search(before) is None
        )

    def _names_either_way(self, turn: TurnState, start: int, end: int) -> bool:
        """ "How tired I am", "slowness": English words that name a thing and say neither that it is there nor that it is
        not."""
        text = turn.canonical.text
        return self.english and (
            self.says["bare_noun"].fullmatch(text, start, end) is not None
            or self.says["how_much"].search(text, max(0, start - 40), start) is not None
        )

    def _topics_named(
        self, turn: TurnState, names: list[Draft], topics: list, region: tuple[int, int], candidates: list[Draft]
    ) -> set[str]:
        """The dimensions of which an English retraction names the topic itself ("my sleep", "how tired I am"), or the
        parts as a list ("guilt and self-worth"), and no words of one statement beside."""
        if not self.english:
            return set()
        text = turn.canonical.text
        parts = [d for d in names if not _denied(d) and self._names_either_way(turn, d.start, d.end)]
        parts += [t for t in topics if t not in parts]
        found: dict[str, set[str]] = {}
        for part in parts:
            found.setdefault(part.dimension, set()).update(part.components)
            if isinstance(part, Draft) and part.mention is not None:  # "that thing about my eating": the topic inside of it
                found[part.dimension].update(c for x in part.mention.lost if x.sense == "topic" for c in x.components)
        out = set()
        for dimension, components in found.items():
            if "ALL" not in components and len(components) < 2:
                continue
            if any(d.dimension == dimension and d not in parts for d in names):
                continue  # "about feeling low, my mood": a statement is named as well
            left = list(text[region[0] : region[1]])
            for part in (*names, *topics):
                for i in range(max(part.start, region[0]), min(part.end, region[1])):
                    left[i - region[0]] = " "
            rest = self._content("".join(left))
            if not any(rest & self._statement_words(d) for d in candidates if d.dimension == dimension):
                out.add(dimension)
        return out

    def _names_a_topic(self, turn: TurnState, names: list[Draft], topics: list, region: tuple[int, int]) -> bool:
        """Whether the Chinese names of a retraction are of a topic, whichever way it was spoken of: beside a topic word
        of the same dimension, "愧疚和自我评价", or as a choice, "累不累"."""
        if self.english or not names:
            return False
        text = turn.canonical.text
        if any(t.dimension == d.dimension for t in topics for d in names):
            return True
        start, end = max(0, names[0].start - 2), min(region[1], names[-1].end + 4)
        return self.says["either_way"].search(text, start, end) is not None

    def _names_the_whole_topic(
        self, turn: TurnState, names: list[Draft], topics: list, region: tuple[int, int]
    ) -> bool:
        """Whether a Chinese retraction takes back all that was said of a topic: it names the topic and no single one of
        the statements about it (睡眠那句)."""
        if self.english or names and not self._names_a_topic(turn, names, topics, region):
            return False
        return self.says["one_statement"].search(turn.canonical.text, region[0], region[1]) is None

    def _only_part(self, turn: TurnState, region: tuple[int, int]) -> bool:
        """Whether a retraction, or the sentence behind it, says that it is of a part."""
        sentence = min(turn.clauses.at(region[1] - 1).sentence + 1, turn.clauses[-1].sentence)
        return (
            self.says["part_only"].search(turn.canonical.text, region[0], turn.clauses.sentence(sentence)[-1].end + 1)
            is not None
        )

    def _parts(
        self,
        whole: list[Draft],
        named: Mapping[str, Set[str]],
        turn: TurnState,
        region: tuple[int, int],
        names: tuple,
        dialogue: DialogueState,
    ) -> list[Draft]:
        """ "The part about waking, I withdraw that", 哭那一样我收回: of the frames of a statement, those that share a component
        with what is named as a part; all of them where nothing is. In English a second part can be named by its words
        alone ("the part about not dropping off and being awake at four")."""
        if not self._only_part(turn, region):
            return whole
        shared = [
            d
            for d in whole
            if "ALL" in d.components
            or "ALL" in named.get(d.dimension, ("ALL",))
            or not set(d.components).isdisjoint(named[d.dimension])
        ]
        if self.english and shared and len(shared) < len(whole):
            rest = list(turn.canonical.text)
            for n in names:
                rest[n.start : n.end] = " " * (n.end - n.start)
            words = self._content("".join(rest[region[0] : region[1]]))
            for d in shared:
                words -= self._content(dialogue.turns[d.turn].canonical.text[d.start : d.end])
            for d in whole:
                own = dialogue.turns[d.turn].canonical.text[d.start : d.end]
                if d not in shared and words & self._content(own):
                    shared.append(d)
        return shared or whole

    def _named_beside(
        self,
        named: list[str],
        names: list[Draft],
        turn: TurnState,
        region: tuple[int, int],
        matching: list[Draft],
        candidates: list[Draft],
    ) -> list[Draft]:
        """ "便当吃不到三口、掉四公斤那两句": what a Chinese list names in words that no lexicon knows, beside what it does: the
        statements that hold most of such a phrase."""
        rest = list(named)
        for part in names:
            for i in range(max(part.start, region[0]), min(part.end, region[1])):
                rest[i - region[0]] = "，"
        out: list[Draft] = []
        for phrase in re.split("[，。；？！：、和跟]+", "".join(rest)):
            pairs = self._content(phrase)
            if not pairs and (word := set(self.says["stop"].sub("", phrase))):
                # "怪自己、害了他、当妈没用那几句": one character that tells, of "都是我害的他"
                places = {(d.turn, d.dimension, d.polarity) for d in matching}
                beside = [d for d in candidates if (d.turn, d.dimension, d.polarity) in places]
                out += self._whole([d for d in beside if word.issubset(d.statement_text)], candidates)
            held = {id(d): len(pairs & self._statement_words(d)) for d in candidates}
            most = max(held.values(), default=0)
            if most < max(2, len(pairs) / 2) or any(held[id(d)] == most for d in matching):
                continue
            out += self._whole([d for d in candidates if held[id(d)] == most], candidates)
        return [d for d in out if not any(d is m for m in matching)]

    def _named_by(self, draft: Draft, names: list[Draft], turn: TurnState) -> bool:
        """Whether one of the names repeats the characters of a statement."""
        said = {(draft.dimension, draft.polarity): {_characters(draft.statement_text)}}
        if any(self._says_the_same(turn, name, said) for name in names):
            return True
        own = set(self.says["stop"].sub("", draft.statement_text))  # "都变慢了", named "动作讲话变慢"
        return len(own) > 1 and any(
            name.dimension == draft.dimension and own.issubset(turn.canonical.text[name.start : name.end])
            for name in names
        )

    @staticmethod
    def _told_on(draft: Draft, chosen: list[Draft], candidates: list[Draft]) -> bool:
        """ "心情怎么样？" "不好。一直低落，老哭。": whether a Chinese answer goes with what told more of it in its turn, all of
        which is taken back: more of the whole, or of the very part that it is about."""
        told = [
            d
            for d in candidates
            if d is not draft
            and (d.turn, d.dimension, d.polarity) == (draft.turn, draft.dimension, draft.polarity)
        ]
        more = told if "ALL" in draft.components else [d for d in told if not set(d.components).isdisjoint(draft.components)]
        return draft.kind == "answer" and bool(more) and all(d in chosen for d in told)

    def _in_its_words(self, named: list[str], candidates: list[Draft]) -> list[Draft]:
        """ "过不去啊怪我啊，那些话": the Chinese statements that hold a named phrase as it stands, however common its characters."""
        phrases = [p for p in re.split("[，。；？！：、啊呀呢嘛吧]+", "".join(named)) if 2 <= len(p) <= 8]
        phrases = [p for p in phrases if len(self.says["stop"].sub("", p)) > 1]  # 都这样 and 我说的是 name nothing
        return [d for d in candidates if any(p in d.statement_text for p in phrases)]

    @staticmethod
    def _split(draft: Draft, named: Set[str], dialogue: DialogueState, said: Said) -> None:
        """Leaves in `draft` the components that are named, and what else it said in a draft beside it."""
        rest = tuple(c for c in draft.components if c not in named)
        if not rest or len(rest) == len(draft.components) or "ALL" in draft.components:
            return
        other = replace(draft, components=rest, cues=list(draft.cues))
        draft.components = tuple(c for c in draft.components if c in named)
        dialogue.turns[draft.turn].drafts.append(other)
        said.live.append(other)

    def _whole(self, chosen: list[Draft], candidates: list[Draft]) -> list[Draft]:
        """One statement can hold several frames: those of the same sentence, dimension and polarity go with it."""
        places = {(d.turn, d.clause.sentence if d.clause else -1, d.dimension, d.polarity) for d in chosen}
        spans = {(d.turn, d.statement, d.polarity) for d in chosen}
        own = {id(d) for d in chosen}
        whole = [
            d
            for d in candidates
            if id(d) in own
            or (d.turn, d.statement, d.polarity) in spans
            or (d.turn, d.clause.sentence if d.clause else -1, d.dimension, d.polarity) in places
        ]
        return whole + self._elaborations(whole, candidates) if self.english else whole

    def _elaborations(self, chosen: list[Draft], candidates: list[Draft]) -> list[Draft]:
        """ "I get no joy out of the piano. The notes leave me cold.": a sentence beside it that says the same of the same
        component is part of the statement, and falls with the one whose words are named."""
        sentences: dict[tuple[int, str, str], set[int]] = {}
        components: dict[tuple[int, str, str], set[str]] = {}
        for d in chosen:
            if d.clause is not None and d.subject == "participant":
                sentences.setdefault((d.turn, d.dimension, d.polarity), set()).add(d.clause.sentence)
                components.setdefault((d.turn, d.dimension, d.polarity), set()).update(d.components)
        taken = {id(d) for d in chosen}
        out = []
        for d in candidates:
            at = (d.turn, d.dimension, d.polarity)
            if id(d) in taken or d.clause is None or at not in sentences or d.subject != "participant":
                continue
            if components[at].isdisjoint(d.components) and "ALL" not in (*components[at], *d.components):
                # "I've lost interest in skating. My friends text me about it and I leave them on read."
                alike = components[at] <= _INTEREST and _INTEREST.issuperset(d.components)
                if not alike or self.says["takes_up_thing"].search(d.statement_text) is None:
                    continue
            if self.says["adds"].search(d.statement_text) is not None:
                continue  # "I cry at work. I also cry at home.": one thing more
            if any(abs(d.clause.sentence - s) == 1 for s in sentences[at]):
                sentences[at].add(d.clause.sentence)
                out.append(d)
        return out

    def _last_statement(self, candidates: list[Draft]) -> list[Draft]:
        last = candidates[-1]
        out = [last]
        # of several dimensions, where its words say something of each
        dims = {d.dimension for d in candidates if (d.turn, d.start, d.end) == (last.turn, last.start, last.end)}
        for d in reversed(candidates[:-1]):
            if d.turn != last.turn:
                break
            together = d.clause is not None and last.clause is not None and d.clause.sentence == last.clause.sentence
            if (
                d.dimension in dims
                and (d.polarity == last.polarity or together)
                or d.statement == last.statement
                or together
                and d.polarity == last.polarity
                and (d.end > last.start or d.clause.start == last.clause.start)  # "my sleep and appetite are bad"
                or together
                and self.english
                and self._leads_to(d, last)
            ):
                out.append(d)
        return out

    def _leads_to(self, first: Draft, last: Draft) -> bool:
        """ "I feel so low I can hardly talk": whether the clause of one frame is how much, and that of the other what comes
        of it."""
        a, b = first.clause, last.clause
        return (
            a is not None
            and b is not None
            and b.index == a.index + 1
            and self.says["so_much"].search(first.statement_text) is not None
        )

    def _content(self, text: str) -> Set[str]:
        """The words that can name something; in Chinese, pairs of characters."""
        return _words(text, self.says.words("stop")) if self.english else _pairs(text, self.says["stop"])

    def _statement_words(self, d: Draft) -> Set[str]:
        if d.statement_words is None:
            d.statement_words = self._content(d.statement_text)
        return d.statement_words

    # what it newly says ---------------------------------------------------------------------------

    def _other_answer(self, draft: Draft, turn: TurnState, h: Hit) -> Draft | None:
        """ "Sorry, I meant no": the answer that stands in place of the one taken back."""
        m = self.says["other_answer"].search(turn.canonical.text, h.start, h.end)
        if m is None or h.category != "retract" or draft.kind != "answer":
            return None
        polarity = "affirm" if (m["answer"] == "yes") == (draft.sense == "symptom") else "deny"
        if polarity == draft.polarity:
            return None
        fresh = replace(
            draft,
            polarity=polarity,
            turn=turn.index,
            start=m.start(),
            end=m.end(),
            withdrawn_by=None,
            cues=list(draft.cues[:-1]),
            clause=turn.clauses.at(h.start),
            kind="correction",
            statement=(h.start, h.end),
        )
        fresh.cues.append(CueNote("polarity", polarity, h.rule, turn.index, h.start, h.end))
        return fresh

    def _corrected(self, draft: Draft, turn: TurnState, h: Hit, region: tuple[int, int]) -> Draft | None:
        clause = turn.clauses.at(h.start)
        fresh = replace(
            draft,
            turn=turn.index,
            start=h.start,
            end=h.end,
            withdrawn_by=None,
            cues=list(draft.cues[:-1]),
            clause=clause,
            kind="correction",
            statement=(region[0], region[1]),
            mention=None,
        )
        if h.category == "time_correction":
            times = [t for t in turn.times if region[0] <= t.start <= region[1] + 40 and t.interval is not None]
            times = [
                t for t in times if not self.says["not_then"].search(turn.canonical.text[: t.start])
            ] or times  # "it was not this week"
            if not times:
                return None
            if repairs := [m.end() for m in self.says["announces"].finditer(turn.canonical.text, h.start, region[1])]:
                times = [t for t in times if t.start >= repairs[-1]] or times  # "上礼拜，不对，是上上个月"
            words = turn.canonical.text[h.start : h.end]
            t = times[-1] if self.says["says_not"].search(words) else times[0]
            fresh.time, fresh.timed = t.interval, "own"
            fresh.cues.append(CueNote("time", t.interval, h.rule, turn.index, t.start, t.end))
        else:
            fresh.subject = "other"
            fresh.cues.append(CueNote("subject", "other", h.rule, turn.index, h.start, h.end))
        return fresh


@lru_cache(maxsize=1024)  # the frames of one statement share its text
def _words(text: str, stop: Set[str]) -> Set[str]:
    return frozenset(stem(w) for w in text.split() if w.isalpha() and w not in stop and len(w) > 2)


@lru_cache(maxsize=1024)
def _pairs(text: str, stop: re.Pattern[str]) -> Set[str]:
    clean = stop.sub("，", text)
    pairs = (clean[i : i + 2] for i in range(len(clean) - 1))
    return frozenset(pair for pair in pairs if not re.search("[，。；？！：、]", pair))


@lru_cache(maxsize=1024)
def _characters(text: str) -> Set[str]:
    return frozenset(text)
