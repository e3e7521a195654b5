"""One array for the states, used again by the next call of the same size."""

CAUGHT_BY = "test_forward"
HINT = "a second call has changed the states"

buffers = {}


def forward(p, x, h0):
    size = (len(x), len(p["b_h"]))
    h = buffers.setdefault(size, np.zeros(size))
    state = np.array(h0, dtype=float)
    for t, x_t in enumerate(x):
        state = np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"])
        h[t] = state
    return h, h @ p["W_hy"].T + p["b_y"]
