"""Every step starts from h0."""

CAUGHT_BY = "test_forward"
HINT = "it has to go on from h_1"


def forward(p, x, h0):
    h = [np.asarray(h0, dtype=float)]
    for x_t in x:
        h.append(np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ h[0] + p["b_h"]))
    h = np.array(h)[1:]
    return h, h @ p["W_hy"].T + p["b_y"]
