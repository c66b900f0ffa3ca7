"""The program that measures what a large corpus costs, on two dialogues."""
from __future__ import annotations

import doctest

import pytest
import scale


def test_the_examples():
    assert doctest.testmod(scale).failed == 0


def test_scale(program, dialogues, tmp_path, monkeypatch):
    monkeypatch.setattr(scale, "FACTORS", (1, 2))
    page = tmp_path / "scale.md"
    out, last = program(scale, dialogues(), "--rounds", "1", "--stream", "10", "--ids", "100", "-o", page)
    assert "A billion turns, calculated" in out and "calculation, not measurement" in page.read_text(encoding="utf-8")
    assert set(last["rates"]) == {"en", "zh"} and last["linear"]["dialogues"]["sizes"] == [2, 4]
    assert 0 < last["bytes"]["json_states"] < last["bytes"]["json_frames"]
    assert last["billion"]["dialogues"] == 250_000_000 and last["cells_per_dialogue"] == 9


def test_a_billion_is_calculated_from_the_figures():
    found = {"rates": {"en": {"turns_per_s_written": 1000.0}, "zh": {"turns_per_s_written": 3000.0}},
             "turns_per_dialogue": 50.0, "cells_per_dialogue": 9.0, "client": {"ids_us": 2.0, "hash_mb_per_s": 1000.0},
             "bytes": {"input_per_turn": 40.0, "parquet_frames": 200.0, "parquet_states": 20.0}}
    end = scale.billion(found)
    # half of the turns at 1,000 a second and half at 3,000: 1,500 a second
    assert end["core_hours"] == pytest.approx(1e9 / 1500 / 3600, abs=0.1)
    assert end["cells"] == 180_000_000 and end["states_gb"] == 3.6 and end["frames_tb"] == 0.04
    assert end["parts"] == round(20_000_000 / 512) and end["client_hours"] == 0.02
