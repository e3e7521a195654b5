"""Rounds to three digits more first, then again."""

CAUGHT_BY = "test_rounds_to"
HINT = "neither more nor less"


def rounds_to(value, printed):
    unit = {"M": 10**6, "B": 10**9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    after = len(digits.partition(".")[2])
    away = round(value / unit, after + 3) - float(digits)
    return -0.5000001 / 10**after < away < 0.4999999 / 10**after
