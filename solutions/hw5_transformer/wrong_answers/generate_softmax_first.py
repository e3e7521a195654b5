"""Compares exponentials: among infinite ones the largest score is lost."""

CAUGHT_BY = "test_generate"
HINT = "the highest SCORE needs no softmax"


def generate(read, prefix, max_tokens):
    scores, cache = read(0, None)
    for token in prefix:
        scores, cache = read(token, cache)
    result = []
    while len(result) < max_tokens:
        p = scores.exp() / scores.exp().sum()
        result.append(int(p.argmax()))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
