"""Writes <eos> into the sentence as if it were a word."""

CAUGHT_BY = "test_generate"
HINT = "<eos> ends the sentence"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words and EOS not in sentence:
        word = roll(counts[context], rng)
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
