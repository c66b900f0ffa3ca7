"""Votes in, a reference out: plurality, one-hot mean, Dawid-Skene and RE-LCA (paper, section 3.3 and appendix F)."""
from __future__ import annotations

from .estimators import RELCA, UNRESOLVED_CODE, DawidSkene, Fusion, OneHotMean, Plurality, decide
from .latent import joint_posterior
from .patterns import FusionError
from .result import Estimate, LatentResult

__all__ = [
    "RELCA", "UNRESOLVED_CODE", "DawidSkene", "Estimate", "Fusion", "FusionError", "LatentResult", "OneHotMean",
    "Plurality", "decide", "joint_posterior",
]
