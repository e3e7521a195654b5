"""Takes the prefix for a set: a word that comes again is not read again."""

CAUGHT_BY = "test_generate"
HINT = "read again"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in dict.fromkeys([0, *prefix]):
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
