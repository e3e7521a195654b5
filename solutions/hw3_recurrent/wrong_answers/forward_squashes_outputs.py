"""A tanh on the outputs."""

CAUGHT_BY = "test_forward"
HINT = "no tanh on the outputs"


def forward(p, x, h0):
    h = [np.asarray(h0, dtype=float)]
    for x_t in x:
        h.append(np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[-1] + p["b_h"]))
    h = np.array(h)[1:]
    return h, np.tanh(h @ p["W_hy"].T + p["b_y"])
