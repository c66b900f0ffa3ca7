"""Categories and wordings of `grammars/<language>/answers.yaml`."""

CATEGORIES: dict[str, str] = {
    "yes": "affirms what was asked",
    "no": "denies what was asked",
    "none": "none or zero: of a topic it is bad, to a question a no",
    "weak_yes": "affirms it, as an indicator",
    "measure": 'a bare length of time, as the answer to "how long"',
    "weak_no_amount": '"not really": a weak denial of a symptom, a definite denial of health',
    "weak_no_doubt": '"I don\'t think so": an indicator either way',
    "unknown": "cannot say: an indicator without direction",
    "some": "a small amount or frequency: affirms a symptom",
    "much": "a large amount or frequency: affirms what was asked",
    "good": "an evaluation: denies, definite",
    "okay": "an evaluation: denies, as an indicator",
    "soso": "an evaluation without direction: an indicator",
    "better": "a change without a level: an indicator",
    "bad": "an evaluation: affirms, definite",
    "refuse": "no answer",
    "pardon": "did not hear the question",
}

ANSWERS = (
    "yes",
    "no",
    "none",
    "weak_yes",
    "weak_no_amount",
    "weak_no_doubt",
    "unknown",
    "some",
    "much",
    "good",
    "okay",
    "soso",
    "better",
    "bad",
    "refuse",
)
EVALUATIONS = ("good", "okay", "soso", "better", "bad")

WORDINGS: dict[str, str] = {}
"""What the logic asks about at a place that it has found, by name."""
