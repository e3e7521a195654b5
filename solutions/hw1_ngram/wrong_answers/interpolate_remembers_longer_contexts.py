"""Asks the 1-grams each time, but remembers what longer contexts said: right until their tables grow."""

CAUGHT_BY = "test_interpolate"
HINT = "keep nothing between calls"


remembered = {}


def interpolate(tables, context, word, weights):
    total = weights[0] * mle(tables[0], (), word)
    for i in range(1, len(tables)):
        key = context, i, word
        if key not in remembered:
            remembered[key] = mle(tables[i], context[len(context) - i :], word)
        total += weights[i] * remembered[key]
    return total
