"""Forgets that a factor can be 0, where math.log raises an error."""

CAUGHT_BY = "test_log_probability"
HINT = "a factor of 0 must give -math.inf"


def log_probability(factors):
    return sum(math.log(factor) for factor in factors)
