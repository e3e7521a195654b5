"""Takes the five parameters in the order in which the dictionary has them."""

CAUGHT_BY = "test_forward"
HINT = "go by the names"


def forward(p, x, h0):
    W_xh, W_hh, b_h, W_hy, b_y = p.values()
    h = [np.asarray(h0, dtype=float)]
    for x_t in x:
        h.append(np.tanh(W_xh @ x_t + W_hh @ h[-1] + b_h))
    h = np.array(h)[1:]
    return h, h @ W_hy.T + b_y
