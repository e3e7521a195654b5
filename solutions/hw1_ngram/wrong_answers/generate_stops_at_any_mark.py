"""Takes every word that begins with < for the end."""

CAUGHT_BY = "test_generate"
HINT = "only <eos> ends a sentence"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word.startswith("<"):
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
