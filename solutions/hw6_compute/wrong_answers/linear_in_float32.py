"""Multiplies in floats of 32 bits."""

CAUGHT_BY = "test_linear_parameters"
HINT = "a float of 32 bits"


def linear_parameters(n_in, n_out, bias=True):
    return int(np.float32(n_in) * np.float32(n_out)) + (n_out if bias else 0)
