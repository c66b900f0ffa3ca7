"""Transcript readers, on samples of our own in each format's form."""
from __future__ import annotations

import json
import time

import openpyxl
import pytest

from evidial_rules.corpora import FORMATS, SpeakerMap, convert, read_labels
from evidial_rules.errors import (
    DuplicateDialogue,
    EvidialError,
    FileFormatError,
    InstrumentError,
    LabelError,
    SpeakerError,
    UnknownInstrument,
)

SECRET = "something that I told nobody"


def put(path, text, encoding="utf-8"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def turns(dialogue):
    return [(turn.speaker, turn.text) for turn in dialogue.turns]


# -- DAIC-WOZ ----------------------------------------------------------------------------------------------------------

DAIC = """start_time\tstop_time\tspeaker\tvalue
1.0\t2.0\tEllie\thow_doingV (how are you doing today)
2.5\t3.0\tParticipant\tokay i guess
3.2\t4.0\tParticipant\ti "sleep" badly
5.0\t6.0\tEllie\tokay (laughs)
7.0\t8.0\tParticipant\t<UNSURE>tired</UNSURE> <UNIN/>
"""


@pytest.mark.parametrize("end, start", [("\n", ""), ("\r\n", ""), ("\n", "\ufeff")])
def test_daic_woz(tmp_path, end, start):
    put(tmp_path / "300_TRANSCRIPT.csv", start + DAIC.replace("\n", end))
    [found] = convert(tmp_path, "daic-woz")
    assert (found.dialogue_id, found.participant_id, found.instrument, found.language, found.source) == (
        "300", "300", "PHQ-8", "en", "DAIC-WOZ")
    assert turns(found) == [
        ("interviewer", "how are you doing today"), ("participant", 'okay i guess i "sleep" badly'),
        ("interviewer", "okay (laughs)"), ("participant", "tired [inaudible]")]


def test_daic_woz_with_doctor_and_patient(tmp_path):
    text = DAIC.replace("Ellie", "Doctor").replace("Participant", "Patient")
    [found] = convert(put(tmp_path / "day1.tsv", text), "daic-woz")
    assert [speaker for speaker, _ in turns(found)] == ["interviewer", "participant"] * 2


def test_daic_woz_says_who_it_does_not_know(tmp_path):
    path = put(tmp_path / "300_TRANSCRIPT.csv", DAIC.replace("5.0\t6.0\tEllie", "5.0\t6.0\tRoomie"))
    with pytest.raises(SpeakerError, match=r"TRANSCRIPT\.csv:5: .*a string of 6 characters.*--speaker LABEL=ROLE"):
        convert(path, "daic-woz")
    assert len(convert(path, "daic-woz", speaker="Roomie=informant")[0].turns) == 4
    assert len(convert(path, "daic-woz", speaker={"roomie": "skip"})[0].turns) == 2


def test_daic_woz_needs_its_columns(tmp_path):
    path = put(tmp_path / "300_TRANSCRIPT.csv", DAIC.replace("\t", ","))
    with pytest.raises(FileFormatError, match="tab-separated columns"):
        convert(path, "daic-woz")


# -- E-DAIC ------------------------------------------------------------------------------------------------------------

EDAIC = ("Start_Time,End_Time,Text,Confidence\n14.3,15.1,so how are you,0.93\n15.5,16.0,\"i'm tired, really\",0.88\n"
         "17.0,17.2,,0.5\n")


def test_e_daic_without_speakers_is_refused_in_plain_words(tmp_path):
    path = put(tmp_path / "600_Transcript.csv", EDAIC)
    with pytest.raises(SpeakerError, match=r"a speaker column: .*mixes both speakers.*--speaker participant"):
        convert(path, "e-daic")
    [found] = convert(path, "e-daic", speaker="participant")
    assert found.dialogue_id == "600"
    assert turns(found) == [("participant", "so how are you"), ("participant", "i'm tired, really")]


def test_e_daic_with_a_speaker_column(tmp_path):
    lines = EDAIC.strip().split("\n")
    text = "\n".join(f"{line},{who}" for line, who in zip(lines, ["Speaker", "Ellie", "Participant", "Participant"],
                                                          strict=True))
    [found] = convert(put(tmp_path / "600_Transcript.csv", text), "e-daic")
    assert turns(found) == [("interviewer", "so how are you"), ("participant", "i'm tired, really")]


# -- PDCH --------------------------------------------------------------------------------------------------------------


def pdch(tmp_path, encoding="utf-8"):
    root = tmp_path / "wav_data"
    put(root / "007A" / "2_correction_timestamp_emotion.txt",
        "00:00-00:03\n患者：第二段，\n00:03-00:05\n?：嗯\n", encoding)
    put(root / "007A" / "10_correction_timestamp_emotion.txt", "00:00-00:02\n医生：最后：一段。\n", encoding)
    put(root / "007A" / "1_correction_timestamp_emotion.txt",
        "00:00-00:02\n患者：睡不着，\n00:02-00:05\n患者：\n00:05-00:09\n患者：老醒。\n", encoding)
    put(root / "007B" / "1_correction_timestamp_emotion.txt", "00:00-00:02\n医生：又来了\n", encoding)
    return root


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_pdch(tmp_path, encoding):
    first, second = convert(pdch(tmp_path, encoding), "pdch")
    assert (first.dialogue_id, first.participant_id, first.visit, first.instrument, first.language) == (
        "007A", "007", "A", "HAMD-17", "zh")
    assert turns(first) == [("participant", "睡不着，老醒。第二段，"), ("interviewer", "嗯最后：一段。")]
    assert (second.dialogue_id, second.visit) == ("007B", "B")


@pytest.mark.parametrize("text, line", [("患者 没有冒号\n", 1), ("00:00-00:02\n没有说话人\n", 2), ("", None)])
def test_a_bad_pdch_chunk(tmp_path, text, line):
    path = put(tmp_path / "007A" / "1_correction_timestamp_emotion.txt", text)
    with pytest.raises(FileFormatError) as caught:
        convert(path, "pdch")
    assert (f"{path}:{line}: " if line else f"{path}: ") in str(caught.value)
    assert "没有" not in str(caught.value)


# -- TalkDep -----------------------------------------------------------------------------------------------------------

TALKDEP = """Patient name: Nora

### **Conversation 1:**

**Therapist:** How are you?

**Nora:** Not well. One thing: I sleep badly.

And I eat little.

---

### Conversation 2:  ****

1. **Therapist:** And now?
2. **Nora:** Better.
"""


def test_talkdep(tmp_path):
    first, second = convert(put(tmp_path / "nora-final-conversation.txt", TALKDEP), "talkdep")
    assert (first.dialogue_id, first.participant_id, first.visit, first.instrument) == (
        "talkdep-nora-1", "talkdep-nora", 1, "BDI-II")
    assert turns(first) == [("interviewer", "How are you?"),
                            ("participant", "Not well. One thing: I sleep badly.\nAnd I eat little.")]
    assert turns(second) == [("interviewer", "And now?"), ("participant", "Better.")]


def test_talkdep_in_the_middle_of_a_talk(tmp_path):
    text = ("**Nora:** I went on.\n\n### **Conversation 2:**\n\n**Therapist:** Hello.\n\n"
            "## Conversation 2\n**Nora:** Hi.\n")
    found = convert(put(tmp_path / "nora.txt", text), "talkdep")
    assert [d.dialogue_id for d in found] == ["talkdep-nora-1", "talkdep-nora-2", "talkdep-nora-3"]


def test_talkdep_takes_the_one_stranger_for_the_persona(tmp_path):
    text = TALKDEP.replace("Patient name: Nora", "").replace("Nora", "Mrs Day")
    assert {s for s, _ in turns(convert(put(tmp_path / "x.txt", text), "talkdep")[0])} == {"interviewer", "participant"}
    two = text.replace("2. **Mrs Day", "2. **Mr Dusk")
    with pytest.raises(SpeakerError, match="the therapist or the persona"):
        convert(put(tmp_path / "x.txt", two), "talkdep")


# -- MDD-5k ------------------------------------------------------------------------------------------------------------


def test_mdd5k(tmp_path):
    data = [{"conversation": [{"doctor": "您好\n", "patient": "睡不好\n\n"}, {"doctor": "", "patient": "就这样"}]},
            {"conversation": [{"doctor": "再见"}]}]
    first, second = convert(put(tmp_path / "patient_3.json", json.dumps(data)), "mdd5k")
    assert (first.dialogue_id, first.participant_id, first.visit, first.language, first.instrument) == (
        "mdd5k-patient_3-1", "patient_3", 1, "zh", "HAMD-17")
    assert turns(first) == [("interviewer", "您好"), ("participant", "睡不好"), ("participant", "就这样")]
    assert second.visit == 2


def test_mdd5k_with_a_key_given_twice(tmp_path):
    data = '[{"conversation": [{"doctor": "hello", "patient": "x", "patient": "y"}]}]'
    with pytest.raises(FileFormatError, match=r"patient_3\.json: expected JSON objects with each key once"):
        convert(put(tmp_path / "patient_3.json", data), "mdd5k")



@pytest.mark.parametrize("data", ["{", "[]", "{}", '[{"talk": []}]', '[{"conversation": [{"nurse": "x"}]}]',
                                  '[{"conversation": [{"doctor": 3}]}]', '[{"conversation": ["x"]}]'])
def test_a_bad_mdd5k_file(tmp_path, data):
    with pytest.raises(FileFormatError, match=r"patient_3\.json"):
        convert(put(tmp_path / "patient_3.json", data), "mdd5k")


# -- Plain text --------------------------------------------------------------------------------------------------------


def test_text_in_english(tmp_path):
    text = (f"Dr. Smith: How is your sleep?\n\nPatient: I wake at 3:40.\n10:30 I fall asleep. See: nothing that I "
            f"say helps, really: no.\nhttp://x.y\nWife: {SECRET}\n")
    [found] = convert(put(tmp_path / "talk.txt", text), "text", instrument="PHQ-8")
    assert (found.dialogue_id, found.language) == ("talk", "en")
    assert turns(found) == [
        ("interviewer", "How is your sleep?"),
        ("participant", "I wake at 3:40.\n10:30 I fall asleep. See: nothing that I say helps, really: no.\nhttp://x.y"),
        ("informant", SECRET)]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_text_in_chinese(tmp_path, encoding):
    text = "心理咨询师：最近睡得怎么样？\r\n来访者: 睡不着。\r\n家属：他总是叹气\r\n"
    [found] = convert(put(tmp_path / "谈话.txt", text, encoding), "text", instrument="HAMD-17")
    assert (found.dialogue_id, found.language) == ("谈话", "zh")
    assert turns(found) == [("interviewer", "最近睡得怎么样？"), ("participant", "睡不着。"),
                            ("informant", "他总是叹气")]


def test_text_with_names(tmp_path):
    path = put(tmp_path / "talk.txt", f"Ann: hello\nBo: {SECRET}\n")
    with pytest.raises(SpeakerError) as caught:
        convert(path, "text", instrument="PHQ-8", speaker="Ann=interviewer")
    assert f"{path}:2: " in str(caught.value) and SECRET not in str(caught.value)
    [found] = convert(path, "text", instrument="PHQ-8", speaker=["Ann=interviewer", "bo=participant"])
    assert [s for s, _ in turns(found)] == ["interviewer", "participant"]


def test_text_without_speakers(tmp_path):
    path = put(tmp_path / "talk.txt", "I am tired\nthe thing is: no sleep\n")
    with pytest.raises(SpeakerError, match="--speaker ROLE"):
        convert(path, "text", instrument="PHQ-8")
    [found] = convert(path, "text", instrument="PHQ-8", speaker="participant")
    assert turns(found) == [("participant", "I am tired"), ("participant", "the thing is: no sleep")]


def test_text_implies_no_instrument(tmp_path):
    path = put(tmp_path / "talk.txt", "Patient: hello\n")
    with pytest.raises(FileFormatError, match=r"--instrument \(BDI-II, HAMD-17, PHQ-8\)"):
        convert(path, "text")
    with pytest.raises(UnknownInstrument):
        convert(path, "text", instrument="PHQ-9")


# -- CSV ---------------------------------------------------------------------------------------------------------------

CSV = 'dialogue_id,speaker,text,date\nd1,医生,"睡得好吗,最近",2024-05-01\nd2,patient,hi,\nd1,患者,睡不着,\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("change", [lambda t: t, lambda t: t.replace("\n", "\r\n"),
                                    lambda t: t.replace("得好吗,", "得好吗，").replace(",", ";")])
