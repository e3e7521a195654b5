"""Multiplies in integers of 64 bits, which end at 9.2e18."""

CAUGHT_BY = "test_petaflop_s_days"
HINT = "wrong for whole numbers that are very large"


def petaflop_s_days(n_parameters, n_tokens):
    return np.prod([6, n_parameters, n_tokens]) / 8.64e19
