"""What of somebody's own lexicons is refused when they are loaded: what would silently find nothing."""
from __future__ import annotations

import pytest

from evidial_rules import Annotator, Dialogue, load
from evidial_rules.errors import EvidialError, ResourceError, RuleError

ENTRY = "  - {{id: {id}, sense: {sense}, components: {components}, any: [wug], yes: wug, no: dog{more}}}\n"


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()

    def write(*entries, dimension="sleep", version=1, name="mine.yaml", head="entries"):
        (folder / name).write_text(f"version: {version}\ndimension: {dimension}\n{head}:\n" + "".join(entries),
                                   encoding="utf-8")
        return folder
    write.folder = folder
    return write


def entry(id="en.my.x", sense="symptom", components="[onset]", **more):
    return ENTRY.format(id=id, sense=sense, components=components,
                        more="".join(f", {key}: {value}" for key, value in more.items()))


def test_what_is_right_is_loaded(own):
    folder = own(entry(), entry("en.my.y", components="[ALL]", if_negated="[onset]"),
                 entry("en.my.z", "mask", "[]", dimension="any").replace("wug", "zog"))
    assert [f.components for f in load("en", lexicons=folder)("Wug.")._.frames] == [("onset",)]
    dialogue = Dialogue.from_dict({"dialogue_id": "d", "language": "en", "instrument": "PHQ-8", "turns": [
        {"speaker": "participant", "text": "Wug."}]})
    states = {cell.dimension: cell.state for cell in Annotator(folder).cells(dialogue)}
    assert states["sleep"] == "SUFFICIENT_POS" and states["fatigue"] == "ABSENT"


@pytest.mark.parametrize(("entries", "more", "expected"), [
    ([entry(components="[onsett]")], {}, r"mine\.yaml: rule en\.my\.x: expected components of sleep \(.*\) or ALL"),
    ([entry(if_negated="[onsett]")], {}, "rule en.my.x: expected components of sleep"),
    ([entry(components="[]")], {}, "rule en.my.x: expected components, or ALL"),
    ([entry(dimension="slep")], {}, "rule en.my.x: expected a dimension out of depressed_mood"),
    ([entry(dimension="any")], {}, "rule en.my.x: expected a dimension"),
    ([entry(), entry()], {}, "rule en.my.x: expected an id that no other rule has"),
    ([entry()], {"version": 2}, "rule the file itself: expected version"),
    (["  - {id: en.my.x, terms: [wug], components: []}\n"], {"head": "targets"}, "rule en.my.x: expected components"),
    (["  - {id: en.my.x, terms: [wug], components: [x]}\n"], {"head": "targets"}, "rule en.my.x: expected components"),
    (["  - {id: en.my.x, kinds: [noun], components: [x], words: [wug]}\n"], {"head": "topics"}, "expected components"),
    ([entry(any="['a ~ b']").replace("any: [wug], ", "")], {}, "rule en.my.x: expected operators with their numbers"),
])
def test_what_would_find_nothing_is_refused(own, entries, more, expected):
    with pytest.raises(RuleError, match=expected):
        load("en", lexicons=own(*entries, **more))


def test_an_id_is_one_rules_over_all_files(own):
    own(entry())
    with pytest.raises(RuleError, match=r"other\.yaml: rule en\.my\.x: expected .*mine\.yaml has it already"):
        load("en", lexicons=own(entry(), name="other.yaml"))


def test_a_dimension_of_ones_own_has_frames_but_no_cells(own):
    folder = own(entry(components="[whatever]"), dimension="slep")
    assert [f.dimension for f in load("en", lexicons=folder)("Wug.")._.frames] == ["slep"]
    dialogue = Dialogue.from_dict({"dialogue_id": "d", "language": "en", "instrument": "PHQ-8", "turns": []})
    assert Annotator(folder).frames(dialogue) == ()
    with pytest.raises(RuleError, match=r"mine\.yaml: rule the file itself: expected a dimension out of depressed"):
        Annotator(folder).cells(dialogue)


@pytest.mark.parametrize(("files", "expected"), [
    ([], "which this folder does not have"), (["sleep.yml"], r"found \*\.yml"),
    (["en/sleep.yaml", "zh/sleep.yaml"], "as in its folder en"), (None, "found no such folder"),
])
def test_a_folder_without_lexicons(tmp_path, files, expected):
    folder = tmp_path / "own"
    for name in files or ():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("version: 1\ndimension: sleep\n", encoding="utf-8")
    if files == []:
        folder.mkdir()
    with pytest.raises(ResourceError, match=f"E005 .*own: expected a folder with lexicon files.*{expected}"):
        load("en", lexicons=folder)
    with pytest.raises(EvidialError):
        load("zh", lexicons=str(folder))
