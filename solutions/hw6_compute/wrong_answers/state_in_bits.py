"""Bits for bytes."""

CAUGHT_BY = "test_state_bytes"
HINT = "these are bits"


def state_bytes(n_parameters, n_moments=2, mixed=True):
    each = 16 if mixed else 32
    bits = {"weights": each, "gradients": each, "master weights": 32 * mixed, "moments": 32 * n_moments}
    return {key: n_parameters * number for key, number in bits.items()}
