"""Shared fixtures, and Hypothesis set so that a run can be repeated."""
from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# The strategies live in one place, for every folder of tests.
sys.path.insert(0, str(Path(__file__).parent))

# Tests, and the commands that they run, share compiled rules among themselves, and leave the user's own alone.
if "EVIDIAL_CACHE" not in os.environ:
    os.environ["EVIDIAL_CACHE"] = tempfile.mkdtemp(prefix="evidial-cache-")
    atexit.register(shutil.rmtree, os.environ["EVIDIAL_CACHE"], ignore_errors=True)

# As modules with doctests they would all be one module, `conftest`.
collect_ignore_glob = ["*conftest.py"]

settings.register_profile("evidial", deadline=None, derandomize=True, database=None, max_examples=150)
settings.load_profile("evidial")


@pytest.fixture(params=["PHQ-8", "HAMD-17", "BDI-II"])
def instrument(request):
    from evidial_rules.resources import load_instrument

    return load_instrument(request.param)


@pytest.fixture
def phq():
    from evidial_rules.resources import load_instrument

    return load_instrument("PHQ-8")


@pytest.fixture
def hamd():
    from evidial_rules.resources import load_instrument

    return load_instrument("HAMD-17")


@pytest.fixture
def bdi():
    from evidial_rules.resources import load_instrument

    return load_instrument("BDI-II")


CHROMIUM_OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
                    "--disable-sync", "--no-first-run")


@pytest.fixture(scope="session")
def browser():
    """A real browser, headless: Chromium by Playwright, from `EVIDIAL_CHROMIUM` or the path.

    Without one the test is skipped; with EVIDIAL_BROWSER=required it fails.
    """
    missing = pytest.fail if os.environ.get("EVIDIAL_BROWSER") == "required" else pytest.skip
    program = os.environ.get("EVIDIAL_CHROMIUM") or shutil.which("chromium")
    if program is None:
        missing("no Chromium (EVIDIAL_CHROMIUM names one)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("no Playwright")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_OPTIONS))
        yield found
        found.close()
