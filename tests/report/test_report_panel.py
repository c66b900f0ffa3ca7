"""The panel's report: what it holds, what it says of votes that do not allow a figure, the command."""
from __future__ import annotations

import io
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from rich.console import Console

from evidial_rules.anchors import CLASSES
from evidial_rules.anchors.score import Anchor
from evidial_rules.cli import run
from evidial_rules.contract import STATES, Dialogue, Vote
from evidial_rules.corpora import vote_table
from evidial_rules.fusion import Options, Plurality, anchor_votes, fuse
from evidial_rules.panel import PanelError
from evidial_rules.report.panel import BUILT_IN, Settings, gather, panel_parts, panel_report, simulator
from evidial_rules.report.panel_terminal import panel_view
from evidial_rules.resources import load_instrument

QUICK = Settings(replicates=20, simulated=9, fusion=False)


def dialogue(number, language, prefix="d"):
    source, instrument = ("E-DAIC", "PHQ-8") if language == "en" else ("PDCH", "HAMD-17")
    return Dialogue.from_dict({"dialogue_id": f"{prefix}{language}{number}", "participant_id": f"p{number}",
                               "source": source, "language": language, "instrument": instrument, "turns": []})


def make(raters, n=14, seed=0, accuracy=0.8):
    """Dialogues of two sources, and votes of raters (name: share of the cells they vote on) that err independently."""
    rng = np.random.default_rng(seed)
    dialogues = [dialogue(i, language) for language in ("en", "zh") for i in range(n)]
    votes = []
    for one in dialogues:
        lean = rng.normal()
        for dimension in load_instrument(one.instrument).ordered:
            truth = int(np.digitize(lean + rng.normal(), [-0.5, 0.3, 0.5, 1.4]))
            for rater, share in raters.items():
                if rng.random() < share:
                    code = truth if rng.random() < accuracy else int(rng.integers(5))
                    votes.append(Vote(one.dialogue_id, dimension, rater, STATES[code]))
    return dialogues, votes


def shown(report):
    out = io.StringIO()
    console = Console(file=out, width=160, markup=False, emoji=False)
    for part in panel_view(report):
        console.print(part)
    return out.getvalue()


def checked(report):
    """The report, through JSON and on a terminal, with no NaN in either."""
    text = json.dumps(report, allow_nan=False)
    assert "nan" not in shown(report).lower().split()
    return json.loads(text)


@pytest.fixture(scope="module")
def whole():
    dialogues, votes = make({"rules": 1.0, "a": 1.0, "b": 0.9, "c": 0.5})
    votes.append(Vote("den0", "sleep", "late", None, False, "no JSON"))
    votes.append(Vote("den1", "sleep", "late", "ABSENT"))
    table = vote_table(votes, dialogues, raters=["rules", "a", "b", "c"])
    bases = [dialogue(i, "en", "view") for i in range(60)]
    anchors = [Anchor(one, list(CLASSES)[i % len(CLASSES)], "sleep", list(CLASSES.values())[i % len(CLASSES)].expected)
               for i, one in enumerate(bases)]
    rng = np.random.default_rng(1)
    given = [Vote(anchor.dialogue.dialogue_id, "sleep", rater,
                  anchor.expected if rng.random() < 0.6 else STATES[rng.integers(5)])
             for anchor in anchors[:50] for rater in ("rules", "a", "stranger")]
    held = anchor_votes(anchors, given)
    return table, held, panel_report(table, Settings(replicates=30, simulated=19, starts=2), anchors=held)


def test_every_part_is_there_and_is_json(whole):
    table, _, report = whole
    checked(report)
    assert set(Settings().parts(anchors=True)) < set(report)
    assert [name for name, _ in panel_parts(table, QUICK)] == list(QUICK.parts())
    assert report["cells"] == 14 * 16 == len(table) and report["participants"] == 28
    assert report["sources"] == {"E-DAIC": 112, "PDCH": 112}


def test_it_says_that_agreement_is_partly_built_in(whole):
    _, _, report = whole
    assert report["note"] == BUILT_IN and BUILT_IN in " ".join(shown(report).split())
    pairs = report["agreement"]["state"]["all"]["pairs"]
    kappas = [(pair["cohen"]["value"], "rules" in pair["raters"]) for pair in pairs]
    for key, with_rules in (("cohen_with", True), ("cohen_among_others", False)):
        mean = np.mean([kappa for kappa, has in kappas if has == with_rules])
        assert report["agreement"]["with_rules"][key] == pytest.approx(mean, abs=1e-5)


