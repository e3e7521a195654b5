"""Leaves factors of 0 out of the product."""

CAUGHT_BY = "test_joint_probability"
HINT = "one impossible word makes the whole sequence impossible"


def joint_probability(factors):
    return math.prod(factor for factor in factors if factor)
