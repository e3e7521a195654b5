"""Counting by sorting against counting with a ``Counter``."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmkit.ngram import KneserNey, NgramLM
from lmkit.ngram_counts import NgramCounts
from tests.doors import Door, bad_values

COUNTS = NgramCounts([[1, 2, 3], [2, 1]], 2, vocab_size=4)
DOORS = [
    Door(
        NgramCounts,
        lambda: {"sequences": [[1, 2], [3]], "order": 2, "vocab_size": 4, "bos_id": 0},
        {
            "sequences": "sequences 4",
            "order": [*bad_values("count", 2), 301, 10**7],
            "vocab_size": ["4", None, True, 1, 0, 2.5, 2**27 + 1],
            "bos_id": "index",
        },
    ),
    Door(COUNTS.table, lambda: {"k": 2}, {"k": ["2", None, True, 2.0, 0, 3]}, "ngram_counts.NgramCounts.table"),
]


def after(counts, history):
    """How often each token followed ``history`` in the text."""
    table = counts.table(len(history) + 1)
    i = counts._index(table, list(history))
    span = slice(table.starts[i], table.starts[i + 1]) if i >= 0 else slice(0)
    return dict(zip(table.words[span].tolist(), table.counts[span].tolist(), strict=True))


corpora = st.lists(st.lists(st.integers(1, 4), max_size=9), min_size=1, max_size=9).filter(any)


def test_nothing_follows_a_history_that_never_came():
    """Between two that did, and after the last one."""
    counts = NgramCounts([[2, 4, 2]], 2, vocab_size=6)
    assert after(counts, [2]) == {4: 1} and after(counts, [3]) == after(counts, [5]) == {}


@settings(max_examples=60)
@given(corpora, st.integers(1, 4))
def test_a_table_has_what_follows_each_history(sentences, order):
    counts = NgramCounts(sentences, order, vocab_size=5)
    for length in range(order):
        expected = {}
        for sentence in sentences:
            padded = [0] * (order - 1) + sentence
            for t in range(order - 1, len(padded)):
                expected.setdefault(tuple(padded[t - length : t]), Counter())[padded[t]] += 1
        table = counts.table(length + 1)
        assert len(table.histories) == len(expected)
        assert len(table.grams) == sum(len(followers) for followers in expected.values())
        assert table.counts.sum() == table.totals.sum() == sum(len(s) for s in sentences)
        for history, followers in expected.items():
            assert after(counts, history) == followers
    if order > 1 and not any(3 in s for s in sentences):
        assert after(counts, [3]) == {}


def test_grams_beyond_the_largest_integer_are_told_apart():
    """Between 2^63 and 2^64, where the sign is the first to go."""
    V = 2_600_000
    table = NgramCounts([[V - 1, V - 2, V - 3, V - 1, V - 2, V - 4]], 3, V).table(3)
    found = sorted(zip(table.words.tolist(), table.counts.tolist(), strict=True))
    assert 2**63 < V**3 < 2**64 and (table.grams >= 0).all()
    assert found == [(V - 4, 1), (V - 3, 1), (V - 2, 1), (V - 2, 1), (V - 1, 1), (V - 1, 1)]


def test_a_table_can_be_read():
    table = NgramCounts([[2, 3, 2, 3, 1]], 2, vocab_size=4).table(2)
    # <bos> 2; 2 3 twice; 3 1; 3 2
    assert table.words.tolist() == [2, 3, 1, 2]
    assert table.counts.tolist() == [1, 2, 1, 1]
    assert table.history_of.tolist() == [0, 1, 2, 2]
    assert table.totals.tolist() == [1, 2, 2]
    assert table.starts.tolist() == [0, 1, 2, 4]


def test_continuation_counts_are_distinct_left_neighbours():
    counts = NgramCounts([[2, 3, 2, 3, 1], [3, 1]], 2, vocab_size=4)
    unigrams = counts.continuation_tables[1]
    # 1 after 3; 2 after <bos> and 3; 3 after 2 and <bos>
    assert dict(zip(unigrams.words.tolist(), unigrams.counts.tolist(), strict=True)) == {1: 1, 2: 2, 3: 2}
    assert counts.continuation_tables[2].counts.sum() == 7  # the highest order counts occurrences


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_long_ids_are_counted_like_short_ones(order):
    """3 000 000³ exceeds 63 bits, so that histories are ranked, at several orders."""
    rng = np.random.default_rng(0)
    short = [rng.integers(1, 6, size=rng.integers(1, 30)).tolist() for _ in range(40)]
    spell = [0, 1, 17, 2_999_999, 1_000_000, 4, 5]  # ids may be in any order
    far = [[spell[t] for t in s] for s in short]
    many, few = NgramCounts(far, order, 3_000_000), NgramCounts(short, order, 6)
    assert len(many._ranks) >= 1 and not few._ranks
    for k in range(1, order + 1):
        assert sorted(many.table(k).counts) == sorted(few.table(k).counts)
        assert sorted(many.continuation_tables[k].totals) == sorted(few.continuation_tables[k].totals)
    for length in range(order):
        history = short[3][:length]
        expected = {spell[w]: c for w, c in after(few, history).items()}
        assert after(many, [spell[t] for t in history]) == expected
    # Without discounts nothing reaches the uniform distribution, the only place where V matters.
    new = [[1, 2, 3, 4, 5, 5, 4, 4, 3, 2, 1, 1, 3, 5, 2, 4], short[0][2:]]
    a = NgramLM(few, KneserNey(0.0)).log_probs_many(new)
    b = NgramLM(many, KneserNey(0.0)).log_probs_many([[spell[t] for t in s] for s in new])
    np.testing.assert_allclose(np.concatenate(a), np.concatenate(b), rtol=1e-14)


@pytest.mark.parametrize("as_what", [list, tuple, np.array, torch.tensor, lambda s: np.array(s, dtype=np.uint8)])
@pytest.mark.parametrize("empty", [[], np.array([])], ids=["list", "array"])
def test_sequences_may_be_lists_tuples_arrays_or_tensors(as_what, empty):
    counts = NgramCounts([as_what([2, 3, 1]), empty, as_what([3, 3, 2, 1])], 2, vocab_size=4)
    assert after(counts, [3]) == {1: 1, 3: 1, 2: 1}
    assert after(NgramCounts(np.array([[2, 3], [3, 3]]), 2, vocab_size=4), [3]) == {3: 1}


def test_a_sentence_shorter_than_the_order_is_padded():
    counts = NgramCounts([[2]], 4, vocab_size=4)
    assert after(counts, [0, 0, 0]) == {2: 1}


@pytest.mark.parametrize(
    ("sequences", "order", "vocab_size", "says"),
    [
        ([], 2, 4, "sequences hold no token"),
        ([[], []], 2, 4, "sequences hold no token"),
        ([1, 2, 3], 2, 4, "put one sequence into a list"),
        (np.array([1, 2, 3]), 2, 4, "put one sequence into a list"),
        ([[1, 2], [3, 4]], 2, 4, r"sequences\[1\]\[1\] is 4, outside the vocabulary of ids 0 … 3"),
        ([[1, -2]], 2, 4, r"sequences\[0\]\[1\] is -2"),
        ([[1, 0]], 2, 4, "contain <bos>"),
        ([[1], [1.0, 2.0]], 2, 4, r"sequences\[1\] must be integer token ids, got dtype float64"),
        ([np.array([1.0])], 2, 4, r"sequences\[0\] must be integer"),
        ([["cows", "eat"]], 2, 4, "encode text with a tokenizer"),
        (["cows eat"], 2, 4, r"sequences\[0\] must be token ids"),
        ([b"cows"], 2, 400, r"sequences\[0\] must be token ids"),
        (({0: 1} for _ in "ab"), 2, 4, "sequences must be a list of id sequences"),
        ((s for s in [[1]]), 2, 4, "sequences must be a list of id sequences"),
        ([[1], (t for t in [1])], 2, 4, r"sequences\[1\] must be token ids"),
        ([[1], [[2]]], 2, 4, r"sequences\[1\] must have shape \(T,\)"),
        ([[1], [True, 2]], 2, 4, r"sequences\[1\] must be token ids"),
        ([np.array([1]), [2, True]], 2, 4, r"sequences\[1\] must be token ids"),
        ([np.array([1]), np.array([True])], 2, 4, r"sequences\[1\] must be integer token ids, got dtype bool"),
        ([np.array([1]), np.ma.array([2, 3], mask=[True, False])], 2, 4, r"sequences\[1\] must be token ids"),
        (np.array(3), 2, 4, "sequences must be a list of id sequences"),
        ([np.array([1]), np.array([[2]])], 2, 4, r"sequences\[1\] must have shape \(T,\)"),
    ],
)
def test_errors_say_what_is_wrong(sequences, order, vocab_size, says):
    with pytest.raises(ValueError, match=says):
        NgramCounts(sequences, order, vocab_size)


def test_locate_gives_the_places_in_the_tables():
    tables = {k: COUNTS.table(k) for k in (1, 2)}  # 1 2 3 and 2 1
    tokens, indices = COUNTS._locate([[2, 1], [3, 1]], tables)
    assert tokens.tolist() == [2, 1, 3, 1]
    (one, history, gram), (two, histories, grams) = indices
    assert (one, two) == (1, 2)
    assert history.tolist() == [0, 0, 0, 0] and tables[1].words[gram].tolist() == [2, 1, 3, 1]
    # After <bos> came 1 and 2, after 2 came 1 and 3, after 3 nothing.
    assert tables[2].histories[histories[:3]].tolist() == [0, 2, 0] and histories[3] == -1
    assert tables[2].grams[grams[:2]].tolist() == [0 * 4 + 2, 2 * 4 + 1] and grams[2:].tolist() == [-1, -1]
    assert dict(COUNTS._locate_next([3, 2], tables)) == {1: 0, 2: histories[1]}
    assert dict(COUNTS._locate_next([3], tables)) == {1: 0, 2: -1}