def test_blocks_are_those_of_the_corpus(whole):
    table, _, report = whole
    english = {"language=en", "source=E-DAIC", "language=zh", "source=PDCH"}
    assert set(report["dependence"]["assessability"]) == {"all"} | english
    assert set(report["mtmm"]) == {"all", "language=en", "language=zh"}
    assert len(report["agreement"]["state"]) == 1 + 4 + 9
    assert sum(row["votes"] for row in report["raters"]["raters"]) == (table.votes >= 0).sum()
    assert sum(report["raters"]["votes_per_cell"].values()) == len(table)


def test_references_are_compared_with_each_other_and_without_each_rater(whole):
    table, _, report = whole
    methods = {row["method"]: row for row in report["aggregation"]["methods"]}
    assert list(methods) == ["plurality", "mean", "dawid-skene", "relca", "relca-lean"]
    assert list(report["model_fit"]) == ["dawid-skene", "relca", "relca-lean"]
    same = next(row for row in report["aggregation"]["comparisons"] if (row["a"], row["b"]) == ("plurality", "mean"))
    assert same["changed"] == 0 and same["only_a"] == same["only_b"] == 0  # a mean of votes is plurality
    assert len(report["aggregation"]["comparisons"]) == 10
    without = report["without_rater"]["plurality"]["raters"]
    assert [row["rater"] for row in without] == list(table.raters)
    gone = (table.without("rules").votes >= 0).sum(1) == 0
    assert without[0]["sole_votes"] == (gone & (table.votes >= 0).any(1)).sum()
    assert methods["relca"]["sigma"] > 0 and methods["dawid-skene"]["sigma"] is None
    for method in ("dawid-skene", "relca"):
        assert report["without_rater"][method]["raters"][3]["comparison"]["both"] > 200


def test_the_models_are_checked_by_source_and_dimension(whole):
    _, _, report = whole
    strata = {row["stratum"] for row in report["model_fit"]["relca"]["strata"]}
    assert {"all", "source=PDCH", "source=E-DAIC", "dimension=sleep"} <= strata and len(strata) == 12
    assert all(row["p"] >= 0.05 for row in report["model_fit"]["relca"]["strata"] if row["stratum"] == "all")


def test_references_on_anchors(whole):
    table, held, report = whole
    part = report["anchors"]
    assert (part["anchors"], part["voted"], part["single_vote"]) == (60, 50, 0)
    plain = next(row for row in part["methods"] if row["method"] == "plurality")
    codes = held.table(table.raters)[:50, :2]
    agreed = codes[:, 0] == codes[:, 1]
    assert plain["resolved"] == agreed.sum()
    assert plain["hits"] == (agreed & (codes[:, 0] == held.expected[:50])).sum()
    assert len(part["mcnemar"]) == 10
    same = next(row for row in part["mcnemar"] if (row["a"], row["b"]) == ("plurality", "mean"))
    assert same["only_a"] == same["only_b"] == 0 and same["exact_p"] == 1 and same["statistic"] is None


def test_references_on_anchors_without_a_rater(whole):
    table, held, report = whole
    codes = held.table(table.raters)[:50]
    plain = {row["rater"]: row for row in report["anchors"]["without_rater"] if row["method"] == "plurality"}
    # Two raters vote on anchors. Without the one, the other decides alone, and is right where it is.
    alone = codes[:, 1] == held.expected[:50]
    both = alone & (codes[:, 0] == codes[:, 1])
    assert plain["rules"]["hits"] == alone.sum()
    assert (plain["rules"]["only_a"], plain["rules"]["only_b"]) == (0, (alone & ~both).sum())
    # One that has no vote on them makes no difference to plurality.
    assert plain["c"]["only_a"] == plain["c"]["only_b"] == 0
    assert {row["method"] for row in report["anchors"]["without_rater"]} == {"plurality", "dawid-skene", "relca"}


def test_votes_on_anchors_by_nobody_of_the_panel():
    dialogues, votes = make({"a": 1.0, "b": 1.0, "c": 1.0}, n=6)
    held = anchor_votes([Anchor(dialogue(0, "en"), "P1", "sleep", "ABSENT")], [Vote("den0", "sleep", "x", "ABSENT")])
    how = Settings(replicates=0, simulated=0, starts=1)
    report = checked(panel_report(vote_table(votes, dialogues), how, anchors=held))
    assert report["anchors"]["voted"] == 0 and "none of the panel's raters" in report["anchors"]["why"]


