"""Begins with the first factor: where there is none, reduce raises an error."""

CAUGHT_BY = "test_log_probability"
HINT = "the empty sequence has probability 1"

from functools import reduce


def log_probability(factors):
    return reduce(lambda a, b: a + b, (math.log(factor) if factor else -math.inf for factor in factors))
