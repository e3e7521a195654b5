"""Rounds the probabilities to four decimals: what is rarer than 1 in 20 000 never comes."""

CAUGHT_BY = "test_roll"
HINT = "of weight 20000"


def roll(weights, rng):
    total = sum(weights.values())
    p = {word: round(weight / total, 4) for word, weight in weights.items()}
    left = rng.random() * sum(p.values())
    for word in p:
        left -= p[word]
        if left < 0:
            break
    return word
