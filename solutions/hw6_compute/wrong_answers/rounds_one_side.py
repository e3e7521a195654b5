"""Looks above only."""

CAUGHT_BY = "test_rounds_to"
HINT = "1.24 billion rounds to 1.2 billion"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    return value / unit - float(digits) < 0.5 / 10 ** len(digits.partition(".")[2])
