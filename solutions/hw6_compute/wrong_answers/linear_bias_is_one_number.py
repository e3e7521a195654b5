"""Takes the flag for a size: one number more."""

CAUGHT_BY = "test_linear_parameters"
HINT = "2 362 368"


def linear_parameters(n_in, n_out, bias=True):
    return n_in * n_out + bias
