"""Chinese tokens by jieba, with a dictionary of our own: jieba's module-level one is shared by the whole process."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jieba
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from . import store

jieba.setLogLevel(logging.WARNING)  # it would write to stderr when the dictionary loads


class Dictionary(jieba.Tokenizer):
    """jieba's tokenizer with the same dictionary, of which it learns only the words that begin as the text's do.

    It starts in a tenth of the time, and keeps no file in a folder that everybody can write to.

    >>> Dictionary().lcut("我睡不着", HMM=False) == jieba.Tokenizer().lcut("我睡不着", HMM=False)
    True
    """

    def __init__(self) -> None:
        super().__init__()
        self._unread: dict[str, str] = {}  # lines of the dictionary, by their first characters

    def initialize(self, dictionary: str | None = None) -> None:
        """Reads jieba's own dictionary by first characters, and another one as jieba does."""
        if dictionary or self.dictionary:
            self._unread = {}
            super().initialize(dictionary)
            return
        with self.lock:
            if self.initialized:
                return
            with self.get_dict_file() as file:
                data = file.read()
            name = f"jieba-{hashlib.sha256(data).hexdigest()[:32]}"
            kept = store.read(name)
            if kept is None:
                kept = _by_first(data.decode())
                store.write(name, kept)
            self.total, self._unread = kept
            self.FREQ = {}
            self.initialized = True

    def _learn(self, text: str) -> None:
        for first in [c for c in set(text) if c in self._unread]:
            words: dict[str, int] = {}
            for line in self._unread.get(first, "").split("\n"):
                word, count = line.split(" ")[:2]
                words[word] = int(count)
                for end in range(1, len(word)):
                    words.setdefault(word[:end], 0)
            self.FREQ.update(words)
            self._unread.pop(first, None)  # last, for another thread may be at it

    def get_DAG(self, sentence: str) -> dict[int, list[int]]:
        self.check_initialized()
        self._learn(sentence)
        return super().get_DAG(sentence)

    def add_word(self, word: str, freq: int | None = None, tag: str | None = None) -> None:
        self.check_initialized()
        self._learn(word)
        super().add_word(word, freq, tag)

    def suggest_freq(self, segment: str | tuple[str, str], tune: bool = False) -> int:
        self.check_initialized()
        self._learn("".join(segment))
        return super().suggest_freq(segment, tune)


def _by_first(text: str) -> tuple[int, dict[str, str]]:
    """The sum of a dictionary's frequencies, and its lines (word, frequency, tag) by first character."""
    lines: dict[str, list[str]] = {}
    for line in map(str.strip, text.strip().split("\n")):
        lines.setdefault(line[0], []).append(line)
    return sum(map(int, re.findall(r" (\d+)", text))), {first: "\n".join(some) for first, some in lines.items()}


class JiebaTokenizer:
    """A spaCy tokenizer over jieba's. Blanks become trailing whitespace or tokens of their own, so the
    text comes back unchanged. It can be pickled; the dictionary is read again where it is unpickled.

    >>> nlp = spacy.blank("zh")
    >>> nlp.tokenizer = JiebaTokenizer(nlp.vocab)
    >>> nlp("我睡不着").text
    '我睡不着'
    """

    def __init__(self, vocab: Vocab):
        self.vocab = vocab
        self._jieba: jieba.Tokenizer | None = None

    @property
    def jieba(self) -> jieba.Tokenizer:
        if self._jieba is None:
            self._jieba = Dictionary()
        return self._jieba

    def __call__(self, text: str) -> Doc:
        words: list[str] = []
        spaces: list[bool] = []
        for word in self.jieba.cut(text, HMM=False) if text else ():
            if word == " " and words and not spaces[-1] and words[-1] != " ":
                spaces[-1] = True
            else:
                words.append(word)
                spaces.append(False)
        return Doc(self.vocab, words=words, spaces=spaces)

    def pipe(self, texts: Iterable[str], batch_size: int = 1000) -> Iterator[Doc]:
        """Docs of many texts, one after the other, as spaCy's own tokenizers give them."""
        yield from map(self, texts)

    def __reduce__(self) -> tuple[Any, ...]:
        return JiebaTokenizer, (self.vocab,)

    # spaCy asks a tokenizer for these when a pipeline is saved or loaded; there is nothing to keep

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        return b""

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> JiebaTokenizer:
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        return None

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> JiebaTokenizer:
        return self


@spacy.registry.tokenizers("evidial_rules.jieba.v1")
def make_tokenizer():
    """The registry entry, for a config: `[nlp.tokenizer] @tokenizers = "evidial_rules.jieba.v1"`."""
    return lambda nlp: JiebaTokenizer(nlp.vocab)
