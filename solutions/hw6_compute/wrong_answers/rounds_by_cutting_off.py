"""Cuts digits off instead of rounding."""

CAUGHT_BY = "test_rounds_to"
HINT = "rounded, not cut off"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    decimals = len(digits.partition(".")[2])
    return 0 <= value / unit - float(digits) < 1 / 10**decimals
