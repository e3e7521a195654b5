"""Pairs whose answers arithmetic tells."""

import numpy as np
import pytest

from lmkit.string_pairs import addition_pairs, reversal_pairs
from tests.doors import Door, bad_values

DOORS = [
    Door(
        addition_pairs,
        lambda: {"n_digits": 1, "n_train": 3, "n_test": 2, "seed": 0},
        {"n_digits": [*bad_values("count", None), 8], "n_train": "index", "n_test": "index", "seed": "seed"},
    ),
    Door(
        reversal_pairs,
        lambda: {"alphabet": "ab", "lengths": [1, 2], "n": 3, "seed": 0},
        {
            "alphabet": ["", *bad_values("text", None)],
            "lengths": [*bad_values("ids", None), []],
            "n": "count",
            "seed": "seed",
        },
    ),
]


def test_addition_pairs_are_right_and_disjoint():
    train, test = addition_pairs(2, 3000, 500, seed=1)
    assert (len(train), len(test)) == (3000, 500)
    for source, target in train + test:
        a, b = source[:-1].split("+")
        assert int(target[::-1]) == int(a) + int(b) and max(int(a), int(b)) < 100

    def terms(pairs):
        return {frozenset(source[:-1].split("+")) for source, _ in pairs}

    assert not terms(train) & terms(test)
    assert addition_pairs(2, 3000, 500, seed=1) == (train, test)


def test_reversal_pairs():
    pairs = reversal_pairs("ab", [1, 3], 50, seed=0)
    assert all(target == source[::-1] for source, target in pairs)
    assert {len(source) for source, _ in pairs} == {1, 3}
    assert {len(source) for source, _ in reversal_pairs("a\0", [3], 20, seed=0)} == {3}


def test_every_sum_can_be_had_and_no_more():
    train, test = addition_pairs(1, 45, 10, seed=0)
    terms = {tuple(sorted(map(int, source[:-1].split("+")))) for source, _ in train + test}
    assert terms == {(a, b) for b in range(10) for a in range(b + 1)}
    with pytest.raises(ValueError, match="n_train [+] n_test is 56, but only 55 sums have 1 digits"):
        addition_pairs(1, 45, 11, seed=0)


def test_terms_stand_in_either_order():
    pairs, _ = addition_pairs(7, 400, 0, seed=0)
    terms = np.array([source[:-1].split("+") for source, _ in pairs]).astype(int)
    assert 0.4 < np.mean(terms[:, 0] < terms[:, 1]) < 0.6
    assert 0.45 < terms.mean() / 10**7 < 0.55
