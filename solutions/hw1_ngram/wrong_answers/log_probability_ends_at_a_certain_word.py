"""Takes a factor of 1 for the end of the sequence, behind which there is nothing to add."""

CAUGHT_BY = "test_log_probability"
HINT = "changes nothing and ends nothing"


def log_probability(factors):
    total = 0.0
    for factor in factors:
        if factor == 0:
            return -math.inf
        if factor == 1:
            break
        total += math.log(factor)
    return total
