"""Sharpens each row a little, as chatbots do."""

CAUGHT_BY = "test_generate"
HINT = "there is no temperature here"


def generate(counts, n, rng, max_words=50, temperature=0.9):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll({w: c ** (1 / temperature) for w, c in counts[context].items()}, rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
