"""Cuts a turn into clauses. Spoken text has little punctuation, so clauses also come from connectives, from
subjects and from discourse words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from ..patterns import PUNCT_EN
from ..text import Canonical
from ..wordings import Wordings
from .rules import ChineseClauses, EnglishClauses


@dataclass(slots=True)
class Clause:
    """A clause, canonical offsets half-open.

    lead: what begins it: "start", "strong" (. ? ! ;), "weak" (, : 、), "connective" or "subject".
    connective: its class, or None. raised: it hangs on a verb of thinking, feeling or saying right before it.
    verb: whether it has a finite verb (English). tense: "past", "present" or None. question: ends in "?".
    subject_at: canonical position where its subject was seen to begin, or None.
    """

    index: int
    start: int
    end: int
    sentence: int
    lead: str
    connective: str | None = None
    word: str = ""
    raised: bool = False
    verb: bool = False
    tense: str | None = None
    question: bool = False
    subject_at: int | None = None
    verb_at: int | None = None
    comma: bool = False  # a comma stands between the clause before and this one


class Clauses(list[Clause]):
    """The clauses of a turn, findable by position and by sentence."""

    _starts: list[int] | None = None
    _sentences: dict[int, list[Clause]] | None = None
    _indexed = 0  # how many clauses there were

    def at(self, position: int) -> Clause:
        if self._starts is None or len(self._starts) != len(self):
            self._starts = [c.start for c in self]
        return self[max(0, bisect_right(self._starts, position) - 1)]

    def sentence(self, index: int) -> list[Clause]:
        if self._sentences is None or self._indexed != len(self):
            self._sentences, self._indexed = {}, len(self)
            for c in self:
                self._sentences.setdefault(c.sentence, []).append(c)
        return self._sentences.get(index, [])


_ED = re.compile(r"[a-z]{3,}ed$")


class EnglishClauser:
    def __init__(self, rules: EnglishClauses, says: Wordings):
        self.rules = rules
        self.not_past, self.determiners = says.words("not_past"), says.words("determiner")
        self.sure_finite, self.light = says.words("sure_finite"), says.words("light")
        self.no_verb, self.perfect = says.words("no_verb"), says.words("perfect")
        self.long_days = says.words("long_days")
        self.also_nouns, self.before_noun = says.words("also_nouns"), says.words("before_noun")
        self.pairs = {"or": frozenset({"either"}), "nor": frozenset({"neither"})}
        self.supposing, self.before_supposing = says.words("supposing"), says.words("before_supposing")
        self.particles, self.seeming = says.words("particle"), says.words("seeming")
        self.own_part, self.set_pairs = says.words("own_part"), says.words("set_pairs")
        self.copula = says.words("copula")
        self.weakly = says.words("weakly")
        self.how_else, self.is_so, self.knows = says.words("how_else"), says.words("is_so"), says.words("knows")
        self.before_subject_only, self.after_not = says.words("before_subject_only"), says.words("after_not")
        self.ends_subject = (rules.prepositions - says.words("of_noun")) | rules.nominative | says.words("joins")
        self.single: dict[str, str] = {}
        self.multi: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for kind, words in rules.connectives.items():
            for phrase in words:
                parts = tuple(phrase.split())
                if len(parts) == 1:
                    self.single[phrase] = kind
                else:
                    self.multi.setdefault(parts[0], []).append((parts, kind))

    def __call__(self, c: Canonical) -> Clauses:
        words, starts, rules = c.words, c.starts, self.rules
        n = len(words)
        out = Clauses()
        sentence = 0
        current = Clause(0, starts[0] if starts else 0, 0, 0, "start")
        comma = False

        def open_clause(k: int, lead: str, connective: str | None = None, word: str = "") -> Clause:
            nonlocal current, comma
            if starts[k] > current.start and _has_content(c, current.start, starts[k]):
                current.end = starts[k]
                out.append(current)
                current = Clause(len(out), starts[k], 0, sentence, lead, connective, word)
            else:
                keep = current
                current = Clause(
                    len(out),
                    starts[k],
                    0,
                    sentence,
                    keep.lead if lead in ("connective", "subject") and keep.lead != "connective" else lead,
                    connective or keep.connective,
                    word or keep.word,
                    raised=keep.raised,
                )
            current.comma = comma
            comma = False
            return current

        k = 1
        while k < n:
            w = words[k]
            if w in PUNCT_EN:
                strong = w not in ",;"
                if _has_content(c, current.start, starts[k]):
                    current.end = starts[k]
                    if w == "?":
                        current.question = True
                        for past in reversed(out):
                            if past.sentence != sentence:
                                break
                            past.question = True
                    out.append(current)
                    if strong:
                        sentence += 1
                    nxt = starts[k] + len(w) + 1
                    current = Clause(len(out), nxt, 0, sentence, "strong" if strong else "weak")
                    current.comma = not strong
                elif strong:
                    if current.lead != "strong" and out:
                        sentence += 1
                    if w == "?" and out:
                        for past in reversed(out):
                            if past.sentence != out[-1].sentence:
                                break
                            past.question = True
                    current = Clause(len(out), starts[k] + len(w) + 1, 0, sentence, "strong")
                else:
                    current.start = starts[k] + len(w) + 1
                comma = False
                k += 1
                continue
            nxt_word = words[k + 1] if k + 1 < n else "."
            kind, length = self._connective(words, k)
            if kind == "conditional" and w in self.supposing and words[k - 1] in self.before_supposing:
                kind = None  # "i suppose i'm sad"
            if kind == "coordinate" and w in self.pairs and not self._subject_follows(words, k):
                first = bisect_left(c.starts, current.start)
                if not self.pairs[w].isdisjoint(words[first:k]):
                    kind = None  # "either guilt or a sense of worthlessness": both parts are of one clause
            if kind == "coordinate" and " ".join(words[k - 1 : k + 2]) in self.set_pairs:
                kind = None  # "paced up and down back on May 28th": one adverb
            if kind and not (w == "like" and not current.verb and kind == "compare"):
                clause = open_clause(k, "connective", kind, w)
                if kind == "complement":
                    clause.raised = True
                k += length
                continue
            if w in rules.nominative:
                at_head = current.subject_at is None and (
                    not current.verb
                    and self._only_light(words, c, current, k)
                    or self._how_much(words, bisect_left(starts, current.start), k)
                )
                if at_head and not self._denies_first(words, c, current, k):
                    current.subject_at = starts[k]
                else:
                    previous = words[k - 1]
                    clause = open_clause(k, "subject")
                    filler = previous == "like" and words[k - 2] in ("no", "yes")  # "last night no like i slept well"
                    clause.raised = previous in rules.raising and not filler
                    clause.subject_at = starts[k]
            elif (
                w in rules.weak_subjects
                and (nxt_word in rules.finite or nxt_word in ("not",))
                and not (w == "that" and words[k - 1] in rules.raising)
            ):
                if current.subject_at is None and not current.verb and self._only_light(words, c, current, k):
                    current.subject_at = starts[k]
                elif words[k - 1] not in rules.prepositions or current.verb and words[k - 1] in self.particles:
                    previous = words[k - 1]
                    clause = open_clause(k, "subject")
                    clause.raised = previous in rules.raising
                    clause.subject_at = starts[k]
            elif w in self.determiners and self._noun_subject(words, k):
                if current.subject_at is None and not current.verb:
                    if self._only_light(words, c, current, k):
                        current.subject_at = starts[k]
                elif words[k - 1] not in rules.prepositions and words[k - 1] not in self.determiners:
                    previous = words[k - 1]
                    clause = open_clause(k, "subject")
                    clause.raised = previous in rules.raising
                    clause.subject_at = starts[k]
            if w in rules.finite or _ED.match(w) and w not in self.not_past:
                noun = w in self.also_nouns and words[k - 1] in self.before_noun  # "at work", "without sleep"
                if w == "like" and current.subject_at is None and nxt_word in ("a", "an"):
                    noun = True  # "up and down the stairs like a yo-yo"
                if not current.verb and w not in self.no_verb and not noun:
                    current.verb = True
                    current.verb_at = starts[k]
                if current.tense is None:
                    if w in rules.past or _ED.match(w) and w not in self.not_past and words[k - 1] not in self.perfect:
                        # "had to", "would have had": the first finite verb decides; the perfect is present
                        current.tense = "past"
                    elif w in rules.present:
                        current.tense = "present"
            k += 1
        if _has_content(c, current.start, c.starts[-1]):
            current.end = c.starts[-1]
            out.append(current)
        if not out:
            out.append(Clause(0, 0, len(c.text), 0, "start"))
        for i, clause in enumerate(out):
            clause.index = i
        return out

    def _how_much(self, words: list[str], k: int, subject: int) -> bool:
        """ "Nobody knows how sad I am": whether a clause begins with how much of something its speaker is, so that the
        subject stands behind what is said of it."""
        return words[k] == "how" and 1 < subject - k <= 4 and words[subject] == "i" and words[k + 1] not in self.how_else

    def _unlike(self, words: list[str], k: int) -> int:
        """ "It's not like I slept well", "not as if": how many words deny what follows as a whole, 0 for none."""
        length = 2 if words[k] == "as" and words[k + 1 : k + 2] in (["if"], ["though"]) else int(words[k] == "like")
        return length if length and self._subject_follows(words, k + length - 1) else 0

    def _connective(self, words: list[str], k: int) -> tuple[str | None, int]:
        w = words[k]
        if w == "just" and k > 1 and words[k - 1] in self.weakly and words[k - 2] == "not":
            return "contrast", 1  # "not really just the usual tiredness"
        if words[k - 1] == "not" and k > 1 and words[k - 2] in self.copula and self._unlike(words, k):
            return "complement", self._unlike(words, k)
        if w == "how" and k and words[k - 1] not in PUNCT_EN:
            subject = next((j for j in range(k + 2, min(k + 5, len(words))) if words[j] == "i"), 0)
            if subject and words[subject + 1 : subject + 2] and words[subject + 1] in self.is_so:
                if self._how_much(words, k, subject) and self.knows.intersection(words[max(0, k - 4) : k]):
                    return "relative", 1
        for parts, kind in self.multi.get(w, ()):
            if tuple(words[k : k + len(parts)]) == parts:
                if parts[0] == "the" and words[k + len(parts) : k + len(parts) + 1] in (["before"], ["after"]):
                    return None, len(parts)  # "the day before yesterday"
                if parts[-1] in self.long_days and not self._subject_follows(words, k + len(parts) - 1):
                    return None, len(parts)  # "half the day asleep"
                return kind, len(parts)
        kind = self.single.get(w)
        if kind:
            if w == "when" and words[k + 1 : k + 4] == ["it", "comes", "to"]:
                return None, 1
            if w in self.before_subject_only and not self._subject_follows(words, k):
                return None, 1
            return kind, 1
        kind = self.rules.clausal.get(w)
        if w == "like" and k and words[k - 1] in self.seeming and self._subject_follows(words, k):
            return "complement", 1  # "I didn't feel like I was no good"
        if kind and self._subject_follows(words, k):
            if w == "that" and words[k - 1] not in self.rules.raising:
                return None, 1
            return kind, 1
        return None, 1

    def _subject_follows(self, words: list[str], k: int) -> bool:
        if k + 1 >= len(words):
            return False
        nxt = words[k + 1]
        return (
            nxt in self.rules.nominative
            or nxt in self.rules.weak_subjects
            and k + 2 < len(words)
            and words[k + 2] in self.rules.finite
            or nxt in self.determiners
            and self._noun_subject(words, k + 1)
        )

    def _noun_subject(self, words: list[str], k: int) -> bool:
        """A determiner that begins a subject: at most four words on stands a finite verb, with no other break."""
        for j in range(k + 2, min(k + 6, len(words))):
            w = words[j]
            if w == "still" and words[j - 1].endswith("ing"):
                continue  # "no trouble sitting still": no adverb of a verb
            if w == "'s" and "of" in words[k + 1 : j]:
                continue  # "the week of my mother 's wedding": whose it is
            if w in self.sure_finite or words[j - 1] in self.rules.persons and w in self.rules.finite:
                return True
            if words[k] == "my" and j == k + 2 and words[k + 1] in self.own_part and _third_person(w):
                return True
            if w in PUNCT_EN or w in self.ends_subject:
                return False
        return False

    def _only_light(self, words: list[str], c: Canonical, clause: Clause, k: int) -> bool:
        """Nothing but connectives, adverbs and interjections stands between the clause's start and word k."""
        j = k - 1
        while j > 0 and c.starts[j] >= clause.start:
            if words[j] not in self.light and words[j] not in PUNCT_EN:
                return False
            j -= 1
        return True

    def _denies_first(self, words: list[str], c: Canonical, clause: Clause, k: int) -> bool:
        """ "not today i am fine", "not really i sleep well": a denial of its own stands before word k, unmarked."""
        first = bisect_left(c.starts, clause.start)
        while first < k and words[first] in PUNCT_EN:
            first += 1
        return words[first] == "not" and first + 1 < k and words[first + 1] in self.after_not


