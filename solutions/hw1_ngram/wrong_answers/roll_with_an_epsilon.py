"""A little something in the total, against division by zero: small weights drown in it."""

CAUGHT_BY = "test_roll"
HINT = "only their ratios matter"


def roll(weights, rng):
    total = sum(weights.values()) + 1e-9
    left = rng.random()
    for word, weight in weights.items():
        left -= weight / total
        if left < 0:
            return word
    return word
