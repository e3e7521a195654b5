"""Gives the bias the size of the input."""

CAUGHT_BY = "test_linear_parameters"
HINT = "it has n_out numbers, not n_in"


def linear_parameters(n_in, n_out, bias=True):
    return n_in * n_out + n_in * bias
