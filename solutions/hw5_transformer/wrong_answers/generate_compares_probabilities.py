"""Compares probabilities, in the type of the scores and without overflow."""

CAUGHT_BY = "test_generate"
HINT = "the higher SCORE, as it is"


def generate(read, prefix, max_tokens):
    if max_tokens < 1:
        return []
    cache = None
    for t in [0, *prefix]:
        scores, cache = read(t, cache)
    out = []
    while True:
        scores = scores.softmax(-1)
        out.append((scores == scores.max()).nonzero()[0].item())
        if out[-1] == 1 or len(out) == max_tokens:
            return out
        scores, cache = read(out[-1], cache)
