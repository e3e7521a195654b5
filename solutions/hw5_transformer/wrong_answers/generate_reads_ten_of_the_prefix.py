"""Reads the last ten tokens of the prefix."""

CAUGHT_BY = "test_generate"
HINT = "a prefix of 150 tokens"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix[-10:]]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
