"""Refuses weights that do not sum to exactly 1, which rounding makes of honest ones."""

CAUGHT_BY = "test_interpolate"
HINT = "they sum to one but for rounding"


def interpolate(tables, context, word, weights):
    if sum(weights) != 1:
        raise ValueError("the weights must sum to 1")
    return sum(weight * mle(tables[i], context[len(context) - i :], word) for i, weight in enumerate(weights))
