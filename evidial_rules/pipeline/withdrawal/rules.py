"""Categories and wordings of `grammars/<language>/withdrawal.yaml`."""

CATEGORIES: dict[str, str] = {
    "retract": "takes back what is named beside it, else the speaker's last statement",
    "retract_named": "the same, for verbs that take things as well as words: only where it names a symptom or an earlier statement",
    "everything": "beside a retraction: all of the speaker's frames",
    "time_correction": "the statement was about another time",
    "subject_correction": "the statement was about somebody else",
}

WORDINGS: dict[str, str] = {
    "checks": "in a question: takes up what the speaker said before",
    "before_date": "may stand before \"that was last year\" where that alone is said",
    "quoting": "right before a mention: names it by having said it",
    "disowns": "behind a quotation of the speaker's own words: takes them back",
    "refers": "in the sentence of a verb that takes things as well: speaks of words",
    "part_only": "in a retraction: it takes back a part",
    "part_named": "right behind a mention: it names a part of what was said",
    "list_gap": "what stands between two mentions that are parts of one list",
    "stop": "says nothing of what a retraction names",
    "naming": "behind a mention: it only names what was said",
    "named_after": "opens a clause that takes up what was named before it",
    "all_of_it": "in a retraction: everything said to that effect",
    "everything": "in a retraction: all that was said",
    "told": 'right before a verb: tells what somebody does ("I skip it most days")',
    "things": "a retraction by a verb that takes things as well",
    "others": "right before a retraction: somebody else jokes or lies",
    "aside": "a retraction that only stops: the next one says what is meant",
    "contradicts": "right after an interviewer's statement: an answer to it",
    "corrects_time": "a correction of time that is one wherever it stands",
    "that": "opens a sentence that speaks of what was said",
    "points_at": "says whose something is: a correction only after a stop",
    "stops": "right before it: such a stop",
    "not_me": "says that it was not the speaker",
    "corrects_subject": "a correction of the person that is one wherever it stands",
    "talking_about": "one that is only where it takes up what was said",
    "takes_up": "beside it: that it does",
    "not_then": "right before a time: it was not then",
    "says_not": "a correction that says when it was not",
    "around_time": "beside a time that is all of a correction",
    "no_retraction": "up to the first character of a retraction: it is denied, or forbidden to somebody",
}
"""What the logic asks about at a place that it has found, by name."""
