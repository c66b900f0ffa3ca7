"""The dialogues that are open, with their cells, judged when somebody looks at them or ahead of that."""
from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from ..contract import Cell, Dialogue
from ..corpora import read_cell_rows, read_dialogues
from ..errors import EvidialError, shown
from ..pipeline.annotator import Annotator
from ..raters.pool import held_back
from ..report.html import cell_page
from ..report.opinions import Opinions
from ..report.rulelines import RuleLines
from ..report.trace import Trace
from ..resources import load_instrument


class WorkspaceError(EvidialError):
    """Cells that are not of the dialogues, or that do not say how they came about; no dialogues at all."""

    code = "E321"
    template = "{where}: expected {expected}"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a cell can be looked for by: its state, the operations that excluded a frame of it, the rules that set or
    decided something in it (a composed rule under its own id and those of its parts)."""

    state: str
    excluded: frozenset[str]
    rules: frozenset[str]

    @classmethod
    def of(cls, cell: Cell) -> Facts:
        """The facts of a judged cell."""
        excluded: set[str] = set()
        rules: set[str] = set()
        for bound in cell.frames:
            for verdict in bound.verdicts:
                rules.add(verdict.rule)
                if not verdict.kept:
                    excluded.add(verdict.operation)
            rules.update(cue.rule for cue in bound.frame.cues)
        rules.update([part for rule in rules if "+" in rule for part in rule.split("+")])
        return cls(cell.state, frozenset(excluded), frozenset(rules))


class Workspace:
    """Dialogues in their order, with what others say of their cells, and the cells as far as they are judged.

    dialogues: their ids differ. opinions: votes, references, gold. cells: those that are known, whole dialogues.
    lexicons: a folder with somebody's own lexicon files.

    Threads may use it together, as Streamlit's sessions do: the judge runs for one of them at a time.
    """

    def __init__(
        self, dialogues: Iterable[Dialogue], opinions: Opinions | None = None,
        cells: Mapping[str, Sequence[Cell]] | None = None, lexicons: Path | str | None = None,
    ) -> None:
        self.dialogues: Mapping[str, Dialogue] = {one.dialogue_id: one for one in dialogues}
        self.opinions = Opinions() if opinions is None else opinions
        self.rules = RuleLines(lexicons)
        self.annotator = Annotator(lexicons)
        self.failure: str | None = None
        """Why nothing is judged ahead any more, if that ended in an error."""
        self._dimensions = {name: load_instrument(name).ordered  # looking for the file costs more than all the rest
                            for name in {one.instrument for one in self.dialogues.values()}}
        self._judging = threading.Lock()
        self._cells: dict[str, tuple[Cell, ...]] = {}
        self._facts: dict[str, dict[str, Facts]] = {}
        self._ending = threading.Event()
        self._ahead: threading.Thread | None = None
        self._processes: list[BaseProcess] = []
        for name, known in (cells or {}).items():
            self._keep(name, tuple(known))

    @classmethod
    def open(
        cls, dialogues: Sequence[str], *, votes: Sequence[str] = (), reference: Sequence[str] = (),
        gold: str | None = None, cells: str | None = None, lexicons: Path | str | None = None,
    ) -> Workspace:
        """Reads the files. Everything is checked here, before there is a page to show an error on.

        Raises what the readers raise, :class:`WorkspaceError` for cells that are not of these dialogues, and what
        :meth:`Opinions.read` raises for votes, references and gold that are not.
        """
        held = list(read_dialogues(dialogues))
        if not held:
            raise WorkspaceError(where=", ".join(dialogues), expected="at least one dialogue")
        opinions = Opinions.read(held, votes=votes, reference=reference, gold=gold)
        return cls(held, opinions, None if cells is None else read_whole_cells(cells, held), lexicons)

    # -- Cells ---------------------------------------------------------------------------------------------------------

    def cells(self, dialogue_id: str) -> tuple[Cell, ...]:
        """The cells of one dialogue, in the contract's order; judged now if they are not known yet."""
        found = self._cells.get(dialogue_id)
        if found is None:
            found = self.judge(self.dialogues[dialogue_id])
            self._keep(dialogue_id, found)
        return found

    def judge(self, dialogue: Dialogue) -> tuple[Cell, ...]:
        """The cells of any dialogue, one that somebody is typing included; nothing is kept."""
        with self._judging:
            return self.annotator.cells(dialogue)

    def dimensions(self, dialogue: Dialogue) -> tuple[str, ...]:
        """The dimensions of a dialogue's instrument, in the contract's order."""
        return self._dimensions[dialogue.instrument]

    def facts(self, dialogue_id: str) -> Mapping[str, Facts] | None:
        """The facts of a dialogue's cells by dimension; None as long as it is not judged."""
        return self._facts.get(dialogue_id)

    def trace(self, dialogue: Dialogue, cells: Iterable[Cell], dimension: str) -> Trace:
        """The trace of one of a dialogue's cells."""
        cell = next(cell for cell in cells if cell.dimension == dimension)
        return Trace.of(dialogue, cell, load_instrument(dialogue.instrument))

    def _keep(self, name: str, cells: tuple[Cell, ...]) -> None:
        self._facts[name] = {cell.dimension: Facts.of(cell) for cell in cells}
        self._cells[name] = cells

    # -- Judging ahead -------------------------------------------------------------------------------------------------

    @property
    def judged(self) -> int:
        """How many dialogues have their cells."""
        return len(self._cells)

    @property
    def whole(self) -> bool:
        """Whether all of them have."""
        return self.judged == len(self.dialogues)

    @property
    def ahead(self) -> bool:
        """Whether dialogues are being judged ahead now."""
        return self._ahead is not None and self._ahead.is_alive()

    def start(self, workers: int) -> None:
        """Judges what is left in so many processes, from the first dialogue on, until :meth:`close`; 0: nothing."""
        left = [one for one in self.dialogues.values() if one.dialogue_id not in self._cells]
        if not left or not workers or self._processes:
            return
        # Not a pool: it ends only when its chunks are done, and somebody who closes the debugger does not wait.
        context = multiprocessing.get_context("spawn")
        receivers = []
        for number in range(min(workers, len(left))):
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=_judge_each, args=(self.annotator, left[number::workers], sender),
                                      daemon=True)
            with held_back():
                process.start()
            sender.close()
            self._processes.append(process)
            receivers.append(receiver)
        self._ahead = threading.Thread(target=self._receive, args=(receivers, len(left)), daemon=True)
        self._ahead.start()

    def _receive(self, receivers: list[Connection], left: int) -> None:
        while receivers and not self._ending.is_set():
            for receiver in wait(receivers, timeout=0.2):
                assert isinstance(receiver, Connection)
                try:
                    name, cells = receiver.recv()
                except (EOFError, OSError):
                    receivers.remove(receiver)
                    continue
                self._keep(name, cells)
                left -= 1
        if left and not self._ending.is_set():
            self.failure = "a process that judged ahead has ended"

    def warm(self, names: Iterable[str]) -> None:
        """Judges dialogues that will be looked at first, and reads what the first edit and the first cell need.

        Where the cells are known, that is one dialogue of each language: its rules take seconds to read.
        """
        read: set[str] = set()
        for name in names:
            dialogue = self.dialogues[name]
            if dialogue.language not in read:
                read.add(dialogue.language)
                cells = self.judge(dialogue)
                cell_page(self.trace(dialogue, cells, cells[0].dimension), rules=self.rules)
            self.cells(name)

    def close(self) -> None:
        """Ends the judging ahead."""
        self._ending.set()
        for process in self._processes:
            process.terminate()
            process.join()
        if self._ahead is not None:
            self._ahead.join()


