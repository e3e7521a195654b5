"""Rounds to five decimals before it compares."""

CAUGHT_BY = "test_rounds_to"
HINT = "no digit of the value may get lost"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    return abs(round(value / unit, 5) - float(digits)) < 0.5 / 10 ** len(digits.partition(".")[2])
