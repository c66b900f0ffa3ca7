"""The report of a study: the paper's Tables 2 to 6 and Figures 2 to 5 out of whatever files its folder has.

`folder` reads, `measures` computes by the functions that the other commands use, `sheets` makes tables of it, `charts`
draws, and `page` writes one page and the files beside it. Figures need the extra `report`.
"""
from __future__ import annotations

from .folder import KINDS, File, Folder, read_folder
from .measures import Measures, Settings, measure
from .page import sections, study_page, write_study
from .values import Chart, Missing, ReportError, Section, Sheet, Value

__all__ = [
    "KINDS", "Chart", "File", "Folder", "Measures", "Missing", "ReportError", "Section", "Settings", "Sheet", "Value",
    "measure", "read_folder", "sections", "study_page", "write_study",
]
