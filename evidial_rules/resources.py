"""Finds lexicons, grammars, prompts and data, in an installed copy or in the checkout, and loads YAML strictly."""
from __future__ import annotations

import functools
import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any, ClassVar

import yaml

from .contract import Instrument
from .errors import InstrumentError, ResourceError, UnknownInstrument, YamlError, described, shown

KINDS: tuple[str, ...] = ("lexicons", "grammars", "data", "prompts", "forms")

_PACKAGE = Path(__file__).resolve().parent
_PROMPTS = _PACKAGE / "raters" / "prompts"
_INSIDE = {"prompts": _PROMPTS, "forms": _PACKAGE / "audit" / "human" / "forms"}


def _root(package: Path = _PACKAGE) -> Path:
    """The folder that holds the kinds: inside the package in a wheel, beside it in a checkout."""
    inside = package / "_resources"
    if inside.is_dir():
        return inside
    # In site-packages a neighbour called `data` may be anybody's, so ask for a folder that only we have.
    if (package.parent / "grammars" / "instruments").is_dir():
        return package.parent
    raise ResourceError(where="installation", expected="lexicons and grammars in the package; install it again")


def resource(kind: str, *parts: str) -> Path:
    """The path of a file or folder that ships with the project, for instance `resource("grammars", "en")`.

    Raises :class:`~evidial_rules.errors.ResourceError` for an unknown kind or a path that is not there.

    >>> resource("grammars", "instruments", "PHQ-8.yaml").name
    'PHQ-8.yaml'
    """
    if kind not in KINDS:
        raise ResourceError(where=shown(kind), expected=f"a kind out of {', '.join(KINDS)}")
    # Prompts are the raters' own, as the forms are the human study's: they lie in the package in every layout.
    base = _INSIDE.get(kind) or _root() / kind
    path = base.joinpath(*parts)
    if not path.resolve().is_relative_to(base.resolve()) or not path.exists():
        raise ResourceError(where="/".join((kind, *parts)), expected="a file or folder that ships with the project")
    return path


def own_lexicons(folder: Path | str) -> list[Path]:
    """The lexicon files in a folder of somebody's own.

    Raises :class:`~evidial_rules.errors.ResourceError` if there are none: nothing would ever be found, and every cell
    would be ABSENT.
    """
    base = Path(folder)
    paths = sorted(base.glob("*.yaml")) if base.is_dir() else []
    if not paths:
        inside = sorted(path.parent.name for path in base.glob("*/*.yaml"))
        hint = ", which this folder does not have" if base.is_dir() else ", found no such folder"
        if any(base.glob("*.yml")):
            hint = ", found *.yml"
        elif inside:
            hint = f"; those of one language, as in its folder {inside[0]}"
        raise ResourceError(where=str(folder), expected=f"a folder with lexicon files (*.yaml){hint}")
    return paths


def label(path: Path | str) -> str:
    """A path as messages show it: relative to the resources if it lies there, else as it was given.

    >>> label(resource("grammars", "instruments", "PHQ-8.yaml"))
    'grammars/instruments/PHQ-8.yaml'
    """
    try:
        base = _PROMPTS.parent if Path(path).is_relative_to(_PROMPTS) else _root()
        return Path(path).relative_to(base).as_posix()
    except (ValueError, ResourceError):
        return str(path)


_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_Loader):  # type: ignore[valid-type,misc]
    """Safe YAML in which a key may stand once, and only true and false are booleans.

    YAML 1.1 reads a bare `no` as false, which would eat the most common negation there is.
    """

    yaml_implicit_resolvers: ClassVar[dict[Any, Any]] = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
        for first, resolvers in _Loader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        if isinstance(node, yaml.MappingNode):
            seen: dict[Any, int] = {}
            for key_node, _ in node.value:
                if key_node.tag == "tag:yaml.org,2002:merge":
                    continue
                key = self.construct_object(key_node, deep=True)
                line = key_node.start_mark.line + 1
                if not isinstance(key, Hashable):
                    raise yaml.constructor.ConstructorError(None, None, "a key that is text", key_node.start_mark)
                if key in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"each key once, found {shown(key)} on line {seen[key]} already",
                        key_node.start_mark)
                seen[key] = line
        return super().construct_mapping(node, deep=deep)


_StrictLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def load_yaml(path: Path | str) -> Any:
    """The content of one YAML file, UTF-8 with or without a mark at its start.

    A key that is given twice is refused. Only `true` and `false` are booleans: `no`, `yes`, `on`, `off` stay words.
    Raises :class:`~evidial_rules.errors.YamlError` with file and line.
    """
    where = label(path)
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise YamlError(where=where, expected=f"a file that can be read ({error.strerror})") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise YamlError(where=f"{where}:{line}", expected="UTF-8 text") from None
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.constructor.ConstructorError as error:
        mark = error.problem_mark
        raise YamlError(where=f"{where}:{mark.line + 1 if mark else 1}",
                        expected=str(error.problem or "plain YAML")) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(where=f"{where}:{mark.line + 1 if mark else 1}",
                        expected=f"valid YAML ({error.problem or error.context})") from None
    except yaml.reader.ReaderError as error:
        # The C reader counts bytes and the Python reader code points; only the latter can be turned into a line.
        line = text.count("\n", 0, error.position) + 1 if isinstance(error.position, int) else 1
        raise YamlError(where=f"{where}:{line}", expected="text without control characters") from None
    except RecursionError:
        raise YamlError(where=where, expected="YAML that is not nested so deep") from None
    except ValueError:
        # PyYAML builds dates and numbers with Python's own constructors, which refuse 2024-13-45.
        raise YamlError(where=where, expected="numbers and dates that exist") from None


def instruments(folder: Path | str | None = None) -> tuple[str, ...]:
    """The names of the instruments: the YAML files in `grammars/instruments/`, or in a folder of the caller's.

    >>> set(instruments()) >= {"PHQ-8", "HAMD-17", "BDI-II"}
    True
    """
    base = resource("grammars", "instruments") if folder is None else Path(folder)
    return tuple(sorted(path.stem for path in base.glob("*.yaml")))


def load_instrument(name: str, folder: Path | str | None = None) -> Instrument:
    """An instrument by name, or from the path of a YAML file.

    `folder` is looked at instead of the shipped instruments. Raises :class:`~evidial_rules.errors.UnknownInstrument`
    for a name without a file, and InstrumentError or YamlError for a file that breaks the form.

    >>> load_instrument("HAMD-17").window_days
    7
    """
    if name.endswith((".yaml", ".yml")):
        return _load(Path(name))
    known = instruments(folder)
    if name not in known:
        raise UnknownInstrument(where="instrument", known=", ".join(known), found=described(name, "instrument"))
    base = resource("grammars", "instruments") if folder is None else Path(folder)
    instrument = _load(base / f"{name}.yaml") if folder is not None else _shipped(base / f"{name}.yaml")
    if instrument.name != name:
        raise InstrumentError(where=f"{label(base / name)}.yaml: name",
                              expected=f"the name that the file has, found {shown(instrument.name)}")
    return instrument


def _load(path: Path) -> Instrument:
    return Instrument.from_dict(load_yaml(path), where=label(path))


@functools.lru_cache(maxsize=64)
def _shipped(path: Path) -> Instrument:
    return _load(path)
