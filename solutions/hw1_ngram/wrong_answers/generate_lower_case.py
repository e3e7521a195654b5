"""Writes all words in lower case."""

CAUGHT_BY = "test_generate"
HINT = "as it stands in the table"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word.lower())
        context = (context + (word,))[1:]
    return sentence
