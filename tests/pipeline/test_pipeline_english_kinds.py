"""Kinds of English wording, each beside its contrast (contract, sections 2 and 3)."""
from __future__ import annotations

import pytest
from spoken import asserted, cells

LOW = "P: I'm worn out."


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # a retraction names a topic by its word, by a list of its parts, or by how much of it
    ((LOW, "I: Are you low on energy?", "P: No.", "I: I see.", "P: Strike what I said about energy and exhaustion."),
     "fatigue", "ABSENT"),
    ((LOW, "I: I see.", "P: As for how worn out or lively I am, I made that up."), "fatigue", "ABSENT"),
    ((LOW, "I: I see.", "P: As for how my car runs, it runs fine."), "fatigue", "SUFFICIENT_POS"),
    (("P: I feel useless.", "I: I see.", "P: My words about my own worth, I withdraw them."), "guilt_worthlessness",
     "ABSENT"),
    # a statement said in full is taken back itself, and names no earlier one
    ((LOW, "I: Which bus was it?", "P: The nine. I'm worn out, really. Sorry, I misspoke."), "fatigue",
     "SUFFICIENT_POS"),
    ((LOW, "I: Which bus was it?", "P: I said I'm worn out. That's not true."), "fatigue", "ABSENT"),
    (("P: I blame myself for the fire.", "I: Is your conscience clear, are you sure of yourself?",
      "P: Yes. I made that up."), "guilt_worthlessness", "SUFFICIENT_POS"),
    ((LOW, "I: I see.", "P: I stayed home on account of my bad back."), "fatigue", "SUFFICIENT_POS"),
    ((LOW, "I: I see.", "P: My bad, scratch that."), "fatigue", "ABSENT"),
    # what is said of one topic is said of those in a list with it
    (("I: Do you have trouble with being interested, enjoying things or keeping active?", "P: No."), "anhedonia",
     "SUFFICIENT_NEG"),
    (("I: Do you have trouble with being interested?", "P: No."), "anhedonia", "PARTIAL"),
    (("I: Is all fine with you when it comes to guilt and self-esteem?", "P: Yes."), "guilt_worthlessness",
     "SUFFICIENT_NEG"),
    (("I: Is all fine with you when it comes to guilt and self-esteem?", "P: No."), "guilt_worthlessness",
     "SUFFICIENT_POS"),
    # a negation inside a question that asks plainly does not make it a negative one
    (("I: Is your pace normal, with no fidgeting?", "P: No."), "psychomotor", "SUFFICIENT_POS"),
    (("I: You don't fidget?", "P: No."), "psychomotor", "PARTIAL"),
    # a topic named before it is asked after
    (("I: Let's move on to sleep. How are things there?", "P: So-so."), "sleep", "PARTIAL"),
    (("I: Let's move on to the forms. How are things there?", "P: So-so."), "sleep", "ABSENT"),
    # the negation of a statement answers the part that it names
    (("I: Do you feel guilty or worthless?", "P: No feelings of guilt came up."), "guilt_worthlessness", "PARTIAL"),
    (("I: Do you feel guilty or worthless?", "P: No."), "guilt_worthlessness", "SUFFICIENT_NEG"),
    # joy in one thing
    (("I: Are you still interested in your stamps?", "P: Yes.", "I: Anything else?", "P: I've lost all interest."),
     "anhedonia", "SUFFICIENT_POS"),
    (("I: Are you still interested in things?", "P: Yes.", "I: Anything else?", "P: I've lost all interest."),
     "anhedonia", "CONFLICTING"),
    # one of two things, and neither
    (("P: I'm either absent-minded or indecisive.",), "concentration", "PARTIAL"),
    (("P: I'm absent-minded and indecisive.",), "concentration", "SUFFICIENT_POS"),
    (("P: Perhaps it's one of the two, guilt or worthlessness.",), "guilt_worthlessness", "PARTIAL"),
    (("P: Neither fidgeting nor slowness is a worry.",), "psychomotor", "SUFFICIENT_NEG"),
    # a time, or a doubt, behind a list or a comparison
    (("P: I talked slower than usual five months ago.",), "psychomotor", "ABSENT"),
    (("P: I talk slower than usual.",), "psychomotor", "SUFFICIENT_POS"),
    (("P: I binge on bread and cheese, I guess.",), "appetite_weight", "PARTIAL"),
    (("P: I binge on bread and cheese, and I guess it'll rain.",), "appetite_weight", "SUFFICIENT_POS"),
    # a doubt at the end, over what hangs on the statement; one at the beginning, over a fragment or an "or"
    (("P: I lie awake for ages after I turn the lamp off, perhaps.",), "sleep", "PARTIAL"),
    (("P: I lie awake for ages because the pipes bang, perhaps.",), "sleep", "SUFFICIENT_POS"),
    (("P: Maybe I'm worn out, unable to muster any energy.",), "fatigue", "PARTIAL"),
    (("P: Worn out maybe, short of energy for certain.",), "fatigue", "SUFFICIENT_POS"),
    # lists of people who leave no pauses
    (("I: any trouble nodding off staying asleep or oversleeping", "P: nope"), "sleep", "SUFFICIENT_NEG"),
    # a normal amount, before and behind
    (("P: I fidget about as much as most people.",), "psychomotor", "PARTIAL"),
    (("P: I fidget as much as ever.",), "psychomotor", "SUFFICIENT_POS"),
    (("P: I've had the usual lapses of attention.",), "concentration", "PARTIAL"),
    # words that only look like a time or a doubt
    (("P: I can't keep still.",), "psychomotor", "SUFFICIENT_POS"),
    (("P: I'm not tired of late.",), "fatigue", "SUFFICIENT_NEG"),
    (("P: I'm not tired of late shifts.",), "fatigue", "ABSENT"),
    (("P: My appetite has gone wild over the last weeks.",), "appetite_weight", "SUFFICIENT_POS"),
    (("P: I jumped up from my seat all day two years ago.",), "psychomotor", "ABSENT"),
    # one thing only
    (("P: I've not lost interest in the darts.",), "anhedonia", "PARTIAL"),
    (("P: I've lost interest in the darts.",), "anhedonia", "SUFFICIENT_POS"),
    # phases of a life
    (("P: When I lived on the coast I felt hopeless.",), "depressed_mood", "ABSENT"),
    (("P: I felt hopeless during quarantine.",), "depressed_mood", "ABSENT"),
    (("P: My mood was lovely at the wedding.",), "depressed_mood", "PARTIAL"),
    # answers in other words
    (("I: Any trouble sleeping?", "P: Do I ever."), "sleep", "SUFFICIENT_POS"),
    (("I: Any trouble sleeping?", "P: Not on your life."), "sleep", "SUFFICIENT_NEG"),
    (("I: Any trouble sleeping?", "P: My wife does, but I don't."), "sleep", "SUFFICIENT_NEG"),
    (("I: Do you still enjoy things?", "P: Not like before."), "anhedonia", "SUFFICIENT_POS"),
    (("I: Do you feel guilty or worthless?", "P: Worthless, no."), "guilt_worthlessness", "PARTIAL"),
    # a when-clause that breaks in on what was under way is told; another one is a condition
    (("P: I'll be halfway up a ladder when my mind drifts off.",), "concentration", "SUFFICIENT_POS"),
    (("P: I put the kettle on when my mind drifts off.",), "concentration", "PARTIAL"),
    # phases of a life long past, and what they carry
    (("P: In my rowing days I could train all day and never feel tired.",), "fatigue", "ABSENT"),
    (("P: I train all day and never feel tired.",), "fatigue", "SUFFICIENT_NEG"),
    # a negation that has drawn the verb before its subject
    (("P: Never once did I feel guilty or worthless.",), "guilt_worthlessness", "SUFFICIENT_NEG"),
    (("P: Only once did I feel guilty.",), "guilt_worthlessness", "SUFFICIENT_POS"),
    # the second part of what is quoted to be left out
    (("P: I can't sit still and I pace the hall.", "I: Anything else?",
      "P: Leave out where I said I can't sit still and I pace the hall."), "psychomotor", "ABSENT"),
    # none is an answer, and denies no health behind it
    (("I: any tiredness or lack of energy", "P: nope none plenty of zip"), "fatigue", "SUFFICIENT_NEG"),
    # weak denials by verbs of noticing
    (("I: Have you been restless or slowed down?", "P: Nothing I've clocked really."), "psychomotor", "PARTIAL"),
    # a span of life is told by what lasted through it, with no year
    (("P: The years Margaret was alive I was never worn out.",), "fatigue", "ABSENT"),
    (("P: The winter the boiler went I was worn out.",), "fatigue", "ABSENT"),
    (("P: Winter of ninety three I was worn out.",), "fatigue", "ABSENT"),
    (("P: The years have left me worn out.",), "fatigue", "SUFFICIENT_POS"),
    # "since then" goes on from what was dated before it
    (("P: Two weeks ago I had no appetite, since then I eat well.",), "appetite_weight", "SUFFICIENT_POS"),
    # indecision before "whether", and a doubt behind a statement that runs on
    (("P: I'm in two minds whether I'm worn out.",), "fatigue", "PARTIAL"),
    (("P: I've lost my appetite perhaps.",), "appetite_weight", "PARTIAL"),
    # a tale, a borrowed word, and a named lie take back
    (("P: I'm worn out. That was just me showing off.",), "fatigue", "ABSENT"),
    ((LOW, "I: I see.", "P: Being worn out was a lie."), "fatigue", "ABSENT"),
    ((LOW, "I: I see.", "P: That was me lying awake."), "fatigue", "SUFFICIENT_POS"),
    # a verb of meaning that fills a pause corrects nothing; one that only dates does
    ((LOW, "I: Did the rest help?", "P: I mean, at that time yes."), "fatigue", "SUFFICIENT_POS"),
    ((LOW, "I: How's work?", "P: I mean, last week I was in every day."), "fatigue", "SUFFICIENT_POS"),
    ((LOW, "I: Have you rung anybody?", "P: I meant to ring last week but I forgot."), "fatigue", "SUFFICIENT_POS"),
    ((LOW, "I: I see.", "P: I mean back in 2019."), "fatigue", "ABSENT"),
    ((LOW, "I: I see.", "P: Last year, I mean."), "fatigue", "ABSENT"),
    # what others may think takes nothing back
    ((LOW, "I: Have you told them?", "P: They might not get it or think I'm being silly."), "fatigue",
     "SUFFICIENT_POS"),
    ((LOW, "I: Go on.", "P: My mother says I'm exaggerating."), "fatigue", "SUFFICIENT_POS"),
    ((LOW, "I: Go on.", "P: I was just exaggerating."), "fatigue", "ABSENT"),
    # what an interviewer explains, advises or announces asks nothing
    (("I: Low iron can make you feel worn out and low.", "P: Right, okay."), "fatigue", "ABSENT"),
    (("I: It can leave you feeling washed out for a week.", "P: Oh. OK."), "fatigue", "ABSENT"),
    (("I: If you can't keep food down, or you feel very weak, ring us.", "P: Sure."), "fatigue", "ABSENT"),
    (("I: Let's talk about your appetite.", "P: Okay."), "appetite_weight", "ABSENT"),
    (("I: Let's talk about your appetite.", "P: It's good."), "appetite_weight", "SUFFICIENT_NEG"),
    (("I: Can it make you feel worn out?", "P: Yes, it does."), "fatigue", "SUFFICIENT_POS"),
    (("I: That must make you feel worn out.", "P: Yeah."), "fatigue", "SUFFICIENT_POS"),
    (("I: How's your sleep?", "P: Okay."), "sleep", "PARTIAL"),
    # a question what helps, for something else, or whether it was the first time, only names the symptom
    (("I: Is there anything that helps with the tiredness?", "P: Not really."), "fatigue", "ABSENT"),
    (("I: What do you eat on the days you binge?", "P: Mostly crisps."), "appetite_weight", "ABSENT"),
    (("I: What happens at night, do you wake up?", "P: Yes."), "sleep", "SUFFICIENT_POS"),
    (("I: Was that the first time you felt so worn out?", "P: No."), "fatigue", "ABSENT"),
    (("I: How much do you smoke on those nights?", "P: Maybe ten."), "sleep", "ABSENT"),
    (("I: How are your nights?", "P: Bad."), "sleep", "SUFFICIENT_POS"),
    (("I: Are you sleeping OK otherwise?", "P: Yes."), "sleep", "PARTIAL"),
    # questions after well-being, and others that begin with how
    (("I: How are things?", "P: Good.", "I: And how's it healing, the wrist?", "P: Not so bad."), "depressed_mood",
     "ABSENT"),
    ((LOW, "I: How do you think she'll take it?", "P: I'm not sure."), "depressed_mood", "ABSENT"),
    ((LOW, "I: And how are you in yourself?", "P: Fine."), "depressed_mood", "PARTIAL"),
    # who hesitates has not answered yet
    (("I: How's your sleep?", "P: Um.", "I: Mm.", "P: Not great."), "sleep", "SUFFICIENT_POS"),
    (("I: And your appetite?", "P: It's, um", "I: Yeah?", "P: it's gone."), "appetite_weight", "SUFFICIENT_POS"),
    (("I: And your appetite?", "P: It's good.", "I: Mm.", "P: Not great, the bus was late."), "appetite_weight",
     "SUFFICIENT_NEG"),
    # false starts
    (("I: Any problems with your sleep?", "P: No, that's, that's all fine."), "sleep", "SUFFICIENT_NEG"),
    (("I: Are you worn out?", "P: Yeah, no, I am."), "fatigue", "SUFFICIENT_POS"),
    # an answer that leaves out what there is little of
    (("I: What about your energy?", "P: I really don't have much."), "fatigue", "SUFFICIENT_POS"),
    (("I: What about your savings?", "P: I really don't have much."), "fatigue", "ABSENT"),
    (("I: How's your energy?", "P: I've got loads."), "fatigue", "SUFFICIENT_NEG"),
    # a degree of something else is no answer
    (("I: Are you feeling low?", "P: I get a bit stiff."), "depressed_mood", "ABSENT"),
    (("I: Are you feeling low?", "P: A bit at the moment."), "depressed_mood", "SUFFICIENT_POS"),
    # a hedge does not reach what is taken for granted, nor back over a contrast that it leads into
    (("P: I guess I could tell them how worn out I've been.",), "fatigue", "SUFFICIENT_POS"),
    (("P: I'm not sure how worn out I am.",), "fatigue", "PARTIAL"),
    (("P: I'm worn out, but maybe, well, it's the heat.",), "fatigue", "SUFFICIENT_POS"),
    # what is asked why, or is to stop, is so
    (("P: I can't say why I feel so low.",), "depressed_mood", "SUFFICIENT_POS"),
    (("P: I can't say I feel low.",), "depressed_mood", "PARTIAL"),
    (("P: I'm trying to understand why I feel worthless.",), "guilt_worthlessness", "SUFFICIENT_POS"),
    (("P: I want to stop feeling so guilty.",), "guilt_worthlessness", "SUFFICIENT_POS"),
    (("P: I don't want to end up feeling guilty.",), "guilt_worthlessness", "ABSENT"),
    (("P: I try to sleep but I can't.",), "sleep", "SUFFICIENT_POS"),
    (("P: The leaflet says it can cause low mood.",), "depressed_mood", "ABSENT"),
    (("P: It's been months since I enjoyed anything.",), "anhedonia", "SUFFICIENT_POS"),
    # health under a condition, and the other days
    (("P: I go for a walk when I've got the energy.",), "fatigue", "PARTIAL"),
    (("P: The other days I eat normally.",), "appetite_weight", "PARTIAL"),
    # two verbs of one subject share its "would"
    (("P: I'd sit in the shed and sob.",), "depressed_mood", "ABSENT"),
    (("P: I sit in the shed and sob.",), "depressed_mood", "SUFFICIENT_POS"),
    # wishes of the past
    (("P: I only wanted to have a bit of fun.",), "anhedonia", "ABSENT"),
    # of a part of the body, or of a thing
    (("I: How are your ears?", "P: They feel fine."), "depressed_mood", "ABSENT"),
    (("P: It feels weak, like it'll give way.",), "fatigue", "ABSENT"),
    (("P: I feel weak, like I'll keel over.",), "fatigue", "SUFFICIENT_POS"),
    # "everything", of what was asked after
    (("I: And what about eating?", "P: I've gone off everything."), "appetite_weight", "SUFFICIENT_POS"),
    (("I: And what about eating?", "P: I've gone off everything."), "anhedonia", "ABSENT"),
    (("I: Do you still see people?", "P: I've gone off everything."), "anhedonia", "SUFFICIENT_POS"),
    # doing less for a reason that stands before it
    (("P: It's caused me to become less active.",), "anhedonia", "PARTIAL"),
    (("P: I've become less active.",), "anhedonia", "SUFFICIENT_POS"),
    (("P: My hip hurts so much. So I just lie in bed.",), "anhedonia", "PARTIAL"),
    # before a treatment
    (("I: How was your mood before you started the tablets?", "P: Oh, awful."), "depressed_mood", "ABSENT"),
    # a topic inside of a name, and a retraction's own words, take back all that was said of the topic
    (("P: I eat everything in sight.", "I: Is anything wrong with your appetite?", "P: No.", "I: I see.",
      "P: That thing about my eating, delete it."), "appetite_weight", "ABSENT"),
    (("I: Are you feeling down?", "P: Yes.", "I: How is your mood?", "P: My mood is fine.", "I: I see.",
      "P: What I said about my mood, forget it."), "depressed_mood", "ABSENT"),
    (("P: I'm a burden.", "I: Is all fine as regards guilt and self-worth?", "P: Yes.", "I: I see.",
      "P: Bin what I told you regarding guilt and self-worth."), "guilt_worthlessness", "ABSENT"),
    (("P: I'm a burden.", "I: Is all fine as regards guilt and self-worth?", "P: Yes.", "I: I see.",
      "P: Bin what I told you about being a burden."), "guilt_worthlessness", "SUFFICIENT_NEG"),
    # a statement without a verb that the lists know, of what others say, or of what happens to "me"
    (("P: I have no trouble focusing.", "I: I see.", "P: I concentrate without trouble. Scratch that."),
     "concentration", "SUFFICIENT_NEG"),
    (("P: My thoughts drift.", "I: I see.", "P: I forget what people have said to me. Scratch that."), "concentration",
     "SUFFICIENT_POS"),
    (("I: Have you lost interest in things?", "P: Yes.", "I: I see.",
      "P: Of late even chess doesn't interest me. Scratch that."), "anhedonia", "SUFFICIENT_POS"),
    # a saying names nothing; what "should" be is no joke
    (("P: I'm forever jiggling my leg.", "I: Can you sit still?", "P: I sit still with no trouble.", "I: I see.",
      "P: I was pulling your leg."), "psychomotor", "SUFFICIENT_POS"),
    (("P: I eat far less than I should. Just kidding.",), "appetite_weight", "ABSENT"),
    # somebody picked out by the sentence corrects nothing
    (("I: Do you feel like a failure?", "P: Yes.", "I: A failure, in what way?",
      "P: It's my uncle who thinks he is a failure."), "guilt_worthlessness", "SUFFICIENT_POS"),
    # behind the one who was asked after, the speaker
    (("I: Who has the keys?", "P: My aunt has them. Over the past month everything is an effort."), "fatigue",
     "SUFFICIENT_POS"),
    (("I: Who has the keys?", "P: My aunt has them. At least one of them is true for me, tired or drained."), "fatigue",
     "SUFFICIENT_POS"),
    (("I: Who has the keys?", "P: My aunt has them. Nowadays everything exhausts her."), "fatigue", "ABSENT"),
    (("I: Who has the keys?", "P: A man at the door.", "I: What are they building?",
      "P: A shed. Of late, there's no guilt and no feeling of worthlessness in me."), "guilt_worthlessness",
     "SUFFICIENT_NEG"),
    # "well" that opens a turn says nothing of how it is
    (("I: How is your energy?", "P: Well, a woman from my book club has the keys."), "fatigue", "ABSENT"),
    (("I: How are you sleeping?", "P: Well, thank you."), "sleep", "SUFFICIENT_NEG"),
    # an object between the parts of a list
    (("P: There's nothing wrong with my interest in things or my pleasure in them.",), "anhedonia", "SUFFICIENT_NEG"),
    # a time behind a comparison with what is usual, and behind where it was
    (("P: I didn't do any less than normal last night.",), "anhedonia", "PARTIAL"),
    (("P: I do less than last year.",), "anhedonia", "SUFFICIENT_POS"),
    (("P: I was worn out, at work and at home, ten years ago.",), "fatigue", "ABSENT"),
    (("P: I'm worn out, at home, ten years ago I never was.",), "fatigue", "SUFFICIENT_POS"),
    (("P: I'm worn out, at work and at home, and ten years ago I ran marathons.",), "fatigue", "SUFFICIENT_POS"),
    # a day, a hope and a span of time that are parts of a time
    (("P: I slept straight through the day before yesterday.",), "sleep", "PARTIAL"),
    (("P: I sleep through the day.",), "sleep", "SUFFICIENT_POS"),
    (("P: I haven't lost hope the past six weeks.",), "depressed_mood", "PARTIAL"),
    (("P: I hope the bus comes.",), "depressed_mood", "ABSENT"),
    (("P: I'm not slowed down for months now.",), "psychomotor", "PARTIAL"),
    (("P: I slowed down for the lights.",), "psychomotor", "ABSENT"),
    # what somebody owns is theirs, however long the statement of it
    (("I: Does Len eat with you?", "P: Len's appetite is perfect."), "appetite_weight", "ABSENT"),
])
def test_the_state_that_follows(turns, dimension, state):
    assert cells(*turns)[dimension].state == state


