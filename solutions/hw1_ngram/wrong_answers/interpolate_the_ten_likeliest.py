"""Keeps the ten likeliest words of each row."""

CAUGHT_BY = "test_interpolate"
HINT = "leave nothing out"


def interpolate(tables, context, word, weights):
    p = 0
    for i, t in enumerate(tables):
        row = dict(Counter(t.get(context[len(context) - i :], {})).most_common(10))
        p += weights[i] * (row.get(word, 0) / sum(row.values()) if row else 0)
    return p
