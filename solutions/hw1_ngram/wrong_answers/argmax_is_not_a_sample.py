"""Always takes the most probable word."""

CAUGHT_BY = "test_roll"
HINT = "that is the argmax, not a sample"


def roll(weights, rng):
    return max(weights, key=weights.get)
