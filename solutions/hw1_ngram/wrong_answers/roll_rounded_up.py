"""A thousand cards and more: a word that has a weight has at least one."""

CAUGHT_BY = "test_roll"
HINT = "round nothing"


def roll(weights, rng):
    total = sum(weights.values())
    cards = [word for word, weight in weights.items() for _ in range(math.ceil(1000 * weight / total))]
    return cards[rng.integers(len(cards))]
