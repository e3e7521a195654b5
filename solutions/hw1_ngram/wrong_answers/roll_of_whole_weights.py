"""Puts every word into a bag as often as its weight says, as if weights were whole numbers."""

CAUGHT_BY = "test_roll"
HINT = "they need not be whole"


def roll(weights, rng):
    bag = [word for word, weight in weights.items() for _ in range(int(weight))]
    return bag[rng.integers(len(bag))]
