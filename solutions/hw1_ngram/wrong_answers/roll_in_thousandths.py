"""Writes each word on as many of a thousand cards as its share asks for, rounded."""

CAUGHT_BY = "test_roll"
HINT = "round nothing"


def roll(weights, rng):
    total = sum(weights.values())
    cards = [word for word, weight in weights.items() for _ in range(round(1000 * weight / total))]
    return cards[rng.integers(len(cards))]
