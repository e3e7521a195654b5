"""Stops reading the prefix at an end mark."""

CAUGHT_BY = "test_generate"
HINT = "within the prefix"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
        if token == 1:
            return result
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
