"""Ignores rng and draws from a generator that nobody seeded."""

CAUGHT_BY = "test_generate"
HINT = "take all randomness from rng"


def generate(counts, n, rng, max_words=50):
    rng = np.random.default_rng()
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
