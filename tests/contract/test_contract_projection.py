"""K(u) and the state: properties that hold for any frames, an oracle, and the contract's own cases."""
from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidial_rules.contract import ALL, UNSPECIFIED, Frame, Interval, bind, project
from evidial_rules.resources import load_instrument
from strategies import COMPONENT_TABLE, FINE_TABLE, INSTRUMENTS, components, evidence, excluded, surviving, touching

K = {"ABSENT": (0, 1), "PARTIAL": (0, 1), "CONFLICTING": (), "SUFFICIENT_POS": (1,), "SUFFICIENT_NEG": (0,)}


@given(st.data(), evidence())
def test_a_function_of_the_surviving_frames_only(data, world):
    instrument, dimension, frames = world
    others = data.draw(st.lists(excluded(instrument, dimension), max_size=4))
    bound = [bind(frame, instrument) for frame in data.draw(st.permutations(frames + others))]
    survivors = [b for b in bound if b.kept]
    assert len(survivors) == len(frames)
    assert project(bound, instrument, dimension) == project(survivors, instrument, dimension)


@given(st.data(), evidence())
def test_an_excluded_frame_changes_nothing(data, world):
    instrument, dimension, frames = world
    extra = data.draw(excluded(instrument, dimension))
    assert project([*frames, extra], instrument, dimension) == project(frames, instrument, dimension)


@given(st.data(), evidence())
def test_a_withdrawn_frame_is_as_if_never_said(data, world):
    instrument, dimension, frames = world
    at = data.draw(st.integers(0, len(frames)))
    said = data.draw(surviving(instrument, dimension))
    taken_back = said.replace(withdrawn_by=data.draw(st.sampled_from(["f9", 0, 3])))
    assert project([*frames[:at], taken_back, *frames[at:]], instrument, dimension) == project(
        frames, instrument, dimension)


@given(st.data(), evidence())
def test_order_does_not_matter(data, world):
    instrument, dimension, frames = world
    assert project(data.draw(st.permutations(frames)), instrument, dimension) == project(frames, instrument, dimension)


@given(st.data(), evidence())
def test_a_frame_of_another_dimension_changes_nothing(data, world):
    instrument, dimension, frames = world
    other = data.draw(st.sampled_from([d for d in instrument.ordered if d != dimension]))
    extra = data.draw(surviving(instrument, other))
    assert project([*frames, extra], instrument, dimension) == project(frames, instrument, dimension)


@given(evidence())
def test_state_and_k_agree(world):
    instrument, dimension, frames = world
    found = project(frames, instrument, dimension)
    assert found.k == K[found.state]
    assert (found.state == "ABSENT") == (not frames)


@given(st.data(), evidence())
def test_effective_is_what_the_projection_used(data, world):
    """The trace tells the truth: the state can be read off `kept` and `effective` but for the conflicts by name."""
    instrument, dimension, frames = world
    bound = [bind(frame, instrument) for frame in [*frames, data.draw(excluded(instrument, dimension))]]
    found = project(bound, instrument, dimension)
    whole = set(instrument.components(dimension))
    used = {"affirm": [], "deny": []}
    for b in bound:
        if b.kept and b.effective.strength == "definite":
            used[b.frame.polarity].append(whole if b.effective.components == (ALL,) else set(b.effective.components))
    assert set(found.neg) == set().union(*used["deny"])
    assert bool(found.pos) == bool(used["affirm"])
    if any(names <= set(found.neg) for names in used["affirm"]):
        assert found.state == "CONFLICTING"


@given(evidence(polarity="deny"))
def test_denials_alone_are_never_positive(world):
    instrument, dimension, frames = world
    assert project(frames, instrument, dimension).state in ("ABSENT", "PARTIAL", "SUFFICIENT_NEG")


@given(st.data(), evidence())
def test_a_denial_never_makes_a_positive(data, world):
    instrument, dimension, frames = world
    denial = data.draw(surviving(instrument, dimension, "deny"))
    before, after = (project(f, instrument, dimension) for f in (frames, [*frames, denial]))
    assert after.pos == before.pos
    assert after.state != "SUFFICIENT_POS" or before.state == "SUFFICIENT_POS"


