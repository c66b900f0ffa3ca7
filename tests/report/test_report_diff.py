"""Two runs compared: frames paired by place, and the operation and rule that made the difference."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from evidial_rules.contract import Cell, Choices, Cue, Frame, Interval, Vote, bind, judge, project
from evidial_rules.corpora import Row
from evidial_rules.report.diff import ATTRIBUTES, OPERATIONS, Run, RunError, diff, match
from evidial_rules.report.diff_terminal import TOP_RULES, diff_view
from evidial_rules.resources import load_instrument
from strategies import any_frames, excluded, intervals, surviving
from strategies import cells as any_cells

KNOWN = [load_instrument(name) for name in ("BDI-II", "HAMD-17", "PHQ-8")]
SECRET = "my locker code is 4711"


def run(name, *judged, **more):
    return Run.of(name, [(Row(f"{name}:{n}", n, one.to_dict()), one) for n, one in enumerate(judged, 1)], **more)


def cells(frames, instrument="PHQ-8", ident="d1", version="1"):
    return judge(frames, load_instrument(instrument), dialogue_id=ident, ruleset={"name": "r", "version": version})


def compare(a, b, instrument="PHQ-8"):
    return diff(run("a", *cells(a, instrument)), run("b", *cells(b, instrument, version="2")), KNOWN)


def only(found):
    [one] = found.changed
    return one


def said(dimension="sleep", component="onset", polarity="affirm", turn=1, start=0, end=9, *, rules=None, **more):
    """A frame with a cue for its components and for every attribute that `rules` names."""
    frame = Frame("f1", dimension, (component,), polarity, turn=turn, start=start, end=end, quote=SECRET, **more)
    named = {"components": f"lex.{component}", **(rules or {})}
    return frame.replace(cues=tuple(Cue(name, getattr(frame, name), rule, turn, start, end)
                                    for name, rule in named.items()))


def printed(found, **options):
    console = Console(width=120, record=True, file=open("/dev/null", "w"), highlight=False, markup=False)  # noqa: SIM115
    for part in diff_view(found, **options):
        console.print(part, soft_wrap=not hasattr(part, "columns"))
    return console.export_text()


# -- which operation ---------------------------------------------------------------------------------------------------


def test_equal_runs_do_not_differ():
    found = compare([said()], [said().replace(id="f99")])
    assert found.compared == 8 and not found.changed and found.share == 0
    assert found.table["SUFFICIENT_POS", "SUFFICIENT_POS"] == 1 and found.table["ABSENT", "ABSENT"] == 7


@pytest.mark.parametrize(("changes", "rules", "operation", "state"), [
    ({"subject": "other"}, {"subject": "en.subject.kin"}, "subject", "ABSENT"),
    ({"speaker": "interviewer"}, {}, "subject", "ABSENT"),
    ({"time": Interval(400, 100)}, {"time": "en.time.year"}, "temporal", "ABSENT"),
    ({"strength": "indicator"}, {"strength": "en.hedge.maybe"}, "assertion", "PARTIAL"),
    ({"polarity": "deny"}, {"polarity": "en.neg.no"}, "assertion", "PARTIAL"),
    ({"modality": "hypothetical"}, {"modality": "en.if"}, "assertion", "ABSENT"),
    ({"withdrawn_by": 5}, {"withdrawn_by": "en.scratch"}, "withdrawal", "ABSENT"),
])
def test_one_attribute_makes_the_difference(changes, rules, operation, state):
    """Each with an attribute that differs as well and changes nothing."""
    one = only(compare([said(time=Interval(15, 0))],
                       [said(**{"time": Interval(16, 0)} | changes, rules=rules, start=3, end=11)]))
    assert (one.a, one.b, one.operations, one.alone) == ("SUFFICIENT_POS", state, (operation,), True)
    [frame] = one.frames
    [attribute] = changes
    assert [change.attribute for change in frame.changes if change.decisive] == [attribute]
    decisive = next(change for change in frame.changes if change.decisive)
    assert decisive.rule_a is None and decisive.rule_b == rules.get(attribute)
    assert one.rules() == {rule: {"b"} for rule in rules.values()}
    assert "time" in {change.attribute for change in frame.changes}


def test_components_make_the_difference():
    one = only(compare([said("appetite_weight", "appetite_loss")], [said("appetite_weight", "weight_gain")]))
    assert (one.b, one.operations) == ("PARTIAL", ("assertion",))
    assert one.rules() == {"lex.appetite_loss": {"a"}, "lex.weight_gain": {"b"}}


@pytest.mark.parametrize("turned", [False, True])
def test_a_frame_that_one_run_lacks(turned):
    kept = said(component="maintenance", strength="indicator", turn=4)
    pair = [[kept], [kept, said()]]
    one = only(compare(*(reversed(pair) if turned else pair)))
    assert (one.operations, one.alone) == (("detection",), True)
    [frame] = one.frames
    assert (frame.kind, frame.rule, frame.decisive) == ("removed" if turned else "added", "lex.onset", True)
    assert one.rules() == {"lex.onset": {"a" if turned else "b"}}


def test_a_frame_that_does_not_count_is_not_what_matters():
    one = only(compare([said()], [said(subject="other"), said("sleep", "maintenance", turn=3, modality="question")]))
    assert one.operations == ("subject",)
    assert [(frame.kind, frame.decisive) for frame in one.frames] == [("changed", False), ("added", False)]
    assert one.rules() == {}


def test_a_change_that_leads_to_another_state_does_not_suffice():
    """A hedge alone would make it PARTIAL; nothing counts about somebody else."""
    one = only(compare([said()], [said(strength="indicator", subject="other")]))
    assert (one.b, one.operations, one.alone) == ("ABSENT", ("subject",), True)


def test_a_cue_that_lost_made_nothing():
    frame = said(subject="other", rules={"subject": "en.kin"})
    lost = Cue("subject", "generic", "en.you", 1, 0, 9, lost_to="en.kin")
    one = only(compare([said()], [frame.replace(cues=(*frame.cues, lost))]))
    assert one.rules() == {"en.kin": {"b"}}


def test_all_of_one_operation_together_suffice():
    a = [said(turn=1), said(component="maintenance", turn=3)]
    one = only(compare(a, [frame.replace(subject="other") for frame in a]))
    assert (one.operations, one.alone) == (("subject",), True)
    assert all(change.decisive for frame in one.frames for change in frame.changes)


def test_where_none_suffices_all_are_named():
    a = [said(turn=1), said(component="maintenance", turn=3), said(turn=5, subject="other")]
    b = [a[0].replace(subject="other"), a[1].replace(time=Interval(400, 100)), a[2].replace(modality="question")]
    one = only(compare(a, b))
    assert (one.a, one.b) == ("SUFFICIENT_POS", "ABSENT")
    assert (one.operations, one.alone) == (("subject", "temporal"), False)  # the third counts in neither run
    decisive = [change.operation for frame in one.frames for change in frame.changes if change.decisive]
    assert decisive == ["subject", "temporal"]
    assert "subject + temporal (together)" in printed(compare(a, b), cells=True)


def test_two_ways_that_each_suffice():
    one = only(compare([said()], [said(subject="other", withdrawn_by=2)]))
    assert (one.operations, one.alone) == (("subject", "withdrawal"), True)


def test_the_same_retraction_under_another_id_is_no_difference():
    a = [said(withdrawn_by="f7"), said(component="maintenance", turn=3)]
    one = only(compare(a, [said(withdrawn_by=4)]))
    assert [frame.kind for frame in one.frames] == ["removed"]


# -- projection, unknown, invalid --------------------------------------------------------------------------------------


def moved(cell, state):
    return Cell(cell.dialogue_id, cell.dimension, state, (0, 1), cell.frames, contract=2, ruleset=cell.ruleset)


def test_the_same_frames_under_another_contract():
    a = cells([said()])
    b = [moved(cell, "PARTIAL") if cell.dimension == "sleep" else cell for cell in a]
    one = only(diff(run("a", *a), run("b", *b), KNOWN))
    assert (one.operations, one.alone, one.frames) == (("projection",), None, ())


def test_other_frames_under_another_contract():
    a = [moved(cell, "PARTIAL") if cell.dimension == "sleep" else cell for cell in cells([said()])]
    one = only(diff(run("a", *a), run("b", *cells([said(subject="other")])), KNOWN))
    assert (one.a, one.b, one.operations, one.alone) == ("PARTIAL", "ABSENT", ("subject", "projection"), False)


def test_other_verdicts_on_the_same_frames():
    a = cells([said(time=Interval(15, 14))])
    b = []
    for cell in a:
        frames = [bound.to_dict() for bound in cell.frames]
        for frame in frames:
            frame["verdicts"][1] |= {"kept": False, "reason": "outside-window"}
            frame["kept"] = False
        b.append(Cell.from_dict(cell.to_dict() | {"frames": frames, "state": "ABSENT"}))
    found = diff(run("a", *a), run("b", *b), KNOWN)
    one = only(found)
    assert one.operations == ("temporal",)
    assert one.to_dict()["frames"]["changed"][0]["verdicts"][0]["b"]["reason"] == "outside-window"
    assert "temporal in-window (contract.temporal) -> outside-window" in printed(found, cells=True)


def test_other_choices_of_the_contract_on_the_same_frames():
    a = cells([said(speaker="informant"), said("fatigue", "energy", turn=3)])
    b = [cell.under(KNOWN[2], Choices(informants="no_evidence")) for cell in a]
    found = diff(run("a", *a), run("b", *b), KNOWN)
    one = only(found)
    assert (one.dimension, one.b, one.operations, one.alone) == ("sleep", "ABSENT", ("projection",), True)
    text = printed(found, cells=True)
    assert "contract 1 · informants no_evidence" in text and "decisions differs" in text
    assert "subject about-participant (contract.subject) -> informant-words (contract.subject)" in text
    assert "decisions" not in printed(diff(run("b", *b), run("b", *b), KNOWN))


def test_a_cell_is_projected_under_its_own_choices():
    """A hedge is definite here, by its ground: the ground has to move with what it says something of."""
    choices = Choices(hedges="definite")

    def judged(polarity, ground):
        frame = said(polarity=polarity, strength="indicator")
        frame = frame.replace(cues=(*frame.cues, Cue("ground", ground, f"en.{ground}", 1, 0, 9)))
        return [cell.under(KNOWN[2], choices) for cell in cells([frame])]

    found = diff(run("a", *judged("deny", "weak")), run("b", *judged("affirm", "hedge")), KNOWN)
    one = only(found)
    assert (one.a, one.b, one.operations, one.alone) == ("PARTIAL", "SUFFICIENT_POS", ("assertion",), True)
    assert "decisions differs" not in printed(found) and "hedges definite" in printed(found)
    grounds = diff(run("a", *judged("affirm", "other")), run("b", *judged("affirm", "hedge")), KNOWN)
    assert only(grounds).operations == ("assertion",)  # by its verdicts: the attributes are the same


def test_states_only():
    b = [Cell.from_dict(cell.to_dict(trace=False)) for cell in cells([])]
    bare = Run.of("b", [(Row("b", 1, cell.to_dict(trace=False)), cell) for cell in b])
    one = only(diff(run("a", *cells([said()])), bare, KNOWN))
    assert (one.operations, one.frames) == (("unknown",), ())


def votes(heard, rater, **changes):
    return [Vote(cell.dialogue_id, cell.dimension, rater, **{"state": cell.state, "frames": cell.frames} | changes)
            for cell in cells(heard)]


def test_votes_that_name_states_only():
    a = [Vote("d1", dimension, "human", state) for dimension, state in (("sleep", "ABSENT"), ("fatigue", "PARTIAL"))]
    found = diff(run("a", *a), run("b", *votes([said()], "rules")), KNOWN)
    assert {one.operations for one in found.changed} == {("unknown",)} and len(found.changed) == 2


def test_a_vote_that_is_not_valid():
    invalid = votes([said()], "llm", state=None, valid=False, reason=SECRET, frames=())
    found = diff(run("a", *votes([said()], "rules")), run("b", *invalid), KNOWN)
    assert len(found.changed) == 8 and {one.operations for one in found.changed} == {("invalid",)}
    assert found.states()[-1] is None and found.table["SUFFICIENT_POS", None] == 1
    text = printed(found, cells=True)
    assert "(no valid vote)" in text and "4711" not in text
    assert not diff(run("a", *invalid), run("b", *invalid), KNOWN).changed


# -- raters, files -----------------------------------------------------------------------------------------------------


def test_raters_of_one_file():
    both = [*votes([said()], "rules"), *votes([said(subject="other")], "provider/model-4")]
    found = diff(run("v", *both, rater="rules"), run("v", *both, rater="provider/model-4"), KNOWN)
    assert only(found).operations == ("subject",) and "rater provider/model-4" in printed(found)
    with pytest.raises(RunError, match=r"--rater-a: expected one of the raters of v \(provider/model-4, rules\)"):
        run("v", *both, option="--rater-a")
    with pytest.raises(RunError, match="--rater-b: expected one of the raters of v"):
        run("v", *both, rater="negex", option="--rater-b")
    with pytest.raises(RunError, match="found cells"):
        run("v", *cells([]), rater="rules")
    assert run("v", *both[:8]).rater == "rules"


def test_a_rater_called_by_what_was_said_is_not_quoted():
    with pytest.raises(RunError) as caught:
        run("v", Vote("d1", "sleep", SECRET, "PARTIAL"), Vote("d1", "sleep", "rules", "PARTIAL"))
    assert "4711" not in str(caught.value) and "rules" in str(caught.value)


def test_cells_of_one_run_only():
    a, b = [*cells([said()]), *cells([], ident="d2")], [*cells([], ident="d3"), *cells([])]
    found = diff(run("a", *a), run("b", *b[:-1]), KNOWN)
    assert found.compared == 7 and len(found.only_a) == 9 and found.only_a[0] == ("d1", "concentration")
    assert {ident for ident, _ in found.only_b} == {"d3"}
    text = printed(found)
    assert "only in A: 9 cells of 2 dialogues" in text and "  d1: concentration\n" in text and "only in B: 8" in text
    nothing = diff(run("a"), run("b", *b), KNOWN)
    assert nothing.share is None and nothing.compared == 0 and "changed: 0 of 0 cells\n" in printed(nothing)


def test_the_instrument_is_found_from_the_frames():
    """Eight days ago is outside seven days and inside fourteen; a file need not hold all dimensions of a dialogue."""
    for instrument, b_state in (("HAMD-17", "ABSENT"), ("PHQ-8", "PARTIAL")):
        a, b = ([cell for cell in cells([frame], instrument) if cell.dimension == "sleep"]
                for frame in (said(polarity="deny"), said(polarity="deny", time=Interval(9, 8), subject="participant")))
        if b_state == "PARTIAL":
            assert not diff(run("a", *a), run("b", *b), KNOWN).changed
        else:
            one = only(diff(run("a", *a), run("b", *b), KNOWN))
            assert (one.b, one.operations, one.alone) == ("ABSENT", ("temporal",), True)


def test_without_an_instrument_what_differs_is_named():
    a, b = cells([said()]), cells([said(subject="other", time=Interval(16, 0))])
    one = only(diff(run("a", *a), run("b", *b), []))
    assert (one.operations, one.alone) == (("subject", "temporal"), None)


# -- pairs -------------------------------------------------------------------------------------------------------------


def bound(*frames):
    return [bind(frame, KNOWN[2]) for frame in frames]


def test_frames_are_paired_by_place_and_then_by_what_they_say():
    a = bound(said(), said(component="maintenance"), said(turn=2), said(turn=3, start=0, end=4))
    b = bound(said(component="maintenance"), said(), said(turn=2, start=8, end=20), said(turn=3, start=4, end=9))
    pairs = match(a, b)
    assert pairs[:2] == [(a[0], b[1]), (a[1], b[0])]
    assert pairs[2] == (a[2], b[2])
    assert pairs[3:] == [(a[3], None), (None, b[3])]  # they touch and do not overlap


def test_the_better_overlap_wins():
    a = bound(said(start=0, end=20))
    b = bound(said(start=15, end=30), said(component="maintenance", start=0, end=18))
    assert match(a, b) == [(a[0], b[1]), (None, b[0])]


def test_empty_spans_of_one_place_are_a_pair():
    a, b = bound(said(start=0, end=0)), bound(said(start=0, end=0, subject="other"))
    assert match(a, b) == [(a[0], b[0])]


@given(st.lists(any_frames(), max_size=8), st.lists(any_frames(), max_size=8))
def test_each_frame_is_in_one_pair(one, other):
    a, b = bound(*one), bound(*other)
    pairs = match(a, b)
    assert sorted(map(id, a)) == sorted(id(x) for x, _ in pairs if x is not None)
    assert sorted(map(id, b)) == sorted(id(y) for _, y in pairs if y is not None)
    assert all(x.frame.turn == y.frame.turn for x, y in pairs if x is not None and y is not None)


# -- any two runs ------------------------------------------------------------------------------------------------------


@st.composite
def two_runs(draw):
    """(instrument, dimension, frames of A, frames of B): B is A with frames lost, gained and changed."""
    instrument, dimension = draw(any_cells())
    frames = st.one_of(surviving(instrument, dimension), excluded(instrument, dimension))
    a = [frame.replace(start=10 * n, end=10 * n + 5) for n, frame in enumerate(draw(st.lists(frames, max_size=4)))]
    b = []
    for frame in a:
        step = draw(st.sampled_from(["same", "same", "drop", *ATTRIBUTES]))
        if step == "drop":
            continue
        other = draw(frames)
        b.append(frame.replace(id="x" + frame.id, **({} if step == "same" else {step: getattr(other, step)})))
    b += [frame.replace(start=100 + 10 * n, end=105 + 10 * n)
          for n, frame in enumerate(draw(st.lists(frames, max_size=2)))]
    return instrument, dimension, a, b


@given(two_runs())
def test_what_is_named_accounts_for_the_difference(case):
    instrument, dimension, a, b = case
    one, other = (run(name, *judge(frames, instrument, dialogue_id="d1")) for name, frames in (("a", a), ("b", b)))
    found = diff(one, other, KNOWN)
    before, after = (project(frames, instrument, dimension).state for frames in (a, b))
    assert len(found.changed) == (before != after)
    assert dict(found.table) == {(y, x): n for (x, y), n in diff(other, one, KNOWN).table.items()}
    for change in found.changed:
        assert (change.a, change.b) == (before, after)
        assert change.operations and set(change.operations) <= set(OPERATIONS) - {"projection", "unknown", "invalid"}
        assert list(change.operations) == [name for name in OPERATIONS if name in change.operations]
        assert change.alone in (True, False)
        decisive = {"detection" if part.kind != "changed" else difference.operation
                    for part in change.frames
                    for difference in (part.changes if part.kind == "changed" else [part])
                    if difference.decisive}
        assert decisive == set(change.operations)
        json.dumps(change.to_dict())


@given(any_cells(), st.data())
def test_a_single_change_is_named_alone(cell, data):
    instrument, dimension = cell
    frames = data.draw(st.lists(surviving(instrument, dimension), min_size=1, max_size=4))
    a = [frame.replace(start=10 * n, end=10 * n + 5) for n, frame in enumerate(frames)]
    name = data.draw(st.sampled_from(["subject", "time", "strength", "polarity", "withdrawn_by"]))
    value = data.draw({"subject": st.just("other"), "time": intervals(), "strength": st.just("indicator"),
                       "polarity": st.sampled_from(["affirm", "deny"]), "withdrawn_by": st.just(9)}[name])
    found = diff(*(run("x", *judge(version, instrument, dialogue_id="d1"))
                   for version in (a, [a[0].replace(**{name: value}), *a[1:]])), KNOWN)
    for change in found.changed:
        assert (change.operations, change.alone) == ((ATTRIBUTES[name],), True)


# -- output ------------------------------------------------------------------------------------------------------------


def test_no_words_of_the_dialogue_unless_asked_for():
    found = compare([said(polarity="deny", component="ALL")], [said(polarity="deny", component="ALL", object=SECRET)])
    one = only(found)
    assert one.operations == ("assertion",)
    text, row = printed(found, cells=True), json.dumps(one.to_dict())
    assert "4711" not in text and "4711" not in row and "restricted" in text and '"b": "restricted"' in row
    text, row = printed(found, cells=True, quotes=True), one.to_dict(quotes=True)
    assert text.count("4711") == 2 and row["frames"]["changed"][0]["quote"] == SECRET
    assert row["frames"]["changed"][0]["attributes"][0]["b"] == SECRET


def test_the_json_object():
    one = only(compare([said(), said("sleep", "maintenance", turn=6)],
                       [said(start=2, end=12, subject="other", rules={"subject": "en.kin"})])).to_dict()
    assert list(one) == ["dialogue_id", "dimension", "a", "b", "operations", "alone", "frames"]
    assert (one["dialogue_id"], one["dimension"], one["a"], one["b"]) == ("d1", "sleep", "SUFFICIENT_POS", "ABSENT")
    assert one["operations"] == ["detection", "subject"] and one["alone"] is False
    assert one["frames"] == {
        "added": [],
        "removed": [{"turn": 6, "start": 0, "end": 9, "speaker": "participant", "components": ["maintenance"],
                     "polarity": "affirm", "strength": "definite", "excluded_by": None, "rule": "lex.maintenance",
                     "decisive": True}],
        "changed": [{
            "turn": 1, "start": 0, "end": 9, "turn_b": 1, "start_b": 2, "end_b": 12,
            "attributes": [{"attribute": "subject", "operation": "subject", "a": "participant", "b": "other",
                            "rule_a": None, "rule_b": "en.kin", "decisive": True}],
            "verdicts": [{"operation": "subject",
                          "a": {"kept": True, "reason": "about-participant", "rule": "contract.subject"},
                          "b": {"kept": False, "reason": "about-other", "rule": "en.kin"}}]}]}


def test_terminal_view_counts_and_versions():
    found = compare([said(), said("fatigue", "energy", turn=3)],
                    [said(subject="other", rules={"subject": "en.kin"}), said("fatigue", "energy", turn=3)])
    text = printed(found, cells=True)
    for words in ("A  a · rater", "the contract differs"):
        assert words not in text
    for words in ("A  a · contract 1 · rule set r 1 · 8 cells", "B  b · contract 1 · rule set r 2 · 8 cells",
                  "the rule set differs", "changed: 1 of 8 cells (12.5%)",
                  "d1 sleep: SUFFICIENT_POS -> ABSENT  subject  turn 1 [0:9] subject participant (no rule) -> other "
                  "(en.kin)"):
        assert words in text, words
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line}
    assert rows["SUFFICIENT_POS"] == ["SUFFICIENT_POS", "1", "-", "-", "1", "-"]
    assert rows["subject"][-2:] == ["1", "1"] and rows["en.kin"] == ["en.kin", "1", "0", "1"]
    assert "d1 sleep:" not in printed(found)


def test_another_contract_is_said():
    a = cells([])
    b = [moved(cell, "ABSENT") for cell in a]
    text = printed(diff(run("a", *a), run("b", *b), KNOWN))
    assert "the contract differs" in text and "contract 2" in text and "the rule set differs" not in text


def test_the_most_frequent_rules_are_shown():
    a = [cell for n in range(TOP_RULES + 2) for cell in cells(
        [said(rules={"components": f"lex.{n:02}"}), said("fatigue", "energy", turn=2, rules={"components": "lex.x"})],
        ident=f"d{n}")]
    found = diff(run("a", *a), run("b", *(cell for n in range(TOP_RULES + 2) for cell in cells([], ident=f"d{n}"))),
                 KNOWN)
    rules = found.rules()
    assert [(one.rule, one.cells, one.a, one.b) for one in rules[:2]] == [
        ("lex.x", TOP_RULES + 2, TOP_RULES + 2, 0), ("lex.00", 1, 1, 0)]
    text = printed(found)
    assert f"lex.{TOP_RULES - 2:02}" in text and f"lex.{TOP_RULES - 1:02}" not in text and "and 3 more" in text


def test_a_terminal_does_not_obey_a_file():
    cue = Cue("components", "x", "\x1b[2J\nrule", 1, 0, 9)
    frame = said().replace(cues=(cue,), quote="\x1b]0;t\x07")
    found = diff(run("a", *cells([frame], ident="d\x1b\n1")), run("\x1bb", *cells([], ident="d\x1b\n1")), KNOWN)
    text = printed(found, cells=True, quotes=True)
    assert "\x1b" not in text and "\x07" not in text
    assert sum("SUFFICIENT_POS -> ABSENT" in line and "rule" in line for line in text.splitlines()) == 1
