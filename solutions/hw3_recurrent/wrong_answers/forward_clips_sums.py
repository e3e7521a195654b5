"""Cuts the sums off at 5 before the tanh, which is nearly 1 there."""

CAUGHT_BY = "test_forward"
HINT = "no sum is cut off before the tanh"


def forward(p, x, h0):
    h = np.zeros((len(x), len(p["b_h"])))
    state = h0
    for t in range(len(x)):
        state = h[t] = np.tanh(np.clip(p["W_xh"] @ x[t] + p["W_hh"] @ state + p["b_h"], -5, 5))
    return h, h @ p["W_hy"].T + p["b_y"]
