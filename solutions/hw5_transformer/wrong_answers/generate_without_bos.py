"""Begins with the prefix, and with <bos> only if that is empty."""

CAUGHT_BY = "test_generate"
HINT = "the first token to read is <bos>"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in prefix or [0]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
