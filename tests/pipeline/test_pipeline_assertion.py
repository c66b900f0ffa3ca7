"""Polarity, strength and modality of what is said (contract, section 3, operation 3), as marked sentences."""
from __future__ import annotations

import pytest
from spoken import asserted, found, frames, state

NEGATION = [
    # its own clause
    "I'm not [sad]{deny}.", "I am never [sad]{deny}.", "i'm not feeling [sad]{deny}",
    "I don't feel [sad]{deny} at all.",
    "I don't think I'm [sad]{deny weak}.", "There is no [sadness]{deny}.", "I've no [guilt]{deny}.",
    "Nothing makes me [sad]{deny}.", "I deny being [sad]{deny}.", "I'm far from [sad]{deny}.",
    "I haven't been [sad]{deny}.",
    "I'm not [sad]{deny} or [hopeless]{deny}.", "I'm neither [sad]{deny} nor [hopeless]{deny}.",
    "No [sadness]{deny}, no [guilt]{deny}.", "Not [sad]{deny}.", "Am I sad? No, I'm not [sad]{deny}.",
    "我不[难过]{deny}。", "我没有[难过]{deny}。", "我从来不[难过]{deny}。", "我一点都不[难过]{deny}。",
    "没觉得[内疚]{deny}。",
    "没有感到[难过]{deny}或者[绝望]{deny}。", "[失眠]{deny}倒是没有。",
    "我不是[难过]{deny}。", "并没有[失眠]{deny}。", "否认[自杀]{deny}。",
]
ENDS = [
    # the other side of a contrast, an exception, a new subject, a new clause
    "I'm not [sad]{deny} but I'm [tired]{affirm}.", "I'm not [sad]{deny}, but [tired]{affirm}.",
    "I'm not [sad]{deny}. I'm [tired]{affirm}.", "I'm not [sad]{deny}, I'm [tired]{affirm}.",
    "i'm not [sad]{deny} i'm [tired]{affirm}", "I'm not [sad]{deny}, just [tired]{affirm}.",
    "I'm not [sad]{deny} although I'm [tired]{affirm}.", "I'm not [sad]{deny} because I'm [tired]{affirm}.",
    "I'm not working, I'm [tired]{affirm}.", "I don't eat lunch and I'm [tired]{affirm}.",
    "I'm not hungry because I'm [sad]{affirm}.", "No, I'm [sad]{affirm}.", "No. [Sad]{affirm}.", "No i'm [sad]{affirm}",
    "It's not the job, it's that I'm [sad]{affirm}.", "I'm [sad]{affirm}, not angry.",
    "I'm [sad]{affirm} and not [tired]{deny}.",
    "我不[难过]{deny}，只是[累]{affirm}。", "我不[难过]{deny}但是[累]{affirm}。", "我不[难过]{deny}，我[累]{affirm}。",
    "没去上班，很[累]{affirm}。",
    "没什么事，就是[难过]{affirm}。", "不是工作的事，是我[难过]{affirm}。", "我[难过]{affirm}，但不[累]{deny}。",
    "没有，我[失眠]{affirm}。",
]
DOUBLE = [
    "I can't say I'm not [tired]{affirm}.", "I can't deny I'm [tired]{affirm}.",
    "我不能说不[累]{affirm}。", "不是不[累]{affirm}。", "没有一天不[难过]{affirm}。", "我不是没有[内疚]{affirm}。",
]
PSEUDO = [
    "I'm not only [sad]{affirm} but [tired]{affirm}.", "No wonder I'm [tired]{affirm}.",
    "No doubt I'm [tired]{affirm}.",
    "I'm [tired]{affirm} no matter what I do.", "I can't help being [sad]{affirm}.",
    "Not gonna lie, I'm [sad]{affirm}.",
    "I don't know why I'm [sad]{affirm}.",
    "我不得不说我很[难过]{affirm}。", "我不仅[累]{affirm}，还[难过]{affirm}。", "不知道为什么很[难过]{affirm}。",
    "我不光[累]{affirm}。", "忍不住[难过]{affirm}。",
]
# negation that belongs to the symptom
LEXICAL = [
    "I [can't sleep]{affirm}.", "I've [no appetite]{affirm}.", "[No energy]{affirm}.", "I [can't concentrate]{affirm}.",
    "[睡不着]{affirm}。", "[提不起劲]{affirm}。", "[没胃口]{affirm}。", "[没力气]{affirm}。",
    "I don't think I [can sleep well]{affirm}.",
]
# denying health affirms, whatever the amount
HEALTH = [
    "My [sleep isn't good]{affirm}.", "My [sleep is good]{deny}.", "My [sleep is okay]{deny weak}.",
    "My [appetite is fine]{deny}.",
    "[睡眠很好]{deny}。", "[睡眠不好]{affirm}。", "[睡眠还行]{deny weak}。", "[胃口不太好]{affirm}。",
    "[胃口挺好的吧]{deny weak}。",
]
WEAK = [
    "I'm not really [sad]{deny weak}.", "I'm not too [sad]{deny weak}.", "I'm hardly ever [sad]{deny weak}.",
    "I'm rarely [sad]{deny weak}.", "I wouldn't call it [guilt]{deny weak}.", "I'm not particularly [sad]{deny weak}.",
    "Just the usual [tiredness]{deny weak}.", "Just regular [tiredness]{deny weak}.",
    "不太[难过]{deny weak}。", "不怎么[难过]{deny weak}。", "应该没有[失眠]{deny weak}。",
    "就是正常的[累]{deny weak}。", "没有经常[难过]{deny weak}。",
    "很少[失眠]{deny weak}。",
]
HEDGES = [
    "Maybe I'm [sad]{affirm weak}.", "I'm [sad]{affirm weak}, I guess.", "I guess I'm [sad]{affirm weak}.",
    "I'm probably [sad]{affirm weak}.", "I might be [sad]{affirm weak}.", "Perhaps I'm [sad]{affirm weak}.",
    "I'm kind of [sad]{affirm}.", "I'm sort of [sad]{affirm}.", "I think I'm [sad]{affirm}.",
    "I feel like I'm [worthless]{affirm}.",
    "I'm a bit [sad]{affirm}.", "I'm sometimes [sad]{affirm}.", "It seems I'm [sad]{affirm}.",
    "可能[难过]{affirm weak}。", "也许是[抑郁]{affirm weak}。", "大概是[抑郁]{affirm weak}吧。",
    "说不上来，可能[难过]{affirm weak}。",
    "有点[难过]{affirm}。", "偶尔[失眠]{affirm}。", "我觉得很[难过]{affirm}。", "好像很[难过]{affirm}。",
    # a hedge weakens its own clause
    "Maybe it's work, but I'm [sad]{affirm}.", "I might quit. I'm [sad]{affirm}.", "可能因为压力大，[睡不着]{affirm}。",
]
SUPPOSED = [
    "If I get [sad]{none}, I walk.", "If I were [sad]{none} I'd tell you.", "Unless I'm [sad]{none}, I sing.",
    "I would be [sad]{none} without him.", "What if I get [depressed]{none}?",
    "I hope I'm not [sad]{none} again.", "I'm afraid of getting [depressed]{none}.", "I want to [sleep well]{none}.",
    "I'd say I'm [sad]{affirm}.", "Even if I try I'm [sad]{affirm}.",
    "如果[失眠]{none}，我就看书。", "要是[难过]{none}，我就去走走。", "万一[抑郁]{none}了怎么办。",
    "希望别[失眠]{none}。", "怕自己[抑郁]{none}。", "假如我[难过]{none}呢。",
]
QUESTIONS = [
    "Am I [depressed]{none}?", "Do you think I'm [depressed]{none}?",
    "我是不是[抑郁]{none}了？", "这算不算[抑郁]{none}？", "为什么我这么[难过]{affirm}？",
    "我[抑郁]{none}吗？",
]
IDIOMS = [
    "I'm [dying to]{none} see it.", "I'm [sick and tired]{none} of the traffic.", "It was a [depressing film]{none}.",
    "Let me [sleep on it]{none}.", "That is a [guilty pleasure]{none}.", "这个月[累]{none}计加班一百小时。",
    "I read a book about [depression]{none}.", "The word [depressed]{none} is on the form.",
    "书上说[失眠]{none}很常见。",
    "What I said about being [sad]{none} is not true.",
]
TEMPORAL = ["When I [can't sleep]{affirm weak} I read.", "Whenever I'm [sad]{affirm weak} I walk.",
            "The [insomnia]{affirm} makes it worse."]

