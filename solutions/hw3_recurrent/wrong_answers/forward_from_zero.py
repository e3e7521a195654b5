"""Starts from zero, whatever was given."""

CAUGHT_BY = "test_forward"
HINT = "not from zero"


def forward(p, x, h0):
    h = [np.zeros(len(h0))]
    for x_t in x:
        h.append(np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[-1] + p["b_h"]))
    h = np.array(h)[1:]
    return h, h @ p["W_hy"].T + p["b_y"]
