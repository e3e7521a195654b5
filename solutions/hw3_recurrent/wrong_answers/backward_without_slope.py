"""Forgets the slope of the tanh."""

CAUGHT_BY = "test_backward_states"
HINT = "where is the slope"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += p["W_hh"].T @ (dh[t + 1])
    return dh
