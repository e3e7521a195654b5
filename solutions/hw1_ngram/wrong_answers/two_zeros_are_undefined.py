"""Infinity less infinity: one impossible factor is handled, with two the result is NaN."""

CAUGHT_BY = "test_log_probability"
HINT = "as impossible as one"


def log_probability(factors):
    possible = sum(math.log(factor) for factor in factors if factor > 0)
    zeros = sum(factor == 0 for factor in factors)
    return possible if not zeros else -math.inf if zeros == 1 else -math.inf * (zeros % 1)
