"""Lifts negative scores to 0, so that the first one wins."""

CAUGHT_BY = "test_generate"
HINT = "the highest of them, not the first"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.clamp(min=0).argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
