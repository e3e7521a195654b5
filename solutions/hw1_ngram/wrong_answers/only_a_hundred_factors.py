"""Reads at most a hundred factors, enough for every example of the statement."""

CAUGHT_BY = "test_joint_probability"
HINT = "wrong product for a list of 120"


def joint_probability(factors):
    return math.prod(factors[:100])
