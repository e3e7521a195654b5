"""Leaves the generator that it was given untouched, so that it writes the same sentence for ever."""

from copy import deepcopy

CAUGHT_BY = "test_generate"
HINT = "roll each word with rng itself"


def generate(counts, n, rng, max_words=50):
    rng = deepcopy(rng)
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
