"""Rounds the random number to one decimal."""

CAUGHT_BY = "test_roll"
HINT = "a hundred equal sides"


def roll(weights, rng):
    left = round(rng.random(), 1) * sum(weights.values())
    for word in weights:
        left -= weights[word]
        if left <= 0:
            break
    return word
