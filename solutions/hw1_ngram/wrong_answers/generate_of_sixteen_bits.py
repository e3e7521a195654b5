"""Seeds a generator of its own from rng, with 16 bits: 65536 sentences."""

CAUGHT_BY = "test_generate"
HINT = "whoever seeds another generator"


def generate(counts, n, rng, max_words=50):
    own = np.random.default_rng(int(rng.integers(2**16)))
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        word = roll(counts[context], own)
        if word == EOS:
            break
        sentence.append(word)
        context = (*context, word)[1:]
    return sentence
