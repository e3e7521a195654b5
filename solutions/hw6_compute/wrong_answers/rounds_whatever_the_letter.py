"""Compares digits, whatever the letter."""

CAUGHT_BY = "test_rounds_to"
HINT = "125 billion are not 125 million"


def rounds_to(value, printed):
    digits = printed.strip("MB")
    decimals = len(digits.partition(".")[2])
    return any(abs(value / unit - float(digits)) < 0.5 / 10**decimals for unit in (1, 1e6, 1e9))
