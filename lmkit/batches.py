"""Batches of token ids, cut from one long text or from sentences, for training and for held-out text.

The batch of a step depends on the seed and the step alone: a run that was interrupted goes on with the batches that it
would have had, and processes that train together agree on them without a word.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from lmkit.checks import check_id_tensor, check_integer, check_sequences, check_sizes, check_token_ids

Batch = tuple[Tensor, ...]  # what a model's forward takes: the inputs, and last the targets, each with B rows
Batches = Callable[[int], Batch]  # the batch of step s, the same one whenever it is asked for

IGNORE = -1  # target id of a padded position: it adds nothing to the loss
ANY_ID = np.iinfo(np.int64).max  # batches know no vocabulary


def shuffled_batches(num_examples: int, batch_size: int, seed: int, epoch: int = 0) -> list[np.ndarray]:
    """The indices 0 … num_examples−1 in random order, cut into pairwise disjoint batches that together hold them all.

    The order is another one in each epoch. The last batch is smaller if batch_size does not divide num_examples.
    """
    num_examples, batch_size = check_sizes(num_examples=num_examples, batch_size=batch_size)
    rng = np.random.default_rng([check_integer(seed, "seed", low=0), check_integer(epoch, "epoch", low=0)])
    return np.split(rng.permutation(num_examples), range(batch_size, num_examples, batch_size))


def stream_batches(ids: ArrayLike, context_length: int, batch_size: int, seed: int) -> Batches:
    """Windows of one long text in random order: ``batches(step)`` is (inputs, targets), int64, each (B, context_length).

    The target of a position is the token that follows it in the text.

    An epoch predicts every token once, but for less than two windows at the ends. Each epoch cuts the text at other places,
    so that all tokens but the first, which has nothing before it, have their turn, the last among them.

    Raises:
        ValueError: also if the text is shorter than one window and the token behind it.
    """
    context_length, batch_size = check_sizes(context_length=context_length, batch_size=batch_size)
    text, seed = check_token_ids(ids, "ids", ANY_ID), check_integer(seed, "seed", low=0)
    if len(text) <= context_length:
        raise ValueError(f"ids has {len(text)} tokens, expected at least {context_length + 1}: a window and the next")
    per_epoch = max(1, len(text) // context_length - 1)  # windows: one less than fit, so that they can be shifted
    left = len(text) - 1 - context_length * per_epoch  # targets outside of them, before or behind

    @lru_cache(maxsize=2)
    def starts(epoch: int) -> np.ndarray:
        rng = np.random.default_rng([seed, epoch])
        return rng.integers(left + 1) + context_length * rng.permutation(per_epoch)

    def batch(step: int) -> Batch:
        step = check_integer(step, "step", low=0)
        windows = range(step * batch_size, (step + 1) * batch_size)  # those of all epochs, one after the other
        first = np.array([starts(window // per_epoch)[window % per_epoch] for window in windows])  # (B,)
        at = first[:, None] + np.arange(context_length)  # (B, context_length)
        return torch.from_numpy(text[at]), torch.from_numpy(text[at + 1])

    return batch


def packed_batches(sequences: Sequence[ArrayLike], tokens_per_batch: int, bos_id: int, seed: int) -> Batches:
    """Sentences of similar length, as many as make ``tokens_per_batch``, each once per epoch.

    ``batches(step)`` is (inputs, targets), int64, each (B, longest sentence). A sentence w_1 … w_T gives the inputs
    <bos> w_1 … w_{T−1}. Shorter ones are padded; those targets are IGNORE.

    The course's sentences have 6 to 112 tokens: in a random batch of 32, two thirds would be padding. The groups stay,
    their order is new in each epoch. Every batch has about as many targets, so every token counts the same.
    """
    rows = _sorted_rows(sequences)
    tokens_per_batch, seed = check_integer(tokens_per_batch, "tokens_per_batch", 1), check_integer(seed, "seed", 0)
    group = np.cumsum([len(row) for row in rows]) // tokens_per_batch
    cuts = [0, *(np.flatnonzero(np.diff(group)) + 1), len(rows)]
    packed = [shifted(rows[start:end], bos_id) for start, end in pairwise(cuts)]
    order = lru_cache(maxsize=1)(lambda epoch: np.concatenate(shuffled_batches(len(packed), 1, seed, epoch)))

    def batch(step: int) -> Batch:
        epoch, b = divmod(check_integer(step, "step", low=0), len(packed))
        return tuple(x.clone() for x in packed[order(epoch)[b]])

    return batch


def held_out_sentences(sequences: Sequence[ArrayLike], batch_size: int, bos_id: int) -> list[Batch]:
    """All sentences once as padded batches of similar length (see ``packed_batches``)."""
    batch_size = check_integer(batch_size, "batch_size", low=1)
    rows = _sorted_rows(sequences)
    return [shifted(rows[i : i + batch_size], bos_id) for i in range(0, len(rows), batch_size)]


def pad_sequences(sequences: Sequence[ArrayLike]) -> Tensor:
    """Id sequences as one int64 tensor (B, longest), filled up with IGNORE on the right."""
    rows = check_sequences(sequences, "sequences", ANY_ID, empty=False)
    return pad_sequence([torch.from_numpy(row) for row in rows], batch_first=True, padding_value=IGNORE)


def row_lengths(tokens: Tensor, name: str, vocab_size: int, **sizes: int) -> Tensor:
    """How many ids each row of ``pad_sequences``' tensor (B, T) has before its padding: (B,).

    Raises:
        ValueError: that names ``name``, also for padding elsewhere than to the right of at least one id.
    """
    real = check_id_tensor(tokens, name, vocab_size, lowest=IGNORE, **sizes) != IGNORE
    if not real[:, 0].all() or (real[:, 1:] > real[:, :-1]).any():
        raise ValueError(f"{name} must have padding ({IGNORE}) only to the right of at least one token")
    return real.sum(dim=1)


def shifted(sequences: Sequence[ArrayLike], bos_id: int) -> Batch:
    """Id sequences as (inputs, targets), int64 (B, longest): before each target stands the token before it, or <bos>.

    Behind the end of a shorter sequence the targets are IGNORE and the inputs 0.
    """
    targets = pad_sequences(sequences)
    first = torch.full((len(targets), 1), check_integer(bos_id, "bos_id", low=0, high=ANY_ID))
    return torch.cat([first, targets[:, :-1]], dim=1).clamp(min=0), targets


def _sorted_rows(sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
    return sorted(check_sequences(sequences, "sequences", ANY_ID, empty=False), key=len)
