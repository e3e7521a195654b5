"""Deletes entries of count 0 from the table before it rolls."""

CAUGHT_BY = "test_generate"
HINT = "changed the table"


def generate(counts, n, rng, max_words=50):
    for row in counts.values():
        for word in [w for w, c in row.items() if not c]:
            del row[word]
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
