"""The rule judge with one operation off: what it then no longer sees, and what it still does."""
from __future__ import annotations

import itertools
import pickle

import pytest

from evidial_rules.contract import UNSPECIFIED, Dialogue
from evidial_rules.corpora import read_dialogues
from evidial_rules.errors import RuleError
from evidial_rules.pipeline import COMPONENTS, OPTIONAL, components, dialogue_doc, load
from evidial_rules.pipeline.annotator import Annotator
from evidial_rules.raters import Rater
from evidial_rules.raters.ablations import ABLATIONS
from evidial_rules.raters.registry import rater
from evidial_rules.resources import resource

SHIPPED = list(read_dialogues(resource("data", "dialogues.jsonl")))
FULL = Annotator()


def dialogue(language, *turns, instrument="PHQ-8"):
    """Turns as (speaker's first letter, text); a bare text is the participant's."""
    speakers = {"i": "interviewer", "p": "participant", "r": "informant"}
    rows = [("p", turn) if isinstance(turn, str) else turn for turn in turns]
    return Dialogue.from_dict({
        "dialogue_id": "d", "language": language, "instrument": instrument,
        "turns": [{"speaker": speakers[who], "text": text} for who, text in rows]})


def state(votes, dimension):
    return next(vote.state for vote in votes if vote.dimension == dimension)


POS, NEG, PARTIAL, ABSENT = "SUFFICIENT_POS", "SUFFICIENT_NEG", "PARTIAL", "ABSENT"

CASES = [
    # ablation, language, dimension, turns, with all operations, without the one
    ("no-subject", "en", "sleep", ["My brother can't sleep."], ABSENT, POS),
    ("no-subject", "en", "sleep", ["I can't sleep."], POS, POS),
    ("no-subject", "en", "sleep", [("i", "Does your mother have trouble sleeping?"), "Yes, a lot."], ABSENT, POS),
    ("no-subject", "zh", "sleep", ["我弟弟睡不着。"], ABSENT, POS),
    ("no-subject", "zh", "sleep", ["我睡不着。"], POS, POS),
    ("no-time", "en", "sleep", ["Last year I couldn't sleep."], ABSENT, POS),
    ("no-time", "en", "sleep", ["I can't sleep these days."], POS, POS),
    ("no-time", "en", "sleep", [("i", "Any trouble sleeping last year?"), "Yes, a lot."], ABSENT, POS),
    ("no-time", "zh", "sleep", ["去年我睡不着。"], ABSENT, POS),
    ("no-time", "zh", "sleep", ["最近睡不着。"], POS, POS),
    ("no-scope", "en", "depressed_mood", ["I'm not sad."], PARTIAL, POS),
    ("no-scope", "en", "sleep", ["I can't sleep."], POS, POS),
    ("no-scope", "en", "depressed_mood", ["Maybe I'm sad."], PARTIAL, POS),
    ("no-scope", "en", "depressed_mood", ["If I lost my job I would be sad."], ABSENT, POS),
    ("no-scope", "en", "sleep", ["My sleep is fine."], NEG, NEG),
    ("no-scope", "zh", "depressed_mood", ["我没有难过。"], PARTIAL, POS),
    ("no-scope", "zh", "depressed_mood", ["我可能有点难过。"], PARTIAL, POS),
    ("no-scope", "zh", "sleep", ["我睡不着。"], POS, POS),
    ("no-scope", "zh", "appetite_weight", ["胃口挺好的。"], NEG, NEG),
    ("no-withdrawal", "en", "sleep", ["I can't sleep. Scratch that."], ABSENT, POS),
    ("no-withdrawal", "en", "sleep", ["I can't sleep. It's been hard."], POS, POS),
    ("no-withdrawal", "zh", "sleep", ["我睡不着。我说错了，收回刚才的话。"], ABSENT, POS),
    ("no-withdrawal", "zh", "sleep", ["我睡不着。挺难熬的。"], POS, POS),
    ("no-answers", "en", "sleep", [("i", "Any trouble sleeping?"), "No."], NEG, ABSENT),
    ("no-answers", "en", "sleep", [("i", "Any trouble sleeping?"), "I can't sleep."], POS, POS),
    ("no-answers", "zh", "sleep", [("i", "睡眠有问题吗？"), "没有。"], NEG, ABSENT),
    ("no-answers", "zh", "sleep", [("i", "睡眠有问题吗？"), "我睡不着。"], POS, POS),
]


