"""Blinded human validation (paper, section 5): cells drawn, forms out, answers in, agreement and rescoring."""
from __future__ import annotations

from .agree import agreement_part, human_report, recovery_part, reference_part, rescoring_part
from .consensus import METHOD, adjudication, consensus, differing, human_reference, unsettled
from .form import form_page
from .importing import Imported, import_answers, read_answers
from .label_studio import labelling_config, tasks
from .questions import Question, dialogues_of, language_of, questions
from .sampling import ALLOCATIONS, CELLS, sample
from .values import (
    FIRST,
    FOUR_STATES,
    SIDES,
    THIRD,
    Annotation,
    HumanError,
    Item,
    Key,
    Quote,
    annotator_name,
    choice_of,
    read_annotations,
    read_key,
    state_of,
)

__all__ = [
    "ALLOCATIONS", "CELLS", "FIRST", "FOUR_STATES", "METHOD", "SIDES", "THIRD", "Annotation", "HumanError", "Imported",
    "Item", "Key", "Question", "Quote", "adjudication", "agreement_part", "annotator_name", "choice_of", "consensus",
    "dialogues_of", "differing", "form_page", "human_reference", "human_report", "import_answers", "labelling_config",
    "language_of", "questions", "read_annotations", "read_answers", "read_key", "recovery_part", "reference_part",
    "rescoring_part", "sample", "state_of", "tasks", "unsettled",
]
