"""Which earlier frames a retraction takes back (contract, section 3, operation 4; section 2, "What a retraction names")."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from functools import lru_cache

from ..cues import Hit
from ..turns.logic import CueNote, DialogueState, Draft, Said, TurnState, between

_EN_STOP = frozenset(
    "i you he she it we they me my your his her our their a an the that this those these what all of to in on at for with about from and or but not no is am are was were be been have has "
    "had do did does will would can could said say says told tell talk talking thing things stuff part bit business out back take took scratch strike forget ignore cross off record please "
    "just really actually earlier before now then when so like well yes okay oh hang hold wait sorry one some any there here lately every day days time times get got go going been being as by "
    "if how much lot alot very too up down over again more last first go know think mean meant true lie wrong word made feel feeling felt put want let us them him maybe only even still also who "
    "whole line question answer cannot never always since 's much file chart doctor doc down write written drop toss mistake misspoke".split()
)
_ZH_STOP = re.compile(
    "[我你您他她的了是不没有在这那就都也说话话句刚才前面头那个这个一下些什么吧啊呢嘛收回作废算数错假编瞎记写医生大夫其实真把给它别当重来问题时候觉得因为]"
)


_ZH_NAMING = re.compile(
    "(?:那|这)(?:一)?(?:几句|句|段|番|些话|话|茬|道题|个题|题|块|条|部分|一套|点)|的(?:话|说法|陈述|内容|描述|回答|表述|那些)$|(?:那|这)个(?:$|(?=要|得|不|是|你|您|说|讲|给|请))"
)


_ZH_NAMED_AFTER = re.compile(
    "(?:这|那|以上|上面)(?:一)?(?:几句|串|句|段|番|些话|些|话|几样|几条|条|两句|三句|两条|两样|个)(?:话|都|我|您|你|请|全|不|得|要|给|是|麻烦|通|，)"
)


_ALL_OF_IT = {
    True: re.compile(r" (?:all (?:of )?(?:that|it|this|those|them)|both of (?:those|them)|the whole thing|the lot) "),
    False: re.compile("都|全|通通|统统|一概|一并"),
}
# all that was said, inside the retraction: "forget everything I said"
_EVERYTHING = re.compile(
    r"(?:everything|anything|whatever|all|all of (?:it|that|what)|every word|the whole thing|the whole lot) (?:that )?(?:i |i have |i just |i 've )(?:said|told|claimed|mentioned|been)|all of it|every word"
)
# a subject right before the verb tells what somebody does: "I skip it most days"
_EN_TOLD = re.compile(
    r" (?:i|we|you|he|she|they|always|just|usually|often|sometimes|never|not|keep|then|who) (?:(?:always|just|usually|often|sometimes|never|even|all|also|still) )?$"
)
_EN_THINGS = re.compile(
    r"(?:scratch|skip|drop|lose|toss|bin|ditch|forget|ignore|wipe|chuck|cut|throw|wash|leave|cross) "
)
# somebody else who jokes or lies: 他开玩笑惹我
_ZH_OTHERS = re.compile(
    "(?:他|她|他们|她们|人家|别人|同事|老板|领导|朋友|老公|老婆|爱人|妈|爸|同学|室友)(?:总|老|又|经常|常常|整天|就爱|爱|喜欢|在|是)?$"
)


class Withdrawer:
    """Marks withdrawn drafts, turn by turn, and adds what a correction newly says."""

    def __init__(self, language: str):
        self.english = language == "en"
        self.language = language

    def apply(self, turn: TurnState, dialogue: DialogueState) -> list[Draft]:
        """Sets `withdrawn_by` on earlier drafts of the same speaker; returns new drafts (corrected time or subject)."""
        hits = [x for x in (self._settled(turn, h, dialogue) for h in turn.hits.get("withdrawal", ())) if x is not None]
        if not hits or turn.speaker == "interviewer":
            return []
        new: list[Draft] = []
        everything = [
            h
            for h in hits
            if h.category == "everything" or _EVERYTHING.search(turn.canonical.text, h.start, h.end + 24)
        ]
        done_until = -1
        for h in hits:
            if h.category == "everything" or h.start < done_until:
                continue
            near = 90 if self.english else 40
            aside = re.match(
                r"(?:no|wait|oh|hold|sorry|actually|hang) "
                if self.english
                else "[啊哎哦呃]?不(?:对|是)|打住|等等|等一?下|慢着|且慢",
                turn.canonical.text[h.start : h.end],
            )
            if aside and any(
                x.category == "retract"
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
            if h.category in ("time_correction", "subject_correction") and not self._corrects(turn, h, hits):
                continue
            if h.category == "retract" and self._answers_instead(turn, h, dialogue):
                continue
            if h.category == "retract" and self._says_again(turn, h, hits, done_until):
                continue
            self._restated(turn, h, dialogue)
            region = self._region(turn, h)
            candidates = self._candidates(turn, h, region, dialogue)
            if not candidates:
                continue
            if any(region[0] <= e.start <= region[1] for e in everything):
                chosen = candidates
            else:
                chosen = self._choose(turn, h, region, candidates, dialogue)
            if chosen and _ALL_OF_IT[self.english].search(turn.canonical.text, region[0], min(region[1], h.end + 12)):
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
            for draft in chosen:
                draft.withdrawn_by = turn.index
                draft.cues.append(CueNote("withdrawn_by", turn.index, h.rule, turn.index, h.start, h.end))
                for x in corrections[:1]:
                    fresh = self._corrected(draft, turn, x, region)
                    if fresh is not None:
                        new.append(fresh)
            done_until = region[1] if h.category == "retract" else h.end
        return new

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
                if d.modality == "asserted":
                    words = self._statement_words(d) if self.english else _characters(d.statement_text)
                    said.alike.setdefault((d.dimension, d.polarity), set()).add(words)
        said.fresh.clear()
        return said

    def _settled(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> Hit | None:
        """A hit, None where its words do something else: "I drop the kids off", 他开玩笑惹我."""
        if h.category not in ("retract", "retract_named"):
            return h
        text = turn.canonical.text
        if any(m.sense == "symptom" and m.start < h.start < m.end and h.end <= m.end + 4 for m in turn.mentions):
            return None  # the mention's own words: "lose track and forget what I said"
        if self.english:
            told = _EN_TOLD.search(text[: h.start]) is not None and _EN_THINGS.match(text[h.start : h.end]) is not None
            if h.category == "retract":
                return None if told else h
            if told:
                return None
            clause = turn.clauses.at(h.start)
            named = any(h.start <= d.start < clause.end for d in (*turn.drafts, *turn.topics))
            if not named:
                words = self._content(text[h.start : h.end], h.start, turn)
                named = not words.isdisjoint(self._said(turn, dialogue).words) or any(
                    words & self._statement_words(d) for d in turn.drafts if d.end < h.start
                )
            return replace(h, category="retract") if named else None
        return None if _ZH_OTHERS.search(text[: h.start]) else h

    @staticmethod
    def _says_again(turn: TurnState, h: Hit, hits: list[Hit], done_until: int) -> bool:
        """ "That's not true. I take that back.": the second retraction takes back nothing more, unless it names something."""
        before = [x for x in hits if x.category == "retract" and x.end <= h.start]
        if done_until < 0 or not before:
            return False
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        return not any(before[-1].end <= d.start < sentence[-1].end for d in (*turn.drafts, *turn.topics)) and not any(
            x.category in ("named", "quoted") and before[-1].end <= x.start < sentence[-1].end
            for x in turn.hits.get("assertion", ())
        )

    def _repeats(self, draft: Draft, turn: TurnState, dialogue: DialogueState) -> bool:
        """Whether an earlier turn of the same speaker holds a frame of the same dimension."""
        return draft.dimension in self._said(turn, dialogue).dimensions

    def _restated(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> None:
        """What repeats an earlier statement just before a retraction names it: "I said I can't sleep. That's not true."."""
        at = turn.clauses.at(h.start)
        # a sentence that begins by naming names to its end: "What I said about being useless and letting them down. Cross it out."
        # only what stands in the two sentences before is restated
        near = next((c for s in (-2, -1, 0) for c in turn.clauses.sentence(at.sentence + s)), at)
        earliest = near.start if near.index else 0
        beside = [d for d in turn.drafts if earliest <= d.start]
        naming = {
            turn.clauses.at(x.start).sentence
            for x in between(turn.hits.get("assertion", []), earliest, h.start)
            if x.category == "named"
            and x.start - turn.clauses.sentence(turn.clauses.at(x.start).sentence)[0].start <= 16
        }
        for draft in beside if naming else ():
            sentence = turn.clauses.at(draft.start).sentence
            if sentence in naming and sentence < at.sentence <= sentence + 2 and draft.modality == "asserted":
                draft.modality = "quoted"
                draft.cues.append(
                    CueNote(
                        "modality", "quoted", f"{self.language}.withdrawal.named_sentence", turn.index, h.start, h.end
                    )
                )
        earlier = self._said(turn, dialogue).alike
        for draft in beside:
            where = turn.clauses.at(draft.start)
            if (
                draft.modality != "asserted"
                or draft.start >= h.start
                or at.sentence - where.sentence > 2
                or draft.kind != "mention"
            ):
                continue
            own = turn.canonical.text[draft.start : draft.end]
            words = self._content(own, 0, turn)
            clause = turn.clauses.at(draft.start)
            after = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else clause
            if (
                not self.english
                and where.sentence == at.sentence
                and any(
                    _ZH_NAMED_AFTER.match(turn.canonical.text[c.start : c.end + 12])
                    for c in turn.clauses[clause.index + 1 : max(at.index, clause.index + 1) + 1]
                )
            ):
                draft.modality = "quoted"
                draft.cues.append(
                    CueNote("modality", "quoted", "zh.withdrawal.naming", turn.index, after.start, after.end)
                )
                continue
            if (
                not self.english
                and where.sentence == at.sentence
                and _ZH_NAMING.search(turn.canonical.text[draft.end : clause.end] or "")
            ):
                draft.modality = "quoted"
                draft.cues.append(
                    CueNote("modality", "quoted", "zh.withdrawal.naming", turn.index, clause.start, clause.end)
                )
                continue
            if not words:
                continue
            for old in earlier.get((draft.dimension, draft.polarity), ()):
                # Chinese restates in fewer words ("心口坠铅" of "心口像坠了块铅"): characters, not pairs
                again = (
                    len(words & old) * 2 >= len(words)
                    if self.english
                    else len(old.intersection(own)) * 10 >= len(set(own)) * 7
                )
                if again:
                    draft.modality = "quoted"
                    draft.cues.append(
                        CueNote(
                            "modality", "quoted", f"{self.language}.withdrawal.restated", turn.index, h.start, h.end
                        )
                    )
                    break

    # when it is none ---------------------------------------------------------------------------

    def _answers_instead(self, turn: TurnState, h: Hit, dialogue: DialogueState) -> bool:
        """ "That's not true" right after an interviewer's statement is an answer to it."""
        text = turn.canonical.text
        words = text[h.start : h.end]
        plain = (
            re.search(r"not (?:true|so|right|correct)", words)
            if self.english
            else re.search("没这回事|没那回事|不是真的|不是那么回事|不是这么回事|不对", words)
        )
        if not plain:
            return False
        before = text[: h.start].strip(" ,.。，")
        if len(before.split()) > 2 if self.english else len(before) > 3:
            return False
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        return (
            previous is not None
            and previous.speaker == "interviewer"
            and any(a.form in ("statement", "yes_no") for a in previous.asks)
        )

    def _corrects(self, turn: TurnState, h: Hit, hits: list[Hit]) -> bool:
        """A correction of time or person stands at the start of its clause, after the statement, or beside a retraction."""
        if any(x.category == "retract" and abs(x.start - h.start) < (90 if self.english else 40) for x in hits):
            return False  # the retraction takes it along
        text = turn.canonical.text
        if h.category == "time_correction":
            words = text[h.start : h.end]
            if self.english:
                if (
                    re.match(r"(?:i|actually i|no i|sorry i|i really|i actually) ", words)
                    and "mean" in words
                    or "was not" in words
                    or "were not" in words
                    or re.match(r"(?:no|wait|actually|sorry|hold|hang|oh) ", words)
                    or "mixed" in words
                    or "wrong" in words
                ):
                    return any(
                        t.interval is not None and h.start <= t.start <= h.end + 40 or h.start <= t.end <= h.end + 40
                        for t in turn.times
                    )
                return self._only_dates(turn, h)
            return bool(re.search("不是(?:说)?(?:这|最近|现在|本周|上周)|记错|搞错|弄错|说错|说的是|指的是|讲的是|意思是", words))
        words = text[h.start : h.end]
        head = text[max(0, h.start - 14) : h.start]
        if self.english:
            if re.match(
                r"(?:that|it|this|those) (?:is|was|were) (?:\w+ ){0,2}?(?:my|about my|her|him|his|our) ", words
            ):
                # "that is my brother" as a correction: no, wait, not me
                return (
                    re.search(r"(?:no|wait|sorry|actually|not me|oh|hang on|hold on|mean) (?:, )?$", head) is not None
                    or "not me" in text[h.start : h.end + 10]
                )
            return (
                "not me" in words
                or "not about me" in words
                or "describing" in words
                or "talking about" in words
                and re.search(r"(?:actually|no|sorry|really|wait|was) ", words + head) is not None
                and turn.index > 0
                or "mixed" in words
                or "confus" in words
                or "muddled" in words
            )
        return re.search("不是|其实|刚才|说的是|讲的是|替|帮|身上|说成|当成|混", words) is not None

    @staticmethod
    def _only_dates(turn: TurnState, h: Hit) -> bool:
        """ "Sorry, that was last year." as all that is said: the statement before was about then."""
        clause = turn.clauses.at(h.start)
        return (
            clause.sentence == 0
            and re.match(r"(?:that|it|those|this) ", turn.canonical.text[h.start :]) is not None
            and not any(d.kind == "mention" for d in turn.drafts)
            and len(turn.canonical.text[: h.start].split()) <= 8
        )

    # what it names -------------------------------------------------------------------------------

    def _region(self, turn: TurnState, h: Hit) -> tuple[int, int]:
        """The stretch in which the retraction names what it takes back: its own clause and those that hang on it,
        bounded by statements of their own."""
        clause = turn.clauses.at(h.start)
        last = turn.clauses.at(max(h.start, h.end - 1))
        low = turn.clauses[clause.index - 7].start if clause.index > 7 else 0  # no farther than it looks below
        busy = {
            turn.clauses.at(d.start).index
            for d in turn.drafts
            if d.start >= low
            and d.modality == "asserted" and not (h.start <= d.start < h.end)
        }
        first = clause.index
        steps = 0
        while first > 0 and steps < 6:
            previous = turn.clauses[first - 1]
            if previous.index in busy:
                break
            if (
                previous.sentence != clause.sentence
                and not any(
                    d.modality == "quoted" and turn.clauses.at(d.start).sentence == previous.sentence
                    for d in turn.drafts
                )
                and not any(
                    x.category == "named" and previous.start <= x.start < previous.end
                    for x in turn.hits.get("assertion", ())
                )
                and steps > 0
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
        return turn.clauses[first].start, turn.clauses[end].end

    def _candidates(self, turn: TurnState, h: Hit, region: tuple[int, int], dialogue: DialogueState) -> list[Draft]:
        here = []
        for d in turn.drafts:
            if d.withdrawn_by is not None or d.modality != "asserted":
                continue
            if d.start >= h.start or region[0] <= d.start and self._names(turn, d):
                continue
            here.append(d)
        here.sort(key=lambda d: (d.start, d.end))
        return [d for d in self._said(turn, dialogue).live if d.withdrawn_by is None] + here

    @staticmethod
    def _names(turn: TurnState, d: Draft) -> bool:
        return d.modality == "quoted"

    def _choose(
        self, turn: TurnState, h: Hit, region: tuple[int, int], candidates: list[Draft], dialogue: DialogueState
    ) -> list[Draft]:
        text = turn.canonical.text
        names = [d for d in turn.drafts if d.modality != "asserted" and region[0] <= d.start < region[1]]
        topics = [
            t
            for t in turn.topics
            if region[0] <= t.start < region[1] and not any(d.start <= t.start < d.end for d in names)
        ]
        naming = any(
            x.category == "named" and region[0] - 1 <= x.start < region[1] for x in turn.hits.get("assertion", ())
        )
        named = list(text[region[0] : region[1]])
        for t in turn.times:  # a time is no name
            for i in range(max(t.start, region[0]), min(t.end, region[1])):
                named[i - region[0]] = " " if self.english else "，"
        words = self._content("".join(named), region[0], turn)
        scores = {}
        for d in candidates if words else ():
            if d.turn == turn.index and region[0] <= d.start:
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
        dims = {d.dimension: set(d.components) for d in names}
        for t in topics:
            dims.setdefault(t.dimension, set()).update(t.components)
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
            spoken = {id(d) for d in by_words}
            both = [d for d in matching if id(d) in spoken]
            if both:
                places = {(b.turn, b.clause.sentence if b.clause else -1) for b in both}
                matching = both + [
                    d for d in matching if id(d) not in spoken and (d.turn, d.clause.sentence if d.clause else -1) in places
                ]
            polarity = {d.polarity for d in names if d.sense in ("health", "symptom")}
            if len(polarity) == 1:
                limited = [d for d in matching if d.polarity in polarity]
                if limited:
                    matching = limited
            if matching:
                return self._whole(matching, candidates)
        previous = dialogue.turns[turn.index - 1] if turn.index else None
        if h.category != "retract" and previous is not None and previous.speaker == "interviewer":
            # "you said you can't eat, is that these two weeks?" "no, that was years ago"
            asked = [d for d in candidates if any(a.dimension == d.dimension for a in previous.asks)]
            if asked:
                return self._last_statement(turn, h, asked)
        if h.category != "retract" and not naming:
            return self._last_statement(turn, h, candidates)
        if by_words and (naming or best >= 1 and self.english or best >= 2):
            return self._whole(by_words, candidates)
        return self._last_statement(turn, h, candidates)

    def _whole(self, chosen: list[Draft], candidates: list[Draft]) -> list[Draft]:
        """One statement can hold several frames: those of the same sentence, dimension and polarity go with it."""
        places = {(d.turn, d.clause.sentence if d.clause else -1, d.dimension, d.polarity) for d in chosen}
        spans = {(d.turn, d.statement) for d in chosen}
        own = {id(d) for d in chosen}
        return [
            d
            for d in candidates
            if id(d) in own
            or (d.turn, d.statement) in spans
            or (d.turn, d.clause.sentence if d.clause else -1, d.dimension, d.polarity) in places
        ]

    def _last_statement(self, turn: TurnState, h: Hit, candidates: list[Draft]) -> list[Draft]:
        last = candidates[-1]
        out = [last]
        for d in reversed(candidates[:-1]):
            if d.turn != last.turn:
                break
            together = d.clause is not None and last.clause is not None and d.clause.sentence == last.clause.sentence
            if (
                d.dimension == last.dimension
                and (d.polarity == last.polarity or together)
                or d.statement == last.statement
            ):
                out.append(d)
        return out

    def _content(self, text: str, start: int, turn: TurnState) -> Set[str]:
        return _words(text, self.english)

    def _statement_words(self, d: Draft) -> Set[str]:
        if d.statement_words is None:
            d.statement_words = _words(d.statement_text, self.english)
        return d.statement_words

    # what it newly says ---------------------------------------------------------------------------

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
                t for t in times if not re.search(r"(?: not |不是|不是说)$", turn.canonical.text[: t.start])
            ] or times  # "it was not this week"
            if not times:
                return None
            words = turn.canonical.text[h.start : h.end]
            t = times[-1] if re.search(r"\bnot\b|不是", words) else times[0]
            fresh.time, fresh.timed = t.interval, "own"
            fresh.cues.append(CueNote("time", t.interval, h.rule, turn.index, t.start, t.end))
        else:
            fresh.subject = "other"
            fresh.cues.append(CueNote("subject", "other", h.rule, turn.index, h.start, h.end))
        return fresh


@lru_cache(maxsize=1024)  # the frames of one statement share its text
def _words(text: str, english: bool) -> Set[str]:
    if english:
        return frozenset(_stem(w) for w in text.split() if w.isalpha() and w not in _EN_STOP and len(w) > 2)
    clean = _ZH_STOP.sub("，", text)
    pairs = (clean[i : i + 2] for i in range(len(clean) - 1))
    return frozenset(pair for pair in pairs if not re.search("[，。；？！：、]", pair))


@lru_cache(maxsize=1024)
def _characters(text: str) -> Set[str]:
    return frozenset(text)


def _stem(word: str) -> str:
    for tail in ("ing", "ed", "es", "s"):
        if word.endswith(tail) and len(word) - len(tail) >= 3:
            return word[: -len(tail)]
    return word