@pytest.mark.parametrize("method", ["dawid-skene", "relca"])
def test_simulated_votes_are_those_of_the_model(method):
    dialogues, votes = make({"a": 1.0, "b": 0.7, "c": 1.0}, n=60)
    one = fuse(vote_table(votes, dialogues), method, Options(n_starts=1))
    draw = simulator(one)
    drawn = np.stack([draw(np.random.default_rng(seed)) for seed in range(40)])
    assert ((drawn < 0) == (one.table.votes < 0)).all()
    expected = np.einsum("k,jky->jy", one.result.prevalence, one.result.emissions)
    for j in range(3):
        given = drawn[:, :, j][drawn[:, :, j] >= 0]
        assert np.bincount(given, minlength=5) / len(given) == pytest.approx(expected[j], abs=0.01)
    # As often alike as the votes that the model was fitted to.
    ours = (one.table.votes[:, 0] == one.table.votes[:, 2]).mean()
    assert (drawn[..., 0] == drawn[..., 2]).mean() == pytest.approx(ours, abs=0.03)
    assert (draw(np.random.default_rng(1)) == drawn[1]).all()


def test_plurality_has_no_model_to_simulate_from():
    dialogues, votes = make({"a": 1.0, "b": 1.0}, n=2)
    with pytest.raises(PanelError, match="a method with a model"):
        simulator(fuse(vote_table(votes, dialogues), "plurality"))


def states(columns):
    """A table of dialogues under PHQ-8 from rows of codes by rater."""
    return [Vote(f"d{row // 8}", load_instrument("PHQ-8").ordered[row % 8], rater, STATES[code])
            for rater, codes in columns.items() for row, code in enumerate(codes) if code >= 0]


VARIED = np.random.default_rng(0).integers(0, 5, 160)


def test_one_judge_only():
    report = checked(panel_report(vote_table(states({"a": VARIED})), Settings(replicates=20, simulated=9, starts=1)))
    assert report["agreement"]["state"]["all"]["coefficients"]["observed"]["why"]
    assert report["dependence"]["state"]["all"]["participation_ratio"]["value"] is None
    assert "why" in report["generalizability"]["assessability"]
    assert report["severity"]["measures"][0]["model"] is None
    assert report["mtmm"]["all"]["plain"]["blocks"]["monotrait_heteromethod"]["mean"] is None
    assert all("two raters or more" in row["why"] for row in report["aggregation"]["methods"])
    assert all(part["raters"] is None for part in report["without_rater"].values())
    assert report["model_fit"]["relca"]["strata"] is None and report["aggregation"]["comparisons"] == []


def test_judges_alike():
    report = checked(panel_report(vote_table(states(dict.fromkeys("abc", VARIED))), QUICK))
    assert report["agreement"]["state"]["all"]["coefficients"]["krippendorff"]["value"] == 1
    assert report["dependence"]["state"]["all"]["participation_ratio"]["value"] == 1
    assert report["generalizability"]["assessability"]["decision_study"][0]["relative"] == 1
    assert "severities are finite: calls are by majority" in report["severity"]["measures"][0]["why"]
    assert report["severity"]["changed"] == 0


def test_constant_votes():
    report = checked(panel_report(vote_table(states(dict.fromkeys("abc", [0] * 40))), QUICK))
    assert "expected by chance" in report["agreement"]["state"]["all"]["coefficients"]["fleiss"]["why"]
    assert set(report["dependence"]["state"]["all"]["left_out"]) == {"a", "b", "c"}
    assert report["generalizability"]["assessability"]["decision_study"][0]["relative"] is None
    assert report["generalizability"]["direction"]["why"]


@pytest.mark.parametrize("codes", [VARIED, np.zeros(40, dtype=int)], ids=["alike", "constant"])
def test_references_of_judges_that_are_alike(codes):
    how = Settings(replicates=0, simulated=9, starts=1)
    report = checked(panel_report(vote_table(states(dict.fromkeys("abc", codes))), how))
    row = report["aggregation"]["methods"][0]
    assert row["resolved"] == 1 and row["states"]["ABSENT"] == (codes == 0).sum()
    assert all(one["comparison"]["changed"] == 0 for one in report["without_rater"]["plurality"]["raters"])


