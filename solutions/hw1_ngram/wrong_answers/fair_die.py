"""All words equally often: the weights are never used."""

CAUGHT_BY = "test_roll"
HINT = "the weights are not used"


def roll(weights, rng):
    return list(weights)[rng.integers(len(weights))]
