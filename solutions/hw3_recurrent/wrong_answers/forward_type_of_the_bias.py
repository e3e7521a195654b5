"""Makes the array of states of the type of the bias, which may be whole numbers."""

CAUGHT_BY = "test_forward"
HINT = "parameters of integers: the states"


def forward(p, x, h0):
    h = np.zeros((len(x), len(p["b_h"])), dtype=p["b_h"].dtype)
    state = h0
    for t, x_t in enumerate(x):
        h[t] = np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"])
        state = h[t]
    return h, h @ p["W_hy"].T + p["b_y"]