def test_csv(tmp_path, encoding, change):
    first, second = convert(put(tmp_path / "in.csv", change(CSV), encoding), "csv", instrument="HAMD-17")
    assert [s for s, _ in turns(first)] == ["interviewer", "participant"]
    assert turns(first)[1][1] == "睡不着"
    assert (first.language, second.language, str(first.date)) == ("zh", "en", "2024-05-01")


@pytest.mark.parametrize("text, where, expected", [
    ("id,speaker,text\n1,patient,x\n", ":1", "columns dialogue_id, speaker, text; dialogue_id not found"),
    ("dialogue_id,text\n1,x\n", ":1", "speaker not found"),
    ("dialogue_id,speaker,text\n,patient,x\n", ":2", "expected a dialogue_id"),
    ("dialogue_id,speaker,text\n1,stranger,x\n", ":2", "found a string of 8 characters"),
    (f"dialogue_id,speaker,text\n1,patient,{SECRET}, and more\n", ":2", "3 columns, found 4"),
    (f'dialogue_id,speaker,text\n1,patient,"{SECRET}\n', ":2", "a row of CSV"),
    ("dialogue_id,speaker,text\n", "", "rows under the header"),
    ("", "", "empty file"),
    ("dialogue_id,speaker,text,text\n1,patient,a,b\n", ":1", "column names that differ"),
    ("dialogue_id,speaker,text,language\n1,patient,a,en\n1,patient,a,zh\n", ":3", "one language a dialogue"),
])
def test_a_bad_csv_is_one_clear_line(tmp_path, text, where, expected):
    path = put(tmp_path / "in.csv", text)
    with pytest.raises(EvidialError) as caught:
        convert(path, "csv", instrument="PHQ-8")
    assert f"{path}{where}: " in str(caught.value)
    assert expected in str(caught.value)
    assert SECRET not in str(caught.value)


