"""Batches against their definition: every token predicted once, from what stands before it."""

import math

import numpy as np
import pytest
import torch

from lmkit.batches import held_out_stream, sentence_batches, shuffled_batches, stream_batches
from lmkit.neural import IGNORE


def sentences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return [np.append(rng.integers(2, 7, size=rng.integers(1, 12)), 1) for _ in range(n)]


def test_minibatches_are_pairwise_disjoint_and_cover_everything():
    for epoch in range(3):
        cut = shuffled_batches(23, 5, seed=1, epoch=epoch)
        assert sorted(np.concatenate(cut).tolist()) == list(range(23))
    assert any((a != b).any() for a, b in zip(shuffled_batches(23, 5, 1, 0)[:4], shuffled_batches(23, 5, 1, 1)))


def test_sentence_batches_shift_pad_and_repeat_nothing():
    rows = sentences()
    batches = sentence_batches(rows, 7, bos_id=0, seed=2)
    seen = []
    for step in range(math.ceil(len(rows) / 7)):
        inputs, targets = batches(step)
        again = batches(step)
        assert torch.equal(inputs, again[0]) and torch.equal(targets, again[1])
        for x, y in zip(inputs, targets):
            words = y[y != IGNORE]
            assert x[0] == 0 and torch.equal(x[1 : len(words)], words[:-1])
            seen.append(words.tolist())
    assert sorted(seen) == sorted(row.tolist() for row in rows)


@pytest.mark.parametrize("bos_id", [None, 0])
@pytest.mark.parametrize(
    ("n_tokens", "context_length", "batch_size"), [(203, 16, 4), (17, 16, 3), (40, 8, 1), (100, 1, 7)]
)
def test_a_stream_is_read_once_per_epoch(n_tokens, context_length, batch_size, bos_id):
    text = np.arange(1, n_tokens + 1)
    batches = stream_batches(text, context_length, batch_size, seed=3, bos_id=bos_id)
    predicted = [target for step in range(400) for target in batches(step)[1].tolist()]
    assert all(len(window) == context_length for window in predicted)
    # windows come again only in the next epoch, and by then nearly all tokens have been predicted
    epoch = next((i for i in range(1, len(predicted)) if {*sum(predicted[:i], [])} & {*predicted[i]}), None)
    assert epoch is not None and epoch * context_length > n_tokens - 2 * context_length
    again = [{*sum(predicted[k * epoch : (k + 1) * epoch], [])} for k in range(4)]
    assert all(len(tokens) == epoch * context_length for tokens in again)
    if n_tokens > 2 * context_length > 2:
        assert len({frozenset(window) for window in predicted}) > epoch  # other cuts
    assert all((a == b).all() for a, b in zip(batches(5), batches(5)))


def test_stream_windows_predict_the_next_token():
    text = np.random.default_rng(0).integers(0, 7, size=200)
    inputs, targets = stream_batches(text, 16, 4, seed=5)(3)
    assert torch.equal(inputs[:, 1:], targets[:, :-1]) and inputs.shape == (4, 16)
    held_out = held_out_stream(text, 16, 3)
    assert torch.cat([t[t != IGNORE] for _, t in held_out]).tolist() == text[1:].tolist()


def test_bad_batches():
    with pytest.raises(ValueError, match="at least 17"):
        stream_batches([1, 2, 3], 16, 2, seed=0)
    with pytest.raises(ValueError, match=r"sequences\[1\] is empty"):
        sentence_batches([[1], []], 2, 0, seed=0)
