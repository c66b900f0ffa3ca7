"""Time expressions as intervals, and the interval of a mention (contract, section 3, operation 2, and section 2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from ...contract import CALENDAR_WEEK, Interval
from ..clauses.logic import Clause
from ..cues import Hit
from ..turns.logic import CueNote, DialogueState, Draft, TurnState, between, near
from ..wordings import Wordings

WHOLE = Interval(None, None, True)
REMOTE = Interval(None, 400, True)
_OF_NOW = ("now ", "these days ", "lately ", "nowadays ")
_EN_NUMBERS = {
    w: i
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_EN_NUMBERS.update(
    twenty=20,
    thirty=30,
    forty=40,
    fifty=50,
    sixty=60,
    seventy=70,
    eighty=80,
    ninety=90,
    a=1,
    an=1,
    couple=2,
    few=3,
    several=4,
    many=5,
    dozen=12,
    hundred=100,
    some=3,
)
_EN_UNITS = {
    "day": 1,
    "night": 1,
    "week": 7,
    "wk": 7,
    "weekend": 7,
    "fortnight": 14,
    "month": 30,
    "year": 365,
    "yr": 365,
    "decade": 3650,
    "hour": 0,
    "morning": 1,
} | dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), 7)
_EN_DAYS = {d: i for i, d in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_EN_MONTHS = {
    m: i + 1 for i, m in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"))
}
_EN_ORDINALS = {
    w: i + 1
    for i, w in enumerate(
        (
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
            "nineteenth twentieth"
        ).split()
    )
} | {"thirtieth": 30}
_ZH_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "俩": 2,
    "仨": 3,
    "〇": 0,
    "日": 7,
    "天": 7,
}
_HOLIDAYS = {
    "christmas": (12, 25),
    "xmas": (12, 25),
    "thanksgiving": (11, 26),
    "easter": (4, 5),
    "new year": (1, 1),
    "halloween": (10, 31),
    "valentine": (2, 14),
    "labor": (9, 7),
    "memorial": (5, 25),
    "independence": (7, 4),
    "july": (7, 4),
    "boxing": (12, 26),
    "holidays": (12, 28),
    "元旦": (1, 1),
    "五一": (5, 1),
    "劳动节": (5, 1),
    "十一": (10, 1),
    "国庆": (10, 1),
    "中秋": (9, 20),
    "端午": (6, 10),
    "清明": (4, 5),
    "圣诞": (12, 25),
    "春节": (2, 5),
    "过年": (2, 5),
    "大年": (2, 5),
    "除夕": (2, 4),
    "元宵": (2, 19),
    "双十一": (11, 11),
    "暑假": (8, 1),
    "寒假": (2, 1),
}

# New Year, the dragon boats and the moon by year; the fifteenth of the first month is fourteen days after New Year
_LUNAR = {
    "春节": "2019-02-05 2020-01-25 2021-02-12 2022-02-01 2023-01-22 2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-03",
    "端午": "2019-06-07 2020-06-25 2021-06-14 2022-06-03 2023-06-22 2024-06-10 2025-05-31 2026-06-19 2027-06-09 2028-05-28 2029-06-16 2030-06-05",
    "中秋": "2019-09-13 2020-10-01 2021-09-21 2022-09-10 2023-09-29 2024-09-17 2025-10-06 2026-09-25 2027-09-15 2028-10-03 2029-09-22 2030-09-12",
}
_LUNAR_DAYS = {k: [date.fromisoformat(d) for d in v.split()] for k, v in _LUNAR.items()}
_OF_NEW_YEAR = {"春节": 0, "过年": 0, "大年": 0, "除夕": -1, "元宵": 14}  # days after New Year


_DATES = ("ago", "ago_over", "ago_under", "remote", "date", "month", "holiday", "weekday")  # say when, not how long


class Ambiguous(Interval):
    """The interval of words that the contract could read otherwise ("last week"), with the one that they have then. It
    is equal to the plain interval, and goes wherever that goes: to a question's answer, to "that week"."""

    __slots__ = ("other",)
    other: Interval

    @classmethod
    def of(cls, interval: Interval, other: Interval) -> Interval:
        if interval == other:
            return interval
        made = cls(interval.from_, interval.to, interval.stated)
        object.__setattr__(made, "other", other)
        return made

    def __eq__(self, value: object) -> bool:
        return isinstance(value, Interval) and plain(self) == plain(value)

    __hash__ = Interval.__hash__


def plain(value: Any) -> Any:
    """The value; of an ambiguous interval the one by the contract.

    >>> plain(Ambiguous.of(Interval(8, 0), Interval(15, 7)))
    Interval(from_=8, to=0, stated=True)
    """
    return Interval(value.from_, value.to, value.stated) if isinstance(value, Ambiguous) else value


def on_both(interval: Interval, make: Callable[[Interval], Interval]) -> Interval:
    """What `make` makes of an interval, ambiguous if that is.

    >>> on_both(Ambiguous.of(Interval(8, 0), Interval(15, 7)), lambda time: Interval(time.from_, 0)).other
    Interval(from_=15, to=0, stated=True)
    """
    made = make(plain(interval))
    return Ambiguous.of(made, make(interval.other)) if isinstance(interval, Ambiguous) else made


@dataclass(frozen=True, slots=True)
class TimeHit:
    """A time expression of a turn. interval: None for one that must be resolved from what came before."""

    start: int
    end: int
    op: str
    interval: Interval | None
    rule: str
    stop: bool = False  # "it stopped three weeks ago"
    since: bool = False
    reach: str = ""  # of a `history`


