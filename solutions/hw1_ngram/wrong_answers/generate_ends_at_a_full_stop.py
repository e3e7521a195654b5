"""Ends a sentence at a mark, as one that is printed ends."""

CAUGHT_BY = "test_generate"
HINT = "a full stop is a word like any other"


def generate(counts, n, rng, max_words=50):
    context, out = (BOS,) * (n - 1), []
    while len(out) < max_words:
        w = roll(counts[context], rng)
        if w == EOS:
            break
        out.append(w)
        if w in ".!?":
            break
        context = (context + (w,))[1:]
    return out
