"""Takes a factor below 1e-100 for an impossible word."""

CAUGHT_BY = "test_log_probability"
HINT = "A tiny probability is not 0"


def log_probability(factors):
    return sum(math.log(factor) if factor > 1e-100 else -math.inf for factor in factors)
