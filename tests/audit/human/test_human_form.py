"""The form in a real browser: answered by keyboard, kept, handed out, and taken in again."""
from __future__ import annotations

import json

import pytest

from evidial_rules.audit.human import THIRD, differing, form_page, import_answers, questions


@pytest.fixture
def opened(study, browser):
    """Opens the form of an annotator as a file; nothing may be asked of a network."""
    contexts = []

    def open_form(annotator="A", *, width=1280, round=1, more=None, script=None, again=None):
        path = study.folder / f"{annotator}.html"
        asked = questions(study.key, study.dialogues, annotator, "en", differing=more)
        path.write_text(form_page(asked, study=study.key.study, annotator=annotator, language="en", round=round),
                        encoding="utf-8")
        context = again or browser.new_context(viewport={"width": width, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: page.problems.append(line.text) if line.type == "error" else None)
        page.on("request",
                lambda one: None if one.url.startswith(("file:", "blob:")) else page.problems.append(one.url))
        if script:
            page.add_init_script(script)
        page.goto(path.as_uri())
        page.asked = asked
        return page

    yield open_form
    for context in contexts:
        context.close()


def downloaded(page, study, name="answers.json"):
    with page.expect_download() as found:
        page.click("#download")
    found.value.save_as(study.folder / name)
    return study.folder / name


def go_to_english(page):
    """To an item whose participant speaks English; its number."""
    number = next(i for i, one in enumerate(page.asked) if one.language == "en")
    page.select_option("#go", str(number))
    return number


def test_two_items_by_keyboard_kept_over_a_reload_and_imported(study, opened):
    page = opened()
    first = go_to_english(page)
    page.focus('.turn[data-turn="1"]')
    for key in ("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.focus("input[name=state]")
    page.keyboard.press("ArrowDown")  # from the first state to the second
    assert page.is_checked("input[value=PARTIAL]") and page.is_disabled("input[value=positive]")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    assert page.is_checked("input[value=SUFFICIENT]") and "which way" in page.inner_text("#need")
    assert "answered 0 of 36" in page.inner_text("#count")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.is_checked("input[value=positive]") and "answered 1 of 36" in page.inner_text("#count")
    page.focus("#next")
    page.keyboard.press("Enter")
    page.focus("input[name=state]")
    page.keyboard.press("Space")
    page.reload()
    assert page.inner_text("#place") == f"Item {first + 2} of 36" and "answered 2 of 36" in page.inner_text("#count")
    assert page.is_checked("input[value=ABSENT]")
    page.focus("#previous")
    page.keyboard.press("Enter")
    assert page.is_checked("input[value=positive]") and page.locator("#quotes li").count() == 1
    merged, (row,) = import_answers([downloaded(page, study)], study.key, study.dialogues)
    assert (row.annotator, row.answered, row.missing) == ("A", 2, 34)
    by_item = {one.item: one for one in merged}
    one, two = (by_item[page.asked[first + step].item] for step in (0, 1))
    assert (one.state, two.state, two.quotes) == ("SUFFICIENT_POS", "ABSENT", ())
    (quote,) = one.quotes
    text = study.dialogues[one.dialogue_id].turns[1].text
    assert quote.turn == 1 and text[quote.start:quote.end] == quote.quote and len(quote.quote.split()) > 1
    assert page.problems == []


def select(page, turn, words):
    """Selects words of a turn, as a mouse does."""
    box = page.evaluate("""([turn, words]) => {
      const walker = document.createTreeWalker(document.querySelector(`.turn[data-turn="${turn}"] .text`),
                                               NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const at = walker.currentNode.data.indexOf(words);
        if (at < 0) continue;
        walker.currentNode.parentElement.scrollIntoView({block: "center"});
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + words.length);
        const box = range.getBoundingClientRect();
        return [box.left, box.right, (box.top + box.bottom) / 2];
      }
    }""", [turn, words])
    page.mouse.move(box[0] + 1, box[2])
    page.mouse.down()
    page.mouse.move(box[1] - 1, box[2], steps=5)
    page.mouse.up()


def test_words_chosen_with_the_mouse_are_code_points_and_marks_do_not_shift_them(study, opened):
    page = opened()
    number = go_to_english(page)
    assert page.is_disabled("#add")
    for words in ("awake 😴 for", "hours"):
        select(page, 1, words)
        page.click("#add")
    assert page.locator('.turn[data-turn="1"] mark').all_inner_texts() == ["awake 😴 for", "hours"]
    page.check("input[value=PARTIAL]")
    (one,), _ = import_answers([downloaded(page, study)], study.key, study.dialogues)
    text = study.dialogues[one.dialogue_id].turns[1].text
    assert [(q.start, q.quote) for q in one.quotes] == [(text.index(w), w) for w in ("awake 😴 for", "hours")]
    assert one.item == page.asked[number].item
    page.click("#quotes button >> nth=0")
    assert page.locator("#quotes li").count() == 1 and page.locator("mark").all_inner_texts() == ["hours"]
    page.focus('.turn[data-turn="2"]')
    page.keyboard.press("Enter")  # nothing chosen: the whole turn, with its line's end
    (one,), _ = import_answers([downloaded(page, study)], study.key, study.dialogues)
    assert one.quotes[-1].quote == "He paces,\nall   night."
    assert page.problems == []


def test_a_browser_that_keeps_nothing_says_so_and_answers_can_be_loaded(study, opened):
    page = opened(script="Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});")
    assert page.is_visible("#notice") and "keeps nothing" in page.inner_text("#notice")
    page.check("input[value=CONFLICTING]")
    path = downloaded(page, study)
    fresh = opened("A")
    assert not fresh.is_visible("#notice") and "answered 0 of 36" in fresh.inner_text("#count")
    fresh.set_input_files("#load", str(path))
    fresh.wait_for_function("document.getElementById('count').textContent.includes('answered 1 of')")
    other = json.loads(path.read_text(encoding="utf-8")) | {"annotator": "B"}
    path.write_text(json.dumps(other), encoding="utf-8")
    fresh.set_input_files("#load", str(path))
    fresh.wait_for_selector("#notice:visible")
    assert "does not hold answers of this form" in fresh.inner_text("#notice")


def test_two_annotators_of_one_browser_stay_apart(study, opened):
    one = opened("A")
    one.check("input[value=PARTIAL]")
    two = opened("B", again=one.context)
    assert "answered 0 of 36" in two.inner_text("#count")


def test_a_second_tab_of_one_form_loses_no_answer(study, opened):
    one = opened("A")
    two = opened("A", again=one.context)
    for _ in range(3):
        one.check("input[value=PARTIAL]")
        one.click("#next")
    two.wait_for_function("document.getElementById('count').textContent.includes('answered 3 of 36')")
    assert two.is_checked("input[value=PARTIAL]")  # the first item, which both tabs have open or had
    two.select_option("#go", "3")
    two.check("input[value=ABSENT]")
    one.wait_for_function("document.querySelector('input[value=ABSENT]').checked")
    for page in (one, two):
        page.reload()
        assert "answered 4 of 36" in page.inner_text("#count")


def test_a_tab_that_heard_nothing_of_another_does_not_write_over_it(study, opened):
    one = opened("A")
    deaf = opened("A", again=one.context, script="addEventListener('storage', (e) => e.stopImmediatePropagation());")
    one.check("input[value=PARTIAL]")
    one.wait_for_timeout(100)
    deaf.click("#next")
    one.reload()
    assert "answered 1 of 36" in one.inner_text("#count") and "answered 1 of 36" in deaf.inner_text("#count")


@pytest.mark.parametrize("change", [
    {"quotes": [None]}, {"quotes": 3}, {"quotes": [{"turn": 0, "start": 0, "end": 3, "quote": "zzz"}]},
    {"state": "MAYBE"}, {"state": ["ABSENT"]}, {"polarity": "positive"}, {"item": "aaaaaaaa"},
])
def test_a_file_with_one_bad_answer_is_not_loaded_at_all(study, opened, change):
    page = opened("A")
    path = study.form_file(study.says("A", lambda one: "ABSENT"))
    data = json.loads(path.read_text(encoding="utf-8"))
    data["answers"][10] |= change
    path.write_text(json.dumps(data), encoding="utf-8")
    page.set_input_files("#load", str(path))
    page.wait_for_selector("#notice:visible")
    assert "Nothing of it was taken" in page.inner_text("#notice")
    assert "answered 0 of 36" in page.inner_text("#count") and page.problems == []


def test_a_loaded_file_replaces_an_answer_only_if_one_says_so(study, opened):
    page = opened("A")
    page.check("input[value=CONFLICTING]")
    path = study.form_file(study.says("A", lambda one: "ABSENT"))
    said = []
    for answer, state in (("dismiss", "CONFLICTING"), ("accept", "ABSENT")):
        page.once("dialog", lambda box, answer=answer: (said.append(box.message), getattr(box, answer)()))
        page.set_input_files("#load", str(path))
        page.wait_for_function("document.getElementById('count').textContent.includes('answered 36 of 36')")
        page.wait_for_function(f"document.querySelector('input[value={state}]').checked")
    assert len(said) == 2 and all("another answer here than in the file: 1." in line for line in said)


def test_a_phone_has_no_sideways_scrolling_and_names_for_what_can_be_used(opened):
    page = opened(width=390)
    go_to_english(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("button", "input", "select"):
        for one in page.locator(name).all():
            assert one.evaluate("n => (n.labels && n.labels[0] ? n.labels[0].textContent : n.textContent).trim()")
    page.focus('.turn[data-turn="0"]')
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_the_third_rater_sees_two_answers(study, opened):
    given = study.says("A", lambda one: "SUFFICIENT_NEG") + study.says("B", lambda one: "ABSENT")
    page = opened("C", round=THIRD, more=differing(given))
    shown = page.locator(".given strong").all_inner_texts()
    assert [line.split(":")[0] for line in shown] == ["Answer 1", "Answer 2"]
    assert {line.split(": ", 1)[1] for line in shown} == {"Sufficient: Not present", "Absent"}
    page.check("input[value=ABSENT]")
    merged, (row,) = import_answers([downloaded(page, study)], study.key, study.dialogues, given)
    assert (row.round, row.items, row.answered) == (2, 36, 1) and merged[-1].annotator == "C"
