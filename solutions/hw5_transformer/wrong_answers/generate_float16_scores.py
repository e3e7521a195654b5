"""Rounds the scores to half precision before it compares them."""

CAUGHT_BY = "test_generate"
HINT = "without rounding"


def generate(read, prefix, max_tokens):
    scores, cache = read(0, None)
    for token in prefix:
        scores, cache = read(token, cache)
    result = []
    while len(result) < max_tokens:
        result.append(int(scores.half().argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
