"""Takes the longest order that has seen the word, and ignores the weights."""

CAUGHT_BY = "test_interpolate"
HINT = "interpolation mixes all orders"


def interpolate(tables, context, word, weights):
    for i in reversed(range(len(tables))):
        p = mle(tables[i], context[len(context) - i :], word)
        if p > 0:
            return p
    return 0.0
