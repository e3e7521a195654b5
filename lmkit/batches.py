"""Batches of token ids, cut from one long text or from sentences, for training and for held-out text.

The batch of a step depends on the seed and the step alone: a run that was interrupted goes on with the batches that it
would have had, and processes that train together agree on them without a word.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from lmkit.language_model import as_token_ids
from lmkit.neural import IGNORE

Batch = tuple[Tensor, ...]  # what a model's forward takes: the inputs, and last the targets, each with B rows
Batches = Callable[[int], Batch]  # the batch of step s, the same one whenever it is asked for


def shuffled_batches(num_examples: int, batch_size: int, seed: int, epoch: int = 0) -> list[np.ndarray]:
    """The indices 0 … num_examples−1 in random order, cut into pairwise disjoint batches that together hold them all.

    The last batch is smaller if batch_size does not divide num_examples.

    Raises:
        ValueError: if num_examples or batch_size is less than 1.
    """
    at_least_one(num_examples=num_examples, batch_size=batch_size)
    order = np.random.default_rng([seed, epoch]).permutation(num_examples)
    return np.split(order, range(batch_size, num_examples, batch_size))


def stream_batches(
    ids: ArrayLike, context_length: int, batch_size: int, seed: int, bos_id: int | None = None
) -> Batches:
    """Windows of one long text in random order: ``batches(step)`` is (inputs, targets), int64, each (B, context_length).

    The target of a position is the token that follows it in the text. With ``bos_id`` every window begins with
    ``<bos>`` and its first token is predicted from nothing, as ``log_probs`` scores it; without, every input is text.

    An epoch predicts every token once, but for less than two windows at the ends. Each epoch cuts the text at other places.

    Raises:
        ValueError: if the text is shorter than one window, or a size is less than 1.
    """
    text, length = _text_and_row_length(ids, context_length, batch_size, bos_id)
    offsets = min(context_length, len(text) - length + 1)  # where the first window may begin
    per_epoch = (len(text) - length - offsets + 1) // context_length + 1  # windows, wherever that is

    @lru_cache(maxsize=2)
    def starts(epoch: int) -> np.ndarray:
        rng = np.random.default_rng([seed, epoch])
        return rng.integers(offsets) + context_length * rng.permutation(per_epoch)

    def batch(step: int) -> Batch:
        windows = range(step * batch_size, (step + 1) * batch_size)  # those of all epochs, one after the other
        first = np.array([starts(window // per_epoch)[window % per_epoch] for window in windows])  # (B,)
        return _pad(text[first[:, None] + np.arange(length)], bos_id)

    return batch


def held_out_stream(ids: ArrayLike, context_length: int, batch_size: int, bos_id: int | None = None) -> list[Batch]:
    """One long text as batches of consecutive windows that predict every token once (without ``bos_id`` all but the first)."""
    text, length = _text_and_row_length(ids, context_length, batch_size, bos_id)
    overlap = int(bos_id is None)  # a window's last target is the next one's first input
    rows = [text[i : i + length] for i in range(0, len(text) - overlap, length - overlap)]
    return [_pad(rows[i : i + batch_size], bos_id) for i in range(0, len(rows), batch_size)]


def sentence_batches(sequences: Sequence[ArrayLike], batch_size: int, bos_id: int, seed: int) -> Batches:
    """Random sentences, each once per epoch: ``batches(step)`` is (inputs, targets), int64, each (B, longest sentence).

    A sentence w_1 … w_T gives the inputs <bos> w_1 … w_{T−1}. Shorter ones are padded; those targets are IGNORE.

    Raises:
        ValueError: if there are no sequences, one is empty or not token ids, or batch_size is less than 1.
    """
    rows = _rows(sequences)
    per_epoch = len(shuffled_batches(len(rows), batch_size, seed))
    epoch_batches = lru_cache(maxsize=1)(lambda epoch: shuffled_batches(len(rows), batch_size, seed, epoch))

    def batch(step: int) -> Batch:
        epoch, b = divmod(step, per_epoch)
        return _pad([rows[i] for i in epoch_batches(epoch)[b]], bos_id)

    return batch


def held_out_sentences(sequences: Sequence[ArrayLike], batch_size: int, bos_id: int) -> list[Batch]:
    """All sentences once as padded batches of similar length (see ``sentence_batches``)."""
    at_least_one(batch_size=batch_size)
    rows = sorted(_rows(sequences), key=len)
    return [_pad(rows[i : i + batch_size], bos_id) for i in range(0, len(rows), batch_size)]


def _text_and_row_length(
    ids: ArrayLike, context_length: int, batch_size: int, bos_id: int | None
) -> tuple[np.ndarray, int]:
    at_least_one(context_length=context_length, batch_size=batch_size)
    text = as_token_ids(ids, np.iinfo(np.int64).max, "ids")
    length = context_length + int(bos_id is None)
    if len(text) < length:
        raise ValueError(f"ids has {len(text)} tokens, expected at least {length} for a window of {context_length}")
    return text, length


def _rows(sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
    rows = [as_token_ids(s, np.iinfo(np.int64).max, f"sequences[{i}]") for i, s in enumerate(sequences)]
    empty = next((i for i, row in enumerate(rows) if not len(row)), None)
    if empty is not None or not rows:
        raise ValueError(f"sequences{'' if empty is None else f'[{empty}]'} is empty, expected tokens to predict")
    return rows


def _pad(rows: Sequence[np.ndarray] | np.ndarray, bos_id: int | None) -> Batch:
    """Rows of token ids as (inputs, targets): each row's inputs are its tokens, shifted by one or after <bos>."""
    first = int(bos_id is None)  # without <bos> the first token has nothing before it: only an input
    longest = max(len(row) for row in rows) - first
    inputs = torch.full((len(rows), longest), bos_id or 0)  # (B, T)
    targets = torch.full((len(rows), longest), IGNORE)  # (B, T)
    for b, row in enumerate(rows):
        tokens = torch.from_numpy(row)
        targets[b, : len(row) - first] = tokens[first:]
        inputs[b, 1 - first : len(row) - first] = tokens[:-1]
    return inputs, targets


def at_least_one(**sizes: int) -> None:
    """Raise a ValueError that names the first of the sizes that is less than 1."""
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
