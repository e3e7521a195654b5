"""From text to token ids and back: characters and words.

Every vocabulary begins with the special tokens ``<bos>`` = 0 and ``<eos>`` = 1, then ``<unk>`` = 2 where there is one.
Special tokens are ids that no text produces: the five letters "<eos>" in a text are just characters.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lmkit.language_model import as_token_ids

BOS, EOS, UNK = "<bos>", "<eos>", "<unk>"
WORD = re.compile(r"\w+|[^\w\s]")  # a run of letters, digits and underscores, or one sign of punctuation


def split_words(text: str) -> list[str]:
    """The words and punctuation signs of a text, in order; white space is lost."""
    return WORD.findall(text)


class _Tokenizer:
    """A vocabulary, and the way from tokens to ids and back."""

    def __init__(self, tokens: Iterable[str], min_count: int, unk: bool) -> None:
        if min_count < 1:
            raise ValueError(f"min_count must be at least 1, got {min_count}")
        counts = Counter(tokens)
        if not counts:
            raise ValueError("the text is empty: a vocabulary needs at least one token")
        specials = (BOS, EOS, UNK) if unk or min_count > 1 else (BOS, EOS)
        kept = sorted((t for t, c in counts.items() if c >= min_count), key=lambda t: (-counts[t], t))
        self.vocab: tuple[str, ...] = specials + tuple(kept)
        self.bos_id, self.eos_id = 0, 1
        self.unk_id = 2 if UNK in specials else None
        self._first = len(specials)
        self._id = {token: i for i, token in enumerate(self.vocab) if i >= self._first}

    @property
    def vocab_size(self) -> int:
        """Number of ids, special tokens included."""
        return len(self.vocab)

    def _encode(self, tokens: Sequence[str], eos: bool) -> np.ndarray:
        ids = [self._id.get(token, self.unk_id) for token in tokens]
        if None in ids:
            at = ids.index(None)
            raise ValueError(f"token {at} of the text, {tokens[at]!r}, is not in the vocabulary, which has no <unk>")
        return np.array(ids + [self.eos_id] * eos, dtype=np.int64)

    def _tokens(self, ids: ArrayLike) -> list[str]:
        """The tokens behind the ids, without ``<bos>`` and ``<eos>``."""
        return [self.vocab[i] for i in as_token_ids(ids, self.vocab_size, "ids") if i not in (self.bos_id, self.eos_id)]


class CharTokenizer(_Tokenizer):
    """One token per character.

    Args:
        text: a text, or several, whose characters make the vocabulary, the most frequent first.
        min_count: characters that occur less often become ``<unk>``.
        unk: give the vocabulary an ``<unk>`` even if nothing is cut off, for characters that only other texts have.
    """

    def __init__(self, text: str | Iterable[str], min_count: int = 1, unk: bool = False) -> None:
        super().__init__(text if isinstance(text, str) else "".join(text), min_count, unk)

    @classmethod
    def from_text(cls, text: str | Iterable[str], min_count: int = 1, unk: bool = False) -> "CharTokenizer":
        """Same as the constructor."""
        return cls(text, min_count, unk)

    def encode(self, text: str, eos: bool = False) -> np.ndarray:
        """Ids of the characters, shape (T,), int64, with ``<eos>`` behind them if ``eos``.

        Raises:
            ValueError: for a character outside a vocabulary without ``<unk>``.
        """
        return self._encode(text, eos)

    def decode(self, ids: ArrayLike) -> str:
        """The text; exactly the one that was encoded if nothing was unknown."""
        return "".join(self._tokens(ids))


class WordTokenizer(_Tokenizer):
    """One token per word or punctuation sign (``split_words``).

    Args:
        sentences: lists of words that make the vocabulary, the most frequent first.
        min_count: words that occur less often become ``<unk>``.
        unk: give the vocabulary an ``<unk>`` even if nothing is cut off, for words that only other texts have.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], min_count: int = 1, unk: bool = False) -> None:
        super().__init__((word for sentence in sentences for word in sentence), min_count, unk)

    @classmethod
    def from_text(cls, text: str | Iterable[str], min_count: int = 1, unk: bool = False) -> "WordTokenizer":
        """The vocabulary of a text, or of several."""
        return cls(map(split_words, [text] if isinstance(text, str) else text), min_count, unk)

    @classmethod
    def from_sentences(
        cls, sentences: Iterable[Sequence[str]], min_count: int = 1, unk: bool = False
    ) -> "WordTokenizer":
        """Same as the constructor."""
        return cls(sentences, min_count, unk)

    def encode(self, text: str | Sequence[str], eos: bool = False) -> np.ndarray:
        """Ids of the words of a text, or of a list of words, shape (T,), int64, with ``<eos>`` behind them if ``eos``.

        Raises:
            ValueError: for a word outside a vocabulary without ``<unk>``.
        """
        return self._encode(split_words(text) if isinstance(text, str) else list(text), eos)

    def decode(self, ids: ArrayLike) -> str:
        """The words with a space between them; encoding them as a list gives the ids again."""
        return " ".join(self._tokens(ids))
