"""Gradients of the type of W_hy: whole numbers, if its weights are."""

CAUGHT_BY = "test_backward_states"
HINT = "W_hh and W_hy of integers"


def backward_states(p, h, dz):
    dh = np.zeros(np.shape(h), dtype=p["W_hy"].dtype)
    after = np.zeros(np.shape(h)[1])
    for t in reversed(range(len(h))):
        after = dz[t] @ p["W_hy"] + after
        dh[t] = after
        after = p["W_hh"].T @ ((1 - h[t] ** 2) * after)
    return dh
