"""Keeps the fifty most probable words."""

CAUGHT_BY = "test_roll"
HINT = "round nothing"


def roll(weights, rng):
    best = dict(Counter(weights).most_common(50))
    left = rng.random() * sum(best.values())
    for word, weight in best.items():
        left -= weight
        if left < 0:
            return word
    return max(weights, key=weights.get)
