"""Leaves out sides of less than two per cent."""

CAUGHT_BY = "test_roll"
HINT = "about once in a hundred rolls"


def roll(weights, rng):
    total = sum(weights.values())
    kept = {word: weight for word, weight in weights.items() if weight >= 0.02 * total or len(weights) > 5}
    left = rng.random() * sum(kept.values())
    for word, weight in kept.items():
        left -= weight
        if left < 0:
            return word
    return max(weights, key=weights.get)
