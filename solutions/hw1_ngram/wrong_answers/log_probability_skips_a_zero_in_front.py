"""Begins with the first factor's logarithm, or with 0 where there is none: a zero in the first place is lost."""

CAUGHT_BY = "test_log_probability"
HINT = "a 0 in any place"


def log_probability(factors):
    total = math.log(factors[0]) if factors and factors[0] else 0
    for factor in factors[1:]:
        total += math.log(factor) if factor else -math.inf
    return total
