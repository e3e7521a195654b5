"""Rolls on when <eos> comes, until there are enough words."""

CAUGHT_BY = "test_generate"
HINT = "sentences have 3 words on average"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS and len(counts[context]) > 1:
            continue
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
