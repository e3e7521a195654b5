"""Ignores the generator that it was given and makes its own."""

CAUGHT_BY = "test_roll"
HINT = "take all randomness from rng"


def roll(weights, rng):
    words = list(weights)
    p = np.array([weights[word] for word in words], dtype=float)
    return words[np.random.default_rng().choice(len(words), p=p / p.sum())]