ALL = {"negation": NEGATION, "ends": ENDS, "double": DOUBLE, "pseudo": PSEUDO, "lexical": LEXICAL, "health": HEALTH,
       "weak": WEAK,
       "hedges": HEDGES, "supposed": SUPPOSED, "questions": QUESTIONS, "idioms": IDIOMS, "temporal": TEMPORAL}


@pytest.mark.parametrize("sentence", [pytest.param(s, id=f"{name}-{s}") for name, group in ALL.items() for s in group])
def test_what_is_asserted(sentence):
    expected, got = found(sentence)
    assert got == expected


@pytest.mark.parametrize(("text", "attribute", "value", "words", "rule"), [
    ("I'm not sad.", "polarity", "deny", "not", "en.assertion.neg"),
    ("Maybe I'm sad.", "strength", "indicator", "Maybe", "en.assertion.hedge"),
    ("I hope I'm not sad.", "modality", "future", "hope", "en.assertion.future"),
    ("我没有难过。", "polarity", "deny", "没有", "zh.assertion.neg"),
    ("可能难过。", "strength", "indicator", "可能", "zh.assertion.hedge"),
])
def test_each_attribute_has_the_cue_that_set_it(text, attribute, value, words, rule):
    [frame] = [f for f in frames(f"P: {text}") if f.dimension == "depressed_mood"]
    cues = [(text[c.start:c.end],
             c.rule) for c in frame.cues if c.attribute == attribute and c.value == value and c.lost_to is None]
    assert (words, rule) in cues


