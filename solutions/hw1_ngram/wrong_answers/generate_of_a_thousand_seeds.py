"""Seeds a generator of its own from rng with one of a thousand numbers: a thousand sentences, the same ones always."""

CAUGHT_BY = "test_generate"
HINT = "whoever seeds another generator"

import random


def generate(counts, n, rng, max_words=50):
    dice = random.Random(int(rng.integers(1000)))
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        row = counts[context]
        word = dice.choices(list(row), list(row.values()))[0]
        if word == EOS:
            break
        sentence.append(word)
        context = (*context, word)[1:]
    return sentence
