"""Knows Adam only."""

CAUGHT_BY = "test_state_bytes"
HINT = "SGD with momentum"


def state_bytes(n_parameters, n_moments=2, mixed=True):
    n = n_parameters
    return {
        "weights": (2 if mixed else 4) * n,
        "gradients": (2 if mixed else 4) * n,
        "master weights": 4 * n if mixed else 0,
        "moments": 8 * n,
    }
