"""Takes a word of more than 99 per cent without drawing."""

CAUGHT_BY = "test_roll"
HINT = "rare is not never"


def roll(weights, rng):
    total = sum(weights.values())
    for w, c in weights.items():
        if c / total > 0.992:
            return w
    left = rng.random() * total
    for word in weights:
        left -= weights[word]
        if left < 0:
            break
    return word
