"""Shares the weight of unseen contexts among the others."""

CAUGHT_BY = "test_interpolate"
HINT = "a context never seen contributes 0"


def interpolate(tables, context, word, weights):
    total = used = 0.0
    for shorter, (counts, weight) in enumerate(zip(tables, weights, strict=True)):
        end = context[len(context) - shorter :]
        if end in counts:
            total, used = total + weight * mle(counts, end, word), used + weight
    return total / used if used else 0.0
