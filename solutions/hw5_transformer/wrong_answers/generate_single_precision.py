"""Turns the scores into single precision before it compares them."""

CAUGHT_BY = "test_generate"
HINT = "keep the type of the scores"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.float().argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
