"""The rooms of the house, each importing only the rooms above it."""
from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import evidial_rules
from evidial_rules.pipeline import COMPONENTS

ROOT = Path(__file__).parents[1]


def test_layers_hold():
    from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == EXIT_STATUS_SUCCESS


def test_the_order_is_the_one_of_the_design():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    names = [part.strip(" ()") for layer in settings["contracts"][0]["layers"] for part in layer.split(":")]
    assert names == ["cli", "app", "tabular", "report", "audit", "panel", "fusion", "anchors", "raters", "pipeline",
                     "corpora", "resources", "contract", "errors"]


@pytest.mark.parametrize("name", evidial_rules.__all__)
def test_what_the_package_offers_is_there(name):
    assert getattr(evidial_rules, name)


def test_what_it_does_not_offer_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such"):
        _ = evidial_rules.no_such


def test_every_component_is_a_factory_that_spacy_finds():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["spacy_factories"] == {
        f"evidial_{name}": f"evidial_rules.pipeline.{name}.factory:make_{name}" for name in COMPONENTS}
