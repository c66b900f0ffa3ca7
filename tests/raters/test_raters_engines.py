"""The engines under our frames. Those of the extra `raters` are tested where it is installed."""
from __future__ import annotations

import functools
import pickle
import warnings

import pytest
import spacy

from evidial_rules.contract import Dialogue, touches
from evidial_rules.corpora import read_dialogues
from evidial_rules.errors import RuleError
from evidial_rules.pipeline.annotator import Annotator
from evidial_rules.pipeline.rulefiles import parse
from evidial_rules.pipeline.tokenizer import JiebaTokenizer
from evidial_rules.pipeline.version import ruleset
from evidial_rules.raters import Rater, engines
from evidial_rules.raters.engines import EngineRater, Terms, entities, terms
from evidial_rules.raters.registry import rater
from evidial_rules.resources import load_instrument, resource

SHIPPED = list(read_dialogues(resource("data", "dialogues.jsonl")))


def dialogue(language, *turns, instrument="PHQ-8"):
    rows = [("participant", turn) if isinstance(turn, str) else turn for turn in turns]
    return Dialogue.from_dict({"dialogue_id": "d", "language": language, "instrument": instrument,
                               "turns": [{"speaker": who, "text": text} for who, text in rows]})


engine = functools.cache(rater)  # medspaCy takes seconds to build


def sentences(language):
    nlp = spacy.blank(language)
    if language == "zh":
        nlp.tokenizer = JiebaTokenizer(nlp.vocab)
    nlp.add_pipe("sentencizer")
    return nlp


# -- candidates ------------------------------------------------------------------------------------------------------


def test_candidates_carry_what_the_lexicon_says_plainly_and_negated():
    found = Annotator().candidates(dialogue("en", "I'm not sad, and my sleep is fine."))
    assert [(c.frame.dimension, c.frame.polarity, c.negated.polarity) for c in found] == [
        ("depressed_mood", "affirm", "deny"), ("sleep", "deny", "affirm")]
    for one in found:
        frame, negated = one.frame, one.negated
        assert frame.replace(polarity=negated.polarity, strength=negated.strength,
                             components=negated.components) == negated
        assert (frame.subject, frame.modality, frame.withdrawn_by, frame.time.unspecified) == (
            "participant", "asserted", None, True)


@pytest.mark.parametrize("spoken", SHIPPED, ids=lambda d: d.dialogue_id)
def test_candidates_are_of_participants_and_informants(spoken):
    found = Annotator().candidates(spoken)
    assert found
    for one in found:
        frame, (start, end) = one.frame, one.core
        assert spoken.turns[frame.turn].speaker == frame.speaker != "interviewer"
        assert spoken.turns[frame.turn].text[frame.start:frame.end] == frame.quote
        assert frame.start <= start < end <= frame.end


def test_the_core_leaves_out_what_the_lexicon_leaves_open():
    text = "心情不低落。"
    (one,) = Annotator().candidates(dialogue("zh", text))
    assert one.frame.quote == "心情不低落" and text[slice(*one.core)] == "低落"


# -- marking ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "text", "places"), [
    ("en", "I don't  feel guilty, no.", [(9, 20)]),
    ("en", "can't sleep", [(0, 11)]),
    ("en", "(sad)sad", [(1, 4), (5, 8)]),
    ("zh", "我不想死，也 不难过。", [(2, 4), (8, 10)]),
    ("en", " \n sad ", [(3, 6)]),
])
def test_a_place_is_one_token_and_the_text_stays(language, text, places):
    found = entities(sentences(language), text, places)
    for entity, (start, end) in zip(found, places, strict=True):
        assert entity.doc.text == text
        assert (entity.start_char, entity.end_char, len(entity)) == (start, end, 1)


def test_places_that_overlap_are_one_entity():
    text = "no joy at all and sad"
    a, b, c = entities(sentences("en"), text, [(3, 13), (0, 6), (18, 21)])
    assert a.text == b.text == "no joy at all" and c.text == "sad"


# -- an engine of our own --------------------------------------------------------------------------------------------


