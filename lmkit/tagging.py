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

from lmkit.language_model import as_token_ids
from lmkit.neural import IGNORE
from lmkit.recurrent import RecurrentConfig, RecurrentEncoder


def pad_sequences(sequences: Sequence[ArrayLike]) -> Tensor:
    """Id sequences as one int64 tensor (B, longest), filled up with IGNORE on the right.

    Raises:
        ValueError: if there is no sequence, or one is empty or not of integers ≥ 0.
    """
    rows = [as_token_ids(s, np.iinfo(np.int64).max, f"sequences[{i}]") for i, s in enumerate(sequences)]
    if not rows or min(map(len, rows)) == 0:
        raise ValueError("sequences must be at least one, and none of them empty")
    padded = torch.full((len(rows), max(map(len, rows))), IGNORE)
    for row, ids in zip(padded, rows, strict=True):
        row[: len(ids)] = torch.from_numpy(ids)
    return padded


class _RecurrentReader(nn.Module):
    """An encoder with a linear map on top: what tagger and classifier share.

    Args:
        config: see ``RecurrentConfig``; ``tied`` has no meaning here.
        n_classes: number K of tags or classes.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: RecurrentConfig, n_classes: int, seed: int = 0) -> None:
        super().__init__()
        if n_classes < 1:
            raise ValueError(f"n_classes must be at least 1, got {n_classes}")
        if config.tied:
            raise ValueError("tied must be False: tags are not words")
        self.config, self.n_classes = config, n_classes
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(seed)
            self.encoder = RecurrentEncoder(config)
            self.output = nn.Linear(self.encoder.d_output, n_classes)

    def _encode(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """The checked tokens' outputs (B, T, D), and lengths (B,)."""
        if not isinstance(tokens, Tensor) or tokens.dtype != torch.int64:
            kind = tokens.dtype if isinstance(tokens, Tensor) else type(tokens).__name__
            raise ValueError(f"tokens must be an int64 tensor, got {kind}")
        if tokens.ndim != 2 or tokens.numel() == 0:
            raise ValueError(f"tokens must have shape (B, T) with B, T ≥ 1, got {tuple(tokens.shape)}")
        low, high = int(tokens.min()), int(tokens.max())
        if low < IGNORE or high >= self.config.vocab_size:
            raise ValueError(f"tokens has ids {low} … {high}, expected {IGNORE} … {self.config.vocab_size - 1}")
        real = tokens != IGNORE
        if not real[:, 0].all() or (real[:, 1:] & ~real[:, :-1]).any():
            raise ValueError(f"tokens must have padding ({IGNORE}) only to the right of at least one token")
        return self.encoder(tokens)[0], real.sum(dim=1)

    def _check_targets(self, targets: Tensor, shape: tuple[int, ...]) -> None:
        if targets.dtype != torch.int64 or targets.shape != shape:
            raise ValueError(
                f"targets must be int64 of shape {tuple(shape)}, got {targets.dtype} {tuple(targets.shape)}"
            )
        low, high = int(targets.min()), int(targets.max())
        if low < IGNORE or high >= self.n_classes:
            raise ValueError(f"targets has ids {low} … {high}, expected {IGNORE} … {self.n_classes - 1}")


class SequenceTagger(_RecurrentReader):
    """One tag per word: softmax(W h_t + b) is the distribution of the tag of w_t (aligned many-to-many)."""

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Scores (B, T, K) and, given tags (B, T), the mean negative log-likelihood in nats per tagged word.

        Args:
            tokens: (B, T) int64, padded with IGNORE on the right (``pad_sequences``).
            targets: (B, T) int64, IGNORE where there is no tag.
        """
        h, _ = self._encode(tokens)  # (B, T, D)
        scores = self.output(h)  # (B, T, K)
        if targets is None:
            return scores, None
        self._check_targets(targets, tokens.shape)
        if (targets[tokens == IGNORE] != IGNORE).any():
            raise ValueError("targets has a tag where tokens has padding")
        return scores, F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)

    @torch.no_grad()
    def predict(self, sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
        """The most probable tag of every word of every sequence."""
        tokens = pad_sequences(sequences).to(self.output.weight.device)
        best = self(tokens)[0].argmax(dim=-1).cpu().numpy()  # (B, T)
        return [row[: len(s)] for row, s in zip(best, sequences, strict=True)]


class SequenceClassifier(_RecurrentReader):
    """One class per sequence, from the state that has read it all (many-to-one).

    Forwards that is the last state; backwards the first, for that reader comes from the right.
    """

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Scores (B, K) and, given classes (B,), the mean negative log-likelihood in nats per sequence.

        Args:
            tokens: (B, T) int64, padded with IGNORE on the right (``pad_sequences``).
            targets: (B,) int64.
        """
        h, lengths = self._encode(tokens)  # (B, T, D), (B,)
        H = self.config.d_hidden
        last = h[torch.arange(len(h), device=h.device), lengths - 1]  # (B, D)
        scores = self.output(torch.cat([last[:, :H], h[:, 0, H:]], dim=1))  # (B, K)
        if targets is None:
            return scores, None
        self._check_targets(targets, lengths.shape)
        return scores, F.cross_entropy(scores, targets, ignore_index=IGNORE)

    @torch.no_grad()
    def predict(self, sequences: Sequence[ArrayLike]) -> np.ndarray:
        """The most probable class of every sequence, (B,)."""
        tokens = pad_sequences(sequences).to(self.output.weight.device)
        return self(tokens)[0].argmax(dim=-1).cpu().numpy()
