"""Rolls the 256 likeliest words only."""

CAUGHT_BY = "test_roll"
HINT = "no side is left out"


def roll(weights, rng):
    best = sorted(weights, key=weights.get, reverse=True)[:256]
    left = rng.random() * sum(weights[w] for w in best)
    for word in best:
        left -= weights[word]
        if left < 0:
            break
    return word
