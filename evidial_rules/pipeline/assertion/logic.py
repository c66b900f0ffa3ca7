"""Polarity, strength and modality of a mention (contract, section 3, operation 3)."""

from __future__ import annotations

import re

from ..clauses.logic import Clause
from ..cues import Hit
from ..terms.logic import Mention
from ..turns.logic import CueNote, Draft, TurnState, between

FORWARD = ("negation", "negation_noun", "weak_negation", "double")

# What may stand between a Chinese negation and what it negates. Anything else is another predicate.
_ZH_BRIDGE = re.compile(
    "(?:嫌|觉|感|见|显|对[^，]{1,6}(?=失去|没|有|感|提|产)|什么|啥|特别|太|很|那么|这么|怎么|再|过|有|出现|感到|觉得|感觉|发生|经常|总是|一直|明显|任何|多少|真的|真|像|以前|那种|这种|一点|的|得|是|会|到|那样|自己|"
    "存在|容易|轻易|随便|真正|当真|发现|注意到|经历|体验|遇到|碰到|见|想|老|老是|常|因此|因为这个|说|半点|一丝|丝毫|严重|那|这|些|了|出|上|下|去|能|要|算|非常|十分|多|人|一|个|次|种|整天|每天|天天|我|您|所谓|持续|长期|变得|变|越来越|比较|"
    "产生|动|起|冒|有点|有些|让|跟|和|或|、|与|及|或者|还是|以及|情况|的情况|现象|问题|表现|念头|想法|最近|这段时间|当中|其他|别的|常常|什么的|说是|那般|如此|认为|以为|打算|想要|去|做|试图|尝试|抱|抱有|怀|受|受到|影响|到我|的)*"
)
_EN_STOP = re.compile(r" (?:but|except|because|although|though|however|so that|that is|whereas|instead) ")
_VERBLESS_NO = re.compile(r" (?:i|he|she|they|we) ")
_EN_OR = re.compile(r" (?:or|nor|neither) ")
_POSITIVE_HEAD = re.compile(r"^ ?(?:just|only|always|still|definitely|certainly) ")


