"""Draws each sentence from a child of the generator that came in, which is the same for the same seed."""


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
