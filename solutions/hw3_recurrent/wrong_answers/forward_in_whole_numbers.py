"""Makes the array of states of the type of h0, which may hold integers."""

CAUGHT_BY = "test_forward"
HINT = "rounded to whole numbers"


def forward(p, x, h0):
    h = np.zeros((len(x) + 1, len(h0)), dtype=h0.dtype)
    h[0] = h0
    for t, x_t in enumerate(x):
        h[t + 1] = np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[t] + p["b_h"])
    return h[1:], h[1:] @ p["W_hy"].T + p["b_y"]
