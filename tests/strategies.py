"""The component tables, and Hypothesis strategies: intervals, frames that survive binding and frames that do not."""
from __future__ import annotations

from hypothesis import strategies as st

from evidial_rules.contract import (
    ALL,
    COMPONENTS,
    DIMENSIONS,
    MODALITIES,
    UNSPECIFIED,
    Cue,
    Dialogue,
    Frame,
    Interval,
    Turn,
)
from evidial_rules.resources import load_instrument

INSTRUMENTS = ("PHQ-8", "HAMD-17", "BDI-II")

# The contract's component tables (section 1), written out apart from the instrument files; columns as INSTRUMENTS.
COMPONENT_TABLE = {
    # dimension: (PHQ-8, HAMD-17, BDI-II); None is a dimension that the instrument lacks
    "depressed_mood": (("low_mood", "hopelessness"), ("low_mood", "hopelessness"),
                       ("low_mood", "hopelessness", "crying")),
    "anhedonia": (("interest", "pleasure"), ("interest", "activity"), ("interest", "pleasure")),
    "sleep": (("onset", "maintenance", "hypersomnia"), ("onset", "maintenance", "early_waking"),
              ("insomnia", "hypersomnia")),
    "fatigue": (("energy",), ("energy",), ("energy", "tiredness")),
    "appetite_weight": (("appetite_loss", "overeating"), ("appetite_loss", "weight_loss"),
                        ("appetite_loss", "overeating")),
    "psychomotor": (("retardation", "agitation"),) * 3,
    "guilt_worthlessness": (("guilt", "worthlessness"),) * 3,
    "concentration": (("concentration",), None, ("concentration", "indecision")),
    "suicidal_ideation": (None, ("death_wish", "suicidal_thoughts"), ("death_wish", "suicidal_thoughts")),
}

# fine component: dimension, then per instrument "own", "=b" (the same thing as b), ">b" (a part of b), "?" (indicator)
FINE_TABLE = {
    "low_mood": ("depressed_mood", "own", "own", "own"),
    "hopelessness": ("depressed_mood", "own", "own", "own"),
    "crying": ("depressed_mood", ">low_mood", ">low_mood", "own"),
    "interest": ("anhedonia", "own", "own", "own"),
    "pleasure": ("anhedonia", "own", ">interest", "own"),
    "activity": ("anhedonia", ">interest", "own", ">interest"),
    "onset": ("sleep", "own", "own", ">insomnia"),
    "maintenance": ("sleep", "own", "own", ">insomnia"),
    "early_waking": ("sleep", ">maintenance", "own", ">insomnia"),
    "hypersomnia": ("sleep", "own", "?", "own"),
    "energy": ("fatigue", "own", "own", "own"),
    "tiredness": ("fatigue", "=energy", "=energy", "own"),
    "appetite_loss": ("appetite_weight", "own", "own", "own"),
    "overeating": ("appetite_weight", "own", "?", "own"),
    "weight_loss": ("appetite_weight", "?", "own", "?"),
    "weight_gain": ("appetite_weight", "?", "?", "?"),
    "retardation": ("psychomotor", "own", "own", "own"),
    "agitation": ("psychomotor", "own", "own", "own"),
    "guilt": ("guilt_worthlessness", "own", "own", "own"),
    "worthlessness": ("guilt_worthlessness", "own", "own", "own"),
    "concentration": ("concentration", "own", "-", "own"),
    "indecision": ("concentration", "?", "-", "own"),
    "death_wish": ("suicidal_ideation", "-", "own", "own"),
    "suicidal_thoughts": ("suicidal_ideation", "-", "own", "own"),
}


def instruments():
    """One of the three shipped instruments."""
    return st.sampled_from(INSTRUMENTS).map(load_instrument)


@st.composite
def cells(draw):
    """(instrument, dimension) with a dimension that the instrument has."""
    instrument = draw(instruments())
    return instrument, draw(st.sampled_from(instrument.ordered))


def components(dimension, instrument=None):
    """Components of one statement: ALL, or a few from the fine inventory (that stay in the dimension)."""
    names = [name for name in COMPONENTS[dimension]
             if instrument is None or instrument.reassigned(dimension, name) == (dimension, name)]
    return st.one_of(
        st.just((ALL,)),
        st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True).map(tuple),
    )


@st.composite
def intervals(draw, lowest=-40, highest=40):
    """Any interval: past, future, unbounded or unspecified."""
    to = draw(st.none() | st.integers(lowest, highest))
    low = lowest if to is None else to
    from_ = draw(st.none() | st.integers(low + 1, max(low + 1, highest + 1)))
    return Interval(from_, to, draw(st.booleans()) if from_ is None and to is None else True)


