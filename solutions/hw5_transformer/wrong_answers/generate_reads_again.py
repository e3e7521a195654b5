"""Reads the whole text for every token."""

CAUGHT_BY = "test_generate"
HINT = "is to be read once"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        cache = None
        for token in [0, *prefix, *result]:
            scores, cache = read(token, cache)
    return result
