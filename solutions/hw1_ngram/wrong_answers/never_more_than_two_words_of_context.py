"""Looks at two words of context however large n is."""

CAUGHT_BY = "test_generate"
HINT = "a context that the table does not have"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * min(n - 1, 2), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
