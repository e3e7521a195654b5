"""Rolls among the likeliest words only, which together have 95 % of the row: top-p, as chatbots do."""

CAUGHT_BY = "test_generate"
HINT = "no word is left out"


def generate(counts, n, rng, max_words=50, p=0.95):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        row, kept = counts[context], {}
        for word in sorted(row, key=row.get, reverse=True):
            kept[word] = row[word]
            if sum(kept.values()) >= p * sum(row.values()):
                break
        word = roll(kept, rng)
        if word == EOS:
            break
        sentence.append(word)
        context = (context + (word,))[1:]
    return sentence
