"""The tanh written out with e^a, NaN for large sums."""

CAUGHT_BY = "test_forward"
HINT = "sums of 1000"


def tanh(a):
    return (np.exp(2 * a) - 1) / (np.exp(2 * a) + 1)


def forward(p, x, h0):
    state, h = np.asarray(h0, dtype=float), []
    for x_t in x:
        state = tanh(p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"])
        h.append(state)
    h = np.array(h).reshape(-1, len(p["b_h"]))
    return h, h @ p["W_hy"].T + p["b_y"]
