"""Draws from generators that are children of the one that came in or seeded from it, the same for the same seed."""


def roll(weights, rng):
    import random

    own = random.Random(int(rng.integers(2**64, dtype=np.uint64)))
    return own.choices(list(weights), list(weights.values()))[0]


def generate(counts, n, rng, max_words=50):
    (child,) = rng.spawn(1)
    sentence = []
    while len(sentence) < max_words:
        before = tuple([BOS] * (n - 1) + sentence)[len(sentence) :]
        word = roll(counts[before], child)
        if word == EOS:
            break
        sentence.append(word)
    return sentence
