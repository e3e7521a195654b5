"""Gives a token where none was asked for."""

CAUGHT_BY = "test_generate"
HINT = "max_tokens = 0"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while True:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) >= max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
