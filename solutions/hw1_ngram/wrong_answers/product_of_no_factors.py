"""Begins with the first factor: where there is none, reduce raises an error."""

CAUGHT_BY = "test_joint_probability"
HINT = "the empty product is 1"

from functools import reduce


def joint_probability(factors):
    return reduce(lambda product, factor: product * factor, factors)
