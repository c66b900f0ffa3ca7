"""Data with reference values from independent programs (R: eRm, psychotools, lme4, psych; Python libraries)."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def three_judges():
    """Votes of three judges on 400 cells in five categories, with votes missing; shape (400, 3)."""
    table = pd.read_csv(DATA / "votes.csv").pivot(index="task", columns="worker", values="label")
    return table.fillna(-1).astype(int).to_numpy()


@pytest.fixture(scope="session")
def nested():
    """Scores of 220 units by five raters, and the participant of each unit."""
    table = pd.read_csv(DATA / "gt.csv").pivot(index=["p", "u"], columns="k", values="y")
    return table.to_numpy(), table.index.get_level_values("p").to_numpy()


@pytest.fixture(scope="session")
def yes_no():
    """Binary votes of five raters on 300 cells, complete; shape (300, 5)."""
    return pd.read_csv(DATA / "rasch.csv").to_numpy()


@pytest.fixture
def panel():
    """Votes of four judges on 40 participants' eight dimensions: states that are alike within a participant, with
    errors and holes. Returns votes (320, 4), participants, sources and dimensions (320,)."""
    rng = np.random.default_rng(3)
    people, dims = np.repeat(np.arange(40), 8), np.tile(np.arange(8), 40)
    lean = rng.normal(size=40)[people] + rng.normal(size=8)[dims]
    truth = np.digitize(lean + 0.7 * rng.normal(size=320), [-0.6, 0.6, 0.7, 1.8])
    votes = np.where(rng.random((320, 4)) < 0.75, truth[:, None], rng.integers(0, 5, (320, 4)))
    votes[rng.random((320, 4)) < [0.0, 0.2, 0.4, 0.1]] = -1
    return votes, people, np.where(people < 12, "PDCH", "E-DAIC"), np.array([f"dim{d}" for d in dims])