def test_the_loser_is_recorded():
    [frame] = frames("P: I can't fall asleep.")
    assert any(c.lost_to is not None for c in frame.cues)


def test_the_interviewer_asserts_nothing():
    assert asserted("I: You are sad and you can't sleep.", "I: 您失眠。", language="en") == []


@pytest.mark.parametrize(("before", "sentence"), [
    # "nope" answers, "not" negates, though both are a "no" of a kind
    ("I: Any trouble sleeping?", "nope [sleep well]{deny}"),
    ("I: Any trouble sleeping?", "[not sleep well]{affirm}"),
    # a blank between long stretches of typed Chinese is a pause, between words it is none
    ("I: 心情怎么样？", "不难过 我[精力挺好]{deny}的"),
    ("I: 有没有失眠？", "没有 [睡得好]{deny}"),
    ("I: 有没有失眠？", "[没有睡得好]{affirm}"),
    ("I: 心情怎么样？", "我不 [难过]{deny} 也不 [累]{deny}"),
    # a clause denied as a whole
    ("I: And?", "It's not that I [want to die]{deny weak}."),
    ("I: And?", "It's that I [want to die]{affirm}."),
    ("I: 怎么了？", "并不是说我[想死]{deny}。"),
    ("I: 怎么了？", "是说我[想死]{affirm}。"),
    # giving up for another reason than want of interest
    ("I: And?", "I [gave up my hobbies]{affirm weak} because I can't afford them."),
    ("I: And?", "I [gave up my hobbies]{affirm} because I don't care any more."),
    ("I: 怎么了？", "[爱好都放下了]{affirm weak}，因为膝盖疼。"),
    ("I: 怎么了？", "[爱好都放下了]{affirm}，因为没意思。"),
])
def test_what_is_asserted_after_a_question(before, sentence):
    expected, got = found(sentence, before=(before,))
    assert got == expected


@pytest.mark.parametrize("sentence", [
    "我也不是[没用的人]{deny}", "我不是[没胃口]{deny}", "我不是没有[难过]{affirm}", "拿主意从不[犹豫]{deny}",
    "我从来不犯[犹豫]{deny}", "分不清是[累]{none}还是不[累]{none}",
    "My [concentration might be slipping]{affirm weak}", "My [concentration is slipping]{affirm}",
])
def test_what_a_negation_or_doubt_does_inside_a_mention(sentence):
    expected, got = found(sentence)
    assert got == expected


@pytest.mark.parametrize(("text", "strength"), [
    ("I've stopped going to choir. It's eight pounds a go.", "indicator"),
    ("I've stopped going to choir, I can't afford it.", "indicator"),
    ("I stopped going to the gym, my knee is bad.", "indicator"),
    ("I've stopped going to choir.", "definite"),
    ("I've stopped going to choir. I live in town.", "definite"),
    ("球也不打了，一次要八十块。", "indicator"), ("广场舞不跳了。膝盖不行。", "indicator"),
    ("球也不打了。", "definite"), ("广场舞不跳了。我住城里。", "definite"),
])
def test_a_reason_said_on_its_own_weakens_what_was_given_up(text, strength):
    activity = [f for f in frames(f"P: {text}") if f.components == ("activity",)]
    assert {f.strength for f in activity} == {strength}


