"""Properties of the whole pipeline: what must not change a cell, where offsets point, odd and huge turns."""
from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spoken import SPEAKERS, annotator, dialogue

import evidial_rules
from evidial_rules.contract import Dialogue, Turn
from evidial_rules.errors import EvidialError
from evidial_rules.pipeline import COMPONENTS, dialogue_doc, load
from evidial_rules.pipeline.annotator import Annotator
from evidial_rules.resources import resource
from strategies import dialogues

# Exchanges on topics, with times, other people, retractions.
EXCHANGES = {
    "en": [
        ("How is your sleep?", "Not great, I wake up at three."), ("Any trouble falling asleep?", "No, never."),
        ("And your appetite?", "It's fine."), ("Do you feel guilty?", "Not really."),
        ("How is your mood?", "I was sad last week."),
        ("And your energy?", "My mother is always tired, but I have plenty of energy."),
        ("Do you feel worthless?", "Yes, sometimes."),
        ("Can you concentrate?", "I used to, in college."), ("And after that?", "Scratch that."),
        ("And the appetite?", "I take that back."),
        ("Anything else?", "Forget what I said about sleep."),
        ("Do you enjoy things?", "I had no joy in anything two weeks ago."),
        ("Are you restless?", "My wife says I can't sit still."), ("How about last week?", "I slept fine that week."),
    ],
    "zh": [
        ("睡眠怎么样？", "不太好，凌晨三点就醒。"), ("入睡困难吗？", "没有，从来没有。"), ("胃口呢？", "挺好的。"),
        ("有没有觉得内疚？", "不太有。"),
        ("心情怎么样？", "上周很难过。"), ("精力呢？", "我妈总是很累，我还行。"), ("觉得自己没用吗？", "有时候会。"),
        ("有没有不想活？", "以前有过。"),
        ("还有吗？", "我说错了。"), ("胃口呢？", "收回刚才的话。"), ("兴趣呢？", "两周前对什么都没兴趣。"),
        ("坐得住吗？", "我老婆说我坐不住。"),
        ("还有吗？", "刚才说睡眠的话不算。"), ("上个月呢？", "那个月睡得很好。"),
    ],
}
# Neither topic, time nor retraction.
NEUTRAL = {
    "en": [("Would you like some water?", "No, thank you."), ("How did you get here?", "By bus."),
           ("What do you do for work?", "I drive a truck."),
           ("Is the chair all right?", "Yes."), ("Do you have children?", "Two girls."),
           ("Which street is that?", "The one by the river.")],
    "zh": [("要喝水吗？", "不用，谢谢。"), ("怎么来的？", "坐公交。"), ("做什么工作？", "开货车的。"),
           ("椅子舒服吗？", "舒服。"), ("有孩子吗？", "两个女儿。"),
           ("住哪条街？", "河边那条。")],
}
BLANKS = st.sampled_from([" ", "  ", "\t", "\n", "\r\n", " \n ", "\u3000"])


def build(exchanges, language, instrument="HAMD-17"):
    turns = [Turn(speaker=speaker, text=text) for exchange in exchanges
             for speaker, text in zip(("interviewer", "participant"), exchange, strict=True)]
    return Dialogue(dialogue_id="d", language=language, instrument=instrument, turns=tuple(turns))


def outcome(one):
    """Of every cell the state and what its frames say; without the places, which may move."""
    def says(bound):
        frame = bound.frame
        return (frame.components, frame.polarity, frame.strength, frame.subject, frame.time, bound.kept,
                frame.withdrawn_by is None)

    return [(cell.dimension, cell.state, [says(b) for b in cell.frames]) for cell in annotator().cells(one)]


@st.composite
def talks(draw):
    language = draw(st.sampled_from(["en", "zh"]))
    return language, draw(st.lists(st.sampled_from(EXCHANGES[language]), min_size=1, max_size=6))


# what changes nothing -----------------------------------------------------------------------------------------------


