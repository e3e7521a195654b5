"""Transposes by the wrong side: the slope comes after the matrix."""

CAUGHT_BY = "test_backward_states"
HINT = "is it the transposed W_hh"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += (1 - h[t + 1] ** 2) * (p["W_hh"].T @ dh[t + 1])
    return dh
