"""Takes an id 0 at the beginning of the prefix for the <bos> that it has to read."""

CAUGHT_BY = "test_generate"
HINT = "a 0 in it, too"


def generate(read, prefix, max_tokens):
    cache = None
    for token in ([] if prefix[:1] == [0] else [0]) + list(prefix):
        scores, cache = read(token, cache)
    result = []
    while len(result) < max_tokens:
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
