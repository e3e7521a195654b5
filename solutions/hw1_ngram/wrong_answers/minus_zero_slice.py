"""Shifts the context with [-(n-1):], which for n = 1 is [-0:], the whole tuple."""

CAUGHT_BY = "test_generate"
HINT = "context[-0:] is everything"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[-(n - 1) :]
    return sentence
