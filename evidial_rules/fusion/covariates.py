"""Covariates of the states' prevalence: an intercept, where a dialogue comes from, and the dimension's group, without
interaction (paper, appendix F)."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..corpora import MISSING, VoteTable
from ..errors import shown
from .patterns import Floats, FusionError

TERMS = ("source", "group")
"""The terms: "source" is source and language together, "group" is `contract.DIMENSION_GROUPS`."""


def covariates(table: VoteTable, terms: Sequence[str] = TERMS) -> tuple[Floats, tuple[str, ...]]:
    """The design matrix (n, P) of the cells and the names of its columns: indicators against each term's first level.

    A term with one level adds nothing. Raises :class:`FusionError` for another term, and for a level on whose cells
    nobody voted: its prevalence could not be told.

    >>> from evidial_rules.contract import Vote
    >>> from evidial_rules.corpora import vote_table
    >>> table = vote_table([Vote("d", "sleep", "a", "PARTIAL"), Vote("d", "anhedonia", "a", "ABSENT")])
    >>> covariates(table)[1]
    ('intercept', 'group affective')
    """
    voted = (table.votes != MISSING).any(axis=1)
    columns, names = [np.ones(len(table))], ["intercept"]
    for term in terms:
        if term not in TERMS:
            raise FusionError(where="covariates", expected=f"{' or '.join(TERMS)}, found {shown(term)}")
        of_cell = (list(zip(table.sources, table.languages, strict=True)) if term == "source"
                   else [(group,) for group in table.groups])
        levels = list(dict.fromkeys(of_cell))
        for level in levels:
            here = np.array([one == level for one in of_cell])
            name = "/".join(part or "?" for part in level)
            if not voted[here].any():
                raise FusionError(where=f"covariate {term}",
                                  expected=f"a vote on a cell of {' '.join(shown(part) for part in level)}; leave the "
                                           "term or those dialogues out")
            if level != levels[0]:
                columns.append(here.astype(float))
                names.append(f"{term} {name}")
    return np.stack(columns, axis=1), tuple(names)
