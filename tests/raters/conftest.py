"""A model's server for each test that wants one, and no way to anybody else's."""
from __future__ import annotations

import os

import pytest
from llm_server import Server


@pytest.fixture
def server():
    made = Server()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def no_keys(monkeypatch, tmp_path_factory):
    """No test asks a provider, reads a key or writes to the user's folders."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")) or name.startswith("INSPECT_"):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(home / "cache"))
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
