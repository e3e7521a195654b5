"""Takes factors off the list until nothing is left of it."""

CAUGHT_BY = "test_joint_probability"
HINT = "changed the list"


def joint_probability(factors):
    product = 1.0
    while factors:
        product *= factors.pop()
    return product
