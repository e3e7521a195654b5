"""Divides the weights by their sum where they stand: the table holds probabilities afterwards."""

CAUGHT_BY = "test_roll"
HINT = "changed the dictionary"


def roll(weights, rng):
    total = sum(weights.values())
    for word in weights:
        weights[word] /= total
    left = rng.random()
    for word, weight in weights.items():
        left -= weight
        if left < 0:
            return word
    return max(weights, key=weights.get)
