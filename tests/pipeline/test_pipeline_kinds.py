"""Kinds of wording that reach across the components, each beside its contrast (contract, sections 2 and 3)."""
from __future__ import annotations

from datetime import date

import pytest
from spoken import SHORT, asserted, cells, state

BASE = "P: I'm worn out."


@pytest.mark.parametrize(("words", "said"), [
    # denied behind what is named
    ("Sadness is not something I get.", "deny definite low_mood"),
    ("Sadness is not something I talk about.", "affirm definite low_mood"),
    ("Sadness is not really something I feel.", "deny indicator low_mood"),
    ("Sadness is something I get.", "affirm definite low_mood"),
    ("Guilt is no problem here.", "deny definite guilt"),
    ("Guilt is a problem here.", "affirm definite guilt"),
    # the parts of a list share what is said of them
    ("My focus and my decisions are great.", "deny definite concentration+indecision"),
    ("My focus is great and my decisions are terrible.", "deny definite concentration, affirm definite indecision"),
    # a thing has its adverb
    ("There's something clearly wrong with my appetite.", "affirm definite ALL"),
    ("There's nothing wrong with my appetite.", "deny definite ALL"),
])
def test_what_a_statement_says(words, said):
    found = [f"{f.polarity} {f.strength} {'+'.join(f.components)}" for f in asserted("P: " + words)]
    assert ", ".join(found) == said


@pytest.mark.parametrize(("words", "subject"), [
    ("My nephew Pete weeps all evening.", "other"),
    ("A quiet old schoolmate of mine feels hopeless.", "other"),
    ("The couple downstairs weep all evening.", "other"),
    ("My nephew Pete came by and I weep all evening.", "participant"),
])
def test_whose_it_is(words, subject):
    assert {f.subject for f in asserted("P: " + words)} == {subject}


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # a word of a statement of one's own answers nothing else
    (("I: Are you slowed down or restless?", "P: I never fidget."), "psychomotor", "PARTIAL"),
    (("I: Are you slowed down or restless?", "P: Never."), "psychomotor", "SUFFICIENT_NEG"),
    # short answers
    (("I: Do you sleep badly?", "P: By no means."), "sleep", "SUFFICIENT_NEG"),
    (("I: Do you sleep badly?", "P: A definite yes."), "sleep", "SUFFICIENT_POS"),
    (("I: How is your sleep?", "P: Not good, not bad."), "sleep", "PARTIAL"),
    (("I: How is your sleep?", "P: Not good."), "sleep", "SUFFICIENT_POS"),
    (("I: Is everything fine with your sleep?", "P: Yes."), "sleep", "SUFFICIENT_NEG"),
    # a retraction takes back the new answer, or what a check took up
    ((BASE, "I: Are you tired?", "P: Certainly not. I made that up."), "fatigue", "SUFFICIENT_POS"),
    ((BASE, "I: Was that this week?", "P: No, I muddled it, it was last year."), "fatigue", "ABSENT"),
    ((BASE, "I: Okay.", "P: Strike whatever I told you about tiredness."), "fatigue", "ABSENT"),
    ((BASE, "I: Okay.", "P: The things I told you about tiredness were nonsense."), "fatigue", "ABSENT"),
    ((BASE, "I: Okay.", "P: The things I told you about tiredness are true."), "fatigue", "SUFFICIENT_POS"),
    ((BASE, "I: Okay.", "P: Let's pretend I never said that."), "fatigue", "ABSENT"),
    ((BASE, "I: Okay.", "P: Oh, I meant my uncle Bob, not myself."), "fatigue", "ABSENT"),
    ((BASE, "I: Okay.", "P: My uncle Bob meant a lot to me."), "fatigue", "SUFFICIENT_POS"),
    # either-or is one clause: its time and its doubt are those of both parts
    (("P: Either guilt or a sense of worthlessness weighed on me last year.",), "guilt_worthlessness", "ABSENT"),
    (("P: Maybe I'm either exhausted or low on energy.",), "fatigue", "PARTIAL"),
    (("P: I'm either exhausted or low on energy.",), "fatigue", "SUFFICIENT_POS"),
])
def test_what_a_dialogue_comes_to(turns, dimension, state):
    assert cells(*turns)[dimension].state == state


@pytest.mark.parametrize("turns, dimension, expected", [
    # a part of a month lies where its days lie
    (("I: Any trouble sleeping?", "P: In the first week of April I lay awake night after night."), "sleep", "ABS"),
    (("I: Any trouble sleeping?", "P: In the last week of April I lay awake night after night."), "sleep", "POS"),
    (("I: 睡得好吗？", "P: 五月初我天天失眠。"), "sleep", "ABS"),
    (("I: 睡得好吗？", "P: 五月底我天天失眠。"), "sleep", "POS"),
])
def test_parts_of_a_month(turns, dimension, expected):
    now = date(2025, 5, 3) if "April" in turns[1] else date(2025, 6, 3)
    assert state(dimension, *turns, now=now, instrument="PHQ-8") == SHORT[expected]


