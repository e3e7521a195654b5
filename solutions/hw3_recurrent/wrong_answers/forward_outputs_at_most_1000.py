"""Cuts the outputs off at 1000, the largest that 2.2 speaks of."""

CAUGHT_BY = "test_forward"
HINT = "stay as large as they are"


def forward(p, x, h0):
    h = np.zeros((len(x), len(p["b_h"])))
    state = h0
    for t in range(len(x)):
        state = h[t] = np.tanh(p["W_xh"] @ x[t] + p["W_hh"] @ state + p["b_h"])
    return h, np.clip(h @ p["W_hy"].T + p["b_y"], -1000, 1000)
