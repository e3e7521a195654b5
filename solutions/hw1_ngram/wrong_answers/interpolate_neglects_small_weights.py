"""Leaves out orders of less than one per cent."""

CAUGHT_BY = "test_interpolate"
HINT = "no weight is too small"


def interpolate(tables, context, word, weights):
    total = 0.0
    for shorter, (counts, weight) in enumerate(zip(tables, weights, strict=True)):
        if weight >= 0.01:
            total += weight * mle(counts, context[len(context) - shorter :], word)
    return total
