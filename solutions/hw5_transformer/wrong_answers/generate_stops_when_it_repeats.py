"""Stops when a token comes three times."""

CAUGHT_BY = "test_generate"
HINT = "no repetition and no length of your own"


def generate(read, prefix, max_tokens):
    scores, cache = read(0, None)
    for token in prefix:
        scores, cache = read(token, cache)
    result = []
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens or result[-3:] == [result[-1]] * 3:
            break
        scores, cache = read(result[-1], cache)
    return result
