"""Two percent away is near enough."""

CAUGHT_BY = "test_rounds_to"
HINT = "12.853 rounds to 12.9"


def rounds_to(value, printed):
    unit = {"M": 1e6, "B": 1e9}.get(printed[-1], 1)
    return abs(value / unit / float(printed.strip("MB")) - 1) < 0.02
