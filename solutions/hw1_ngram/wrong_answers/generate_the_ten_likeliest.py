"""Draws from the ten likeliest words of each row."""

CAUGHT_BY = "test_generate"
HINT = "every word of a row may come"


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(dict(Counter(counts[context]).most_common(10)), rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
