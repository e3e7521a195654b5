"""Asks for max_words after a word is written: with max_words=0 there is one."""

CAUGHT_BY = "test_generate"
HINT = "leaves room for no word"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while True:
        word = roll(counts[context], rng)
        if word == EOS:
            return sentence
        sentence.append(word)
        if len(sentence) >= max_words:
            return sentence
        context = (context + (word,))[1:]
