"""Keeps the states away from 1 and -1, by a ten-thousandth."""

CAUGHT_BY = "test_forward"
HINT = "no state behind it"


def forward(p, x, h0):
    h = np.zeros((len(x), len(p["b_h"])))
    state = h0
    for t in range(len(x)):
        state = h[t] = np.clip(np.tanh(p["W_xh"] @ x[t] + p["W_hh"] @ state + p["b_h"]), -0.9999, 0.9999)
    return h, h @ p["W_hy"].T + p["b_y"]
