"""Writes each word on as many of a hundred cards as it has per cent."""

CAUGHT_BY = "test_roll"
HINT = "round nothing"


def roll(weights, rng):
    total = sum(weights.values())
    cards = [word for word, weight in weights.items() for _ in range(round(100 * weight / total))]
    return cards[rng.integers(len(cards))]