@given(st.data(), evidence())
def test_more_evidence_never_widens_k(data, world):
    instrument, dimension, frames = world
    extra = data.draw(surviving(instrument, dimension))
    before, after = (project(f, instrument, dimension) for f in (frames, [*frames, extra]))
    assert set(after.k) <= set(before.k)
    assert set(after.neg) >= set(before.neg)
    assert set(after.pos) >= set(before.pos)
    assert set(after.conflict) >= set(before.conflict)


@given(st.data(), evidence())
def test_monotone_in_the_components_denied(data, world):
    instrument, dimension, frames = world
    denial = data.draw(surviving(instrument, dimension, "deny"))
    more = data.draw(components(dimension, instrument))
    wider = denial.replace(components=(ALL,) if ALL in denial.components + more
                           else tuple(dict.fromkeys(denial.components + more)))
    narrow, wide = (project([*frames, d], instrument, dimension) for d in (denial, wider))
    assert set(wide.neg) >= set(narrow.neg)
    assert wide.coverage >= narrow.coverage
    assert set(wide.conflict) >= set(narrow.conflict) or ALL in wider.components
    assert narrow.state != "CONFLICTING" or wide.state == "CONFLICTING" or ALL in wider.components
    assert set(wide.k) <= set(narrow.k) or ALL in wider.components


@given(st.data(), evidence(polarity="deny"))
def test_monotone_in_the_components_affirmed(data, world):
    """An affirmation that names more alternatives says less, so it contradicts no more."""
    instrument, dimension, frames = world
    affirmation = data.draw(surviving(instrument, dimension, "affirm"))
    more = data.draw(components(dimension, instrument).filter(lambda names: ALL not in names))
    wider = affirmation.replace(components=tuple(dict.fromkeys(affirmation.components + more)))
    if ALL in affirmation.components:
        return
    narrow, wide = (project([*frames, a], instrument, dimension) for a in (affirmation, wider))
    assert narrow.state == "CONFLICTING" or wide.state != "CONFLICTING"
    assert set(narrow.k) <= set(wide.k)


@given(st.data(), evidence(polarity="affirm"))
def test_weak_or_short_denials_never_conflict(data, world):
    instrument, dimension, frames = world
    window = instrument.window_days
    weak = data.draw(surviving(instrument, dimension, "deny")).replace(strength="indicator")
    short = data.draw(surviving(instrument, dimension, "deny", time=st.integers(1, window).map(
        lambda days: Interval(days, 0))))
    assert project([*frames, weak, short], instrument, dimension).state in ("PARTIAL", "SUFFICIENT_POS")


@given(st.data(), evidence(polarity="deny"))
def test_hedged_affirmations_never_conflict(data, world):
    instrument, dimension, frames = world
    hedged = data.draw(surviving(instrument, dimension, "affirm")).replace(strength="indicator")
    before = project(frames, instrument, dimension)
    assert project([*frames, hedged], instrument, dimension).state == (
        "PARTIAL" if before.state == "ABSENT" else before.state)


@given(st.data(), st.sampled_from(INSTRUMENTS))
def test_times_are_never_added_up(data, name):
    """Denials that together fill the window, none of which covers it, deny nothing for the window."""
    instrument = load_instrument(name)
    dimension = data.draw(st.sampled_from(instrument.ordered))
    cut = data.draw(st.integers(1, instrument.window_days))
    halves = [Frame("f1", dimension, (ALL,), "deny", time=Interval(cut, 0)),
              Frame("f2", dimension, (ALL,), "deny", time=Interval(None, cut))]
    assert project(halves, instrument, dimension).state == "PARTIAL"
    assert project([halves[0].replace(time=UNSPECIFIED)], instrument, dimension).state == "SUFFICIENT_NEG"


# -- An oracle: the worlds that agree with what was said ---------------------------------------------------------------


# Slowed thinking is a part of retardation under HAMD-17, and no matter of psychomotor elsewhere.
ORACLE_TABLE = FINE_TABLE | {"slowed_thinking": ("psychomotor", "", ">retardation", "")}


