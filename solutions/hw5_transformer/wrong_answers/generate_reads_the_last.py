"""Reads the last token, too."""

CAUGHT_BY = "test_generate"
HINT = "the last of max_tokens tokens was read"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1:
            break
        scores, cache = read(result[-1], cache)
    return result
