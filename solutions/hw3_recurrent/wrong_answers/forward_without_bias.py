"""Leaves the bias of the hidden layer out."""

CAUGHT_BY = "test_forward"
HINT = "where is the bias b_h?"


def forward(p, x, h0):
    h = [np.asarray(h0, dtype=float)]
    for x_t in x:
        h.append(np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[-1]))
    h = np.array(h)[1:]
    return h, h @ p["W_hy"].T + p["b_y"]
