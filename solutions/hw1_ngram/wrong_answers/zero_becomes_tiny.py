"""Puts 1e-300 in the place of 0, so that the logarithm exists."""

CAUGHT_BY = "test_log_probability"
HINT = "a factor of 0 must give -math.inf, yours is"


def log_probability(factors):
    return sum(math.log(max(factor, 1e-300)) for factor in factors)
