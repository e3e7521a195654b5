"""The slope comes after the matrix, where it belongs before: right only where the two may change places."""

CAUGHT_BY = "test_backward_states"
HINT = "on the wrong side of W_hh"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += (1 - h[t + 1] ** 2) * (p["W_hh"].T @ dh[t + 1])
    return dh
