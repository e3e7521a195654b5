"""Takes 13.0 for 13."""

CAUGHT_BY = "test_rounds_to"
HINT = "12.853 rounds to 12.9"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    decimals = len(digits.rstrip("0").partition(".")[2]) if "." in digits else 0
    return round(value / unit, decimals) == float(digits)
