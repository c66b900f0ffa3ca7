"""Polarity, strength and modality of a mention (contract, section 3, operation 3)."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..clauses.logic import Clause
from ..cues import Hit
from ..patterns import PUNCT_ZH
from ..terms.logic import Mention
from ..terms.rules import GROUND_OF
from ..turns.logic import CueNote, Draft, TurnState, between
from ..wordings import Wordings

_FIRST = 60
"""Code points behind a mention in which a predicate that denies it begins."""
FORWARD = ("negation", "negation_noun", "weak_negation", "double")


def _without_mentions(turn: TurnState, start: int, end: int) -> str:
    """The canonical text in start..end without the words of the mentions that lie in it."""
    text = turn.canonical.text
    rest = text[start:end]
    for m in turn.mentions:
        if start <= m.start and m.end <= end:
            rest = rest.replace(text[m.start : m.end], "")
    return rest


class Asserter:
    """Sets polarity, strength and modality of the draft of a mention."""

    def __init__(self, language: str, says: Wordings):
        self.english = language == "en"
        self.language = language
        self.says = says
        self._reach = 80 if self.english else 26  # characters in which a wording stands right before a health

    def draft(self, turn: TurnState, mention: Mention) -> Draft:
        clause = turn.clauses.at(mention.start)
        draft = turn.drafted(mention, clause)
        negations = self.negations(turn, mention, clause)
        self._polarity(draft, mention, negations, turn)
        self._hedge(draft, turn, clause, mention)
        self._modality(draft, turn, clause, mention)
        return draft

    def join(self, turn: TurnState) -> None:
        """ "不是累就是没劲", "累和没劲我总占一样", "either tired or weak": what is said of one thing or the other affirms one of
        them, unnamed."""
        text = turn.canonical.text
        for m in self.says["one_of"].finditer(text):
            sentence = turn.clauses.at(m.start()).sentence
            told = [
                d
                for d in turn.drafts
                if d.kind == "mention"
                and (d.modality, d.polarity, d.sense) == ("asserted", "affirm", "symptom")
                and turn.clauses.at(d.start).sentence == sentence
                and (
                    self.english and d.end > m.start()
                    or m.start() <= d.start + 4 and d.start <= m.end() + 8
                    or d.start < m.start() <= d.end + 24
                )
            ]
            for dimension in {d.dimension for d in told}:
                parts = [d for d in told if d.dimension == dimension]
                components = tuple(dict.fromkeys(c for d in parts for c in d.components))
                if len(parts) < 2 or len(components) < 2:
                    continue
                if self.english and not self.says["or_part"].search(text, parts[0].start, parts[-1].end):
                    continue  # "either way I feel guilty and useless"
                unsure = [h for h in turn.cues("assertion", "hedge") if turn.clauses.at(h.start).sentence == sentence]
                first = turn.clauses.at(m.start())
                unsure = [h for h in unsure if h.start < m.start() or turn.clauses.at(h.start) is first]
                for d in parts:
                    if self.english and unsure:
                        hedge = unsure[0]
                        d.weaken(self._doubt(turn, hedge), hedge.rule, turn.index, hedge.start, hedge.end)
                doubted = next((d for d in parts if d.strength != "definite"), None)
                for d in parts:
                    if doubted is not None and d.strength == "definite":  # "不是累就是没劲，我也吃不准"
                        d.strength = doubted.strength
                        d.cues += [note for note in doubted.cues if note.attribute in ("strength", "ground")]
                    d.components = ("ALL",) if "ALL" in components else components
                    rule = self.says.rules["one_of"].id
                    d.cues.append(CueNote("components", list(d.components), rule, turn.index, m.start(), m.end()))

    # polarity ----------------------------------------------------------------------------------

    def _polarity(self, draft: Draft, mention: Mention, negations: list[Hit], turn: TurnState) -> None:
        count = sum(2 if h.category == "double" else 1 for h in negations)
        weak = [h for h in negations if h.category in ("weak_negation", "weak_after")]
        normal = [
            h
            for h in turn.cues("assertion", "normal")
            if mention.start - 14 <= h.end <= mention.start and turn.clauses.at(h.start) is draft.clause
            or self.english and 0 <= h.start - mention.end <= 1 and turn.clauses.at(h.start).index - draft.clause.index <= 1
        ]
        negative = count % 2 == 1
        sense = mention.sense
        if self.english and negative and not weak:
            m = self.says["not_much"].match(turn.canonical.text, mention.end)
            if m is not None:  # "I don't think about it much"
                weak = [self._denial("not_much", m.start(), m.end(), weak=True)]
        if not self.english and negative and not weak:
            m = self.says["of_degree"].match(turn.canonical.text, mention.start, mention.end)
            if m is not None and negations[0].end <= mention.start:  # 不 + 经常哭, 没有 + 总是醒
                weak = [self._denial("of_degree", m.start(), m.end(), weak=True)]
        polarity, strength, draft.components = mention.reading(negative)
        grounds: list[tuple[str, str, int, int, int]] = []
        if strength == "indicator":
            ground = mention.ground or GROUND_OF.get(sense, "weak")  # a symptom's is that its negation is weak
            grounds.append((ground, mention.rule, turn.index, mention.start, mention.end))
        if sense == "symptom":
            if negative and weak:
                strength = "indicator"
                grounds.append(("weak", weak[0].rule, turn.index, weak[0].start, weak[0].end))
            elif normal and not negative:
                polarity, strength = "deny", "indicator"
                where = normal[-1].rule, turn.index, normal[-1].start, normal[-1].end
                draft.cues.append(CueNote("strength", "indicator", *where))
                grounds.append(("passable", *where))
        elif sense == "proxy" and negative:
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
        for note in grounds:
            draft.because(*note)

    def negations(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        """The negations that reach the mention, in order."""
        if unable := self._unable(turn, mention):
            return unable
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
        # those of its own clause: of these the nearest counts, for "never had no problem" is one negation
        near: list[Hit] = []
        for h in cues:
            if (
                self.english
                and h.end <= mention.start
                and turn.canonical.text.count(" ", h.end, mention.start) > 9
                and turn.clauses.at(h.start) is clause
            ):
                continue  # farther than any reaches; asked first, because it costs least
            if self._only_answers(turn, h, mention):
                continue
            inside = mention.start <= h.start and h.end <= mention.end
            if inside and self.english and self._second_of_pair(turn, h, mention):
                continue
            if inside:
                if any(a < h.end <= b for a, b in mention.open):
                    found.append(h)
                elif any(
                    a <= h.start < b < h.end and self.says["of_degree"].fullmatch(turn.canonical.text, b, h.end)
                    for a, b in mention.open
                ):
                    found.append(h)  # 睡眠不是 + 很好: the degree at the end of the cue is the mention's own
                elif h.category == "double" and (cut := [b for a, b in mention.open if a <= h.start < b < h.end]):
                    # 我也不是没用的人: the second negation is the mention's own
                    found.append(Hit(h.component, "negation", h.value, h.start, cut[0], h.rule))
                continue
            # a cue that runs into the mention counts if it began before it, and the mention does not hold its negation itself
            if self.english and h.start < mention.start < h.end and h.category == "double":
                own = turn.canonical.text.startswith(("not ", "never "), mention.start)
                if own or mention.end < h.end:
                    # "can't get through the night without waking": the second negation is of what is behind it
                    if not own:
                        found.append(Hit(h.component, "negation", h.value, h.start, mention.start, h.rule))
                    continue
            if h.start < mention.start < h.end and h.category == "double":
                # "not without" + "without hope": one of the two is the mention's own
                held = turn.canonical.text[mention.start : h.end]
                # so in 没有 + 不专心
                own = self.says["own_negation"].search(" " + held) or self.says["short_negation"].fullmatch(held)
                found.append(Hit(h.component, "negation", h.value, h.start, mention.start, h.rule) if own else h)
                continue
            if h.start > mention.end:
                break  # in order of start: what is behind the mention is `_after`'s
            if any(
                o is not mention
                and o.start <= h.start
                and h.end <= o.end <= mention.start  # one that runs into this mention is a rival reading of the words
                and not any(a <= h.start and h.end <= b for a, b in o.open)
                and not (o.sense == "health" and self._or_between(turn, o.end, mention.start))
                and h.category != "inability"  # "没力气好好吃饭": the want of the one is why there is none of the other
                for o in between(turn.mentions, h.start - 60, h.start + 1)
            ):
                continue  # the negation is another symptom's own ("nothing in the tank")
            if h.start < mention.start < h.end and self.says["negates"].search(
                " " + turn.canonical.text[h.start : mention.start]
            ):
                # "do not think" + "think about suicide", 从来没想过 + 想过死: the verb is the mention's own
                # but in "not really tired" what the mention holds of it is a degree: it stays weak
                of_degree = self.says["of_degree"].fullmatch(turn.canonical.text, mention.start, h.end) is not None
                category = h.category if of_degree else "negation"
                h = Hit(h.component, category, h.value, h.start, mention.start, h.rule)
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

    def _unable(self, turn: TurnState, mention: Mention) -> list[Hit]:
        """ "I don't have the energy to eat properly", "我已经忘了怎么好好吃饭": the words that say one is not able to what
        follows, and a negation right before them ("I don't struggle to eat well"); and of a symptom too, that it has not
        been so for long ("I can't remember when I last cried")."""
        health = mention.sense in ("health", "weak_health")
        if not health and mention.sense != "symptom":
            return []
        name = "not_since"
        m = self._right_before(turn, mention, self.says["not_since"])
        if m is not None and not health and self.says["begins"].match(turn.canonical.text, mention.start):
            return []  # "it's been months since I lost interest"
        if m is None and health:
            name = "out_of_reach"
            m = self._right_before(turn, mention, self.says["out_of_reach"])
        if m is None:
            return []
        denied = [
            h
            for h in between(turn.cues("assertion", *FORWARD), m.start() - 24, m.start())
            if h.end <= m.start() and self.says["toward_unable"].fullmatch(turn.canonical.text, h.end, m.start()) is not None
        ]
        return [*denied[-1:], self._denial(name, m.start(), m.end())]

    def _right_before(self, turn: TurnState, mention: Mention, wording: re.Pattern[str]) -> re.Match[str] | None:
        """A wording that ends where a mention begins."""
        return wording.search(turn.canonical.text, max(0, mention.start - self._reach), mention.start)

    def _second_of_pair(self, turn: TurnState, h: Hit, mention: Mention) -> bool:
        """ "Neither my focus nor my memory is a problem": the "nor" inside of the mention goes with the "neither" before."""
        text = turn.canonical.text
        return self.says["second_of_pair"].match(text, h.start, h.end) is not None and any(
            x.end <= mention.start + 1 and self.says["first_of_pair"].match(text, x.start, x.end)
            for x in between(turn.hits.get("assertion", []), mention.start - 60, mention.start)
        )

    def _or_between(self, turn: TurnState, start: int, end: int) -> bool:
        """ "I don't feel tired or low on energy": the negation in the first goes on over what is joined to it."""
        return self.english and self.says["or_on"].fullmatch(f" {turn.canonical.text[start:end].strip()} ") is not None

    def _nearest(self, near: list[Hit], turn: TurnState) -> Hit:
        last = near[-1]
        for h in near[:-1]:
            if h.category == "weak_negation" and last.category == "negation":
                return h if self.says["of_thinking"].search(turn.canonical.text[h.start : h.end]) else last
        return last

    def _reaches(self, turn: TurnState, h: Hit, mention: Mention, clause: Clause) -> bool:
        text = turn.canonical.text
        where = turn.clauses.at(h.start)
        between = text[h.end : mention.start]
        if self.english:
            if where.index == clause.index - 1 and self._inverted(turn, h, where):
                return True  # "at no time was | i sad"
            if (
                where.index == 0
                and h.start <= where.start + 12
                and self.says["answer_word"].match(text[h.start : h.end])
                and not self._inverted(turn, h, where)
                and (
                    self.says["statement_opens"].match(between)
                    or text[mention.start : mention.end].startswith("not ")
                    # "none plenty of zip": what no noun stands for denies no health
                    or mention.sense == "health"
                    and self.says["stands_alone"].match(text, h.start)
                )
            ):
                return False  # an answer, before a statement of its own: "none whatsoever my mind stays on it"
            if where.index == 0 and self._answers_a_time(turn, h, mention):
                return False
            if where is clause:
                if text.endswith(("can ", "could "), 0, h.start) and self.says["of_cause"].search(" " + between):
                    return False  # "I can't look at them for shame"
                if h.category == "negation_noun":
                    return (
                        between.count(" ") <= 6
                        and not self.says["stop"].search(" " + between)
                        and not self.says["new_subject"].search(" " + between)
                    )
                if (
                    mention.sense == "symptom"
                    and self.says["holds_negation"].search(text[mention.start : mention.end])
                    and h.category != "double"
                    and between.count(" ") > 3
                ):
                    return (
                        False  # the mention has its negation in itself: another one stands close, or is of another verb
                    )
                return between.count(" ") <= 9 and not self.says["stop"].search(" " + between)
            if (
                where.index == clause.index - 1
                and not text[h.end : clause.start].strip()
                and text[h.start : h.end - 1] in self.says.words("nothing")
            ):
                return True  # "nothing i feel guilty about"
            if where.index >= clause.index - 2 and self.says["not_a_thing"].fullmatch(text, h.end, clause.start):
                return True  # "there isn't one single thing I feel guilty about"
            if (
                where.index >= clause.index - 2
                and (m := self.says["not_that"].search(text, where.start))
                and m.end() == clause.start
            ):
                return True  # "it's not that i want to die"
            return self._carried(turn, h, where, clause, text)
        if where is clause:
            if h.category == "double":
                return True
            gap = self.says["circumstance_before"].sub("", between)
            if (
                self.says["head_noun"].match(text[mention.end : clause.end])
                and (
                    not gap
                    or self.says["happens"].match(gap)
                    # not in 这种不规律好像跟情绪低落的情况有关: a bare 不 negates no noun
                    or text[h.start : h.end] != "不"
                    and self.says["to_the_noun"].fullmatch(gap)
                )
                and len(gap) <= 30
            ):
                return True  # "没有经历过那种 ... 的时候": the head noun at the end is what is negated
            if len(gap) > 20:
                return False
            if mention.sense == "health" and self.says["affects"].search(gap):
                return False  # "没有影响我正常吃饭"
            if "、" in gap and mention.sense == "health" and h.category != "weak_negation":
                return False  # "不累、劲头也足": what is well is listed beside what is denied, and not denied
            for other in turn.mentions:  # "没有灰心绝望": parts of one list
                if other is not mention and h.end <= other.start and other.end <= mention.start:
                    gap = gap.replace(text[other.start : other.end], "")
            if h.category == "inability" and self.says["toward_what"].fullmatch(gap):
                return True  # "很难对生活中的任何事情提起兴趣"
            return len(gap) <= 14 and self.says["bridge"].fullmatch(gap) is not None
        return self._carried_zh(turn, h, where, clause, text, mention)

    def _answers_a_time(self, turn: TurnState, h: Hit, mention: Mention) -> bool:
        """ "Not this week, my mood has been good": an English "not" that opens the turn and a time right behind it are an
        answer, before a statement of its own."""
        text = turn.canonical.text
        if text[: h.start].strip(" .") or not self.says["not_alone"].fullmatch(text, h.start, h.end):
            return False
        end = h.end
        for t in turn.hits.get("time", ()):
            if end <= t.start < mention.start and not text[end : t.start].strip(" ,"):
                end = t.end
        return end > h.end and self.says["statement_opens"].match(text, end) is not None

    def _inverted(self, turn: TurnState, h: Hit, where: Clause) -> bool:
        """ "At no time was | I sad": whether a negation has drawn the verb of the next English clause before its subject."""
        if where.index + 1 == len(turn.clauses):
            return False
        following = turn.clauses[where.index + 1]
        return self.says["inverts"].fullmatch(turn.canonical.text[h.end : following.start]) is not None

    def _carried(self, turn: TurnState, h: Hit, where: Clause, clause: Clause, text: str) -> bool:
        """A negation of an earlier clause reaches on over verbs of thinking, and over joined parts without a
        subject or verb of their own. What is asked why, or how much, is taken for granted: "I can't say why I'm low"."""
        if self.says["why_so"].match(text, clause.start):
            return False
        if self.says["cleft"].search(" " + text[h.end : clause.end]):
            return False  # "no trouble falling asleep, what I do have is ..."
        current = clause
        steps = 0
        while current.index > 0 and steps < 5:
            previous = turn.clauses[current.index - 1]
            if steps and previous is where and self._inverted(turn, h, where):
                return True  # "never once did | i feel guilty | or worthless"
            if current.sentence != previous.sentence:
                return False
            if current.raised or current.connective == "complement":
                if previous is where:
                    return text[h.end : previous.end].count(" ") <= 5
            elif not any(
                current.start <= x.start < current.end for x in turn.cues("assertion", *FORWARD)
            ) and self._joined(turn, current, text, h):
                if previous is where:
                    return True
            else:
                return False
            current = previous
            steps += 1
        return False

    def _joined(self, turn: TurnState, current: Clause, text: str, h: Hit) -> bool:
        """Whether a clause is a part joined to the one before, which the negation `h` goes on over."""
        if (
            current.subject_at is not None
            or current.verb
            and not (
                current.word in ("or", "nor")
                and (
                    self.says["shared_passive"].search(text[current.start : current.end])
                    or self.says["bare_verb"].match(text[current.start : current.end])
                )
            )
        ):
            return False
        if current.connective not in (None, "coordinate"):
            return False
        own = text[current.start : current.end]
        if self.says["positive_head"].match(own):
            return False
        if current.connective == "coordinate":
            if current.word in ("or", "nor"):
                return True
            return current.word == "and" and not self.says["new_statement"].match(own)
        if current.comma:
            if h.category == "negation_noun" or h.value == "list":
                return True
            return self.says["or"].search(" " + text[current.start : self._list_end(turn, current)]) is not None
        return False

    def _reaches_back(self, turn: TurnState, h: Hit, mention: Mention, clause: Clause) -> bool:
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
        if where.index == clause.index + 1 and self.says["taken_up"].match(text[where.start : h.start]):
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
            self.says["list_join"].match(own) is not None
            and clause.subject_at is None
            and self.says["bridge"].fullmatch(own) is not None
        )

    @staticmethod
    def _without_parts(turn: TurnState, mention: Mention, clause: Clause) -> str:
        """What follows a mention in its clause, without the other mentions of its list."""
        return _without_mentions(turn, mention.end, clause.end).lstrip("、")

    def _only_answers(self, turn: TurnState, h: Hit, mention: Mention) -> bool:
        """Whether a negation answers the question and says nothing of the mention behind it, though no mark parts them:
        "nope sleep well" (its canonical "no" could negate), "没不多睡"."""
        if h.start > mention.start:
            return False
        if self.english:
            start, end = turn.canonical.span(h.start, h.end)
            return turn.text[start:end].lower().strip() in self.says.words("answers_only")
        return (
            h.start <= 1
            and h.end == mention.start
            and mention.sense == "health"
            and self.says["short_negation"].match(turn.canonical.text, mention.start) is not None
        )

    def _after(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        """Negations behind the mention: in Chinese in its own clause, in both as a clause of its own."""
        here = self._after_en(turn, mention, clause) if self.english else self._after_zh(turn, mention, clause)
        return here or self._alone(turn, mention, clause)

    def _denial(self, name: str, start: int, end: int, *, weak: bool = False) -> Hit:
        """A negation behind a mention that a wording found."""
        return Hit("assertion", "weak_after" if weak else "negation_after", None, start, end, self.says.rules[name].id)

    def _after_en(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        text = turn.canonical.text
        behind = next(
            (h for h in turn.cues("assertion", "negation_after", "weak_after") if h.start >= mention.end), None
        )
        if behind is not None and self._reaches_back(turn, behind, mention, clause):
            return [behind]
        held = self.says["holds_plain_negation"].search(" " + text[mention.start : mention.end])
        if held is None and (m := self.says["nobody_behind"].match(text, mention.end)):  # "did not blame me for" + "nothing"
            return [self._denial("nobody_behind", mention.end, m.end())]
        if mention.sense == "symptom" and text[mention.end : mention.end + 1].isalpha():
            # "hopelessness is not something I feel", "tiredness is no problem": denied behind what is named
            if m := self.says["not_of_me"].match(text, mention.end):
                return [self._denial("not_of_me", mention.end, m.end(), weak=m["weak"] is not None)]
            if m := self.says["no_problem"].match(text, mention.end):
                return [self._denial("no_problem", mention.end, m.end())]
        if mention.sense == "health" and (m := self.says["gone_by"].match(text, mention.end)):
            return [self._denial("gone_by", mention.end, m.end())]
        # to the end of the sentence: "is not something i know" holds a clause of its own
        m = self.says["topic_first"].match(text[mention.end :][:_FIRST])
        return [self._denial("topic_first", mention.end, mention.end + m.end())] if m else []

    def _after_zh(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        text = turn.canonical.text
        if self.says["circumstance"].match(text, mention.end) and self.says["opens_circumstance"].search(
            text, clause.start, mention.start
        ):
            return []  # "即使在情绪低落的时候也没想过": what is denied behind is something else
        own = text[mention.start : mention.end]
        again = text.find(own, mention.end, mention.end + len(own) + 20)
        if again >= 0 and (m := self.says["echo"].fullmatch(text, mention.end, again)):
            # "累倒是不累", "破防倒是没怎么破防": the first names what the second denies
            return [self._denial("echo", mention.end, again + len(own), weak=m["weak"] is not None)]
        for h in turn.cues("assertion", "negation_after", "weak_after"):
            if turn.clauses.at(h.start) is not clause or self._denies_next(turn, h, clause):
                continue
            if (
                h.start < mention.end < h.end
                and h.start >= mention.start - 3
                and self.says["negated_soon"].match(text[mention.end : h.end])
            ):
                return [h]  # the cue's gap ran over the mention: "自杀没想过"
            if h.start >= mention.end:
                gap = self.says["list_part"].sub("", text[mention.end : h.start])  # "想死、想了断都没有"
                if len(gap) <= 12 and self.says["after_gap"].fullmatch(gap):
                    return [h]
        if m := self.says["object_first"].fullmatch(text, mention.end, clause.end):
            return [self._denial("object_first", m.start(), m.end())]
        if mention.sense == "health" and (m := self.says["gone_by"].match(text, mention.end)):
            return [self._denial("gone_by", mention.end, m.end())]
        return self._fronted(turn, mention, clause)

    @staticmethod
    def _denies_next(turn: TurnState, h: Hit, clause: Clause) -> bool:
        """ "想活着也没动过自杀的心思": whether a Chinese negation stands right before what it denies."""
        return any(h.end <= m.start <= h.end + 1 and m.end <= clause.end for m in turn.mentions)

    def _fronted(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        """What is denied stands first, alone or as the last of a list, and the next clause denies it."""
        last = turn.clauses.at(mention.end - 1)  # "不想活也好，自杀也好": one mention over two clauses
        if last.index + 1 >= len(turn.clauses):
            return []
        text = turn.canonical.text
        at = last.index + 1
        while at + 1 < len(turn.clauses) and all(
            self.says["either_way"].fullmatch(_without_mentions(turn, c.start, c.end))
            for c in (turn.clauses[at - 1], turn.clauses[at])
        ):
            at += 1  # "累也罢，没劲也罢，一次都没有过"
        after = turn.clauses[at]
        rest = self._without_parts(turn, mention, last)
        only = self.says["after_gap"].fullmatch(rest) is not None
        only = only or self.says["either_way"].fullmatch(rest) is not None
        kind = self.says["kind_of_thing"].fullmatch(text[mention.end : last.end]) is not None
        if (
            (only or kind)
            and after.lead in ("subject", "weak")
            and self.says["object_first"].fullmatch(text, after.start, after.end)
        ):
            return [self._denial("object_first", after.start, after.end)]  # "自杀的心思我没有": who has it not
        if (
            after.sentence == clause.sentence
            and clause.subject_at is None
            and (mention.start - clause.start <= 4 or self._all_listed(turn, mention, clause))
            and (only or kind)
            and not self.says["all_well"].match(text, after.start)
            and (m := self.says["topic_first"].match(text[(start := self._behind_time_and_me(turn, after)) : after.end]))
        ):
            # "死啊自杀啊，一点念头都没起过"
            weak = self.says["alone_weak"].search(m.group()) is not None
            return [self._denial("topic_first", start, start + m.end(), weak=weak)]
        return []

    @staticmethod
    def _behind_time_and_me(turn: TurnState, clause: Clause) -> int:
        """Where a Chinese clause goes on behind its time and 我: "这一周我 | 一次都没想过"."""
        start = turn.behind_times(clause.start, clause.end)
        return start + turn.canonical.text.startswith("我", start)

    def _all_listed(self, turn: TurnState, mention: Mention, clause: Clause) -> bool:
        """Whether only other mentions, and what joins them, stand before a mention in its clause: 不想活、自己了断."""
        rest = _without_mentions(turn, clause.start, mention.start)
        for h in turn.hits.get("time", ()):
            if clause.start <= h.start and h.end <= mention.start:
                rest = rest.replace(turn.canonical.text[h.start : h.end], "")  # "最近动作慢、坐不住我一样都没有"
        rest = self.says["either_way"].sub("", rest)
        return len(rest.strip("、和跟或者还有什么的啊")) <= 1

    def _alone(self, turn: TurnState, mention: Mention, clause: Clause) -> list[Hit]:
        """A negation that is all of the next clause, or in English of the rest of this one: "Sad? No.", "sad no"."""
        text = turn.canonical.text
        tail = text[mention.end : clause.end].strip(" ,.;?!") if self.english else ""
        if tail:
            fragment = (
                not clause.verb and clause.subject_at is None and text[clause.start : mention.start].count(" ") <= 3
            )
            if clause.question is False and fragment and self.says["alone"].fullmatch(tail):
                weak = self.says["alone_weak"].search(tail) is not None
                return [self._denial("alone", mention.end, clause.end, weak=weak)]
            return []
        following = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else None
        if following is None or mention.sense != "symptom":
            return []
        further = clause.question or self.says["takes_up"].match(text, following.start)
        if following.sentence - clause.sentence > (1 if further else 0):
            return []
        own = text[following.start : following.end].strip(" ,.;?!，。；？！")
        if not self.english and text[following.end : following.end + 1] not in ("", *"，。；？！："):
            return []  # "我很难过，不是 | 因为钱": it goes on
        taken_up = self.says["points_back"].match(own) is not None  # "觉得自己没用，这个从来没有。"
        fragment = (
            not clause.verb and clause.subject_at is None
            if self.english
            else taken_up or mention.start - clause.start <= 3
        )
        inherent = self.says["holds_plain_negation"].search(text[mention.start : mention.end])
        denied = self.says["alone"].fullmatch(own) or (
            # "自杀？那没琢磨过。": what was asked, said again as a question
            not self.english and clause.question and self.says["topic_first"].fullmatch(own)
        )
        if denied and fragment and (taken_up or not inherent):
            weak = self.says["alone_weak"].search(own) is not None
            return [self._denial("alone", following.start, following.end, weak=weak)]
        return []

    # strength -----------------------------------------------------------------------------------

    def _hedge(self, draft: Draft, turn: TurnState, clause: Clause, mention: Mention) -> None:
        for h in turn.cues("assertion", "hedge"):
            if (
                h.start >= mention.start
                and h.end <= mention.end
                and (self.english or h.start == mention.start)
                and not any(a <= h.start < b for a, b in mention.open)
            ):
                if self.english and mention.start < h.start and self.says["doubts_inside"].match(
                    turn.canonical.text, h.start, h.end
                ):  # "my mind might be wandering"
                    draft.weaken(self._doubt(turn, h), h.rule, turn.index, h.start, h.end)
                continue  # the mention's own words: 拿不准主意
            if self._hedges(turn, h, clause, mention):
                draft.weaken(self._doubt(turn, h), h.rule, turn.index, h.start, h.end)
        definite = draft.strength == "definite"  # before what follows: part of it is asked of an indicator as well
        if draft.polarity == "deny" and mention.sense != "mask":
            last = turn.clauses[clause.index - 1] if self.english and clause.index else clause
            loose = last.sentence == clause.sentence and not last.verb and last.subject_at is None  # "the other days | I eat"
            first = last.start if loose and clause.lead in ("subject", "weak") else clause.start
            m = self.says["at_times"].search(turn.canonical.text, first, clause.end)
            if m is not None and not mention.start <= m.start() < mention.end:
                # "some days I'm cheerful": on the others not
                note = draft.weaken if definite else draft.because
                note("restricted", self.says.rules["at_times"].id, turn.index, m.start(), m.end())
        if draft.polarity == "deny" and mention.sense != "mask":
            m = self.says["except"].match(turn.canonical.text, mention.end)
            if m is not None and draft.strength != "definite":
                draft.because("restricted", self.says.rules["except"].id, turn.index, m.start(), m.end())
            elif m is not None:
                # "fine, except that ...": not all of it
                draft.object = turn.canonical.text[m.start() : m.end()].strip(" ,，")
                draft.cues.append(
                    CueNote(
                        "object",
                        draft.object,
                        self.says.rules["except"].id,
                        turn.index,
                        m.start(),
                        m.end(),
                    )
                )
        if draft.polarity == "deny":
            for h in turn.cues("assertion", "restrict"):
                where = turn.clauses.at(h.start)
                if (
                    where is clause
                    and (h.start >= mention.end or h.end <= mention.start)
                    or where.index == clause.index - 1
                    and where.sentence == clause.sentence
                    and not where.verb
                    and (self.english or len(turn.canonical.text[where.start : where.end]) <= 10)
                    # "I don't wish | I were dead | when I'm out fishing": behind all of what is said
                    or where.index == turn.clauses.at(mention.end - 1).index + 1
                    and where.sentence == clause.sentence
                    and h.start <= where.start + 1
                    and where.connective in ("conditional", "temporal", "relative")
                ):
                    if draft.strength != "definite":
                        draft.because("restricted", h.rule, turn.index, h.start, h.end)
                        continue
                    draft.object = turn.canonical.text[h.start : h.end].strip()
                    draft.cues.append(CueNote("object", draft.object, h.rule, turn.index, h.start, h.end))
        self._excused(draft, turn, clause, mention)
        if not self.english:
            self._passable_zh(draft, turn, clause, mention)
        if not self.english and draft.strength == "definite" and mention.sense in ("health", "symptom"):
            for h in turn.cues("assertion", "weak_negation"):
                # 应该 + 没有对事情失去兴趣, 注意力可能没以前集中: the negation is the mention's own, the doubt is not
                if (
                    h.start < mention.end
                    and mention.start < h.end <= mention.end
                    and self.says["doubted"].match(turn.canonical.text, h.start)
                ):
                    draft.weaken(self._doubt(turn, h), h.rule, turn.index, h.start, h.end)
        if not self.english and draft.strength == "definite":
            for h in turn.cues("assertion", "doubt"):
                if (
                    turn.clauses.at(h.start) is clause
                    and h.start >= mention.start - 1
                    and (draft.polarity == "deny" or mention.sense == "weak_health")
                ):
                    draft.weaken("doubt", h.rule, turn.index, h.start, h.end)

    def _passable_zh(self, draft: Draft, turn: TurnState, clause: Clause, mention: Mention) -> None:
        """A Chinese denial that is passable, a change, or of what is left over; and a symptom in a when-clause."""
        text = turn.canonical.text

        def note(ground: str, name: str, m: re.Match[str]) -> None:
            add = draft.weaken if draft.strength == "definite" else draft.because
            add(ground, self.says.rules[name].id, turn.index, m.start(), m.end())

        if draft.polarity == "deny" and mention.sense == "health":
            if m := self.says["fairly"].search(text, max(clause.start, mention.start - 4), mention.end):
                note("passable", "fairly", m)
            if mention.dimension == "anhedonia":
                if m := self.says["own_object"].search(text[clause.start : mention.start]):
                    add = draft.weaken if draft.strength == "definite" else draft.because
                    start = clause.start + m.start()
                    add("restricted", self.says.rules["own_object"].id, turn.index, start, mention.start)
                elif m := self.says["own_object_behind"].match(text, mention.end):
                    note("restricted", "own_object_behind", m)  # "享受那种感觉"
            if mention.dimension == "anhedonia" or mention.components == ("hopelessness",):
                whole = turn.clauses.sentence(clause.sentence)
                if m := self.says["trait"].search(text, whole[0].start, whole[-1].end):
                    note("restricted", "trait", m)  # "我性格外向，喜欢和人打交道"
            if mention.dimension in ("depressed_mood", "fatigue", "anhedonia"):
                if m := self.says["gained"].match(text, mention.end):
                    note("change", "gained", m)
                elif m := self.says["more"].search(text[clause.start : mention.start]):
                    add = draft.weaken if draft.strength == "definite" else draft.because
                    start = clause.start + m.start()
                    add("change", self.says.rules["more"].id, turn.index, start, mention.start)
        elif draft.polarity == "deny" and mention.sense == "symptom":
            before = text[clause.start : mention.start]
            if m := self.says["other_than"].search(before):
                add = draft.weaken if draft.strength == "definite" else draft.because
                start = clause.start + m.start()
                add("restricted", self.says.rules["other_than"].id, turn.index, start, mention.start)
        elif draft.polarity == "affirm" and mention.sense == "symptom":
            m = self.says["circumstance"].match(text, mention.end)
            opens = self.says["opens_circumstance"].search(text, clause.start, mention.start)
            if (
                m is not None
                and (
                    opens
                    or not self.says["governs"].search(text, clause.start, mention.start)
                    and not self.says["many_times"].match(text, m.end())
                )
                and not self.says["once"].search(text, clause.start, mention.start)
            ):
                note("when", "circumstance", m)  # "睡不着的时候我就看书"

    def _doubt(self, turn: TurnState, h: Hit) -> str:
        """The ground of a hedge: whether it is one of the contract's own list."""
        return "hedge" if self.says["listed_hedge"].search(turn.canonical.text, h.start, h.end) else "doubt"

    def _excused(self, draft: Draft, turn: TurnState, clause: Clause, mention: Mention) -> None:
        """ "I gave up the choir because I can't afford the fare": giving up for another reason than want of interest
        settles nothing (contract, "Activity"). The reason stands in the sentence, and next to what was given up."""
        if (
            draft.polarity != "affirm"
            or draft.dimension != "anhedonia"
            or set(mention.components) != {"activity"}
        ):
            return
        text, end = turn.canonical.text, turn.clauses.sentence(clause.sentence)[-1]
        start = clause.start
        if not self.english and clause.word in self.says.words("therefore"):
            start = turn.clauses[clause.index - 1].start  # "因为太累，所以不去了"
        name, m = "excuse", self.says["excuse"].search(text, max(0, start - 1), end.end)
        if m is None:
            # "I've stopped going. It's eight pounds a time": said on its own, next to it
            following = turn.clauses[end.index + 1] if end.index + 1 < len(turn.clauses) else end
            name, m = "excuse_alone", self.says["excuse_alone"].search(text, max(0, mention.end - 2), following.end)
        if m is None:
            # "it's caused me to do less": what does so stands before it
            name, m = "excuse_before", self.says["excuse_before"].search(text, max(0, clause.start - 1), mention.start)
        if m is None and clause.sentence and self.says["so_then"].match(text, max(0, turn.clauses.sentence(clause.sentence)[0].start - 1)):
            # "It hurts so much. So I just lie in bed"
            told = turn.clauses.sentence(clause.sentence - 1)
            name, m = "ails", self.says["ails"].search(text, told[0].start - 1, told[-1].end + 1) if told else None
        if m is not None and not any(mention.end <= o.start < m.start() for o in turn.mentions):
            note = draft.weaken if draft.strength == "definite" else draft.because
            note("reason", self.says.rules[name].id, turn.index, m.start(), m.end())

    def _hedges(self, turn: TurnState, h: Hit, clause: Clause, mention: Mention) -> bool:
        where = turn.clauses.at(h.start)
        text = turn.canonical.text
        if where is clause:
            # "可能因为压力大睡不着": the hedge is on the cause
            return h.end > mention.start or not self.says["hedged_cause"].search(text[h.end : mention.start])
        if where.sentence != clause.sentence:
            return False
        if self.english and h.start >= mention.end > where.start > clause.start:
            return True  # "I've lost my appetite, perhaps": the statement runs on into the clause of the hedge
        if (
            where.index == clause.index - 2
            and self.english
            and text[turn.clauses[clause.index - 1].start : clause.start] in ("that ", "that even ", "that either ")
        ):
            return self._bare(text, where, h)  # "could be that i am sad"
        if self.english and clause.index and where.index < clause.index and h.start <= where.start + 12:
            # "maybe my conscience is bad or my confidence is gone", "I guess I wake at four, unable to doze off"
            before = turn.clauses[clause.index - 1]
            other = (clause.connective, clause.word) == ("coordinate", "or")
            # "perhaps I stay in and do nothing": two verbs of one subject, and nothing said before the doubt
            other = other or (
                (clause.connective, clause.word) == ("coordinate", "and")
                and clause.subject_at is None
                and clause.verb
                and not clause.comma
                and before.subject_at is not None
                and h.start < before.subject_at
            )
            fragment = clause.connective is None and clause.comma and not clause.verb and clause.subject_at is None
            leads = not any(where.start <= m.start < h.start for m in turn.mentions)  # not "hopeless maybe, tired for sure"
            goes_on = before.sentence == clause.sentence and (other or fragment and leads)
            if goes_on and self._hedges(turn, h, before, mention):
                return True
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
            if not self.english and self._opens_in_one(text, where, clause, h, turn):
                return True  # "没准换了地方我也睡不着"
            if self.english and clause.word == "how" and h.end < clause.start and self.says["how_so"].match(text, clause.start):
                return False  # "I guess I could tell them how tired I've been": that I have been is taken for granted
            if clause.raised or clause.connective == "complement" or self.english and h.end == clause.start:
                return True  # "i will say that perhaps i have not ..."
            # "i guess" alone before its clause
            return self._bare(text, where, h)
        following = turn.clauses[where.index + 1] if where.index + 1 < len(turn.clauses) else None
        if not self.english and where.index > clause.index and following is not None:
            if following.connective == "reason" and h.end >= where.end:
                return False  # "食欲挺好，可能因为不那么忙": the hedge is on the cause
        if self.english and where.index > clause.index and following is not None and (
            h.end == following.start
            or where.connective == "contrast"
            and following.sentence == where.sentence
            and not text[where.start : h.start].removeprefix("but ").strip(" ,")
        ):
            return False  # "I binge, and I guess it'll rain": the hedge is on what it leads to
        if (
            where.index == clause.index + 1
            or self._same_thing(turn, clause, where)
            or self.english
            and self._closes(turn, clause, where, mention)
        ):
            return self._bare(text, where, h)
        return False

    def _closes(self, turn: TurnState, clause: Clause, where: Clause, mention: Mention) -> bool:
        """ "I toss and turn before I drift off, maybe", "it's my interest that has left me, I guess": whether all that
        stands between an English statement and a clause at the end of its sentence hangs on that statement. Its reason
        does not: there the doubt is of the reason."""
        text = turn.canonical.text
        last = turn.clauses.at(mention.end - 1).index
        return 1 < where.index - clause.index <= 4 and all(
            c.index <= last
            or c.connective in ("temporal", "complement")
            # "I wake at four, unable to doze off, maybe", "I do less, at work and at home, maybe"
            or c.subject_at is None and not c.verb and c.connective in (None, "coordinate", "compare")
            or c.raised
            or self.says["relative"].match(text, c.start) is not None
            for c in (turn.clauses[i] for i in range(clause.index + 1, where.index))
        )

    @staticmethod
    def _opens_in_one(text: str, where: Clause, clause: Clause, h: Hit, turn: TurnState) -> bool:
        """Whether a Chinese hedge opens what runs on, without a comma and with nothing said before, into a clause of the
        speaker's. In "可能最喜欢的戏我听着也没了乐趣" what stands before is the object, and 喜欢 only tells which."""
        return (
            h.start <= where.start + 1
            and clause.lead == "subject"
            and text[clause.start - 1] not in PUNCT_ZH
            and not any(
                where.start <= m.start < clause.start
                and not (m.sense == "health" and "的" in text[m.start + 1 : clause.start])
                for m in turn.mentions
            )
        )

    @staticmethod
    def _same_thing(turn: TurnState, clause: Clause, where: Clause) -> bool:
        """ "坐不住也好来回走也好 | 我总有一样 | 可能吧", "I snack on crisps | and cake | , I guess": whether a clause stands two
        behind, with nothing said between. An English one goes on without a subject or a pause."""
        middle = turn.clauses[clause.index + 1] if where.index == clause.index + 2 else clause
        if turn.canonical.word_level and (
            middle.subject_at is not None
            and not middle.connective
            or middle.comma
            or middle.connective == "reason"  # there the doubt is of the reason
            or where.connective is not None
        ):
            return False
        return where.index == clause.index + 2 and not any(
            clause.end <= m.start < where.start for m in turn.mentions
        )

    # modality -----------------------------------------------------------------------------------

    def _modality(self, draft: Draft, turn: TurnState, clause: Clause, mention: Mention) -> None:
        def set_(value: str, rule: str, start: int, end: int) -> None:
            if draft.modality == "asserted":
                draft.modality = value
            draft.cues.append(CueNote("modality", value, rule, turn.index, start, end))

        text = turn.canonical.text
        if turn.speaker == "interviewer":
            return
        cues = turn.hits.get("assertion", ())
        own = [h for h in cues if clause.start <= h.start < clause.end]
        before = [h for h in own if h.start <= mention.start + (3 if self.english and h.category == "future" else 0)]
        if self.english:  # "neither want to die nor think of it": a wish that another mention holds is that one's
            before = [
                h
                for h in before
                if h.category != "future"
                or not any(o.start <= h.start and h.end <= o.end <= mention.start for o in turn.mentions)
            ]
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
        event = self._breaks_in(text, turn, clause)
        habit = any(h.category == "habit" for h in own)
        for h in before:
            if (
                h.category == "hypothetical"
                and "death_wish" in mention.components
                and (mention.start <= h.start or self.says["wished"].search(text[clause.start - 1 : clause.end + 6]))
            ):
                continue
            reaches = h.end <= mention.start + 1 or (
                self.english and h.start < mention.start and text.startswith("would ", h.start)
            )  # "I'd be awake all night": the cue's last word is the mention's first
            if h.category == "hypothetical" and reaches and not neutral and not event:
                if self._told(turn, clause, h):
                    continue
                set_("hypothetical", h.rule, h.start, h.end)
            elif (
                h.category == "future"
                and mention.sense == "symptom"
                and self.says["habitual_will"].match(text[h.start : h.end])
                and not self.says["will_be"].match(text, h.start)
                and not self.says["later"].search(text[clause.start : clause.end])
            ):
                continue  # "i'll read a page and forget it": a habit, told with "will"
            elif (
                h.category == "future"
                and mention.sense == "symptom"
                and self.says["be_rid"].fullmatch(text, h.end, mention.start)
            ):
                continue  # "I want to stop feeling guilty": so it is now
            elif (
                h.category == "future"
                and mention.sense == "symptom"
                and self.says["obliged"].match(text[h.start : h.end])
            ):
                continue  # "i have to read it twice": what is so, not what shall be
            elif (
                h.category == "future"
                and mention.components == ("hopelessness",)
                and (mention.sense == "symptom" or not self.english)
            ):
                continue  # 将来一片迷茫: how the future looks is what is said
            elif (
                h.category == "future"
                and "death_wish" in mention.components
                and self.says["wish"].search(text[h.start : h.end])
            ):
                continue  # the wish is the evidence
            elif (
                h.category == "future"
                and (
                    h.end <= mention.start + (1 if self.english else 0)
                    or self.english
                    and h.end <= mention.start + 8  # "I'll feel like a failure": inside of what it says
                    and self.says["will_feel"].match(text, h.start) is not None
                )
                and not (habit and self.says["will"].search(" " + text[h.start : h.end]))
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
        if not self.english:
            self._unreal_zh(draft, turn, mention, clause, set_)
        # "it's important to eat well"; "I'm too busy to feel sad"; "I dreamt I felt sad"
        for name, wording, senses, value in (
            ("due", self.says["due"], ("health",), "future"),
            ("no_room", self.says["no_room"], ("symptom",), "hypothetical"),
            ("imagined", self.says["imagined"], ("health", "weak_health", "symptom"), "hypothetical"),
        ):
            if mention.sense in senses and (m := self._right_before(turn, mention, wording)):
                set_(value, self.says.rules[name].id, m.start(), m.end())
        for h in cues:
            if h.category == "named" and h.start < clause.start < h.end <= mention.start + 1:
                set_("quoted", h.rule, h.start, h.end)  # "that thing | i told you about feeling down"
            if (
                h.category == "seen"
                and (h.start >= clause.start or h.end > clause.start)
                and h.start <= mention.start
                and h.end <= mention.start + 8
            ):
                draft.weaken("proxy", h.rule, turn.index, h.start, h.end)
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
        if self.english and draft.modality == "asserted" and clause.connective == "coordinate" and clause.subject_at is None:
            shared = self._shares_would(turn, clause)
            if shared is not None:
                set_("hypothetical", shared.rule, shared.start, shared.end)
        for h in own:
            if h.category == "inaudible" and h.start <= mention.end + 3 and h.end >= mention.start - 3:
                set_("inaudible", h.rule, h.start, h.end)
        previous = turn.clauses[clause.index - 1] if clause.index else None
        granted = self.english and self.says["why_so"].match(text, clause.start) is not None
        if clause.raised and previous is not None and previous.sentence == clause.sentence and not granted:
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
                        and (clause.tense != "present" or self.says["supposes"].match(text[h.start : h.end]))
                    ):
                        set_("hypothetical", h.rule, h.start, h.end)
        doubted = any(
            h.category in ("hedge", "double") and h.start < clause.start < h.end for h in cues
        )  # "not sure if", "lying if i said"
        longed_for = "death_wish" in mention.components and self.says["wished"].search(
            text[clause.start - 1 : turn.clauses.sentence(clause.sentence)[-1].end + 1]
        )
        if longed_for:
            pass  # "I'd be glad not to wake up", 要是能一睡不起就好了: the wish is the evidence
        elif not self.english and mention.start <= text.find(clause.word or " ", clause.start) < mention.end:
            pass  # 刚听的话转头就忘: the mention's own words
        elif clause.connective == "conditional" and (doubted or mention.start <= clause.start + 1):
            pass  # a mention that holds its own condition ("if i never woke up, so be it") is no condition
        elif clause.connective == "conditional" and not self._even(text, clause):
            set_("hypothetical", f"{self.language}.clauses.conditional", clause.start, clause.start + len(clause.word))
        elif (
            previous is not None
            and previous.connective == "conditional"
            and (self.english or not self._even(text, previous))
            and previous.sentence == clause.sentence
            and clause.lead in ("weak", "subject", "start")
            and not clause.connective
            and previous.word not in self.says.words("whether")
            and (self.english or not self.says["regretted"].search(text[previous.start : previous.end]))
            and not any(
                h.category in ("hedge", "double") and h.start < previous.start + 2 and previous.start < h.end
                for h in cues
            )
        ):
            set_(
                "hypothetical",
                f"{self.language}.clauses.conditional",
                previous.start,
                previous.start + len(previous.word),
            )
        if (
            clause.connective == "temporal"
            and draft.polarity == "affirm"
            and clause.tense != "past"
            and clause.word not in self.says.words("no_when")
            and not event
            and 0 < mention.start - clause.start < 30
            and mention.sense in ("symptom", "health")
        ):
            if not self.english and self.says["consequence"].search(text, clause.start, mention.end):
                pass  # "一到晚上就想哭", "每次过桥都想跳下去": what follows 就 is said
            elif not self.english or clause.word in self.says.words("when"):
                note = draft.weaken if draft.strength == "definite" else draft.because
                end = clause.start + max(1, len(clause.word))
                note("when", f"{self.language}.clauses.temporal", turn.index, clause.start, end)
        if (
            self.english
            and clause.connective == "temporal"
            and draft.polarity == "deny"
            and mention.sense == "health"
            and clause.tense != "past"
            and clause.word in self.says.words("when")
            and not event
        ):  # "when I've got the energy": at other times not
            note = draft.weaken if draft.strength == "definite" else draft.because
            note("restricted", f"{self.language}.clauses.temporal", turn.index, clause.start, clause.start + len(clause.word))
        if (
            not self.english
            and clause.word == "的时候"
            and mention.end <= clause.end
            and not self.says["once"].search(text[clause.start : clause.end])
            and not clause.raised
            and self.says["each_time"].search(text[clause.start : clause.end])
            and not self.says["governs"].search(text, clause.start, mention.start)
            and not self.says["many_times"].match(text, clause.end)
            and draft.polarity == "affirm"
        ):
            draft.weaken("when", f"{self.language}.clauses.temporal", turn.index, clause.start, clause.end)
        tired = not self.english and mention.sense == "symptom" and mention.dimension in ("sleep", "fatigue")
        if (
            mention.sense in ("health", "weak_health")
            and mention.dimension in ("fatigue", "depressed_mood", "sleep", "anhedonia")
            or tired
        ):
            for h in cues:
                if h.category == "mania" and turn.clauses.at(h.start).sentence == clause.sentence:
                    if tired and draft.polarity == "affirm" and not h.start <= mention.start < h.end:
                        continue  # "没有睡得很少却不累的情况": what is denied is the elation
                    set_("idiom", h.rule, h.start, h.end)
        asked = clause.question or any(h.category == "question" for h in own)
        if self.english and mention.start <= clause.start + 2 and mention.end >= clause.end - 2:
            asked = asked and not self.says["rhetorical"].match(text, mention.start)  # "what good am I to anybody?"
        if not self.english and mention.start and text[mention.start] == "不":
            asked = asked or text[mention.start - 1] == text[mention.start + 1]  # 怪不怪自己
        if not self.english and self.says["asks_self"].match(text, clause.start):
            asked = True  # "有没有走神……大概有吧"
        if not self.english and clause.question:
            # "自杀？那没琢磨过。": said again as a question, and denied in the next sentence
            asked = not any(
                note.attribute == "polarity" and note.start >= clause.end and not self._answers(turn, note.start)
                for note in draft.cues
            )
        hedged = any(note.attribute == "strength" and note.rule.endswith((".hedge", ".unknown")) for note in draft.cues)
        if asked and not presupposed and not hedged and mention.sense != "mask":
            if not self._rhetorical(turn, clause, text):
                set_("question", f"{self.language}.assertion.question", clause.start, clause.end)

    def _unreal_zh(
        self,
        draft: Draft,
        turn: TurnState,
        mention: Mention,
        clause: Clause,
        set_: Callable[[str, str, int, int], None],
    ) -> None:
        """A Chinese health that is not said to be there: striven for, awaited, granted, or the means of something else;
        and a symptom that is to be avoided, or of which only the event is denied that would have brought it."""
        text = turn.canonical.text
        if mention.sense in ("health", "weak_health"):
            for h in turn.cues("assertion", "aim", "even_if"):
                if h.end < clause.start - 1 or h.start >= clause.end:
                    continue  # "影响了 | 我正常吃饭": what ends right before the clause governs it
                if h.start < mention.start < h.end and text[mention.start] == "想":
                    continue  # "我很想活着": the wish is what is stated
                if h.category == "aim" and (
                    h.end <= mention.start + 2 or any(a <= h.start and h.end <= b for a, b in mention.open)
                ):
                    set_("future", h.rule, h.start, h.end)
                elif (
                    h.category == "even_if"
                    and h.end <= mention.start
                    and not self.says["yet"].search(text, h.end, mention.start)
                ):
                    set_("hypothetical", h.rule, h.start, h.end)
            for h in turn.cues("assertion", "aim", "future"):
                where = turn.clauses.at(h.start)
                if where.index >= clause.index:
                    break
                strives = self.says["strives"].match(text, h.start) and self.says["believes"].match(text, clause.start)
                if (
                    where.sentence == clause.sentence
                    and (strives or h.category == "future" and self.says["wish"].match(text, h.start))
                    and all(
                        c.connective in (None, "coordinate") and c.subject_at is None
                        for c in (turn.clauses[i] for i in range(where.index + 1, clause.index + 1))
                    )
                ):
                    # "希望能摆脱这些，找回快乐", "努力调整自己，相信未来会更好": the wish, or the effort, goes on
                    set_("future", h.rule, h.start, h.end)
            m = self.says["means"].match(text, mention.end)
            if m is not None:
                set_("hypothetical", self.says.rules["means"].id, m.start(), m.end())
            m = self.says["attribute"].match(text, mention.end)
            if m is not None and mention.dimension in ("depressed_mood", "fatigue", "anhedonia"):
                set_("idiom", self.says.rules["attribute"].id, m.start(), m.end())
        elif mention.sense == "symptom" and draft.polarity == "deny":
            for h in turn.cues("assertion", "aim"):  # "完美才能不辜负大家", "为了不让自己难过": the means of something else
                if clause.start <= h.start and h.end <= mention.start and self.says["not_to"].fullmatch(text, h.end, mention.start):
                    set_("future", h.rule, h.start, h.end)
            m = self.says["event"].match(text, mention.end)
            if m is not None and self.says["event_verb"].search(text, clause.start, mention.start):
                set_("idiom", self.says.rules["event"].id, m.start(), m.end())  # "没发生让我难过的事"

    def _shares_would(self, turn: TurnState, clause: Clause) -> Hit | None:
        """ "I'd sit in the car and sob": the "would" before the first of two English verbs that one subject has."""
        last = turn.clauses[clause.index - 1] if clause.index else None
        if last is None or last.sentence != clause.sentence or last.subject_at is None or clause.verb_at is None:
            return None
        if clause.tense != "present" and clause.tense is not None:
            return None
        for h in turn.cues("assertion", "hypothetical"):
            if last.subject_at <= h.start < last.end and self.says["would"].match(turn.canonical.text, h.start):
                return None if self._told(turn, last, h) else h
        return None

    def _told(self, turn: TurnState, clause: Clause, h: Hit) -> bool:
        """ "There was this one week, I'd lie there till three", "back in college I'd lie awake": an English "would" of a
        story, or behind a time in the past, which says what was."""
        text = turn.canonical.text
        if not self.english or not self.says["would"].match(text, h.start):
            return False
        start = turn.clauses.sentence(max(0, clause.sentence - 1))[0].start
        if self.says["told_of"].search(text, max(0, start - 1), clause.start) is not None:
            return True
        dated = any(
            t.category in ("remote", "ago") and start <= t.start < h.start for t in turn.hits.get("time", ())
        )
        return dated and not any(c.connective == "conditional" for c in turn.clauses.sentence(clause.sentence))

    @staticmethod
    def _answers(turn: TurnState, start: int) -> bool:
        """Whether a denial is a word that answers the question before the turn, and is read as its answer."""
        return any(h.category == "no" and abs(h.start - start) <= 2 for h in turn.hits.get("answers", ()))

    def _breaks_in(self, text: str, turn: TurnState, clause: Clause) -> bool:
        """ "I'll be halfway up a ladder when my mind drifts off": whether an English when-clause is what happens, told
        behind what was under way. "I'm always eating when I'm sad" names a state, and is a condition."""
        if not self.english or clause.connective != "temporal" or clause.index == 0:
            return False
        last = turn.clauses[clause.index - 1]
        if last.sentence != clause.sentence or clause.word != "when":
            return False
        if self.says["halfway"].search(text, max(0, last.start - 1), last.end + 1):
            return True
        return (
            self.says["under_way"].search(text, max(0, last.start - 1), last.end + 1) is not None
            and self.says["stative_when"].match(text, clause.start) is None
        )

    def _rhetorical(self, turn: TurnState, clause: Clause, text: str) -> bool:
        """A tag question ("..., right?", "..., you know?") asserts."""
        if self.english:
            if text.startswith(", ?", clause.end):
                return True  # a tag of fillers, which the canonical text drops ("you know?")
            last = [c for c in turn.clauses if c.sentence == clause.sentence][-1]
            return (
                last is not clause
                and self.says["tag"].fullmatch(text[last.start : last.end].strip(" ,.?!")) is not None
            )
        return self.says["tag"].search(text[clause.start : clause.end]) is not None and clause.subject_at is not None

    def _even(self, text: str, clause: Clause) -> bool:
        before = text[max(0, clause.start - 5) : clause.start]
        return self.says["even_before"].fullmatch(before) is not None or clause.word in self.says.words("even")

    def _bare(self, text: str, where: Clause, h: Hit) -> bool:
        """The clause holds nothing much beside the hedge."""
        rest = (text[where.start : h.start] + " " + text[h.end : where.end]).strip(" ,.，。")
        if self.english:
            return self.says.words("bare").issuperset(rest.split())
        return self.says["bare"].fullmatch(rest) is not None
