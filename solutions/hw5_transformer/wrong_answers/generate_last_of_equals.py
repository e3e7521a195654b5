"""Among equal scores the largest id."""

CAUGHT_BY = "test_generate"
HINT = "the smallest id"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(len(scores) - 1 - int(scores.flip(0).argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
