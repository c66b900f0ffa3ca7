"""Compiled rules from the cache give the same cells as rules that were compiled, and no cache can break a run."""
from __future__ import annotations

import hashlib
import marshal
import os
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jieba
import pytest

from evidial_rules import Annotator, load
from evidial_rules.corpora import read_dialogues
from evidial_rules.errors import RuleError
from evidial_rules.pipeline import language as module
from evidial_rules.pipeline import store
from evidial_rules.pipeline.tokenizer import Dictionary
from evidial_rules.raters.rules import cell_line
from evidial_rules.resources import resource

LEXICON = "version: 1\ndimension: sleep\nentries:\n" \
    "  - {{id: en.my.x, sense: symptom, components: [onset], any: [{word}], yes: {word}, no: dog}}\n"
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights of files are POSIX's")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv(store.ENV, str(folder))
    module._language.cache_clear()
    yield folder
    module._language.cache_clear()


@pytest.fixture
def compilations(monkeypatch):
    """Which languages were compiled: those of which files were read."""
    found = []
    plain = module.load_yaml

    def counted(path):
        found.append(Path(path).name)
        return plain(path)
    monkeypatch.setattr(module, "load_yaml", counted)

    def since():
        seen, found[:] = bool(found), []
        module._language.cache_clear()
        return seen
    return since


def own(folder, word="wug"):
    folder.mkdir(exist_ok=True)
    (folder / "mine.yaml").write_text(LEXICON.format(word=word), encoding="utf-8")
    return folder


def quotes(text, lexicons):
    return [frame.quote for frame in load("en", lexicons=lexicons)(text)._.frames]


@pytest.mark.parametrize("name", ["en", "zh"])
def test_a_hit_gives_the_same_cells_as_a_miss(cache, compilations, name):
    dialogues = [d for d in read_dialogues([str(resource("data", "dialogues.jsonl"))]) if d.language == name]

    def lines():
        annotator = Annotator()
        return [cell_line(cell) for d in dialogues for cell in annotator.cells(d)]
    missed = lines()
    assert compilations() and len(list(cache.glob(f"{name}-*.rules"))) == 1
    assert lines() == missed and not compilations()
    assert [path for path in cache.iterdir() if path.suffix != ".rules"] == []


def test_everything_else_is_there_as_well(cache):
    for name in ("en", "zh"):
        made = module.language(name)
        module._language.cache_clear()
        kept = module.language(name)
        assert kept is not made and kept.lexicons == made.lexicons and kept.cues.rules == made.cues.rules
        for component, says in made.says.items():
            assert says.rules == kept.says[component].rules and dict(says) == dict(kept.says[component])
        compiled = [language.compiler.compile(["sad ~2 low"]).regex for language in (made, kept)]
        assert compiled[0] == compiled[1]


def test_own_lexicons_are_kept_by_what_they_say_and_not_by_where(cache, compilations, tmp_path):
    assert quotes("Wug.", own(tmp_path / "a")) == ["Wug"] and compilations()
    assert quotes("Wug.", own(tmp_path / "b")) == ["Wug"] and not compilations()
    assert quotes("Wug. Zog.", own(tmp_path / "a", "zog")) == ["Zog"] and compilations()
    own(tmp_path / "a", "'zog ~'")
    with pytest.raises(RuleError, match=r"mine\.yaml: rule en\.my\.x"):
        load("en", lexicons=tmp_path / "a")


def signed(data):
    return store._MARK + hashlib.sha256(data).digest() + data


@pytest.mark.parametrize("broken", [
    lambda data: b"", lambda data: b"\0" * 100, lambda data: data[:-1], lambda data: data[:100] + b"x" + data[101:],
    lambda data: signed(b"no zlib"), lambda data: signed(zlib.compress(b"no marshal")),
    lambda data: signed(zlib.compress(marshal.dumps([("normalise.yaml", {})]))),
    lambda data: signed(zlib.compress(marshal.dumps([("other.yaml", 1)]))),
    lambda data: signed(zlib.compress(marshal.dumps(7))),
])
def test_a_broken_file_is_made_again(cache, compilations, tmp_path, broken):
    folder = own(tmp_path / "own")
    assert quotes("Wug.", folder) == ["Wug"] and compilations()
    [path] = cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(broken(whole))
    assert quotes("Wug.", folder) == ["Wug"] and compilations()
    assert store.read(path.stem) == marshal.loads(zlib.decompress(whole[len(store._MARK) + 32:]))
    assert quotes("Wug.", folder) == ["Wug"] and not compilations()