@settings(max_examples=120)
@given(talk=talks(), data=st.data())
def test_white_space_changes_no_cell(talk, data):
    language, exchanges = talk
    blanks = cycle(data.draw(st.lists(BLANKS, min_size=1, max_size=5)))
    ends = cycle(data.draw(st.lists(st.sampled_from(["", " ", "\t", "  ", "\u3000"]), min_size=1, max_size=5)))
    places = " " if language == "en" else "，。？"  # between Chinese characters a blank can stand for a pause

    def spaced_out(text):
        inner = "".join(next(blanks) if c == " " else c + next(ends) if c in places else c for c in text)
        return next(ends) + inner + next(ends)

    spaced = [(spaced_out(question), spaced_out(answer)) for question, answer in exchanges]
    assert outcome(build(spaced, language)) == outcome(build(exchanges, language))


@settings(max_examples=150)
@given(talk=talks(), data=st.data())
def test_an_exchange_without_topic_time_or_retraction_changes_no_cell(talk, data):
    language, exchanges = talk
    # after the first: before it, it would make a greeting of something else
    at = data.draw(st.integers(1, len(exchanges)))
    neutral = data.draw(st.sampled_from(NEUTRAL[language]))
    more = [*exchanges[:at], neutral, *exchanges[at:]]
    assert outcome(build(more, language)) == outcome(build(exchanges, language))


@settings(max_examples=60)
@given(talks())
def test_the_same_words_give_the_same_frames(talk):
    language, exchanges = talk
    one = build(exchanges, language)
    assert annotator().frames(one) == annotator().frames(one)


@given(st.lists(st.sampled_from(NEUTRAL["en"]), max_size=6))
def test_talk_of_nothing_has_no_frames(exchanges):
    assert annotator().frames(build(exchanges, "en")) == ()


# offsets ------------------------------------------------------------------------------------------------------------


def check_offsets(one):
    found = annotator().frames(one)
    assert [f.id for f in found] == [f"f{n}" for n in range(1, len(found) + 1)]
    assert [f.turn for f in found] == sorted(f.turn for f in found)
    for frame in found:
        turn = one.turns[frame.turn]
        assert turn.speaker == frame.speaker != "interviewer"
        assert 0 <= frame.start <= frame.end <= len(turn.text)
        assert turn.text[frame.start:frame.end] == frame.quote
        for cue in frame.cues:
            assert 0 <= cue.start <= cue.end <= len(one.turns[cue.turn].text)
    return found


@settings(max_examples=80)
@given(dialogues())
def test_any_dialogue_is_judged_and_its_offsets_point_into_it(one):
    check_offsets(one)
    annotator().cells(one)


@settings(max_examples=80)
@given(talk=talks(), before=st.text(st.characters(exclude_categories=["Cs"]), max_size=12), data=st.data())
def test_offsets_among_anything(talk, before, data):
    language, exchanges = talk
    around = [(question, f"{before}. {answer} {before}") for question, answer in exchanges]
    found = check_offsets(build(around, language))
    for frame in found:
        assert frame.quote.strip() or frame.quote == ""


@pytest.mark.parametrize(("text", "quote"), [
    ("Ｉ　can’t sleep 😀.", None), ("e\u0301e\u0301 I'm SAD\u0301.", "SAD"), ("שלום I'm sad مرحبا", "sad"),
    ("İİİ I'm sad", "sad"),
    ("\ufeffI'm sad", "sad"), ("😀👩‍💻 I can't sleep", "can't sleep"), ("我睡不著覺。", "睡不著"),
    ("👩‍💻我 睡 不 著", "睡 不 著"),
])
def test_quotes_among_odd_characters(text, quote):
    found = check_offsets(dialogue(f"P: {text}"))
    assert quote is None or any(quote in f.quote for f in found)