def _atoms(at, dimension):
    """Component -> atoms: what it is made of. A finer part is an atom of its component, beside the component's rest."""
    parts = {name: {name} for name in COMPONENT_TABLE[dimension][at]}
    for fine, (home, *rules) in ORACLE_TABLE.items():
        if home == dimension and rules[at].startswith(">"):
            parts[rules[at][1:]].add(fine)
    return parts


def _meant(name, at, dimension):
    """The atoms that a fine name stands for; None where the instrument lacks it."""
    parts = _atoms(at, dimension)
    if name == ALL:
        return set().union(*parts.values())
    if name in parts:
        return parts[name]
    if name == "insomnia":
        return set().union(*(atoms for part, atoms in parts.items() if part != "hypersomnia"))
    rule = ORACLE_TABLE[name][1 + at]
    if rule[0] == "=":
        return parts[rule[1:]]
    return {name} if rule[0] == ">" else None


def _oracle(frames, at, dimension, window):
    if not frames:
        return "ABSENT"
    atoms = sorted(set().union(*_atoms(at, dimension).values()))
    values = set()
    for world in chain.from_iterable(combinations(atoms, size) for size in range(len(atoms) + 1)):
        present = set(world)

        def agrees(frame, present=present):
            meant = [_meant(name, at, dimension) for name in frame.components]
            if frame.strength == "indicator":
                return True
            if frame.polarity == "affirm":
                return None in meant or any(m & present for m in meant)
            if (frame.time.from_ is not None and frame.time.from_ <= window) or (frame.time.to or 0) > 0:
                return True
            return not any(m & present for m in meant if m is not None)

        if all(agrees(frame) for frame in frames):
            values.add(int(bool(present)))
    return next(state for state, k in K.items() if set(k) == values and state != "ABSENT")


@settings(max_examples=600)
@given(st.data(), st.sampled_from(list(enumerate(INSTRUMENTS))))
def test_projection_is_the_set_of_worlds_that_agree(data, which):
    at, name = which
    instrument = load_instrument(name)
    dimension = data.draw(st.sampled_from(instrument.ordered))
    frames = data.draw(st.lists(surviving(instrument, dimension, objects=st.none(),
                                          time=touching(instrument.window_days)), max_size=5))
    assert project(frames, instrument, dimension).state == _oracle(frames, at, dimension, instrument.window_days)


# -- The contract's own cases ------------------------------------------------------------------------------------------


def f(polarity, *names, dimension="sleep", **more):
    return Frame(f"{polarity}-{'-'.join(names)}-{more.get('object')}", dimension, names, polarity, **more)


