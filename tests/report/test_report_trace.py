from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import fake
from evidial_rules.contract import BoundFrame, Cue, Dialogue, Effective, Frame, Interval, judge
from evidial_rules.report import NOTICE
from evidial_rules.report.html import cell_page, marked, states_page
from evidial_rules.report.states import GoldError, StateRow, read_gold
from evidial_rules.report.terminal import cell_view, states_table
from evidial_rules.report.trace import Mark, Trace, pieces, role, time, visible
from evidial_rules.resources import load_instrument


def trace_of(dimension, *texts, instrument="PHQ-8", frames=None, **more):
    dialogue = Dialogue.from_dict({"dialogue_id": "d1", "language": "en", "instrument": instrument, "turns": [
        {"speaker": "participant", "text": text} for text in texts]} | more)
    spec = load_instrument(instrument)
    found = fake.Annotator().frames(dialogue) if frames is None else frames
    cells = judge(found, spec, dialogue_id=dialogue.dialogue_id, ruleset=fake.Annotator().ruleset)
    return Trace.of(dialogue, next(cell for cell in cells if cell.dimension == dimension), spec)


def printed(view):
    console = Console(width=140, record=True, file=open("/dev/null", "w"), highlight=False, markup=False)  # noqa: SIM115
    console.print(view)
    return console.export_text()


# -- pieces -----------------------------------------------------------------------------------------------------------


spans = st.tuples(st.integers(-1, 25), st.integers(-1, 25), st.sampled_from(["affirm", "deny", "cue"]))


@given(st.text(max_size=20), st.lists(spans, max_size=6))
def test_pieces_are_the_text_and_carry_just_the_marks_over_them(text, raw):
    marks = [Mark(a, b, f"f{i}", kind) for i, (a, b, kind) in enumerate(raw)]
    parts = pieces(text, marks)
    assert "".join(part.text for part in parts) == text
    position = 0
    for part in parts:
        over = {m for m in marks if 0 <= m.start <= position and position + len(part.text) <= m.end <= len(text)
                and m.start < m.end}
        assert set(part.marks) == over
        position += len(part.text)


def test_the_strongest_role_shows():
    part = pieces("abc", [Mark(0, 3, "f1", "cue"), Mark(0, 3, "f2", "excluded"), Mark(0, 3, "f3", "deny")])[0]
    assert part.role == "deny" and part.label == "f1 f2 f3"


@given(st.text())
def test_visible_keeps_the_length_and_no_controls(text):
    shown = visible(text)
    assert len(shown) == len(text)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


@pytest.mark.parametrize(("interval", "words"), [
    (Interval(), "unspecified"), (Interval(15, 0), "days 0-14"), (Interval(1, 0), "day 0"),
    (Interval(None, 30), "day 30 and before"), (Interval(0, -1), "the future"), (Interval(8, None), "up to day 7"),
    (Interval(None, None, True), "any time"),
])
def test_time_in_words(interval, words):
    assert time(interval) == words


# -- what counts ------------------------------------------------------------------------------------------------------


def test_roles_follow_the_binding_not_the_words():
    frame = Frame("f1", "fatigue", ("energy",), "deny")
    kept = BoundFrame(frame, (), True, Effective(("energy",), "definite"))
    weak = BoundFrame(frame, (), True, Effective(("energy",), "indicator"))
    out = BoundFrame(frame, (), False, Effective(("energy",), "definite"))
    assert [role(b) for b in (kept, weak, out)] == ["deny", "indicator", "excluded"]


def test_coverage_lists_each_component_once():
    frames = [
        Frame("f1", "sleep", ("onset",), "deny"),
        Frame("f2", "sleep", ("early_waking",), "affirm"),
        Frame("f3", "sleep", ("hypersomnia",), "deny", time=Interval(2, 1)),
        Frame("f4", "sleep", ("ALL",), "affirm", strength="indicator"),
        Frame("f5", "sleep", ("onset",), "affirm", subject="other"),
    ]
    rows = {row.component: row for row in trace_of("sleep", "text", frames=frames).coverage()}
    assert list(rows) == ["onset", "maintenance", "hypersomnia"]
    assert rows["onset"].denied == ("f1",) and rows["onset"].affirmed == ()
    assert rows["maintenance"].affirmed == ("f2",)
    assert rows["hypersomnia"].denied == () and rows["hypersomnia"].indicated == ("f3", "f4")


def test_coverage_has_a_row_for_what_names_no_component():
    frames = [Frame("f1", "appetite_weight", ("weight_loss",), "affirm")]
    rows = {row.component: row for row in trace_of("appetite_weight", "text", frames=frames).coverage()}
    assert rows["(dimension)"].indicated == ("f1",)
    assert rows["appetite_loss"].indicated == ()


