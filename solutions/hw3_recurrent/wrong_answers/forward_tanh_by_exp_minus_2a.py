"""The tanh as (1 - e^-2a)/(1 + e^-2a), which is infinity over infinity for a large negative sum."""

CAUGHT_BY = "test_forward"
HINT = "sums of -1000"


def forward(p, x, h0):
    h, state = [], np.asarray(h0, dtype=float)
    for x_t in x:
        e = np.exp(-2 * (p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"]))
        state = (1 - e) / (1 + e)
        h.append(state)
    h = np.array(h).reshape(len(x), len(state))
    return h, h @ p["W_hy"].T + p["b_y"]