def touching(window):
    """Intervals that meet the window, some of them covering it."""
    return st.one_of(
        st.just(UNSPECIFIED),
        st.just(Interval(window + 1, 0)),
        st.integers(0, window).map(lambda day: Interval(day + 1, day)),
        st.integers(0, window).map(lambda day: Interval(None, day)),
        st.integers(1, window + 30).map(lambda days: Interval(days, 0)),
    )


def outside(window):
    """Intervals that do not meet the window: long ago, or the future."""
    return st.one_of(
        st.integers(window + 1, window + 400).map(lambda day: Interval(day + 1, day)),
        st.integers(window + 1, window + 400).map(lambda day: Interval(None, day)),
        st.integers(0, 30).map(lambda days: Interval(-days, -days - 1)),
        st.just(Interval(0, None)),
    )


_IDS = st.integers(0, 10**6).map(lambda number: f"f{number}")
_OBJECTS = st.sampled_from([None, None, None, "work", "the children"])


@st.composite
def surviving(draw, instrument, dimension, polarity=None, objects=_OBJECTS, time=None):
    """A frame of the dimension that binding keeps."""
    return Frame(
        id=draw(_IDS),
        dimension=dimension,
        components=draw(components(dimension, instrument)),
        polarity=polarity or draw(st.sampled_from(["affirm", "deny"])),
        strength=draw(st.sampled_from(["definite", "definite", "indicator"])),
        time=draw(time if time is not None else touching(instrument.window_days)),
        turn=draw(st.integers(0, 30)),
        speaker=draw(st.sampled_from(["participant", "informant"])),
        object=draw(objects),
    )


@st.composite
def excluded(draw, instrument, dimension):
    """A frame of the dimension that exactly one operation excludes."""
    frame = draw(surviving(instrument, dimension))
    change = draw(st.sampled_from(["subject", "speaker", "time", "modality", "withdrawal"]))
    if change == "subject":
        return frame.replace(subject=draw(st.sampled_from(["other", "generic"])))
    if change == "speaker":
        return frame.replace(speaker="interviewer")
    if change == "time":
        return frame.replace(time=draw(outside(instrument.window_days)))
    if change == "modality":
        return frame.replace(modality=draw(st.sampled_from([m for m in MODALITIES if m != "asserted"])))
    return frame.replace(withdrawn_by=draw(st.sampled_from(["f7", 0, 12])))


@st.composite
def evidence(draw, polarity=None, max_size=6):
    """(instrument, dimension, surviving frames)."""
    instrument, dimension = draw(cells())
    frames = draw(st.lists(surviving(instrument, dimension, polarity), max_size=max_size))
    return instrument, dimension, frames


_CUES = st.builds(Cue, attribute=st.sampled_from(["subject", "time", "polarity", "strength", "modality"]),
                  value=st.sampled_from(["participant", "deny", None, 3]), rule=st.sampled_from(["en.a", "zh.b"]),
                  turn=st.integers(0, 9), start=st.integers(0, 5), end=st.integers(5, 9),
                  lost_to=st.sampled_from([None, "en.c"]))


@st.composite
def any_frames(draw):
    """A frame of any form that the contract allows."""
    dimension = draw(st.sampled_from(DIMENSIONS))
    start = draw(st.integers(0, 50))
    return Frame(
        id=draw(_IDS), dimension=dimension, components=draw(components(dimension)),
        polarity=draw(st.sampled_from(["affirm", "deny"])), strength=draw(st.sampled_from(["definite", "indicator"])),
        subject=draw(st.sampled_from(["participant", "other", "generic"])), time=draw(intervals()),
        withdrawn_by=draw(st.none() | st.integers(0, 50) | _IDS), turn=draw(st.integers(0, 50)), start=start,
        end=start + draw(st.integers(0, 50)), quote=draw(st.text(max_size=12)),
        speaker=draw(st.sampled_from(["interviewer", "participant", "informant"])),
        cues=tuple(draw(st.lists(_CUES, max_size=3))), modality=draw(st.sampled_from(MODALITIES)),
        object=draw(st.none() | st.text(min_size=1, max_size=5)),
    )


_SPOKEN = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@st.composite
def dialogues(draw):
    """A dialogue with any text that UTF-8 can hold, control characters and emoji included."""
    scores = draw(st.none() | st.dictionaries(st.sampled_from(DIMENSIONS), st.none() | st.integers(0, 12)))
    return Dialogue(
        dialogue_id=draw(st.integers(0, 10**9).map(lambda number: f"d{number}")),
        participant_id=draw(st.none() | st.just("p1")), source=draw(st.none() | st.just("mine")),
        language=draw(st.sampled_from(["en", "zh"])), instrument=draw(st.sampled_from(INSTRUMENTS)),
        turns=tuple(draw(st.lists(st.builds(
            Turn, speaker=st.sampled_from(["interviewer", "participant", "informant"]), text=_SPOKEN), max_size=5))),
        scores=scores, date=draw(st.none() | st.dates()), visit=draw(st.none() | st.just("A") | st.integers(1, 3)),
    )
