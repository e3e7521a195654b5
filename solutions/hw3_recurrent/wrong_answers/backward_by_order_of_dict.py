"""Takes the five parameters in the order in which the dictionary has them."""

CAUGHT_BY = "test_backward_states"
HINT = "go by the names"


def backward_states(p, h, dz):
    _, W_hh, _, W_hy, _ = p.values()
    dh = dz @ W_hy
    for t in reversed(range(len(h) - 1)):
        dh[t] += W_hh.T @ ((1 - h[t + 1] ** 2) * dh[t + 1])
    return dh
