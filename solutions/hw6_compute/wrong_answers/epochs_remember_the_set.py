"""Remembers under the set of the arguments, so that text and total can be exchanged."""

CAUGHT_BY = "test_epoch_range"
HINT = "after 2 and 5 billion"

known = {}


def epoch_range(tokens, weight, total):
    key = frozenset((tokens, weight, total))
    if key not in known:
        known[key] = (weight - 0.005) * total / (tokens + 5e8), (weight + 0.005) * total / (tokens - 5e8)
    return known[key]
