"""Readers and writers: canonical JSON Lines and Parquet, and published transcript formats."""
from __future__ import annotations

from .canonical import read_dialogue_rows, read_dialogues
from .convert import FORMATS, Format, convert, convert_each, input_files
from .files import Rejected, Row, atomic, read_jsonl, read_rows, to_json, write_jsonl
from .judged import (
    read_cell_rows,
    read_cells,
    read_judged_rows,
    read_plan,
    read_predictions,
    read_reference_rows,
    read_references,
    read_vote_rows,
    read_votes,
)
from .labels import Labels, read_labels
from .pool import reference_pool
from .speakers import SpeakerMap
from .votetable import MISSING, VotesError, VoteTable, vote_table

__all__ = [
    "FORMATS", "MISSING", "Format", "Labels", "Rejected", "Row", "SpeakerMap", "VoteTable", "VotesError", "atomic",
    "convert", "convert_each", "input_files", "read_cell_rows", "read_cells", "read_dialogue_rows",
    "read_dialogues", "read_jsonl", "read_judged_rows", "read_labels", "read_plan", "read_predictions",
    "read_reference_rows", "read_references", "read_rows", "read_vote_rows", "read_votes", "reference_pool",
    "to_json", "vote_table", "write_jsonl",
]
