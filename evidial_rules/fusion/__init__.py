"""Votes in, a reference out: plurality, one-hot mean, Dawid-Skene and RE-LCA (paper, section 3.3 and appendix F)."""
from __future__ import annotations

from .anchoring import Calibration, calibrate, pseudo_counts
from .covariates import TERMS, covariates
from .estimators import RELCA, UNRESOLVED_CODE, DawidSkene, Fusion, OneHotMean, Plurality, decide
from .latent import joint_posterior
from .patterns import DECLINED, FusionError
from .reference import METHODS, AnchorVotes, Fused, Options, anchor_votes, fuse
from .result import Estimate, LatentResult

__all__ = [
    "DECLINED", "METHODS", "RELCA", "TERMS", "UNRESOLVED_CODE", "AnchorVotes", "Calibration", "DawidSkene", "Estimate",
    "Fused", "Fusion", "FusionError", "LatentResult", "OneHotMean", "Options", "Plurality", "anchor_votes", "calibrate",
    "covariates", "decide", "fuse", "joint_posterior", "pseudo_counts",
]
