"""How the panel of raters behaves: agreement, dependence, generalizability, severity, traits and methods, contrasts.

Functions of plain arrays. Votes are integers of shape (cells, raters), -1 for no vote; what they index is a state of
the contract, or 0 and 1 on one of the binary measures.
"""
from __future__ import annotations

from .agreement import COEFFICIENTS, Agreement, agreement
from .contrasts import Comparison, McNemar, WithoutRater, compare, leave_one_out, plurality
from .dependence import CAVEAT, Dependence, dependence, participation_ratio, top_share
from .fit import Check, ModelFit, Stratum, model_fit
from .gtheory import Coefficients, Component, GStudy, coefficients, g_study
from .mtmm import Mtmm, mtmm
from .rasch import Calls, LikelihoodRatio, Rasch, calls, estimable
from .votes import MEASURES, Estimate, PanelError, binary

__all__ = [
    "CAVEAT", "COEFFICIENTS", "MEASURES", "Agreement", "Calls", "Check", "Coefficients", "Comparison", "Component",
    "Dependence", "Estimate", "GStudy", "LikelihoodRatio", "McNemar", "ModelFit", "Mtmm", "PanelError", "Rasch",
    "Stratum", "WithoutRater", "agreement", "binary", "calls", "coefficients", "compare", "dependence", "estimable",
    "g_study", "leave_one_out", "model_fit", "mtmm", "participation_ratio", "plurality", "top_share",
]
