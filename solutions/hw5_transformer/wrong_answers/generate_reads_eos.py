"""Reads the end mark before it stops."""

CAUGHT_BY = "test_generate"
HINT = "<eos> was read"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
        if result[-1] == 1:
            break
    return result
