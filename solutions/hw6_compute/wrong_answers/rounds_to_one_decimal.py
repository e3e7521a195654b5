"""Knows tables with one digit behind the point, or two."""

CAUGHT_BY = "test_rounds_to"
HINT = "four digits behind the point"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    half = 0.5 if "." not in digits else 0.05 if printed[-1] in "MB" or digits.endswith(".9") else 0.005
    return abs(value / unit - float(digits)) < half
