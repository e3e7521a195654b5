"""Rounds to two more digits first, and then again."""

CAUGHT_BY = "test_rounds_to"
HINT = "124.501 rounds to 125"


def rounds_to(value, printed):
    number, unit = (printed[:-1], {"M": 10**6, "B": 10**9}[printed[-1]]) if printed[-1] in "MB" else (printed, 1)
    decimals = len(number.partition(".")[2])
    return f"{round(value / unit, decimals + 2):.{decimals}f}" == number