@pytest.mark.parametrize("said, dimension, expected", [
    ("I'm not really tired.", "fatigue", "PART"), ("I'm not tired, really.", "fatigue", "NEG"),
    ("I don't have much trouble concentrating.", "concentration", "PART"),
    ("I have the normal kind of tiredness after a shift.", "fatigue", "PART"),
    ("I sleep fine when I'm at the caravan.", "sleep", "PART"),
    ("I sleep badly when I'm at the caravan.", "sleep", "POS"),
    ("I sleep fine at my brother's place.", "sleep", "PART"), ("I sleep fine in my bed.", "sleep", "NEG"),
    ("My mood has picked up a little.", "depressed_mood", "PART"),
    ("I've fallen into a deep depression.", "depressed_mood", "POS"),
    ("I'm in treatment for depression.", "depressed_mood", "PART"),
    ("My appetite has perked up.", "appetite_weight", "PART"), ("My appetite has gone up.", "appetite_weight", "POS"),
])
def test_what_settles_nothing_beside_what_does(said, dimension, expected):
    assert state(dimension, "I: How have you been?", f"P: {said}") == SHORT[expected]


@pytest.mark.parametrize("said, expected", [
    ("The pacing, the not sitting still, the fidgeting: tear that page out.", "ABS"),
    ("None of that pacing is about me, I was describing my flatmate.", "ABS"),
    ("The pacing is getting worse.", "POS"),
])
def test_a_retraction_names_by_nouns(said, expected):
    turns = ("I: Are you restless?", "P: I pace the landing, I can't sit still.", "I: Go on.", f"P: {said}")
    assert state("psychomotor", *turns) == SHORT[expected]


@pytest.mark.parametrize("said, dimension, expected", [
    ("国庆以来瘦了五公斤。", "appetite_weight", "POS"), ("国庆那几天瘦了五公斤。", "appetite_weight", "ABS"),
    ("饭量跟从前一个样。", "appetite_weight", "NEG"), ("睡眠跟以前没两样。", "sleep", "NEG"),
    ("自杀这种事我最近没动过心思。", "suicidal_ideation", "PART"),
    ("自杀这种事我最近动过心思。", "suicidal_ideation", "POS"),
])
def test_since_a_holiday_and_the_same_as_before(said, dimension, expected):
    turns = ("I: 您讲讲近况。", f"P: {said}")
    assert state(dimension, *turns, now=date(2025, 11, 13), instrument="HAMD-17") == SHORT[expected]


@pytest.mark.parametrize("said, expected", [
    ("Twelve, thirteen.", "POS"), ("Far too many. Twelve a night.", "POS"), ("Three or four.", "POS"),
    ("Seven, eight.", "ABS"), ("Eight, I'm up at four.", "ABS"),
])
def test_hours_of_sleep(said, expected):
    assert state("sleep", "I: How many hours do you sleep?", f"P: {said}") == SHORT[expected]


@pytest.mark.parametrize("said, expected", [
    ("Falling asleep gives me no difficulty.", "PART"), ("Falling asleep gives me difficulty.", "POS"),
    ("I can nod off anywhere.", "PART"), ("I'm gone before my boots hit the floor.", "PART"),
])
def test_predicates_of_falling_asleep(said, expected):
    assert state("sleep", "I: And the nights?", f"P: {said}") == SHORT[expected]


def test_a_retraction_that_names_a_denial_leaves_the_affirmation():
    turns = ("I: And yourself?", "P: I don't feel guilty at all.", "I: Go on.",
             "P: I feel guilty the whole day. As for not feeling guilty, wipe those words out.")
    assert state("guilt_worthlessness", *turns) == "SUFFICIENT_POS"
    turns = (*turns[:3], "P: I feel guilty the whole day. As for the guilt, wipe those words out.")
    assert state("guilt_worthlessness", *turns) == "ABSENT"


@pytest.mark.parametrize("said, dimension, expected", [
    ("Three weeks ago we moved house in a weekend, and that weekend I was worn out.", "fatigue", "ABS"),
    ("I was worn out over the weekend.", "fatigue", "POS"),
    ("Sad-looking things, those cars.", "depressed_mood", "ABS"),
    ("Sad and looking for a way out.", "depressed_mood", "POS"),
    ("I fall asleep at once.", "sleep", "PART"),
])
def test_words_that_only_look_like_evidence(said, dimension, expected):
    assert state(dimension, "I: How have you been?", f"P: {said}") == SHORT[expected]
