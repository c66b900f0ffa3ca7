"""Categories and wordings of `grammars/<language>/time.yaml`: what each operation makes of the words (days before now)."""

CATEGORIES: dict[str, str] = {
    "ago": '"N units ago": [N, N+1); a unit of a week is 7 days, of a month 30',
    "ago_over": '"over N units ago": [N+1, N+4)',
    "ago_under": '"nearly N units ago": [N-2, N+1)',
    "past": '"the past N units": [0, N+1)',
    "for": "a duration up to now: [0, N+1); in a past clause no time by itself",
    "interval": "the fixed interval in `value`",
    "last_week": "the past 7 days; 8 to 14 days ago where it is set against this week",
    "now": "the present at large: the whole window",
    "remote": "long past: outside every window",
    "weekday": "the most recent such day",
    "weekday_last": "such a day of last week",
    "weekday_week": "such a day a week before the most recent one",
    "date": "a calendar day",
    "month": "a calendar month",
    "holiday": "the most recent such holiday",
    "anaphor": "the time set last",
    "since": "from the time that follows up to now; from an event: the whole window",
    "until": "up to the time that follows",
    "ended": "over since the time that follows",
    "history": 'in written notes, the past history: outside every window; `value` is how far it reaches: the "list" after '
    'it, the sentence under a "heading", the "noun" after it, the one right "before" it, "before_list", '
    '"before_with", or only what it stands "inside"',
    "history_end": "in written notes, the present complaint: ends a list of the past history",
    "compare": 'a time only compared with ("than last year", 跟从前一样): no time of the statement',
    "ever": "in the whole life (of a question)",
}

WORDINGS: dict[str, str] = {}
"""What the logic asks about at a place that it has found, by name."""
