"""Whom a mention is about (contract, section 3, operation 1)."""

from __future__ import annotations

from dataclasses import dataclass

from ..clauses.logic import Clause
from ..cues import Hit
from ..patterns import PUNCT_EN
from ..turns.logic import CueNote, Draft, TurnState, between, near
from ..wordings import Wordings

_PAUSES = tuple(",.;?!")
# of the rules whose mentions are states and acts of people
_STATES = (
    "en.fatigue.tiredness.adjective",
    "en.fatigue.energy.tank",
    "en.fatigue.energy.drag",
    "en.psychomotor.retardation.slow_moving",
    "en.psychomotor.agitation.pace",
    "en.psychomotor.agitation.restless",
    "en.concentration.indecision.dither",
)


@dataclass(frozen=True, slots=True)
class Found:
    value: str
    rule: str
    start: int
    end: int
    explicit: bool


class SubjectBinder:
    """Sets `subject` of a draft from the clause's own subject, else from the clause before, else from the question."""

    def __init__(self, language: str, says: Wordings):
        self.english = language == "en"
        self.language = language
        self.says = says

    def clause_subjects(self, turn: TurnState, asked_about: str | None = None) -> list[Found]:
        """The subject of each clause of a turn, inherited where a clause names none.

        asked_about: "other" where the question before was about somebody else, "whoever" where it asked who.
        """
        out: list[Found] = []
        asks_who = asked_about == "whoever"
        if asks_who:
            asked_about = "other"
        default = Found(asked_about or "participant", f"{self.language}.subject.default", 0, 0, False)
        carried = default
        text = turn.canonical.text
        hits = [
            h
            for h in turn.hits.get("subject", ())
            if h.category in ("first", "third", "person", "generic") and not self.addressed(turn, h)
        ]
        for h in turn.hits.get("subject", ()):
            if (
                h.category == "report" and text[h.start] not in "让使令叫"
            ):  # "says i", 说我: the speaker is the subject of what is said
                at = text.rfind(" ", h.start, h.end - 1) + 1 if self.english else h.end - 1
                hits.append(Hit(h.component, "first", None, at, h.end, h.rule))
        hits.sort(key=lambda h: (h.start, h.end))
        for clause in turn.clauses:
            here = turn.near(clause.start, clause.end)
            own = self._own(clause, near(hits, clause.start, clause.end), text, here)
            introduced = self._introduced(turn, clause)
            if own is None and self.english and (other := self._somebody(turn, clause, hits)) is not None:
                out.append(other)
                carried = other
                continue
            if own is None:
                if asks_who and default.value == "other" and self._after_the_one(turn, clause, carried, default, hits):
                    carried = default = Found("participant", default.rule, 0, 0, False)
                if carried is default and asked_about and self._speaks_of_self(turn, clause, hits):
                    carried = default = Found("participant", default.rule, 0, 0, False)
                me = Found("participant", default.rule, 0, 0, False)
                if self.english and carried.value == "other" and self.says["of_myself"].search(text, clause.start, clause.end):
                    carried = me  # "There's my mother. Can't sleep myself."
                elif not self._still(carried, clause, turn, hits):
                    # whoever introduced somebody was speaking of themselves
                    carried = me if self.english and carried.rule == self.says.rules["introduces"].id else default
                out.append(Found(carried.value, carried.rule, carried.start, carried.end, False))
                carried = introduced or carried
                continue
            value = self._value(own, turn)
            if turn.speaker == "informant":
                value = self._informed(own, turn, carried, value)
            found = Found(value, own.rule, own.start, own.end, True)
            out.append(found)
            carried = introduced if introduced is not None and value == "participant" else found
            if (
                value != "participant"
                and turn.speaker == "participant"
                and (
                    any(
                        h.category == "report" and clause.start <= h.start < clause.end and h.start > own.start
                        for h in turn.hits.get("subject", ())
                    )
                    or self._done_to_me(turn, clause, own)
                )
            ):
                carried = default  # "她的责备让我焦虑，常常哭": the one it happens to goes on
        return out

    def _somebody(self, turn: TurnState, clause: Clause, hits: list[Hit]) -> Found | None:
        """ "We had this one client who couldn't hold still", "Sean's lost all interest in his Xbox": somebody whom no
        list of persons knows, by the relative clause, or by the possessive that refers to them."""
        text = turn.canonical.text
        if clause.connective == "relative" and clause.word == "who" and clause.index:
            last = turn.clauses[clause.index - 1]
            m = self.says["antecedent"].search(text, max(0, last.start - 1), clause.start)
            if last.index and self.says["the_one"].fullmatch(text, last.start, last.end):
                named = turn.clauses[last.index - 1]  # "my husband 's | the one | who is up all night"
                whose = [h for h in between(hits, named.start, named.end) if h.category in ("person", "third")]
                if whose and named.sentence == last.sentence:
                    return Found("other", whose[-1].rule, whose[-1].start, whose[-1].end, True)
            if self.says["self_as"].search(text, max(0, last.start - 1), clause.start):
                return Found("participant", self.says.rules["self_as"].id, last.start, last.end, True)
            if m is not None:
                return Found("other", self.says.rules["antecedent"].id, m.start(), m.end(), True)
        if turn.speaker == "informant" or any(
            h.category == "first" and clause.start <= h.start < clause.end for h in hits
        ):
            return None
        m = self.says["named_one"].match(text, clause.start, clause.end + 1)
        return Found("other", self.says.rules["named_one"].id, m.start(), m.end(), True) if m is not None else None

    def _speaks_of_self(self, turn: TurnState, clause: Clause, hits: list[Hit]) -> bool:
        """ "四口人。这阵子累也好没劲也好我总有一样": whether a later sentence, after a question about others, is of the
        speaker and names nobody else. An English one begins with a thing: "The trouble is that one of them weighs on me"."""
        sentence = turn.clauses.sentence(clause.sentence)
        said = {h.category for h in hits if sentence[0].start <= h.start < sentence[-1].end}
        if self.english and not self._names_thing(turn, sentence[0].start):
            return False
        return clause.sentence > 0 and "first" in said and said.isdisjoint({"person", "third"})

    def _after_the_one(self, turn: TurnState, clause: Clause, carried: Found, default: Found, hits: list[Hit]) -> bool:
        """ "Who's minding the shop?" "My colleague has the keys. There's no slowness with me.": whether an English sentence
        behind the one that says who names a thing or the speaker first, or says "me", and no "he" or "she". Where the
        first sentence names nobody ("家里几口人？" "四口人。"), any other sentence is behind it."""
        if carried is default:
            return clause.sentence > 0 and not any(
                h.category in ("person", "third") and h.start < clause.end for h in hits
            )
        sentence = turn.clauses.sentence(clause.sentence)
        start = sentence[0].start
        counted = [m.span() for m in self.says["some_of"].finditer(turn.canonical.text, start, sentence[-1].end)]
        said = {
            h.category
            for h in hits
            if start <= h.start < sentence[-1].end and not any(a <= h.start < b for a, b in counted)
        }
        return (
            self.english
            and carried.explicit
            and turn.clauses.at(carried.start).sentence < clause.sentence
            and "third" not in said
            and (self._names_thing(turn, start) or "first" in said)
        )

    def _names_thing(self, turn: TurnState, start: int) -> bool:
        """Whether an English sentence begins with a thing or the speaker, be it behind a time: "over the past month
        everything is an effort"."""
        start = turn.behind_times(start, len(turn.canonical.text), gap=3)
        return self.says["names_thing"].match(turn.canonical.text, start) is not None

    def addressed(self, turn: TurnState, h: Hit) -> bool:
        """ "李老师，最近还爬山吗？", "闺女啊，我睡不着": a person who is all of a clause, or stands before "you", is spoken to
        and not of."""
        text = turn.canonical.text
        clause = turn.clauses.at(h.start)
        if h.category != "person" or self.says["someones"].match(text, h.start):
            return False
        if self.says["called"].fullmatch(text, clause.start, h.start) is None:
            return False
        if self.says["you_next"].match(text, h.end):
            return True
        goes_on = clause.index + 1 < len(turn.clauses) and turn.clauses[clause.index + 1].sentence == clause.sentence
        return goes_on and self.says["called_end"].fullmatch(text, h.end, clause.end) is not None

    def _spoken_to(self, turn: TurnState) -> bool:
        """ "Dad, you cry every night", "你天天哭，妈": an informant who calls one of the family speaks to the participant."""
        return self.says["calls_kin"].search(turn.canonical.text) is not None

    def _still(self, carried: Found, clause: Clause, turn: TurnState, hits: list[Hit]) -> bool:
        """Whether a clause without a subject of its own is about whom the clauses before were about."""
        previous = turn.clauses[clause.index - 1] if clause.index else None
        joined = previous is not None and previous.sentence == clause.sentence
        if carried.value == "generic":
            return joined
        if carried.value != "other":
            return True
        if turn.speaker == "informant":  # who is there to speak of the participant
            told = carried.rule.endswith("first") and clause.subject_at is None and clause.connective == "coordinate"
            return joined and (
                carried.rule.endswith(("kin", "role"))
                or self.english and told  # "I walk fast and talk fast"
                or self._own_account(carried, clause, turn, hits)
            )
        if self.english and carried.rule == self.says.rules["introduces"].id:
            # "We've a fella upstairs paces all night, can't sleep": only behind what it says of them
            where = turn.clauses.at(carried.start)
            if clause.sentence == where.sentence:
                return clause.subject_at is None and self._does(turn, where, carried.end)
            return clause.subject_at is None and clause.sentence <= where.sentence + 2 and self._of_the_one(turn, clause)
        return previous is None or self._goes_on(clause, previous, turn)

    def _does(self, turn: TurnState, clause: Clause, start: int) -> bool:
        """Whether the words behind a person in their clause say what they do: "a fella upstairs paces"."""
        return any(
            start <= m.start < clause.end
            and self.says["third_verb"].match(turn.canonical.text, m.start) is not None
            for m in turn.mentions
        )

    def _own_account(self, carried: Found, clause: Clause, turn: TurnState, hits: list[Hit]) -> bool:
        """ "我也是，睡不着": a Chinese informant who has just spoken of themselves goes on, while nobody else is named."""
        start = turn.clauses[clause.index - 1].start
        return (
            not self.english
            and carried.rule.endswith("first")
            and carried.start >= start
            and not any(h.category != "first" and start <= h.start < clause.end for h in hits)
        )

    def _introduced(self, turn: TurnState, clause: Clause) -> Found | None:
        """ "我还有个师弟，坐不住": whom a clause introduces, at its end, is whom the next one without a subject is about."""
        if turn.speaker != "participant":
            return None
        m = self.says["introduces"].search(turn.canonical.text, clause.start, clause.end)
        if m is None:
            return None
        if self.english:
            return self._one_with_me(turn, clause, m.end())
        for h in turn.hits.get("subject", ()):
            if h.category == "person" and m.start() <= h.start < clause.end and h.end >= clause.end - 3:
                return Found("other", h.rule, h.start, h.end, True)
        return None

    def _one_with_me(self, turn: TurnState, clause: Clause, start: int) -> Found | None:
        """ "I've a lad with me does the ceilings. Dozy, always on his phone.": the person whom an English clause introduces
        from `start` on."""
        for h in turn.hits.get("subject", ()):
            if h.category == "person" and start - 1 <= h.start <= start + 12 and h.end <= clause.end:
                return Found("other", self.says.rules["introduces"].id, h.start, h.end, True)
        return None

    def _of_the_one(self, turn: TurnState, clause: Clause) -> bool:
        """Whether the sentence of an English clause speaks of "he", "she" or what is theirs, and never of "I"."""
        sentence = turn.clauses.sentence(clause.sentence)
        first = any(
            h.category == "first" and sentence[0].start <= h.start < sentence[-1].end
            for h in turn.hits.get("subject", ())
        )
        text = turn.canonical.text
        return not first and self.says["speaks_of_one"].search(text, sentence[0].start, sentence[-1].end) is not None

    def _done_to_me(self, turn: TurnState, clause: Clause, own: Hit) -> bool:
        """ "儿媳给我炖得烂烂的，吃不下": a clause about what somebody does to or for the speaker hands the topic back,
        unless the next one reports what that person says."""
        text = turn.canonical.text
        after = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else None
        return self.says["to_speaker"].search(text, own.end, clause.end) is not None and not (
            after is not None and self.says["reports"].match(text, after.start)
        )

    def gives_example(self, text: str, start: int) -> bool:
        """Whether a clause opens an example: it goes on about whoever the sentence before was about."""
        return self.says["example"].match(text, start) is not None

    def _value(self, h: Hit, turn: TurnState) -> str:
        if turn.speaker == "informant":
            if h.category == "generic":
                return "participant" if self._spoken_to(turn) else "generic"
            return "other" if h.category == "first" else "participant"
        if h.category == "first":
            return "participant"
        if h.category == "generic":
            return "generic"
        return "other"

    def _informed(self, own: Hit, turn: TurnState, carried: Found, value: str) -> str:
        """In an informant's mouth "my dad" is the participant, unless somebody else was named as the one they came with."""
        surface = turn.canonical.text[own.start : own.end].strip()
        if own.category == "person" and turn.participant_role and not _same_person(surface, turn.participant_role):
            return "other"
        if own.category == "third" and surface in self.says.words("not_the_one"):
            return "other"
        if (
            own.category == "third"
            and carried.value == "other"
            and carried.explicit
            and (
                carried.rule.endswith(("kin", "role"))
                or carried.rule.endswith("third")
                and turn.clauses.at(carried.start).sentence == turn.clauses.at(own.start).sentence
            )
        ):
            return "other"
        return value

    def _own(self, clause: Clause, hits: list[Hit], text: str, turn: TurnState) -> Hit | None:
        """The cue that stands where a subject stands: before the clause's verb, not behind a preposition."""
        inside = [
            h
            for h in between(hits, clause.start, clause.end)
            if not any(m.start < h.start < m.end for m in near(turn.mentions, h.start, h.end))
        ]
        if not inside:
            return None
        if self.english:
            for h in inside:
                if h.category == "person" and self.says["heard_of"].search(" " + text[clause.start : h.start]):
                    following = text[h.end : clause.end].split(maxsplit=1)
                    if not (following and following[0].endswith("ing")):  # "I hear my mother coughing"
                        return h  # "I hear that a guy at work has got the blues"
            for h in inside:
                surface = text[h.start : h.end].strip()
                head = [word for word in text[clause.start : h.start].split() if word not in PUNCT_EN]
                if surface in self.says.words("object_pronoun"):
                    continue
                if h.category == "person" and self._picked_out(text, clause, h):
                    return h  # "it's my aunt who can't sleep"
                if h.category == "person" and clause.verb_at == h.start - 3 and self._owned(head):
                    return h  # "the gaffer's brother took ...": no verb, an owner
                if clause.verb_at is not None and h.start > clause.verb_at:
                    # inverted or late: "so is my sister"
                    break
                if head and head[-1] in self.says.words("takes_object"):
                    continue
                after = text[h.end : clause.end].split()
                if h.category == "person" and after[:1] == ["'s"]:
                    return h  # my mother's sleep
                if surface in self.says.words("anothers") or (
                    h.category == "first" and surface in self.says.words("ones_own")
                ):
                    return h
                if h.category == "generic" and surface == "you":
                    if turn.speaker == "interviewer" or not self.says.words("to_hearer").isdisjoint(after[:1]):
                        continue
                    if self.says["hearer_notes"].match(text, h.end):
                        continue  # "you can write down that ..."
                if len(head) > 6:
                    continue
                if h.category == "person" and after[:2] == ["and", "i"]:
                    continue
                if (
                    h.category == "person"
                    and clause.verb_at is None
                    and head
                    and head[-1] not in self.says.words("light_before")
                ):
                    continue
                return h
            return None
        for h in inside:
            surface = text[h.start : h.end]
            head = self._when_head(text, clause, h)
            if (
                head
                and head[-1] in self.says.words("takes_object")
                and not self.says["takes_clause"].search(head)
                and "的" not in surface
            ):
                continue
            if h.category == "first" and any(o.category == "person" and o.start == h.end for o in inside):
                continue  # 我隔壁床的病友
            if surface[0] in self.says.words("with_whom") and len(surface) > 1 and "的" not in surface:
                continue  # 跟朋友唱歌: whom it is done with; not 跟我同屋的
            if h.category in ("third", "person") and self.says["verb_before"].search(
                text, max(0, clause.start - 8) if clause.lead == "subject" else clause.start, h.start
            ):
                continue  # 对不起他们; 我害了 | 我弟弟
            if surface == "自己" and turn.speaker != "informant":
                continue
            if h.category == "generic" and surface in ("你", "您") and turn.speaker != "informant":
                if turn.speaker == "interviewer" or self.says["to_hearer"].match(text[h.end : h.end + 2]):
                    continue
            if (
                h.category == "generic"
                and surface in self.says.words("people")
                and head[-1:] in self.says.words("compared")
            ):
                continue
            if len(head) > (7 if h.category == "first" else 12):
                continue
            if h.category == "person" and (
                text[h.end : h.end + 1] == "我"
                or surface in self.says.words("address")
                and not self.says["acts"].match(text[h.end : h.end + 1])
            ):
                continue  # a form of address
            if h.category == "generic" and head and not self.says["light_head"].fullmatch(head):
                continue
            if (
                h.category == "person"
                and head
                and not self.says["light_head"].fullmatch(head)
                and "的" not in surface
                and not self.says["counted"].fullmatch(head)
            ):
                continue  # behind a verb: an object
            if (
                h.category == "person"
                and text[h.end : h.end + 1] in ("和", "跟")
                and text[h.end + 1 : h.end + 2] == "我"
            ):
                continue
            if (
                h.category == "person"
                and self.says["affairs"].match(text[h.end : h.end + 3])
                and "我" in text[h.end : clause.end]
            ):
                continue
            if h.category == "person" and self.says["not_the_person"].match(text, h.end):
                continue
            return h
        return None

    def _when_head(self, text: str, clause: Clause, h: Hit) -> str:
        """What stands in a Chinese clause before somebody, but for the word that makes a when-clause of it: "当同事们谈笑
        风生", "在同事们开心地交流时"; not "当班长时", "在同事面前"."""
        head = text[clause.start : h.start]
        m = self.says["opens_when"].search(head)
        if m is None or h.category == "first" or self.says["several"].match(text, h.start) is None:
            return head
        if m.group() == "在" and (
            self.says["when_end"].search(text, h.end, clause.end) is None or self.says["not_at"].match(text, h.end)
        ):
            return head
        return head[: m.start()]

    def _beheld(self, draft: Draft, clause: Clause, hits: tuple[Hit, ...] | list[Hit], text: str) -> Hit | None:
        """ "看到别人开心，我更难过", "看见孩子高兴的样子": whose health it is that a Chinese speaker sees or hears of, and of whom they
        know or hear what is said ("听说他最近失眠"). One who is near can be what makes the speaker glad: "看到孩子很开心"."""
        if self.english:
            return None
        for h in near(hits, clause.start, draft.end):
            if h.category not in ("person", "third", "generic") or not clause.start <= h.start < draft.end:
                continue
            start = max(0, clause.start - 8) if clause.lead == "subject" else clause.start  # "听说 | 我同学想自杀"
            if self.says["knows_of"].search(text, start, h.start) and self.says["known"].fullmatch(
                text, h.end, draft.start
            ):
                return h
            if (
                draft.sense not in ("health", "weak_health")
                or self.says["beholds"].search(text, clause.start, h.start) is None
            ):
                continue
            many = h.category == "generic" or text.startswith("们", h.end)
            if h.start >= draft.start:  # the mention's own words: 看到身边的人都那么开心
                if many and self.says["of_oneself"].search(text, h.end, draft.end) is None:
                    return h
            elif (many or self.says["as_seen"].match(text, draft.end)) and self.says["beheld"].fullmatch(
                text, h.end, draft.start
            ):
                return h
        return None

    def _owned(self, head: list[str]) -> bool:
        """Whether what stands before a person is whose they are: "the gaffer's"."""
        return len(head) > 1 and head[-1] == "'s" and head[-2] not in self.says.words("no_owner")

    def _picked_out(self, text: str, clause: Clause, h: Hit) -> bool:
        """Whether a cleft sentence says of this person what follows: "it's a woman from work who ..."."""
        m = self.says["it_is"].search(text, clause.start - 1, h.start)
        return m is not None and m.end() == h.start and self.says["who_does"].match(text, h.end) is not None

    def _goes_on(self, clause: Clause, previous: Clause, turn: TurnState) -> bool:
        """Whether a clause without a subject of its own still speaks of the other person of the clause before."""
        if self.english:
            if previous.sentence != clause.sentence:
                # a fragment after a full stop goes back to the speaker, unless its sentence goes on with a pronoun:
                # "My flatmate had a breakdown. Couldn't sleep, kept saying she wanted to die."
                return clause.subject_at is None and self._of_them(turn, clause)
            if self.says["object_next"].search(turn.canonical.text, previous.start, clause.start):
                return True  # "my sister has | no strength left": what they have
            if clause.subject_at is not None:
                text = turn.canonical.text
                before, own = text[previous.start : clause.start], " " + text[clause.start : clause.end]
                if before.strip()[-1:] not in _PAUSES and (
                    own.startswith(" that ") or self.says["bare_have"].search(f" {before.strip()} ")
                ):
                    return True  # "sees a future | that is pitch black", "she has | no strength left"
                # "it", "there", "that": about the other person only if the clause names them
                return self.says["other_pronoun"].search(own) is not None
            return True
        return previous.sentence == clause.sentence or self.gives_example(turn.canonical.text, clause.start)

    def _of_them(self, turn: TurnState, clause: Clause) -> bool:
        """Whether the sentence of a clause speaks of "he" or "she" and never of "I"."""
        sentence = turn.clauses.sentence(clause.sentence)
        here = {
            h.category
            for h in turn.hits.get("subject", ())
            if sentence[0].start <= h.start < sentence[-1].end and h.category in ("third", "first")
        }
        return here == {"third"}

    def bind(self, draft: Draft, turn: TurnState, subjects: list[Found]) -> None:
        clause = draft.clause or turn.clauses.at(draft.start)
        found = subjects[clause.index]
        value, rule, a, b = found.value, found.rule, found.start, found.end
        text = turn.canonical.text
        informant = turn.speaker == "informant"
        whose = (clause.connective, clause.word) == ("relative", "who")  # "a mate of mine who barely touches his meals"
        if self.english and value == "other" and found.explicit and found.start >= draft.end and not (informant or whose):
            value, rule, a, b = "participant", "en.subject.default", 0, 0  # "a tablet the nurse told me to try"
        if value == "other" and not found.explicit and not informant:
            after = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else None
            if after is not None and self.says["own_view"].match(text, after.start):
                value, rule, a, b = "participant", self.says.rules["own_view"].id, after.start, after.end
        if (
            value == "other"
            and not found.explicit
            and any(a.dimension == draft.dimension and a.subject == "participant" for a in turn.asks_before)
            and self.says["speaker_too"].search(
                text[turn.clauses.at(found.start).start : turn.clauses.at(found.start).end].replace(
                    text[found.start : found.end], " "
                ),
            )
        ):
            value, rule, a, b = (
                "participant",
                f"{self.language}.subject.asked",
                draft.start,
                draft.end,
            )  # the question was about the participant
        if self.english and value == "other" and not found.explicit and not informant:
            end = turn.clauses.at(draft.end - 1).end
            own = end > draft.end and self.says["for_me"].search(text, draft.end - 1, end)
            if own:
                value, rule, a, b = "participant", self.says.rules["for_me"].id, own.start(), own.end()
        hits = turn.hits.get("subject", ())
        # somebody else's, right before the mention or inside it ("his sleep", "makes her sad")
        for h in hits:
            if (
                h.category == "causes"
                and (clause.start <= h.start or h.start < clause.start < h.end)  # "pills make some | people cry"
                and (
                    h.end <= draft.start
                    or h.end < draft.end
                    and self.says["other_pronoun"].search(text, h.start, h.end)
                )
                and h.end > draft.start - 20
                or h.category in ("third", "person")
                and self._possesses(h, draft, text)
            ):
                if not (informant and value == "other" and h.category == "third"):  # "our son stays in his room"
                    value, rule, a, b = ("participant" if informant else "other"), h.rule, h.start, h.end
            elif h.category == "report" and clause.start <= h.start < draft.start and h.start >= a:
                value, rule, a, b = ("other" if informant else "participant"), h.rule, h.start, h.end
        if (
            value == "participant"
            and not informant
            and (not found.explicit or self._introduced_before(turn, clause, draft.start))
            and self.says["third_verb"].match(text[draft.start : draft.end])
        ):
            value, rule, a, b = (
                "other",
                self.says.rules["third_verb"].id,
                draft.start,
                draft.end,
            )  # "my mate fidgets": never of an I
        if value == "participant" and not informant and not found.explicit:
            if m := self.says["done_to_them"].search(text, draft.start - 1, draft.end):
                value, rule, a, b = "other", self.says.rules["done_to_them"].id, m.start() + 1, m.end()
        if value == "participant" and not informant and self._noun_acts(draft, text):
            value, rule, a, b = "other", self.says.rules["noun_acts"].id, draft.start, draft.end
        if value == "participant" and not informant and (one := self._beheld(draft, clause, hits, text)) is not None:
            value, rule, a, b = "other", one.rule, one.start, one.end
        if self.english and value == "participant" and not informant and self._thing_is(draft, clause, text):
            value, rule, a, b = "other", self.says.rules["thing_is"].id, clause.start, draft.start
        if (
            self.english
            and value == "generic"
            and not informant
            and self.says["told_you"].search(text, turn.clauses.sentence(clause.sentence)[0].start, found.start + 1)
        ):
            value, rule, a, b = "participant", self.says.rules["told_you"].id, found.start, found.end
        if value == "participant" and not informant and self._named_owner(draft, text):
            value, rule, a, b = "other", self.says.rules["named_owner"].id, draft.start, draft.end
        if value == "participant" and not informant and (at := self._cleft(draft, turn)) is not None:
            value, rule, a, b = "other", self.says.rules["cleft"].id, *at
        if self.english and value == "other" and not informant and self._is_me(draft, turn):
            value, rule, a, b = "participant", self.says.rules["is_whom"].id, draft.start, draft.end
        one = self.english and value == "other" and self._the_one_who(draft, turn) is not None
        if value in ("other", "generic") and not informant and not one and self._first_inside(draft, text):
            value, rule, a, b = "participant", f"{self.language}.subject.first", draft.start, draft.end
        if (
            not informant
            and rule.endswith((".kin", ".generic"))
            and (a, b) == (found.start, found.end)
            and a < draft.end
            and b > draft.start >= a
            and (self.english or a == draft.start or b > draft.start + 2)  # not the 人 of 我爱人累
        ):
            # "people talk and it doesn't sink in", "my wife makes all the decisions": a part of what is said of the speaker
            value, rule, a, b = "participant", f"{self.language}.subject.default", 0, 0
        if self.english and informant and value == "participant" and not found.explicit and self._first_inside(draft, text):
            value, rule, a, b = "other", f"{self.language}.subject.first", draft.start, draft.end  # "nothing slows me down"
        if self.english and informant and value == "other" and rule.endswith(".first"):
            # "what I see is that even music brings him no delight": of whom the informant speaks
            around = between(hits, clause.start, draft.start + 1)
            around = [h for h in around if h.category in ("third", "first", "person")]
            if around and around[-1].category == "third" and around[-1].start > a:
                value, rule, a, b = "participant", around[-1].rule, around[-1].start, around[-1].end
            elif of := self.says["for_them"].search(text, draft.end - 1, turn.clauses.at(draft.end - 1).end) or (
                self.says["other_pronoun"].search(text, draft.start, draft.end)
            ):
                # "what I see is that either the interest or the fun is missing with him", "that nothing interests him"
                value, rule, a, b = "participant", self.says.rules["for_them"].id, of.start() + 1, of.end()
        if not informant and (quoted := self._quoted(draft, turn)) is not None:
            value, a, b = quoted
            rule = self.says.rules["says_before"].id
        draft.subject = value
        draft.cues.append(CueNote("subject", value, rule, turn.index, a, b))

    def _introduced_before(self, turn: TurnState, clause: Clause, position: int) -> bool:
        """ "We've a fella upstairs paces half the night": whether an English clause introduces somebody before `position`."""
        if not self.english:
            return False
        one = self._introduced(turn, clause)
        return one is not None and one.end <= position

    def _quoted(self, draft: Draft, turn: TurnState) -> tuple[str, int, int] | None:
        """Whom a mention in somebody else's quoted words is about, and the canonical [start, end) of that speaker:
        "'I can't sleep,' he says" is about him, "she says 'you never sleep'" about the participant. None where nobody
        else is quoted. Quotation marks are read in the turn's own text."""
        if not turn.quotations:
            return None
        start, _ = turn.canonical.span(draft.start, draft.end)
        for s, e in turn.quotations:
            if not s < start < e:
                continue
            words = turn.text[s:start].lower()
            if self.says["quoted_third"].search(words):
                return None
            about = "participant" if self.says["quoted_second"].search(words) else "other"
            before, after = turn.text[max(0, s - 60) : s], turn.text[e : e + 40]
            says = self.says["says_before"].search(before)
            said = None if says else self.says["says_after"].match(after)
            if (
                says is None
                and said is None
                or ((says or said).group("who") or "").lower() in self.says.words("quotes_self")
            ):
                return None
            # who: the nearest person named on that side
            near = [
                h
                for h in turn.hits.get("subject", ())
                if h.category in ("person", "third")
                and (
                    s - 60 <= turn.canonical.span(h.start, h.end)[0] < s
                    if says
                    else e <= turn.canonical.span(h.start, h.end)[0] < e + 40
                )
            ]
            if near:
                h = near[-1] if says else near[0]
                return about, h.start, h.end
        return None

    def _noun_acts(self, draft: Draft, text: str) -> bool:
        """ "Our drummer can't focus", "my van's the tired one": a noun that is no part of the speaker is who does it."""
        before = " " + text[max(0, draft.start - 40) : draft.start]
        m = self.says["noun_acts"].search(before) if self.says["done_by"].match(text, draft.start) else None
        m = m or self.says["noun_is"].search(before)
        return m is not None and m["noun"] not in self.says.words("own_parts")

    def _thing_is(self, draft: Draft, clause: Clause, text: str) -> bool:
        """ "The council's been dithering", "this old settee is exhausted": a state of people, said of a thing that is no
        part of the speaker."""
        if draft.mention is None or not draft.mention.rule.startswith(_STATES):
            return False
        m = self.says["thing_is"].search(text[max(0, clause.start - 1) : draft.start])
        return m is not None and m["noun"] not in self.says.words("own_parts")

    def _named_owner(self, draft: Draft, text: str) -> bool:
        """ "Alf's appetite": an owner who is neither a pronoun nor a time."""
        if draft.mention is None:
            return False
        start = max(0, draft.start - 30)
        m = self.says["named_owner"].search(" " + text[start : draft.end])
        return (
            m is not None
            and text.count(" ", start + m.end(1) + 3, draft.start) <= 1  # what is owned begins the mention
            and m.group(1) not in self.says.words("no_owner")
            and text.find("'s", max(0, draft.start - 12), draft.end) >= 0
            and draft.mention.rule.startswith(("en.noun", "en.resource"))
        )

    def _possesses(self, h: Hit, draft: Draft, text: str) -> bool:
        surface = text[h.start : h.end].strip()
        if self.english:
            if surface in self.says.words("anothers"):
                inside = draft.start - 1 <= h.start < draft.end
                if surface == "her" and h.end >= draft.end:
                    if text.startswith(_PAUSES, h.end) or self.says["object_ends"].match(text, h.end):
                        return False  # "I don't deserve her"
                if h.end == draft.start and self.says["beside_whom"].search(text[max(0, h.start - 20) : h.start]):
                    return not text[draft.start :].split(" ", 1)[0].endswith("ing")  # "I lie beside her staring"
                return inside and not self.says["place_of"].search(text[: h.start]) or h.end == draft.start
            if h.category == "person":
                return (
                    text[h.end : h.end + 3] == "'s "
                    and h.end + 3 >= draft.start - 12
                    and self.says["own_subject"].search(text, h.end + 2, draft.start + 1) is None
                    and h.start < draft.end
                    and h.end <= draft.end
                )
            return False
        return (
            h.end <= draft.start
            and draft.start - h.end <= 1
            and self.says["owner"].search(text[: draft.start]) is not None
        )

    def _cleft(self, draft: Draft, turn: TurnState) -> tuple[int, int] | None:
        """ "讲话慢的是我们园长", "the one who can't sleep is my brother": the person behind the mention who is the one."""
        m = self.says["cleft"].match(turn.canonical.text, draft.end)
        for h in turn.hits.get("subject", ()) if m is not None else ():
            if h.category in ("person", "third") and m.end() - 1 <= h.start <= m.end() + 3:
                return h.start, h.end
        return self._the_one_who(draft, turn) if self.english else None

    def _is_me(self, draft: Draft, turn: TurnState) -> bool:
        """ "The one who can't sleep in our house is me"."""
        text = turn.canonical.text
        sentence = turn.clauses.sentence(turn.clauses.at(draft.start).sentence)
        m = self.says["the_one_who"].match(text, sentence[0].start)
        who = self.says["is_whom"].search(text, draft.start, sentence[-1].end + 2) if m is not None else None
        return who is not None and who["me"] is not None

    def _the_one_who(self, draft: Draft, turn: TurnState) -> tuple[int, int] | None:
        """ "The one who wakes at four, unable to doze off again, is a guy at work": all that an English sentence says of
        one whom it names at its end."""
        text = turn.canonical.text
        sentence = turn.clauses.sentence(turn.clauses.at(draft.start).sentence)
        m = self.says["the_one_who"].match(text, sentence[0].start)
        if m is None or draft.start < m.end() - 1:
            return None
        for who in self.says["is_whom"].finditer(text, draft.start, sentence[-1].end + 2):
            return None if who["me"] else (who.start(), who.end())
        return None

    def _first_inside(self, draft: Draft, text: str) -> bool:
        clause = draft.clause
        inside = text[draft.start : draft.end]
        # "the doctor has me on a sleeping pill", "my boss leaves me drained"
        if (
            clause is not None
            and clause.verb_at is not None
            and self.says["speaker_object"].search(" " + text[clause.verb_at : draft.start])
        ):
            return True
        return self.says["speaker"].search(inside) is not None


def _same_person(a: str, b: str) -> bool:
    """Whether two noun phrases can name one person: they share their last word or character."""
    return a.split()[-1] == b.split()[-1] if " " in a or " " in b else a[-1] == b[-1]
