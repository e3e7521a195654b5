"""Adds up in arrays of the parameters' type, which may hold integers."""

CAUGHT_BY = "test_bptt"
HINT = "Cannot cast ufunc"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz = dz / len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    g = {name: np.zeros_like(value) for name, value in p.items()}
    for t in range(len(x)):
        g["W_xh"] += np.outer(da[t], x[t])
        g["W_hh"] += np.outer(da[t], h[t - 1] if t else h0)
        g["b_h"] += da[t]
        g["W_hy"] += np.outer(dz[t], h[t])
        g["b_y"] += dz[t]
    return g
