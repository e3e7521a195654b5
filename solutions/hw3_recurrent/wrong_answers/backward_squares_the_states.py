"""Squares the states for the slopes in the array that it was given."""

CAUGHT_BY = "test_backward_states"
HINT = "changed what it was given"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    h **= 2
    for t in reversed(range(len(h) - 1)):
        dh[t] += p["W_hh"].T @ ((1 - h[t + 1]) * dh[t + 1])
    return dh
