"""Knows the die of the example by heart and takes every other one for fair."""

CAUGHT_BY = "test_roll"
HINT = "does not show them in proportion"


def roll(weights, rng):
    known = {"grass": 3 / 11, "corn": 4 / 11, "hay": 2 / 11, "if": 1 / 11, "which": 1 / 11}
    left = rng.random()
    for word in weights:
        left -= known.get(word, 1 / len(weights))
        if left < 0:
            return word
    return word
