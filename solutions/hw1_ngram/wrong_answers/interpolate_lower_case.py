"""Looks words up in lower case."""

CAUGHT_BY = "test_interpolate"
HINT = "capitals count"


def interpolate(tables, context, word, weights):
    total = 0
    for i, weight in enumerate(weights):
        total += weight * mle(tables[i], context[len(context) - i :], word.lower())
    return total
