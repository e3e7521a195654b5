"""The one shape that every language model of the course has, from unigram counts to the Transformer.

A language model answers two questions: how is the next token distributed after a prefix, and how probable was each token
of a sequence given its prefix. Perplexity, sampling and the ladder are written once, against these.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lmkit.checks import check_instance, check_sequences, check_token_ids


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
    def next_log_probs(self, prefix: ArrayLike) -> np.ndarray:
        """Log-probability in nats of every candidate for the token after ``prefix``, shape (V,), float64."""

    @abstractmethod
    def log_probs(self, tokens: ArrayLike) -> np.ndarray:
        """Log-probability log P(w_t | w_<t) in nats of each of the T tokens, shape (T,), float64; −inf for an impossible one."""

    def log_probs_many(self, sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
        """``log_probs`` of each sequence. Models that can score many at once override this."""
        return [self.log_probs(tokens) for tokens in check_sequences(sequences, "sequences", self.vocab_size)]

    def reader(self, prefix: ArrayLike = ()) -> "Reader":
        """The model behind ``prefix``, ready to read on token by token. Models that keep a state override this."""
        return Reader(self, prefix)


class Reader:
    """A language model in the midst of B texts, one at first: what it expects next in each, and a way to read on.

    This one asks ``next_log_probs`` about the whole prefix each time, as every model can answer.

    Attributes:
        log_probs: log-probability in nats of every candidate for the next token of each text, (B, V), float64.
    """

    log_probs: np.ndarray

    def __init__(self, model: LanguageModel, prefix: ArrayLike = ()) -> None:
        self.model = check_instance(model, "model", LanguageModel)
        self._look(check_token_ids(prefix, "prefix", model.vocab_size)[None])

    def read(self, tokens: ArrayLike) -> None:
        """Append one token to each text: ids (B,)."""
        self._look(np.column_stack([self._prefixes, self._checked(tokens)]))

    def keep(self, rows: ArrayLike) -> None:
        """Go on with these of the B texts, by number, in this order; what is named twice goes on twice."""
        rows = self._rows(rows)
        self._prefixes, self.log_probs = self._prefixes[rows], self.log_probs[rows]

    def _look(self, prefixes: np.ndarray) -> None:  # (B, T); a call that is refused leaves all as it was
        self.log_probs = np.stack([self.model.next_log_probs(prefix) for prefix in prefixes])
        self._prefixes = prefixes

    def _checked(self, tokens: ArrayLike) -> np.ndarray:
        ids = check_token_ids(tokens, "tokens", self.model.vocab_size)
        if len(ids) != len(self.log_probs):
            raise ValueError(f"tokens must have one id for each of {len(self.log_probs)} texts, got {len(ids)}")
        return ids

    def _rows(self, rows: ArrayLike) -> np.ndarray:
        return check_token_ids(rows, "rows", len(self.log_probs), empty=False)
