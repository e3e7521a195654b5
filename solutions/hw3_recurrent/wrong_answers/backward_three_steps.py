"""Goes back three steps from each loss and no further."""

CAUGHT_BY = "test_backward_states"
HINT = "differs from small differences"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    total = dh.copy()
    for t in range(len(h)):
        back = dh[t]
        for s in range(t - 1, max(t - 4, -1), -1):
            back = p["W_hh"].T @ ((1 - h[s + 1] ** 2) * back)
            total[s] += back
    return total
