"""Rounds to as many significant digits as are printed: 99.6 million becomes 99.6, not 100."""

CAUGHT_BY = "test_rounds_to"
HINT = "99.6 million rounds to 100 million"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    digits = printed.strip("MB")
    figures = len(digits.replace(".", "").lstrip("0")) or 1
    return float(f"{value / unit:.{figures - 1}e}") == float(digits)
