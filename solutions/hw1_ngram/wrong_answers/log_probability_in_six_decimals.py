"""Rounds to six decimals."""

CAUGHT_BY = "test_log_probability"
HINT = "nearly certain"


def log_probability(factors):
    return -math.inf if 0 in factors else round(sum(math.log(f) for f in factors), 6)
