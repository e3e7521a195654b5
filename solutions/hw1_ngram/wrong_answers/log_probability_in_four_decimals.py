"""Rounds the log-probability to four decimals."""

CAUGHT_BY = "test_log_probability"
HINT = "nearly certain, 0.9999877: -0.0; round nothing"


def log_probability(factors):
    return round(sum(math.log(factor) if factor > 0 else -math.inf for factor in factors), 4)
