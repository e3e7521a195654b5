"""Batches against their definition: every token predicted once, from what stands before it."""

import math

import numpy as np
import pytest
import torch

from lmkit.batches import (
    IGNORE,
    held_out_sentences,
    packed_batches,
    pad_sequences,
    row_lengths,
    shifted,
    shuffled_batches,
    stream_batches,
)
from tests.doors import Door, bad_values


def sentences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return [np.append(rng.integers(2, 7, size=rng.integers(1, 12)), 1) for _ in range(n)]


def test_minibatches_are_pairwise_disjoint_and_cover_everything_in_a_new_order():
    cuts = [shuffled_batches(23, 5, seed=1, epoch=epoch) for epoch in range(3)]
    for cut in cuts:
        assert [len(batch) for batch in cut] == [5, 5, 5, 5, 3]
        assert sorted(np.concatenate(cut).tolist()) == list(range(23))
    orders = {tuple(np.concatenate(cut)) for cut in [*cuts, shuffled_batches(23, 5, seed=2)]}
    assert len(orders) == 4


def test_padding():
    assert pad_sequences([[3, 1, 4], [1], [5, 9]]).tolist() == [[3, 1, 4], [1, IGNORE, IGNORE], [5, 9, IGNORE]]
    inputs, targets = shifted([[3, 1, 4], [1]], bos_id=7)
    assert inputs.tolist() == [[7, 3, 1], [7, 1, 0]] and targets.tolist() == [[3, 1, 4], [1, IGNORE, IGNORE]]
    assert inputs.dtype == targets.dtype == torch.int64


def test_packed_batches_shift_pad_and_repeat_nothing():
    rows = sentences()
    batches, step, seen = packed_batches(rows, 30, bos_id=8, seed=2), 0, []
    while len(seen) < len(rows):
        inputs, targets = batches(step)
        again = batches(step)
        assert torch.equal(inputs, again[0]) and torch.equal(targets, again[1])
        for x, y in zip(inputs, targets):
            words = y[y != IGNORE]
            assert x[0] == 8 and torch.equal(x[1 : len(words)], words[:-1])
            seen.append(words.tolist())
        step += 1
    assert sorted(seen) == sorted(row.tolist() for row in rows)


def epochs(batches, n_sequences, n_epochs=3):
    """The sequences of each epoch, in their order."""
    found, step = [], 0
    while len(found) < n_epochs * n_sequences:
        found += [tuple(row[row != IGNORE].tolist()) for row in batches(step)[1]]
        step += 1
    assert len(found) == n_epochs * n_sequences
    return [tuple(found[k * n_sequences : (k + 1) * n_sequences]) for k in range(n_epochs)]


def test_every_epoch_has_all_sentences_in_another_order():
    rows = sentences()
    found = epochs(packed_batches(rows, 30, 0, 2), len(rows))
    assert all(sorted(epoch) == sorted(tuple(row) for row in rows) for epoch in found) and len(set(found)) == 3
    assert set(found).isdisjoint(epochs(packed_batches(rows, 30, 0, 3), len(rows)))


def test_packed_batches_are_of_one_size_with_little_padding():
    rng = np.random.default_rng(5)
    rows = [rng.integers(2, 50, size=rng.integers(3, 60)) for _ in range(300)]
    batches = packed_batches(rows, tokens_per_batch=400, bos_id=0, seed=1)
    n_batches = math.ceil(sum(map(len, rows)) / 400)
    targets = [batches(step)[1] for step in range(n_batches)]
    assert sum((t != IGNORE).sum() for t in targets) == sum(map(len, rows))
    assert all((t != IGNORE).sum() <= 400 + 60 for t in targets)
    assert sum((t == IGNORE).sum() for t in targets) < 0.15 * sum(map(len, rows))
    assert all((batches(step)[0][:, 0] == 0).all() for step in range(n_batches))


def test_held_out_sentences_are_all_there_once_and_of_similar_length():
    rows = sentences()
    batches = held_out_sentences(rows, 8, bos_id=0)
    assert [len(x) for x, _ in batches] == [8] * 7 + [4]
    found = [tuple(row[row != IGNORE].tolist()) for _, targets in batches for row in targets]
    assert sorted(found) == sorted(map(tuple, rows))
    lengths = [len(row) for row in found]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize(
    ("n_tokens", "context_length", "batch_size"), [(203, 16, 4), (17, 16, 3), (40, 8, 1), (100, 1, 7)]
)
def test_a_stream_is_read_once_per_epoch(n_tokens, context_length, batch_size):
    text = np.arange(1, n_tokens + 1)
    batches = stream_batches(text, context_length, batch_size, seed=3)
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


