"""Takes a factor of 1 for the end of the sequence."""

CAUGHT_BY = "test_joint_probability"
HINT = "changes nothing and ends nothing"


def joint_probability(factors):
    product = 1.0
    for factor in factors:
        if factor == 1:
            break
        product *= factor
    return product
