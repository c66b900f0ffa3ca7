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

WORDINGS: dict[str, str] = {
    "light_head": "before a subject: nothing that takes it as an object",
    "owner": "before a mention: the other person whose it is",
    "not_the_one": "a pronoun that is not of the one whom an informant came with",
    "object_pronoun": "a pronoun that is no subject",
    "takes_object": "right before a person: they are its object",
    "anothers": "a pronoun that says whose, of somebody else",
    "ones_own": "the same, of the speaker",
    "to_hearer": 'behind "you": it is said to the hearer, and of nobody',
    "light_before": "right before a person in a clause without a verb: they are no object",
    "with_whom": "opens the name of one with whom, or for whom, it is done",
    "people": "people at large, who may be compared with",
    "compared": "before people at large: they are compared with, or joined",
    "address": "a title by which the interviewer is addressed",
    "acts": "behind a title: its bearer does something",
    "counted": "before a person: counts or describes them",
    "affairs": "behind a person: what happened to them, as the topic of what the speaker says",
    "other_pronoun": "a pronoun by which a clause speaks on of the other person",
    "speaker_too": "in a clause about somebody else: the speaker is in it",
    "third_verb": "a verb in a form that an I never takes",
    "named_owner": "a name with 's, and what belongs to it",
    "no_owner": "a word that owns nothing where 's follows it",
    "speaker_object": "between verb and mention: the speaker is the object",
    "speaker": "in a mention: the speaker",
}
"""What the logic asks about at a place that it has found, by name."""