def test_latin_1_is_not_taken_for_chinese(tmp_path):
    text = "dialogue_id,speaker,text\n1,patient,it\u2019s bad and I can\u2019t sleep\n"
    with pytest.raises(FileFormatError, match=r"in\.csv:2: expected UTF-8 text"):
        convert(put(tmp_path / "in.csv", text, "cp1252"), "csv", instrument="PHQ-8")


def test_a_long_cell(tmp_path):
    path = put(tmp_path / "in.csv", f"dialogue_id,speaker,text\n1,patient,{'a b ' * 100000}\n")
    assert len(convert(path, "csv", instrument="PHQ-8")[0].turns[0].text) == 399999


# -- Labels ------------------------------------------------------------------------------------------------------------


def sheet(path, rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_hamd_labels_in_a_workbook(tmp_path):
    header = ["Serial", *range(1, 18), "total"]
    labels = sheet(tmp_path / "HAMD.xlsx", [header, ["007A", *[1] * 13, 9, *[1] * 3, 16],
                                            ["007B", 0, 0, None, 0, 0, 9, *[0] * 11, None]])
    first, second = convert(pdch(tmp_path), "pdch", labels=labels)
    assert first.scores["sleep"] == 3 and first.scores["appetite_weight"] == 2
    assert second.scores["suicidal_ideation"] is None and second.scores["sleep"] is None
    assert second.scores["depressed_mood"] == 0


def test_pdch_labels_are_of_a_visit(tmp_path):
    labels = put(tmp_path / "l.csv", "Serial,1\n007,3\n")
    assert [d.scores for d in convert(pdch(tmp_path), "pdch", labels=labels)] == [None, None]


def test_phq_labels_with_avec_names(tmp_path):
    put(tmp_path / "300_TRANSCRIPT.csv", DAIC)
    put(tmp_path / "301_TRANSCRIPT.csv", DAIC)
    names = ["NoInterest", "Depressed", "Sleep", "Tired", "Appetite", "Failure", "Concentrating", "Moving"]
    text = f"participant_ID,PHQ8_Binary,PHQ8_Score,{','.join('PHQ8_' + n for n in names)}\n300,1,9,3,2,1,0,0,2,1,\n"
    first, second = convert(tmp_path, "daic-woz", labels=put(tmp_path / "labels" / "dev.csv", text))
    assert first.scores == {"depressed_mood": 2, "anhedonia": 3, "sleep": 1, "fatigue": 0, "appetite_weight": 0,
                            "psychomotor": None, "guilt_worthlessness": 2, "concentration": 1}
    assert second.scores is None


def test_a_personas_labels_go_to_all_its_talks(tmp_path):
    path = put(tmp_path / "nora.txt", TALKDEP)
    labels = put(tmp_path / "bdi.csv", "id," + ",".join(f"BDI-II_{n}" for n in range(1, 22)) + "\ntalkdep-nora,"
                 + ",".join(["1"] * 21) + "\n")
    assert [d.scores["depressed_mood"] for d in convert(path, "talkdep", labels=labels)] == [3, 3]


@pytest.mark.parametrize("name, item", [
    ("1", "1"), ("item 4", "4"), ("Item_04", "4"), ("HAMD_17", None), ("HAMD-17", None), ("HAMD-17_3", "3"),
    ("PHQ8", None), ("PHQ-8", None), ("PHQ8_1", "1"), ("phq8_sleep", "3"), ("PHQ8_Score", None), ("第3题", "3"),
    ("条目5", "5"), ("total", None), ("age 40", None), ("2.0", "2"), ("BDI-II", None), ("bdi2_7", "7"), ("Q10", "10"),
])
def test_item_columns(tmp_path, name, item):
    path = put(tmp_path / "l.csv", f"dialogue_id,{name},item 21\na,2,0\n")
    found = read_labels(path).rows["a"][1]
    assert found == ({"21": 0} if item is None else {item: 2, "21": 0})


@pytest.mark.parametrize("prefix, last", [("PHQ_", 8), ("HAMD-", 17), ("BDI ", 2)])
def test_an_item_that_is_called_like_the_instrument(tmp_path, prefix, last):
    """Beside PHQ_1 to PHQ_7, PHQ_8 is the eighth item and not the total."""
    names = ",".join(f"{prefix}{number}" for number in range(1, last + 1))
    path = put(tmp_path / "l.csv", f"id,{names}\na,{','.join(['1'] * last)}\n")
    assert list(read_labels(path).rows["a"][1]) == [str(number) for number in range(1, last + 1)]


@pytest.mark.parametrize("text, where, expected", [
    ("who,1,2\na,0,0\n", ":1", "an id column"),
    ("Participant_ID,PHQ_Score\n300,9\n", ":1", "native item columns"),
    ("id,1\na,0\na,1\n", ":3", "one row an id"),
    ("id,1,item1\na,0,0\n", ":1", "one column for item 1"),
    ("id,1\na,often\n", ":2", "item 1: expected a number or an empty cell"),
])
def test_bad_labels_are_one_clear_line(tmp_path, text, where, expected):
    path = put(tmp_path / "l.csv", text)
    with pytest.raises(LabelError) as caught:
        read_labels(path)
    assert f"{path}{where}" in str(caught.value)
    assert expected in str(caught.value)


def test_a_label_beyond_the_instrument(tmp_path):
    put(tmp_path / "300_TRANSCRIPT.csv", DAIC)
    with pytest.raises(InstrumentError, match=r"l\.csv:2: expected item '3' from 0 to 3, found 7"):
        convert(tmp_path / "300_TRANSCRIPT.csv", "daic-woz", labels=put(tmp_path / "l.csv", "id,3\n300,7\n"))


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04broken", b"no workbook"])
def test_a_broken_workbook(tmp_path, raw):
    path = tmp_path / "l.xlsx"
    path.write_bytes(raw)
    with pytest.raises(FileFormatError, match="an xlsx workbook"):
        read_labels(path)


# -- All of them -------------------------------------------------------------------------------------------------------


def test_an_unknown_format(tmp_path):
    with pytest.raises(FileFormatError, match="one of daic-woz, e-daic, pdch, talkdep, mdd5k, text, csv"):
        convert(tmp_path, "srt")


@pytest.mark.parametrize("format", FORMATS)
def test_no_files(tmp_path, format):
    with pytest.raises(FileFormatError, match="a folder with files named"):
        convert(tmp_path, format)
    with pytest.raises(FileFormatError, match="that exists"):
        convert(tmp_path / "none", format)


def test_two_files_of_one_name(tmp_path):
    put(tmp_path / "a" / "talk.txt", "Patient: hello\n")
    put(tmp_path / "b" / "talk.txt", "Patient: hello\n")
    with pytest.raises(DuplicateDialogue, match="first seen at"):
        convert(tmp_path, "text", instrument="PHQ-8")


def test_files_are_in_the_order_of_their_numbers(tmp_path):
    for number in (10, 9, 100):
        put(tmp_path / f"case_{number}.txt", "Patient: hello\n")
    assert [d.dialogue_id for d in convert(tmp_path, "text", instrument="PHQ-8")] == ["case_9", "case_10", "case_100"]


@pytest.mark.parametrize("speaker", ["patient", "a=b", "participant,informant", "Ann=", {"Ann": "doctor"}])
def test_a_bad_speaker_option(speaker):
    with pytest.raises(SpeakerError, match=r"a role out of|one role for every line"):
        SpeakerMap.of(speaker)


@pytest.mark.parametrize("label, role", [
    ("DOCTOR 1", "interviewer"), ("**Patient**", "participant"), ("Ｄoctor", "interviewer"),
    ("Guest_family", "informant"), ("醫生", "interviewer"), ("患者2", "participant"), ("Dr Jones", "interviewer"),
    ("Patient doctor", None),
    ("Ann", None), ("", None),
])
def test_usual_names_of_roles(label, role):
    assert SpeakerMap().role(label) == role


@pytest.mark.parametrize("line", ["a" * 10**6, "(" * 10**6, " " * 10**6 + "x", "*" * 10**6, "Patient" + ":" * 10**6,
                                  "- " * 500000, "1." * 500000, "name" + ":" * 10**6, "_ " * 500000])
@pytest.mark.parametrize("format", ["text", "talkdep", "pdch", "daic-woz"])
def test_a_megabyte_in_one_line_takes_no_time(tmp_path, format, line):
    text = f"Ellie\n{line}\nPatient: {line}\n"
    if format == "pdch":
        text = f"00:00-00:02\n患者：{line}\n{line}\n"
    if format == "daic-woz":
        text = f"start_time\tstop_time\tspeaker\tvalue\n1\t2\tEllie\t{line}\n1\t2\t{line}\tx\n"
    started = time.perf_counter()
    try:
        convert(put(tmp_path / "x_TRANSCRIPT.txt", text), format, instrument="PHQ-8", speaker="Ellie=interviewer")
    except EvidialError as error:
        assert len(str(error)) < 500
    assert time.perf_counter() - started < 5
