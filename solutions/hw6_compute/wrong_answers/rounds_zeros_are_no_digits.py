"""Takes the last zeros of a whole number for place holders."""

CAUGHT_BY = "test_rounds_to"
HINT = "the zero of '350M' is a digit, too"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    decimals = len(digits.partition(".")[2]) if "." in digits else len(digits.rstrip("0")) - len(digits)
    return abs(value / unit - float(digits)) < 0.5 / 10**decimals
