"""Checks its arguments: a size is positive."""


def rounds_to(value, printed):
    if value <= 0:
        raise ValueError(f"a printed size stands for a positive number, not {value}")
    unit = {"M": 10**6, "B": 10**9}.get(printed[-1], 1)
    digits = printed.rstrip("MB")
    decimals = len(digits.partition(".")[2])
    return abs(value / unit - float(digits)) < 0.5 / 10**decimals
