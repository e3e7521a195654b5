"""Returns the start among the states."""

CAUGHT_BY = "test_forward"
HINT = "one state too many"


def forward(p, x, h0):
    h = [np.asarray(h0, dtype=float)]
    for x_t in x:
        h.append(np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[-1] + p["b_h"]))
    h = np.array(h)
    return h, h @ p["W_hy"].T + p["b_y"]