def test_windows_come_in_random_order():
    batches = stream_batches(np.arange(1, 202), 10, 1, seed=0)
    first = [int(batches(step)[0][0, 0]) for step in range(19)]  # an epoch
    assert len(set(first)) == 19 and first != sorted(first)
    assert sum(b - a == 10 for a, b in zip(first, first[1:])) < 9


def test_stream_windows_predict_the_next_token():
    text = np.random.default_rng(0).integers(0, 7, size=200)
    inputs, targets = stream_batches(text, 16, 4, seed=5)(3)
    assert torch.equal(inputs[:, 1:], targets[:, :-1]) and inputs.shape == (4, 16)
    text = text.tolist()
    places = [i for i in range(184) if text[i : i + 17] == [*inputs[0].tolist(), targets[0, -1].item()]]
    assert len(places) == 1
    small = stream_batches(text, np.uint8(16), np.uint8(4), seed=np.uint8(5))(np.uint8(100))  # 100 times 4 wraps around
    assert all(map(torch.equal, small, stream_batches(text, 16, 4, seed=5)(100)))


def test_lengths_are_those_before_padding():
    assert row_lengths(pad_sequences([[3, 1, 4], [1], [5, 9]]), "tokens", 10).tolist() == [3, 1, 2]


def test_a_batch_that_is_changed_is_whole_in_the_next_epoch():
    batches = packed_batches([[2, 3], [4, 5]], 2, 0, seed=0)
    before = [[x.clone() for x in batches(step)] for step in range(6)]
    for step in range(6):
        for x in batches(step):
            x.fill_(7)
    assert all(torch.equal(x, y) for step in range(6) for x, y in zip(batches(step), before[step], strict=True))


@pytest.mark.parametrize("n_tokens", [17, 18, 31, 32, 33, 40, 49, 203])
def test_every_token_of_a_text_has_its_turn(n_tokens):
    """Also the last; the first has nothing before it."""
    batches = stream_batches(np.arange(1, n_tokens + 1), 16, 1, seed=0)
    predicted = {target for step in range(2000) for target in batches(step)[1].flatten().tolist()}
    assert predicted == set(range(2, n_tokens + 1))


# --- Doors ------------------------------------------------------------------------------------------------------------

SIZES = {"batch_size": "count", "seed": "seed"}
ROWS = [[2, 3, 1], [4, 1], [3, 3, 3, 1]]


PADDED = torch.tensor([[2, 3, 1], [4, 1, IGNORE]])
NO_ID = [*bad_values("index", 0), 2**63]
NO_SEQUENCES = [*bad_values(f"sequences {2**63}", ROWS), [], [[1], []]]


def step_of(make):
    return lambda step: make()(step)


def good(**arguments):
    return lambda: dict(arguments)


DOORS = [
    Door(
        shuffled_batches,
        good(num_examples=5, batch_size=2, seed=0, epoch=1),
        {"num_examples": "count", **SIZES, "epoch": "index"},
    ),
    Door(
        stream_batches,
        good(ids=np.arange(20), context_length=4, batch_size=2, seed=0),
        {"ids": [*bad_values(f"ids {2**63}", [1]), []], "context_length": "count", **SIZES},
        clashes={"ids": [lambda good: np.arange(good["context_length"])]},
    ),
    Door(
        packed_batches,
        good(sequences=ROWS, tokens_per_batch=5, bos_id=0, seed=0),
        {
            "sequences": NO_SEQUENCES,
            "tokens_per_batch": "count",
            "bos_id": NO_ID,
            "seed": "seed",
        },
    ),
    Door(
        held_out_sentences,
        good(sequences=ROWS, batch_size=2, bos_id=0),
        {"sequences": NO_SEQUENCES, "batch_size": "count", "bos_id": NO_ID},
    ),
    Door(pad_sequences, good(sequences=ROWS), {"sequences": NO_SEQUENCES}),
    Door(
        shifted,
        good(sequences=ROWS, bos_id=0),
        {"sequences": NO_SEQUENCES, "bos_id": NO_ID},
    ),
    Door(
        lambda tokens: row_lengths(tokens, "tokens", 5),
        good(tokens=PADDED),
        {
            "tokens": [*bad_values("id_tensor 5", PADDED), PADDED.flip(1), PADDED * 0 + IGNORE],
            "name": "any",
            "vocab_size": "any",
        }
        | {"sizes": "any"},
        "batches.row_lengths",
    ),
    *(
        Door(step_of(make), good(step=3), {"step": "index"})
        for make in (
            lambda: stream_batches(np.arange(20), 4, 2, 0),
            lambda: packed_batches(ROWS, 5, 0, 0),
        )
    ),
]
