"""Among equals <eos> wins, if it is one of them."""

CAUGHT_BY = "test_generate"
HINT = "no right of way"


def generate(read, prefix, max_tokens):
    if max_tokens < 1:
        return []
    cache = None
    for t in [0, *prefix]:
        scores, cache = read(t, cache)
    out = []
    while True:
        if scores[1] == scores.max():
            scores = torch.eye(len(scores))[1]
        out.append((scores == scores.max()).nonzero()[0].item())
        if out[-1] == 1 or len(out) == max_tokens:
            return out
        scores, cache = read(out[-1], cache)
