"""A little less than half a unit, for safety."""

CAUGHT_BY = "test_rounds_to"
HINT = "124.51 rounds to 125"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    return abs(value / unit - float(digits)) < 0.46 / 10 ** len(digits.partition(".")[2])
