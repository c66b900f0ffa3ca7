"""Resources in a checkout and in a wheel's layout, and YAML read strictly."""
from __future__ import annotations

import shutil

import pytest

from evidial_rules import resources
from evidial_rules.errors import InstrumentError, ResourceError, UnknownInstrument, YamlError
from evidial_rules.resources import instruments, label, load_instrument, load_yaml, resource


def test_the_shipped_instruments():
    assert set(instruments()) >= {"PHQ-8", "HAMD-17", "BDI-II"}
    assert [load_instrument(name).name for name in instruments()] == list(instruments())


def test_a_wheels_layout_goes_before_the_neighbours(tmp_path):
    package = tmp_path / "site" / "evidial_rules"
    (package / "_resources" / "grammars").mkdir(parents=True)
    (tmp_path / "site" / "grammars" / "instruments").mkdir(parents=True)
    assert resources._root(package) == package / "_resources"
    shutil.rmtree(package / "_resources")
    assert resources._root(package) == tmp_path / "site"


def test_a_stranger_beside_the_package_is_not_ours(tmp_path):
    (tmp_path / "site" / "data").mkdir(parents=True)
    with pytest.raises(ResourceError, match="install it again"):
        resources._root(tmp_path / "site" / "evidial_rules")


@pytest.mark.parametrize("parts", [("nowhere",), ("..", "tests"), ("instruments", "..", "..", "tests")])
def test_only_what_ships_is_found(parts):
    with pytest.raises(ResourceError):
        resource("grammars", *parts)


def test_an_unknown_kind():
    with pytest.raises(ResourceError, match="a kind out of lexicons"):
        resource("secrets")


@pytest.mark.parametrize("name", ["PHQ-9", "../instruments/PHQ-8", "", "a long made-up name"])
def test_an_unknown_instrument(name):
    with pytest.raises(UnknownInstrument, match="BDI-II, HAMD-17, PHQ-8") as caught:
        load_instrument(name)
    assert "made-up" not in str(caught.value)


def test_an_instrument_is_added_by_adding_a_file(tmp_path):
    text = resource("grammars", "instruments", "PHQ-8.yaml").read_text(encoding="utf-8")
    (tmp_path / "MINE.yaml").write_text(text.replace("name: PHQ-8", "name: MINE").replace("14", "30"), encoding="utf-8")
    assert instruments(tmp_path) == ("MINE",)
    assert load_instrument("MINE", tmp_path).window_days == 30
    assert load_instrument(str(tmp_path / "MINE.yaml")).name == "MINE"
    (tmp_path / "OTHER.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InstrumentError, match=r"OTHER\.yaml: name: expected the name that the file has"):
        load_instrument("OTHER", tmp_path)


@pytest.mark.parametrize("raw, line, expected", [
    (b"a: 1\nb: 2\na: 3\n", 3, "each key once, found 'a' on line 1 already"),
    (b"a:\n  b: 1\n  b: 2\n", 3, "each key once"),
    (b"a: [1, 2\n", 2, "valid YAML"),
    (b"a: 1\n\tb: 2\n", 2, "valid YAML"),
    (b"a: 1\nb: \xff\n", 2, "UTF-8 text"),
    (b"a: 1\n[1]: 2\n", 2, "a key that is text"),
    (b"a: !!python/object:os.system 1\n", 1, "expected"),
    (b"a: *b\n", 1, "valid YAML"),
])
def test_bad_yaml_names_file_and_line(tmp_path, raw, line, expected):
    path = tmp_path / "rules.yaml"
    path.write_bytes(raw)
    with pytest.raises(YamlError) as caught:
        load_yaml(path)
    assert f"rules.yaml:{line}: " in str(caught.value)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("raw", [b"a: \x00\n", b"d: 2024-13-45\n", b"a: " + b"[" * 5000])
def test_odd_yaml_is_an_error_of_ours(tmp_path, raw):
    path = tmp_path / "rules.yaml"
    path.write_bytes(raw)
    with pytest.raises(YamlError):
        load_yaml(path)


def test_a_missing_yaml(tmp_path):
    with pytest.raises(YamlError, match="a file that can be read"):
        load_yaml(tmp_path / "none.yaml")


def test_a_bare_no_stays_a_word(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_bytes("\ufeffwords: [no, yes, off, Yes]\nflags: [true, False]\nn: 3\nbase: &b {x: 1}\n"
                     "more: {<<: *b, y: 2}\n".encode())
    assert load_yaml(path) == {"words": ["no", "yes", "off", "Yes"], "flags": [True, False], "n": 3, "base": {"x": 1},
                               "more": {"x": 1, "y": 2}}


def test_labels_do_not_show_where_we_are_installed():
    assert label(resource("grammars", "instruments")) == "grammars/instruments"
    assert label("elsewhere/x.yaml") == "elsewhere/x.yaml"