# -- terminal ---------------------------------------------------------------------------------------------------------


def test_terminal_view_names_verdicts_rules_and_versions():
    text = printed(cell_view(trace_of("fatigue", "I was rested yesterday", "my brother is tired")))
    for words in ("[rested|f1]", "[tired|f2]", "fake.yesterday",
                  "a denial that does not cover the window is an indicator",
                  "about somebody else", "counts as energy (indicator)", "does not count", "K(u) = {0, 1}",
                  "PHQ-8, the last 14 days", "rule set fake 7", NOTICE):
        assert words in text, words


def test_terminal_view_of_an_empty_cell():
    text = printed(cell_view(trace_of("sleep", "hello")))
    assert "ABSENT" in text and "none" in text


def test_a_withdrawal_is_said_and_shown_where_it_happened():
    frames = [Frame("f1", "fatigue", ("energy",), "affirm", turn=0, start=0, end=5, quote="tired", withdrawn_by=1,
                    cues=(Cue("withdrawn_by", 1, "fake.scratch", 1, 0, 12),))]
    text = printed(cell_view(trace_of("fatigue", "tired", "scratch that", frames=frames)))
    assert "taken back in turn 1" in text and "[scratch that|f1:withdrawn_by]" in text and "ABSENT" in text


def test_states_table_shows_differences_only_where_they_are():
    rows = [StateRow("d1", "PHQ-8", {"sleep": "ABSENT", "fatigue": "PARTIAL"},
                     {"sleep": "ABSENT", "fatigue": "SUFFICIENT_NEG"})]
    text = printed(states_table(rows, ("sleep", "fatigue", "concentration")))
    assert "PART/NEG" in text and "-/" not in text and "1 of 2 cells" in text


# -- web page ---------------------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Collects tags and text, as a browser would see them."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.links, self.text, self.open = [], [], "", []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "onclick", "onerror")]
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


EVIL = '<script>alert(1)</script><img src=x onerror=y> & "quoted" {label} \x00\x1b\u202e tired'


def test_page_escapes_everything():
    frames = [Frame('f"><script>', "fatigue", ("energy",), "affirm", turn=0, start=0, end=len(EVIL), quote=EVIL,
                    object="<b>", cues=(Cue("polarity", "affirm", "<i>rule</i>", 0, 0, 8),))]
    page = cell_page(trace_of("fatigue", EVIL, frames=frames, dialogue_id="<d1>"))
    seen = Reader(page)
    assert not {"script", "img", "d1"} & set(seen.tags) and not seen.links
    assert not seen.open
    assert '<script>alert(1)</script><img src=x onerror=y> & "quoted" {label}' in seen.text
    assert "<i>rule</i>" in seen.text and "<d1>" in seen.text
    assert "\x00" not in page and "\x1b" not in page and "\u202e" not in page


def test_page_is_one_file_with_versions_and_the_notice():
    page = cell_page(trace_of("fatigue", "I was rested yesterday"))
    seen = Reader(page)
    assert "default-src 'none'" in page and "http://" not in page and "https://" not in page
    assert NOTICE in seen.text and "contract 1" in seen.text and "fake 7" in seen.text
    assert "window-incomplete" not in seen.text and "does not cover the window" in seen.text
    assert page == cell_page(trace_of("fatigue", "I was rested yesterday"))


@given(st.text(max_size=30), st.lists(spans, max_size=4))
def test_marks_leave_the_words_of_a_turn_alone(text, raw):
    marks = [Mark(a, b, "L", kind) for a, b, kind in raw]
    html = marked(pieces(text, marks))
    words = re.sub(r"<small>L( L)*</small>", "", html)
    assert Reader(words).text.strip("\n") == visible(text).strip("\n")


def test_states_page_links_and_marks_differences():
    rows = [StateRow("d<1>", "PHQ-8", {"sleep": "ABSENT"}, {"sleep": "PARTIAL"})]
    page = states_page(rows, ("sleep", "concentration"), "contract 1", link=lambda i, d: f'x"{d}')
    seen = Reader(page)
    assert seen.links == ['x"sleep'] and "gold PARTIAL" in seen.text and "d<1>" in seen.text and NOTICE in seen.text


# -- gold -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "words"), [
    ('{"dialogue_id": "a", "gold": {"sleep": "GOOD"}}', "state"),
    ('{"dialogue_id": "a", "gold": {"hunger": "ABSENT"}}', "dimension"),
    ('{"dialogue_id": "a"}', "gold"),
])
def test_gold_errors_say_where(tmp_path, line, words):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"dialogue_id": "z", "gold": {}}\n' + line + "\n")
    with pytest.raises(GoldError, match=rf"gold\.jsonl:2: .*{words}"):
        read_gold(path)
