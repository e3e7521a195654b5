"""Never returns less than 1e-12, so that no logarithm fails later."""

CAUGHT_BY = "test_interpolate"
HINT = "interpolation invents nothing"


def interpolate(tables, context, word, weights):
    total = 0.0
    for shorter, (counts, weight) in enumerate(zip(tables, weights, strict=True)):
        total += weight * mle(counts, context[len(context) - shorter :], word)
    return max(total, 1e-12)
