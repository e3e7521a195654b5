"""From text to token ids and back: characters and words.

Every vocabulary begins with the special tokens ``<bos>`` = 0 and ``<eos>`` = 1, then ``<unk>`` = 2 where there is one. No
text forges the first two: "<eos>" in a text is a sign, a word and a sign. A word "<unk>", as some collections of texts
have it, is the unknown word.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from lmkit.checks import check_flag, check_instance, check_integer, check_texts, check_token_ids, check_words

BOS, EOS, UNK = "<bos>", "<eos>", "<unk>"
# The unknown word, a run of letters, digits and underscores, or one sign of punctuation.
WORD = re.compile(rf"{UNK}|\w+|[^\w\s]")
WHOLE_WORDS = re.compile(r".*\S(?=[ \t-\r])", re.DOTALL)  # as much as possible, up to where white space follows a word


def split_words(text: str) -> list[str]:
    """The words and punctuation signs of a text, in order; white space is lost."""
    return WORD.findall(check_instance(text, "text", str))


class Tokenizer(ABC):
    """A vocabulary, and the way from a text to its ids and back.

    Attributes:
        vocab: the tokens by id.
        bos_id, eos_id: the ids that begin and end a text.
    """

    vocab: tuple
    bos_id: int
    eos_id: int

    @property
    def vocab_size(self) -> int:
        """Number of ids, special tokens included."""
        return len(self.vocab)

    @abstractmethod
    def encode(self, text: str, eos: bool = False) -> np.ndarray:
        """Ids of a text, shape (T,), int64, with ``<eos>`` behind them if ``eos``."""

    @abstractmethod
    def decode(self, ids: ArrayLike) -> str:
        """The text that the ids stand for."""

    def encode_stream(self, chunks: Iterable[str], eos: bool = False) -> Iterator[np.ndarray]:
        """Ids of a text that may be larger than the memory: joined, they are ``encode`` of the whole text.

        Args:
            chunks: the text in parts, cut anywhere, such as an open file; large parts take less time than lines.
            eos: end with ``<eos>``.
        """
        rest = ""  # what the next chunk may still change: no token reaches from a word into white space behind it
        for i, chunk in enumerate(check_texts(chunks, "chunks")):
            known = max(0, len(rest) - 1)  # no word that ends before it has white space behind it
            rest += check_instance(chunk, f"chunks[{i}]", str)
            if words := WHOLE_WORDS.match(rest, known):
                yield self.encode(rest[: words.end()])
                rest = rest[words.end() :]
        yield self.encode(rest, eos)

    def _tokens(self, ids: ArrayLike) -> list:
        """The tokens behind the ids, without ``<bos>`` and ``<eos>``."""
        ids = check_token_ids(ids, "ids", self.vocab_size).tolist()
        return [self.vocab[i] for i in ids if i not in (self.bos_id, self.eos_id)]


class _ListTokenizer(Tokenizer):
    """A tokenizer whose vocabulary is the list of all tokens of some texts."""

    def __init__(self, texts: str | Iterable, min_count: int = 1, unk: bool = False) -> None:
        least, unk = check_integer(min_count, "min_count", low=1), check_flag(unk, "unk")
        parts = (self._split(text, f"texts[{i}]") for i, text in enumerate(check_texts(texts, "texts")))
        counts = Counter(chain.from_iterable(parts))
        unk = counts.pop(UNK, 0) > 0 or unk or least > 1
        kept = sorted((t for t, c in counts.items() if c >= least), key=lambda t: (-counts[t], t))
        if not kept:
            raise ValueError(f"texts is empty, or holds no token min_count = {least} times: a vocabulary needs one")
        self.vocab = (BOS, EOS, UNK, *kept) if unk else (BOS, EOS, *kept)
        self.bos_id, self.eos_id, self.unk_id = 0, 1, 2 if unk else None
        self._id = {token: i for i, token in enumerate(self.vocab) if i > self.eos_id}

    @abstractmethod
    def _split(self, text: str, name: str) -> Sequence[str]:
        """The tokens of a text that came in the argument ``name``."""

    def encode(self, text: str, eos: bool = False) -> np.ndarray:
        """Ids of the tokens of a text, shape (T,), int64, with ``<eos>`` behind them if ``eos``.

        Raises:
            ValueError: for a token outside a vocabulary without ``<unk>``.
        """
        tokens = self._split(text, "text")
        ids = [self._id.get(token, self.unk_id) for token in tokens]
        if None in ids:
            at = ids.index(None)
            raise ValueError(f"token {at} of the text, {tokens[at]!r}, is not in the vocabulary, which has no {UNK}")
        return np.array(ids + [self.eos_id] * check_flag(eos, "eos"), dtype=np.int64)


class CharTokenizer(_ListTokenizer):
    """One token per character.

    Args:
        texts: a text or several, whose characters make the vocabulary, the most frequent first.
        min_count: characters that occur less often become ``<unk>``.
        unk: give the vocabulary an ``<unk>`` even if nothing is cut off, for characters that only other texts have.

    Attributes:
        unk_id: the id of ``<unk>``, or None.
    """

    def _split(self, text: str, name: str) -> str:
        return check_instance(text, name, str)

    def decode(self, ids: ArrayLike) -> str:
        """The text, without ``<bos>`` and ``<eos>``; exactly the one that was encoded if nothing was unknown."""
        return "".join(self._tokens(ids))


class WordTokenizer(_ListTokenizer):
    """One token per word or punctuation sign (``split_words``).

    Args:
        texts: a text or several, each a str or the list of its words; they make the vocabulary, the most frequent first.
        min_count: words that occur less often become ``<unk>``.
        unk: give the vocabulary an ``<unk>`` even if nothing is cut off, for words that only other texts have.

    Attributes:
        unk_id: the id of ``<unk>``, or None.
    """

    def _split(self, text: str | Sequence[str], name: str) -> list[str]:
        return split_words(text) if isinstance(text, str) else check_words(text, name)

    def decode(self, ids: ArrayLike) -> str:
        """The words with a space between them; encoding them as a list gives the ids again."""
        return " ".join(self._tokens(ids))
