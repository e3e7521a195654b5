"""Compares in numbers of 32 bits, which keep seven digits."""

CAUGHT_BY = "test_rounds_to"
HINT = "no digit of the value may get lost"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    decimals = len(digits.partition(".")[2])
    return bool(abs(np.float32(value / unit) - np.float32(digits)) < 0.5 / 10**decimals)
