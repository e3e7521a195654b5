"""A context with <bos> in it is taken for one that was never seen."""

CAUGHT_BY = "test_interpolate"
HINT = "<bos> may stand in a context"


def interpolate(tables, context, word, weights):
    total = 0.0
    for shorter, (counts, weight) in enumerate(zip(tables, weights, strict=True)):
        last = context[len(context) - shorter :]
        if BOS not in last:
            total += weight * mle(counts, last, word)
    return total
