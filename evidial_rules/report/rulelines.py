"""Where a rule stands: from a rule's id to the file and line that hold it."""
from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..resources import label, resource

_ID = re.compile(r"^(\s*)(?:- )?id:\s*[\"']?([^\s\"'#]+)")
_KEEP = 240


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule's place: its id, the file as messages show it, the line (from 1) of its id, and its lines of YAML.

    `text` is cut after 240 characters a line: a rule's word lists can be long.
    """

    rule: str
    file: str
    line: int
    text: str

    @property
    def where(self) -> str:
        """`file:line`."""
        return f"{self.file}:{self.line}"


class RuleLines:
    """The places of all rules of the lexicons (those that ship, or a folder of somebody's own) and of the grammars.

    Files are read at the first question, as text: a rule's id stands on a line of its own.

    >>> [place.file for place in RuleLines().of("en.subject.first")]
    ['grammars/en/subject.yaml']
    >>> RuleLines().of("contract.temporal")
    ()
    """

    def __init__(self, lexicons: Path | str | None = None) -> None:
        self._lexicons = None if lexicons is None else str(lexicons)

    def of(self, rule: str) -> tuple[RuleLine, ...]:
        """The places of a rule; a composed one ("a+b") has one for each part. Empty for what no file holds: the
        contract's own defaults (`contract.<operation>`), what the pipeline takes from the question or by default
        (`<language>.subject.question`), and rules of other raters."""
        places = _places(self._lexicons)
        return tuple(places[part] for part in rule.split("+") if part in places)


@functools.lru_cache(maxsize=8)
def _places(lexicons: str | None) -> Mapping[str, RuleLine]:
    roots = [resource("lexicons") if lexicons is None else Path(lexicons), resource("grammars")]
    places: dict[str, RuleLine] = {}
    for root in roots:
        for path in sorted(root.rglob("*.yaml")):
            lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
            for number, line in enumerate(lines):
                if (match := _ID.match(line)) and match[2] not in places:
                    places[match[2]] = RuleLine(match[2], label(path), number + 1, _entry(lines, number))
    return places


def _entry(lines: list[str], number: int) -> str:
    """The lines of the entry whose id stands on line `number`: up to the next line that is not indented further."""
    first = lines[number]
    indent = len(first) - len(first.lstrip())
    entry = [first]
    for line in lines[number + 1:]:
        if not line.strip() or len(line) - len(line.lstrip()) <= indent:
            break
        entry.append(line)
    return "\n".join(line if len(line) <= _KEEP else line[:_KEEP] + " ..." for line in
                     (line[indent:] for line in entry))