class Asserter:
    """Sets polarity, strength and modality of the draft of a mention."""

    def __init__(self, language: str):
        self.english = language == "en"

    def draft(self, turn: TurnState, mention: Mention) -> Draft:
        clause = turn.clauses.at(mention.start)
        draft = Draft(
            mention.dimension,
            mention.components,
            "affirm",
            "definite",
            turn.index,
            mention.start,
            mention.end,
            turn.speaker,
            mention.rule,
            mention=mention,
            clause=clause,
            sense=mention.sense,
            statement=(clause.start, max(clause.end, mention.end)),
        )
        draft.cues.append(
            CueNote("components", list(mention.components), mention.rule, turn.index, mention.start, mention.end)
        )
        for lost in mention.lost:
            draft.cues.append(
                CueNote("components", list(lost.components), lost.rule, turn.index, lost.start, lost.end, mention.rule)
            )
        negations = self.negations(turn, mention, clause)
        self._polarity(draft, mention, negations, turn)
        self._hedge(draft, turn, clause, mention)
        self._modality(draft, turn, clause, mention, negations)
        return draft

    # polarity ----------------------------------------------------------------------------------

    def _polarity(self, draft: Draft, mention: Mention, negations: list[Hit], turn: TurnState) -> None:
        count = sum(2 if h.category == "double" else 1 for h in negations)
        weak = [h for h in negations if h.category in ("weak_negation", "weak_after")]
        normal = [
            h
            for h in turn.cues("assertion", "normal")
            if mention.start - 14 <= h.end <= mention.start and turn.clauses.at(h.start) is draft.clause
        ]
        negative = count % 2 == 1
        sense = mention.sense
        polarity, strength = "affirm", "definite"
        if sense == "symptom":
            if negative:
                polarity = "deny"
                if weak or mention.negated == "weak":
                    strength = "indicator"
                if mention.if_negated:
                    draft.components = mention.if_negated
            elif normal:
                polarity, strength = "deny", "indicator"
                draft.cues.append(
                    CueNote("strength", "indicator", normal[-1].rule, turn.index, normal[-1].start, normal[-1].end)
                )
        elif sense == "health":
            if not negative:
                polarity = "deny"
                if mention.if_negated:
                    draft.components = mention.if_negated
        elif sense == "weak_health":
            if not negative:
                polarity, strength = "deny", "indicator"
        elif sense == "weak_symptom":
            polarity, strength = ("deny" if negative else "affirm"), "indicator"
        else:  # remark, change, proxy
            polarity, strength = "affirm", "indicator"
            if sense == "proxy" and negative:
                draft.modality = "idiom"  # "I don't take sleeping pills" says nothing of sleep
        draft.polarity, draft.strength = polarity, strength
        base = "deny" if sense in ("health", "weak_health") else "affirm"
        draft.cues.append(
            CueNote(
                "polarity",
                base,
                mention.rule,
                turn.index,
                mention.start,
                mention.end,
                negations[0].rule if negations and base != polarity else None,
            )
        )
        for h in negations:
            draft.cues.append(CueNote("polarity", polarity, h.rule, turn.index, h.start, h.end))
        if strength == "indicator":
            by = (weak or negations or [None])[0]
            draft.cues.append(
                CueNote(
                    "strength",
                    "indicator",
                    by.rule if by else mention.rule,
                    turn.index,
                    by.start if by else mention.start,
                    by.end if by else mention.end,
                )
            )

    def negations(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        """The negations that reach the mention, in order."""
        cues = (
            turn.cues("assertion", *FORWARD)
            if self.english
            else turn.cues(
                "assertion",
                *FORWARD,
                "negation_after",
                "weak_after",
                *(("inability",) if mention.sense == "health" else ()),
            )
        )
        found: list[Hit] = []
        near: list[
            Hit
        ] = []  # those of its own clause: of these the nearest counts, for "never had no problem" is one negation
        for h in cues:
            inside = mention.start <= h.start and h.end <= mention.end
            if inside:
                if any(a <= h.start and h.end <= b for a, b in mention.open):
                    found.append(h)
                continue
            # a cue that runs into the mention counts if it began before it, and the mention does not hold its negation itself
            if h.start < mention.start < h.end and h.category == "double":
                # "not without" + "without hope": one of the two is the mention's own
                held = turn.canonical.text[mention.start : h.end]
                own = re.search(r" (?:without|no) ", " " + held) is not None or held in ("不", "没")  # 没有 + 不专心
                found.append(Hit(h.component, "negation", h.value, h.start, mention.start, h.rule) if own else h)
                continue
            if h.start > mention.end:
                break  # in order of start: what is behind the mention is `_after`'s
            if (
                self.english
                and h.end <= mention.start
                and turn.canonical.text.count(" ", h.end, mention.start) > 9
                and turn.clauses.at(h.start) is clause
            ):
                continue  # farther than any reaches; asked first, because it costs least
            if any(
                o is not mention
                and o.start <= h.start
                and h.end <= o.end <= mention.start  # one that runs into this mention is a rival reading of the words
                and not any(a <= h.start and h.end <= b for a, b in o.open)
                for o in between(turn.mentions, h.start - 60, h.start + 1)
            ):
                continue  # the negation is another symptom's own ("nothing in the tank")
            if h.start < mention.start < h.end and re.search(
                r" (?:not|never|no) ", " " + turn.canonical.text[h.start : mention.start]
            ):
                # "do not think" + "think about suicide": the verb is the mention's own
                h = Hit(h.component, "negation", h.value, h.start, mention.start, h.rule)
            elif (
                not self.english
                and h.start < mention.start < h.end
                and re.search("没|不|无|未", turn.canonical.text[h.start : mention.start])
            ):
                h = Hit(h.component, "negation", h.value, h.start, mention.start, h.rule)  # "从来没想过" + "想过死"
            if h.end <= mention.start and self._reaches(turn, h, mention, clause):
                (near if turn.clauses.at(h.start) is clause and h.category != "double" else found).append(h)
        if near:
            # a joined part with a negation of its own ("not sad nor hopeless") needs none from before
            if not clause.raised and clause.connective != "complement":
                found = [h for h in found if h.category == "double" or mention.start <= h.start]
            found.append(self._nearest(near, turn))
        if not found:
            found = self._after(turn, mention, clause)
        return found

    def _nearest(self, near: list[Hit], turn: TurnState) -> Hit:
        last = near[-1]
        for h in near[:-1]:
            if h.category == "weak_negation" and last.category == "negation":
                return h if "think" in turn.canonical.text[h.start : h.end] else last
        return last

    def _reaches(self, turn: TurnState, h: Hit, mention: Mention, clause: Clause) -> bool:
        text = turn.canonical.text
        where = turn.clauses.at(h.start)
        between = text[h.end : mention.start]
        if self.english:
            if (
                where.index == 0
                and h.start <= where.start + 12
                and re.match(r"(?:none|never|neither|nope|no|not at all) ", text[h.start : h.end])
                and (
                    re.match(r"(?:\w+ ){0,2}?(?:my|the|i|it|that|this|we|they) ", between)
                    or text[mention.start : mention.end].startswith("not ")
                )
            ):
                return False  # an answer, before a statement of its own: "none whatsoever my mind stays on it"
            if where is clause:
                if h.category == "negation_noun":
                    return (
                        between.count(" ") <= 6
                        and not _EN_STOP.search(" " + between)
                        and not _VERBLESS_NO.search(" " + between)
                    )
                if (
                    mention.sense == "symptom"
                    and re.search(r"(?:^| )(?:not|no|never|without|nothing) ", text[mention.start : mention.end])
                    and h.category != "double"
                    and between.count(" ") > 3
                ):
                    return (
                        False  # the mention has its negation in itself: another one stands close, or is of another verb
                    )
                return between.count(" ") <= 9 and not _EN_STOP.search(" " + between)
            if (
                where.index == clause.index - 1
                and not text[h.end : clause.start].strip()
                and text[h.start : h.end] in ("nothing ", "nobody ", "none ")
            ):
                return True  # "nothing i feel guilty about"
            return self._carried(turn, h, where, clause, text)
        if where is clause:
            if h.category == "double":
                return True
            gap = between
            if (
                re.match(
                    ".{0,10}的(?:情况|时候|感觉|想法|念头|经历|体验|现象|问题|症状|状态|迹象|表现|打算|冲动|状况|情绪|行为)",
                    text[mention.end : clause.end],
                )
                and re.match("(?:再|曾)?(?:有|出现|发生|经历|体验|产生|遇到|遇|碰到|感到|感觉|觉得|过)", gap or "有")
                and len(gap) <= 30
            ):
                return True  # "没有经历过那种 ... 的时候": the head noun at the end is what is negated
            if len(gap) > 20:
                return False
            for other in turn.mentions:  # "没有灰心绝望": parts of one list
                if other is not mention and h.end <= other.start and other.end <= mention.start:
                    gap = gap.replace(text[other.start : other.end], "")
            return len(gap) <= 14 and _ZH_BRIDGE.fullmatch(gap) is not None
        return self._carried_zh(turn, h, where, clause, text, mention)

    def _carried(self, turn: TurnState, h: Hit, where: Clause, clause: Clause, text: str) -> bool:
        """A negation of an earlier clause reaches on over verbs of thinking, and over joined parts without a
        subject or verb of their own."""
        current = clause
        steps = 0
        while current.index > 0 and steps < 5:
            previous = turn.clauses[current.index - 1]
            if current.sentence != previous.sentence:
                return False
            if current.raised or current.connective == "complement":
                if previous is where:
                    return text[h.end : previous.end].count(" ") <= 5
            elif not any(
                current.start <= x.start < current.end for x in turn.cues("assertion", *FORWARD)
            ) and self._joined(turn, previous, current, where, text, h):
                if previous is where:
                    return True
            else:
                return False
            current = previous
            steps += 1
        return False

    def _joined(self, turn: TurnState, previous: Clause, current: Clause, where: Clause, text: str, h: Hit) -> bool:
        if (
            current.subject_at is not None
            or current.verb
            and not (
                current.word in ("or", "nor")
                and (
                    _EN_SHARED_PASSIVE.search(text[current.start : current.end])
                    or _EN_BARE_VERB.match(text[current.start : current.end])
                )
            )
        ):
            return False
        if current.connective not in (None, "coordinate"):
            return False
        own = text[current.start : current.end]
        if _POSITIVE_HEAD.match(own):
            return False
        if current.connective == "coordinate":
            if current.word in ("or", "nor"):
                return True
            return current.word == "and" and not re.match(
                r"(?:and )?(?:i|just|now|then|also|am|is|feel|so|very|really) ", own
            )
        if current.comma:
            if h.category == "negation_noun" or h.value == "list":
                return True
            return _EN_OR.search(" " + text[current.start : self._list_end(turn, current)]) is not None
        return False

    @staticmethod
    def _reaches_back(turn: TurnState, h: Hit, mention: Mention, clause: Clause) -> bool:
        """Whether a negation behind it ("his nausea and vomiting resolved") reaches the mention: in its clause, over
        joined parts, and over a pronoun that takes it up ("..., which has since resolved")."""
        text = turn.canonical.text
        where = turn.clauses.at(h.start)
        if (
            where.sentence - clause.sentence > 1
            or re.search(r"[.;?!]", text[mention.end : h.start])
            or text[mention.end : h.start].count(" ") > 10
        ):
            return False
        if where is clause:
            return True
        if where.index == clause.index + 1 and _EN_TAKEN_UP.match(text[where.start : h.start]):
            return True
        return (
            not clause.verb
            and clause.subject_at is None
            and all(c.connective in (None, "coordinate") for c in turn.clauses[clause.index + 1 : where.index + 1])
        )

    @staticmethod
    def _list_end(turn: TurnState, current: Clause) -> int:
        end = current.end
        for c in turn.clauses[current.index + 1 :]:
            if c.sentence != current.sentence or c.verb or c.subject_at is not None:
                break
            end = c.end
        return end

    def _carried_zh(self, turn: TurnState, h: Hit, where: Clause, clause: Clause, text: str, mention: Mention) -> bool:
        previous = turn.clauses[clause.index - 1] if clause.index else None
        if previous is None or previous is not where or previous.sentence != clause.sentence:
            return False
        if clause.raised:
            return len(text[h.end : previous.end]) <= 8
        own = text[clause.start : mention.start]
        return (
            bool(re.match("(?:或者?|还是|以及|、|和)", own))
            and clause.subject_at is None
            and _ZH_BRIDGE.fullmatch(own) is not None
        )

    def _after(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        """Negations behind the mention: in Chinese in its own clause, in both as a clause of its own."""
        if not self.english:
            own = turn.canonical.text[mention.start : mention.end]
            again = turn.canonical.text.find(own, mention.end, mention.end + len(own) + 20)
            if again >= 0 and _ZH_ECHO.fullmatch(turn.canonical.text, mention.end, again):
                # "累倒是不累": the first names what the second denies
                end = again + len(own)
                return [Hit("assertion", "negation_after", None, mention.end, end, "zh.assertion.contrastive_topic")]
        out: list[Hit] = []
        text = turn.canonical.text
        if self.english:
            behind = next(
                (h for h in turn.cues("assertion", "negation_after", "weak_after") if h.start >= mention.end), None
            )
            if behind is not None and self._reaches_back(turn, behind, mention, clause):
                return [behind]
        if not self.english:
            for h in turn.cues("assertion", "negation_after", "weak_after"):
                if (
                    h.start < mention.end < h.end
                    and h.start >= mention.start - 3
                    and turn.clauses.at(h.start) is clause
                    and re.match("[^没不无]{0,3}[没不无]", text[mention.end : h.end])
                ):
                    out.append(h)  # the cue's gap ran over the mention: "自杀没想过"
                    return out
                if h.start >= mention.end and turn.clauses.at(h.start) is clause:
                    gap = re.sub(
                        "^(?:、|和|跟|或者?|还是|以及)[^，。；]{1,8}?$", "", text[mention.end : h.start]
                    )  # "想死、想了断都没有": parts of a list
                    if len(gap) <= 12 and _ZH_AFTER_GAP.fullmatch(gap):
                        out.append(h)
                        return out
        if not self.english and clause.index + 1 < len(turn.clauses):
            # "自杀的心思我没有": the object first, then who has it not
            after = turn.clauses[clause.index + 1]
            if (
                after.lead == "subject"
                and text[after.start] == "我"
                and _ZH_AFTER_GAP.fullmatch(text[mention.end : clause.end])
            ):
                m = re.fullmatch(
                    "我(?:自己)?(?:倒|也|都|真|还|从来|是|可|压根|根本)*(?:没有过?|没|不会|不存在|想都没想过|想都不敢想|想都不想|没有?(?:想|动|起|寻思|考虑|琢磨|打算|打|有|犯|生|冒|存)过)(?:的|啊|呢|了)?",
                    text[after.start : after.end],
                )
                if m:
                    out.append(
                        Hit("assertion", "negation_after", None, after.start, after.end, "zh.assertion.object_first")
                    )
                    return out
            # "死啊自杀啊，一点念头都没起过": what is denied stands first, as a clause of its own
            after = turn.clauses[clause.index + 1]
            if (
                after.sentence == clause.sentence
                and clause.subject_at is None
                and len(text[clause.start : mention.start]) <= 4
                and (
                    _ZH_AFTER_GAP.fullmatch(text[mention.end : clause.end])
                    or re.fullmatch(
                        ".{0,12}(?:事|念头|想法|心思|情况|感觉|症状|打算|那些|这些|啥的|什么的|之类的?|行为|举动)(?:呢|啊|嘛)?",
                        text[mention.end : clause.end],
                    )
                )
            ):
                m = _ZH_TOPIC_DENIED.match(text[after.start : after.end])
                if m:
                    out.append(
                        Hit(
                            "assertion",
                            "weak_after" if _ZH_ALONE_WEAK.search(m.group()) else "negation_after",
                            None,
                            after.start,
                            after.start + m.end(),
                            "zh.assertion.topic_first",
                        )
                    )
                    return out
        if self.english and (m := _EN_TOPIC_DENIED.match(text[mention.end : clause.end])):
            out.append(
                Hit("assertion", "negation_after", None, mention.end, mention.end + m.end(), "en.assertion.topic_first")
            )
            return out
        following = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else None
        if following is not None and following.sentence - clause.sentence <= (1 if clause.question else 0):
            own = text[following.start : following.end].strip(" ,.;?!，。；？！")
            alone = _EN_ALONE.fullmatch(own) if self.english else _ZH_ALONE.fullmatch(own)
            taken_up = not self.english and own[:1] in ("这", "那")  # "觉得自己没用，这个从来没有。"
            fragment = (
                not clause.verb and clause.subject_at is None
                if self.english
                else taken_up or len(text[clause.start : mention.start]) <= 3
            )
            own = text[mention.start : mention.end]
            inherent = re.search(r"(?:^| )(?:not|no|never) ", own) if self.english else re.search("没|不|无", own)
            if alone and fragment and mention.sense == "symptom" and (taken_up or not inherent):
                weak = bool(_EN_ALONE_WEAK.search(own) if self.english else _ZH_ALONE_WEAK.search(own))
                out.append(
                    Hit(
                        "assertion",
                        "weak_after" if weak else "negation_after",
                        None,
                        following.start,
                        following.end,
                        "en.assertion.fragment" if self.english else "zh.assertion.fragment",
                    )
                )
        elif self.english and clause.question is False:
            tail = text[mention.end : clause.end].strip(" ,.;?!")
            fragment = (
                not clause.verb and clause.subject_at is None and text[clause.start : mention.start].count(" ") <= 3
            )
            if fragment and tail and _EN_ALONE.fullmatch(tail):
                weak = bool(_EN_ALONE_WEAK.search(tail))
                out.append(
                    Hit(
                        "assertion",
                        "weak_after" if weak else "negation_after",
                        None,
                        mention.end,
                        clause.end,
                        "en.assertion.fragment",
                    )
                )
        return out

    # strength -----------------------------------------------------------------------------------

    def _hedge(self, draft: Draft, turn: TurnState, clause: Clause, mention: Mention) -> None:
        for h in turn.cues("assertion", "hedge"):
            if (
                self.english
                and h.start >= mention.start
                and h.end <= mention.end
                and not any(a <= h.start < b for a, b in mention.open)
            ):
                continue
            if self._hedges(turn, h, clause, mention):
                draft.strength = "indicator"
                draft.cues.append(CueNote("strength", "indicator", h.rule, turn.index, h.start, h.end))
        if draft.polarity == "deny" and draft.strength == "definite" and mention.sense != "mask":
            m = (_EN_AT_TIMES if self.english else _ZH_AT_TIMES).search(turn.canonical.text, clause.start, clause.end)
            if m is not None and not mention.start <= m.start() < mention.end:
                # "some days I'm cheerful": on the others not
                draft.strength = "indicator"
                draft.cues.append(
                    CueNote(
                        "strength",
                        "indicator",
                        "en.assertion.at_times" if self.english else "zh.assertion.at_times",
                        turn.index,
                        m.start(),
                        m.end(),
                    )
                )
        if draft.polarity == "deny" and draft.strength == "definite" and mention.sense != "mask":
            m = (_EN_EXCEPT if self.english else _ZH_EXCEPT).match(turn.canonical.text, mention.end)
            if m is not None:
                # "fine, except that ...": not all of it
                draft.object = turn.canonical.text[m.start() : m.end()].strip(" ,，")
                draft.cues.append(
                    CueNote(
                        "object",
                        draft.object,
                        "en.assertion.except" if self.english else "zh.assertion.except",
                        turn.index,
                        m.start(),
                        m.end(),
                    )
                )
        if draft.polarity == "deny" and draft.strength == "definite":
            for h in turn.cues("assertion", "restrict"):
                where = turn.clauses.at(h.start)
                if (
                    where is clause
                    and (h.start >= mention.end or h.end <= mention.start)
                    or where.index == clause.index - 1
                    and where.sentence == clause.sentence
                    and not where.verb
                    and (self.english or len(turn.canonical.text[where.start : where.end]) <= 10)
                ):
                    draft.object = turn.canonical.text[h.start : h.end].strip()
                    draft.cues.append(CueNote("object", draft.object, h.rule, turn.index, h.start, h.end))
        if not self.english and draft.strength == "definite":
            for h in turn.cues("assertion", "doubt"):
                if (
                    turn.clauses.at(h.start) is clause
                    and h.start >= mention.start - 1
                    and (draft.polarity == "deny" or mention.sense == "weak_health")
                ):
                    draft.strength = "indicator"
                    draft.cues.append(CueNote("strength", "indicator", h.rule, turn.index, h.start, h.end))

    def _hedges(self, turn: TurnState, h: Hit, clause: Clause, mention: Mention) -> bool:
        where = turn.clauses.at(h.start)
        text = turn.canonical.text
        if where is clause:
            if self.english:
                return True
            # "可能因为压力大睡不着": the hedge is on the cause
            return (
                not re.search("因为|由于|跟|是.{0,6}的原因", text[h.end : mention.start])
                if h.end <= mention.start
                else True
            )
        if where.sentence != clause.sentence:
            return False
        if (
            where.index == clause.index - 2
            and self.english
            and text[turn.clauses[clause.index - 1].start : clause.start] == "that "
        ):
            return _bare(text, where, h)  # "could be that i am sad"
        if where.index == clause.index - 1:
            if not self.english and clause.connective == "reason":
                return False  # the hedge is on the cause
            if h.end > clause.start:
                return True  # "not sure if"
            if (
                self.english
                and clause.lead == "subject"
                and not where.verb
                and where.subject_at is None
                and h.start <= where.start + 12
            ):
                return True  # "maybe at the table i am less hungry"
            if clause.raised or clause.connective == "complement" or self.english and h.end == clause.start:
                return True  # "i will say that perhaps i have not ..."
            # "i guess" alone before its clause
            return _bare(text, where, h)
        if where.index == clause.index + 1:
            return _bare(text, where, h)
        return False

    # modality -----------------------------------------------------------------------------------

    def _modality(self, draft: Draft, turn: TurnState, clause: Clause, mention: Mention, negations: list[Hit]) -> None:
        def set_(value: str, rule: str, start: int, end: int) -> None:
            if draft.modality == "asserted":
                draft.modality = value
            draft.cues.append(CueNote("modality", value, rule, turn.index, start, end))

        language = "en" if self.english else "zh"
        text = turn.canonical.text
        if turn.speaker == "interviewer":
            return
        cues = turn.hits.get("assertion", ())
        own = [h for h in cues if clause.start <= h.start < clause.end]
        before = [h for h in own if h.start <= mention.start]
        presupposed = (
            any(h.category == "presuppose" for h in before)
            or self.english
            and any(h.category == "presuppose" and 0 <= mention.start - h.end <= 16 for h in cues)
            or any(
                h.category == "presuppose"
                for h in cues
                if clause.raised and turn.clauses.at(h.start).index == clause.index - 1
            )
        )
        neutral = [h for h in before if h.category == "neutral"]
        habit = any(h.category == "habit" for h in own)
        for h in before:
            if (
                h.category == "hypothetical"
                and "death_wish" in mention.components
                and (
                    mention.start <= h.start
                    or re.search("就好了|算了|多好|也好|省事|解脱|清净", text[mention.start : clause.end + 6])
                )
            ):
                continue
            if h.category == "hypothetical" and h.end <= mention.start + 1 and not neutral:
                set_("hypothetical", h.rule, h.start, h.end)
            elif (
                h.category == "future"
                and self.english
                and mention.sense == "symptom"
                and text[h.start : h.end].startswith("will ")
                and not _EN_LATER.search(text[clause.start : clause.end])
            ):
                continue  # "i'll read a page and forget it": a habit, told with "will"
            elif (
                h.category == "future"
                and self.english
                and mention.sense == "symptom"
                and re.match(r"(?:have|has|had|got|need|needs) to ", text[h.start : h.end])
            ):
                continue  # "i have to read it twice": what is so, not what shall be
            elif (
                h.category == "future"
                and "death_wish" in mention.components
                and re.search(r"hop|wish|pray|希望|但愿|盼|巴不得", text[h.start : h.end])
            ):
                continue  # the wish is the evidence
            elif (
                h.category == "future"
                and h.end <= mention.start + (1 if self.english else 0)
                and not (habit and " will" in " " + text[h.start : h.end])
            ):
                set_("future", h.rule, h.start, h.end)
            elif h.category == "named":
                if not (mention.start <= h.start and h.end <= mention.end):  # 刚说的话转头就忘: the mention's own words
                    set_("quoted", h.rule, h.start, h.end)
            elif (
                h.category == "quoted"
                and h.end <= mention.start
                and mention.start - h.end <= (25 if self.english else 10)
            ):
                set_("quoted", h.rule, h.start, h.end)
        for h in cues:
            if (
                h.category == "seen"
                and (h.start >= clause.start or h.end > clause.start)
                and h.start <= mention.start
                and h.end <= mention.start + 8
            ):
                draft.strength = "indicator"
                draft.cues.append(CueNote("strength", "indicator", h.rule, turn.index, h.start, h.end))
        if not self.english:
            for h in own:
                if (
                    h.category == "named"
                    and h.start <= mention.end + 2
                    and h.end >= mention.end
                    and h.start > mention.start
                ):
                    set_("quoted", h.rule, h.start, h.end)
        back = clause
        while (
            self.english
            and back.index
            and (back.subject_at is None or back.connective == "complement")
            and back.connective in ("coordinate", "complement", None)
            and draft.modality == "asserted"
        ):
            earlier = turn.clauses[back.index - 1]
            if earlier.sentence != back.sentence:
                break
            for h in cues:
                if h.category == "named" and earlier.start <= h.start < earlier.end:
                    set_("quoted", h.rule, h.start, h.end)
            back = earlier
        for h in own:
            if h.category == "inaudible" and h.start <= mention.end + 3 and h.end >= mention.start - 3:
                set_("inaudible", h.rule, h.start, h.end)
        previous = turn.clauses[clause.index - 1] if clause.index else None
        if clause.raised and previous is not None and previous.sentence == clause.sentence:
            for h in cues:
                if previous.start <= h.start < previous.end:
                    if h.category == "future" and (
                        self.english and h.end >= previous.end - 12 or not self.english and h.end >= previous.end - 1
                    ):
                        set_("future", h.rule, h.start, h.end)
                    elif h.category == "named" and h.end >= previous.end - 8:
                        set_("quoted", h.rule, h.start, h.end)
                    elif (
                        h.category == "hypothetical"
                        and not any(x.category == "neutral" for x in cues if previous.start <= x.start < previous.end)
                        and (
                            clause.tense != "present"
                            or re.match(r"let us say|\w+ (?:would|might) ", text[h.start : h.end])
                        )
                    ):
                        set_("hypothetical", h.rule, h.start, h.end)
        doubted = any(
            h.category in ("hedge", "double") and h.start < clause.start < h.end for h in cues
        )  # "not sure if", "lying if i said"
        if clause.connective == "conditional" and (doubted or mention.start <= clause.start + 1):
            pass  # a mention that holds its own condition ("if i never woke up, so be it") is no condition
        elif clause.connective == "conditional" and not _even(text, clause):
            set_("hypothetical", f"{language}.clauses.conditional", clause.start, clause.start + len(clause.word))
        elif (
            previous is not None
            and previous.connective == "conditional"
            and previous.sentence == clause.sentence
            and clause.lead in ("weak", "subject", "start")
            and not clause.connective
            and previous.word not in ("whether", "even", "as")
            and not any(
                h.category in ("hedge", "double") and h.start < previous.start + 2 and previous.start < h.end
                for h in cues
            )
        ):
            set_("hypothetical", f"{language}.clauses.conditional", previous.start, previous.start + len(previous.word))
        if (
            clause.connective == "temporal"
            and draft.polarity == "affirm"
            and clause.tense != "past"
            and clause.word not in ("since", "until", "before", "after", "的时候")
            and mention.start - clause.start < 30
            and draft.strength == "definite"
            and mention.sense in ("symptom", "health")
        ):
            if not self.english and "就" in text[clause.start : mention.start + 1]:
                pass  # "一到晚上就想哭": what follows 就 is said
            elif self.english and clause.word in ("when", "whenever", "once", "every", "each") or not self.english:
                draft.strength = "indicator"
                draft.cues.append(
                    CueNote(
                        "strength",
                        "indicator",
                        f"{language}.clauses.temporal",
                        turn.index,
                        clause.start,
                        clause.start + max(1, len(clause.word)),
                    )
                )
        if (
            not self.english
            and clause.word == "的时候"
            and mention.end <= clause.end
            and not re.search("以前|那时|小时候|小的时候|当时|上学", text[clause.start : clause.end])
            and not clause.raised
            and re.search("(?:每次|每当|一|要是|睡不着|难过|累|烦).*的时候$", text[clause.start : clause.end])
            and draft.polarity == "affirm"
        ):
            draft.strength = "indicator"
            draft.cues.append(
                CueNote("strength", "indicator", f"{language}.clauses.temporal", turn.index, clause.start, clause.end)
            )
        if mention.sense in ("health", "weak_health") and mention.dimension in (
            "fatigue",
            "depressed_mood",
            "sleep",
            "anhedonia",
        ):
            for h in cues:
                if h.category == "mania" and turn.clauses.at(h.start).sentence == clause.sentence:
                    set_("idiom", h.rule, h.start, h.end)
        asked = clause.question or any(h.category == "question" for h in own)
        hedged = any(note.attribute == "strength" and note.rule.endswith((".hedge", ".unknown")) for note in draft.cues)
        if asked and not presupposed and not hedged and mention.sense != "mask":
            if not self._rhetorical(turn, clause, text):
                set_("question", f"{language}.assertion.question", clause.start, clause.end)

    def _rhetorical(self, turn: TurnState, clause: Clause, text: str) -> bool:
        """A tag question ("..., right?", "..., you know?") asserts."""
        if self.english:
            if text.startswith(", ?", clause.end):
                return True  # a tag of fillers, which the canonical text drops ("you know?")
            last = [c for c in turn.clauses if c.sentence == clause.sentence][-1]
            return last is not clause and _EN_TAG.fullmatch(text[last.start : last.end].strip(" ,.?!")) is not None
        return (
            bool(re.search("[对是]不[对是]$|对吧$|是吧$|知道吧$|你说呢$", text[clause.start : clause.end]))
            and clause.subject_at is not None
        )


_ZH_AFTER_GAP = re.compile(
    "(?:的|这种|这个|那种|念头|想法|情况|情形|状况|说法|毛病|苗头|问题|感觉|现象|时候|行为|打算|冲动|计划|倒|也|都|真|还|就|从来|从|根本|是|确实|一次|一回|那|这|些|什么|嘛|呢|啊|吧|，|了|个|事|之类|种|方面|上|症状|毛病|迹象)*"
)
_ZH_TOPIC_DENIED = re.compile(
    "(?:一回|一次|这几天|这两天|这周|这一周|这个星期|这星期|最近|这些|这种|那种|那些|这类|这|那|一点|一丝|一个|半点|半个|什么|任何|压根|根本|从来|我|的|念头|想法|心思|情况|感觉|事|都|也|倒|真|还|可|完全|绝对)*(?:没有|没|不存在|不会|不沾)(?:有|过|动过|起过|想过|冒过|出现过|发生过|出现|发生|起|动|冒|冒出来过|出来过|冒出过|闪过|寻思过|琢磨过|考虑过|打算过|想|琢磨|寻思|干过|做过|犯过)?(?:的|啊|呢|呀|了)?$"
)
_EN_TOPIC_DENIED = re.compile(
    r"(?:(?:has|have|is|was|does|did|do|had|are|were) )?(?:not|never) (?:really |even |once |ever |yet |so much as )*(?:cross(?:ed)? my|enter(?:ed)? my|happen|occur|come up|come into|been (?:a|an|there|on my|part|in)|bother|a problem|an issue|on my mind|a thing|there)"
)
_EN_ALONE = re.compile(
    r"(?:(?:no|not|never|nope|none|neither|unlikely|hardly|absolutely not|definitely not|not at all|not really|not once|not ever|not lately|no way|no not really|"
    r"certainly not|of course not|not a bit|not one bit|no never|no not at all|not any more|not anymore|not particularly|not often|rarely|seldom|not so much|not much|i (?:do|am|have|did|was) not)\s?)+"
)
_EN_ALONE_WEAK = re.compile(
    r"not really|unlikely|hardly|not particularly|not often|rarely|seldom|not so much|not much|not lately"
)
_ZH_ALONE = re.compile(
    "(?:倒|也|都|真|还|就|从来|根本|这个|那|这|完全|绝对|的确|确实|一点都|一点也|应该|好像|大概)*(?:没有|没|没有过|没有的|不会|不是|没这回事|不存在|没有的事|不太有|谈不上|不至于|没怎么|没有吧|不太会|不怎么)(?:啊|的|呢|呀|过|吧)?"
)
_ZH_ALONE_WEAK = re.compile("应该|好像|大概|谈不上|不至于|没怎么|吧|不太|不怎么")
_ZH_ECHO = re.compile("(?:倒是|倒|是|可|也|那|都|说)*(?:不|没|没有|不怎么|也不)")
# "no effusion or stones are seen": the verb at the end of a list is that of the whole list
_EN_SHARED_PASSIVE = re.compile(
    r" (?:is|are|was|were) (?:seen|identified|noted|present|appreciated|shown|evident|demonstrated|found|detected|heard|visualized|observed|palpable) "
)
# "don't hate myself or blame myself": a joined verb in the bare form that follows "do not" or "want to"
_EN_BARE_VERB = re.compile(
    r"(?:or|nor) (?:even |ever |to |really |just )*(?!(?:am|is|are|was|were|have|has|had|do|does|did|can|could|will|would|may|might|maybe|perhaps|at|it|that|there|then|else|just|so|something|anything|if|when|i|he|she|we|they) )(?!\w+(?:ed|s) )\w+ "
)
_EN_TAKEN_UP = re.compile(
    r"(?:(?:although|but|though|and|however|,|which|that|this|it|these|they|all|both) )*(?:(?:is|was|were|has|have|had|seems|seemed|appears|appear|appeared|to|since|now) )*$"
)
_EN_LATER = re.compile(r" (?:tomorrow|next|soon|one day|someday|again|ever|if|until|then|later|when|never) ")
_EN_EXCEPT = re.compile(r"(?:, )?(?:except|apart from|other than|aside from|but for|save for|only that|bar) ")
_ZH_EXCEPT = re.compile("[，]?(?:除了|就是有时|只是有时|唯独)")
_EN_AT_TIMES = re.compile(
    r"(?<= )(?:at times|sometimes|some days|some nights|now and (?:then|again)|occasionally|once in a while|on good days|on a good day|from time to time) "
)
_ZH_AT_TIMES = re.compile("有时候?|偶尔|有些时候|时不时|有几天|有的时候|间或")
_EN_TAG = re.compile(
    r"(?:right|you know|you see|do not you think|is not it|am i|have i|see|okay|huh|eh|is that right|you know what i mean)"
)


def _even(text: str, clause: Clause) -> bool:
    return text[max(0, clause.start - 5) : clause.start] == "even " or clause.word in (
        "even",
        "as",
        "otherwise",
        "哪怕",
        "就算",
        "即使",
    )


def _bare(text: str, where: Clause, h: Hit) -> bool:
    """The clause holds nothing much beside the hedge."""
    rest = (text[where.start : h.start] + " " + text[h.end : where.end]).strip(" ,.，。")
    if text[:1] == " ":
        return all(
            w
            in (
                "i",
                "it",
                "so",
                "but",
                "and",
                "well",
                "yes",
                "no",
                "just",
                "though",
                "really",
                "you",
                "honestly",
                "that",
                "is",
                "or",
            )
            for w in rest.split()
        )
    return (
        re.fullmatch("(?:有|一点|点|些|一|我|自己|也|真|还|是|都|就|这|那|个|吧|啊|呢|说|的|了|俺|其实|反正|，)*", rest)
        is not None
    )