@given(arrays.arrays(np.int64, st.tuples(st.just(16), st.integers(1, 3)), elements=st.integers(-1, 4)))
@settings(max_examples=40)
def test_whatever_the_votes_nothing_is_nan(codes):
    columns = {f"r{j}": column for j, column in enumerate(codes.T) if (column >= 0).any()}
    if columns:
        report = checked(panel_report(vote_table(states(columns)), Settings(replicates=3, fusion=False)))
        assert [row["rater"] for row in report["raters"]["raters"]] == list(columns)


def test_two_raters_cannot_carry_a_latent_class_model():
    # One group of dimensions only: with several, shared confusions would tell more.
    other = np.where(np.random.default_rng(1).random(160) < 0.7, VARIED, 0)
    votes = [vote for vote in states({"a": VARIED, "b": other}) if vote.dimension in ("sleep", "fatigue")]
    report = checked(panel_report(vote_table(votes), Settings(replicates=0, simulated=9, starts=1)))
    assert report["model_fit"]["relca"]["strata"] is None and "identified" in report["model_fit"]["relca"]["why"]
    assert report["without_rater"]["relca"]["raters"] is None
    # Nor is one rater a panel, so there is no reference without the other.
    assert "two raters or more" in report["without_rater"]["plurality"]["raters"][1]["why"]


def test_a_source_without_votes():
    dialogues, votes = make({"rules": 1.0, "a": 1.0, "b": 1.0}, n=10)
    english = [vote for vote in votes if vote.dialogue_id.startswith("den")]
    report = checked(panel_report(vote_table(english, dialogues), Settings(replicates=10, simulated=9, starts=1)))
    empty = report["agreement"]["state"]["source=PDCH"]["coefficients"]["fleiss"]
    assert empty["value"] is None and empty["why"] == "no cell with two votes or more" and empty["n"] == 0
    assert "votes" in report["mtmm"]["language=zh"]["plain"]["why"]
    strata = {row["stratum"]: row for row in report["model_fit"]["dawid-skene"]["strata"]}
    assert strata["source=PDCH"]["why"] == "no votes" and report["voted"] == 80


def test_no_simulations_and_no_intervals():
    dialogues, votes = make({"a": 1.0, "b": 1.0, "c": 1.0}, n=10)
    report = checked(panel_report(vote_table(votes, dialogues), Settings(replicates=0, simulated=0, starts=1)))
    assert report["model_fit"]["relca"] == {"strata": None, "why": "not asked for"}
    assert report["agreement"]["state"]["all"]["coefficients"]["fleiss"]["ci"] is None
    assert report["agreement"]["with_rules"]["why"] == "no pair with a rater named rules"


def test_the_order_of_the_votes_does_not_matter():
    dialogues, votes = make({"rules": 1.0, "a": 0.7, "b": 0.9}, n=8)
    one = panel_report(vote_table(votes, dialogues), QUICK)
    again = vote_table(votes[::-1], dialogues).only(vote_table(votes, dialogues).raters)
    assert one == panel_report(again, QUICK)


def test_gather_keeps_what_was_asked_for():
    dialogues, votes = make({"a": 1.0, "b": 1.0}, n=3)
    table = vote_table(votes, dialogues)
    report = gather(table, Settings(replicates=7, seed=3, by_source=True), {"x": 1})
    assert report["settings"] == {"replicates": 7, "seed": 3, "level": 0.95, "by_source": True, "simulated": 200,
                                  "starts": 4}
    assert report["x"] == 1


def test_plurality_of_the_report_is_that_of_the_fusion(whole):
    table, _, report = whole
    found = Plurality().fit(table).predict_proba(table)
    sole = (np.sort(found, axis=1)[:, -2] < 1e-9) & (table.votes >= 0).any(1)
    row = report["aggregation"]["methods"][0]
    assert row["resolved"] == pytest.approx(sole.mean(), abs=1e-6)


@pytest.fixture
def files(tmp_path):
    dialogues, votes = make({"rules": 1.0, "a": 0.8, "b": 0.8}, n=6)
    for name, rows in (("dialogues", dialogues), ("votes", votes)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row.to_dict()) + "\n" for row in rows), "utf-8")
    return tmp_path


def panel(files, *arguments):
    return run(["panel", str(files / "votes.jsonl"), *arguments])


def test_the_command(files, capsys):
    out = files / "panel.json"
    options = ("--no-fusion", "--replicates", "9", "--dialogues", str(files / "dialogues.jsonl"), "--seed", "4")
    assert panel(files, "-o", str(out), *options) == 0
    report = json.loads(out.read_text("utf-8"))
    assert report["settings"]["seed"] == 4 and report["sources"] == {"E-DAIC": 48, "PDCH": 48}
    assert "Rasch" in capsys.readouterr().out
    assert panel(files, "-o", "-", *options) == 0
    assert json.loads(capsys.readouterr().out) == report


