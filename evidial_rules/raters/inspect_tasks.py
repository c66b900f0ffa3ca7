"""The LLM judge and the four audit methods as tasks of inspect_ai, found through its entry point:

    inspect eval evidial_rules/evidial_judge -T dialogues=dialogues.jsonl --model provider/model
    inspect eval evidial_rules/evidial_b1 -T dialogues=dialogues.jsonl --model provider/model

`inspect eval` runs them, `inspect view` shows them: one sample a cell, with its prompt, the answer and the scores. The
logs that inspect_ai writes hold dialogues and answers in full. They need the extra `llm`. They are for looking at
answers: votes come from `evidial judge`, and a rate over what was scored is no rate over what was planned, so the
audit's figures never come from here.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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

from ..contract import DIMENSIONS, STATES, Dialogue, Prediction, Vote
from ..corpora import Row, read_dialogues, read_judged_rows, read_rows
from ..errors import EvidialError, shown
from ..resources import load_instrument
from .llm.methods import ask_for_prediction, read_prediction
from .llm.prompt import Request, build
from .llm.reading import read_vote
from .llm.transport import stop_of

__all__ = ["evidial_b0", "evidial_b1", "evidial_b2", "evidial_judge", "evidial_m"]


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
    known = {} if gold is None else dict(_gold(gold))
    scorers = [format_validity(), own_state()] if gold is None else [format_validity(), own_state(), gold_state()]
    return _task(dialogues, dimension, None, schema, scorers,
                 lambda dialogue, name: known.get((dialogue.dialogue_id, name)))


@task
def evidial_b0(dialogues: str, dimension: str | None = None, schema: bool = True) -> Task:
    """Predictions by the method B0; the arguments are those of :func:`evidial_judge`."""
    return _audit("B0", dialogues, dimension, schema)


@task
def evidial_b1(dialogues: str, dimension: str | None = None, schema: bool = True) -> Task:
    """Predictions by the method B1; the arguments are those of :func:`evidial_judge`."""
    return _audit("B1", dialogues, dimension, schema)


@task
def evidial_b2(dialogues: str, dimension: str | None = None, schema: bool = True) -> Task:
    """Predictions by the method B2; the arguments are those of :func:`evidial_judge`."""
    return _audit("B2", dialogues, dimension, schema)


@task
def evidial_m(dialogues: str, dimension: str | None = None, schema: bool = True) -> Task:
    """Predictions by the method M; the arguments are those of :func:`evidial_judge`."""
    return _audit("M", dialogues, dimension, schema)


def _audit(method: str, dialogues: str, dimension: str | None, schema: bool) -> Task:
    return _task(dialogues, dimension, method, schema, [form_kept(), answered(), native_label()], _label)


def _label(dialogue: Dialogue, dimension: str) -> str | None:
    score = (dialogue.scores or {}).get(dimension)
    return None if score is None else str(int(score > 0))


def _task(
    dialogues: str, dimension: str | None, method: str | None, schema: bool, scorers: list[Scorer],
    target: Callable[[Dialogue, str], str | None],
) -> Task:
    if dimension is not None and dimension not in DIMENSIONS:
        raise TaskError(where="dimension", expected=f"one of {', '.join(DIMENSIONS)}, found {shown(dimension)}")
    samples = []
    for dialogue in read_dialogues(dialogues):
        for name in load_instrument(dialogue.instrument).ordered:
            if dimension not in (None, name):
                continue
            request = _ask(dialogue, name, method)
            samples.append(Sample(
                id=f"{request.dialogue_id}/{name}", target=target(dialogue, name) or "",
                input=[ChatMessageSystem(content=request.system), ChatMessageUser(content=request.user)],
                metadata={"dialogue": dialogue.to_dict(), "dimension": name, "method": method,
                          "prompt": dict(request.ruleset)}))
    if not samples:
        raise TaskError(where="dialogues", expected="a file with dialogues whose instrument has the dimension")
    # A provider that fails on one cell is no reason to lose the others.
    return Task(dataset=MemoryDataset(samples, name="evidence cells"), solver=ask_cell(schema), scorer=scorers,
                config=GenerateConfig(temperature=0.0), fail_on_error=False, version=1)


def _ask(dialogue: Dialogue, dimension: str, method: str | None) -> Request:
    instrument = load_instrument(dialogue.instrument)
    if method is None:
        return build(dialogue, dimension, instrument)
    return ask_for_prediction(dialogue, dimension, instrument, method)


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
def ask_cell(schema: bool = True) -> Solver:
    """One answer of the model to a cell's prompt, held to that prompt's JSON schema where the provider can be."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if not schema:
            return await generate(state)
        request, _ = _request(state)
        form = JSONSchema.model_validate(request.form)
        return await generate(
            state, response_schema=ResponseSchema(name="evidence_cell", json_schema=form, strict=True))

    return solve


def _request(state: TaskState) -> tuple[Request, Dialogue]:
    dialogue = Dialogue.from_dict(state.metadata["dialogue"])
    return _ask(dialogue, state.metadata["dimension"], state.metadata["method"]), dialogue


def _vote(state: TaskState) -> Vote:
    request, dialogue = _request(state)
    return read_vote(state.output.completion, request, dialogue, load_instrument(dialogue.instrument), str(state.model),
                     stop=stop_of(state.output))


def _prediction(state: TaskState) -> Prediction:
    request, dialogue = _request(state)
    return read_prediction(state.output.completion, request, dialogue, state.metadata["method"], str(state.model),
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


def _said(prediction: Prediction, value: str) -> Score:
    metadata: dict[str, Any] = {"counts": value != NOANSWER, "status": prediction.status, "reason": prediction.reason}
    answer = None if prediction.prediction is None else str(prediction.prediction)
    return Score(value=value, answer=answer, explanation=prediction.reason, metadata=metadata)


@scorer(metrics=[share()])
def form_kept() -> Scorer:
    """Whether the answer is a prediction or an abstention; the explanation is the reason if it is neither."""

    async def score(state: TaskState, target: Target) -> Score:
        prediction = _prediction(state)
        return _said(prediction, INCORRECT if prediction.status == "failed" else CORRECT)

    return score


@scorer(metrics=[share()])
def answered() -> Scorer:
    """Whether the model predicts, and neither abstains nor fails."""

    async def score(state: TaskState, target: Target) -> Score:
        prediction = _prediction(state)
        return _said(prediction, CORRECT if prediction.status == "answered" else INCORRECT)

    return score


@scorer(metrics=[share()])
def native_label() -> Scorer:
    """Whether the prediction is the native label (1 if the dimension's score is above 0); among predictions on cells
    that have one."""

    async def score(state: TaskState, target: Target) -> Score:
        prediction = _prediction(state)
        if prediction.status != "answered" or not target.text:
            return _said(prediction, NOANSWER)
        return _said(prediction, CORRECT if str(prediction.prediction) == target.text else INCORRECT)

    return score
