"""Counts in integers of 32 bits."""

CAUGHT_BY = "test_linear_parameters"
HINT = "more than 32 bits can count"


def linear_parameters(n_in, n_out, bias=True):
    return np.prod([n_out, n_in + bool(bias)], dtype=np.int32)
