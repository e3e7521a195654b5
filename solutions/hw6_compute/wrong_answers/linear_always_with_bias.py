"""Does not look at the flag."""

CAUGHT_BY = "test_linear_parameters"
HINT = "bias=False: the matrix only"


def linear_parameters(n_in, n_out, bias=True):
    return (n_in + 1) * n_out
