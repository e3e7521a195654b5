"""Gives the first weight to the longest order."""

CAUGHT_BY = "test_interpolate"
HINT = "the weights are in the wrong order"


def interpolate(tables, context, word, weights):
    estimates = [mle(table, context[len(context) - i :], word) for i, table in enumerate(tables)]
    return sum(weight * p for weight, p in zip(reversed(weights), estimates, strict=True))
