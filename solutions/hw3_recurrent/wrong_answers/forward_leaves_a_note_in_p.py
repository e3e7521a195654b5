"""Keeps the states in the dictionary of parameters, for the way back."""

CAUGHT_BY = "test_forward"
HINT = "into the dictionary p"


def forward(p, x, h0):
    state, h = np.asarray(h0, dtype=float), np.zeros((len(x), len(p["b_h"])))
    for t, x_t in enumerate(x):
        state = np.tanh(p["W_xh"] @ x_t + p["W_hh"] @ state + p["b_h"])
        h[t] = state
    p["h"] = h
    return h, h @ p["W_hy"].T + p["b_y"]
