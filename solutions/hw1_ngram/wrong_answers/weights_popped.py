"""Takes the weights off the list that it was given."""

CAUGHT_BY = "test_interpolate"
HINT = "changed an argument"


def interpolate(tables, context, word, weights):
    total = 0.0
    for shorter, counts in enumerate(tables):
        total += weights.pop(0) * mle(counts, context[len(context) - shorter :], word)
    return total