def _third_person(word: str) -> bool:
    """Whether an English word looks like a verb of the third person: "wanders", "races"."""
    return len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "ways", "times", "sides", "wards", "less"))


def _has_content(c: Canonical, start: int, end: int) -> bool:
    text = c.text[start:end]
    return any(ch.isalnum() or ch == "[" for ch in text)


class ChineseClauser:
    def __init__(self, rules: ChineseClauses, says: Wordings):
        self.rules = rules
        self.words, self.opens_only = says["words"], says.words("opens_only")
        self.nowadays, self.formerly = says.words("nowadays"), says["formerly"]
        words = sorted(((w, kind) for kind, ws in rules.connectives.items() for w in ws), key=lambda x: -len(x[0]))
        self.kind = {}
        for w, kind in words:
            self.kind.setdefault(w, kind)
        openers = sorted({*self.kind, *self.nowadays}, key=lambda w: (-len(w), w))
        self.regex = re.compile("[，。；？！：]|" + "|".join(map(re.escape, openers)) + "|我们?")
        self.raising = tuple(rules.raising)
        self.objects = frozenset(rules.object_before)
        self.goes_on = says["goes_on"]
        self.ends_light = says.words("ends_light")

    def __call__(self, c: Canonical) -> Clauses:
        text = c.text
        out = Clauses()
        sentence = 0
        current = Clause(0, 1, 0, 0, "start")

        def close(at: int) -> bool:
            if at <= current.start:
                return False
            current.end = at
            out.append(current)
            return True

        for m in self.regex.finditer(text, 1):
            w, a, b = m.group(), m.start(), m.end()
            if w in "。；？！":
                if close(a):
                    sentence += 1
                if w == "？" and out:
                    s = out[-1].sentence
                    for past in reversed(out):
                        if past.sentence != s:
                            break
                        past.question = True
                current = Clause(len(out), b, 0, sentence, "strong")
            elif w in "，：":
                close(a)
                current = Clause(len(out), b, 0, sentence, "weak", comma=True)
            elif w[0] == "我":
                if (
                    a == current.start
                    or current.subject_at is None
                    and a - current.start <= 4
                    and not _zh_raised(text, a, self.raising)
                    and text[a - 1] not in self.objects
                    and not self._told(text, current.start, a)
                ):
                    if current.subject_at is None:
                        current.subject_at = a
                    continue
                if text[a - 1] in self.objects:
                    continue
                raised = _zh_raised(text, a, self.raising)
                # "和我说", "我我": close only where something stands before
                if a - current.start >= 2 and close(a):
                    current = Clause(len(out), a, 0, sentence, "subject", raised=raised, subject_at=a)
            elif w in self.nowadays:
                # "以前两碗饭现在半碗都吃不下": unmarked, the present begins a clause of its own
                if self.formerly.search(text, current.start, a) and a - current.start >= 4 and close(a):
                    current = Clause(len(out), a, 0, sentence, "weak")
            else:
                kind = self.kind[w]
                if w == "的话" and self.words.search(text, current.start, a):
                    continue  # 刚才的话, 说的话: words, no condition
                if w == "的时候" or w == "的话":
                    current.connective = kind
                    current.word = w
                    if close(b):
                        current = Clause(len(out), b, 0, sentence, "subject")
                    continue
                if w == "就算" and (text[a - 1] == "也" or text[b] == "了"):
                    continue  # 也就算了
                if w in self.opens_only and not self._opens(text, a, b, current.start):
                    continue
                if a > current.start:
                    close(a)
                    current = Clause(len(out), a, 0, sentence, "connective", kind, w)
                else:
                    current.connective, current.word = kind, w
                    if current.lead == "start":
                        current.lead = "connective"
        close(len(text) - 1)
        if not out:
            out.append(Clause(0, 0, len(text), 0, "start"))
        for i, clause in enumerate(out):
            clause.index = i
        return out

    def _told(self, text: str, start: int, at: int) -> bool:
        """ "孙子来了我也乐不起来", "讲完我一个字没记住": what stands before the 我 at `at` is a clause of its own, and 我 is no
        object of it (他骂了我一顿)."""
        return (
            at - start >= 3
            and text[at - 1] in "了完"
            and text[at - 2 : at] not in self.ends_light
            and self.goes_on.match(text, at) is not None
        )

    @staticmethod
    def _opens(text: str, a: int, b: int, start: int) -> bool:
        """Short words that are often part of something else: they connect at a clause's start only, or 但 anywhere."""
        w = text[a:b]
        if w == "但":
            return text[a - 1] not in "不非" or a == start
        if w == "可":
            return a == start and text[b : b + 1] not in "以能是怕爱惜笑怜不好没贵"
        if w in ("就是", "只是"):
            return a == start or text[a - 1] in "的了呢吧"
        return a == start


def _zh_raised(text: str, at: int, raising: tuple[str, ...]) -> bool:
    return text[max(0, at - 3) : at].endswith(raising)
