"""The one shape that every language model of the course has, from unigram counts to the Transformer.

A language model answers two questions: how probable was each token of a sequence given its prefix, and how is
the next token distributed after a prefix. Perplexity, sampling and the ladder are written once, against these.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import ArrayLike


class LanguageModel(ABC):
    """A probability distribution over token sequences, one token at a time.

    A sequence never contains ``<bos>``: the model puts it in front by itself. ``<eos>`` is an ordinary token that
    the model predicts; a sequence without it is the beginning of a sentence.

    Attributes:
        vocab_size: number V of token ids; ids are 0 … V−1.
        bos_id: the id that marks the beginning, given as context and never predicted (its probability is 0).
    """

    vocab_size: int
    bos_id: int

    @abstractmethod
    def log_probs(self, tokens: ArrayLike) -> np.ndarray:
        """Log-probability log P(w_t | w_<t) in nats of each of the T tokens, shape (T,), float64; −inf for an impossible one."""

    @abstractmethod
    def next_log_probs(self, prefix: ArrayLike) -> np.ndarray:
        """Log-probability in nats of every candidate for the token after ``prefix``, shape (V,), float64."""

    def reader(self, prefix: ArrayLike = ()) -> "Reader":
        """The model behind ``prefix``, ready to read on token by token. Models that keep a state override this."""
        return Reader(self, prefix)

    def log_probs_many(self, sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
        """``log_probs`` of each sequence. Models that can score many at once override this."""
        return [self.log_probs(tokens) for tokens in sequences]


class Reader:
    """A language model in the midst of a text: what it expects next, and a way to read on.

    This one asks ``next_log_probs`` about the whole prefix each time, as every model can answer.

    Attributes:
        log_probs: log-probability in nats of every candidate for the next token, (V,), float64.
    """

    def __init__(self, model: LanguageModel, prefix: ArrayLike) -> None:
        self.model = model
        self.prefix = as_token_ids(prefix, model.vocab_size, "prefix")
        self.log_probs = model.next_log_probs(self.prefix)

    def read(self, token: int) -> None:
        """Append a token to what was read."""
        self.prefix = as_token_ids(np.append(self.prefix, token), self.model.vocab_size, "token")
        self.log_probs = self.model.next_log_probs(self.prefix)

    def fork(self) -> "Reader":
        """A second reader at the same place; what one reads from here on does not change the other."""
        return copy(self)


def as_token_ids(tokens: ArrayLike, vocab_size: int, name: str = "tokens") -> np.ndarray:
    """``tokens`` as a one-dimensional int64 array, checked.

    Raises:
        ValueError: if it is not one-dimensional, not of integers, or holds an id outside 0 … vocab_size−1.
    """
    ids = np.asarray(tokens)
    if ids.size == 0 and ids.ndim == 1:
        return ids.astype(np.int64)
    if ids.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integer token ids, got dtype {ids.dtype}; encode text with a tokenizer first")
    if ids.ndim != 1:
        raise ValueError(f"{name} must have shape (T,), got {ids.shape}")
    outside = (ids < 0) | (ids >= vocab_size)
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(f"{name}[{at}] is {ids[at]}, outside the vocabulary of ids 0 … {vocab_size - 1}")
    return ids.astype(np.int64)
