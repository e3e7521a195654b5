"""Rounds the states to five decimals before it goes on."""

CAUGHT_BY = "test_forward"
HINT = "no state behind it is cut off or rounded"


def forward(p, x, h0):
    h = np.zeros((len(x), len(p["b_h"])))
    state = h0
    for t in range(len(x)):
        state = h[t] = np.round(np.tanh(p["W_xh"] @ x[t] + p["W_hh"] @ state + p["b_h"]), 5)
    return h, h @ p["W_hy"].T + p["b_y"]