@pytest.mark.parametrize(("text", "modality"), [
    ("Some nights I'd as soon be dead.", "asserted"), ("I'd just as soon be dead.", "asserted"),
    ("I'd sooner be dead.", "asserted"), ("If I were old I would be dead tired of living.", "hypothetical"),
])
def test_a_preference_for_death_is_a_wish(text, modality):
    assert {f.modality for f in frames(f"P: {text}") if f.dimension == "suicidal_ideation"} == {modality}


@pytest.mark.parametrize("said, expected", [
    ("Early waking is not something I know.", "deny"), ("Insomnia is no problem for me.", "deny"),
    ("Insomnia has never been a worry of mine, early waking is a big problem.", "affirm"),
    ("Insomnia is something I know.", "affirm"), ("Insomnia is foreign to me.", "deny"),
])
def test_a_predicate_behind_the_topic_denies_it(said, expected):
    found = [f for f in asserted("I: How are the nights?", f"P: {said}") if f.dimension == "sleep"]
    assert found and found[-1].polarity == expected


def test_a_negation_goes_on_over_or_behind_a_health():
    assert state("fatigue", "I: How is your energy?", "P: I don't feel tired or low on energy.") == "SUFFICIENT_NEG"
    assert state("fatigue", "I: How is your energy?", "P: I don't feel tired but I'm low on energy.") in (
        "SUFFICIENT_POS", "CONFLICTING")


def polarities(text, dimension):
    return {(f.polarity, f.strength) for f in asserted(f"P: {text}") if f.dimension == dimension}


@pytest.mark.parametrize(("text", "dimension"), [
    ("I don't have the energy to eat properly.", "appetite_weight"),
    ("I lack the will to eat well.", "appetite_weight"),
    ("I can't be bothered to eat properly.", "appetite_weight"), ("I struggle to eat properly.", "appetite_weight"),
    ("I don't have the motivation to look after myself or eat well.", "appetite_weight"),
    ("I'm too worn out to enjoy things.", "anhedonia"), ("I'm too anxious to sleep properly.", "sleep"),
    ("It takes effort to feel happy.", "depressed_mood"), ("I have a hard time staying cheerful.", "depressed_mood"),
    ("我提不起劲来好好吃饭。", "appetite_weight"), ("我很难提起兴趣好好吃饭。", "appetite_weight"),
    ("也不能保证能一觉到天亮。", "sleep"), ("不是每天都能睡好。", "sleep"), ("并不是总能睡得踏实。", "sleep"),
])
def test_a_health_that_is_out_of_reach_is_affirmed_as_wanting(text, dimension):
    assert {p for p, s in polarities(text, dimension) if s == "definite"} == {"affirm"}


@pytest.mark.parametrize(("text", "dimension"), [
    ("I don't struggle to eat well.", "appetite_weight"), ("I manage to eat properly.", "appetite_weight"),
    ("It's not hard to stay cheerful.", "depressed_mood"),
    ("I have the energy to enjoy things.", "anhedonia"), ("It's good to sleep well again.", "sleep"),
    ("每天都能睡好。", "sleep"), ("我有心情好好吃饭。", "appetite_weight"),
])
def test_a_health_that_is_in_reach_is_denied_as_a_symptom(text, dimension):
    assert ("deny", "definite") in polarities(text, dimension)
    assert ("affirm", "definite") not in polarities(text, dimension)


@pytest.mark.parametrize(("text", "dimension"), [
    ("They told me to eat well.", "appetite_weight"), ("It's important to eat well.", "appetite_weight"),
    ("The aim is to eat well.", "appetite_weight"), ("I was taught to keep cheerful.", "depressed_mood"),
    ("那些快乐的日子让我怀念。", "depressed_mood"), ("没有发生让我难过或者生气的事情。", "depressed_mood"),
])
def test_what_is_due_or_only_remembered_says_nothing(text, dimension):
    assert polarities(text, dimension) == set()


@pytest.mark.parametrize("text", ["我没有想过用极端方式解决问题。", "我不会用自杀来解决问题。"])
def test_a_means_that_is_not_taken_is_denied(text):
    assert {p for p, _ in polarities(text, "suicidal_ideation")} == {"deny"}


