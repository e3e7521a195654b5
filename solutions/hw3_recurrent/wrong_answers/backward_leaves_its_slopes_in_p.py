"""Keeps the slopes in the dictionary of the parameters, for later."""

CAUGHT_BY = "test_backward_states"
HINT = "put something into the dictionary p"


def backward_states(p, h, dz):
    p["slopes"] = 1 - h**2
    dh = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += p["W_hh"].T @ (p["slopes"][t + 1] * dh[t + 1])
    return dh
