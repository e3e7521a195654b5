"""Sequence labelling (a tag for each word) and sequence classification (a class for the whole) with a recurrent encoder.

Many inputs to as many outputs, and many inputs to one. The encoder may read in both directions, which a language model
must not: here all the words are given, and what comes after a word often decides its tag.

Sources: Schuster & Paliwal (1997) for bidirectional networks; Graves & Schmidhuber (2005) for the LSTM's; Huang, Xu & Yu
(2015) for tagging.
"""

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.batches import IGNORE, pad_sequences
from lmkit.checks import check_id_tensor, check_instance, check_integer, check_sequences
from lmkit.neural import evaluating, seeded
from lmkit.recurrent import RecurrentConfig, RecurrentEncoder

AT_ONCE = 64  # sequences for which predictions are computed together


class _Labeller(nn.Module):
    """An encoder with a linear map on top: what tagger and classifier share.

    Args:
        config: see ``RecurrentConfig``; ``tied`` has no meaning here.
        n_classes: number K of tags or classes.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: RecurrentConfig, n_classes: int, seed: int = 0) -> None:
        super().__init__()
        if check_instance(config, "config", RecurrentConfig).tied:
            raise ValueError("config must not be tied: tags are not words")
        self.config, self.n_classes = config, check_integer(n_classes, "n_classes", 1)
        with seeded(seed):
            self.encoder = RecurrentEncoder(config)
            self.output = nn.Linear(self.encoder.d_output, n_classes)

    def _loss(self, scores: Tensor, targets: Tensor, shape: str) -> Tensor:
        """The mean negative log-likelihood of targets (B,) or (B, T) under scores of the same shape and K."""
        sizes = dict(zip(shape.split(), scores.shape, strict=False))
        check_id_tensor(targets, "targets", self.n_classes, lowest=IGNORE, shape=shape, **sizes)
        if (targets == IGNORE).all():
            raise ValueError(f"targets are all {IGNORE}, expected at least one label")
        return F.cross_entropy(scores.flatten(0, -2), targets.flatten(), ignore_index=IGNORE)

    @torch.no_grad()
    def _best(self, sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
        """For each sequence the numbers of the best classes; those of similar length go together, for little memory."""
        ids, best = check_sequences(sequences, "sequences", self.config.vocab_size, empty=False), {}
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        with evaluating(self):
            for group in (order[start : start + AT_ONCE] for start in range(0, len(order), AT_ONCE)):
                scores = self(pad_sequences([ids[i] for i in group]).to(self.output.weight.device))[0]
                best |= zip(group, scores.argmax(dim=-1).cpu().numpy(), strict=True)
        return [best[i] for i in range(len(ids))]


class SequenceTagger(_Labeller):
    """One tag per word: softmax(W h_t + b) is the distribution of the tag of w_t (aligned many-to-many)."""

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Scores (B, T, K) and, given tags (B, T), the mean negative log-likelihood in nats per tagged word.

        Args:
            tokens: (B, T) int64, padded with IGNORE on the right (``batches.pad_sequences``).
            targets: (B, T) int64, IGNORE where there is no tag.
        """
        scores = self.output(self.encoder(tokens)[0])  # (B, T, K)
        if targets is None:
            return scores, None
        loss = self._loss(scores, targets, "B T")
        if (targets[tokens == IGNORE] != IGNORE).any():
            raise ValueError("targets has a tag where tokens has padding")
        return scores, loss

    def predict(self, sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
        """The most probable tag of every word of every sequence."""
        return [tags[: len(words)] for tags, words in zip(self._best(sequences), sequences, strict=True)]


class SequenceClassifier(_Labeller):
    """One class per sequence, from the outputs that have read it all (many-to-one; ``RecurrentEncoder.last``)."""

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Scores (B, K) and, given classes (B,), the mean negative log-likelihood in nats per sequence with a class.

        Args:
            tokens: (B, T) int64, padded with IGNORE on the right (``batches.pad_sequences``).
            targets: (B,) int64, IGNORE where there is no class.
        """
        scores = self.output(self.encoder.last(self.encoder(tokens)[0], tokens))  # (B, K)
        return scores, None if targets is None else self._loss(scores, targets, "B")

    def predict(self, sequences: Sequence[ArrayLike]) -> np.ndarray:
        """The most probable class of every sequence, (B,)."""
        return np.array(self._best(sequences))
