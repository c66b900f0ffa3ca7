"""The programs that measure fusion, on small panels."""
from __future__ import annotations

import numpy as np
import pytest


def test_recovery_smoke(program, tmp_path):
    import recovery

    out, result = program(recovery, "--smoke", "--replicates", "2", "-o", tmp_path / "t.md")
    assert "oracle - MAP" in out and (tmp_path / "t.md").read_text().count("\n") == 15
    rows = {(row["coverage"], row["truth"], row["fit"]): row for row in result["rows"]}
    assert len(rows) == 13
    for row in rows.values():
        assert row["replicates"] == 2 and not row["failed"] and 0.7 < row["map"] < 1 > row["oracle"]
        assert 0 <= row["switched"] <= 1 and 0 <= row["calibration"] < 0.25
    assert rows["3 complete", "agree", "agree"]["gap"] < 0.08
    assert rows["3 complete", "agree", "DS"]["sigma_bias"] is None
    assert ("paper + rule judge", "agree", "agree, missing") in rows


def test_recovery_of_some_conditions(program, monkeypatch):
    import recovery
    from panels import Design

    monkeypatch.setattr(recovery, "conditions", lambda smoke: iter(
        [recovery.Condition(Design(missing=missing, n=(500, 100))) for missing in ("random", "hard")]))
    _, result = program(recovery, "--replicates", "1", "--only", "missing=hard", "--only", "sigma=1.0")
    assert [(row["missing"], row["fit"]) for row in result["rows"]] == [
        ("hard", "agree"), ("hard", "agree, missing"), ("hard", "DS")]
    _, result = program(recovery, "--replicates", "1", "--fit", "DS")
    assert [(row["missing"], row["fit"]) for row in result["rows"]] == [("random", "DS"), ("hard", "DS")]


@pytest.mark.parametrize("coverage", ["paper", "3 complete", "paper + rule judge", "5 complete"])
@pytest.mark.parametrize("covariates", ["none", "crossed", "confounded"])
def test_panels_are_what_they_say(coverage, covariates):
    from panels import COVERAGE, Design, draw_panel

    panel = draw_panel(Design(coverage, covariates=covariates), np.random.default_rng(0))
    assert panel.votes.shape == (2744, len(COVERAGE[coverage]))
    for j, (english, chinese) in enumerate(COVERAGE[coverage]):
        seen = panel.votes[:, j] >= 0
        assert seen[:2168].mean() == pytest.approx(english, abs=0.04)
        assert seen[2168:].mean() == pytest.approx(chinese, abs=0.07)
    assert panel.x.shape == (2744, 1 if covariates == "none" else 4)
    if covariates == "confounded":
        assert abs(np.corrcoef(panel.x[:, 1], panel.x[:, 3])[0, 1]) > 0.1


def test_hard_cells_lose_votes():
    from panels import Design, draw_panel

    panel = draw_panel(Design("paper", missing="hard"), np.random.default_rng(0))
    seen = panel.votes[:2168, 1] >= 0
    assert panel.effects[:2168][seen].mean() > panel.effects[:2168][~seen].mean() + 0.3


def test_raters_can_be_worse_in_rare_states():
    from panels import WORSE, Design, draw_panel

    panel = draw_panel(Design(truth="rare worse", sigma=0.0), np.random.default_rng(0))
    accuracy = np.diagonal(panel.model.marginal_emissions(panel.parameters), axis1=1, axis2=2)
    assert accuracy[:, [2, 4]].max() < WORSE[1] < accuracy[:, [0, 1, 3]].min()


def test_the_oracle_knows_more_than_plurality():
    from panels import Design, draw_panel

    panel = draw_panel(Design("3 complete"), np.random.default_rng(1))
    majority = np.array([np.bincount(row, minlength=5).argmax() for row in panel.votes])
    assert (panel.oracle() == panel.states).mean() > (majority == panel.states).mean()


def test_fusion_speed(program, monkeypatch):
    import fusion_speed

    monkeypatch.setattr(fusion_speed, "theirs", lambda votes: None)
    out, result = program(fusion_speed, "--cells", "5000", "--rounds", "1")
    assert "not installed" in out and result["vs_crowdkit"] is None
    assert result["relca_s"] > 0 and result["relca_million_s"] > 0 and result["rss_mb"] > 0
