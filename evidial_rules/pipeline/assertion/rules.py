"""Categories and wordings of `grammars/<language>/assertion.yaml`."""

CATEGORIES: dict[str, str] = {
    "negation": 'reaches forward over its clause and what is joined to it; `value` "list": over every list after it, as '
    "in notes",
    "negation_noun": 'negates the noun phrase right after it ("no", "free of")',
    "weak_negation": "as negation, but a denial of a symptom by it is an indicator",
    "negation_after": "negates what stands before it in the clause (没有过)",
    "weak_after": "as negation_after, an indicator",
    "inability": 'as negation, of health only ("cannot eat properly")',
    "restrict": "one object or occasion: a denial beside it speaks for that only",
    "double": "two negations that affirm",
    "pseudo": "looks like a negation and is none; silences those inside it",
    "normal": "a normal amount: a weak denial of the symptom",
    "hedge": "makes an indicator of the clause that it stands in",
    "doubt": "a doubting particle (吧): makes a denial or an evaluation an indicator",
    "hypothetical": "supposed, not said",
    "neutral": 'a "would" that supposes nothing; silences the one inside it',
    "future": "future, wish, fear, effort: not in the window",
    "habit": 'a habit: a "will" beside it is no future',
    "presuppose": "a question that takes the symptom for granted",
    "question": "a question without a question mark",
    "inaudible": "the words beside it cannot be heard",
    "named": "names an earlier statement instead of making one",
    "refuse": "no answer",
    "seen": "others say that one looks so: a proxy",
    "mania": "speaks of elation: high energy or spirits beside it are no health",
    "quoted": "words of a book, a form, a saying",
}

WORDINGS: dict[str, str] = {}
"""What the logic asks about at a place that it has found, by name."""
