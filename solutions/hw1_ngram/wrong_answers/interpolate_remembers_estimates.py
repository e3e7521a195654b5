"""Remembers the estimates for a context and a word: right until one of the tables grows."""

CAUGHT_BY = "test_interpolate"
HINT = "keep nothing between calls"


remembered = {}


def interpolate(tables, context, word, weights):
    key = context, word, len(tables)
    if key not in remembered:
        remembered[key] = [mle(counts, context[len(context) - i :], word) for i, counts in enumerate(tables)]
    return sum(weight * p for weight, p in zip(weights, remembered[key], strict=True))
