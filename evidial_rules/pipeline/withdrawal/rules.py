"""Categories and wordings of `grammars/<language>/withdrawal.yaml`."""

CATEGORIES: dict[str, str] = {
    "retract": "takes back what is named beside it, else the speaker's last statement",
    "retract_named": "the same, for verbs that take things as well as words: only where it names a symptom or an earlier statement",
    "everything": "beside a retraction: all of the speaker's frames",
    "time_correction": "the statement was about another time",
    "subject_correction": "the statement was about somebody else",
}

WORDINGS: dict[str, str] = {}
"""What the logic asks about at a place that it has found, by name."""
