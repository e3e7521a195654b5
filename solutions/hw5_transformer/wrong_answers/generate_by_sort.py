"""Sorts the scores, in an order that among equals is any."""

CAUGHT_BY = "test_generate"
HINT = "the smallest of these ids"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.sort(descending=True).indices[0]))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