@pytest.mark.parametrize(("text", "dimension"), [
    ("I don't lack the will to live.", "suicidal_ideation"), ("I don't lack the desire to eat.", "appetite_weight"),
])
def test_want_that_is_denied_is_none(text, dimension):
    assert {p for p, _ in polarities(text, dimension)} == {"deny"}


_HEALTHS = [
    ("sleep", "sleep well", "sleeping well", "slept well"),
    ("anhedonia", "enjoy things", "enjoying things", "enjoyed things"),
    ("appetite_weight", "eat well", "eating well", "ate well"),
    ("depressed_mood", "feel hopeful", "feeling hopeful", "felt hopeful"),
    ("concentration", "stay focused", "staying focused", "stayed focused"),
]


@pytest.mark.parametrize("frame", [
    "I can't remember the last time I {2}.", "It's been ages since I {2}.", "I miss {1}.", "I've given up on {1}.",
    "I've forgotten how to {0}.", "I hardly ever {0}.", "{1} is a distant memory.", "The days when I {2} are gone.",
    "I've lost the ability to {0}.", "It's rare that I {0}.", "I can't {0}.", "I no longer {0}.",
])
@pytest.mark.parametrize(("dimension", "forms"), [(d, forms) for d, *forms in _HEALTHS])
def test_a_health_that_is_gone_is_never_denied_as_a_symptom(frame, dimension, forms):
    found = polarities(frame.format(*forms).capitalize(), dimension)
    assert "deny" not in {p for p, _ in found}
    assert ("affirm", "definite") in found or dimension in ("concentration", "depressed_mood", "anhedonia")


@pytest.mark.parametrize("frame", [
    "I envy people who {0}.", "I remember when I {2}.", "They keep telling me to {0}.", "I wish I could {0}.",
    "My sister says she {2}.", "I used to {0}.",
])
@pytest.mark.parametrize(("dimension", "forms"), [(d, forms) for d, *forms in _HEALTHS])
def test_a_health_of_others_of_then_or_wished_for_is_not_denied(frame, dimension, forms):
    found = {(f.polarity, f.strength) for f in asserted(f"P: {frame.format(*forms)}")
             if f.dimension == dimension and f.subject == "participant" and not f.time.stated}
    assert ("deny", "definite") not in found


@pytest.mark.parametrize("frame", [
    "I still {0}.", "I always {0}.", "I have no trouble {1}.", "I don't find it hard to {0}.",
])
@pytest.mark.parametrize(("dimension", "forms"), [(d, forms) for d, *forms in _HEALTHS])
def test_a_health_that_is_there_is_not_affirmed_as_a_symptom(frame, dimension, forms):
    assert ("affirm", "definite") not in polarities(frame.format(*forms), dimension)


@pytest.mark.parametrize(("frame", "wanted"), [
    ("I remember when I {2}.", set()), ("I dreamt I {2}.", set()), ("I pretended to {0}.", set()),
    ("My doctor warned me I could {0}.", set()), ("Everyone says I'll {0}.", set()), ("I'm too busy to {0}.", set()),
    ("I don't have time to {0}.", set()), ("Pills make some people {0}.", set()),
    ("I can't remember when I last {2}.", {"deny"}), ("It's been years since I {2}.", {"deny"}),
    ("I'm not one to {0}.", {"deny"}), ("I don't {0}.", {"deny"}), ("I no longer {0}.", {"deny"}),
    ("I can't help but {0}.", {"affirm"}), ("I keep {1}.", {"affirm"}), ("I find myself {1}.", {"affirm"}),
])
@pytest.mark.parametrize(("dimension", "forms"), [
    ("depressed_mood", ("feel sad", "feeling sad", "felt sad")), ("sleep", ("lie awake", "lying awake", "lay awake")),
    ("guilt_worthlessness", ("feel guilty", "feeling guilty", "felt guilty")),
    ("psychomotor", ("pace around", "pacing around", "paced around")),
])
def test_what_a_frame_makes_of_an_english_symptom(frame, wanted, dimension, forms):
    found = {f.polarity for f in asserted(f"P: {frame.format(*forms)}")
             if f.dimension == dimension and f.subject == "participant"}
    assert found == wanted


@pytest.mark.parametrize("text", ["It's been three months since I lost interest in anything.",
                                  "I remember I felt guilty on Monday.", "I think I'm losing interest in everything."])
def test_what_began_long_since_goes_on(text):
    assert {f.polarity for f in asserted(f"P: {text}")
            if f.dimension in ("anhedonia", "guilt_worthlessness")} == {"affirm"}
