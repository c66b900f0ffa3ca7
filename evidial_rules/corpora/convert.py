"""From published transcript formats to canonical dialogues."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from ..contract import Dialogue, Instrument
from ..errors import DuplicateDialogue, FileFormatError, shown
from ..resources import instruments, load_instrument
from .daic import read_daic_woz, read_e_daic
from .decode import is_chinese
from .drafts import Draft, Options, files
from .labels import Labels, read_labels
from .mdd5k import read_mdd5k
from .pdch import read_pdch
from .plain import read_talkdep, read_text_dialogue
from .speakers import SpeakerMap
from .table import read_csv

Reader = Callable[[Path, Options], Iterator[Draft]]


def _each(reader: Reader, paths: Iterable[Path], options: Options) -> Iterator[Draft]:
    for path in paths:
        yield from reader(path, options)


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format: what its files are called, who reads them, and what the corpus implies.

    `label_visits` says whether a participant's label goes to all of the participant's dialogues.
    """

    name: str
    files: tuple[str, ...]
    read: Callable[[Iterable[Path], Options], Iterator[Draft]]
    language: str | None = None
    instrument: str | None = None
    source: str | None = None
    label_visits: bool = True


FORMATS: Mapping[str, Format] = MappingProxyType({spec.name: spec for spec in (
    Format("daic-woz", ("*_TRANSCRIPT.csv", "*_TRANSCRIPT.tsv", "*.tsv"), partial(_each, read_daic_woz),
           "en", "PHQ-8", "DAIC-WOZ"),
    Format("e-daic", ("*_Transcript.csv",), partial(_each, read_e_daic), "en", "PHQ-8", "E-DAIC"),
    Format("pdch", ("*_correction_timestamp_emotion.txt",), read_pdch, "zh", "HAMD-17", "PDCH", label_visits=False),
    Format("talkdep", ("*.txt", "*.md"), partial(_each, read_talkdep), "en", "BDI-II", "TalkDep"),
    Format("mdd5k", ("*.json",), partial(_each, read_mdd5k), "zh", "HAMD-17", "MDD-5k"),
    Format("text", ("*.txt",), partial(_each, read_text_dialogue)),
    Format("csv", ("*.csv", "*.tsv"), partial(_each, read_csv)),
)})
"""The formats by name."""


def input_files(paths: Iterable[str | os.PathLike[str]], format: str) -> list[Path]:
    """The files that :func:`convert` reads of `paths`. Raises FileFormatError as it does."""
    return list(files(paths, _spec(format).files))


def _spec(format: str) -> Format:
    spec = FORMATS.get(format)
    if spec is None:
        raise FileFormatError(where="format", expected=f"one of {', '.join(FORMATS)}, found {shown(format)}")
    return spec


def convert(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], format: str, *, instrument: str | None = None,
    language: str | None = None, speaker: str | Sequence[str] | Mapping[str, str] | None = None,
    labels: str | os.PathLike[str] | None = None, source: str | None = None,
) -> list[Dialogue]:
    """The dialogues of transcript files or folders, in the order of the files.

    `instrument`, `language` and `source` go before what the format implies; text and CSV imply no instrument, and
    their language is told from the script. `speaker` is a role for every line, or LABEL=ROLE (see
    :meth:`SpeakerMap.of`). `labels` is a file of native items, matched by dialogue id and else by participant.

    Raises an :class:`~evidial_rules.errors.EvidialError` with file and line.
    """
    return list(convert_each(paths, format, instrument=instrument, language=language, speaker=speaker, labels=labels,
                             source=source))


def convert_each(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], format: str, *, instrument: str | None = None,
    language: str | None = None, speaker: str | Sequence[str] | Mapping[str, str] | None = None,
    labels: str | os.PathLike[str] | None = None, source: str | None = None,
) -> Iterator[Dialogue]:
    """Like :func:`convert`, one dialogue at a time."""
    spec = _spec(format)
    items = read_labels(labels) if labels is not None else None
    loaded: dict[str, Instrument] = {}
    seen: dict[str, str] = {}
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    for draft in spec.read(files(several, spec.files), Options(SpeakerMap.of(speaker))):
        name = instrument or draft.instrument or spec.instrument
        if name is None:
            raise FileFormatError(where=draft.where, expected=f"an instrument, which this format does not imply; give "
                                                              f"--instrument ({', '.join(instruments())})")
        if name not in loaded:
            loaded[name] = load_instrument(name)
        if draft.dialogue_id in seen:
            raise DuplicateDialogue(where=draft.where, first=seen[draft.dialogue_id])
        seen[draft.dialogue_id] = draft.where
        yield _dialogue(draft, spec, loaded[name], language, source, items)


def _dialogue(
    draft: Draft, spec: Format, instrument: Instrument, language: str | None, source: str | None,
    labels: Labels | None,
) -> Dialogue:
    spoken = language or draft.language or spec.language \
        or ("zh" if is_chinese("".join(text for _, text in draft.turns)) else "en")
    row = {
        "dialogue_id": draft.dialogue_id, "participant_id": draft.participant_id,
        "source": source or draft.source or spec.source, "language": spoken, "instrument": instrument.name,
        "turns": [{"speaker": role, "text": text} for role, text in draft.turns], "visit": draft.visit,
        "date": draft.date,
    }
    if labels is not None:
        idents = (draft.dialogue_id, draft.participant_id if spec.label_visits else None)
        row["scores"] = labels.scores(idents, instrument)
    return Dialogue.from_dict(row, where=draft.where)
