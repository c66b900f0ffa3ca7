"""The command and its pages in a real browser."""
from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys

import pytest

from evidial_rules.corpora import read_dialogues
from evidial_rules.report.states import read_gold
from evidial_rules.resources import resource

pytest.importorskip("streamlit")

COURIER = "/?dialogue=en-phq8-courier&dimension=sleep"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two of the dialogues that ship, and gold of them."""
    made = tmp_path_factory.mktemp("app")
    for name in ("dialogues", "gold"):
        lines = resource("data", f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        (made / f"{name}.jsonl").write_text("\n".join(lines[:2]) + "\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def served(browser, folder):
    """The address of the pages, and what the command says at its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "evidial_rules", "app", "dialogues.jsonl", "--gold", "gold.jsonl", "--no-browser"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    address = re.search(r"http://\S+", process.stdout.readline() or process.stderr.read())
    try:
        yield address[0]
    finally:
        process.send_signal(signal.SIGTERM)
        said, complained = process.communicate(timeout=30)
    assert process.returncode in (0, 128 + signal.SIGTERM) and said.strip() in ("", "Stopping...")
    assert "Traceback" not in complained and "sleep well" not in complained


@pytest.fixture
def tab(browser, served):
    """A new tab of a desktop; at its end nothing was asked of another machine."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert asked and all(url.startswith((served, "data:", "blob:")) for url in asked)


def settle(page):
    """Waits until the page is whole: a touch of what is left of the one before it is lost."""
    page.wait_for_selector("[data-test-script-state=notRunning]", state="attached")
    page.wait_for_timeout(200)


def test_it_listens_on_this_machine_only(served):
    port = int(served.rpartition(":")[2])
    assert served.startswith("http://127.0.0.1:")
    with socket.socket() as other, pytest.raises(OSError):
        other.settimeout(2)
        other.connect(("127.0.0.2", port))  # on this machine too, and not where it listens


def test_a_cell_is_opened_with_the_keyboard_and_the_browser_goes_back(tab, served):
    tab.goto(served)
    cell = tab.get_by_title("en-phq8-courier, sleep: CONFLICTING")
    cell.wait_for()
    settle(tab)
    cell.focus()
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="en-phq8-courier · sleep").wait_for()
    assert tab.url == served + COURIER
    settle(tab)
    tab.get_by_role("link", name="next cell").click()
    tab.get_by_role("heading", name="en-phq8-courier · fatigue").wait_for()
    settle(tab)
    tab.go_back()
    tab.get_by_role("heading", name="en-phq8-courier · sleep").wait_for()
    settle(tab)
    tab.get_by_role("link", name="← all cells").click()
    tab.get_by_role("heading", name="Evidence states").wait_for()


def test_a_click_on_a_page_that_is_being_replaced_is_not_lost(tab, served):
    tab.goto(served)
    tab.get_by_title("en-phq8-courier, sleep: CONFLICTING").wait_for()
    for name in ("sleep", "fatigue"):  # the second one while the first one's page is on its way
        tab.get_by_title(f"en-phq8-courier, {name}: ").last.evaluate("link => link.click()")
    tab.get_by_role("heading", name="en-phq8-courier · fatigue").wait_for()
    tab.get_by_role("link", name="← all cells").evaluate("link => link.click()")
    tab.get_by_role("heading", name="Evidence states").wait_for()
    tab.get_by_title("en-phq8-courier, sleep: CONFLICTING").click()
    tab.get_by_role("heading", name="en-phq8-courier · sleep").wait_for()
    tab.get_by_role("link", name="next cell").click()
    tab.get_by_role("heading", name="en-phq8-courier · fatigue").wait_for()
    tab.go_back()
    tab.get_by_role("heading", name="en-phq8-courier · sleep").wait_for()


def test_what_is_typed_in_a_turn_changes_the_cell_and_is_saved(tab, served, folder):
    tab.goto(served + COURIER)
    box = tab.get_by_role("textbox", name="What the participant says in turn 7")
    box.fill("I slept well last night.")  # no key that sends it: it is judged while it is typed
    tab.get_by_text("Edited: turn 7").wait_for()
    changed = tab.get_by_role("status").filter(has_text="→")
    assert "CONFLICTING → SUFFICIENT_POS" in changed.inner_text() and "en.time.last_night" in changed.inner_text()
    assert box.input_value() == "I slept well last night."

    tab.get_by_label("File (JSON Lines; made if it is not there)").fill("cases.jsonl")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Save this cell").click()
    tab.get_by_text(f"line 1 of {(folder / 'cases.jsonl').resolve()}").wait_for()
    case, = read_dialogues(folder / "cases.jsonl")
    assert case.turns[7].text == "I slept well last night."
    assert read_gold(folder / "cases.jsonl") == {case.dialogue_id: {"sleep": "SUFFICIENT_POS"}}

    tab.get_by_role("button", name="Undo all edits").click()
    tab.get_by_text("Edited: turn 7").wait_for(state="detached")
    assert tab.get_by_role("textbox", name="What the participant says").input_value().startswith("I sleep well")


def test_a_turn_that_loses_its_frame_while_somebody_types_stays_in_the_box(tab, served):
    tab.goto(served + COURIER)
    box = tab.get_by_role("textbox", name="What the participant says in turn 7")
    settle(tab)
    box.click()
    tab.keyboard.press("Control+End")
    tab.keyboard.type(" Yes.")
    tab.get_by_text("Edited: turn 7").wait_for()
    settle(tab)
    tab.keyboard.press("Control+A")
    tab.keyboard.type("The weather is fine")
    tab.get_by_role("status").filter(has_text="removed").wait_for()
    settle(tab)
    tab.keyboard.type(" and warm")  # the focus is where it was
    assert box.input_value() == "The weather is fine and warm"
    tab.wait_for_function("""words => [...document.querySelectorAll('[data-testid=stSelectbox]')].some(
        one => (one.querySelector('input').value + one.innerText).includes(words))""",
                          arg="7 participant: The weather is fine and warm")


def test_a_new_dialogue_is_judged_while_it_is_typed(tab, served):
    tab.goto(served + "/?view=new&dimension=fatigue")
    tab.get_by_role("textbox", name="Turns, one a line").fill("Doctor: How are you?\nPatient: I have no energy at all.")
    tab.get_by_title("typed, fatigue: SUFFICIENT_POS").wait_for()


@pytest.mark.parametrize("address", ["/", COURIER, "/?view=new"])
def test_pages_fit_a_telephone(browser, served, address):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(served + address)
    page.locator("table.states a").first.wait_for()
    page.wait_for_selector("[data-test-script-state=notRunning]", state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    page.close()


def test_the_file_of_a_cell_is_one_page_that_stands_alone(tab, served, tmp_path, browser):
    tab.goto(served + COURIER)
    with tab.expect_download() as got:
        tab.get_by_role("button", name="Download this cell as one HTML file").click()
    path = tmp_path / "cell.html"
    got.value.save_as(path)
    alone = browser.new_page(viewport={"width": 390, "height": 844})
    alone.goto(path.as_uri())
    alone.get_by_role("heading", name="en-phq8-courier · sleep").wait_for()
    assert alone.evaluate("document.documentElement.scrollWidth") <= 390
    assert "lexicons/en/sleep.yaml:" in alone.content() and "://" not in path.read_text("utf-8")
    alone.close()
