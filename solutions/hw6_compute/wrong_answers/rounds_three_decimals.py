"""Knows three digits behind the point, not four."""

CAUGHT_BY = "test_rounds_to"
HINT = "four digits behind the point"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    decimals = min(3, len(digits.partition(".")[2]))
    return abs(value / unit - float(digits)) < 0.5 / 10**decimals
