"""Writes every new state into h0 itself."""

CAUGHT_BY = "test_forward"
HINT = "forward changed the parameters"


def forward(p, x, h0):
    state, h = h0, []
    for x_t in x:
        state[:] = np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"])
        h.append(state.copy())
    h = np.array(h).reshape(len(x), len(p["b_h"]))
    return h, h @ p["W_hy"].T + p["b_y"]
