"""The contract's algebra on composed talks: what a change does to a state, read by the judge off the words.

`make fuzz N=100000` runs these long. A counterexample is made as simple as it goes and printed as a dialogue.
"""
from __future__ import annotations

import re

from hypothesis import assume, given
from hypothesis import strategies as st
from talks import CELLS, share, talks

from evidial_rules.anchors.edits import _DENIED, _SPOKEN, Editor
from evidial_rules.contract import ALL
from evidial_rules.resources import load_instrument

WITHDRAWN = ("same", "next", "pause")
DISTRACTORS = {
    "outside": Editor.outside, "other": Editor.other, "weak": Editor.weak,
    "indicator": lambda editor: editor.hint(["hedged", "indicator", "vague"]),
    "withdrawn": lambda editor: editor.retraction(editor.denial(kinds=_DENIED), kinds=WITHDRAWN),
    "neutral": Editor.neutral,
}
STATEMENTS = {
    "support": Editor.support, "denial": Editor.denial, "partial": Editor.partial, "hint": Editor.hint, **DISTRACTORS,
}


@st.composite
def compositions(draw, least=1, most=4, kinds=STATEMENTS):
    """A talk of any statements about one cell, in any order."""
    names = draw(st.lists(st.sampled_from(list(kinds)), min_size=least, max_size=most))
    return draw(talks(*(kinds[name] for name in names)))


def _words(blocks):
    """The participant's sentences, and what is long in them between commas, without their case and stops."""
    lines = [line.text.casefold() for block in blocks for line in block if line.frames]
    sentences = {part for text in lines for part in re.split(r"[.。!?！？]\s*", text) if part}
    return sentences | {part for sentence in sentences for part in re.split(r"[,;，；]\s*", sentence) if len(part) > 7}


def _said_again(new, old):
    """Whether some words of the one blocks are words of the other, be there more beside them ("最近")."""
    return any(
        a == b or (a in b or b in a) and min(len(a), len(b)) > 7 for a in _words(new) for b in _words(old)
    )


def _taken_back_of_two(blocks):
    """Whether something is taken back that was said before in the same words: it is a matter of taste which of the two
    falls, for words that are said again name the first (contract, "What a retraction names")."""
    return any(any(line.takes for line in block) and _said_again([block], blocks[:n]) for n, block in enumerate(blocks))


@share(0.6, 150)
@given(compositions())
def test_any_composition_has_the_state_of_its_ledger(talk):
    assume(not _taken_back_of_two(talk.blocks))
    assert talk.judged() == talk.expected()


@share(0.05)
@given(compositions(most=2), st.data())
def test_what_is_inserted_and_withdrawn_leaves_the_state(talk, data):
    cell = [(talk.language, talk.instrument.name, talk.dimension)]
    inserted = data.draw(talks(lambda e: e.retraction(e.support(_SPOKEN), kinds=WITHDRAWN), cells=cell)).blocks
    assume(not _said_again(inserted[1:], talk.blocks))  # as in `_taken_back_of_two`
    assert talk.judged([*talk.blocks, *inserted]) == talk.expected()


@share(0.1)
@given(talks(Editor.support), st.data())
def test_a_distractor_never_changes_a_positive_cell(talk, data):
    cell = [(talk.language, talk.instrument.name, talk.dimension)]
    kind = data.draw(st.sampled_from(list(DISTRACTORS)))
    distractor = data.draw(talks(DISTRACTORS[kind], cells=cell)).blocks
    both = [*talk.blocks, *distractor] if data.draw(st.booleans()) else [*distractor, *talk.blocks]
    assert talk.judged(both) == "SUFFICIENT_POS"


@share(0.05)
@given(talks(lambda e: e.support(_SPOKEN), lambda e: e.denial(kinds=_DENIED),
             lambda e: e.retraction((), kinds=["topic"])))
def test_withdrawing_everything_gives_absent(talk):
    assert talk.judged() == "ABSENT"


def _each_component(editor):
    own = editor._own()
    names = [editor._naming(component, own) for component in editor.instrument.components(editor.dimension)]
    assume(len(names) > 1 and all(names))
    return [editor._denied_part(name) for name in names]


@share(0.05)
@given(talks(_each_component))
def test_denials_of_each_component_reach_the_negative_state_at_the_last(talk):
    parts = talk.blocks[1:]
    states = [talk.judged(parts[:n]) for n in range(1, len(parts) + 1)]
    assert states == ["PARTIAL"] * (len(parts) - 1) + ["SUFFICIENT_NEG"]


@st.composite
def _dated(draw):
    """A talk with one statement some days ago, and whether that day lies in the window."""
    inside = {}

    def dated(editor):
        grammar = editor.wording.grammar
        unit = editor.wording.pick("unit", [1, 7, "date"])
        phrase = editor.wording.pick("time", [one for one in grammar.times.outside if one.unit == unit])
        window = editor.instrument.window_days
        days = 7 * (1 + editor.wording.below(4)) if unit == 7 else window + draw(st.integers(-3, 3))
        time, interval = editor._at(phrase, days, True)
        name, said = editor._drawn("past", "affirm")
        inside["in"] = days <= window
        text = editor.wording.pattern("dated", past=said, time=time)
        return editor._open(editor._say(text, frames=[editor.frame(name, "affirm", time=interval)]))

    return draw(talks(dated)), inside["in"]


@share(0.05)
@given(_dated())
def test_a_statement_counts_up_to_the_windows_edge_to_the_day(case):
    talk, inside = case
    assert talk.judged() == ("SUFFICIENT_POS" if inside else "ABSENT")


@share(0.05)
@given(talks(Editor.support, Editor.denial))
def test_a_contradiction_is_the_same_in_either_order(talk):
    first, support, *denial = talk.blocks
    assert talk.judged([first, support, *denial]) == talk.judged([first, *denial, support]) == "CONFLICTING"


TIMELESS = {"said": lambda e: e.support(["said"]), "denial": lambda e: e.denial(kinds=["said", "besides"]),
            "besides": lambda e: e.support(["besides"]), "neutral": Editor.neutral}


@share(0.05)
@given(compositions(least=2, kinds=TIMELESS), st.randoms(use_true_random=False))
def test_whole_exchanges_permute_freely(talk, random):
    order = list(talk.blocks)
    random.shuffle(order)
    assert talk.judged(order) == talk.judged()


def test_every_cell_can_be_spoken_of():
    # What the properties above draw from: a cell without phrases would be skipped in silence.
    from evidial_rules.anchors.grammar import load_grammar

    for language, name, dimension in CELLS:
        phrases = load_grammar(language).dimensions[dimension]
        for component in load_instrument(name).components(dimension):
            known = phrases.components.get(component)
            assert known is not None or component in ("insomnia",), (language, name, dimension, component)
        assert phrases.components[ALL].deny and phrases.ask and phrases.ask_trouble and phrases.ask_fine
