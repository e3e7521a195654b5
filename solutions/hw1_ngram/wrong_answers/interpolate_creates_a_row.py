"""Looks a context up with [ ], which a defaultdict creates."""

CAUGHT_BY = "test_interpolate"
HINT = "a defaultdict creates what you ask for"


def interpolate(tables, context, word, weights):
    p = 0.0
    for i, (table, weight) in enumerate(zip(tables, weights, strict=False)):
        try:
            row = table[context[len(context) - i :]]
            p += weight * row.get(word, 0) / sum(row.values())
        except (KeyError, ZeroDivisionError):
            pass
    return p