@pytest.mark.parametrize("name, dimension, frames, state", [
    # a definite ALL affirmation against denials
    ("PHQ-8", "sleep", [f("affirm", ALL), f("deny", "onset")], "SUFFICIENT_POS"),
    ("PHQ-8", "sleep", [f("affirm", ALL), f("deny", ALL)], "CONFLICTING"),
    ("PHQ-8", "sleep", [f("affirm", ALL), f("deny", "onset", "maintenance"), f("deny", "hypersomnia")], "CONFLICTING"),
    # denials of components add up
    ("PHQ-8", "sleep", [f("deny", "onset"), f("deny", "maintenance"), f("deny", "hypersomnia")], "SUFFICIENT_NEG"),
    ("PHQ-8", "sleep", [f("deny", "onset"), f("deny", "maintenance")], "PARTIAL"),
    # "I fall asleep fine but wake at three"
    ("PHQ-8", "sleep", [f("deny", "onset"), f("affirm", "maintenance")], "SUFFICIENT_POS"),
    ("PHQ-8", "sleep", [f("deny", "maintenance"), f("affirm", "maintenance")], "CONFLICTING"),
    # either-or: yes to one of two
    ("PHQ-8", "sleep", [f("affirm", "onset", "maintenance"), f("deny", "onset")], "SUFFICIENT_POS"),
    ("PHQ-8", "sleep", [f("affirm", "onset", "maintenance"), f("deny", "onset", "maintenance")], "CONFLICTING"),
    # finer parts: not added up, but the very same one conflicts
    ("PHQ-8", "sleep", [f("affirm", "early_waking"), f("deny", "early_waking")], "CONFLICTING"),
    ("PHQ-8", "sleep", [f("affirm", "maintenance"), f("deny", "early_waking")], "SUFFICIENT_POS"),
    ("PHQ-8", "sleep", [f("affirm", "early_waking"), f("deny", "maintenance")], "CONFLICTING"),
    ("BDI-II", "sleep", [f("deny", "onset"), f("deny", "maintenance"), f("deny", "early_waking"),
                         f("deny", "hypersomnia")], "PARTIAL"),
    # a finer denial that is weak or short does not conflict
    ("PHQ-8", "sleep", [f("affirm", "early_waking"), f("deny", "early_waking", strength="indicator")],
     "SUFFICIENT_POS"),
    ("PHQ-8", "sleep", [f("affirm", "early_waking"), f("deny", "early_waking", time=Interval(2, 0))],
     "SUFFICIENT_POS"),
    # one person's word does not outrank the other's
    ("PHQ-8", "sleep", [f("affirm", "onset"), f("deny", "onset", speaker="informant")], "CONFLICTING"),
    # an affirmation anywhere in the window against a denial of the whole window
    ("PHQ-8", "sleep", [f("affirm", "onset", time=Interval(15, 14)), f("deny", "onset")], "CONFLICTING"),
    ("HAMD-17", "sleep", [f("affirm", "onset", time=Interval(15, 14)), f("deny", "onset")], "PARTIAL"),
    # what the instrument lacks
    ("HAMD-17", "sleep", [f("affirm", "hypersomnia"), f("deny", "hypersomnia")], "PARTIAL"),
    # tired is energy where the instrument has the one component
    ("PHQ-8", "fatigue", [f("affirm", "energy", dimension="fatigue"), f("deny", "tiredness", dimension="fatigue")],
     "CONFLICTING"),
    ("BDI-II", "fatigue", [f("affirm", "energy", dimension="fatigue"), f("deny", "tiredness", dimension="fatigue")],
     "SUFFICIENT_POS"),
])
def test_cases(name, dimension, frames, state):
    assert project(frames, load_instrument(name), dimension).state == state


GUILT = "guilt_worthlessness"


@pytest.mark.parametrize("frames, state", [
    ([f("affirm", "guilt", dimension=GUILT, object="kids"), f("deny", "guilt", dimension=GUILT, object="kids")],
     "CONFLICTING"),
    ([f("affirm", "guilt", dimension=GUILT, object="Kids "), f("deny", "guilt", dimension=GUILT, object="kids")],
     "CONFLICTING"),
    ([f("affirm", "guilt", dimension=GUILT, object="kids"), f("deny", "guilt", dimension=GUILT, object="wife")],
     "SUFFICIENT_POS"),
    ([f("affirm", "guilt", dimension=GUILT, object="kids"), f("deny", "worthlessness", dimension=GUILT,
                                                              object="kids")], "SUFFICIENT_POS"),
    ([f("affirm", "guilt", dimension=GUILT), f("deny", "guilt", dimension=GUILT, object="kids")], "SUFFICIENT_POS"),
    ([f("affirm", "guilt", dimension=GUILT, object="kids"), f("deny", "guilt", dimension=GUILT)], "CONFLICTING"),
    ([f("affirm", "guilt", dimension=GUILT, object="kids"), f("deny", ALL, dimension=GUILT, object="kids")],
     "CONFLICTING"),
    ([f("deny", ALL, dimension=GUILT, object="kids")], "PARTIAL"),
    # restricted denials are not added up
    ([f("deny", "guilt", dimension=GUILT, object="kids"), f("deny", "worthlessness", dimension=GUILT)], "PARTIAL"),
    ([f("deny", "guilt", dimension=GUILT), f("deny", "worthlessness", dimension=GUILT)], "SUFFICIENT_NEG"),
])
def test_one_object_or_occasion(phq, frames, state):
    assert project(frames, phq, GUILT).state == state


def test_what_the_projection_says_of_itself(phq):
    found = project([f("affirm", "onset"), f("affirm", "onset", "maintenance"), f("deny", "onset")], phq, "sleep")
    assert (found.pos, found.neg, found.conflict) == (("onset", "onset|maintenance"), ("onset",), ("onset",))
    assert found.coverage == pytest.approx(1 / 3)
