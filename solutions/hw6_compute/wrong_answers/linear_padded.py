"""Pads large sizes to a multiple of eight, as fast kernels do."""

CAUGHT_BY = "test_linear_parameters"
HINT = "not padded or cut off"


def linear_parameters(n_in, n_out, bias=True):
    if n_in > 1000:
        n_in = -(-n_in // 8) * 8
    return n_in * n_out + (n_out if bias else 0)