def _judge_each(annotator: Annotator, dialogues: Sequence[Dialogue], sender: Connection) -> None:
    """Sends (dialogue_id, cells) of each dialogue; ends as well when nobody receives any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends this
    with suppress(OSError):
        for dialogue in dialogues:
            sender.send((dialogue.dialogue_id, annotator.cells(dialogue)))


def read_whole_cells(path: str, dialogues: Iterable[Dialogue]) -> dict[str, tuple[Cell, ...]]:
    """The cells of a file (`evidial annotate`) by dialogue, of the dialogues that have all of theirs in it.

    Raises :class:`WorkspaceError` for a cell of another dialogue or text, and for one without frames.
    """
    held = {one.dialogue_id: one for one in dialogues}
    orders = {name: load_instrument(one.instrument).ordered for name, one in held.items()}
    found: dict[str, dict[str, Cell]] = {}
    for row, cell in read_cell_rows(path):
        dialogue = held.get(cell.dialogue_id)
        if dialogue is None or cell.dimension not in orders[cell.dialogue_id]:
            raise WorkspaceError(where=row.where, expected=f"a cell of the dialogues, found {shown(cell.dialogue_id)} "
                                                           f"{cell.dimension}")
        if row.data.get("frames") is None:
            raise WorkspaceError(where=row.where, expected="a cell with its frames (evidial annotate --trace)")
        if not _quoted(cell, dialogue):
            raise WorkspaceError(where=row.where, expected="quotes that stand where the cell says, found another text")
        found.setdefault(cell.dialogue_id, {})[cell.dimension] = cell
    return {name: tuple(cells[dimension] for dimension in orders[name]) for name, cells in found.items()
            if len(cells) == len(orders[name])}


def _quoted(cell: Cell, dialogue: Dialogue) -> bool:
    turns = dialogue.turns
    return all(bound.frame.turn < len(turns)
               and turns[bound.frame.turn].text[bound.frame.start:bound.frame.end] == bound.frame.quote
               for bound in cell.frames)


_current: Workspace | None = None


def current() -> Workspace:
    """The workspace that the command opened. Raises :class:`WorkspaceError` if there is none."""
    if _current is None:
        raise WorkspaceError(where="app", expected="dialogues that are open (evidial app DIALOGUES)")
    return _current


def set_current(workspace: Workspace | None) -> None:
    """Makes a workspace the one that the pages show: a page's script takes no arguments."""
    global _current
    _current = workspace
