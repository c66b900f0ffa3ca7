"""Raters by name, for the command line and for worker processes."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from ..contract import Dialogue
from ..corpora.files import to_json
from ..errors import shown
from . import Rater, RaterError
from .ablations import ABLATIONS

__all__ = ["VoteLines", "rater", "raters"]


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


def rater(name: str) -> Rater:
    """The rater of a name. Raises RaterError for an unknown name, or where the extra that it needs is not installed.

    >>> rater("no-time").name
    'no-time'
    """
    if name not in _MAKERS:
        raise RaterError(where="rater", expected=f"one of {', '.join(_MAKERS)}, found {shown(name)}")
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
        return b"".join(to_json(vote.to_dict()).encode("utf-8") + b"\n"
                        for one in self._raters for vote in one.votes(dialogue))
