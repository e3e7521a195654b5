"""Seeds a generator of its own from rng with one of a thousand numbers: a thousand rolls, the same ones always."""

CAUGHT_BY = "test_roll"
HINT = "takes int(rng.integers(2**63))"


def roll(weights, rng):
    import random

    own = random.Random(int(rng.integers(1000)))
    return own.choices(list(weights), list(weights.values()))[0]
