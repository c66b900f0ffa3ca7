"""Categories and wordings of `grammars/<language>/questions.yaml`."""

CATEGORIES: dict[str, str] = {
    "open": "a question how something is",
    "how_easy": "a question how easy or well: asks for health",
    "how_hard": "a question how hard or bad: asks for the symptom",
    "how_long": "a question that takes what it names for granted",
    "how_often": "a question for a frequency",
    "how_many": "a question on how many days or nights something was so: a count affirms it",
    "how_many_hours": "a question how long one sleeps",
    "wellbeing": "a question after well-being at large",
    "cause": "asks whether something affects the topic: a no denies that effect only",
    "negative_question": "a question with a negation, which a no confirms",
    "statement": "states instead of asking",
}

WORDINGS: dict[str, str] = {
    "purpose": "gives advice or says what something is good for: a wish for health that nobody asks after",
    "addressed": "speaks to the one who answers",
    "plain_negation": 'of a negation: one that an answer "no" confirms',
    "polite_negation": 'a question that only begins with a negation: a "no" denies what it asks',
    "anything_wrong": "asks whether there is anything wrong with a topic",
    "restricted_after": "behind a symptom: it is asked of one object or occasion only",
    "restricted_before": "before a symptom: the same",
    "past_question": "a question about the past",
    "perfect_question": "a question in the perfect, which asks up to now",
    "feeling_or_lately": "makes more than a greeting of a question after well-being",
    "asks_how": "a question how something is, by its first word",
    "asks_whether": "a clause that asks whether something is so",
    "worse": "behind a topic: that it has got worse, or is bad",
    "after_change": "asks after a change or a problem",
    "noun_phrase": "before a topic word: the noun phrase that it ends",
    "enjoyed_before": "before what is enjoyed: a noun that it says more of",
    "enjoyed_inside": "the same, as a part of the mention",
    "enjoyed_after": "the same, behind it",
    "a_not_a": "asks by saying a verb and its negation",
    "somebody_elses": "before a mention: somebody else's",
    "question_opens": "a first word with which a sentence asks",
    "question_word": "in a clause: it asks",
    "asks_you": "asks the one who answers",
    "asks_feeling": "words before a negation that ask what one feels or believes",
}
"""What the logic asks about at a place that it has found, by name."""
