"""Votes drawn from a latent class model: for recovery studies, and to hold a fit against what it would have given."""
from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from ..corpora import MISSING
from .latent import LatentClass, Parameters
from .patterns import Codes, Floats


def draw(probabilities: Floats, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One category for each row of probabilities (n, m), as codes (n,)."""
    return (probabilities.cumsum(axis=-1) > rng.random((*probabilities.shape[:-1], 1))).argmax(axis=-1)


def simulate(
    model: LatentClass, parameters: Parameters, x: Floats, observed: npt.NDArray[np.bool_], rng: np.random.Generator,
    effects: Floats | None = None,
) -> tuple[npt.NDArray[np.int64], Codes]:
    """States (n,) and votes (n, J) of cells with covariates x (n, P), where `observed` (n, J) says who votes.

    effects: the cells' effects (n,), drawn from N(0, sigma^2) if they are not given.
    """
    n = len(x)
    states = draw(model.prevalence(parameters.gamma, x), rng)
    if effects is None:
        effects = rng.normal(0, parameters.sigma, n) if parameters.sigma else np.zeros(n)
    loadings = np.ones(model.raters) if model.loadings is None else model.loadings
    votes = np.full((n, model.raters), MISSING, dtype=np.int8)
    for j in range(model.raters):
        eta = parameters.alpha[j][states] + loadings[j] * effects[:, None] * model.design[states]
        votes[:, j] = np.where(observed[:, j], draw(softmax(eta, axis=1), rng), MISSING)
    return states, votes
