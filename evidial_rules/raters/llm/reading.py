"""From a judge's answer to its vote: quotes located, frames bound and projected by the contract."""
from __future__ import annotations

from ...contract import Cue, Dialogue, Frame, Instrument, Vote, judge
from ..validity import REASONS
from .locate import Place, locate
from .prompt import Request
from .protocol import AnswerFrame, BadAnswer, parse_answer

CUT = frozenset({"max_tokens", "model_length"})
"""Stop reasons of an answer that was cut off."""


def read_vote(
    text: str, request: Request, dialogue: Dialogue, instrument: Instrument, rater: str, *, stop: str = "stop",
) -> Vote:
    """The vote in a model's answer (contract, sections 2 to 4).

    A frame whose quote is not in the dialogue is invalid: it is left out and counted, and the state is projected from
    the others. If frames were named and the quote of none is there, the judge's evidence is not of this dialogue, and
    the vote is invalid (`no_quote_located`). An answer without frames is a vote of ABSENT. A retraction by another
    speaker, or in an earlier turn, takes nothing back: its cue is kept as one that lost. stop: why the model stopped,
    in inspect_ai's terms.
    """
    if stop == "content_filter":
        return invalid_vote(request, rater, "refusal")
    try:
        answer = parse_answer(text, request.dimension, request.components, len(dialogue.turns))
    except BadAnswer as bad:
        cut = stop in CUT and bad.reason in ("no_json", "empty")
        return invalid_vote(request, rater, "truncated" if cut else bad.reason)
    frames, lost = [], 0
    for one in answer.frames:
        place = locate(one.quote, one.turn, dialogue)
        if place is None:
            lost += 1
        else:
            frames.append(_frame(f"f{len(frames) + 1}", one, place, dialogue, request.ruleset["name"]))
    if lost and not frames:
        return invalid_vote(request, rater, "no_quote_located", invalid_frames=lost, stated=answer.state)
    cell = next(cell for cell in judge(frames, instrument, dialogue_id=dialogue.dialogue_id)
                if cell.dimension == request.dimension)
    return Vote(cell.dialogue_id, cell.dimension, rater, cell.state, frames=cell.frames, stated=answer.state,
                contract=cell.contract, ruleset=request.ruleset, invalid_frames=lost)


def invalid_vote(
    request: Request, rater: str, reason: str, *, invalid_frames: int | None = None, stated: str | None = None,
) -> Vote:
    """A vote without a state, for one of :data:`~evidial_rules.raters.validity.REASONS`."""
    assert reason in REASONS, reason
    return Vote(request.dialogue_id, request.dimension, rater, None, False, reason, stated=stated,
                ruleset=request.ruleset, invalid_frames=invalid_frames)


def _frame(ident: str, one: AnswerFrame, place: Place, dialogue: Dialogue, prompt: str) -> Frame:
    """The contract's frame. Its quote is the dialogue's own; the cue `quote` says how it was found."""
    turn = dialogue.turns[place.turn]
    said = {"components": list(one.components), "polarity": one.polarity, "strength": one.strength,
            "subject": one.subject}
    if one.time is not None:
        said["time"] = one.time.interval()
    cues = [Cue("quote", place.score, f"locate.{place.how}{'.moved' if place.moved else ''}", place.turn, place.start,
                place.end)]
    cues += [Cue(name, value, prompt, place.turn, place.start, place.end) for name, value in said.items()]
    withdrawn = one.withdrawn_by
    if withdrawn is not None:
        back = dialogue.turns[withdrawn]
        # Only its own speaker takes a statement back, and not before it was made (contract, section 3.4).
        own = back.speaker == turn.speaker and withdrawn >= place.turn
        cues.append(Cue("withdrawn_by", withdrawn, prompt, withdrawn, 0, len(back.text),
                        lost_to=None if own else "contract.withdrawal"))
        withdrawn = withdrawn if own else None
    frame = Frame(
        ident, one.dimension, tuple(dict.fromkeys(one.components)), one.polarity, one.strength, one.subject,
        withdrawn_by=withdrawn, turn=place.turn, start=place.start, end=place.end,
        quote=turn.text[place.start:place.end], speaker=turn.speaker, cues=tuple(cues))
    return frame if one.time is None else frame.replace(time=one.time.interval())
