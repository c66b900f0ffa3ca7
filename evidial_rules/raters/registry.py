"""Raters by name, for the command line and for worker processes."""
from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import closing

from ..contract import Dialogue, Vote
from ..corpora.files import to_json
from ..errors import shown
from . import Rater, RaterError
from .ablations import ABLATIONS
from .pool import ordered_map

__all__ = ["VoteLines", "is_model", "judged_lines", "rater", "raters"]


def _rules() -> Rater:
    from .rules import RulesRater

    return RulesRater()


def _negex() -> Rater:
    from .negex import NegexRater

    return NegexRater()


def _context() -> Rater:
    from .context import ContextRater

    return ContextRater()


def _ablation(name: str) -> Callable[[], Rater]:
    def make() -> Rater:
        from .rules import RulesRater

        return RulesRater(without=ABLATIONS[name], name=name)

    return make


_MAKERS: dict[str, Callable[[], Rater]] = {
    "rules": _rules, "negex": _negex, "context": _context, **{name: _ablation(name) for name in ABLATIONS},
}


def raters() -> tuple[str, ...]:
    """The names that `rater` knows.

    >>> raters()
    ('rules', 'negex', 'context', 'no-subject', 'no-time', 'no-scope', 'no-withdrawal', 'no-answers')
    """
    return tuple(_MAKERS)


def is_model(name: str) -> bool:
    """Whether a name is an LLM's, as provider/model.

    >>> is_model("openai/gpt-4o"), is_model("rules")
    (True, False)
    """
    return "/" in name


def rater(name: str) -> Rater:
    """The rater of a name. An LLM (provider/model) is asked with the default settings, and its answers stay in memory.

    Raises RaterError for an unknown name, or where the extra that it needs is not installed.

    >>> rater("no-time").name
    'no-time'
    """
    if is_model(name):
        from .llm import LLMRater

        return LLMRater(name)
    if name not in _MAKERS:
        raise RaterError(where="rater", expected=f"one of {', '.join(_MAKERS)}, or an LLM as provider/model, "
                                                 f"found {shown(name)}")
    return _MAKERS[name]()


class VoteLines:
    """The votes of several raters on a dialogue as lines of JSON, UTF-8, for `evidial judge`: rater by rater in the
    order given, each in the contract's order of dimensions. It is pickled by the raters' names.

    Raises RaterError for an unknown name or one that is given twice, before anything is read.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        if len(set(self.names)) < len(self.names):
            raise RaterError(where="rater", expected="each rater once")
        self._raters = [rater(name) for name in self.names]

    def __reduce__(self) -> tuple[object, ...]:
        return VoteLines, (self.names,)

    def __call__(self, dialogue: Dialogue) -> bytes:
        """One line a vote."""
        return b"".join(self.blocks(dialogue))

    def blocks(self, dialogue: Dialogue) -> list[bytes]:
        """The lines of each rater."""
        return [_lines(one.votes(dialogue)) for one in self._raters]


class _Blocks:
    """`VoteLines.blocks` as a function for worker processes."""

    def __init__(self, lines: VoteLines) -> None:
        self.lines = lines

    def __call__(self, dialogue: Dialogue) -> list[bytes]:
        return self.lines.blocks(dialogue)


def judged_lines(
    dialogues: Sequence[Dialogue], names: Sequence[str], read: Callable[[str, Dialogue], Iterable[Vote]],
    known: Container[str], *, workers: int = 1,
) -> Iterator[bytes]:
    """The votes of raters of both kinds, as lines: dialogue by dialogue, and in each rater by rater in the order given.

    read: the votes on a dialogue of a rater out of `known`: an LLM that has been asked by now, or votes of a file. The
    others judge here, in so many processes.
    """
    local = VoteLines([name for name in names if name not in known])
    with closing(ordered_map(_Blocks(local), dialogues, workers=workers)) as stream:
        for dialogue, blocks in zip(dialogues, stream, strict=True):
            found = dict(zip(local.names, blocks, strict=True))
            for name in names:
                yield found[name] if name in found else _lines(read(name, dialogue))


def _lines(votes: Iterable[Vote]) -> bytes:
    return b"".join(to_json(vote.to_dict()).encode("utf-8") + b"\n" for vote in votes)
