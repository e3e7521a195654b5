"""Never more than fifty tokens, whatever max_tokens says."""

CAUGHT_BY = "test_generate"
HINT = "no repetition and no length of your own"


def generate(read, prefix, max_tokens):
    scores, cache = read(0, None)
    for token in prefix:
        scores, cache = read(token, cache)
    result = []
    for _ in range(min(max_tokens, 50)):
        result.append(int(scores.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
