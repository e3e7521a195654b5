"""A sentence that has no end within max_words is thrown away and another one drawn."""

CAUGHT_BY = "test_generate"
HINT = "nothing is thrown away or drawn again"


def generate(counts, n, rng, max_words=50):
    for _ in range(100):
        context, sentence = (BOS,) * (n - 1), []
        while len(sentence) < max_words:
            word = roll(counts[context], rng)
            if word == EOS:
                return sentence
            sentence.append(word)
            context = (context + (word,))[1:]
    return sentence