@pytest.mark.parametrize(("name", "language", "dimension", "turns", "full", "ablated"), CASES)
def test_states_with_and_without_the_operation(name, language, dimension, turns, full, ablated):
    spoken = dialogue(language, *turns)
    assert state(rater("rules").votes(spoken), dimension) == full
    assert state(rater(name).votes(spoken), dimension) == ablated


def test_each_ablation_has_cases_that_move_and_that_do_not_in_both_languages():
    seen = {(name, language, full != ablated) for name, language, _, _, full, ablated in CASES}
    assert seen == set(itertools.product(ABLATIONS, ("en", "zh"), (True, False)))


@pytest.mark.parametrize("name", ABLATIONS)
def test_votes_say_who_made_them(name):
    one = rater(name)
    assert isinstance(one, Rater) and one.name == name
    votes = one.votes(SHIPPED[0])
    assert {vote.rater for vote in votes} == {name} and all(vote.valid for vote in votes)
    assert votes[0].ruleset["name"] == f"evidial without {', '.join(ABLATIONS[name])}"
    assert votes[0].ruleset["version"] == FULL.ruleset["version"]
    again = pickle.loads(pickle.dumps(one))
    assert again.name == name and again.votes(SHIPPED[0]) == votes


def without(frame, attribute, default):
    """A frame with one attribute at its default and without its cues; ids are by place, so they may differ."""
    cues = tuple(cue for cue in frame.cues if cue.attribute != attribute)
    return frame.replace(id="", cues=cues, **{attribute: default})


@pytest.mark.parametrize(("component", "attribute", "default"), [
    ("subject", "subject", "participant"), ("time", "time", UNSPECIFIED), ("withdrawal", "withdrawn_by", None)])
@pytest.mark.parametrize("spoken", SHIPPED, ids=lambda d: d.dialogue_id)
def test_leaving_a_component_out_degrades_its_own_attribute_only(spoken, component, attribute, default):
    left = Annotator(without=[component]).frames(spoken)
    assert all(getattr(frame, attribute) == default for frame in left)
    assert not any(cue.attribute == attribute for frame in left for cue in frame.cues)
    expected = [without(frame, attribute, default) for frame in FULL.frames(spoken)]
    left = [without(frame, attribute, default) for frame in left]
    assert [frame for frame in left if frame not in expected] == []
    # What only the component adds is gone: "it stopped three weeks ago" denies from then on, and the correction
    # "that was in spring" says something of its own. Each of these stands on the words that gave the time.
    gone = [frame for frame in expected if frame not in left]
    assert len(gone) <= 2 and (component != "subject" or not gone)


def test_without_the_assertion_component_a_frame_is_what_the_lexicon_says():
    frames = Annotator(without=["assertion"]).frames(dialogue("en", "Maybe I'm not sad, and my sleep is fine."))
    assert [(f.dimension, f.polarity, f.strength, f.modality) for f in frames] == [
        ("depressed_mood", "affirm", "definite", "asserted"), ("sleep", "deny", "definite", "asserted")]


@pytest.mark.parametrize("left_out", [names for n in range(len(OPTIONAL) + 1)
                                      for names in itertools.combinations(OPTIONAL, n)], ids=" ".join)
def test_any_of_them_can_be_left_out(left_out):
    annotator = Annotator(without=left_out)
    for spoken in (next(d for d in SHIPPED if d.language == language) for language in ("en", "zh")):
        frames = annotator.frames(spoken)
        assert frames and [frame.id for frame in frames] == [f"f{i + 1}" for i in range(len(frames))]


@pytest.mark.parametrize("name", OPTIONAL)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_removing_a_pipe_is_leaving_it_out(language, name):
    spoken = next(d for d in SHIPPED if d.language == language)
    removed = load(language)
    removed.remove_pipe(f"evidial_{name}")
    left_out = load(language, without=[name])
    assert removed.pipe_names == left_out.pipe_names
    docs = []
    for nlp in (removed, left_out):
        doc = dialogue_doc(nlp, spoken)
        for _, pipe in nlp.pipeline:
            doc = pipe(doc)
        docs.append(doc)
    assert docs[0]._.frames == docs[1]._.frames == Annotator(without=[name]).frames(spoken)


@pytest.mark.parametrize("name", ["terms", "frames", "sentiment"])
def test_what_cannot_be_left_out(name):
    with pytest.raises(RuleError, match="without: expected some of assertion, questions"):
        components([name])
    with pytest.raises(RuleError):
        Annotator(without=[name])


def test_the_order_of_names_does_not_matter():
    assert Annotator(without=["time", "subject"]).without == Annotator(without=["subject", "time"]).without
    assert components() == COMPONENTS