# odd and huge turns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text", [
    "", " ", "\n\n", "\0", "?", "。", "...", "no " * 300, "不" * 300, "我" * 300, "(((((", "[[[[", "<" * 300, "'" * 300,
    "\u0301" * 50, "a" * 5000, "睡不着" * 200,
    "1" * 500, "10.10." * 80, "i " * 300, "，" * 300, "? " * 300, "\u202e abc", "scratch that " * 50, "我说错了" * 50,
])
def test_odd_turns(language, text):
    turns = tuple(Turn(speaker=speaker, text=text) for speaker in SPEAKERS.values())
    check_offsets(Dialogue(dialogue_id="d", language=language, instrument="BDI-II", turns=turns))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_turns_and_many_turns(language):
    assert annotator().frames(Dialogue(dialogue_id="d", language=language, instrument="PHQ-8", turns=())) == ()
    exchanges = EXCHANGES[language] * 30
    check_offsets(build(exchanges, language))


@pytest.mark.parametrize(("language", "story", "murmur", "statement"), [
    ("en", "The bus to the market was late and it rained on the old bridge by the river. ", "la la lala ",
     "I can't sleep. "),
    ("zh", "公交车又晚点了，河边的老桥上下着雨，市场里人来人往。", "啦啦，啦啦啦。", "我睡不着。"),
])
def test_a_turn_of_a_megabyte_is_judged_to_its_end(language, story, murmur, statement):
    text = story * (100_000 // len(story)) + murmur * (900_000 // len(murmur)) + statement
    one = Dialogue(dialogue_id="d", language=language, instrument="PHQ-8",
                   turns=(Turn(speaker="participant", text=text),))
    [frame] = check_offsets(one)
    assert frame.dimension == "sleep" and frame.end > len(text) - 20


# the judge ----------------------------------------------------------------------------------------------------------


def test_the_judge_can_be_pickled_and_judges_the_same():
    one = build(EXCHANGES["zh"], "zh")
    again = pickle.loads(pickle.dumps(annotator()))
    assert again is not annotator()
    assert again.lexicons is None and again.ruleset == annotator().ruleset
    assert again.frames(one) == annotator().frames(one)


def test_another_process_with_another_hash_seed_writes_the_same_bytes():
    code = ("import json, sys\nfrom evidial_rules.contract import Dialogue\n"
            "from evidial_rules.pipeline.annotator import Annotator\njudge = Annotator()\n"
            "for line in sys.stdin:\n"
            "    cells = judge.cells(Dialogue.from_dict(json.loads(line)))\n"
            "    print(json.dumps([c.to_dict() for c in cells]))\n")
    rows = [build(EXCHANGES[name], name).model_dump(mode="json", exclude_none=True) for name in ("en", "zh")]
    here = "".join(json.dumps([c.to_dict() for c in annotator().cells(Dialogue.from_dict(row))]) + "\n" for row in rows)
    environment = os.environ | {"PYTHONHASHSEED": "4711", "PYTHONPATH": str(Path(evidial_rules.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], input="".join(json.dumps(row) + "\n" for row in rows),
                          text=True, capture_output=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == here


def test_the_date_of_the_talk_is_now():
    row = {"dialogue_id": "d", "language": "en", "instrument": "PHQ-8",
           "turns": [{"speaker": "participant", "text": "On May 3rd I was sad."}]}
    assert annotator().frames(Dialogue.from_dict(row | {"date": "2024-05-17"}))[0].time.to == 14
    assert annotator().frames(Dialogue.from_dict(row))[0].time.to == 400


# the spaCy pipeline, with somebody else's terms ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_terms(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lexicons")
    (folder / "findings.yaml").write_text(
        "version: 1\ndimension: finding\nentries:\n"
        "  - {id: en.finding.fever, sense: symptom, components: [fever],"
        " any: [fever, high temperature], yes: fever, no: cold}\n"
        "  - {id: en.finding.rash, sense: symptom, components: [rash], any: [rash], yes: rash, no: cold}\n",
        encoding="utf-8")
    return folder


@pytest.mark.parametrize(("text", "expected"), [
    ("I have a fever.", [("fever", "affirm", "participant", None)]),
    ("No fever.", [("fever", "deny", "participant", None)]),
    ("I don't have a rash, but a high temperature.", [("rash", "deny", "participant", None), ("fever", "affirm",
        "participant", None)]),
    ("My son has a fever.", [("fever", "affirm", "other", None)]),
    ("I had a fever three days ago.", [("fever", "affirm", "participant", 3)]),
    ("Two weeks ago my son had a rash, I didn't.", [("rash", "affirm", "other", 14)]),
    ("I can't sleep.", []),
])
def test_somebody_elses_terms_get_negation_subject_and_time(own_terms, text, expected):
    found = load("en", lexicons=own_terms)(text)._.frames
    named = [(f.components[0], f.polarity, f.subject, f.time.to) for f in found]
    assert [one for one in named if one in expected] == expected
    assert {f.dimension for f in found} <= {"finding"} and bool(found) == bool(expected)


def test_the_judge_takes_somebody_elses_terms_and_says_so(own_terms):
    mine = Annotator(own_terms)
    assert mine.ruleset["name"] == "own" and mine.ruleset != annotator().ruleset
    assert [f.dimension for f in mine.frames(dialogue("P: No fever, and I can't sleep."))] == ["finding"]
    assert pickle.loads(pickle.dumps(mine)).lexicons == own_terms


def test_the_same_terms_from_two_texts_of_a_path(own_terms):
    assert load("en", lexicons=str(own_terms))("No fever.")._.frames == load("en",
        lexicons=own_terms)("No fever.")._.frames


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_components_stand_in_a_pipeline_of_anybodys(language):
    nlp = spacy.blank(language)
    for name in COMPONENTS:
        nlp.add_pipe(f"evidial_{name}")
    text = "I can't sleep, but I'm not sad." if language == "en" else "我睡不着，但是不难过。"
    doc = nlp(text)
    assert [(f.dimension, f.polarity) for f in doc._.frames] == [("sleep", "affirm"), ("depressed_mood", "deny")]
    assert [span.label_ for span in doc.spans["evidial"]] == ["sleep", "depressed_mood"]


def test_spans_are_the_quotes_aligned_to_tokens():
    nlp = load("en")
    doc = nlp("My mother is sad and I can't sleep.")
    assert [span.text for span in doc.spans["evidial"]] == ["sad", "can't sleep"]
    assert "evidial" not in load("en", spans=False)("I can't sleep.").spans


def test_a_doc_of_a_dialogue_keeps_its_turns():
    one = build(EXCHANGES["en"][:3], "en")
    nlp = load("en")
    doc = dialogue_doc(nlp, one)
    for speaker, start, end in doc.user_data["evidial_turns"]:
        assert (speaker, doc.text[start:end]) in {(t.speaker, t.text) for t in one.turns}
    for name in COMPONENTS:
        doc = nlp.get_pipe(f"evidial_{name}")(doc)
    assert tuple(doc._.frames) == annotator().frames(one)


def test_batches_and_the_jieba_tokenizer():
    nlp = load("zh")
    texts = ["我睡不着 ok yes。", "  我 很难过\n", "", "没有胃口"]
    assert [doc.text for doc in nlp.pipe(texts)] == texts
    assert [token.text for token in nlp("我睡不着")] != list("我睡不着")


def test_a_component_without_its_beginning_says_so():
    nlp = spacy.blank("en")
    nlp.add_pipe("evidial_clauses")
    with pytest.raises(EvidialError, match="evidial_turns"):
        nlp("I'm sad.")


@pytest.mark.parametrize("call", [lambda: load("fr"), lambda: load("")])
def test_another_language_is_refused(call):
    with pytest.raises(EvidialError, match="en or zh"):
        call()


def test_a_pipeline_of_another_language_is_refused():
    with pytest.raises(EvidialError, match="en or zh"):
        spacy.blank("de").add_pipe("evidial_turns")


def test_the_shipped_dialogues_offsets():
    for line in resource("data", "dialogues.jsonl").read_text(encoding="utf-8").splitlines():
        check_offsets(Dialogue.from_dict(json.loads(line)))
