"""Multiplies first and takes the logarithm afterwards: the product of a long text underflows to 0."""

CAUGHT_BY = "test_log_probability"
HINT = "Add up the logarithms instead"


def log_probability(factors):
    product = 1.0
    for factor in factors:
        product *= factor
    return math.log(product) if product > 0 else -math.inf
