"""Looks up in a way that creates what is missing."""

CAUGHT_BY = "test_interpolate"
HINT = "look up with .get"


def interpolate(tables, context, word, weights):
    total = 0.0
    for shorter, (counts, weight) in enumerate(zip(tables, weights, strict=True)):
        row = counts.setdefault(context[len(context) - shorter :], {})
        total += weight * row.get(word, 0) / sum(row.values()) if any(row.values()) else 0.0
    return total
