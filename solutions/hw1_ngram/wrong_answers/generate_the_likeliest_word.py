"""Greedy: the most frequent word each time, without a die."""

CAUGHT_BY = "test_generate"
HINT = "the likeliest word always"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = max(counts[context], key=counts[context].get)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
