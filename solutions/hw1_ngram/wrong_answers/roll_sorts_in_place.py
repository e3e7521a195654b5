"""Sorts the dictionary that it was given."""

CAUGHT_BY = "test_roll"
HINT = "the order of its words"


def roll(weights, rng):
    ordered = sorted(weights.items(), key=lambda item: -item[1])
    weights.clear()
    weights.update(ordered)
    left = rng.random() * sum(weights.values())
    for word in weights:
        left -= weights[word]
        if left < 0:
            break
    return word
