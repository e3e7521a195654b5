"""Looks for the highest score, beginning at 0."""

CAUGHT_BY = "test_generate"
HINT = "all scores are negative"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(
            max([(0.0, 0), *((float(s), -i) for i, s in enumerate(scores))])[1] * -1
            if scores.max() > 0
            else len(scores) - 1
        )
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