@pytest.mark.parametrize(("turn", "subject"), [
    ("P: You can write down that guilt is not something I feel.", "participant"),
    ("P: You feel guilty when you let people down.", "generic"),
    ("P: It's a man from my street who feels hopeless.", "other"),
    ("P: It's my nerves, I feel hopeless.", "participant"),
    ("P: My sister says she has slowed right down.", "other"),
    ("P: My sister says I've slowed right down.", "participant"),
    ("P: My nephew has no strength left.", "other"),
    ("P: My nephew moved out and I have no strength left.", "participant"),
    ("P: We had this one client who couldn't sit still.", "other"),
    ("P: I'm somebody who can't sit still.", "participant"),
    # an informant speaks of the participant in the third person
    ("F: He sleeps the day away.", "participant"),
    ("F: She can't make up her mind about anything.", "participant"),
    ("F: What I notice is that nothing gives her any joy.", "participant"),
    ("P: The one who wakes at three, unable to drop off again, is my uncle.", "other"),
    ("P: The one who can't sleep in this house is me.", "participant"),
    ("F: I can't get her interested in anything.", "participant"),
    ("F: I can't make up my mind about anything.", "other"),
])
def test_whose_it_is(turn, subject):
    found = {f.subject for f in asserted(turn)}
    assert found == {subject}


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # "what" and "where" that ask after the symptom itself, and those that ask for something else
    (("I: What can you tell me about guilt?", "P: So-so."), "guilt_worthlessness", "PARTIAL"),
    (("I: What have you noticed about tiredness?", "P: So-so."), "fatigue", "PARTIAL"),
    (("I: Where does your mind go when it comes to guilt?", "P: So-so."), "guilt_worthlessness", "PARTIAL"),
    (("I: What do you take when you can't sleep?", "P: It varies."), "sleep", "ABSENT"),
    (("I: Where do you lie when you can't sleep?", "P: It varies."), "sleep", "ABSENT"),
    # "okay" takes note of what is only announced, and answers what is asked as well
    (("I: Tell me about your mood.", "P: Okay."), "depressed_mood", "PARTIAL"),
    (("I: Let's turn to sleep. How is it?", "P: Alright."), "sleep", "PARTIAL"),
    (("I: Let's turn to sleep. Is that okay?", "P: Alright."), "sleep", "ABSENT"),
    (("I: Let's turn to sleep.", "P: Alright."), "sleep", "ABSENT"),
    # the second of two things that are asked
    (("I: How are you with moving about and with keeping still?", "P: So-so."), "psychomotor", "PARTIAL"),
    # "uh-uh" says no, "uh" nothing yet
    (("I: Are you worn out?", "P: Uh-uh.", "I: Are you full of energy?", "P: Yes."), "fatigue", "SUFFICIENT_NEG"),
    # what one predicate says of two topics is one statement; two sentences are two
    (("P: My sleep and appetite are bad.", "I: I see.", "P: Scratch that."), "sleep", "ABSENT"),
    (("P: My sleep and appetite are bad.", "I: I see.", "P: Scratch that."), "appetite_weight", "ABSENT"),
    (("P: My sleep is bad. My appetite is bad.", "I: I see.", "P: Scratch that."), "sleep", "SUFFICIENT_POS"),
    # a list of names in a retraction answers nothing
    (("I: Are you tired or low on energy?", "P: Uh-uh.", "I: Go on.",
      "P: My words about my energy and tiredness, I withdraw them."), "fatigue", "ABSENT"),
    # "still" behind a doing is no adverb of a verb: one clause, so one time
    (("P: I'm restless.", "I: I see.", "P: I can say that all day last Monday I had no trouble sitting still."),
     "psychomotor", "SUFFICIENT_POS"),
    # what one of the two is, behind a sentence about somebody else
    (("I: Who's minding the shop?", "P: My colleague. One of the two has gone, interest or enjoyment."), "anhedonia",
     "SUFFICIENT_POS"),
    (("I: Who's minding the shop?", "P: My colleagues. One of the two is worn out."), "fatigue", "ABSENT"),
    (("P: I'm not tired or drained the past six weeks.",), "fatigue", "SUFFICIENT_NEG"),
    (("P: My sleep and appetite are all fine lately.",), "depressed_mood", "ABSENT"),
    # what a question takes as the time of what it asks is not asked
    (("I: When that low mood comes, do you cry?", "P: No.", "I: I see.", "P: I feel low."), "depressed_mood",
     "SUFFICIENT_POS"),
    (("I: When you feel low, what do you do?", "P: Nothing."), "depressed_mood", "ABSENT"),
    (("I: Are there days when you feel worn out?", "P: No."), "fatigue", "SUFFICIENT_NEG"),
    (("I: Do you feel worn out when you wake up?", "P: Yes."), "fatigue", "SUFFICIENT_POS"),
    # the verb of the question, said again
    (("I: Does your mind drift?", "P: It drifts."), "concentration", "SUFFICIENT_POS"),
    (("I: Does your mind drift?", "P: It doesn't drift."), "concentration", "SUFFICIENT_NEG"),
    (("I: Do you struggle to sleep?", "P: I sleep."), "sleep", "ABSENT"),
    # "the one who" is whoever was named before it; "it" that is no good is the food
    (("P: My husband's the one who's awake all night.",), "sleep", "ABSENT"),
    ((LOW, "I: Do you eat?", "P: It's rubbish, but I eat."), "fatigue", "SUFFICIENT_POS"),
    ((LOW, "I: I see.", "P: It's rubbish."), "fatigue", "ABSENT"),
])
def test_what_is_asked_what_only_takes_note_and_what_goes_together(turns, dimension, state):
    assert cells(*turns)[dimension].state == state


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # what is told of people in general, and then asked of the one who is there
    (("I: Some people blame themselves. Do you?", "P: No."), "guilt_worthlessness", "PARTIAL"),
    (("I: People often lose interest in things. Has that been true for you?", "P: Yes."), "anhedonia",
     "SUFFICIENT_POS"),
    (("I: Most people sleep well here. Do you?", "P: No."), "sleep", "SUFFICIENT_POS"),
    (("I: Your mother had trouble sleeping. Do you?", "P: No."), "sleep", "SUFFICIENT_NEG"),
    (("I: Your mother had trouble sleeping. Do you take anything?", "P: No."), "sleep", "ABSENT"),
    (("I: Some people say the tea helps them sleep. Have you tried it?", "P: No."), "sleep", "ABSENT"),
])
def test_told_of_others_and_asked_of_the_speaker(turns, dimension, state):
    assert cells(*turns)[dimension].state == state


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # behind another one's statement a yes is no answer to what was asked before
    (("I: Can you concentrate?", "P: My mind's not on it.", "F: He reversed into the tank.", "P: Aye."),
     "concentration", "SUFFICIENT_POS"),
    (("I: Do you feel guilty?", "P: My father was hard.", "F: John, do you?", "P: No."), "guilt_worthlessness",
     "PARTIAL"),
    (("I: Do you feel guilty?", "P: Um...", "F: Go on, tell him.", "P: Yes."), "guilt_worthlessness", "SUFFICIENT_POS"),
    # of a summary, what the answer itself says otherwise
    (("I: You can't drop off, you're worn out, off your food.", "P: No, no. I eat well."), "fatigue", "ABSENT"),
    (("I: You can't drop off, you're worn out, off your food.", "P: No, no. I eat well."), "appetite_weight",
     "SUFFICIENT_NEG"),
    (("I: You can't drop off, you're worn out, off your food.", "P: No."), "fatigue", "SUFFICIENT_NEG"),
    # love of what one was asked to enjoy
    (("I: Do you still enjoy the choir?", "P: Oh, I love the choir."), "anhedonia", "PARTIAL"),
    (("I: Do you still enjoy things?", "P: I love my garden."), "anhedonia", "PARTIAL"),
    (("I: Have you lost interest?", "P: I love my garden."), "anhedonia", "ABSENT"),
    # when something else was, or when it began, dates no earlier statement
    (("P: I can't sleep.", "I: When did the knee go?", "P: It was in March."), "sleep", "SUFFICIENT_POS"),
    (("P: I can't sleep.", "I: How long has that been going on?", "P: It was after Easter."), "sleep",
     "SUFFICIENT_POS"),
    (("P: I couldn't sleep.", "I: When was that?", "P: It was in March."), "sleep", "ABSENT"),
])
def test_what_a_reply_is_to(turns, dimension, state):
    assert cells(*turns)[dimension].state == state


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # an informant contradicts with an auxiliary
    (("P: I sleep fine.", "F: He does not."), "sleep", "CONFLICTING"),
    (("P: I'm not tired.", "F: You are, Dad."), "fatigue", "CONFLICTING"),
    (("P: I can't sleep.", "F: He can't."), "sleep", "SUFFICIENT_POS"),
    (("P: I sleep fine.", "F: I don't."), "sleep", "SUFFICIENT_NEG"),
    (("P: I sleep fine.", "F: He does not know."), "sleep", "SUFFICIENT_NEG"),
    # what was not seen, and found
    (("F: I found him crying on Sunday. I've never seen him cry in thirty years.",), "depressed_mood",
     "SUFFICIENT_POS"),
    # how long ago an event was, and how long it has gone on
    (("P: After Gareth died, that's going on three years, I was very low.",), "depressed_mood", "ABSENT"),
    (("P: I've been low since he died, that's going on three years.",), "depressed_mood", "SUFFICIENT_POS"),
    (("P: I couldn't sleep, that's going on three weeks now.",), "sleep", "SUFFICIENT_POS"),
    # what sort of sleeper one was, and is
    (("P: I sleep like a log. I was a shocking sleeper on the earlies.",), "sleep", "SUFFICIENT_NEG"),
    (("P: Last week I was a shocking sleeper.",), "sleep", "SUFFICIENT_POS"),
    (("P: I've always been a bad sleeper.",), "sleep", "SUFFICIENT_POS"),
])
def test_whose_word_and_which_time(turns, dimension, state):
    assert cells(*turns)[dimension].state == state