class TimeReader:
    """Reads the time expressions of a turn."""

    def __init__(self, language: str, says: Wordings):
        self.english = language == "en"
        self.says = says

    def read(self, turn: TurnState, dialogue: DialogueState) -> list[TimeHit]:
        hits = turn.hits.get("time", [])
        text = turn.canonical.text
        against = any(h.category == "interval" and h.value == [8, 0] for h in hits)
        out: list[TimeHit] = []
        pending: Hit | None = None
        prefix: Hit | None = None
        for h in hits:
            op = h.category
            if op in ("compare", "history_end"):
                continue
            if out and out[-1].op == "until" and h.start < out[-1].end:
                continue  # the 以前 of 六月七号以前
            if op == "history":
                out.append(TimeHit(h.start, h.end, op, REMOTE, h.rule, reach=str(h.value)))
                continue
            if op == "ended" and (self._ends_in_mention(turn, h) or self._unmet(text, h)):
                continue
            if op in ("since", "until", "ended"):
                if pending is not None and op != "ended" and self._takes_event(pending, text):
                    out.append(self._prefix_alone(pending))
                if op == "since" and text[h.start : h.end] in self.says.words("began"):
                    # the time stands before it: "上周开始"
                    if out and out[-1].interval is not None and h.start - out[-1].end <= 2:
                        out[-1] = self._since(out[-1], h.rule)
                    elif prefix is None and pending is None:
                        continue
                    continue
                if op == "since" and self.says["since_then"].search(text, h.start, h.end):
                    if out and out[-1].interval is not None and out[-1].interval.to is not None:
                        # "two weeks ago I skipped lunch, since then I eat": from the near end of what was dated on
                        near_end = on_both(out[-1].interval, lambda time: Interval(max(1, time.to or 1), 0, True))
                        out.append(TimeHit(h.start, h.end, "since", near_end, h.rule, since=True))
                        continue
                pending = h
                continue
            if (
                turn.speaker == "interviewer"
                and op in ("for", "past", "ago")
                and self.says["how_many"].search(text[h.start : h.end])
            ):
                continue  # "几年了？" asks for a time
            if op == "now" and out and 0 <= h.start - out[-1].end <= (1 if self.english else 0) and out[-1].op != "now":
                continue  # "three weeks ago now"
            if not self.english and out and out[-1].since and (
                h.end <= out[-1].end or op == "now" and 0 <= h.start - out[-1].end <= 3
            ):
                continue  # 从前天到今天, 从前天起到现在
            if (
                op in ("for", "past")
                and self.says["not_once"].search(text[: h.start])
                and (not self.english or self.says["one"].search(" " + text[h.start : h.end]))
            ):
                continue  # "not for one day" is never
            if op == "for" and self.english and self._past_event(turn, h):
                h = replace(h, category="ago_under" if self.says["not_quite"].match(text, h.start) else "ago")
                op = h.category
            interval = self._interval(h, text, dialogue, against)
            hit = TimeHit(h.start, h.end, op, interval, h.rule)
            # the preposition may stand inside the expression ("since 20/10", "until christmas")
            if op in ("date", "holiday", "weekday", "month") or op == "interval" and not self.english:
                if self.says["since"].match(text, h.start):
                    hit = self._since(hit, h.rule)
                elif self.says["until"].match(text, h.start):
                    hit = self._until(hit, h.rule, h.start)
                elif m := self.says["until_behind"].match(text, h.end):
                    hit = self._until(replace(hit, end=m.end()), self.says.rules["until_behind"].id, h.start)
                elif m := self.says["since_behind"].match(text, max(h.start, h.end - 2)) or \
                        self.says["since_behind"].match(text, h.end):
                    hit = self._since(replace(hit, end=max(h.end, m.end())), self.says.rules["since_behind"].id)
            if pending is not None:
                if op != "now" and self._takes(pending, h, text):
                    if pending.category == "since":
                        hit = self._since(hit, pending.rule, pending.start)
                    elif pending.category == "until":
                        hit = self._until(hit, pending.rule, pending.start)
                    else:
                        hit = self._ended(hit, pending.rule, pending.start)
                elif pending.category != "ended" and self._takes_event(pending, text):
                    out.append(self._prefix_alone(pending))
                pending = None
            out.append(hit)
        out = self._without_stretches(out, turn)
        if pending is not None:
            if (
                pending.category == "ended"
                and out
                and out[-1].interval is not None
                and self.says["light_gap"].fullmatch(text[out[-1].end : pending.start])
                and out[-1].op not in ("now", "since")
            ):
                out[-1] = self._ended(out[-1], pending.rule, out[-1].start)
            elif pending.category != "ended" and self._takes_event(pending, text):
                out.append(self._prefix_alone(pending))
        return out

    def _past_event(self, turn: TurnState, h: Hit) -> bool:
        """ "After he died, that's going on three years, I was low": whether an English length of time says how long ago an
        event was that its sentence has named."""
        sentence = turn.clauses.sentence(turn.clauses.at(h.start).sentence)
        m = self.says["that_is"].search(turn.canonical.text, sentence[0].start, h.start)
        event = m and self.says["once_it_was"].search(turn.canonical.text, sentence[0].start - 1, m.start())
        return event is not None

    def _ends_in_mention(self, turn: TurnState, h: Hit) -> bool:
        """ "爱好全停了，那是一个月前的事": a Chinese end that a symptom is told in the words of is none of the symptom's."""
        return not self.english and any(
            m.sense == "symptom" and m.start < h.end <= m.end and (m.start < h.start or h.end < m.end)
            for m in turn.mentions
        )

    def _unmet(self, text: str, h: Hit) -> bool:
        """ "那天要是没吵就好了": whether a Chinese end is the consequence of a condition that was not met."""
        return not self.english and any(
            m.start() <= h.start < m.end() for m in self.says["unreal"].finditer(text, max(0, h.start - 24), h.end + 2)
        )

    def _without_stretches(self, hits: list[TimeHit], turn: TurnState) -> list[TimeHit]:
        """ "For two days three weeks ago", "twenty days ago I had two nights in a row": how long it went on is no time
        beside when it was."""
        dated = [h for h in hits if h.op in _DATES or h.op == "interval" and h.interval and (h.interval.to or 0) >= 8]
        if not dated:
            return hits
        text = turn.canonical.text

        def stretch(h: TimeHit) -> bool:
            if h.op != "for" and not (self.says["in_a_row"].search(text[h.start : h.end]) and h not in dated):
                return False
            sentence = turn.clauses.at(h.start).sentence
            return any(
                d is not h
                and turn.clauses.at(d.start).sentence == sentence
                and not self.says["sets_against"].search(text[min(d.start, h.start) : max(d.start, h.start)])
                and (0 <= d.start - h.end <= 3 or d.end <= h.start)
                for d in dated
            )

        return [h for h in hits if not stretch(h)]

    def _takes(self, pending: Hit, h: Hit, text: str) -> bool:
        """Whether a "since", "until" or "over" before a time is of that time: next to it, or of the event that the time
        dates ("since they did the knee in march"); never in another sentence ("it's over. Five weeks ago ...")."""
        gap = text[pending.end : h.start]
        if re.search("[.;?!。；？！]", gap):
            return False
        if pending.category == "ended" and self.says["gone_for"].search(text[pending.start : h.end]):
            return False  # "it was gone for a few days"
        if not self.english:
            return len(gap) <= 4
        if re.search(r"\w ,", gap):
            return False  # "when i got home from surgery, back in March"
        if self.says["next_to_time"].search(text, pending.start, pending.end):
            # "I jumped up from my chair a year ago", "my eating has gone wild over the last months"
            when = h.category == "remote" and text.startswith("when ", h.start)  # "an old story from when I was a boy"
            return not when and self.says["leads_up"].fullmatch(gap) is not None
        event = pending.category == "since" and self.says["event_opens"].match(text, pending.end)
        return gap.count(" ") <= (6 if event else 2)

    def _takes_event(self, h: Hit, text: str) -> bool:
        """ "since" may be followed by an event, "from" and 从 only by a time."""
        words = text[h.start : h.end]
        return (
            words[:-1] not in self.says.words("takes_time") if self.english else words in self.says.words("takes_event")
        )

    @staticmethod
    def _prefix_alone(h: Hit) -> TimeHit:
        # since an event: from then on, the whole window; until an event: nothing can be said
        return TimeHit(
            h.start, h.end, h.category, WHOLE if h.category == "since" else None, h.rule, since=h.category == "since"
        )

    @staticmethod
    def _since(hit: TimeHit, rule: str, start: int | None = None) -> TimeHit:
        old = hit.interval
        interval = WHOLE
        if old is not None and old.from_ is not None:
            interval = on_both(old, lambda time: Interval(max(1, time.from_ or 1), 0, True))
        return replace(
            hit, interval=interval, rule=rule, start=hit.start if start is None else start, op="since", since=True
        )

    @staticmethod
    def _until(hit: TimeHit, rule: str, start: int) -> TimeHit:
        old = hit.interval
        interval = REMOTE
        if old is not None and old.to is not None:
            interval = on_both(old, lambda time: Interval(None, time.to, True))
        return replace(hit, interval=interval, rule=rule, start=start, op="until")

    @staticmethod
    def _ended(hit: TimeHit, rule: str, start: int) -> TimeHit:
        old = hit.interval
        interval = REMOTE
        if old is not None and old.from_ is not None:
            interval = on_both(old, lambda time: Interval(None, max((time.from_ or 1) - 1, 0), True))
        return replace(hit, interval=interval, rule=rule, start=min(start, hit.start), op="ended", stop=True)

    # one expression ------------------------------------------------------------------------------

    def _interval(self, h: Hit, text: str, dialogue: DialogueState, against: bool) -> Interval | None:
        op = h.category
        words = text[h.start : h.end]
        if op == "interval":
            return Interval(h.value[0], h.value[1], True)
        if op == "last_week":
            if against:
                return Interval(15, 8, True)
            past = Interval(8, 0, True)
            return past if self.says["up_to_now"].search(words) else Ambiguous.of(past, CALENDAR_WEEK)
        if op == "now":
            return WHOLE
        if (
            op == "remote"
            and (age := self.says["age"].match(words))
            and (int(age.group(1)) if age.group(1).isdigit() else _EN_NUMBERS.get(age.group(1), 99)) < 13
        ):
            return None  # a time of the day
        if (
            op == "remote"
            and self.english
            and (year := re.match(r"(?:\w+ )*?(\d{1,4}) $", words))
            and words.split()[0] not in self.says.words("at")
            and not 1900 <= int(year.group(1)) <= 2100
            and not words.startswith("back in ")
        ):
            return None
        if op in ("remote", "ever"):
            return REMOTE if op == "remote" else None
        if op == "anaphor":
            return None
        if op in ("ago", "ago_over", "ago_under", "past", "for"):
            if self.english and op == "ago" and self.says["clock"].search(text, 0, h.start):
                # "over at half past three fifteen days ago": the first number is of the clock
                words = rest if self._amount(rest := words.partition(" ")[2])[0] is not None else words
            low, high = self._amount(words)
            if op == "past" and high is not None and high <= 1 and self.says["all_of"].search(words):
                return None  # "all day" says how long, not when
            if low is None:
                return REMOTE if op == "ago" else WHOLE
            if op == "for" and high == 0:
                return None  # "for two hours" says how long, not when
            if op == "ago":
                return Interval(high + 1, low, True)
            if op == "ago_over":
                return Interval(high + 4, low + 1, True)
            if op == "ago_under":
                return Interval(high + 1, max(0, low - 2), True)
            return Interval(high + 1, 0, True)
        if op in ("weekday", "weekday_last", "weekday_week"):
            return self._weekday(words, op, dialogue.now)
        if op == "date":
            return self._date(words, dialogue.now)
        if op == "month":
            return self._month(words, dialogue.now)
        if op == "holiday":
            return self._holiday(words, dialogue.now)
        return None

    def _amount(self, words: str) -> tuple[int | None, int | None]:
        """Days of "two or three weeks": (least, most)."""
        if self.english:
            first, _, second = words.partition(" and ")
            if second:
                parts = self._amount(first + " "), self._amount(second)
                if first.split()[-1:] == ["hundred"] and parts[1][0] is not None:  # "a hundred and twenty days"
                    hundreds = self._amount(first + " days ")
                    return hundreds[0] + parts[1][0], hundreds[1] + parts[1][1]
                if parts[0][0] is not None and parts[1][0] is not None and not second.startswith("a half"):
                    return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]  # "a month and two days"
            numbers: list[int] = []
            unit = None
            half = False
            for w in words.split():
                if w.isdigit():
                    numbers.append(int(w))
                elif w in ("half",):
                    half = True
                elif w in _EN_NUMBERS:
                    value = _EN_NUMBERS[w]
                    if w in ("a", "an") and numbers:
                        continue
                    if numbers and numbers[-1] >= 20 and value < 10 and w not in ("couple", "few", "a"):
                        numbers[-1] += value
                    elif numbers and w == "hundred" and numbers[-1] < 10:
                        numbers[-1] *= 100
                    elif numbers and numbers[-1] == 1 and w in ("couple", "few", "dozen"):
                        numbers[-1] = value
                    else:
                        numbers.append(value)
                else:
                    stem = w[:-1] if w.endswith("s") else w
                    if stem in _EN_UNITS:
                        unit = _EN_UNITS[stem]
            if unit is None:
                return None, None
            if len(numbers) > 1 and self.says["a_good"].search(words):
                numbers = numbers[1:]  # "a good three weeks"
            low, high = (
                (min(numbers), max(numbers)) if numbers else (1 if self.says["just_one"].search(words) else 50,) * 2
            )
            if "couple" in words:
                high = max(high, 3) if unit == 1 else high
            if "few" in words:
                high = max(high, 5)
            if half and unit >= 7 and re.search(r" and a half ", " " + words):
                return low * unit + unit // 2, high * unit + unit // 2
            if half and unit >= 7:
                return (unit // 2) * (low if len(numbers) > 1 else 1), (unit // 2) * (high if len(numbers) > 1 else 1)
            return low * unit, high * unit
        m = re.search(
            r"([零一二两三四五六七八九十几好多数半俩仨\d百来]+?)(个多|多个|个把|个)?(多)?(天|日|晚|夜|宿|周|星期|月|年|旬|小时|钟头|个晚上)",
            words,
        )
        if not m:
            return None, None
        unit = {
            "天": 1,
            "日": 1,
            "晚": 1,
            "夜": 1,
            "宿": 1,
            "周": 7,
            "星期": 7,
            "月": 30,
            "年": 365,
            "旬": 10,
            "小时": 0,
            "钟头": 0,
            "个晚上": 1,
        }[m.group(4)]
        if half := re.search("([一两二三四俩仨])个半(月|星期)", words):  # 一个半月前
            days = _ZH_DIGITS[half.group(1)] * (30 if half.group(2) == "月" else 7) + (15 if half.group(2) == "月" else 3)
            return days, days
        low, high = _zh_number(m.group(1))
        if low is None:
            return None, None
        if m.group(1) == "半":
            return unit // 2, unit // 2
        extra = 3 if (m.group(2) or "") in ("个多", "多个") or m.group(3) else 0
        return low * unit, high * unit + (extra if unit > 1 else 0)

    def _weekday(self, words: str, op: str, now: date | None) -> Interval:
        index = None
        if self.english:
            for w in words.split():
                if w[:3] in _EN_DAYS and (len(w) <= 5 or w.endswith("day")):
                    index = _EN_DAYS[w[:3]]
        else:
            m = re.search("(?:周|星期)([一二三四五六日天])", words)
            index = "一二三四五六日".find(m.group(1).replace("天", "日")) if m else None
        if now is None or index is None:
            return {
                "weekday": Interval(7, 0, True),
                "weekday_last": Interval(14, 1, True),
                "weekday_week": Interval(15, 7, True),
            }[op]
        back = (now.weekday() - index) % 7
        if back == 0 and self.says["last"].search(words):
            back = 7
        if op == "weekday_last":  # of the calendar week before
            back = now.weekday() + 7 - index
        elif op == "weekday_week":
            back += 7
        return Interval(back + 1, back, True)

    def _date(self, words: str, now: date | None) -> Interval | None:
        day = month = None
        numeric = re.search(r"(\d{1,2})[./](\d{1,2})", words)
        if numeric:
            a, b = int(numeric.group(1)), int(numeric.group(2))
            options = [(b, a), (a, b)] if self.english else [(a, b), (b, a)]  # (month, day)
            best = None
            for mo, d in options:
                back = _days_back(mo, d, now)
                if back is not None and (best is None or back < best):
                    best = back
            return Interval(best + 1, best, True) if best is not None else REMOTE
        if self.english:
            parts = words.split()
            for i, w in enumerate(parts):
                if w[:3] in _EN_MONTHS and len(w) >= 3 and not w[0].isdigit():
                    month = month or _EN_MONTHS.get(w[:3])
                number = re.match(r"(\d{1,2})(?:st|nd|rd|th)?$", w)
                if number:
                    day = int(number.group(1))
                elif w in _EN_ORDINALS:
                    day = _EN_ORDINALS[w] + (
                        20 if i and parts[i - 1] == "twenty" else 30 if i and parts[i - 1] == "thirty" else 0
                    )
        else:
            m = re.search(r"(?:([一二三四五六七八九十\d]{1,3})月)?([一二三四五六七八九十\d]{1,3})(?:号|日|$)", words)
            if m:
                month = _zh_number(m.group(1))[0] if m.group(1) else None
                day = _zh_number(m.group(2))[0]
        if day is None:
            return None
        back = _days_back(month, day, now)
        if back is None:
            return None if now is None and month is None else REMOTE
        return Interval(back + 1, back, True)

    def _month(self, words: str, now: date | None) -> Interval:
        month = None
        if self.english:
            for w in words.split():
                if w[:3] in _EN_MONTHS and not w[0].isdigit():
                    month = _EN_MONTHS[w[:3]]
        else:
            m = re.search(r"([一二三四五六七八九十\d]{1,3})月", words)
            month = _zh_number(m.group(1))[0] if m else None
        if now is None or month is None or not 1 <= month <= 12:
            return REMOTE
        year = now.year if month <= now.month else now.year - 1
        try:
            first = date(year, month, 1)
            last = (date(year + (month == 12), month % 12 + 1, 1)) - timedelta(days=1)
        except ValueError:  # before the year 1, or at the end of 9999
            return REMOTE
        for part, start, end in (  # "the first week of January", 三月初; the narrower ones first
            (self.says["month_first"], 1, 7), (self.says["month_second"], 8, 14), (self.says["month_third"], 15, 21),
            (self.says["month_early"], 1, 10), (self.says["month_middle"], 11, 20), (self.says["month_late"], 21, 31),
        ):
            if part.search(f" {words} "):
                first, last = first + timedelta(days=start - 1), min(last, first + timedelta(days=end - 1))
                break
        newer = max(0, (now - last).days)
        return Interval((now - first).days + 1, newer, True)

    def _holiday(self, words: str, now: date | None) -> Interval:
        for name, (mo, d) in _HOLIDAYS.items():
            if name in words:
                back = _lunar_back(name, now) if name in _LUNAR_DAYS or name in _OF_NEW_YEAR else None
                if back is None:
                    back = _days_back(mo, d, now)
                if back is None:
                    return REMOTE
                return Interval(back + 2, max(0, back - 1), True)
        return REMOTE


def _lunar_back(name: str, now: date | None) -> int | None:
    """Days from the most recent such feast of the Chinese calendar to now; None where the table does not know it."""
    shift = timedelta(days=_OF_NEW_YEAR.get(name, 0))
    days = [d + shift for d in _LUNAR_DAYS["春节" if name in _OF_NEW_YEAR else name]]
    if now is None or not days[0] <= now <= days[-1]:
        return None
    return (now - max(d for d in days if d <= now)).days


def _days_back(month: int | None, day: int, now: date | None) -> int | None:
    """Days from the most recent such day to now."""
    if now is None:
        return None
    year, mo = now.year, month
    if mo is None:
        mo = now.month
        if day > now.day:
            mo -= 1
            if mo == 0:
                mo, year = 12, year - 1
    for y in (year, year - 1):
        try:
            that = date(y, mo, day)
        except ValueError:
            continue
        if that <= now:
            return (now - that).days
    return None


def _zh_number(words: str) -> tuple[int | None, int | None]:
    words = words.strip("来多的")
    if words.isdigit():
        return int(words), int(words)
    if words in ("几", "好几", "数"):
        return 3, 6
    if words in ("好多", "许多", "多"):
        return 6, 15
    if words == "半":
        return 0, 0
    if words.startswith(("十几", "十多", "十来")) or words == "十几":
        return 11, 19
    hundred, of, rest = words.partition("百")
    if of:
        low, high = _zh_number(rest.lstrip("零")) if rest else (0, 0)
        many = _zh_number(hundred)[0] or 1
        return (None, None) if low is None else (many * 100 + low, many * 100 + high)
    if words[1:2] == "十" and words[-1] in "多来几":
        base = _ZH_DIGITS[words[0]] * 10
        return base + 1, base + 9
    if words == "几十":
        return 30, 60
    if len(words) == 2 and all(c in _ZH_DIGITS for c in words) and "十" not in words:
        return _ZH_DIGITS[words[0]], _ZH_DIGITS[words[1]]  # 三四天
    if "十" in words:
        a, _, b = words.partition("十")
        tens = _ZH_DIGITS.get(a, 1) if a else 1
        low = _ZH_DIGITS.get(b[:1], 0)
        return tens * 10 + low, tens * 10 + _ZH_DIGITS.get(b[1:2], low)  # 十七, 十七八
    if words and words[0] in _ZH_DIGITS:
        return _ZH_DIGITS[words[0]], _ZH_DIGITS[words[0]]
    return None, None


_NOTES_STOP = re.compile(r"[.?!:;]")
_NOTES_NUMBER = re.compile(r"\b\d{1,2} [.,] ")


def date_said(turn: TurnState, english: bool, says: Wordings, year: int) -> date | None:
    """What a speaker says today is ("today is the 30th of November"), in the given year."""
    text = turn.canonical.text
    if english:
        m = says["today"].search(text) or says["date_is"].search(text)
        if not m:
            return None
        words = text[m.end() : m.end() + 40].split()[:7]
        month = next(
            (_EN_MONTHS[w[:3]] for w in words if w[:3] in _EN_MONTHS and not w.endswith("day") and w not in ("mon",)),
            None,
        )
        day = None
        for i, w in enumerate(words):
            number = re.match(r"(\d{1,2})(?:st|nd|rd|th)?$", w)
            if number:
                day = int(number.group(1))
                break
            if w in _EN_ORDINALS:
                day = _EN_ORDINALS[w] + (
                    20 if i and words[i - 1] == "twenty" else 30 if i and words[i - 1] == "thirty" else 0
                )
                break
        if month is None or day is None:
            return None
    else:
        m = says["today"].search(text)
        if not m:
            return None
        a, _, b = m.group(1).partition("月")
        month, day = _zh_number(a)[0], _zh_number(b.rstrip("号日"))[0]
    try:
        return date(year, month, day)
    except (ValueError, TypeError):
        return None


class TimeBinder:
    """Sets `time` of drafts, and remembers the time that was set last."""

    def __init__(self, language: str, says: Wordings):
        self.english = language == "en"
        self.language = language
        self.says = says
        self.carried: Interval | None = None  # over turns, for anaphora
        self.carried_turn = -99
        self.denials: list[Draft] = []  # the answers of the turn at hand that deny, with a time of their own

    def bind_turn(self, turn: TurnState, question_time: Interval | None) -> None:
        """Times of all mention drafts of a turn, in order of the text. question_time: the time of the question
        that the turn answers, None if it has none."""
        resolved = self._resolve(turn, question_time)
        self.denials = [d for d in turn.drafts if d.kind == "answer" and d.timed == "own" and d.polarity == "deny"]
        for draft in turn.drafts:
            if draft.kind == "mention":
                self._bind(draft, turn, near(resolved, draft.start, draft.end), question_time)
        self._elaborate(turn)
        for h in resolved:
            if h.interval is not None and h.op not in ("now", "for"):
                self.carried, self.carried_turn = h.interval, turn.index

    def _elaborate(self, turn: TurnState) -> None:
        """ "三月二号那两天什么都提不起兴致。追的番更新了都懒得点开": a Chinese sentence that says more of the same matter, with no
        time of its own, is of the time that the one before set (contract, "Time without tense"). "Three years ago I
        slept right through. Eight hours, every night.": in English one without a verb, up to there."""
        told = [d for d in turn.drafts if d.kind == "mention" and d.modality == "asserted" and d.clause is not None]
        told.sort(key=lambda d: d.start)
        for last, draft in pairwise(told):
            if (
                (last.dimension, last.polarity, last.subject) != (draft.dimension, draft.polarity, draft.subject)
                or last.timed not in ("own", "turn")
                or draft.timed in ("own", "turn")
                or draft.clause.sentence != last.clause.sentence + 1
                or any(h.interval is not None and last.end <= h.start < draft.end for h in turn.times)
                or self.says["told_of_now"].search(turn.canonical.text, last.end, draft.clause.end)
                or self.english
                and any(
                    c.verb or c.subject_at is not None or c.connective not in (None, "coordinate")
                    for c in turn.clauses.sentence(draft.clause.sentence)
                    if c.index <= draft.clause.index
                )
            ):
                continue
            self._set(draft, last.time, "turn", f"{self.language}.time.told", turn.index, last.start, last.end)

    def _resolve(self, turn: TurnState, question_time: Interval | None) -> list[TimeHit]:
        """Anaphora get the time that was set last: in the turn, in the question, in the talk."""
        out: list[TimeHit] = []
        last: Interval | None = None
        spell: Interval | None = None  # up to now, after which no other time was set
        for h in turn.times:
            if not self.english and self._unreal(h, turn.canonical.text):
                continue
            if h.op == "anaphor":
                if self.english and self._hour_of_day(h, turn, last):
                    continue  # "Eleven in the morning. I'm worn out by then."
                if last is None:
                    last = (
                        question_time
                        if question_time is not None and not question_time.unspecified
                        else self.carried
                        if self._still_carried(turn)
                        else None
                    )
                if (
                    last is None
                    and self.says["weekday_name"].search(turn.canonical.text[h.start : h.end])
                    and not self.says["day"].search(turn.canonical.text[h.start - 1 : h.end])
                ):
                    last = Interval(7, 0, True)  # "one tuesday", with nothing set before
                said = self._length(turn.canonical.text[h.start : h.end])
                if (
                    said is not None
                    and last is not None
                    and last.from_ is not None
                    and last.to is not None
                    and last.from_ - last.to < said
                    and last.to <= 1
                ):
                    last = Interval(said + 1, 0, True)  # "those two weeks" are more than the "today" before them
                if spell is not None and self.says["whole_spell"].fullmatch(turn.canonical.text, h.start, h.end):
                    last = spell  # "I've been on days for three weeks and slept well the whole time"
                if last is None and self.says["next_day"].search(turn.canonical.text[h.start : h.end]):
                    continue  # "the next day I did it again": after nothing that has a date
                h = replace(h, interval=last if last is not None and not last.unspecified else REMOTE)
            elif (
                h.op == "weekday"
                and last is not None
                and last.to is not None
                and last.to >= 8
                and (
                    out
                    and h.start - out[-1].end <= 1
                    or not self.says["which_week"].search(" " + turn.canonical.text[h.start : h.end])
                )
            ):
                h = replace(h, interval=last)  # "three weeks ago ... on the Thursday": of that week
            elif h.interval is not None and h.op not in ("now", "for"):
                last, spell = h.interval, None
            elif self.english and h.op == "for" and turn.clauses.at(h.start).tense == "present":
                spell = h.interval
            out.append(h)
        turn.times = out
        return out

    def _hour_of_day(self, h: TimeHit, turn: TurnState, last: Interval | None) -> bool:
        """Whether an English "then" or "after that" in the present tense is of an hour of every day, and of no day in
        the past. last: the time set before in the turn, which "then" takes up."""
        clause = turn.clauses.at(h.start)
        if not clause.verb and clause.connective == "temporal" and clause.index + 1 < len(turn.clauses):
            clause = turn.clauses[clause.index + 1]  # "after that" | "I'm awake"
        words = self.says["by_then"] if last is None else self.says["after_that"]
        return clause.tense == "present" and words.fullmatch(turn.canonical.text, h.start, h.end) is not None

    def _unreal(self, h: TimeHit, text: str) -> bool:
        """ "那天要是早点接电话就好了，我老自责": whether a Chinese time stands in, or right before, a condition that was not met.
        It says when that would have been, and dates none of the clauses beside it."""
        return any(
            m.start() - 3 <= h.start and h.end <= m.end() + 1
            for m in self.says["unreal"].finditer(text, max(0, h.start - 24), h.end + 24)
        )

    def _length(self, words: str) -> int | None:
        """The days that an anaphor itself names ("those two weeks")."""
        return 14 if self.says["two_weeks"].search(words) else 7 if self.says["one_week"].search(words) else None

    def _of_question(self, draft: Draft, time: Interval, turn: TurnState) -> None:
        self._set(draft, time, "question", f"{self.language}.time.question", turn.index, draft.start, draft.end)

    def _set(self, draft: Draft, interval: Interval, timed: str, rule: str, turn: int, start: int, end: int) -> None:
        draft.time = interval
        draft.timed = timed
        draft.cues.append(CueNote("time", interval, rule, turn, start, end))

    def _bind(self, draft: Draft, turn: TurnState, times: list[TimeHit], question_time: Interval | None) -> None:
        clause = draft.clause or turn.clauses.at(draft.start)
        past_history = next(
            (h for h in reversed(times) if h.op == "history" and self._history_reaches(h, draft, clause, turn)), None
        )
        if past_history is not None:
            self._set(
                draft, past_history.interval, "own", past_history.rule, turn.index, past_history.start, past_history.end
            )
            return
        usable = [
            h
            for h in times
            if h.interval is not None
            and (h.op != "history" or h.reach == "before_list")
            and not (h.op == "for" and self._past(clause, turn, question_time))
            and not (h.start >= draft.start and h.end <= draft.end and h.op in ("now", "remote", "anaphor"))
            and not (
                h.op == "now"
                and self._in_a_mention(h, turn)  # "sit still"
                and not turn.canonical.text.startswith(_OF_NOW, h.start)
            )
        ]
        usable = [
            h
            for h in usable
            if h.op != "remote"
            or clause.start <= h.start < clause.end
            or not self.says["not_then"].search(
                turn.canonical.text[max(0, h.start - 24) : h.end]
                if self.english
                else turn.canonical.text[h.end : h.end + 8]
            )
        ]
        if not self._past(clause, turn, question_time):
            usable = [
                h for h in usable if not (h.op == "remote" and self.says["before"].match(turn.canonical.text, h.start))
            ]  # "I don't stir before the alarm"
        if self.tells(turn, clause, question_time):
            usable = [h for h in usable if h.op != "now"]  # "I'd still be lying there"
        if not self.english and self.says["blames"].search(turn.canonical.text, draft.start, draft.end):
            # 那天我慢了一步，都赖我
            usable = [h for h in usable if h.op != "anaphor" or clause.start <= h.start < clause.end]
        own = [h for h in usable if clause.start <= h.start < clause.end]
        if self.english and not own and draft.end > clause.end:
            # "slower | than usual three weeks ago": the statement ends in another clause
            own = [h for h in usable if draft.end <= h.start < turn.clauses.at(draft.end - 1).end and h.op != "now"]
        if self.english and not own:
            # "I do no less | than normal last night": compared with what is usual, and the time is of the statement
            last = turn.clauses.at(draft.end - 1)
            after = turn.clauses[last.index + 1] if last.index + 1 < len(turn.clauses) else last
            usual = self.says["than_usual"].match(turn.canonical.text, after.start)
            if usual is not None and after.connective == "compare" and not after.verb:
                own = [h for h in usable if usual.end() <= h.start < after.end and h.op != "now"]
        if not [h for h in own if h.op != "now"]:
            # "back in toledo i was ...": it ends right where the clause begins
            front = [
                h
                for h in usable
                if clause.index
                and h.start < clause.start
                and clause.start - 2 <= h.end <= clause.start
                and h.op != "now"
                and clause.lead == "subject"
            ]
            if front and clause.connective is None:
                own = front
        if own:
            best = self._nearest(own, draft)
            if self.english and draft.polarity == "affirm" and self._not_back(clause, turn):
                best = TimeReader._since(best, self.says.rules["not_back"].id)
            interval = best.interval
            if self._still_so(clause, draft, turn):
                interval = on_both(interval, lambda time: Interval(time.from_, 0, True))
            self._set(draft, interval, "own", best.rule, turn.index, best.start, best.end)
            return
        ended = self._ended_later(clause, draft, turn, usable)
        if ended is not None:
            self._set(draft, ended.interval, "turn", ended.rule, turn.index, ended.start, ended.end)
            return
        summed = self._summed_up(clause, draft, turn, usable)
        if summed is not None:
            self._set(draft, summed.interval, "turn", summed.rule, turn.index, summed.start, summed.end)
            return
        beside = self._beside(clause, draft, turn, usable)
        if beside is not None:
            self._set(draft, beside.interval, "own", beside.rule, turn.index, beside.start, beside.end)
            return
        fronted = self._fronted(clause, turn, usable) or self._of_story(clause, turn, usable)
        if fronted is not None:
            self._set(draft, fronted.interval, "turn", fronted.rule, turn.index, fronted.start, fronted.end)
            return
        answered = next((d for d in self.denials if d.dimension == draft.dimension), None)
        if answered is not None and draft.polarity == "deny" and clause.tense != "past":
            # "The past six days, no. I've wanted to live.": the time of the answer goes on
            self._set(
                draft, answered.time, "turn", f"{self.language}.time.answer", turn.index, answered.start, answered.end
            )
            return
        past = self._past(clause, turn, question_time)
        before = [h for h in usable if h.start < clause.start]
        if self.english:
            if (
                past
                or clause.tense is None
                and (
                    not clause.verb
                    or any(
                        h.op in ("ago", "ago_over") and turn.clauses.at(h.start).sentence == clause.sentence
                        for h in before
                    )
                )
            ):
                near = [
                    h
                    for h in before
                    if turn.clauses.at(h.start).sentence == clause.sentence and not (past and h.op == "now")
                ]
                if near and (
                    past or turn.clauses.at(near[-1].start).tense == "past" or near[-1].op in ("ago", "ago_over")
                ):
                    h = near[-1]
                    self._set(draft, h.interval, "turn", h.rule, turn.index, h.start, h.end)
                    return
                if not near and (h := self._opened_by(clause, turn, before)) is not None:
                    self._set(draft, h.interval, "turn", h.rule, turn.index, h.start, h.end)
                    return
            if past:
                if question_time is not None:
                    self._of_question(draft, question_time, turn)
                    return
                if before:
                    h = before[-1]
                    self._set(draft, h.interval, "turn", h.rule, turn.index, h.start, h.end)
                    return
            elif (later := self._anaphor_after(clause, usable, turn)) is not None:
                self._set(draft, later.interval, "turn", later.rule, turn.index, later.start, later.end)
                return
            elif (
                question_time is not None
                and not clause.verb
                and (clause.sentence == 0 or self._bygone(question_time) and self._goes_on_telling(clause, turn))
                and not self._joined_to_present(clause, turn)
            ):
                self._of_question(draft, question_time, turn)
                return
            return
        sentence = turn.clauses.sentence(clause.sentence)[0].start
        if before and any(
            h.op == "now" and max(sentence, before[-1].end) <= h.start < clause.start for h in times
        ):
            return  # "以前爱下棋，现在棋盘都懒得摆，干什么都慢": back in the present, by words of a mention
        if before:
            h = before[-1]
            where = turn.clauses.at(h.start).sentence
            # set "just before it": in the sentence, or in a sentence before that only sets it
            other = turn.subjects[turn.clauses.at(h.start).index].value == "other" if turn.subjects else False
            alone = (
                where == clause.sentence - 1
                and not other
                and sum(c.end - c.start for c in turn.clauses if c.sentence == where) <= 16
                and not any(d.clause is not None and d.clause.sentence == where for d in turn.drafts)
            )
            if where == clause.sentence or alone:
                self._set(draft, h.interval, "turn", h.rule, turn.index, h.start, h.end)
                return
        later = self._anaphor_after(clause, usable, turn)
        if later is not None:
            self._set(draft, later.interval, "turn", later.rule, turn.index, later.start, later.end)
        elif question_time is not None and not any(
            h.op == "now" and draft.start <= h.start < draft.end for h in times
        ):  # "我觉得自己现在什么用处都没有" is of now, whatever was asked
            self._of_question(draft, question_time, turn)

    def _opened_by(self, clause: Clause, turn: TurnState, before: list[TimeHit]) -> TimeHit | None:
        """ "Two summers ago? Cheerful all day, never shed a tear.", "That was two years ago. I felt useless.": the time
        that is all of the sentence before."""
        if not before or not clause.sentence:
            return None
        h = before[-1]
        opening = turn.clauses.sentence(clause.sentence - 1)
        if turn.clauses.at(h.start).sentence != clause.sentence - 1:
            return None
        says_when = self._only_says_when(h, turn) is not None
        alone = says_when or not any(c.verb for c in opening)
        words = turn.canonical.text[opening[0].start : h.start] + turn.canonical.text[h.end : opening[-1].end]
        asks = turn.canonical.text.startswith("?", opening[-1].end)  # "Back at the plant, in 2009?": which time is meant
        rest = len(words.strip(" .,?").split())
        return h if alone and h.op not in ("now", "for", "past") and rest <= (6 if asks else 3 if says_when else 1) else None

    def _goes_on_telling(self, clause: Clause, turn: TurnState) -> bool:
        """ "How did you sleep at sea?" "Like a log. Eight hours, every night.": whether an English clause without a verb
        is of an answer about the past in which nothing up to there speaks of now."""
        return (
            clause.subject_at is None
            and not any(c.tense == "present" for c in turn.clauses[: clause.index])
            and not any(h.op in ("now", "for", "past", "since") and h.start < clause.end for h in turn.times)
            and self.says["told_of_now"].search(turn.canonical.text, 0, clause.end) is None
        )

    @staticmethod
    def _joined_to_present(clause: Clause, turn: TurnState) -> bool:
        """ "I have no wish to die | and no thoughts of suicide": whether a clause without a verb shares a present one."""
        before = turn.clauses[clause.index - 1] if clause.index else clause
        return clause.connective == "coordinate" and before.sentence == clause.sentence and before.tense == "present"

    def _still_so(self, clause: Clause, draft: Draft, turn: TurnState) -> bool:
        """ "He put me on tablets in June, and I'm still taking them": whether the words behind an English statement, and
        nothing else that is said of it, say that it is so to this day."""
        if not self.english or draft.polarity != "affirm":
            return False
        m = self.says["still_so"].search(turn.canonical.text, draft.end - 1, clause.end + 60)
        return m is not None and not any(
            d is not draft and draft.end <= d.start < m.end() for d in turn.drafts if d.kind == "mention"
        )

    def _not_back(self, clause: Clause, turn: TurnState) -> bool:
        """ "My appetite went last month and hasn't come back": what was lost then is gone since."""
        text = turn.canonical.text
        following = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else None
        start = following.start if following is not None and following.sentence == clause.sentence else clause.end
        return self.says["not_back"].match(text, start) is not None

    @staticmethod
    def _ended_later(clause: Clause, draft: Draft, turn: TurnState, times: list[TimeHit]) -> TimeHit | None:
        """ "..., but it stopped three weeks ago": the end of what the clause before tells."""
        if draft.polarity != "affirm":
            return None
        for h in times:
            where = turn.clauses.at(h.start)
            if (
                h.stop
                and 1 <= where.index - clause.index <= 2
                and where.sentence - clause.sentence <= 1
                and not any(
                    d.clause is not None and clause.index < d.clause.index <= where.index
                    for d in turn.drafts
                    if d.kind == "mention"
                )
            ):
                return h
        return None

    def _summed_up(self, clause: Clause, draft: Draft, turn: TurnState, times: list[TimeHit]) -> TimeHit | None:
        """ "I was never low, I liked it all, that was ten years ago": a clause that only says when dates what was told
        up to it, unless a time in between dates that otherwise. In English the telling is in the past, or with "would";
        in Chinese it is of one sentence."""
        if self.english and clause.tense == "present":
            return None
        for h in times:
            if h.start < draft.end or h.op in ("now", "for", "past", "since", "ever", "anaphor"):
                continue
            summing = self._only_says_when(h, turn)
            if summing is None or not clause.index < summing.index <= clause.index + 12:
                continue
            told = turn.clauses[clause.index + 1 : summing.index]
            if self.english:
                alike = all(self._tells_the_past(c, turn) for c in told)
            else:
                alike = summing.sentence == clause.sentence
            if alike and not self._dated_otherwise(told, h, times):
                return h
        return None

    def _only_says_when(self, h: TimeHit, turn: TurnState) -> Clause | None:
        """The clause of which a time is all, behind "that was"; in English the time may stand in the clause after it."""
        text = turn.canonical.text
        clause = turn.clauses.at(h.start)
        m = self.says["sums_up"].match(text, clause.start)
        if m is None and self.english and clause.index and clause.start == h.start:
            clause = turn.clauses[clause.index - 1]  # "that was" | "a long time ago"
            m = self.says["sums_up"].match(text, clause.start)
        if m is None or not h.start - (0 if self.english else 4) <= m.end() <= h.end:
            return None
        return clause if self.english or self.says["summed"].match(text, h.end) else None

    def _tells_the_past(self, clause: Clause, turn: TurnState) -> bool:
        """Whether a clause can be part of an English story of the past."""
        return (
            clause.tense != "present"
            or clause.subject_at is None
            or self.says["used_to"].search(turn.canonical.text, clause.start, clause.end) is not None
        )

    def _dated_otherwise(self, told: list[Clause], h: TimeHit, times: list[TimeHit]) -> bool:
        """Whether the clauses hold another time than the one that sums them up."""
        passing = ("past", "for", "anaphor", "now") if self.english else ("past", "for", "anaphor")
        return any(
            c.start <= o.start < c.end and o.interval is not None and o.interval != h.interval
            for c in told
            for o in times
            if o.op not in passing
        )

    @staticmethod
    def _anaphor_after(clause: Clause, times: list[TimeHit], turn: TurnState) -> TimeHit | None:
        """ "没力气。那几天两条腿…": a fragment that the next sentence goes on from, with an anaphor of time."""
        if clause.sentence != 0 or clause.verb or clause.subject_at is not None or clause.end - clause.start > 14:
            return None
        for h in times:
            where = turn.clauses.at(h.start)
            if h.op == "anaphor" and where.sentence == 1 and h.start - where.start <= 6:
                return h
        return None

    def _history_reaches(self, h: TimeHit, draft: Draft, clause: Clause, turn: TurnState) -> bool:
        """In written notes: whether a word of the past history reaches a mention, by the `reach` of its rule.

        list: the nouns that follow, up to the next statement; heading: the sentence under it; noun, before: the noun
        right after it, right before it; before_list: the list before it; before_with: the "with ..." before it;
        inside: the mention that holds it, as is true of every other reach.
        """
        text = turn.canonical.text
        if draft.start <= h.start and h.end <= draft.end:
            return h.reach not in ("before_list", "before_with")
        if h.reach in ("list", "heading", "noun"):
            if h.end > draft.start:
                return False
            between = text[h.end : draft.start]
            if h.reach == "heading":
                return text[h.end - 2] == ":" and _NOTES_STOP.search(_NOTES_NUMBER.sub("", between)) is None
            if _NOTES_STOP.search(between):
                return False
            if h.reach == "noun":
                return (
                    clause is turn.clauses.at(h.start)
                    and between.count(" ") <= 5
                    and not self.says["with"].search(" " + between)
                )
            first, last = h.end, draft.start
        elif h.reach in ("before", "before_list", "before_with"):
            between = text[draft.end : h.start]
            if h.start < draft.end or _NOTES_STOP.search(between):
                return False
            if h.reach == "before":
                return not between
            if h.reach == "before_with":
                return not between and self.says["with"].search(text[clause.start : draft.start]) is not None
            first, last = draft.end, h.start
        else:
            return False
        ends = any(x.category == "history_end" and first <= x.start < last for x in turn.hits.get("time", ()))
        opened = [c for c in turn.clauses if first <= c.start < last + 1]
        return not ends and not any(
            c.subject_at is not None or c.connective not in (None, "coordinate") for c in opened
        )

    def _nearest(self, hits: list[TimeHit], draft: Draft) -> TimeHit:
        def distance(h: TimeHit) -> int:
            gap = draft.start - h.end if h.end <= draft.start else h.start - draft.end if h.start >= draft.end else 0
            return max(0, gap)

        return min([h for h in hits if h.op != "now"] or hits, key=distance)

    def _beside(self, clause: Clause, draft: Draft, turn: TurnState, times: list[TimeHit]) -> TimeHit | None:
        """A time in a clause of its own beside this one: "in college, ...", "..., two years ago", "when i was a boy ..."."""
        clauses = turn.clauses
        if clause.index:
            previous = clauses[clause.index - 1]
            if previous.sentence == clause.sentence and self._only_time(previous, turn, clause):
                inside = [h for h in times if previous.start <= h.start < previous.end]
                if inside:
                    return inside[-1]
        joined = clauses.at(draft.end - 1) if self.english and draft.end > clause.end else clause
        while joined.index + 1 < len(clauses):
            joined = clauses[joined.index + 1]
            if self.english and self._same_said(clause, joined, draft, turn):
                # "I ate well and kept my weight up yesterday": one time for both
                if inside := [h for h in times if joined.start <= h.start < joined.end and h.op != "now"]:
                    return inside[-1] if inside[-1].end >= joined.end - 2 else None
            if (
                joined.sentence != clause.sentence
                or joined.verb
                or joined.subject_at is not None
                or joined.connective not in ("coordinate", None)
                or joined.connective is None
                and not joined.comma
                or not self.english
            ):
                break
            # "sad and hopeless three weeks ago": the time at the end holds for all parts
            inside = [h for h in times if joined.start <= h.start < joined.end and h.op != "now"]
            if inside and any(d.clause is joined for d in turn.drafts):
                return inside[-1]
            if inside and joined.connective == "coordinate" and inside[-1].end >= joined.end - 2:
                return None if self._leads_on(joined, turn) else inside[-1]  # "at work and at home ten years ago"
        # "I slept more than anybody needs when I was little": behind all of what is said
        first = (clauses.at(draft.end - 1).index if self.english and draft.end > clause.end else clause.index) + 1
        step = first
        while self.english and step + 1 < len(clauses) and self._adds_to(clauses[step], clause, turn, times):
            step += 1  # "... on the phone and the tv, that's all from back then"
        if step < len(clauses):
            following = clauses[step]
            if step > first and self._leads_on(following, turn):
                return None
            if following.sentence == clause.sentence and self._only_time(following, turn, clause, trailing=True):
                inside = [h for h in times if following.start <= h.start < following.end]
                if inside:
                    return inside[0]
        return None

    @staticmethod
    def _leads_on(clause: Clause, turn: TurnState) -> bool:
        """ "Worn out, in bed, ten years ago | I never was": whether the time of a clause is of the next one."""
        after = turn.clauses[clause.index + 1] if clause.index + 1 < len(turn.clauses) else None
        return after is not None and (after.lead, after.sentence) == ("subject", clause.sentence) and not after.comma

    def _adds_to(self, step: Clause, clause: Clause, turn: TurnState, times: list[TimeHit]) -> bool:
        """Whether an English clause is only more of what was said: "... and the tv", "..., at work", "... than normal"."""
        text = turn.canonical.text
        if step.verb or step.subject_at is not None or step.sentence != clause.sentence:
            return False
        if step.connective == "coordinate":
            return True
        if any(step.start <= x.start < step.end for x in (*times, *turn.drafts)):
            return False
        usual = self.says["than_usual"].match(text, step.start)
        if step.connective == "compare":
            return usual is not None and not text[usual.end() : step.end].strip(" ,")
        return step.connective is None and self.says["where"].fullmatch(text, step.start, step.end) is not None

    @staticmethod
    def _same_said(clause: Clause, joined: Clause, draft: Draft, turn: TurnState) -> bool:
        """Whether an English clause goes on, without a subject of its own, with what the clause before says in the past:
        "I ate well and kept my weight up", "I didn't feel guilty or blame myself"."""
        return (
            joined.index == clause.index + 1
            and joined.sentence == clause.sentence
            and joined.connective == "coordinate"
            and joined.subject_at is None
            and clause.tense == "past"
            and (joined.tense == "past" or joined.word == "or")
            and any(d.clause is joined and d.dimension == draft.dimension for d in turn.drafts)
        )

    def _fronted(self, clause: Clause, turn: TurnState, times: list[TimeHit]) -> TimeHit | None:
        """A time set before the subject of a clause holds for those joined to it: "since yesterday I haven't felt
        guilty, and I haven't felt worthless"."""
        current, tense = clause, clause.tense
        text = turn.canonical.text
        for _ in range(3):
            if not current.index or current.connective not in (None, "coordinate", "complement") and not current.raised:
                return None
            previous = turn.clauses[current.index - 1]
            if previous.sentence != clause.sentence:
                return None
            if self.says["used_to_do"].search(text, max(0, previous.start - 1), previous.end + 1) and (
                current.connective == "coordinate" and current.subject_at is None
            ):
                tense = "past"  # "I could work ten hours and never lose focus": the auxiliary goes on
                current = previous
                if not self._dates(current, times):
                    continue
                return self._dates(current, times)
            told = previous.tense == "present" and self.says["used_to_do"].search(text, current.start, current.end)
            if previous.tense not in (tense, None) and tense is not None and not told:
                return None
            bare = (
                turn.canonical.text[current.start - 2 : current.start] not in (", ", ". ")
                and previous.subject_at is not None
            )
            if (
                current.connective is None
                and not current.raised
                and not current.comma
                and not bare
                and (current.lead != "subject" or previous.verb)
            ):
                return None
            inside = [h for h in times if previous.start <= h.start < previous.end and h.op != "for"]
            if not inside and not self.english:  # 现在棋盘都懒得摆: the words of a mention, and none of its time
                inside = [h for h in turn.times if previous.start <= h.start < previous.end and h.op == "now"]
            if inside and all(h.op == "now" for h in inside):
                return None  # "前几年 ..., 到现在 ..., ...": back in the present
            inside = [h for h in inside if h.op != "now"]
            if inside:
                at = previous.subject_at if previous.subject_at is not None else previous.verb_at
                if self.says["time_is_what"].search(turn.canonical.text, previous.start - 1, inside[0].start):
                    return inside[0]  # "it was on november sixth that | i ..."
                if told and inside[-1].op == "remote" and text.count(" ", inside[-1].end, previous.end) <= 4:
                    return inside[-1]  # speech without pauses: "as far as the road goes as a teenager i'd ..."
                if at is None or inside[0].start <= at:
                    return inside[0]
                # "I can tell you that yesterday | I was interested, | active | and full of joy"
                return inside[-1] if inside[-1].end >= previous.end and self._leads_on(previous, turn) else None
            current = previous
        return None

    def _of_story(self, clause: Clause, turn: TurnState, times: list[TimeHit]) -> TimeHit | None:
        """ "In the factory years I was gone at once and I'd sleep till the hooter, never a bad night": a clause at the end
        of an English sentence, with no verb of its own, belongs to the story of the past that a time opens."""
        if not self.english or clause.verb or clause.subject_at is not None or not clause.comma:
            return None
        sentence = turn.clauses.sentence(clause.sentence)
        told = [c for c in sentence if c.index < clause.index]
        text, would = turn.canonical.text, self.says["used_to_do"]
        now = [c for c in told if c.tense == "present" and not would.search(text, max(0, c.start - 1), c.end + 1)]
        if now or not any(c.tense == "past" for c in told):
            return None
        opens = [h for h in times if told[0].start <= h.start < told[0].end and h.op == "remote"]
        return opens[0] if opens and opens[0].start <= told[0].start + 12 else None

    @staticmethod
    def _dates(clause: Clause, times: list[TimeHit]) -> TimeHit | None:
        """The time with which an English clause begins, before its subject."""
        at = clause.subject_at if clause.subject_at is not None else clause.verb_at
        inside = [h for h in times if clause.start <= h.start < clause.end and h.op not in ("for", "now")]
        return inside[0] if inside and (at is None or inside[0].start <= at) else None

    @staticmethod
    def _in_a_mention(h: TimeHit, turn: TurnState) -> bool:
        return any(h.end <= m.end for m in between(turn.mentions, h.start - 120, h.start + 1))

    def _only_time(self, other: Clause, turn: TurnState, clause: Clause, trailing: bool = False) -> bool:
        if any(d.start >= other.start and d.start < other.end and d.kind == "mention" for d in turn.drafts):
            return False
        if other.connective == "temporal":
            return True
        if self.english:
            if other.connective in ("contrast", "exceptive", "reason", "compare"):
                return False
            if trailing:
                # "I was low, it started three weeks ago" speaks on of the same thing
                text = turn.canonical.text[other.start : other.end]
                if self.says["goes_on"].match(text):
                    return True
                return not other.verb and other.subject_at is None
            return not other.verb or clause.raised
        text = turn.canonical.text[other.start : other.end]
        inside = sum(h.end - h.start for h in turn.times if other.start <= h.start < other.end)
        return len(text) - inside <= 3

    def tells(self, turn: TurnState, clause: Clause, asked: Interval | None = None) -> bool:
        """ "There was this one week, I'd lie there till three", "three weeks ago it got bad. I'd lie there": whether an
        English clause with "would" is of a story: of one that begins in the sentence before, or of the past time that
        was asked about."""
        if not self.english:
            return False
        text = turn.canonical.text
        while (
            clause.index
            and clause.subject_at is None
            and (
                clause.connective == "coordinate"
                or clause.connective is None
                and turn.clauses[clause.index - 1].sentence == clause.sentence
            )
        ):
            clause = turn.clauses[clause.index - 1]  # "I'd sit on the stairs, stare, and cry"
        if self.says["would"].search(text, max(0, clause.start - 1), clause.end) is None:
            return False
        start = turn.clauses.sentence(max(0, turn.clauses.at(clause.start).sentence - 1))[0].start
        return (
            self.says["told_of"].search(text, max(0, start - 1), clause.start) is not None
            or asked is not None
            and self._bygone(asked)
            or any(start <= t.start < clause.start and self._bygone(t.interval) and t.op != "until" for t in turn.times)
        )

    @staticmethod
    def _bygone(interval: Interval | None) -> bool:
        """Whether a time that was set lies in the past: not up to now."""
        return interval is not None and bool(interval.stated) and interval.to is not None and interval.to > 0

    def pointed(self, question: TurnState) -> Interval | None:
        """ "And how did you sleep, those nights?", "那天回到家呢？": the time set before to which a question points back,
        None where it does not."""
        points = any(h.op == "anaphor" for h in question.times)
        return self.carried if points and self._still_carried(question) else None

    def _still_carried(self, turn: TurnState) -> bool:
        return turn.index - self.carried_turn <= 6

    def follow_up(self, question: TurnState, told: TurnState | None) -> Interval | None:
        """ "What did you do about that?": the time of what was told last in the turn before an English question that asks
        on about it, None where it does not."""
        if not self.english or told is None or self.says["follows_up"].search(question.canonical.text) is None:
            return None
        drafts = [d for d in told.drafts if d.kind == "mention"]
        last = max(drafts, key=lambda d: d.end, default=None)
        if last is None or last.time is None or last.time.unspecified or last.timed not in ("own", "turn"):
            return None
        return last.time if last.time.to is not None and last.time.to > 0 else None

    def _past(self, clause: Clause, turn: TurnState, asked: Interval | None) -> bool:
        if not self.english:
            return False
        if clause.tense == "past" or self.tells(turn, clause, asked):
            return True
        if clause.tense is None and clause.index and clause.connective == "coordinate":
            previous = turn.clauses[clause.index - 1]
            return previous.sentence == clause.sentence and previous.tense == "past"
        return False
