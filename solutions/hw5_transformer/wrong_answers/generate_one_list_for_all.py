"""Clears a list that is an argument's default value: all texts that it returned are one list."""

CAUGHT_BY = "test_generate"
HINT = "does each call begin a list of its own"


def generate(read, prefix, max_tokens, result=[]):  # noqa: B006
    result.clear()
    cache = None
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