SAD = ("P: I'm sad. I cry on the bus.", "I: I see.")
USELESS = ("P: I'm useless. I've let everyone down.", "I: I see.")


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # a list put before its retraction names; with a verb of its own it says
    ((*SAD, "P: Being sad, and crying on the bus, I take both of those back."), "depressed_mood", "ABSENT"),
    ((*SAD, "P: I'm sad and I'm crying, and I mean both of those."), "depressed_mood", "SUFFICIENT_POS"),
    ((*SAD, "P: What I said about being sad and the crying, I'd like all that struck."), "depressed_mood", "ABSENT"),
    (("P: I'm eating heaps more than I used to.", "I: I see.",
      "P: The toast every night, the pies, I was having you on with all of that."), "appetite_weight", "ABSENT"),
    (("P: I sleep fine.", "I: I see.", "P: Lying awake at night, I think about that."), "sleep", "CONFLICTING"),
    # a part that repeats no words names its component
    ((*USELESS, "P: Feeling useless, letting people down, I want both struck."), "guilt_worthlessness", "ABSENT"),
    ((*USELESS, "P: What I said about feeling useless, strike it."), "guilt_worthlessness", "SUFFICIENT_POS"),
    # what one no longer does of what one no longer cares for
    (("P: I've lost interest in skating. My friends text me about it and I leave them on read.", "I: I see.",
      "P: I said I'd lost interest, and I made that up."), "anhedonia", "ABSENT"),
    (("P: I've lost interest in skating. I never leave my room.", "I: I see.",
      "P: I said I'd lost interest, and I made that up."), "anhedonia", "SUFFICIENT_POS"),
    # whose week it is, and a word in between, hide no time
    (("P: I was sad the week of my mother's anniversary, that's three weeks ago.",), "depressed_mood", "ABSENT"),
    (("P: The week of the fair I'd no energy, mind, that's getting on for a month ago.",), "fatigue", "ABSENT"),
    (("P: The week of the fair I'd no energy, mind, that's three days ago.",), "fatigue", "SUFFICIENT_POS"),
    # a sentence without a verb tells more of the past that the one before, or the question, set
    (("P: Three years ago I slept right through. Eight hours, every night.",), "sleep", "ABSENT"),
    (("P: Three years ago I slept right through. Four hours a night these days.",), "sleep", "SUFFICIENT_POS"),
    (("I: How did you sleep last year?", "P: Like a log. Eight hours, every night."), "sleep", "ABSENT"),
    (("I: How was your mood in college?", "P: Good. I'm low now. Tears every night."), "depressed_mood",
     "SUFFICIENT_POS"),
    # a question asked back answers nothing
    (("I: Do you feel guilty?", "P: Guilty? Me? Never."), "guilt_worthlessness", "PARTIAL"),
    (("I: Do you feel guilty?", "P: Guilty? Yes."), "guilt_worthlessness", "SUFFICIENT_POS"),
    (("I: Have you been off your food?", "P: Off my food? No, I haven't."), "appetite_weight", "PARTIAL"),
    (("I: Would you say you've slowed down?", "P: Slowed down? No, not a bit."), "psychomotor", "PARTIAL"),
    # what is hard to do, and what is joined to it
    (("I: Is it hard to get to sleep, or to stay asleep through the night?", "P: No."), "sleep", "SUFFICIENT_NEG"),
    (("I: Has it been hard to concentrate, or to decide things?", "P: No, neither."), "concentration",
     "SUFFICIENT_NEG"),
    # how much, where eating was asked after
    (("I: How much do you eat?", "P: Twice as much."), "appetite_weight", "SUFFICIENT_POS"),
    (("I: You took the stairs?", "P: I stopped to read the notice. Twice."), "appetite_weight", "ABSENT"),
    (("P: They've got me down for physical therapy.",), "depressed_mood", "ABSENT"),
    (("P: It's got me down for weeks.",), "depressed_mood", "SUFFICIENT_POS"),
])
def test_what_is_put_first_asked_back_or_told_of_then(turns, dimension, state):
    assert cells(*turns)[dimension].state == state


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # what a case holds is not asked, "any" or not
    (("I: If you bring up any blood, or you start losing weight, or feel very tired all the time, ring us.",
      "P: Okay."),
     "fatigue", "ABSENT"),
    # clothes come off; words too
    (("P: I'm drained. I don't have the energy to take it off.",), "fatigue", "SUFFICIENT_POS"),
    (("P: I'm drained. I see.", "I: Yes?", "P: Take that off."), "fatigue", "ABSENT"),
    (("P: I could go all day and not notice.",), "fatigue", "ABSENT"),
    (("P: I get a little joy from it.",), "anhedonia", "PARTIAL"),
    (("P: I get little joy from it.",), "anhedonia", "SUFFICIENT_POS"),
])
def test_cases_that_may_come_and_words_with_two_senses(turns, dimension, state):
    assert cells(*turns)[dimension].state == state
