"""Leaves <eos> out of the prefix."""

CAUGHT_BY = "test_generate"
HINT = "is read like every other token"


def generate(read, prefix, max_tokens):
    if max_tokens < 1:
        return []
    cache = None
    for t in [0, *[i for i in prefix if i != 1]]:
        scores, cache = read(t, cache)
    out = []
    while True:
        out.append((scores == scores.max()).nonzero()[0].item())
        if out[-1] == 1 or len(out) == max_tokens:
            return out
        scores, cache = read(out[-1], cache)
