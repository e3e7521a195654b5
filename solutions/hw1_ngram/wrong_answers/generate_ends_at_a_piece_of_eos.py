"""Parentheses alone make no tuple: the words e, o and s end the sentence as well."""

CAUGHT_BY = "test_generate"
HINT = "compare with =="


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word in (EOS):
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
