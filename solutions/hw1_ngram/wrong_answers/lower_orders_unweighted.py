"""Multiplies only the longest order by its weight and adds the rest as it is."""

CAUGHT_BY = "test_interpolate"
HINT = "the lower orders have weights too"


def interpolate(tables, context, word, weights):
    estimates = [mle(table, context[len(context) - i :], word) for i, table in enumerate(tables)]
    return sum(estimates[:-1]) + weights[-1] * estimates[-1]
