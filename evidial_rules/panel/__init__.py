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
from .rasch import LikelihoodRatio, Measure, Rasch, SeverityCorrected, estimable, measure, severity_corrected
from .votes import MEASURES, Estimate, PanelError, binary

__all__ = [
    "CAVEAT", "COEFFICIENTS", "MEASURES", "Agreement", "Check", "Coefficients", "Comparison", "Component",
    "Dependence", "Estimate", "GStudy", "LikelihoodRatio", "McNemar", "Measure", "ModelFit", "Mtmm", "PanelError",
    "Rasch", "SeverityCorrected", "Stratum", "WithoutRater", "agreement", "binary", "coefficients", "compare",
    "dependence", "estimable", "g_study", "leave_one_out", "measure", "model_fit", "mtmm", "participation_ratio",
    "plurality", "severity_corrected", "top_share",
]
