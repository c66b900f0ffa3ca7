"""Chinese tokens by jieba, with a dictionary of our own: jieba's module-level one is shared by the whole process."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jieba
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

jieba.setLogLevel(logging.WARNING)  # it would write to stderr when the dictionary loads


class JiebaTokenizer:
    """A spaCy tokenizer over `jieba.Tokenizer()`. Blanks become trailing whitespace or tokens of their own, so the
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
            self._jieba = jieba.Tokenizer()
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
