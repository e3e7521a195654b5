"""Remembers the cumulative weights of a set of words."""

CAUGHT_BY = "test_roll"
HINT = "keep nothing between calls"


dice = {}


def roll(weights, rng):
    words = tuple(weights)
    if words not in dice:
        dice[words] = np.cumsum([float(weight) for weight in weights.values()])
    cumulative = dice[words]
    return words[min(int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")), len(words) - 1)]