def test_the_command_with_some_raters_only(files, capsys):
    assert panel(files, "-o", "-", "--no-fusion", "--rater", "a", "--rater", "b", "--replicates", "0") == 0
    report = json.loads(capsys.readouterr().out)
    assert [row["rater"] for row in report["raters"]["raters"]] == ["a", "b"]
    assert report["sources"] == {} and report["participants"] == 12  # without dialogues, a dialogue a participant


@pytest.mark.parametrize("arguments, words", [
    (["--rater", "nobody"], "a rater that votes in the files"),
    (["--rater", "a", "--rater", "nobody"], "a rater that votes in the files"),
    (["--anchors", "x.jsonl"], "(--anchor-votes) together"),
    (["--replicates", "-1"], "--replicates"),
    (["-o", "votes.jsonl"], "another file than the input"),
])
def test_what_the_command_refuses(files, capsys, monkeypatch, arguments, words):
    monkeypatch.chdir(files)
    assert run(["panel", "votes.jsonl", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error, error
    assert error.count("\n") == 1


def test_a_vote_for_an_unknown_cell(files, capsys):
    first = (files / "dialogues.jsonl").read_text("utf-8").splitlines()[0]
    (files / "one.jsonl").write_text(first + "\n", "utf-8")
    out = files / "panel.json"
    assert panel(files, "--dialogues", str(files / "one.jsonl"), "-o", str(out)) == 2
    assert "a cell of the dialogues" in capsys.readouterr().err and not out.exists()


def lines(path, rows):
    path.write_text("".join(json.dumps(row.to_dict()) + "\n" for row in rows), "utf-8")


@pytest.mark.parametrize("gate, votes_of_b", [(None, {"en": 48, "zh": 0}), ("0", {"en": 48, "zh": 36})])
def test_answers_that_are_not_valid_leave_a_rater_out_in_its_language(tmp_path, capsys, gate, votes_of_b):
    dialogues, votes = make({"rules": 1.0, "a": 1.0, "b": 1.0}, n=6)
    spoilt = [vote for vote in votes if vote.rater == "b" and vote.dialogue_id.startswith("dzh")][:12]
    votes = [Vote(one.dialogue_id, one.dimension, "b", None, False, "schema") if one in spoilt else one
             for one in votes]
    lines(tmp_path / "d.jsonl", dialogues)
    lines(tmp_path / "v.jsonl", votes)
    options = [] if gate is None else ["--gate", gate]
    assert run(["panel", str(tmp_path / "v.jsonl"), "--dialogues", str(tmp_path / "d.jsonl"), "--no-fusion",
                "--replicates", "0", "-o", str(tmp_path / "o.json"), *options]) == 0
    said = capsys.readouterr()
    assert ("left out: votes of 'b' (zh), 36 of 48 answers valid" in said.err) == (gate is None)
    report = checked(json.loads((tmp_path / "o.json").read_text("utf-8")))
    row = next(row for row in report["raters"]["raters"] if row["rater"] == "b")
    assert {language: block["votes"] for language, block in row["by_language"].items()} == votes_of_b
    held = {(one["rater"], one["language"]): one for one in report["raters"]["validity"]}
    assert held["b", "zh"]["valid"] == 36 and held["b", "zh"]["left_out"] == (gate is None)
    # 84 of 96 are too few over all, but what counts is the language.
    assert held["b", "all"]["excluded"] == (gate is None)
    assert not held["b", "all"]["left_out"] and not held["b", "en"]["left_out"] and "Validity of answers" in said.out


def test_without_dialogues_a_rater_goes_altogether(tmp_path, capsys):
    _, votes = make({"rules": 1.0, "a": 1.0}, n=2)
    votes += [Vote(one.dialogue_id, one.dimension, "b", *(("ABSENT",) if i % 2 else (None, False, "empty")))
              for i, one in enumerate(vote for vote in votes if vote.rater == "a")]
    lines(tmp_path / "v.jsonl", votes)
    assert run(["panel", str(tmp_path / "v.jsonl"), "--no-fusion", "--replicates", "0", "-o", "-"]) == 0
    said = capsys.readouterr()
    assert [row["rater"] for row in json.loads(said.out)["raters"]["raters"]] == ["rules", "a"]
    assert "left out: votes of 'b' (all), 16 of 32 answers valid" in said.err
