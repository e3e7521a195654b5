"""Keeps a master copy of weights that have 32 bits already."""

CAUGHT_BY = "test_state_bytes"
HINT = "32 bits throughout"


def state_bytes(n_parameters, n_moments=2, mixed=True):
    n = n_parameters
    return {
        "weights": (2 if mixed else 4) * n,
        "gradients": (2 if mixed else 4) * n,
        "master weights": 4 * n,
        "moments": 4 * n_moments * n,
    }
