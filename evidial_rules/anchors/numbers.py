"""Counts, dates and weekdays in words, as people say them."""

from __future__ import annotations

import datetime

_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
         "seventeen eighteen nineteen").split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_DIGITS = "零一二三四五六七八九"
_MONTHS = ("January February March April May June July August September October November December").split()
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def count(n: int, language: str) -> str:
    """A count from 1 to 99 in words; two of something in Chinese is 两.

    >>> count(16, "en"), count(21, "en"), count(16, "zh"), count(2, "zh"), count(30, "zh")
    ('sixteen', 'twenty-one', '十六', '两', '三十')
    """
    if not 1 <= n <= 99:
        raise ValueError("expected a count from 1 to 99")
    if language == "zh":
        return "两" if n == 2 else _chinese(n)
    if n < 20:
        return _ONES[n]
    tens, ones = divmod(n, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def _chinese(n: int) -> str:
    tens, ones = divmod(n, 10)
    return ("" if not tens else "十" if tens == 1 else f"{_DIGITS[tens]}十") + (_DIGITS[ones] if ones else "")


def day(date: datetime.date, language: str) -> str:
    """A day of the year as it is said.

    >>> day(datetime.date(2026, 3, 3), "en"), day(datetime.date(2026, 3, 12), "zh")
    ('March 3rd', '三月十二号')
    """
    if language == "zh":
        return f"{_chinese(date.month)}月{_chinese(date.day)}号"
    suffix = "th" if 11 <= date.day <= 13 else _SUFFIXES.get(date.day % 10, "th")
    return f"{_MONTHS[date.month - 1]} {date.day}{suffix}"


def weekday(date: datetime.date, language: str) -> str:
    """
    >>> weekday(datetime.date(2026, 3, 4), "en"), weekday(datetime.date(2026, 3, 8), "zh")
    ('Wednesday', '星期天')
    """
    return f"星期{'一二三四五六天'[date.weekday()]}" if language == "zh" else _WEEKDAYS[date.weekday()]
