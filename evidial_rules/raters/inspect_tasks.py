"""The LLM judge as a task of inspect_ai, found through its entry point:

    inspect eval evidial_rules/evidial_judge -T dialogues=dialogues.jsonl --model provider/model

`inspect eval` runs it, `inspect view` shows it: one sample a cell, with its prompt, the answer and three scores. The
logs that inspect_ai writes hold dialogues and answers in full. It needs the extra `llm`; `evidial judge` is the way to
votes, with a log of raw answers to resume from.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, ResponseSchema
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
    value_to_float,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from ..contract import DIMENSIONS, STATES, Dialogue, Vote
from ..corpora import Row, read_dialogues, read_judged_rows, read_rows
from ..errors import EvidialError, shown
from ..resources import load_instrument
from .llm.prompt import Request, build
from .llm.protocol import answer_schema
from .llm.reading import read_vote
from .llm.transport import stop_of

__all__ = ["evidial_judge"]


class TaskError(EvidialError):
    """An argument of a task that cannot be used."""

    code = "E224"
    template = "{where}: expected {expected}"


@task
def evidial_judge(dialogues: str, gold: str | None = None, dimension: str | None = None, schema: bool = True) -> Task:
    """Frames and state of each cell, as `evidial judge` asks for them.

    dialogues: canonical dialogues, JSON Lines or Parquet. gold: states to compare with, as cells, votes of one rater,
    or lines of `{"dialogue_id", "gold": {dimension: state}}`; cells that it does not know are left out of that score.
    dimension: that one only. schema: hold the provider to the form of the answer, where it can be.

    Raises an EvidialError that starts with file and line for files that cannot be read.
    """
    if dimension is not None and dimension not in DIMENSIONS:
        raise TaskError(where="dimension", expected=f"one of {', '.join(DIMENSIONS)}, found {shown(dimension)}")
    known = {} if gold is None else dict(_gold(gold))
    samples = [
        _sample(one, request, known.get((one.dialogue_id, request.dimension)))
        for one in read_dialogues(dialogues) for request in _requests(one) if dimension in (None, request.dimension)
    ]
    if not samples:
        raise TaskError(where="dialogues", expected="a file with dialogues whose instrument has the dimension")
    scorers = [format_validity(), own_state()] if gold is None else [format_validity(), own_state(), gold_state()]
    # A provider that fails on one cell is no reason to lose the others.
    return Task(dataset=MemoryDataset(samples, name="evidence cells"), solver=judge_cell(schema), scorer=scorers,
                config=GenerateConfig(temperature=0.0), fail_on_error=False, version=1)


def _requests(dialogue: Dialogue) -> Iterator[Request]:
    instrument = load_instrument(dialogue.instrument)
    for name in instrument.ordered:
        yield build(dialogue, name, instrument)


def _sample(dialogue: Dialogue, request: Request, gold: str | None) -> Sample:
    return Sample(
        id=f"{request.dialogue_id}/{request.dimension}",
        input=[ChatMessageSystem(content=request.system), ChatMessageUser(content=request.user)],
        target=gold or "", metadata={"dialogue": dialogue.to_dict(), "dimension": request.dimension,
                                     "prompt": dict(request.ruleset)})


def _gold(path: str) -> Iterator[tuple[tuple[str, str], str]]:
    first = next(read_rows(path), None)
    if first is not None and "gold" in first.data:
        for row in read_rows(path):
            yield from _gold_row(row)
        return
    raters: set[str] = set()
    for row, judged in read_judged_rows(path):
        if isinstance(judged, Vote):
            raters.add(judged.rater)
            if len(raters) > 1:
                raise TaskError(where=row.where, expected="votes of one rater as gold")
        if judged.state is not None:
            yield (judged.dialogue_id, judged.dimension), judged.state


def _gold_row(row: Row) -> Iterator[tuple[tuple[str, str], str]]:
    name, gold = row.data.get("dialogue_id"), row.data.get("gold")
    if not isinstance(name, str) or not isinstance(gold, Mapping):
        raise TaskError(where=row.where, expected="the keys dialogue_id and gold")
    for dimension, state in gold.items():
        if dimension not in DIMENSIONS or state not in STATES:
            raise TaskError(where=row.where, expected="gold to map dimensions to states")
        yield (name, dimension), state


@solver
def judge_cell(schema: bool = True) -> Solver:
    """One answer of the model to a cell's prompt, held to the cell's own JSON schema where the provider can be."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if not schema:
            return await generate(state)
        request, _ = _request(state)
        form = JSONSchema.model_validate(answer_schema(request.dimension, request.components))
        return await generate(
            state, response_schema=ResponseSchema(name="evidence_cell", json_schema=form, strict=True))

    return solve


def _request(state: TaskState) -> tuple[Request, Dialogue]:
    dialogue = Dialogue.from_dict(state.metadata["dialogue"])
    return build(dialogue, state.metadata["dimension"], load_instrument(dialogue.instrument)), dialogue


def _vote(state: TaskState) -> Vote:
    request, dialogue = _request(state)
    return read_vote(state.output.completion, request, dialogue, load_instrument(dialogue.instrument), str(state.model),
                     stop=stop_of(state.output))


def _told(vote: Vote, value: str) -> Score:
    metadata: dict[str, Any] = {"counts": value != NOANSWER, "state": vote.state, "stated": vote.stated,
                                "reason": vote.reason, "frames": len(vote.frames),
                                "invalid_frames": vote.invalid_frames}
    return Score(value=value, answer=vote.state, explanation=vote.reason, metadata=metadata)


@metric
def share() -> Metric:
    """Share of correct scores among those that have an answer, 0 to 1; 0 if none has."""

    def compute(scores: list[SampleScore]) -> float:
        # Epochs are reduced to numbers before they come here, and then "no answer" is 0: the metadata tells it.
        values = [to_float(one.score.value) for one in scores if (one.score.metadata or {}).get("counts", True)]
        return sum(values) / len(values) if values else 0.0

    to_float = value_to_float()
    return compute


@scorer(metrics=[share()])
def format_validity() -> Scorer:
    """Whether the answer is a valid vote; the explanation is the reason if it is not."""

    async def score(state: TaskState, target: Target) -> Score:
        vote = _vote(state)
        return _told(vote, CORRECT if vote.valid else INCORRECT)

    return score


@scorer(metrics=[share()])
def own_state() -> Scorer:
    """Whether the state that the model names is the contract's projection of its own frames; among valid votes."""

    async def score(state: TaskState, target: Target) -> Score:
        vote = _vote(state)
        return _told(vote, NOANSWER if not vote.valid else CORRECT if vote.state == vote.stated else INCORRECT)

    return score


@scorer(metrics=[share()])
def gold_state() -> Scorer:
    """Whether the projected state is gold's; an invalid vote is not, and a cell without gold does not count."""

    async def score(state: TaskState, target: Target) -> Score:
        vote = _vote(state)
        return _told(vote, NOANSWER if not target.text else CORRECT if vote.state == target.text else INCORRECT)

    return score
