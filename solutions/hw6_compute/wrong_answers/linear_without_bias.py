"""Counts the matrix only."""

CAUGHT_BY = "test_linear_parameters"
HINT = "that is the matrix alone"


def linear_parameters(n_in, n_out, bias=True):
    return n_in * n_out
