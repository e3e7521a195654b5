"""Tasks from a string to a string whose right answer is known: sums, and words backwards."""

from collections.abc import Sequence

import numpy as np

from lmkit.checks import check_instance, check_integer, check_token_ids

Pair = tuple[str, str]  # a source and its target


def addition_pairs(n_digits: int, n_train: int, n_test: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Sums of two numbers of up to ``n_digits`` digits, ("123+456=", "975"): training and held-out pairs.

    The answer is written from its last digit, in the order in which carrying works. No sum of the test set is in the
    training set, not even with its terms exchanged.
    """
    limit = 10 ** check_integer(n_digits, "n_digits", 1, 7)
    n = check_integer(n_train, "n_train", 0) + check_integer(n_test, "n_test", 0)
    possible = limit * (limit + 1) // 2
    if n > possible:
        raise ValueError(f"n_train + n_test is {n}, but only {possible} sums have {n_digits} digits")
    rng = np.random.default_rng(check_integer(seed, "seed", 0))
    number = rng.choice(possible, size=n, replace=False)  # a ≤ b is number b (b + 1) / 2 + a
    larger = ((np.sqrt(8 * number + 1) - 1) // 2).astype(np.int64)
    terms = rng.permuted(np.stack([number - larger * (larger + 1) // 2, larger], axis=1), axis=1).tolist()
    pairs = [(f"{a}+{b}=", str(a + b)[::-1]) for a, b in terms]
    return pairs[n_test:], pairs[:n_test]


def reversal_pairs(alphabet: str, lengths: Sequence[int], n: int, seed: int) -> list[Pair]:
    """``n`` random words and what they are backwards, their lengths drawn evenly from ``lengths``."""
    n, rng = check_integer(n, "n", 1), np.random.default_rng(check_integer(seed, "seed", 0))
    letters, lengths = check_instance(alphabet, "alphabet", str), check_token_ids(lengths, "lengths", 10**6)
    if not letters or not len(lengths):
        raise ValueError(f"{'lengths' if letters else 'alphabet'} is empty, expected something to draw from")
    # By number, for numpy's own texts would lose a "\0".
    words = ["".join(map(letters.__getitem__, rng.choice(len(letters), rng.choice(lengths)))) for _ in range(n)]
    return [(word, word[::-1]) for word in words]
