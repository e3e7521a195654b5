"""Writes the value with seven digits before it compares."""

CAUGHT_BY = "test_rounds_to"
HINT = "no digit of the value may get lost"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    return abs(float(f"{value / unit:.7g}") - float(digits)) < 0.5 / 10 ** len(digits.partition(".")[2])