class Opposite(EngineRater):
    """Calls everything negated that an x stands before."""

    name = "opposite"
    package = "spacy"
    make = staticmethod(sentences)

    def bound(self, candidate, entity, instrument):
        return candidate.negated if any(t.text == "x" for t in entity.doc[:entity.start]) else candidate.frame


def test_an_engine_binds_candidates_and_the_contract_does_the_rest():
    one = Opposite()
    assert isinstance(one, Rater)
    votes = one.votes(dialogue("en", ("interviewer", "x are you sad?"), "x my sleep is fine", "I am sad"))
    states = {vote.dimension: vote.state for vote in votes}
    assert states["sleep"] == "SUFFICIENT_POS" and states["depressed_mood"] == "SUFFICIENT_POS"
    assert states["fatigue"] == "ABSENT"
    assert tuple(states) == load_instrument("PHQ-8").ordered
    assert {vote.rater for vote in votes} == {"opposite"}
    assert votes[0].ruleset["name"] == "spacy" and votes[0].ruleset["version"].startswith(spacy.__version__)
    assert pickle.loads(pickle.dumps(one)).name == "opposite"


# -- the terms -------------------------------------------------------------------------------------------------------


def test_the_terms_that_ship_are_read():
    own = terms("zh")
    assert "没有" in own.preceding and "但是" in own.termination and own.context["family"].forward


@pytest.mark.parametrize(("content", "expected"), [
    ("{version: 1, pseudo: [], preceding: [a], following: [], termination: [], extra: []}", "extra"),
    ("{version: 1, pseudo: [], preceding: [], following: [], termination: []}", "preceding"),
    ("{version: 1, pseudo: [], preceding: [a, b, a], following: [], termination: []}", "each term of preceding once"),
    ("{version: 1, pseudo: [], preceding: [a], following: [], termination: [' ']}", "termination"),
    ("{version: 1, pseudo: [], preceding: [a], following: [], termination: [], context: {certain: {}}}", "context"),
    ("{version: 1, pseudo: [], preceding: [a], following: [], termination: [], context: {family: {forward: [b, b]}}}",
     "family.forward"),
])
def test_broken_terms_say_what_was_expected(content, expected, tmp_path):
    path = tmp_path / "negex.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RuleError, match=expected):
        parse(Terms, path)


def test_the_terms_are_no_part_of_the_judges_version(monkeypatch):
    before = ruleset()
    monkeypatch.setattr("evidial_rules.pipeline.version.OF_OTHERS", frozenset())
    assert ruleset() != before


# -- negspaCy and medspaCy -------------------------------------------------------------------------------------------


def test_negex_follows_negspacy():
    pytest.importorskip("negspacy")
    one = engine("negex")

    def polarity(language, text):
        (frame,) = one.frames(dialogue(language, text))
        assert (frame.subject, frame.strength, frame.modality, frame.time.unspecified) == (
            "participant", "definite", "asserted", True)
        return frame.polarity

    assert polarity("en", "I am sad.") == "affirm"
    assert polarity("en", "I am not sad.") == "deny"
    assert polarity("en", "I don\u2019t feel sad.") == "deny"
    assert polarity("en", "I am not ill, but I am sad.") == "affirm"
    assert polarity("en", "I can't sleep.") == "affirm"  # the lexicon's own negation
    assert polarity("en", "Not that I can't sleep.") == "deny"
    assert polarity("en", "My brother is sad.") == "affirm"  # NegEx knows nobody
    assert polarity("zh", "我很难过。") == "affirm"
    assert polarity("zh", "我没有难过。") == "deny"
    assert polarity("zh", "我没生病，就是难过。") == "affirm"
    assert polarity("zh", "我睡不着。") == "affirm"
    assert polarity("zh", "我不想自杀。") == "deny"
    assert polarity("zh", "我沒有難過。") == "deny"  # read as simplified
    assert polarity("zh", "我不得不说，难过。") == "affirm"


