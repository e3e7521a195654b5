"""Draws from a generator of its own with a seed of its own, anew for every sentence."""

CAUGHT_BY = "test_generate"
HINT = "a generator of your own"


def generate(counts, n, rng, max_words=50):
    rng = np.random.default_rng(0)
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
