"""Categories and wordings of `grammars/<language>/questions.yaml`."""

CATEGORIES: dict[str, str] = {
    "open": "a question how something is",
    "how_easy": "a question how easy or well: asks for health",
    "how_hard": "a question how hard or bad: asks for the symptom",
    "how_long": "a question that takes what it names for granted",
    "how_often": "a question for a frequency",
    "wellbeing": "a question after well-being at large",
    "cause": "asks whether something affects the topic: a no denies that effect only",
    "negative_question": "a question with a negation, which a no confirms",
    "statement": "states instead of asking",
}

WORDINGS: dict[str, str] = {
    "purpose": "gives advice or says what something is good for: a wish for health that nobody asks after",
}
"""What the logic asks about at a place that it has found, by name."""