def test_another_version_has_a_file_of_its_own(cache, compilations, monkeypatch, tmp_path):
    folder = own(tmp_path / "own")
    quotes("Wug.", folder)
    compilations()
    with monkeypatch.context() as changed:
        changed.setattr(store, "__version__", "9.9")
        assert quotes("Wug.", folder) == ["Wug"] and compilations()
    with monkeypatch.context() as changed:
        changed.setattr(store.platform, "python_version", lambda: "3.99.0")
        assert quotes("Wug.", folder) == ["Wug"] and compilations()
    assert len(list(cache.iterdir())) == 3
    assert quotes("Wug.", folder) == ["Wug"] and not compilations()


def test_a_rule_file_that_changes_while_it_is_read_is_not_kept(cache, monkeypatch, tmp_path):
    folder = own(tmp_path / "own")
    plain = module.load_yaml

    def changing(path):
        if Path(path).name == "frequency.yaml":
            own(tmp_path / "own", "zog")
        return plain(path)
    monkeypatch.setattr(module, "load_yaml", changing)
    assert quotes("Zog.", folder) == ["Zog"] and not cache.exists()


def test_only_so_many_are_kept(cache):
    for n in range(store.KEPT + 5):
        store.write(f"en-{n}", n)
        os.utime(cache / f"en-{n}.rules", (n, n))
    store.write("en-last", 1)
    assert len(list(cache.iterdir())) == store.KEPT
    assert store.read("en-0") is None and store.read("en-last") == 1


def test_off(cache, compilations, monkeypatch, tmp_path):
    folder = own(tmp_path / "own")
    monkeypatch.setenv(store.ENV, "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    for _ in range(2):
        assert quotes("Wug.", folder) == ["Wug"] and compilations()
    assert not cache.exists() and not (tmp_path / "xdg").exists()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG's folders")
def test_where_it_is(monkeypatch, tmp_path):
    monkeypatch.delenv(store.ENV)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.folder() == tmp_path / "evidial-rules"
    for useless in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", useless)
        monkeypatch.setenv("HOME", str(tmp_path))
        assert store.folder() == (tmp_path / ".cache" / "evidial-rules" if not useless else None)


def test_a_folder_that_cannot_be_written_to(cache, compilations, tmp_path):
    folder = own(tmp_path / "own")
    cache.write_text("a file where the folder would be")
    for _ in range(2):
        assert quotes("Wug.", folder) == ["Wug"] and compilations()


@posix
def test_what_others_can_write_to_is_not_used(cache, compilations, monkeypatch, tmp_path):
    folder = own(tmp_path / "own")
    quotes("Wug.", folder)
    compilations()
    [path] = cache.iterdir()
    assert cache.stat().st_mode & 0o777 == 0o700 and path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o666)
    assert quotes("Wug.", folder) == ["Wug"] and compilations()  # and written again, for us alone
    assert path.stat().st_mode & 0o777 == 0o600
    cache.chmod(0o777)
    for _ in range(2):
        assert quotes("Wug.", folder) == ["Wug"] and compilations()
    cache.chmod(0o700)
    assert quotes("Wug.", folder) == ["Wug"] and not compilations()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert quotes("Wug.", folder) == ["Wug"] and compilations()


def test_values_that_are_not_plain_are_not_kept(cache):
    store.write("en-x", object())
    assert list(cache.glob("*")) == [] and store.read("en-x") is None


def test_processes_at_once(cache, tmp_path):
    folder = own(tmp_path / "own")
    program = f"from evidial_rules import load; print(len(load('en', lexicons={str(folder)!r})('Wug.')._.frames))"
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(
            lambda _: subprocess.run([sys.executable, "-c", program], capture_output=True, text=True), range(3)))
    assert [(run.returncode, run.stdout, run.stderr) for run in runs] == [(0, "1\n", "")] * 3
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("kept", [False, True])
def test_the_dictionary_cuts_as_jiebas_own(cache, kept):
    if kept:
        Dictionary().initialize()
    ours, theirs = Dictionary(), jieba.Tokenizer()
    texts = [turn.text for d in read_dialogues([str(resource("data", "dialogues.jsonl"))]) for turn in d.turns]
    for text in texts:
        assert ours.lcut(text) == theirs.lcut(text) and ours.lcut(text, HMM=False) == theirs.lcut(text, HMM=False)
    assert ours.total == theirs.total
    for word in ("腄瞓", "我很好"):
        ours.add_word(word)
        theirs.add_word(word)
        assert ours.lcut(f"今天{word}的") == theirs.lcut(f"今天{word}的")
    assert ours.suggest_freq(("中", "将"), True) == theirs.suggest_freq(("中", "将"), True)
    assert ours.lcut("如果放到post中将出错", HMM=False) == theirs.lcut("如果放到post中将出错", HMM=False)
    assert ours.lcut("龘之") == theirs.lcut("龘之")


def test_the_dictionary_of_somebodys_own(cache, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("我睡 100 v\n不着 50 v\n", encoding="utf-8")
    ours = Dictionary()
    ours.lcut("我睡不着")
    ours.initialize(str(words))
    assert ours.lcut("我睡不着", HMM=False) == ["我睡", "不着"]
