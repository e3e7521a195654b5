"""Begins with the gate of its own step."""

CAUGHT_BY = "test_carried"
HINT = "one factor too many"


def carried(f):
    return np.cumprod(f[::-1], axis=0)[::-1]
