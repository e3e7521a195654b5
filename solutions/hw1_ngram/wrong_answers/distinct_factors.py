"""Multiplies every different factor once, as a set would."""

CAUGHT_BY = "test_joint_probability"
HINT = "equal factors count each"


def joint_probability(factors):
    return math.prod(set(factors))
