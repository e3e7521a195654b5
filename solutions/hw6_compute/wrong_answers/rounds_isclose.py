"""A little more than half a unit."""

CAUGHT_BY = "test_rounds_to"
HINT = "124.49 rounds to 124"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    decimals = len(digits.partition(".")[2])
    return abs(value / unit - float(digits)) < 0.54 / 10**decimals
