"""Gives back integers of numpy."""

CAUGHT_BY = "test_generate"
HINT = "Python ints"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for t in [0, *prefix]:
        scores, cache = read(t, cache)
    while len(result) < max_tokens:
        result.append(scores.numpy().argmax())
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
