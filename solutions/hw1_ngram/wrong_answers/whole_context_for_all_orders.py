"""Looks up every order under the whole context, so that only the longest one is ever found."""

CAUGHT_BY = "test_interpolate"
HINT = "only the longest order counted"


def interpolate(tables, context, word, weights):
    return sum(weight * mle(table, context, word) for table, weight in zip(tables, weights, strict=True))
