"""Never writes more than fifty words, whatever max_words says."""

CAUGHT_BY = "test_generate"
HINT = "max_words = 300 leaves room for 300 words"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < min(max_words, 50):
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
