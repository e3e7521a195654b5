"""The probability of a sequence as the sum of its factors."""

CAUGHT_BY = "test_joint_probability"
HINT = "you added the factors"


def joint_probability(factors):
    return sum(factors)
