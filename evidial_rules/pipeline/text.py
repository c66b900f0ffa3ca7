"""Canonical text: what the patterns read, with a way back to the turn's own offsets.

English: lower case, contractions taken apart ("can't", "cant" -> "can not"), fillers and stutters dropped,
punctuation as words of its own, one blank between words. Chinese: simplified characters, half-width
letters, Chinese punctuation, dialect words by their standard ones, no blanks, fillers dropped. The tables are
`grammars/<language>/normalise.yaml`. Everything the rules match is a span of this text; `span` gives
the half-open code point offsets in the original turn.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, compress, count
from operator import add
from typing import Any

from .patterns import EDGE, NUMBER, PREFIX, PUNCT_EN, PUNCT_ZH, SHORT

_QUOTES = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "`": "'",
        "´": "'",
        "＇": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "…": ".",
        "。": ".",
        "，": ",",
        "？": "?",
        "！": "!",
        "；": ";",
        "：": ":",
        " ": " ",
    }
)
_EN_TOKEN = re.compile(
    r"\[[^\[\]]{0,40}\]|<[^<>]{0,40}>|'(?:til|em|cause|bout|round|cuz|tis|twas)\b|[a-z0-9]+(?:['./:][a-z0-9]+)*'?|[^\w\s]"
)
_DAY_MONTH = re.compile(r"\d{1,2}\.\d{1,2}")
_HALF = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20}


def same_length_lower(text: str) -> str:
    """Lower case without changing the number of code points ("İ".lower() has two)."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def stem(word: str) -> str:
    """An English word without its inflection: wake and waking, guilt and guilty, stop and stopped are one."""
    for tail in ("ing", "ed", "es", "s"):
        if word.endswith(tail) and not word.endswith("ss") and len(word) - len(tail) >= 3:
            word = word[: -len(tail)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word.rstrip("eiy") if len(word) > 3 else word.replace("y", "i")


# spans of one character each, made once for turns of common length
_UNITS = tuple((k, k + 1) for k in range(4096))


@dataclass(slots=True)
class Canonical:
    """Canonical text of one turn. `text` starts and ends with punctuation, so that edges can be matched."""

    text: str
    length: int  # of the original
    word_level: bool
    starts: Sequence[int] = ()  # canonical start of each unit
    origin: Sequence[tuple[int, int]] = ()  # original span of each unit
    words: Sequence[str] = ()

    @property
    def keys(self) -> set[str]:
        """The units that occur. A unit: a word, the first letters of one with "*" ("slee*"), a character or a pair of
        characters, "#" for a number in digits, "^" for the place after punctuation, or a unit that stands there
        ("^slee*")."""
        found: set[str] = set()
        before = ""
        for place, word in enumerate(self.words):
            if self.word_level:
                units = {word, *(word[:n] + "*" for n in (SHORT, PREFIX) if len(word) >= n)}
            else:
                units = {word, self.text[place : place + 2]}
            found |= units
            if before and before in (PUNCT_EN if self.word_level else PUNCT_ZH):
                found.update([EDGE], (EDGE + unit for unit in units))
            if word[:1].isdecimal():
                found.add(NUMBER)
            before = word[-1:]
        return found

    def unit(self, position: int) -> int:
        """Index of the unit (word or character) at a canonical position."""
        if not self.word_level:
            return max(0, min(position, len(self.starts) - 1))  # every character is a unit
        return max(0, bisect_right(self.starts, position) - 1)

    def masked(self, pattern: re.Pattern[str], mark: str) -> Canonical:
        """The same with each match of a pattern as so many marks, so that all places stay; Chinese only."""
        text = pattern.sub(lambda m: mark * len(m.group()), self.text)
        if text == self.text:
            return self
        return replace(self, text=text, words=text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Original [start, end) of canonical [start, end)."""
        if not self.origin:
            return 0, 0
        a = self.origin[self.unit(start)]
        b = self.origin[self.unit(max(start, end - 1))]
        return a[0], max(a[1], b[1])


class EnglishNormaliser:
    """words: one canonical form or several words for a surface word. phrases: several surface words to
    several words. fillers: words or phrases to drop. concord: negatives behind a negator and a verb, which only
    agree with it (negators, verbs, between, and words with what they stand for)."""

    def __init__(
        self,
        words: Mapping[str, str],
        phrases: Mapping[str, str],
        fillers: list[str],
        concord: Mapping[str, Any] | None = None,
    ):
        concord = concord or {}
        self._agreeing: Mapping[str, str] = concord.get("words", {})
        self._negators, self._verbs = frozenset(concord.get("negators", ())), frozenset(concord.get("verbs", ()))
        self._between = self._verbs.union(concord.get("between", ()))
        self.words = {k: v.split() for k, v in words.items()}
        heads: dict[str, list[tuple[tuple[str, ...], list[str]]]] = {}
        for source, target in [*phrases.items(), *((f, "") for f in fillers if " " in f)]:
            parts = tuple(source.split())
            heads.setdefault(parts[0], []).append((parts, target.split()))
        self.heads = {k: sorted(v, key=lambda x: -len(x[0])) for k, v in heads.items()}
        # canonical words with a hyphen ("used-to") stand for a phrase: a pattern may name them as they are
        self.compounds = {w for target in phrases.values() for w in target.split() if "-" in w}
        self.fillers = {f for f in fillers if " " not in f}
        self._cache: dict[str, list[str]] = {}

    def split(self, word: str) -> list[str]:
        """Canonical words of one surface word in lower case."""
        done = self._cache.get(word)
        if done is None:
            done = self._split(word)
            if len(self._cache) < 50_000:
                self._cache[word] = done
        return done

    def _split(self, word: str) -> list[str]:
        if word in self.fillers:
            return []
        if word in self.words:
            return self.words[word]
        if word.endswith("n't") and len(word) > 3:
            return [self.words.get(word[:-3], [word[:-3]])[0], "not"]
        if "'" in word:
            stem, _, tail = word.rpartition("'")
            if tail in _TAILS:
                return [*self.split(stem), _TAILS[tail]]
            if tail == "s":
                return [*self.split(stem), "'s"]
            if tail == "":
                return self.split(stem) if not stem.endswith("in") or len(stem) < 4 else [stem + "g"]
        if word.startswith("[") or word.startswith("<"):
            return ["@inaudible"] if "naud" in word or "unin" in word or "unintel" in word else []
        return [word]

    def phrase(self, text: str) -> list[str]:
        """Canonical words of a literal in a pattern."""
        text = same_length_lower(text.translate(_HALF).translate(_QUOTES))
        if text.strip() in {",", ".", "?", ";", "!", ":", "'s", "@inaudible"}:
            return [text.strip()]
        if text.strip() in self.compounds:
            return [text.strip()]
        found = [w for w in _EN_TOKEN.findall(text) if w[0].isalnum() or w[0] in ",?"]
        out: list[str] = []
        for w in found:
            out += self.words.get(w) or self.split(w) or [w]
        return out

    def __call__(self, original: str) -> Canonical:
        clean = same_length_lower(original.translate(_HALF).translate(_QUOTES))
        raw: list[tuple[str, int, int]] = []
        for m in _EN_TOKEN.finditer(clean):
            word, a, b = m.group(), m.start(), m.end()
            if b - a == 1 and not word.isalnum():
                if (
                    word == "."
                    and raw
                    and _DAY_MONTH.fullmatch(raw[-1][0])
                    and raw[-1][2] == a
                    and clean[b : b + 1] == " "
                    and clean[b + 1 : b + 2].islower()
                ):
                    continue  # "on 10.10. no sleep": the full stop of a date
                if word in "-()*/" and (a == 0 or b == len(clean) or clean[a - 1].isspace() or clean[b].isspace()):
                    word = ","  # a dash or bracket that parts, as against one inside a word
                elif word not in PUNCT_EN and word not in '%$"' or word == '"':
                    continue
            raw.append((word, a, b))
        units: list[tuple[str, int, int]] = []
        i, n = 0, len(raw)
        while i < n:
            word, a, b = raw[i]
            done = False
            for parts, target in self.heads.get(word, ()):
                k = len(parts)
                if i + k <= n and all(raw[i + j][0] == parts[j] for j in range(1, k)):
                    b = raw[i + k - 1][2]
                    units += [(t, a, b) for t in target]
                    i += k
                    done = True
                    break
            if done:
                continue
            for piece in self.split(word):
                if piece == "'d":
                    piece = "had" if i + 1 < n and raw[i + 1][0] in _AFTER_HAD else "would"
                if piece == "like" and units and units[-1][0] in _BEFORE_FILLER:
                    continue  # "for like two nights"
                # a stutter ("i i just", "the the") is one word
                if units and units[-1][0] == piece and piece in _STUTTER:
                    units[-1] = (piece, units[-1][1], b)
                    continue
                units.append((piece, a, b))
            i += 1
        self._agree(units)
        return _english(_without_false_starts(units), len(original))

    def _agree(self, units: list[tuple[str, int, int]]) -> None:
        """Puts the positive word for a negative that agrees with one before: "I don't feel no joy"."""
        for i, (word, a, b) in enumerate(units):
            if word not in self._agreeing or word == "no" and (i + 1 == len(units) or units[i + 1][0] in PUNCT_EN):
                continue  # "I don't do no, ..."
            for verb in range(i - 1, max(0, i - 4), -1):
                if units[verb][0] in self._verbs and units[verb - 1][0] in self._negators:
                    units[i] = self._agreeing[word], a, b
                    break
                if units[verb][0] not in self._between:
                    break


def _without_false_starts(units: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """ "That's, that's all fine", "I'm not, um, I'm not well": two to four words that are said again at once, after a
    pause or none, are said once. They begin with what can begin a clause, so that "very, very" and "no, no" stay."""
    out: list[tuple[str, int, int]] = []
    i = 0
    while i < len(units):
        if units[i][0] in _STARTS:
            for size in (4, 3, 2):
                j = i + size
                if j + size > len(units) or any(w in PUNCT_EN for w, _, _ in units[i:j]):
                    continue
                while j < len(units) and units[j][0] == ",":
                    j += 1
                if [w for w, _, _ in units[i : i + size]] == [w for w, _, _ in units[j : j + size]]:
                    i = j
                    break
            else:
                out.append(units[i])
                i += 1
        else:
            if not (out and units[i][0] == out[-1][0] == ","):  # what a filler leaves between two
                out.append(units[i])
            i += 1
    return out


_STARTS = {"i", "it", "that", "he", "she", "they", "we", "there", "you", "this", "my", "and", "but", "because",
           "a", "the", "at", "in", "to"}
_TAILS = {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "'d"}
_AFTER_HAD = {
    "been",
    "had",
    "never",
    "got",
    "gotten",
    "lost",
    "gone",
    "just",
    "better",
    "already",
    "felt",
    "slept",
    "eaten",
    "thought",
    "a",
    "an",
    "the",
    "no",
    "my",
    "all",
    "some",
    "any",
    "nothing",
}
_BEFORE_FILLER = {"in", "for", "at", "until", "since", "over", "from", "by", "around", "about", "on", "to"}
_STUTTER = {
    "i",
    "the",
    "and",
    "a",
    "it",
    "is",
    "my",
    "we",
    "to",
    "that",
    "but",
    "so",
    "am",
    "do",
    "have",
    "not",
    "you",
    "in",
    "of",
    "they",
    "he",
    "she",
    "with",
    "was",
    "like",
    "just",
    "this",
    "on",
    "for",
    "would",
    "could",
    "can",
} - {"so"}


def _english(units: list[tuple[str, int, int]], length: int) -> Canonical:
    words = [".", *[word for word, _, _ in units], "."]
    text = " " + " ".join(words) + " "
    starts = list(accumulate([len(word) + 1 for word in words[:-1]], initial=1))
    return Canonical(text, length, True, starts, [(0, 0), *[(a, b) for _, a, b in units], (length, length)], words)


def _chinese(text: str, origin: list[tuple[int, int]], length: int) -> Canonical:
    return Canonical(text, length, False, range(len(text)), origin, text)


_ZH_PUNCT = str.maketrans(
    {
        ",": "，",
        ".": "。",
        "?": "？",
        "!": "！",
        ";": "；",
        ":": "：",
        "…": "。",
        "—": "，",
        "～": "。",
        "~": "。",
        "“": '"',
        "”": '"',
        "「": '"',
        "」": '"',
        "『": '"',
        "』": '"',
        "‘": '"',
        "’": '"',
        "＂": '"',
        "\n": "。",
        "\r": "。",
    }
)
_STRETCH = re.compile("[\u4e00-\u9fff]+(?:[，。；？！：、][\u4e00-\u9fff]+)*")
_LATIN = re.compile(r"[a-z0-9]")
_CLOSED = re.compile(r"[\s，。；？！：\"()（）]|$")  # what a clause ends before
_ASKING = ("吗", "吧")  # these say something after any word
_ENDED = frozenset("是有对会系的很呢呀啊吧嘛吗哦啦了得行中想多")  # after these a particle adds nothing
_MARK = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u200b-\u200f\u2060\ufe0f\ufeff\u2600-\u27bf\U0001f000-\U0001faff-]"
)  # says nothing: invisible marks, emoji, dashes
_UNEVEN = re.compile(
    "[ \t\u3000.]|" + _MARK.pattern
)  # what needs a look at its neighbours: blanks and full stops that may be a decimal point


_ANSWER_WORDS = frozenset(
    (
        "没有",
        "有",
        "没",
        "会",
        "不会",
        "对",
        "是",
        "不是",
        "不",
        "没得",
        "冇",
        "有的",
        "有啊",
        "没有啊",
        "是的",
        "对的",
        "没有没有",
        "偶尔",
        "还好",
        "还行",
        "不好",
        "挺好",
        "很好",
    )
)


class ChineseNormaliser:
    """characters: traditional -> simplified, one to one. words: dialect or variant -> standard (offsets of the
    whole standard word point to the whole variant). fillers: words to drop. finals: particles by what they are at
    the end of a clause; they are dropped where a word ends there already (`_ENDED`)."""

    def __init__(
        self,
        characters: Mapping[str, str],
        words: Mapping[str, str],
        fillers: list[str],
        finals: Mapping[str, str] | None = None,
    ):
        self.table = {ord(k): v for k, v in characters.items()}
        self.finals = dict(finals or {})
        both = {**{f: "" for f in fillers}, **words}
        self.words = both
        # words by their first two characters, the longest first; a word of one character is tried after all of them
        self._heads: dict[str, list[str]] = {}
        self._single = {word for word in both if len(word) == 1}
        for word in sorted(both, key=lambda w: (-len(w), w)):
            if len(word) > 1:
                self._heads.setdefault(word[:2], []).append(word)
        alone = "".join(map(re.escape, sorted(self._single.union(self.finals))))
        self._alone = re.compile(f"[{alone}]") if alone else None
        # the three steps of `clean` in one, for the characters that any of them changes
        self._changes = {
            c: self._clean(chr(c)) for c in {*_HALF, *_ZH_PUNCT, *self.table, *range(ord("A"), ord("Z") + 1)}
        }

    def clean(self, text: str) -> str:
        """The same number of code points: width, case, traditional characters, punctuation."""
        text = text.translate(self._changes)
        # other letters in upper case lead nowhere that the table would change again
        return text if text.islower() else same_length_lower(text)

    def _clean(self, text: str) -> str:
        return same_length_lower(text.translate(_HALF)).translate(_ZH_PUNCT).translate(self.table)

    def _variants(self, clean: str, spoken: bool = False) -> Iterator[tuple[int, str, str]]:
        """Where the words of the table stand, the longest of those that begin at one place, none inside another, each
        with its standard form. spoken: with the particles that close a clause."""
        heads, end = self._heads, 0
        for at in self._begun(clean):
            if at < end:
                continue
            for word in heads.get(clean[at : at + 2], ()):
                if clean.startswith(word, at):
                    break
            else:
                word = clean[at]
                if spoken and word in self.finals and _CLOSED.match(clean, at + 1):
                    end = at + 1
                    standard = self.finals[word]
                    yield at, word, "" if at and clean[at - 1] in _ENDED and standard not in _ASKING else standard
                    continue
                if word not in self._single:
                    continue
            end = at + len(word)
            yield at, word, self.words[word]

    def _begun(self, clean: str) -> list[int]:
        """Where a word of the table can begin. (Pairs of characters are compared one by one without a step in Python;
        the first characters alone are common ones, most of which begin no word.)"""
        places = list(compress(count(), map(self._heads.__contains__, map(add, clean, clean[1:]))))
        alone = [m.start() for m in self._alone.finditer(clean)] if self._alone else []
        return sorted({*places, *alone}) if alone else places

    @staticmethod
    def _pauses(clean: str) -> bool:
        """Whether the blanks of a text stand for pauses, as in typed chat ("不累 我精力挺好的"), not between the words
        or characters of one sentence ("我 最近 睡不着"): the stretches between them are then long on average."""
        stretches = _STRETCH.findall(clean)
        return len(stretches) > 1 and sum(map(len, stretches)) >= 2.6 * len(stretches)

    @staticmethod
    def _between(clean: str, k: int) -> bool:
        return 0 < k < len(clean) - 1 and all("\u4e00" <= clean[i] <= "\u9fff" for i in (k - 1, k + 1))

    @staticmethod
    def _pause(clean: str, k: int) -> bool:
        """A blank between two stretches of three characters or more stands for a comma."""
        start = k
        while start > 0 and "\u4e00" <= clean[start - 1] <= "\u9fff":
            start -= 1
        if (
            (start == 0 or clean[start - 1] in "，。；？！：")
            and clean[start:k] in _ANSWER_WORDS
            and k + 1 < len(clean)
            and "\u4e00" <= clean[k + 1] <= "\u9fff"
        ):
            return True
        left = right = 0
        i = k - 1
        while i >= 0 and "\u4e00" <= clean[i] <= "\u9fff" and left < 3:
            left += 1
            i -= 1
        i = k + 1
        while i < len(clean) and "\u4e00" <= clean[i] <= "\u9fff" and right < 3:
            right += 1
            i += 1
        return left == 3 and right == 3

    def phrase(self, text: str) -> str:
        """Canonical form of a literal in a pattern."""
        text = self.clean(text)
        out, position = [], 0
        for at, word, standard in self._variants(text):
            out += [text[position:at], standard or word]
            position = at + len(word)
        return "".join(out) + text[position:]

    def __call__(self, original: str) -> Canonical:
        clean = self.clean(original)
        length = len(clean)
        pieces = ["。"]
        origin = [(0, 0)]
        plain = not _UNEVEN.search(original)
        pauses = not plain and self._pauses(clean)

        def put(a: int, b: int) -> None:
            if plain:
                pieces.append(clean[a:b])
                origin.extend(_UNITS[a:b] if b <= len(_UNITS) else zip(range(a, b), range(a + 1, b + 1), strict=True))
                return
            for k in range(a, b):
                c = clean[k]
                if _MARK.match(c) and not (
                    c == "-" and 0 < k < length - 1 and clean[k - 1].isalnum() and clean[k + 1].isalnum()
                ):
                    continue
                if c == " " or c == "\t":
                    # blanks vanish, but one between words of Latin letters, or standing for a pause, stays apart
                    if pauses and self._between(clean, k) or self._pause(clean, k):
                        c = "，"
                    elif (
                        len(origin) == 1
                        or k + 1 == length
                        or not _LATIN.match(pieces[-1])
                        or not _LATIN.match(clean[k + 1])
                    ):
                        continue
                    else:
                        c = " "
                elif (
                    c == "。"
                    and len(origin) > 1
                    and k
                    and original[k] == "."
                    and clean[k - 1].isdigit()
                    and k + 1 < length
                    and clean[k + 1].isdigit()
                ):
                    c = "."
                pieces.append(c)
                origin.append((k, k + 1))

        position = 0
        for at, word, standard in self._variants(clean, spoken=True):
            if at > position:
                put(position, at)
            position = at + len(word)
            pieces.extend(standard)
            origin.extend([(at, position)] * len(standard))
        put(position, length)
        pieces.append("。")
        origin.append((len(original), len(original)))
        return _chinese("".join(pieces), origin, len(original))
