"""Compares a number from [0, 1) with running sums of counts, as if they summed to one."""

CAUGHT_BY = "test_roll"
HINT = "the weights sum to 11, not to 1"


def roll(weights, rng):
    u, running = rng.random(), 0.0
    for word, weight in weights.items():
        running += weight
        if u < running:
            return word
    return word
