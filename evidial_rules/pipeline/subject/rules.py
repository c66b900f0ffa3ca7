"""Categories and wordings of `grammars/<language>/subject.yaml`."""

CATEGORIES: dict[str, str] = {
    "first": "the speaker (in an informant's mouth, the informant)",
    "third": "a pronoun for somebody else (in an informant's mouth, the participant)",
    "person": "somebody else as a noun phrase",
    "generic": 'people at large, a general "you"',
    "report": "somebody says of the speaker that ...: about the speaker",
    "causes": 'something does it to somebody else ("makes her sad")',
    "other_topic": "says that the words were about somebody else",
}

WORDINGS: dict[str, str] = {}
"""What the logic asks about at a place that it has found, by name."""
