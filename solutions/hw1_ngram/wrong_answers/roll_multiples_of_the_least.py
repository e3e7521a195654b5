"""Puts as many cards into a hat as each weight is a multiple of the least, rounded."""

CAUGHT_BY = "test_roll"
HINT = "round nothing"


def roll(weights, rng):
    least = min(c for c in weights.values() if c > 0)
    cards = [w for w, c in weights.items() for _ in range(round(c / least))]
    return cards[int(rng.integers(len(cards)))]