def test_negex_notes_its_cue_and_takes_the_lexicons_word_for_what_is_denied():
    pytest.importorskip("negspacy")
    (frame,) = engine("negex").frames(dialogue("en", "I am not sad."))
    assert [(cue.attribute, cue.value) for cue in frame.cues if cue.rule == "negex.negated"] == [("polarity", "deny")]


CONTEXT = [
    ("en", "I am sad.", {}),
    ("en", "I am not sad.", {"polarity": "deny"}),
    ("en", "I don't feel guilty.", {"polarity": "deny"}),
    ("en", "I can't sleep.", {}),
    ("en", "My mother is sad.", {"subject": "other"}),
    ("en", "I am probably sad.", {"strength": "indicator"}),
    ("en", "If I were sad.", {"modality": "hypothetical"}),
    ("en", "I have a history of insomnia.", {"time": "before"}),
    ("en", "My father has no insomnia.", {"subject": "other", "polarity": "deny"}),
    ("zh", "我很难过。", {}),
    ("zh", "我没有难过。", {"polarity": "deny"}),
    ("zh", "没有生病，难过。", {}),
    ("zh", "我睡不着。", {}),
    ("zh", "我妈很难过。", {"subject": "other"}),
    ("zh", "我可能很难过。", {"strength": "indicator"}),
    ("zh", "如果我很难过。", {"modality": "hypothetical"}),
    ("zh", "以前我很难过。", {"time": "before"}),
    ("zh", "以前我妈失眠，但是我很难过。", None),
]


@pytest.mark.parametrize(("language", "text", "said"), CONTEXT)
@pytest.mark.parametrize("instrument", ["PHQ-8", "HAMD-17"])
def test_context_follows_medspacy(language, text, said, instrument):
    pytest.importorskip("medspacy")
    frames = engine("context").frames(dialogue(language, text, instrument=instrument))
    if said is None:  # a termination ends the reach of each of them
        assert [(f.subject, f.time.unspecified) for f in frames] == [("other", False), ("participant", True)]
        return
    (frame,) = frames
    window = load_instrument(instrument).window_days
    found = {"polarity": frame.polarity, "subject": frame.subject, "strength": frame.strength,
             "modality": frame.modality, "time": "any" if frame.time.unspecified else "before"}
    assert found == {"polarity": "affirm", "subject": "participant", "strength": "definite", "modality": "asserted",
                     "time": "any"} | said
    if "time" in said:
        assert not touches(frame.time, window) and touches(frame.time, window + 1)
    noted = {cue.attribute for cue in frame.cues if cue.rule.startswith("context.")}
    assert noted == set(said)


def test_context_cues_stand_where_medspacy_found_them():
    pytest.importorskip("medspacy")
    text = "I am not sad."
    (frame,) = engine("context").frames(dialogue("en", ("interviewer", "Hello?"), text))
    (cue,) = [cue for cue in frame.cues if cue.rule == "context.negated_existence.not"]
    assert (cue.turn, text[cue.start:cue.end]) == (1, "not")


@pytest.mark.parametrize(("name", "package"), [("negex", "negspacy"), ("context", "medspacy")])
def test_an_engine_votes_on_all_that_ships_and_says_nothing(name, package, capfd):
    pytest.importorskip(package)
    filters = list(warnings.filters)
    one = rater(name)
    votes = [vote for spoken in SHIPPED for vote in one.votes(spoken)]
    assert warnings.filters == filters
    assert len(votes) == sum(len(load_instrument(d.instrument).ordered) for d in SHIPPED)
    assert {vote.rater for vote in votes} == {name} and all(vote.valid and vote.state for vote in votes)
    assert {vote.ruleset["name"] for vote in votes} == {package}
    assert pickle.loads(pickle.dumps(one)).votes(SHIPPED[0]) == one.votes(SHIPPED[0])
    out, err = capfd.readouterr()
    assert not out and not err


@pytest.mark.parametrize("package", ["negspacy", "medspacy"])
def test_the_peers_of_the_measuring_programs_are_these(package):
    pytest.importorskip(package)
    nlp = getattr(engines, package)("en")
    assert nlp.lang == "en" and nlp.pipe_names[-1] in ("negex", "medspacy_context")
